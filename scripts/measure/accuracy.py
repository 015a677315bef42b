#!/usr/bin/env python3
"""Runs the accuracy tests with all their samples and writes their table into docs/methods/accuracy.md.

Every row of the table is one question with one oracle; test/accuracy/accuracy.h says how samples are counted. The script ends with status 1 if
a sample was wrong, and then leaves the document as it is. With --tests it runs some tests only and exchanges their rows.
"""

import argparse
import concurrent.futures
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time

from document_table import DocumentTable

ROOT = pathlib.Path(__file__).resolve().parents[2]


def parse_arguments(arguments):
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build" / "release", help="build folder with tests (default: build/release)")
    parser.add_argument("--samples", default="full", help='samples of each test: "full" (default) or a percentage')
    parser.add_argument("--tests", type=re.compile, metavar="REGEX", help="only tests whose name contains this; rows of others stay (default: all tests)")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="tests at a time (default: one for each processor)")
    parser.add_argument("--output", type=pathlib.Path, default=ROOT / "docs" / "methods" / "accuracy.md", help="the document with the table")
    return parser.parse_args(arguments)


def tests(options):
    """The commands of the accuracy tests by their names, and the folders in which they run. ctest would stop them at the limit of a normal test run."""
    text = subprocess.run(["ctest", "--test-dir", options.build, "-R", r"^accuracy\.", "--show-only=json-v1"], stdout=subprocess.PIPE, check=True).stdout
    for test in json.loads(text)["tests"]:
        if options.tests is not None and not options.tests.search(test["name"]):
            continue
        if "command" not in test:
            sys.exit(f"accuracy.py: {test['name']} is not built in {options.build}")
        folder = next(p["value"] for p in test["properties"] if p["name"] == "WORKING_DIRECTORY")
        yield test["name"], test["command"], folder


def run_test(name, command, folder, environment):
    begin = time.monotonic()
    done = subprocess.run(command, cwd=folder, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    print(f"{name}: {'passed' if done.returncode == 0 else 'FAILED'}, {time.monotonic() - begin:.0f} s", flush=True)
    if done.returncode != 0:
        print(done.stdout.decode(errors="replace"), flush=True)
    return done.returncode == 0


def run(options, rows):
    environment = {**os.environ, "ABUT_ACCURACY_ROWS": str(rows), "ABUT_TEST_SAMPLES": options.samples}
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        passed = list(pool.map(lambda test: run_test(*test, environment), tests(options)))
    return bool(passed) and all(passed)


def read_rows(path):
    """The rows in order of the question; a test appends each row at once, so tests that run at the same time do not mix them."""
    lines = path.read_text().splitlines() if path.exists() else []
    return sorted((json.loads(line) for line in lines), key=lambda row: row["what"])


def number(x):
    return f"{x:,}" if isinstance(x, int) else "0" if x == 0 else f"{x:.1e}"


def line(row):
    cells = [row["what"], row["oracle"], number(row["samples"]), number(row["wrong"]), row["error"], number(row["limit"]), number(row["worst"])]
    return "| " + " | ".join(cells) + " |"


def old_lines(old):
    """The lines of the table in the document, by their questions."""
    lines = re.findall(r"^\| .* \|$", old, flags=re.MULTILINE)
    return {line.split(" | ")[0][2:]: line for line in lines[1:]}


def table(lines):
    """Lines by their questions, in order of the question."""
    head = ["| question | oracle | samples | wrong | error | limit | worst |", "|---|---|---:|---:|---|---:|---:|"]
    return "\n".join(head + [lines[what] for what in sorted(lines)])


def main(arguments=None):
    options = parse_arguments(arguments)
    place = DocumentTable("accuracy.py", options.output)
    if not place.is_there():
        return 2
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "rows"
        passed = run(options, path)
        rows = read_rows(path)
    if not passed or any(row["wrong"] for row in rows):
        print(f"accuracy.py: a test failed or a sample was wrong: see above; {options.output} was left as it is", file=sys.stderr)
        return 1
    lines = {**(old_lines(place.old()) if options.tests else {}), **{row["what"]: line(row) for row in rows}}
    place.write(table(lines))
    print(f"{options.output}: {len(rows)} rows, {sum(row['samples'] for row in rows):,} samples")
    return 0


if __name__ == "__main__":
    sys.exit(main())
