# The first target builds the engine as ./$(EXE), as OpenBench and every match runner that builds engines asks for it:
# `make EXE=name`. The default name is not `engine`, because that is a folder here.
EXE ?= whetstone

.PHONY: engine test help

engine:
	@$(MAKE) --no-print-directory -C engine EXE="$(EXE)" FOLDER="$(CURDIR)"

test:
	cargo test --workspace --locked

help:
	@echo "make [EXE=name]   build the engine as ./name, for this machine's processor (default: whetstone)"
	@echo "make test         run the tests of all crates"
