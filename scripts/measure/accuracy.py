#!/usr/bin/env python3
"""Runs the accuracy tests with all their samples and writes their table into docs/methods/accuracy.md.

Every row of the table is one question with one oracle; test/accuracy/accuracy.h says how samples are counted. The script ends with status 1 if
a sample was wrong, and then leaves the document as it is.
"""

import argparse
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
BEGIN = "<!-- table: written by scripts/measure/accuracy.py; do not edit -->"
END = "<!-- end of the table -->"


def parse_arguments(arguments):
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build" / "release", help="build folder with tests (default: build/release)")
    parser.add_argument("--samples", default="full", help='samples of each test: "full" (default) or a percentage')
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="tests at a time (default: one for each processor)")
    parser.add_argument("--output", type=pathlib.Path, default=ROOT / "docs" / "methods" / "accuracy.md", help="the document with the table")
    return parser.parse_args(arguments)


def run(options, rows):
    environment = {**os.environ, "ABUT_ACCURACY_ROWS": str(rows), "ABUT_TEST_SAMPLES": options.samples}
    command = ["ctest", "--test-dir", str(options.build), "-R", r"^accuracy\.", "--parallel", str(options.jobs), "--timeout", "36000", "--progress"]
    return subprocess.run([*command, "--no-tests=error", "--output-on-failure"], env=environment, check=False).returncode


def read_rows(path):
    """The rows in order of the question; a test appends each row at once, so tests that run at the same time do not mix them."""
    lines = path.read_text().splitlines() if path.exists() else []
    return sorted((json.loads(line) for line in lines), key=lambda row: row["what"])


def number(x):
    return f"{x:,}" if isinstance(x, int) else "0" if x == 0 else f"{x:.1e}"


def table(rows):
    lines = ["| question | oracle | samples | wrong | error | limit | worst |", "|---|---|---:|---:|---|---:|---:|"]
    for row in rows:
        cells = [row["what"], row["oracle"], number(row["samples"]), number(row["wrong"]), row["error"], number(row["limit"]), number(row["worst"])]
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines)


def main(arguments=None):
    options = parse_arguments(arguments)
    text = options.output.read_text()
    if text.count(BEGIN) != 1 or text.count(END) != 1:
        print(f"accuracy.py: {options.output} has no place for the table: it needs the lines {BEGIN!r} and {END!r}", file=sys.stderr)
        return 2
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "rows"
        status = run(options, path)
        rows = read_rows(path)
    if status != 0 or any(row["wrong"] for row in rows):
        print(f"accuracy.py: a test failed or a sample was wrong: see above; {options.output} was left as it is", file=sys.stderr)
        return 1
    text = re.sub(re.escape(BEGIN) + ".*?" + re.escape(END), lambda _: f"{BEGIN}\n\n{table(rows)}\n\n{END}", text, flags=re.DOTALL)
    options.output.write_text(text)
    print(f"{options.output}: {len(rows)} rows, {sum(row['samples'] for row in rows):,} samples")
    return 0


if __name__ == "__main__":
    sys.exit(main())
