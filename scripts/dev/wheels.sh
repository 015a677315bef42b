#!/usr/bin/env bash
# Builds wheels of the Python package for several systems on one Linux machine, with the compiler of the package ziglang of PyPI:
#     scripts/dev/wheels.sh [TARGET...]      default: linux-x86_64 linux-aarch64 macos-arm64 windows-x86_64
# The wheels are in build/wheels/dist, what was seen of them is in build/wheels/report.txt. They need Python 3.12 or newer; PYTHON (python3.12) names that of
# this machine. Linux x86-64, which comes first, because the others take its stubs: its tests run in a fresh environment. The others are linked, and inspected:
# format, processor, exports, what they need. qhull comes from the source package of the system's distribution (scripts/dev/sources.sh). An unfinished build
# goes on where it stopped. docs/use/python.md has what was seen so far.
set -euo pipefail
cd "$(dirname "$0")/../.."
root=$PWD
targets=("$@")
[ $# -gt 0 ] || targets=(linux-x86_64 linux-aarch64 macos-arm64 windows-x86_64)
python=${PYTHON:-python3.12}
folder=$root/build/wheels
tools=$folder/tools
jobs=${JOBS:-$(getconf _NPROCESSORS_ONLN)}
mkdir -p "$folder/dist" "$folder/bin"

# Words of a target: those of zig, of CMake for the system and the processor, and of the wheel.
words_of() {
    case $1 in
        linux-x86_64) echo x86_64-linux-gnu.2.28 Linux x86_64 manylinux_2_28_x86_64 _core.abi3.so ;;
        linux-aarch64) echo aarch64-linux-gnu.2.28 Linux aarch64 manylinux_2_28_aarch64 _core.abi3.so ;;
        macos-arm64) echo aarch64-macos.13.0 Darwin arm64 macosx_13_0_arm64 _core.abi3.so ;;
        windows-x86_64) echo x86_64-windows-gnu Windows AMD64 win_amd64 _core.pyd ;;
        *)
            echo "wheels: unknown target $1" >&2
            exit 2
            ;;
    esac
}

# ---- the compiler, CMake and what reads binaries, in an environment of their own
if ! [ -e "$tools/complete" ]; then
    "$python" -m venv "$tools"
    "$tools/bin/python" -m pip --disable-pip-version-check --quiet install "ziglang>=0.13" "nanobind>=2.7" "cmake>=3.25" ninja "lief>=0.15" "zopflipy>=1.8"
    touch "$tools/complete"
fi
zig=$("$tools/bin/python" -c 'import os, ziglang; print(os.path.join(os.path.dirname(ziglang.__file__), "zig"))')
headers=$("$tools/bin/python" -c 'import sysconfig; print(sysconfig.get_paths()["include"])')
scripts/dev/sources.sh "$folder" qhull
sources=$folder/sources/qhull/src/libqhull_r

program() { # name, words: a program of one word, as CMake wants it
    printf '#!/bin/sh\nexec %s "$@"\n' "$2" >"$folder/bin/$1"
    chmod +x "$folder/bin/$1"
}

# nanobind names the symbols of Python in a file for the linker, which zig's does not read; there they may all be left open. That linker makes no bundles either,
# and Python loads libraries just as well.
linker_of_macos() { # name, words
    cat >"$folder/bin/$1" <<PROGRAM
#!/bin/sh
for word do
    shift
    case \$word in
        -bundle) set -- "\$@" -dynamiclib ;;
        -Wl,@*) set -- "\$@" -Wl,-undefined,dynamic_lookup ;;
        *) set -- "\$@" "\$word" ;;
    esac
done
exec $2 "\$@"
PROGRAM
    chmod +x "$folder/bin/$1"
}

