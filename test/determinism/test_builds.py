"""Runs scripts/dev/check_determinism.sh: a scene gives the same bits with every compiler and at every level of optimisation."""

import os
import subprocess
import sys
from pathlib import Path

SOURCE = Path(os.environ["ABUT_TEST_SOURCE_DIR"])

if "-fsanitize" in (Path(os.environ["ABUT_TEST_BUILD_DIR"]) / "CMakeCache.txt").read_text():
    print("skipped: it makes builds of its own, and the tests of another build compare them")
    sys.exit(77)
sys.exit(subprocess.run([SOURCE / "scripts" / "dev" / "check_determinism.sh", os.environ["ABUT_TEST_SCRATCH_DIR"]], check=False).returncode)
