#!/usr/bin/env bash
# Builds a preset, runs all its tests and says how it went: scripts/test.sh PRESET [CMake options].
set -euo pipefail
cd "$(dirname "$0")/.."

preset=$1
shift
log=build/$preset/ctest.log

cmake --preset "$preset" -DABUT_REQUIRE_ALL=ON "$@"
cmake --build --preset "$preset"

status=0
ctest --preset "$preset" --parallel "$(getconf _NPROCESSORS_ONLN)" --output-log "$log" || status=$?

ran=$(sed -n 's/^.*tests failed out of \([0-9]*\)$/\1/p' "$log")
skipped=$(grep -c '^ *[0-9]* - .* (Skipped)' "$log" || true)
failed=$(grep -cE '^ *[0-9]+ - .* \((Failed|Timeout|Not Run|SEGFAULT|Child aborted|Subprocess aborted|.*Exception.*)\)' "$log" || true)
echo
if [ "$status" -eq 0 ]; then
    echo "$preset: all ${ran:-0} tests passed$([ "$skipped" -eq 0 ] || echo ", $skipped of them skipped (named above)")."
else
    echo "$preset: $failed of ${ran:-?} tests failed (named above). One alone: ctest --preset $preset -R NAME"
    echo "Everything they printed is in $log"
fi
exit "$status"
