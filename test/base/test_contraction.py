"""The library contains no fused multiply-add, even for processors that have it, because results must not depend on the processor. Every source is compiled as
in the build, with FMA instructions allowed, and its instructions are searched."""

import json
import os
import platform
import re
import shlex
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

SOURCE = Path(os.environ["ABUT_TEST_SOURCE_DIR"]) / "src"
COMMANDS = Path(os.environ["ABUT_TEST_BUILD_DIR"]) / "compile_commands.json"

if platform.machine() not in ("x86_64", "AMD64"):
    print("skipped: knows the instructions of x86-64 only")
    sys.exit(77)
if not COMMANDS.exists():
    print("skipped: configured without CMAKE_EXPORT_COMPILE_COMMANDS (the presets set it)")
    sys.exit(77)

FUSED = re.compile(r"\bvf(?:n?m(?:add|sub)|maddsub|msubadd)\w*")


def fused_in(flags, source, folder):
    command = [*flags, "-mfma", "-S", "-o", "-"]
    assembly = subprocess.run(command, cwd=folder, stdout=subprocess.PIPE, text=True, check=True).stdout
    return source, sorted(set(FUSED.findall(assembly)))


jobs = []
for entry in json.loads(COMMANDS.read_text()):
    if SOURCE in Path(entry["file"]).parents:
        words = shlex.split(entry["command"])
        at = words.index("-o")
        flags = [word for word in words[:at] + words[at + 2:] if word != "-c"]
        jobs.append((flags, entry["file"], entry["directory"]))
if len(jobs) < 10:
    sys.exit(f"only {len(jobs)} sources found: this test reads {COMMANDS} wrongly")
if any("-fsanitize" in word for word in jobs[0][0]):
    print("skipped: a build with sanitizers, whose instructions nobody ships")
    sys.exit(77)

# With contraction allowed, the search must find such instructions.
probe = [jobs[0][0][0], "-O2", "-mfma", "-ffp-contract=fast", "-x", "c", "-", "-S", "-o", "-"]
sample = subprocess.run(probe, input="double f(double a, double b, double c) { return a * b + c; }", stdout=subprocess.PIPE, text=True, check=True).stdout
if not FUSED.search(sample):
    sys.exit("no fused instruction found where there must be one")

with ThreadPoolExecutor(os.cpu_count()) as pool:
    found = [(source, names) for source, names in pool.map(lambda job: fused_in(*job), jobs) if names]
for source, names in found:
    print(f"{Path(source).relative_to(SOURCE)}: {', '.join(names)}")
if found:
    sys.exit("fused multiply-adds")
print(f"{len(jobs)} sources without a fused multiply-add")
