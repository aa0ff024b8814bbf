# The first target builds the engine as ./$(EXE), as OpenBench and every match runner that builds engines asks for it:
# `make EXE=name`. The default name is not `engine`, because that is a folder here.
EXE ?= whetstone

# Some workers hand over `CC=cargo`, which no C compiler should be called.
unexport CC CXX

.PHONY: engine pgo fastchess dist test help

engine pgo:
	@$(MAKE) --no-print-directory -C engine $@ EXE="$(EXE)" FOLDER="$(CURDIR)"

# A worker of OpenBench builds its match runner with `make -j CXX=g++` and takes ./fastchess. Engines it builds with EXE=.
ifeq ($(origin CXX) $(origin EXE),command line file)
.DEFAULT_GOAL := fastchess
endif

# The linker writes straight to its place. Cargo does not know of the file and would not write it again.
fastchess:
	@test -e fastchess || touch sprt/src/main.rs
	cargo rustc --release --locked -p sprt --bin sprt -- --emit link="$(CURDIR)/fastchess"

dist:
	bash .ci/dist

test:
	cargo test --workspace --locked

help:
	@echo "make [EXE=name]   build the engine as ./name, for this machine's processor (default: whetstone)"
	@echo "make pgo [EXE=..] the same, optimised by a profile of its bench; needs llvm-tools of rustup"
	@echo "make fastchess    build the match runner of an OpenBench worker as ./fastchess (also: make CXX=g++)"
	@echo "make dist         make an archive of all programs for this machine in target/dist"
	@echo "make test         run the tests of all crates"
