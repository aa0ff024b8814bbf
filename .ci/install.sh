#!/bin/sh
# Installs Whetstone: from the unpacked archive in which this file lies, or else from the newest release, whose checksum is
# compared.
#
#   PREFIX=FOLDER    install to FOLDER/bin and FOLDER/share [default: ~/.local]
set -eu

repository='@REPOSITORY@'
version='@VERSION@'
prefix=${PREFIX:-$HOME/.local}

stop() {
    echo "error: $1" >&2
    echo "hint: $2" >&2
    exit 2
}
sums() {
    if command -v sha256sum >/dev/null; then sha256sum "$@"; else shasum -a 256 "$@"; fi
}

here=$(cd "$(dirname "$0")" 2>/dev/null && pwd) || here=.
if [ ! -f "$here/SHA256SUMS" ] || [ ! -x "$here/bin/sprt" ]; then
    case $repository in
    @*) stop "this is the installer of an archive, which \`make dist\` makes" "run the one in target/dist" ;;
    esac
    case $(uname -sm) in
    'Linux x86_64') target=x86_64-unknown-linux-gnu-v2 ;;
    'Linux aarch64') target=aarch64-unknown-linux-gnu ;;
    'Darwin arm64') target=aarch64-apple-darwin ;;
    'Darwin x86_64') target=x86_64-apple-darwin ;;
    *) stop "there is no archive for $(uname -sm)" "build from the sources: see README.md in $repository" ;;
    esac
    if [ "$target" = x86_64-unknown-linux-gnu-v2 ] && grep -q '\bavx2\b.*\bbmi2\b' /proc/cpuinfo; then
        target=x86_64-unknown-linux-gnu-v3
    fi
    folder=$(mktemp -d)
    trap 'rm -rf "$folder"' EXIT
    archive=whetstone-$version-$target.tar.gz
    for file in "$archive" "$archive.sha256"; do
        curl --fail --silent --show-error --location --proto '=https' --output "$folder/$file" \
            "$repository/releases/download/v$version/$file" ||
            stop "$file could not be fetched" "look at $repository/releases"
    done
    (cd "$folder" && sums -c "$archive.sha256" >/dev/null) ||
        stop "$archive is not what its checksum says" "fetch it again"
    tar -xzf "$folder/$archive" -C "$folder"
    here=$folder/whetstone-$version-$target
fi

(cd "$here" && sums -c SHA256SUMS >/dev/null) || stop "'$here' is incomplete or was changed" "unpack the archive again"
mkdir -p "$prefix/bin" "$prefix/share/man/man1" "$prefix/share/bash-completion/completions" \
    "$prefix/share/zsh/site-functions" "$prefix/share/fish/vendor_completions.d"
for program in "$here"/bin/*; do
    # A program that is running cannot be written to, but it can be replaced.
    cp "$program" "$prefix/bin/.new.$$"
    mv -f "$prefix/bin/.new.$$" "$prefix/bin/${program##*/}"
done
cp "$here"/man/*.1 "$prefix/share/man/man1"
for script in "$here"/completions/*.bash; do
    name=${script##*/}
    cp "$script" "$prefix/share/bash-completion/completions/${name%.bash}"
done
cp "$here"/completions/_* "$prefix/share/zsh/site-functions"
cp "$here"/completions/*.fish "$prefix/share/fish/vendor_completions.d"
echo "installed $(cd "$here/bin" && echo *) in $prefix/bin"
case :$PATH: in
*":$prefix/bin:"*) ;;
*) echo "hint: add $prefix/bin to PATH" >&2 ;;
esac
