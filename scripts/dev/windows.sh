#!/usr/bin/env bash
# Builds the library, the command and the examples for Windows (x86-64, gnu) on Linux, inspects them, and tests the command in wine beside the native one of
# build/release: scripts/dev/windows.sh. build/windows then has abut.exe, which needs no other file, and libabut.dll. build/windows/report.txt says what was seen.
# Only changed parts are built again. docs/use/windows.md has what was seen so far.
set -euo pipefail
cd "$(dirname "$0")/../.."

jobs=${JOBS:-$(getconf _NPROCESSORS_ONLN)}
python=/usr/bin/python3
[ -x "$python" ] || python=python3

JOBS=$jobs scripts/dev/windows_libraries.sh
cmake --preset windows
cmake --build --preset windows -j "$jobs"
# The first example again, with the shared library beside it.
build/windows-libraries/bin/cc -O2 -DABUT_SHARED -Iinclude examples/first_contact.c build/windows/libabut.dll.a -o build/windows/shared_example.exe
build/windows-libraries/tools/bin/python scripts/measure/windows.py build/windows/{abut,shared_example}.exe build/windows/libabut.dll build/windows/examples/*.exe |
    tee build/windows/report.txt

scratch=build/windows/scratch
mkdir -p "$scratch"
status=0
ABUT_TEST_SOURCE_DIR=$PWD ABUT_TEST_BUILD_DIR=$PWD/build/release ABUT_TEST_SCRATCH_DIR=$PWD/$scratch ABUT_TEST_COMMAND=$PWD/build/release/abut \
    PYTHONDONTWRITEBYTECODE=1 "$python" test/tool/test_windows.py || status=$?
case $status in
    0) echo "abut.exe: tests passed in $(WINEDEBUG=-all wine --version)" | tee -a build/windows/report.txt ;;
    77) echo "abut.exe: tests skipped" | tee -a build/windows/report.txt ;;
    *) echo "abut.exe: tests FAILED in $(WINEDEBUG=-all wine --version)" | tee -a build/windows/report.txt ;;
esac
[ "$status" -eq 0 ]
