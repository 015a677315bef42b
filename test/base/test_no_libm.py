"""The library calls no function of libm with results that depend on the C library. A sine differs between glibc and musl, and so would the bits of a world
(src/base/elementary.h). The library's tables equal the output of scripts/make/elementary_tables.py."""

import os
import re
import subprocess
import sys
from pathlib import Path

SOURCE = Path(os.environ["ABUT_TEST_SOURCE_DIR"])
BUILD = Path(os.environ["ABUT_TEST_BUILD_DIR"])

# The allowed functions are exact: sqrt, fabs, floor, ceil, trunc, round, copysign, frexp, ldexp, ilogb, fmod. fmin and fmax differ in the signs of zeros.
NAMES = """sin cos tan asin acos atan atan2 sinh cosh tanh asinh acosh atanh sincos exp exp2 exp10 expm1 log log2 log10 log1p pow cbrt hypot erf erfc
tgamma lgamma gamma fma rint nearbyint remainder remquo fmin fmax fdim j0 j1 jn y0 y1 yn""".split()
FORBIDDEN = {name + suffix for name in NAMES for suffix in ("", "f", "l")}

made = subprocess.run([sys.executable, SOURCE / "scripts" / "make" / "elementary_tables.py"], stdout=subprocess.PIPE, text=True, check=True).stdout
if made != (SOURCE / "src" / "base" / "elementary_tables.h").read_text():
    sys.exit("src/base/elementary_tables.h is not what scripts/make/elementary_tables.py writes")

# In the sources, independent of machine and compiler.
CALL = re.compile(r"(?<![\w.>])(" + "|".join(sorted(FORBIDDEN)) + r")\s*\(")
STRIPPED = re.compile(r"/\*.*?\*/|//[^\n]*|\"(?:\\.|[^\"\\])*\"", re.DOTALL)
sources = sorted([*SOURCE.glob("src/**/*.[ch]"), *SOURCE.glob("include/abut/*.h")])
if len(sources) < 100:
    sys.exit(f"only {len(sources)} sources found")
if not CALL.search(" x = sin(y);") or CALL.search("elementary_sin(y) + w.exp(z)"):
    sys.exit("the search for calls finds the wrong ones")


def calls(path, call):
    text = STRIPPED.sub(lambda match: re.sub(r"[^\n]", " ", match.group()), path.read_text())
    return [f"{path.relative_to(SOURCE)}:{text.count(chr(10), 0, match.start()) + 1}: {match.group(1)}" for match in call.finditer(text)]


found = [line for path in sources for line in calls(path, CALL)]
# Angles of the surfaces that recordings and exports draw (io/surface/turn.h).
ANGLE = re.compile(r"(?<![\w.>])(a?(?:sin|cos|tan)2?f?)\s*\(")
drawing = sorted(SOURCE.glob("io/**/*.[ch]"))
if len(drawing) < 50 or not ANGLE.search("x = wide * cos(y)") or ANGLE.search("elementary_cos(y) + turn.cos(z)"):
    sys.exit("the search for angles finds the wrong ones")
found += [line for path in drawing for line in calls(path, ANGLE)]
if found:
    sys.exit("calls into libm:\n" + "\n".join(found))

# In the objects, for calls that the compiler adds.
library = BUILD / "libabut.a"
symbols = set()
if library.exists():
    lines = subprocess.run(["nm", "-u", library], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, check=True).stdout.splitlines()
    symbols = {words[1].split("@")[0] for words in map(str.split, lines) if len(words) == 2 and words[0] == "U"}
    if "memcpy" not in symbols and "memset" not in symbols:
        sys.exit(f"this test reads the symbols of {library} wrongly")
if symbols & FORBIDDEN:
    sys.exit(f"symbols of libm in {library.name}: {', '.join(sorted(symbols & FORBIDDEN))}")
print(f"{len(sources)} sources{' and ' + library.name if library.exists() else ''} without a call into libm that would not be the same everywhere")
