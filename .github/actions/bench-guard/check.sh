#!/usr/bin/env bash
# Finds out which commits an event brings, sees that they are there, and has bench-guard check them.
# What cannot be told ends with exit code 2: a guard that is not sure does not pass.
set -euo pipefail

export GIT_TERMINAL_PROMPT=0
is_commit() { git rev-parse --verify --quiet "$1^{commit}" >/dev/null; }
is_id() { [[ $1 =~ ^[0-9a-f]{40}([0-9a-f]{24})?$ && ! $1 =~ ^0+$ ]]; }
# Also where it is called inside of `$(…)`, which keeps what is printed to stdout.
exec 3>&1
stop() {
    echo "::error title=bench-guard::$1" >&3
    exit 2
}

cd "${INPUT_DIRECTORY:-.}" || stop "the input 'directory' names no folder that can be entered"
# A repository that git does not open has no commits either, and what follows would call each of them missing.
if ! said=$(LC_ALL=C git rev-parse --git-dir 2>&1 >/dev/null); then
    remedy="the input 'directory' names the folder of a checkout"
    case $said in
    *'dubious ownership'*)
        remedy="it belongs to another user, as in a container; trust it in a step before: git config --global --add safe.directory '$PWD'"
        ;;
    esac
    said=${said%%$'\n'*}
    stop "git does not open the repository in '$PWD': ${said//%/%25}; $remedy"
fi
# An input is true or false in any case; anything else is a mistake, not a "no".
is_on() {
    case $2 in
    [Tt][Rr][Uu][Ee]) return 0 ;;
    [Ff][Aa][Ll][Ss][Ee]) return 1 ;;
    *)
        local value=${2//%/%25}
        value=${value//$'\r'/%0D}
        stop "the input '$1' must be 'true' or 'false', not '${value//$'\n'/%0A}'"
        ;;
    esac
}
arguments=(check --format github)
if is_on fresh "${INPUT_FRESH:-true}"; then build=--fresh; else build=; fi
is_on build "${INPUT_BUILD:-true}" || build=--no-build
if [ -n "$build" ]; then arguments+=("$build"); fi
if [ -n "${INPUT_JOURNALS:-}" ] && [ "${INPUT_REQUIRE:-}" != run ]; then
    stop "the input 'journals' needs 'require: run'"
fi
case ${INPUT_REQUIRE:-} in
'') if is_on require-sprt "${INPUT_REQUIRE_SPRT:-false}"; then arguments+=(--require-sprt); fi ;;
block | run | openbench)
    arguments+=("--require=$INPUT_REQUIRE")
    if [ -n "${INPUT_JOURNALS:-}" ]; then arguments+=("--journals=$INPUT_JOURNALS"); fi
    ;;
*) stop "the input 'require' must be 'block', 'run' or 'openbench'" ;;
esac
# On lines of their own, too.
read -rd '' -a variants <<<"${INPUT_VARIANT:-}" || true
# A bash before 4.4, as on macOS, calls an empty list unset.
for name in ${variants[@]+"${variants[@]}"}; do arguments+=("--variant=$name"); done
if is_on repro "${INPUT_REPRO:-false}"; then arguments+=(--repro); fi
if is_on strict "${INPUT_STRICT:-false}"; then arguments+=(--strict); fi

# Who can write causes these, or they give a fork no secret. All others, those of later years too, may run with the
# secrets of the target repository what anybody wrote.
case ${EVENT_NAME:-} in
'' | push | create | release | schedule | workflow_dispatch | repository_dispatch | merge_group) ;;
pull_request | pull_request_review | pull_request_review_comment) ;;
*)
    if is_on build "${INPUT_BUILD:-true}"; then
        stop "nothing is built on '$EVENT_NAME', which may run with the secrets of this repository; use 'pull_request', or the input 'build: false'"
    fi
    ;;
esac

