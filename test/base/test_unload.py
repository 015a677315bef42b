"""A program may load the shared library, run parallel loops, and unload it: its threads end before its code is gone."""

import os
import re
import subprocess
import sys
from pathlib import Path

BUILD = Path(os.environ["ABUT_TEST_BUILD_DIR"])

LOAD = """
import _ctypes, ctypes, sys, time
TASK = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_int32, ctypes.c_int32)

class Parallel(ctypes.Structure):
    _fields_ = [("threads", ctypes.c_int32), ("run", ctypes.c_void_p), ("context", ctypes.c_void_p)]

for load in range(5):
    library = ctypes.CDLL(sys.argv[1])
    seen = []
    task = TASK(lambda argument, begin, end: seen.extend(range(begin, end)))
    parallel = Parallel(4, None, None)
    for loop in range(20):
        seen.clear()
        library.abut_parallel_for(ctypes.byref(parallel), 100, 1, task, None)
        assert sorted(seen) == list(range(100)), seen
    handle = library._handle
    del library
    _ctypes.dlclose(handle)
    assert "libabut" not in open("/proc/self/maps").read()
    time.sleep(0.01)
print("loaded and unloaded")
"""

library = next((path for path in (BUILD / "libabut.so",) if path.exists()), None)
flags = re.search(r"^CMAKE_C_FLAGS:[A-Z]+=(.*)$", (BUILD / "CMakeCache.txt").read_text(), re.MULTILINE)
if library is None or not Path("/proc/self/maps").exists() or "sanitize" in flags[1]:
    print("skipped: needs a shared library without sanitizers, and Linux")
    sys.exit(77)
done = subprocess.run([sys.executable, "-c", LOAD, library], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=300)
print(done.stdout)
sys.exit(done.returncode != 0 or "loaded and unloaded" not in done.stdout)
