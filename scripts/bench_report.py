#!/usr/bin/env python3
"""Write what a benchmark measured into docs/benchmarks.md: its JSON as Markdown tables, between the two markers that name it."""

import argparse
import json
import math
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent


class Failure(Exception):
    """One line that says what went wrong."""


def parse_arguments(arguments):
    parser = argparse.ArgumentParser(
        prog="bench_report.py",
        description="Write the JSON of bench_narrow into the document as tables. What stood between the markers <!-- narrow: begin --> and "
        "<!-- narrow: end --> goes; the rest of the document stays.",
        epilog="Example: build/release/bench/bench_narrow --json narrow.json && python3 scripts/bench_report.py narrow.json",
    )
    parser.add_argument("results", type=pathlib.Path, metavar="FILE.json", help="what the benchmark wrote")
    parser.add_argument(
        "-o", "--document", type=pathlib.Path, default=ROOT / "docs" / "benchmarks.md", metavar="FILE.md", help="default: docs/benchmarks.md"
    )
    return parser.parse_args(arguments)


def microseconds(nanoseconds):
    """Three digits that count."""
    value = nanoseconds / 1000.0
    return f"{value:.{max(0, 2 - math.floor(math.log10(value)))}f}" if value > 0.0 else "0"


def table(head, rows):
    """Markdown; all columns but the first are numbers, set to the right."""
    lines = [head, ["---"] + ["--:"] * (len(head) - 1), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def conditions(run):
    core = f"bound to core {run['core']}" if run["core"] >= 0 else "not bound to a core"
    peers = ", ".join(run["peers"]) or "no other library"
    quick = " **A quick run, whose figures say little.**" if run["quick"] else ""
    return (
        f"abut {run['version']}, {run['compiler']}, on {run['processor']}, {core}; {peers}; seed {run['seed']}, medians of {run['rounds']} rounds.{quick}"
    )


def goals(run):
    rows = []
    for goal in run["goals"]:
        verdict = "pass" if goal["pass"] else "miss" if goal["right"] else "miss (not all answers are right)"
        default = f"{goal['default_ratio']:.2f}" if "default_ratio" in goal else ""
        rows.append([goal["goal"], f"{goal['ratio']:.2f}", f"{goal['limit']:g}", default, goal["reference"], verdict])
    return table(["goal", "ratio", "at most", "default normal", "against", ""], rows)


def figures(measured):
    pairs, steps = measured["pairs"], measured["steps"]
    asked = f"{pairs} pairs, {steps} steps" if steps > 1 else f"{pairs} pairs"
    rows = [
        [
            engine["engine"],
            microseconds(engine["ns"]),
            f"{microseconds(engine['p10'])} to {microseconds(engine['p90'])}",
            f"{engine['points']:.2f}",
            *(str(engine[kind]) for kind in ("missed", "wrong", "false")),
            f"{engine['worst_error']:.1g}",
        ]
        for engine in measured["engines"]
    ]
    head = [f"{measured['set']} ({asked})", "µs", "80 % of rounds", "points", "missed", "wrong", "false", "worst error"]
    return table(head, rows)


def narrow(run):
    parts = [conditions(run)]
    if run["goals"]:
        parts += ["### Goals", goals(run)]
    shapes = None
    for measured in run["sets"]:
        if measured["shapes"] != shapes:
            shapes = measured["shapes"]
            parts.append(f"### {shapes[0].upper()}{shapes[1:]}")
        parts.append(figures(measured))
    return "\n\n".join(parts)


REPORTS = {"narrow": narrow}


def insert(document, name, text):
    """The document with the text between its markers for the benchmark of this name."""
    pattern = re.compile(rf"(<!-- {name}: begin -->\n).*?(<!-- {name}: end -->)", re.DOTALL)
    changed, count = pattern.subn(lambda found: f"{found[1]}\n{text}\n\n{found[2]}", document)
    if count != 1:
        raise Failure(f"the document must have the markers <!-- {name}: begin --> and <!-- {name}: end --> once, it has them {count} times")
    return changed


def main(arguments):
    options = parse_arguments(arguments)
    try:
        run = json.loads(options.results.read_text())
        name = run.get("benchmark")
        if name not in REPORTS:
            raise Failure(f"{options.results}: benchmark {name!r}; known: {', '.join(REPORTS)}")
        options.document.write_text(insert(options.document.read_text(), name, REPORTS[name](run)))
    except (OSError, ValueError, Failure) as error:
        print(f"bench_report.py: {error}", file=sys.stderr)
        return 1
    print(f"{options.document}: figures of {name} written")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
