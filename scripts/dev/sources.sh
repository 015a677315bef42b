#!/usr/bin/env bash
# Fetches source packages of the system's distribution and unpacks each into FOLDER/sources/PACKAGE: scripts/dev/sources.sh FOLDER PACKAGE...
# Sources that are there are kept. Without apt-get, unpack them there yourself.
set -euo pipefail

folder=$1
shift

fail() {
    echo "sources: $*" >&2
    exit 1
}

# apt uses a separate list with the source packages of the system's own archives.
write_source_list() { # folder
    mkdir -p "$1"
    local list
    for list in /etc/apt/sources.list /etc/apt/sources.list.d/*.list; do
        if [ -e "$list" ]; then
            sed -n 's/^deb /deb-src /p' "$list" >>"$1/system.list"
        fi
    done
    for list in /etc/apt/sources.list.d/*.sources; do
        if [ -e "$list" ]; then
            sed 's/^Types:.*/Types: deb-src/' "$list" >"$1/$(basename "$list")"
        fi
    done
}

fetch() { # packages
    local apt=$folder/apt
    rm -rf "$apt"
    mkdir -p "$apt/lists/partial" "$apt/cache/archives/partial"
    write_source_list "$apt/sources"
    local options=(-q -o Dir::Etc::SourceList=/dev/null -o "Dir::Etc::SourceParts=$apt/sources" -o "Dir::State::Lists=$apt/lists"
        -o "Dir::Cache=$apt/cache" -o APT::Sandbox::User=)
    echo "sources: fetching the sources of $*"
    # An archive may be out of reach or without sources; it may not be needed.
    apt-get "${options[@]}" update >"$apt/log" 2>&1 || true
    (cd "$apt" && apt-get "${options[@]}" source --download-only "$@" >>"$apt/log" 2>&1) || {
        tail -n 20 "$apt/log" >&2
        fail "apt-get source could not fetch $*"
    }
}

unpack() { # package
    local archive target=$folder/sources/$1
    archive=$(find "$folder/apt" -maxdepth 1 -name "$1_*.orig.tar.*" ! -name '*.asc' | head -n 1)
    [ -n "$archive" ] || fail "there is no archive of $1 among what apt-get fetched"
    mkdir -p "$target"
    tar -xf "$archive" -C "$target" --strip-components=1
}

missing=()
for package in "$@"; do
    [ -d "$folder/sources/$package" ] || missing+=("$package")
done
if [ ${#missing[@]} -gt 0 ]; then
    command -v apt-get >/dev/null || fail "there is no apt-get to fetch the sources of ${missing[*]} with. Unpack each under" \
        "$folder/sources/ yourself, then try again."
    mkdir -p "$folder"
    folder=$(cd "$folder" && pwd)
    fetch "${missing[@]}"
    for package in "${missing[@]}"; do
        unpack "$package"
    done
fi
