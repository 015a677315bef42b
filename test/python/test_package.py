"""Runs scripts/dev/python.sh: the Python package is built as a wheel, installed into a fresh environment, and its tests, types and examples run there."""

import os
import subprocess
import sys
from pathlib import Path

SOURCE = Path(os.environ["ABUT_TEST_SOURCE_DIR"])
BUILD = Path(os.environ["ABUT_TEST_BUILD_DIR"])
MOST_BYTES = 1_500_000

if "-fsanitize" in (BUILD / "CMakeCache.txt").read_text():
    print("skipped: the package makes a build of its own, which is tested beside another one")
    sys.exit(77)
folder = BUILD / "python"
environment = {**os.environ, "ABUT_COMMAND": str(BUILD / "abut")}
done = subprocess.run([SOURCE / "scripts" / "dev" / "python.sh", folder], check=False, env=environment)
if done.returncode != 0:
    sys.exit(1)
wheel = next((folder / "wheel").glob("abut-*.whl"))
if wheel.stat().st_size > MOST_BYTES:
    print(f"{wheel.name} has {wheel.stat().st_size} bytes: more than {MOST_BYTES}")
    sys.exit(1)
