"""Doxygen makes the reference manual of the public headers without warnings, and the manual describes every public function."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

SOURCE = Path(os.environ["ABUT_TEST_SOURCE_DIR"])
SCRATCH = Path(os.environ["ABUT_TEST_SCRATCH_DIR"])

doxygen = shutil.which("doxygen")
if doxygen is None:
    print("skipped: doxygen is not installed (Debian: doxygen)")
    sys.exit(77)

settings = (SOURCE / "docs" / "Doxyfile").read_text() + f"\nOUTPUT_DIRECTORY = {SCRATCH}\nGENERATE_XML = YES\n"
done = subprocess.run([doxygen, "-"], input=settings, cwd=SOURCE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
print(done.stdout)
if done.returncode != 0 or "warning:" in done.stdout or "error:" in done.stdout:
    sys.exit(f"doxygen ended with {done.returncode}")

manual = "".join(path.read_text() for path in (SCRATCH / "xml").glob("*_8h.xml"))
documented = set(re.findall(r"<name>(abut_\w+)</name>", manual))
public = set()
for header in (SOURCE / "include" / "abut").glob("*.h"):
    public |= set(re.findall(r"ABUT_API [^;(]*?\b(abut_\w+)\(", header.read_text()))
if len(public) < 20:
    sys.exit(f"only {len(public)} public functions found in the headers: this test reads them wrongly")
if public - documented:
    sys.exit(f"not in the manual: {', '.join(sorted(public - documented))}")
print(f"{len(public)} public functions, all in the manual")
