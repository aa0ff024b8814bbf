#!/bin/sh
# Runs the bench-guard on the PATH; where there is none, the one of the sources beside this script, built once.
set -eu
if command -v bench-guard >/dev/null; then
    exec bench-guard "$@"
fi
sources=$(cd "$(dirname "$0")/.." && pwd)
program=$sources/target/release/bench-guard
if [ ! -x "$program" ]; then
    command -v cargo >/dev/null || {
        echo "bench-guard is not on the PATH, and there is no cargo to build it with" >&2
        exit 2
    }
    echo "building bench-guard, once" >&2
    # Git's variables for its hooks name the repository that is committed to, not this one.
    (cd "$sources" && env -u GIT_DIR -u GIT_INDEX_FILE -u GIT_WORK_TREE CARGO_TARGET_DIR=target \
        cargo build --quiet --release --locked --package bench-guard)
fi
exec "$program" "$@"
