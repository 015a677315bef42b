#!/usr/bin/env bash
# Checks that a scene has the same state to the last bit in every build, and with every caller.
# Usage: scripts/dev/check_determinism.sh [FOLDER to build in [FOLDER of a finished build with gcc, for release]]
# The library of the finished build is compared instead of one that would be compiled again with the same compiler, level and lanes.
# The exit status is 1 when two hashes differ, and 77 when fewer than two builds could be made.
set -euo pipefail
cd "$(dirname "$0")/../.."

# ---- Callers: flags with which only the program is compiled, and not the library that it is linked with. Each set lets the compiler fuse products and sums.
machine=$(uname -m)
level=
[ "$machine" != x86_64 ] || level=-march=x86-64-v3
callers="-O3 $level -ffp-contract=fast; -O3 $level -ffast-math"

# ---- Configurations: a name, a compiler, its flags, options of CMake, flags of callers, and the emulator that runs the programs. Add new ones here.
# The first four have both levels of optimisation with both compilers, and both kinds of vector lanes with each compiler and each level.
# The program for AArch64 is a caller that fuses: the flag reaches the library, too, which overrides it.
configurations=(
    "gcc -O3 | gcc | -O3 | | $callers |"
    "gcc -O0, no vector lanes | gcc | -O0 | -DABUT_SIMD=scalar | |"
    "clang -O0 | clang | -O0 | | |"
    "clang -O3, no vector lanes | clang | -O3 | -DABUT_SIMD=scalar | $callers |"
)
if [ "$machine" = x86_64 ]; then
    configurations+=("gcc -O2 for AArch64 | aarch64-linux-gnu-gcc | -O2 -ffp-contract=fast |
        -DCMAKE_SYSTEM_NAME=Linux -DCMAKE_SYSTEM_PROCESSOR=aarch64 | | qemu-aarch64 -L /usr/aarch64-linux-gnu")
else
    echo "gcc -O2 for AArch64, emulated: skipped, made on x86-64 only"
fi

folder=${1:-build/determinism}
finished=${2:-}
if [ "$finished" ]; then
    configurations[0]="gcc -O3, the build for release | gcc | -O3 | -DFINISHED_BUILD=$finished | $callers |"
fi
mkdir -p "$folder"
generator=()
command -v ninja >/dev/null && generator=(-G Ninja)

trimmed() { sed 's/^ *//; s/ *$//' <<<"$1"; }

# Whether programs that are compiled so can be linked and run here. The processor may lack what the flags allow the compiler to use.
# shellcheck disable=SC2086 # flags and emulator are several words
can_run() { # compiler flags emulator
    cat >"$folder/probe.c" <<'END'
#include <math.h>
int main(int argc, char **argv) {
    (void)argv;
#if defined(__x86_64__) && defined(__AVX2__)
    if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma") || !__builtin_cpu_supports("bmi2")) return 1;
#endif
    return sqrt(argc) != 1.0;
}
END
    "$1" $2 "$folder/probe.c" -o "$folder/probe" -lm >"$folder/probe.log" 2>&1 && $3 "$folder/probe" >>"$folder/probe.log" 2>&1
}

# shellcheck disable=SC2086 # the options are several words
build() { # folder compiler flags options callers
    # CMake adds no flags of its own for a build type that it does not know.
    cmake -S test/determinism -B "$1" "${generator[@]}" -DCMAKE_C_COMPILER="$2" -DCMAKE_BUILD_TYPE=Plain -DCMAKE_C_FLAGS="$3" \
        -DABUT_HULL=OFF -DCALLERS="$5" $4 >"$1.log" 2>&1 &&
        cmake --build "$1" --parallel "$(getconf _NPROCESSORS_ONLN)" >>"$1.log" 2>&1
}

first_name=
first_states=
compared=0
different=0
# Runs a program, prints its lines, and compares them with each other and with those of the first program.
run_and_compare() { # name, command and arguments
    local name=$1 lines states
    shift
    if ! lines=$("$@") || [ -z "$lines" ]; then
        echo "$name: the program failed" >&2
        exit 1
    fi
    while read -r line; do echo "$name, $line"; done <<<"$lines"
    states=$(sed 's/^.*, \(step .*\)$/\1/' <<<"$lines" | sort -u)
    if [ "$(cut -d : -f 1 <<<"$states" | uniq -d)" ]; then
        echo "$name: the number of threads changes the result" >&2
        different=1
    fi
    if [ -z "$first_name" ]; then
        first_name=$name
        first_states=$states
    elif [ "$states" != "$first_states" ]; then
        echo "$name and $first_name differ" >&2
        different=1
    fi
    compared=$((compared + 1))
}

for configuration in "${configurations[@]}"; do
    # Line breaks in a configuration are spaces.
    IFS='|' read -r name compiler flags options callers emulator <<<"$(tr '\n' ' ' <<<"$configuration")"
    name=$(trimmed "$name") compiler=$(trimmed "$compiler") flags=$(trimmed "$flags") emulator=$(trimmed "$emulator")
    if ! command -v "$compiler" >/dev/null; then
        echo "$name: skipped, $compiler is not installed"
        continue
    fi
    if [ "$emulator" ] && ! can_run "$compiler" "$flags" "$emulator"; then
        echo "$name: skipped, '$emulator' cannot run its programs here (Debian: qemu-user, libc6-dev-arm64-cross)"
        continue
    fi
    IFS=';' read -r -a all_callers <<<"$(trimmed "$callers")"
    usable=()
    for caller in "${all_callers[@]}"; do
        caller=$(trimmed "$caller")
        if can_run "$compiler" "$caller" ""; then
            usable+=("$caller")
        else
            echo "$name, caller $caller: skipped, such programs cannot be built and run here"
        fi
    done

    begin=$SECONDS
    folder_of_build=$folder/${name//[^[:alnum:]]/_}
    if ! build "$folder_of_build" "$compiler" "$flags" "$(trimmed "$options")" "$(IFS=';' && echo "${usable[*]}")"; then
        tail -n 30 "$folder_of_build.log" >&2
        echo "$name: could not be built; see $folder_of_build.log" >&2
        exit 1
    fi
    built=$SECONDS
    if [ "$emulator" ]; then
        # Emulation is slow, and says nothing about threads.
        # shellcheck disable=SC2086 # the emulator's options are words
        run_and_compare "$name" $emulator "$folder_of_build/world_hash" --one-thread
    else
        run_and_compare "$name" "$folder_of_build/world_hash"
    fi
    for i in "${!usable[@]}"; do
        run_and_compare "$name, caller ${usable[$i]}" "$folder_of_build/world_hash_$((i + 1))" --one-thread
    done
    echo "$name: built in $((built - begin)) s, run in $((SECONDS - built)) s"
done
if [ "$different" -ne 0 ]; then
    exit 1
fi
if [ "$compared" -lt 2 ]; then
    echo "skipped: fewer than two programs, nothing to compare"
    exit 77
fi
echo "$compared programs, equal to the last bit"
