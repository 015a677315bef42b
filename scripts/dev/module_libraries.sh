#!/usr/bin/env bash
# Compiles the libraries of abut's module for web pages, jansson and qhull (reentrant), for WebAssembly, from the source packages of the system's
# distribution: scripts/dev/module_libraries.sh [FOLDER], default build/module-libraries. Headers and static libraries are then in its include/ and
# lib/. The script keeps existing libraries; to make them anew, remove the folder.
set -euo pipefail
cd "$(dirname "$0")/../.."

folder=${1:-build/module-libraries}
packages=(jansson qhull)

# ---- The flags are those of the project's own code, so that qhull gives the same results everywhere.
flags=(-Os -DNDEBUG -ffp-contract=off -fno-math-errno -fno-trapping-math)

if [ "$folder/complete" -nt scripts/dev/module_libraries.sh ] && [ "$folder/complete" -nt viewer/module/qhull_quiet.h ]; then
    exit 0
fi

fail() {
    echo "module_libraries: $*" >&2
    exit 1
}

command -v emcc >/dev/null || fail "emcc is missing (Debian: emscripten); scripts/dev/setup.sh viewer installs it"

mkdir -p "$folder"
folder=$(cd "$folder" && pwd)

# All C files of a folder into lib/libNAME.a.
compile_library() { # name, folder of its sources, further flags
    local name=$1 sources=$2 objects=$folder/objects/$1
    shift 2
    rm -rf "$objects" "$folder/lib/lib$name.a"
    mkdir -p "$objects" "$folder/lib" &&
        find "$sources" -maxdepth 1 -name '*.c' -exec basename {} .c ';' |
        xargs -P "$(getconf _NPROCESSORS_ONLN)" -I{} emcc "${flags[@]}" "$@" -w -c "$sources/{}.c" -o "$objects/{}.o" &&
        emar rcs "$folder/lib/lib$name.a" "$objects"/*.o
}

# jansson has a configuration for systems without configure checks; it fits here.
build_jansson() {
    local sources=$folder/sources/jansson
    mkdir -p "$folder/include" "$folder/lib/pkgconfig" &&
        cp "$sources/src/jansson.h" "$sources/android/jansson_config.h" "$folder/include/" &&
        printf '#define HAVE_%s 1\n' STDINT_H SYS_TYPES_H SYS_TIME_H UNISTD_H GETTIMEOFDAY >"$sources/src/jansson_private_config.h" &&
        compile_library jansson "$sources/src" -I"$sources/src" -I"$folder/include" -DHAVE_CONFIG_H=1 &&
        printf 'Name: jansson\nDescription: JSON\nVersion: %s\nCflags: -I%s\nLibs: -L%s -ljansson\n' \
            "$(sed -n 's/^#define JANSSON_VERSION *"\(.*\)"/\1/p' "$sources/src/jansson.h")" "$folder/include" "$folder/lib" \
            >"$folder/lib/pkgconfig/jansson.pc"
}

# Only the library of qhull, without its C++ and programs, and without its output (tracing, statistics, messages). The two files that users of qhull may
# replace are left out too; the module replaces them (viewer/module/qhull_quiet.c).
build_qhull() {
    local sources=$folder/sources/qhull/src/libqhull_r
    mkdir -p "$folder/include/libqhull_r" &&
        rm -f "$sources/user_r.c" "$sources/userprintf_r.c" "$sources/userprintf_rbox_r.c" "$sources/rboxlib_r.c" &&
        sed -i -e 's/#define qh_KEEPstatistics 1/#define qh_KEEPstatistics 0/' "$sources/user_r.h" &&
        cp "$sources"/*.h "$folder/include/libqhull_r/" &&
        compile_library qhull_r "$sources" -Dqh_NOtrace -I"$folder/include" -include viewer/module/qhull_quiet.h
}

scripts/dev/sources.sh "$folder" "${packages[@]}"
echo "module_libraries: compiling ${packages[*]} for WebAssembly"
{ build_jansson && build_qhull; } >"$folder/log" 2>&1 || {
    tail -n 30 "$folder/log" >&2
    fail "the libraries could not be compiled; see $folder/log"
}
touch "$folder/complete"
