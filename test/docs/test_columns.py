"""No line of C is longer than 160 columns. clang-format limits code to 140, but does not wrap comments."""

import os
import sys
from pathlib import Path

MOST = 160
FOLDERS = ("src", "include", "test", "tool", "io", "bench", "examples", "fuzz")


def long_lines(root):
    return [f"{path.relative_to(root)}:{number}: {len(line)} columns"
            for folder in FOLDERS for path in sorted((root / folder).rglob("*.[ch]"))
            for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1) if len(line) > MOST]


def main():
    faults = long_lines(Path(os.environ["ABUT_TEST_SOURCE_DIR"]))
    for fault in faults:
        print(f"longer than {MOST}: {fault}")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
