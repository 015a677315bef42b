#!/usr/bin/env bash
# Searches for inputs that break a promise of the library: scripts/dev/fuzz.sh [SECONDS [TARGET...]]; 300 seconds for each target of fuzz/.
# Findings are in build/fuzz/findings. The corpus is in build/fuzz/corpus; the next run continues from it.
set -euo pipefail
cd "$(dirname "$0")/../.."

seconds=${1:-300}
shift $(($# > 0 ? 1 : 0))
targets=("$@")
[ ${#targets[@]} -gt 0 ] || targets=(collide query trimesh depth world scene mesh tetfile pairsfile)

build=build/fuzz
cmake --preset fuzz -DABUT_REQUIRE_ALL=ON
cmake --build --preset fuzz
mkdir -p $build/findings

# The keys of the scene format, as entries of a dictionary: "\"gravity\"".
grep -o '"[a-z_]\+"' docs/formats/scene.schema.json | sort -u | sed 's/"\(.*\)"/"\\"\1\\""/' >$build/scene.dict

status=0
for target in "${targets[@]}"; do
    options=(-max_len=4096)
    case $target in
        collide | query | trimesh | depth) options=(-max_len=512) ;;
        world) options=(-max_len=1024) ;;
        scene) options+=(-dict=$build/scene.dict) ;;
        mesh) options+=(-dict=fuzz/mesh.dict) ;;
        tetfile) options+=(-dict=fuzz/tetfile.dict) ;;
    esac
    mkdir -p "$build/corpus/$target"
    echo "fuzz: $target, for $seconds s"
    # One second is too long for an input; the limit is ten because the machine may be busy.
    if ! "$build/fuzz/fuzz_$target" "${options[@]}" -max_total_time="$seconds" -timeout=10 -report_slow_units=1 -print_final_stats=1 \
        -artifact_prefix="$build/findings/$target-" "$build/corpus/$target" "fuzz/corpus/$target" >"$build/$target.log" 2>&1; then
        status=1
        tail -n 40 "$build/$target.log"
    fi
    sed -n 's/^stat::number_of_executed_units: */fuzz: inputs tried: /p' "$build/$target.log"
done

if [ "$status" -ne 0 ]; then
    echo "fuzz: something was found. FUZZ_DESCRIBE=1 $build/fuzz/fuzz_TARGET FILE prints the meaning of the input."
fi
exit "$status"
