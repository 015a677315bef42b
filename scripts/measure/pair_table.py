#!/usr/bin/env python3
"""Asks a build which query answers which pair of kinds of shapes, and writes the tables into docs/methods/queries.md.

The program build/release/test/pair_table asks the library with one shape of every kind, overlapping, touching and apart, and prints the tables. The script ends
with status 1 if an answer was wrong, and then leaves the document as it is.
"""

import argparse
import pathlib
import subprocess
import sys

from document_table import DocumentTable

ROOT = pathlib.Path(__file__).resolve().parents[2]


def parse_arguments(arguments):
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--program", type=pathlib.Path, default=ROOT / "build" / "release" / "test" / "pair_table", help="default: build/release/test/pair_table")
    parser.add_argument("--output", type=pathlib.Path, default=ROOT / "docs" / "methods" / "queries.md", help="the document with the tables")
    return parser.parse_args(arguments)


def main(arguments=None):
    options = parse_arguments(arguments)
    place = DocumentTable("pair_table.py", options.output)
    if not place.is_there():
        return 2
    if not options.program.exists():
        print(f"pair_table.py: {options.program} is missing: build it with cmake --build build/release --target pair_table", file=sys.stderr)
        return 2
    asked = subprocess.run([str(options.program)], stdout=subprocess.PIPE, text=True, check=False)
    if asked.returncode != 0:
        print(f"pair_table.py: an answer was wrong: see above; {options.output} was left as it is", file=sys.stderr)
        return 1
    place.write(asked.stdout.strip())
    return 0


if __name__ == "__main__":
    sys.exit(main())
