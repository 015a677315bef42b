"""Includes run one way: tool -> io -> step -> {narrow, solve, broad} -> shape -> geom -> base. The library's rooms include no third-party header but those named
here, and nobody outside the library includes what is inside it."""

import os
import re
import sys
from pathlib import Path

SOURCE = Path(os.environ["ABUT_TEST_SOURCE_DIR"])
INCLUDE = re.compile(r'^\s*#\s*include\s+(["<])([^">]+)[">]', re.MULTILINE)

MAY_INCLUDE = {
    "base": {"base"},
    "geom": {"geom", "base"},
    "shape": {"shape", "geom", "base"},
    "tetra": {"tetra", "geom", "base"},
    "broad": {"broad", "shape", "geom", "base"},
    "narrow": {"narrow", "shape", "geom", "base"},
    "solve": {"solve", "shape", "geom", "base"},
    "step": {"step", "narrow", "solve", "broad", "shape", "geom", "base"},
    "io": {"io"},
    "tool": {"tool", "io"},
    "examples": set(),
}
STANDARD = {f"{name}.h" for name in "assert ctype errno fenv float inttypes limits locale math setjmp signal stdalign stdarg stdatomic stdbool stddef stdint stdio "
            "stdlib string tgmath threads time wchar".split()}
THIRD_PARTY = {"base": {"omp.h", "emmintrin.h", "immintrin.h"}, "geom": {"immintrin.h"}, "tetra": {"immintrin.h"}, "shape": {"libqhull_r/"}, "step": set()}

wrong = []
files = 0
for room, allowed in MAY_INCLUDE.items():
    folder = SOURCE / "src" / room if (SOURCE / "src" / room).is_dir() else SOURCE / room
    for path in sorted(folder.rglob("*.[ch]")):
        files += 1
        for quote, name in INCLUDE.findall(path.read_text()):
            if quote == "<":
                known = name.startswith("abut/") or name in STANDARD or any(name.startswith(other) for other in THIRD_PARTY.get(room, ()))
                if folder.parent.name == "src" and not known:
                    wrong.append(f"{path.relative_to(SOURCE)} includes <{name}>")
                continue
            # Written from the room, "narrow/mesh/ball.h". A header of the tool is named without its room.
            other = name.split("/")[0] if "/" in name else room
            full = folder.parent / name if "/" in name else folder / name
            if other not in allowed or not full.exists():
                wrong.append(f'{path.relative_to(SOURCE)} includes "{name}"')
print("\n".join(wrong))
if files < 50:
    sys.exit(f"only {files} files found")
sys.exit("includes against the stream" if wrong else 0)
