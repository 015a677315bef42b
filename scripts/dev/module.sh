#!/usr/bin/env bash
# Builds the WebAssembly module for web pages in both variants, without and with vectors: scripts/dev/module.sh [FOLDER], default build/viewer-module.
# The folder then has abut.js, abut.wasm, abut-simd.js and abut-simd.wasm. Only changed parts are built again.
set -euo pipefail
cd "$(dirname "$0")/../.."

folder=${1:-build/viewer-module}
scripts/dev/module_libraries.sh

build() { # preset, name of the result
    local preset=$1 name=$2 built=build/$1/viewer/module log=build/$1/log
    mkdir -p "build/$preset" "$folder"
    {
        # A changed preset needs a new configuration.
        if [ ! "build/$preset/configured" -nt CMakePresets.json ]; then
            cmake --preset "$preset" && touch "build/$preset/configured"
        fi
        cmake --build --preset "$preset"
    } >"$log" 2>&1 || {
        tail -n 40 "$log" >&2
        echo "module: $preset could not be built; see $log" >&2
        exit 1
    }
    # The JavaScript loads the code by its file name, so the name in it is replaced.
    if [ ! -e "$folder/$name.wasm" ] || [ "$built/abut.wasm" -nt "$folder/$name.wasm" ] || [ "$built/abut.js" -nt "$folder/$name.js" ]; then
        sed "s/abut\.wasm/$name.wasm/g" "$built/abut.js" >"$folder/$name.js"
        cp "$built/abut.wasm" "$folder/$name.wasm"
        echo "$folder/$name.wasm: $(wc -c <"$folder/$name.wasm") bytes, $(gzip -9 -c "$folder/$name.wasm" | wc -c) compressed"
    fi
}

build module abut
build module-simd abut-simd

# Pages contain one program for both variants.
if ! cmp -s "$folder/abut.js" <(sed 's/abut-simd\.wasm/abut.wasm/g' "$folder/abut-simd.js"); then
    echo "module: the programs of the two variants differ, so that a page cannot choose between their codes" >&2
    exit 1
fi

# This file is newer than all sources; its time stamp is compared with theirs.
touch "$folder/made"
