#!/usr/bin/env bash
# Checks that the same scene gives the same bits in every build: scripts/dev/check_determinism.sh [FOLDER to build in]
# Exit status: 1 if two hashes differ, 77 if there is nothing to compare.
set -euo pipefail
cd "$(dirname "$0")/../.."

# ---- The configurations: a name, a compiler, its flags, and options of CMake. Add new ones here.
configurations=(
    "gcc -O0   | gcc   | -O0 |"
    "gcc -O3   | gcc   | -O3 |"
    "clang -O0 | clang | -O0 |"
    "clang -O3 | clang | -O3 |"
    "gcc, no vector lanes | gcc | -O2 | -DABUT_SIMD=scalar"
    "clang, no vector lanes | clang | -O1 | -DABUT_SIMD=scalar"
)

folder=${1:-build/determinism}
mkdir -p "$folder"
generator=()
command -v ninja >/dev/null && generator=(-G Ninja)

trimmed() { sed 's/^ *//; s/ *$//' <<<"$1"; }

# Builds one configuration and writes the output of the program to FOLDER/hashes.
build_and_run() { # folder compiler flags options
    # A build type that CMake does not know adds no flags of its own. Without OpenMP "two threads" would be one.
    # shellcheck disable=SC2086 # the options are several words
    cmake -S test/determinism -B "$1" "${generator[@]}" -DCMAKE_C_COMPILER="$2" -DCMAKE_BUILD_TYPE=Plain -DCMAKE_C_FLAGS="$3" \
        -DABUT_HULL=OFF $4 >"$1.log" 2>&1 &&
        cmake --build "$1" --parallel "$(getconf _NPROCESSORS_ONLN)" >>"$1.log" 2>&1 &&
        "$1/world_hash" >"$1/hashes" 2>>"$1.log"
}

first_name=
first_hash=
compared=0
different=0
for configuration in "${configurations[@]}"; do
    IFS='|' read -r name compiler flags options <<<"$configuration"
    name=$(trimmed "$name") compiler=$(trimmed "$compiler")
    if ! command -v "$compiler" >/dev/null; then
        echo "$name: skipped, $compiler is not installed"
        continue
    fi
    build=$folder/${name//[^[:alnum:]]/_}
    if ! build_and_run "$build" "$compiler" "$(trimmed "$flags")" "$(trimmed "$options")"; then
        tail -n 30 "$build.log" >&2
        echo "$name: could not be built or run; see $build.log" >&2
        exit 1
    fi
    sed "s/^/$name, /" "$build/hashes"
    # All threads and all builds must give the same hash for a step.
    hash=$(sed 's/^.*, \(step .*\)$/\1/' "$build/hashes" | sort -u | tr '\n' ';')
    if [ "$(wc -l <"$build/hashes")" -ne $((3 * $(tr -cd ';' <<<"$hash" | wc -c))) ]; then
        echo "$name: the number of threads changes the result" >&2
        different=1
    fi
    if [ -z "$first_name" ]; then
        first_name=$name
        first_hash=$hash
    elif [ "$hash" != "$first_hash" ]; then
        echo "$name and $first_name differ" >&2
        different=1
    fi
    compared=$((compared + 1))
done
if [ "$different" -ne 0 ]; then
    exit 1
fi
if [ "$compared" -lt 2 ]; then
    echo "skipped: fewer than two builds, nothing to compare"
    exit 77
fi
echo "$compared builds, equal to the last bit"