# qhull has the flags of the project's own code, so that it gives the same results everywhere, and is made small.
build_qhull() { # target
    local into=$folder/$1/qhull
    if [ -e "$into/lib/libqhull_r.a" ]; then
        return
    fi
    mkdir -p "$into/objects" "$into/lib" "$into/include/libqhull_r"
    cp "$sources"/*.h "$into/include/libqhull_r/"
    find "$sources" -maxdepth 1 -name '*_r.c' -exec basename {} .c ';' |
        xargs -P "$jobs" -I{} "$folder/bin/$1-cc" -Os -DNDEBUG -fPIC -ffp-contract=off \
            -fno-unwind-tables -fno-asynchronous-unwind-tables -ffunction-sections -fdata-sections -w -c "$sources/{}.c" -o "$into/objects/{}.o"
    "$folder/bin/$1-ar" rcs "$into/lib/libqhull_r.a" "$into"/objects/*.o
}

# Windows has another configuration of Python's headers, and an import library. Both are made here for the stable interface: nanobind has a list of its names.
windows_python() {
    local into=$folder/windows-python
    rm -rf "$into"
    mkdir -p "$into/include"
    cp -r "$headers/." "$into/include"
    cat >"$into/include/pyconfig.h" <<'HEADER'
#define MS_WINDOWS 1
#define MS_WIN32 1
#define MS_WIN64 1
#define NT_THREADS 1
#define Py_ENABLE_SHARED 1
#define HAVE_DECLSPEC_DLL 1
#define HAVE_SSIZE_T 1
#define HAVE_STDINT_H 1
#define HAVE_STDARG_PROTOTYPES 1
#define SIZEOF_SHORT 2
#define SIZEOF_INT 4
#define SIZEOF_LONG 4
#define SIZEOF_LONG_LONG 8
#define SIZEOF_VOID_P 8
#define SIZEOF_SIZE_T 8
#define SIZEOF_TIME_T 8
#define SIZEOF_WCHAR_T 2
#define SIZEOF_FLOAT 4
#define SIZEOF_DOUBLE 8
#define ALIGNOF_LONG 4
#define ALIGNOF_SIZE_T 8
#define WITH_THREAD 1
HEADER
    {
        printf 'LIBRARY python3.dll\nEXPORTS\n'
sed -n 's/^-U _\(_\{0,1\}Py.*\)$/    \1/p' "$("$tools/bin/python" -m nanobind --cmake_dir)/darwin-ld-cpython.sym"
    } >"$into/python3.def"
    "$zig" dlltool -m i386:x86-64 -d "$into/python3.def" -l "$into/python3.lib"
    cp "$into/python3.lib" "$into/python312.lib" # CMake reads the version from its name
    : >"$into/python3.dll"                       # and looks for these, too; nothing reads them
    : >"$into/python312.dll"
    echo "-DPython_INCLUDE_DIR=$into/include -DPython_SABI_LIBRARY=$into/python3.lib -DPython_LIBRARY=$into/python312.lib"
}

build() { # target: the module, in FOLDER/TARGET
    local target=$1 triple system processor tag module further=""
    read -r triple system processor tag module < <(words_of "$target")
    program "$target-cc" "$zig cc -target $triple"
    program "$target-c++" "$zig c++ -target $triple"
    case $target in
        macos-*) linker_of_macos "$target-c++" "$zig c++ -target $triple" ;;
    esac
    program "$target-ar" "$zig ar"
    program "$target-ranlib" "$zig ranlib"
    build_qhull "$target"
    case $target in
        windows-*) further=$(windows_python) ;;
        *) further="-DPython_INCLUDE_DIR=$headers" ;;
    esac
    if [ "$target" = linux-x86_64 ]; then
        system=""
    fi
    # shellcheck disable=SC2086
    "$tools/bin/cmake" -S python -B "$folder/$target/build" -G Ninja -DCMAKE_MAKE_PROGRAM="$tools/bin/ninja" -DCMAKE_BUILD_TYPE=Release \
        ${system:+-DCMAKE_SYSTEM_NAME=$system -DCMAKE_SYSTEM_PROCESSOR=$processor} -DCMAKE_OSX_SYSROOT= -DCMAKE_POSITION_INDEPENDENT_CODE=ON \
        -DCMAKE_C_COMPILER="$folder/bin/$target-cc" -DCMAKE_CXX_COMPILER="$folder/bin/$target-c++" \
        -DCMAKE_AR="$folder/bin/$target-ar" -DCMAKE_RANLIB="$folder/bin/$target-ranlib" \
        -DPython_EXECUTABLE="$tools/bin/python" -DSKBUILD_SABI_COMPONENT=Development.SABIModule \
        -Dnanobind_DIR="$("$tools/bin/python" -m nanobind --cmake_dir)" \
        -DQhullReentrant_INCLUDE_DIR="$folder/$target/qhull/include" -DQhullReentrant_LIBRARY="$folder/$target/qhull/lib/libqhull_r.a" $further
    "$tools/bin/cmake" --build "$folder/$target/build" --target _core -j "$jobs" || return 1
    find "$folder/$target/build" -maxdepth 1 -type f '(' -name '_core*.so' -o -name '_core*.pyd' -o -name '_core*.dll' ')' \
        -exec cp {} "$folder/$target/$module" ';'
}

status=0
: >"$folder/report.txt"
for target in "${targets[@]}"; do
    read -r _ _ _ tag module < <(words_of "$target")
    mkdir -p "$folder/$target"
    echo "== $target"
    if ! build "$target" >"$folder/$target/log" 2>&1 || ! [ -e "$folder/$target/$module" ]; then
        tail -n 20 "$folder/$target/log" >&2
        echo "$target: not built; see $folder/$target/log" | tee -a "$folder/report.txt"
        status=1
        continue
    fi
    if [ "$target" = linux-x86_64 ]; then # which runs here, so that the stubs are made of it
        (cd "$folder/$target" && "$tools/bin/python" -m nanobind.stubgen -q -m _core -o "$folder/_core.pyi")
    fi
    "$tools/bin/python" scripts/measure/wheel.py pack "$root/python" "$folder/$target/$module" "$folder/_core.pyi" "$tag" "$folder/dist" |
        tee -a "$folder/report.txt"
done

# ---- the tests of the wheel that this machine can run
wheel=$(ls "$folder"/dist/abut-*manylinux*_x86_64.whl 2>/dev/null || true)
if [ -n "$wheel" ] && [ "$(uname -m)" = x86_64 ]; then
    for version in ${TEST_PYTHONS:-$python}; do
        fresh=$(mktemp -d)
        "$version" -m venv "$fresh/environment"
        "$fresh/environment/bin/python" -m pip --disable-pip-version-check --quiet install "$wheel[scene]" pytest
        cp -r python/tests python/examples python/pyproject.toml "$fresh"
        if (cd "$fresh" && environment/bin/python -m pytest -p no:cacheprovider); then
            echo "$(basename "$wheel"): tests passed with $("$version" --version)" | tee -a "$folder/report.txt"
        else
            echo "$(basename "$wheel"): tests FAILED with $("$version" --version)" | tee -a "$folder/report.txt"
            status=1
        fi
        rm -rf "$fresh"
    done
fi
exit $status