base=${EVENT_BASE:-}
head=${EVENT_HEAD:-}
default=${EVENT_DEFAULT:-}
range=${INPUT_RANGE:-}
# The tip of the default branch, with which the head must share history.
since_default() {
    if [ -z "$default" ] || ! git check-ref-format "refs/heads/$default"; then
        stop "the event names no default branch to compare $head with; give the input 'range'"
    fi
    git fetch --quiet --no-tags origin "+refs/heads/$default:refs/remotes/origin/$default" 2>/dev/null || true
    git merge-base "refs/remotes/origin/$default" "$head" >/dev/null ||
        stop "$head has no ancestor on '$default'; give actions/checkout 'fetch-depth: 0', or the input 'range'"
    git rev-parse "refs/remotes/origin/$default"
}
# A forced push of a branch other than the default one. What the branch had before is gone, and a test that a commit
# showed there proves the commit that took its place.
is_rewritten() {
    [ "${EVENT_NAME:-}" = push ] && [ "${EVENT_REF:-}" != "refs/heads/$default" ] &&
        ! git merge-base --is-ancestor "$base" "$head"
}
if [ -z "$range" ]; then
    is_id "$head" || head=$(git rev-parse HEAD) || stop "the input 'directory' names no repository with a commit"
    # A clone of one commit lacks what is compared with; without credentials only a public repository can be asked.
    if [ "$(git rev-parse --is-shallow-repository)" = true ] || ! is_commit "$head"; then
        git fetch --quiet --no-tags --unshallow origin 2>/dev/null || true
        is_commit "$head" || git fetch --quiet --no-tags origin "$head" 2>/dev/null || true
    fi
    is_commit "$head" || stop "commit $head is not in this clone; give actions/checkout 'fetch-depth: 0'"
    # The old tip of a branch that was rewritten is on no branch any more, but GitHub still gives it out.
    if is_id "$base" && ! is_commit "$base"; then
        git fetch --quiet --no-tags origin "$base" 2>/dev/null || true
    fi
    if [[ ${EVENT_REF:-} == refs/tags/* ]]; then
        range=$head
    elif is_id "$base" && is_commit "$base" && ! is_rewritten; then
        range="$base..$head"
    elif [ -z "$base" ]; then
        # Neither a push nor a pull request.
        range=$head
    elif [ "${EVENT_REF:-}" != "refs/heads/$default" ]; then
        # A new branch, or one that was rewritten.
        base=$(since_default) || exit 2
        range="$base..$head"
    elif is_id "$base"; then
        stop "'$default' was rewritten and its old tip $base cannot be fetched; give the input 'range'"
    else
        echo "::notice title=bench-guard::'$default' is new, so only its tip is checked"
        range=$head
    fi
fi

program=${INPUT_PROGRAM:-}
archive=${INPUT_ARCHIVE:-}
digest=${INPUT_SHA256:-}
if [ -z "$program" ] && [ -n "$archive$digest" ]; then
    # An address may lead to something else tomorrow; the digest says what was meant.
    [[ $digest =~ ^[0-9a-f]{64}$ ]] || stop "the input 'archive' needs its SHA-256 as the input 'sha256': 64 digits of 0-9a-f"
    [ -n "$archive" ] || stop "the input 'sha256' is given, but no 'archive'"
    unpacked=$(mktemp -d)
    curl --fail --silent --show-error --location --proto '=https,file' --output "$unpacked/archive" -- "$archive" ||
        stop "the archive could not be fetched"
    # macOS has shasum only.
    found=$(sha256sum <"$unpacked/archive" 2>/dev/null || shasum -a 256 <"$unpacked/archive")
    [ "${found%% *}" = "$digest" ] || stop "the archive is another than the one with this SHA-256"
    tar -xzf "$unpacked/archive" -C "$unpacked" --strip-components=1
    program=$unpacked/bin/bench-guard
    [ -x "$program" ] || stop "the archive holds no bin/bench-guard"
fi
if [ -z "$program" ]; then
    sources=$(cd "$GITHUB_ACTION_PATH/../../.." && pwd)
    target=${RUNNER_TEMP:-/tmp}/bench-guard
    # Used once, so the build is what takes the time.
    (cd "$sources" && cargo build --quiet --locked --package bench-guard --target-dir "$target") ||
        stop "bench-guard could not be built; give the input 'program' or 'archive'"
    program=$target/debug/bench-guard
fi
# A change is checked by the rules of the branch that it is for, not by those that it brings along.
rules=${INPUT_RULES_FROM:-}
case ${EVENT_NAME:-} in
pull_request* | merge_group)
    if [ -z "$rules" ]; then
        if ! is_id "${EVENT_BASE:-}" || ! is_commit "$EVENT_BASE"; then
            stop "the target of this $EVENT_NAME, '${EVENT_BASE:-}', is not in this clone; give actions/checkout 'fetch-depth: 0', or the input 'rules-from'"
        fi
        rules=$EVENT_BASE
    fi
    ;;
esac
if [ -n "$rules" ]; then arguments+=("--rules-from=$rules"); fi
command -v "$program" >/dev/null || stop "the input 'program' names no program: $program"
exec "$program" "${arguments[@]}" -- "$range"
