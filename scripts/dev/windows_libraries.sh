#!/usr/bin/env bash
# Compiles the libraries that the command needs, for Windows (x86-64, gnu), from the source packages of the system's distribution, with the compiler of the
# package ziglang of PyPI: scripts/dev/windows_libraries.sh [FOLDER], default build/windows-libraries. The folder then has bin/cc (the compiler) and its
# companions, and headers, static libraries and files for pkg-config in include/ and lib/. HDF5 runs two small programs for Windows while it is built, so wine
# is needed. The script keeps existing libraries; to make them anew, remove the folder.
set -euo pipefail
cd "$(dirname "$0")/../.."

folder=${1:-build/windows-libraries}
packages=(zlib jansson qhull hdf5)
target=x86_64-windows-gnu
jobs=${JOBS:-$(getconf _NPROCESSORS_ONLN)}
python=/usr/bin/python3
[ -x "$python" ] || python=python3

# ---- The flags are those of the project's own code, so that qhull gives the same results everywhere.
flags=(-O2 -DNDEBUG -ffp-contract=off -fno-math-errno -fno-trapping-math)

if [ "$folder/complete" -nt scripts/dev/windows_libraries.sh ]; then
    exit 0
fi

fail() {
    echo "windows_libraries: $*" >&2
    exit 1
}

command -v wine >/dev/null || fail "wine is missing (Debian: wine); scripts/dev/setup.sh windows installs it"

mkdir -p "$folder/bin" "$folder/include" "$folder/lib/pkgconfig"
folder=$(cd "$folder" && pwd)

# Programs of one word, as CMake wants them.
make_compiler() {
    if ! [ -e "$folder/tools/complete" ]; then
        "$python" -m venv "$folder/tools"
        "$folder/tools/bin/python" -m pip --disable-pip-version-check --quiet install "ziglang>=0.13" "lief>=0.15"
        touch "$folder/tools/complete"
    fi
    local zig name
    zig=$("$folder/tools/bin/python" -c 'import os, ziglang; print(os.path.join(os.path.dirname(ziglang.__file__), "zig"))')
    for name in cc:"cc -target $target" c++:"c++ -target $target" ar:ar ranlib:ranlib rc:rc; do
        printf '#!/bin/sh\nexec %s %s "$@"\n' "$zig" "${name#*:}" >"$folder/bin/${name%%:*}"
    done
    chmod +x "$folder"/bin/*
}

# Some C files of a folder into lib/libNAME.a.
compile_library() { # name, folder of its sources, pattern of their names, further flags
    local name=$1 sources=$2 pattern=$3 objects=$folder/objects/$1
    shift 3
    rm -rf "$objects" "$folder/lib/lib$name.a"
    mkdir -p "$objects"
    find "$sources" -maxdepth 1 -name "$pattern" -exec basename {} .c ';' |
        xargs -P "$jobs" -I{} "$folder/bin/cc" "${flags[@]}" "$@" -w -c "$sources/{}.c" -o "$objects/{}.o"
    "$folder/bin/ar" rcs "$folder/lib/lib$name.a" "$objects"/*.o
}

describe() { # name for pkg-config, version, libraries
    printf 'Name: %s\nDescription: %s\nVersion: %s\nCflags: -I%s\nLibs: -L%s %s\n' "$1" "$1" "$2" "$folder/include" "$folder/lib" "$3" \
        >"$folder/lib/pkgconfig/$1.pc"
}

version_in() { # header, name of the macro
    sed -n "s/^#define $2 *\"\(.*\)\"/\1/p" "$1"
}

build_zlib() {
    local sources=$folder/sources/zlib
    cp "$sources"/{zlib,zconf}.h "$folder/include/"
    compile_library z "$sources" '*.c'
    describe zlib "$(version_in "$sources/zlib.h" ZLIB_VERSION)" -lz
}

# jansson has a configuration for systems without configure checks; it fits here.
build_jansson() {
    local sources=$folder/sources/jansson
    cp "$sources/src/jansson.h" "$sources/android/jansson_config.h" "$folder/include/"
    printf '#define HAVE_%s 1\n' STDINT_H SYS_TYPES_H SYS_TIME_H UNISTD_H GETTIMEOFDAY >"$sources/src/jansson_private_config.h"
    compile_library jansson "$sources/src" '*.c' -I"$sources/src" -I"$folder/include" -DHAVE_CONFIG_H=1
    describe jansson "$(version_in "$sources/src/jansson.h" JANSSON_VERSION)" -ljansson
}

build_qhull() {
    local sources=$folder/sources/qhull/src/libqhull_r
    mkdir -p "$folder/include/libqhull_r"
    cp "$sources"/*.h "$folder/include/libqhull_r/"
    compile_library qhull_r "$sources" '*_r.c'
}

# The library alone, with zlib for its compression. One of its functions has no type, which newer compilers refuse. A program of its configuration writes a
# file into the current folder, and the configuration looks for it in the folder of the build.
build_hdf5() {
    local toolchain=$PWD/cmake/windows.cmake
    mkdir -p "$folder/hdf5"
    cd "$folder/hdf5"
    cmake -S "$folder/sources/hdf5" -B . -G Ninja -DCMAKE_BUILD_TYPE=Release -DCMAKE_TOOLCHAIN_FILE="$toolchain" \
        -DCMAKE_CROSSCOMPILING_EMULATOR=wine -DCMAKE_INSTALL_PREFIX="$folder" -DCMAKE_C_FLAGS="-w -Wno-implicit-int" -DBUILD_SHARED_LIBS=OFF \
        -DHDF5_BUILD_CPP_LIB=OFF -DHDF5_BUILD_HL_LIB=OFF -DHDF5_BUILD_TOOLS=OFF -DHDF5_BUILD_EXAMPLES=OFF -DBUILD_TESTING=OFF \
        -DH5_HAVE_UNISTD_H=OFF -DHDF5_ENABLE_Z_LIB_SUPPORT=ON -DZLIB_USE_EXTERNAL=OFF -DZLIB_INCLUDE_DIR="$folder/include" -DZLIB_LIBRARY="$folder/lib/libz.a"
    cmake --build . -j "$jobs"
    cmake --install .
    describe hdf5 "$(sed -n 's/^#define H5_VERS_INFO *"HDF5 library version: \(.*\)"/\1/p' "$folder/include/H5public.h")" "-lhdf5 -lz"
}

make_compiler
scripts/dev/sources.sh "$folder" "${packages[@]}"
echo "windows_libraries: compiling ${packages[*]} for $target"
export ABUT_WINDOWS_LIBRARIES=$folder WINEPREFIX=$folder/wine WINEDEBUG=-all
for package in "${packages[@]}"; do
    # A subshell of its own, so that any failing command of it ends it.
    (set -e; "build_$package") >"$folder/$package.log" 2>&1 &
    wait $! || {
        tail -n 30 "$folder/$package.log" >&2
        fail "$package could not be compiled; see $folder/$package.log"
    }
done
touch "$folder/complete"
