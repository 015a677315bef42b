"""Public inline functions only copy and negate. A compiler may fuse a product and a sum with the caller's flags, so a function that rounds would give other
bits in the caller than in the library. Such a function belongs in the library, or in math_inline.h, which callers must ask for (ABUT_INLINE_MATH)."""

import os
import re
import sys
from pathlib import Path

HEADERS = Path(os.environ["ABUT_TEST_SOURCE_DIR"]) / "include" / "abut"

STRIPPED = re.compile(r"/\*.*?\*/|//[^\n]*|\"(?:\\.|[^\"\\\n])*\"|^[ \t]*#(?:\\\n|[^\n])*", re.DOTALL | re.MULTILINE)
# All arithmetic but a minus sign that has no left operand: "return -x" and "(-x", but not "a - b", "a[0] -1", "f() - 1". An arrow is no minus sign.
ARITHMETIC = re.compile(r"[+*/%]|(?<!\breturn)(?<=[\w)\].])\s*-(?!>)")
CALL = re.compile(r"\b(?!(?:return|if|sizeof)\b)([A-Za-z_]\w*)\s*\(")


def definitions(text):
    """Name and body of each function that a header defines."""
    text = STRIPPED.sub("", text)
    found = []
    end = 0
    while start := re.compile(r"\)\s*\{").search(text, end):
        head = re.split(r"[;{}]", text[end:start.end() - 1])[-1]
        depth, end = 1, start.end()
        while depth > 0:
            depth += {"{": 1, "}": -1}.get(text[end], 0)
            end += 1
        found.append((CALL.search(head).group(1), text[start.end():end - 1]))
    return found


def rounding(body, exact):
    """What a body has beside copies, signs, and calls of exact functions."""
    return [match.group().strip() for match in ARITHMETIC.finditer(body)] + [name for name in CALL.findall(body) if name not in exact]


# The search finds what it must, and nothing else.
for body in ("return a - b;", "return a.x*b;", "x += 1.0;", "return f(a) -b;", "return v[0] - 1;", "return 1. - a;", "return sqrt(x);"):
    if not rounding(body, {"f"}):
        sys.exit(f"the search does not find '{body}'")
for body in ("return -a.x;", "return f(-a.x, - p->y);", "t v = {-1, {a, -b}}; return v;"):
    if rounding(body, {"f"}):
        sys.exit(f"the search finds {rounding(body, {'f'})} in '{body}'")

inline = {path.name: definitions(path.read_text()) for path in sorted(HEADERS.glob("*.h"))}
rounds = inline.pop("math_inline.h", [])
exact = {name for functions in inline.values() for name, _ in functions}
found = [f"{header}: {name}() has {', '.join(what)}"
         for header, functions in inline.items() for name, body in functions if (what := rounding(body, exact))]
if found:
    sys.exit("public inline functions that may round:\n" + "\n".join(found))
missed = [name for name, body in rounds if not rounding(body, exact)]
if len(rounds) < 20 or missed:
    sys.exit(f"math_inline.h has {len(rounds)} functions, and nothing is found in these: {missed}")
if len(exact) < 5:
    sys.exit(f"only {len(exact)} inline functions found: this test reads the headers wrongly")
print(f"{len(exact)} public inline functions only copy and negate; {len(rounds)} of math_inline.h round")
