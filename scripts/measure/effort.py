#!/usr/bin/env python3
"""Measures the dial of the fixed stepper and writes its table into docs/methods/fixed-stepper.md.

bench_world runs columns, a pyramid, a wall and a pile with the quick solver at several efforts and with the exact solver. Times are medians on one thread;
measure them on a machine with little other work. All other numbers are the same on every machine.
"""

import argparse
import json
import pathlib
import subprocess
import sys
import tempfile

from document_table import DocumentTable

ROOT = pathlib.Path(__file__).resolve().parents[2]
SCENES = {"columns": "columns of ten", "pyramid": "pyramid", "wall": "wall", "boxes": "pile"}
EFFORTS = (1, 2, 4, 8, 16, 32)


def parse_arguments(arguments):
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--bench", type=pathlib.Path, default=ROOT / "build" / "release" / "bench" / "bench_world", help="default: build/release/bench/bench_world")
    parser.add_argument("--bodies", type=int, default=1000, metavar="N", help="bodies of a scene (default: 1000)")
    parser.add_argument("--steps", type=int, default=300, metavar="N", help="steps of 1/60 s (default: 300)")
    parser.add_argument("--output", type=pathlib.Path, default=ROOT / "docs" / "methods" / "fixed-stepper.md", help="the document with the table")
    return parser.parse_args(arguments)


def measure(options, solver, effort):
    """Rows of the benchmark by scene."""
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "world.json"
        command = [options.bench, "--alone", "--rows", "--solver", solver, "--scenes", ",".join(SCENES), "--sizes", options.bodies, "--threads", 1,
                   "--steps", options.steps, "--json", path, *(["--substeps", effort] if effort else [])]
        subprocess.run([str(word) for word in command], stderr=subprocess.DEVNULL, check=True)
        return {row["scene"]: row for row in json.loads(path.read_text())["results"]}


def number(x):
    """Two digits, without an exponent where it is short."""
    return "0" if x == 0 else f"{x:.1e}".replace("e-0", "e-") if x < 1e-3 else f"{x:,.0f}" if x >= 100 else f"{x:.2g}"


def cells(row):
    """Time [ms], penetration [mm], drift [mm], energy [J/kg]."""
    pair = lambda p, q: f"{number(1e3 * row[p])} / {number(1e3 * row[q])}"
    return [number(row["ms"]["median"]), pair("deep_m", "deepest_m"), pair("drift_m", "farthest_m"), number(row["kinetic_j_per_kg"])]


def table(measured, bodies, steps):
    """measured: [(name, rows by scene)]"""
    lines = [f"{bodies:,} bodies, {steps} steps of 1/60 s, one thread.", ""]
    lines += ["| scene | effort | time of a step [ms] | penetration, 99 % / largest [mm] | drift, median / largest [mm] | kinetic energy [J/kg] |",
              "|---|---|--:|--:|--:|--:|"]
    for scene, title in SCENES.items():
        lines += [f"| {title} | " + " | ".join([name, *cells(rows[scene])]) + " |" for name, rows in measured]
    return "\n".join(lines)


def main(arguments=None):
    options = parse_arguments(arguments)
    place = DocumentTable("effort.py", options.output)
    if not place.is_there():
        return 2
    if not options.bench.exists():
        print(f"effort.py: no {options.bench}: `make bench` builds it", file=sys.stderr)
        return 2
    measured = []
    for name, solver, effort in [*((str(e), "quick", e) for e in EFFORTS), ("`exact`", "exact", None)]:
        measured.append((name, measure(options, solver, effort)))
        print(f"effort {name}: measured", flush=True)
    place.write(table(measured, options.bodies, options.steps))
    print(f"{options.output}: {len(measured)} efforts")
    return 0


if __name__ == "__main__":
    sys.exit(main())
