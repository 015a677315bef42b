"""One and the same world from every build: gcc and clang, without and with optimisation, plain code and vector lanes, one thread and two. Each build
compiles the library's sources anew, as CMake does, and runs test/step/builds/scene.c; all hashes must be equal."""

import os
import platform
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

SOURCE = Path(os.environ["ABUT_TEST_SOURCE_DIR"])
SCRATCH = Path(os.environ["ABUT_TEST_SCRATCH_DIR"])
COMMANDS = Path(os.environ["ABUT_TEST_BUILD_DIR"]) / "compile_commands.json"
FLAGS = ["-std=c17", "-D_POSIX_C_SOURCE=200809L", "-ffp-contract=off", "-fno-math-errno", "-fno-trapping-math"]
GCC = ["-fno-tree-slp-vectorize"]

# name, compiler, what the compiler is given besides: a configuration more is a line more
BUILDS = [
    ("gcc -O0", "gcc", [*GCC, "-O0"]),
    ("gcc -O3, two threads", "gcc", [*GCC, "-O3", "-fopenmp", "-DABUT_WITH_OPENMP"]),
    ("gcc -O2, no vector lanes", "gcc", [*GCC, "-O2", "-DABUT_SCALAR"]),
    ("clang -O0, no vector lanes", "clang", ["-O0", "-DABUT_SCALAR"]),
    ("clang -O3", "clang", ["-O3"]),
]
if platform.machine() in ("x86_64", "AMD64") and "avx2" in (Path("/proc/cpuinfo").read_text() if Path("/proc/cpuinfo").exists() else ""):
    BUILDS.append(("gcc -O3 for this machine", "gcc", [*GCC, "-O3", "-march=native"]))

if COMMANDS.exists() and "-fsanitize" in COMMANDS.read_text():
    print("skipped: a build with sanitizers; the optimised one runs this test")
    sys.exit(77)


def hashes(build):
    name, compiler, flags = build
    program = SCRATCH / name.replace(" ", "_").replace(",", "")
    sources = [str(path) for path in sorted((SOURCE / "src").rglob("*.c"))]
    subprocess.run([compiler, *FLAGS, *flags, f"-I{SOURCE}/include", f"-I{SOURCE}/src", "-DABUT_BUILDING", str(SOURCE / "test/step/builds/scene.c"), *sources,
                    "-o", str(program), "-lm"], check=True)
    found = subprocess.run([str(program)], stdout=subprocess.PIPE, text=True, check=True).stdout.split()
    program.unlink()
    return name, found


present = [build for build in BUILDS if shutil.which(build[1])]
if len(present) < 2:
    print("skipped: neither gcc nor clang")
    sys.exit(77)
with ThreadPoolExecutor(os.cpu_count()) as pool:
    results = list(pool.map(hashes, present))
for name, found in results:
    print(f"{name}: {' '.join(found)}")
different = {value for _, found in results for value in found}
missing = sorted({build[1] for build in BUILDS} - {build[1] for build in present})
if missing:
    print(f"not compared, for they are not installed: {', '.join(missing)}")
sys.exit(f"{len(different)} different worlds" if len(different) != 1 else 0)
