#!/usr/bin/env bash
# Builds a preset, runs all its tests and prints the totals: scripts/dev/test.sh PRESET [CMake options].
set -euo pipefail
cd "$(dirname "$0")/../.."

preset=$1
shift
log=build/$preset/ctest.log

cmake --preset "$preset" -DABUT_REQUIRE_ALL=ON -DABUT_TESTS=ON "$@"
cmake --build --preset "$preset"

status=0
ctest --preset "$preset" --parallel "$(getconf _NPROCESSORS_ONLN)" --output-log "$log" || status=$?

# ctest's own line: "98% tests passed, 1 tests failed out of 57".
totals=$(sed -n 's/^.*% tests passed, \([0-9]*\) tests failed out of \([0-9]*\)$/\1 \2/p' "$log" | tail -n 1)
failed=${totals% *}
ran=${totals#* }
skipped=$(grep -cE '^[[:space:]]*[0-9]+ - .* \(Skipped\)' "$log" || true)
echo
if [ -n "$totals" ]; then
    echo "$preset: $((ran - failed - skipped)) passed, $failed failed, $skipped skipped"
fi
if [ "$status" -ne 0 ]; then
    echo "Everything the tests printed is in $log. One alone: ctest --preset $preset -R NAME"
fi
exit "$status"
