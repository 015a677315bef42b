"""Runs scripts/dev/check_determinism.sh: a scene gives the same bits with every compiler and at every level of optimisation."""

import os
import subprocess
import sys
from pathlib import Path

SOURCE = Path(os.environ["ABUT_TEST_SOURCE_DIR"])
BUILD = Path(os.environ["ABUT_TEST_BUILD_DIR"])

cache = (BUILD / "CMakeCache.txt").read_text()
if "-fsanitize" in cache:
    print("skipped: it makes builds of its own, and the tests of another build compare them")
    sys.exit(77)
command = [SOURCE / "scripts" / "dev" / "check_determinism.sh", os.environ["ABUT_TEST_SCRATCH_DIR"]]
# This build's own library is the optimised one of gcc, when it is one.
if os.environ["ABUT_TEST_COMPILER"] == "GNU" and "CMAKE_BUILD_TYPE:STRING=Release\n" in cache and "ABUT_SIMD:STRING=auto\n" in cache:
    command.append(BUILD)
sys.exit(subprocess.run(command, check=False).returncode)
