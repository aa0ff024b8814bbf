#!/usr/bin/env bash
# Finds out which commits an event brings, sees that they are there, and has bench-guard check them.
set -euo pipefail

cd "${INPUT_DIRECTORY:-.}"
is_commit() { git rev-parse --verify --quiet "$1^{commit}" >/dev/null; }
is_id() { [[ $1 =~ ^[0-9a-f]{40}([0-9a-f]{24})?$ && ! $1 =~ ^0+$ ]]; }

base=${EVENT_BASE:-}
head=${EVENT_HEAD:-}
range=${INPUT_RANGE:-}
if [ -z "$range" ]; then
    is_id "$head" || head=$(git rev-parse HEAD)
    # A clone of one commit lacks what is compared with; without credentials only a public repository can be asked.
    if [ "$(git rev-parse --is-shallow-repository)" = true ] || ! is_commit "$head"; then
        export GIT_TERMINAL_PROMPT=0
        git fetch --quiet --no-tags --unshallow origin 2>/dev/null || true
        is_commit "$head" || git fetch --quiet --no-tags origin "$head" 2>/dev/null || true
    fi
    if ! is_commit "$head"; then
        echo "::error title=bench-guard::commit $head is not in this clone; give actions/checkout 'fetch-depth: 0'"
        exit 2
    fi
    if is_id "$base" && is_commit "$base"; then
        range="$base..$head"
    elif is_id "$base"; then
        # A clone that could not be deepened, or a branch whose history was rewritten.
        echo "::warning title=bench-guard::commit $base is not in this clone, so only $head is checked;" \
            "give actions/checkout 'fetch-depth: 0'"
        range=$head
    else
        range=$head
    fi
fi

program=${INPUT_PROGRAM:-}
if [ -z "$program" ]; then
    sources=$(cd "$GITHUB_ACTION_PATH/../../.." && pwd)
    target=${RUNNER_TEMP:-/tmp}/bench-guard
    (cd "$sources" && cargo build --quiet --release --locked --package bench-guard --target-dir "$target")
    program=$target/release/bench-guard
fi

arguments=(check --format github)
[ "${INPUT_BUILD:-true}" = true ] || arguments+=(--no-build)
[ "${INPUT_REQUIRE_SPRT:-false}" = true ] && arguments+=(--require-sprt)
[ "${INPUT_STRICT:-false}" = true ] && arguments+=(--strict)
exec "$program" "${arguments[@]}" -- "$range"
