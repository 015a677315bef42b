#!/usr/bin/env python3
"""Run two scenes of the event stepper and write its counts, penetration, energy error and processor time as Markdown tables."""

import argparse
import json
import os
import pathlib
import resource
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
SCENES = ("jack", "dice")
# The numbers of D. Baraff, 1990; the paper does not give the others.
PAPER = {
    "steps": ("1,475", "4,162"), "tests": ("5,285", "347,177"), "hits": ("5,243", "345,793"), "misses": ("42", "1,384"), "discontinuities": ("60", "343"),
    "hits of all tests": ("99.21 %", "99.60 %"), "tests a step": ("3.6", "83"), "processor time": ("2.1 min", "78.6 min"),
}
LIMITS = {"depth": 1e-6, "energy": 1e-6, "hits": 0.99, "time": 1.0}
# Settings that the last table changes, one at a time.
CHANGES = (
    ("default settings", {}),
    ("`tolerance` 1e-6", {"tolerance": 1e-6}),
    ("`tolerance` 1e-12", {"tolerance": 1e-12}),
    ("`drift_rate` 0", {"drift_rate": 0}),
    ("`longest_step` 0.5 ms", {"longest_step": 5e-4}),
    ("`longest_step` 0.25 ms", {"longest_step": 2.5e-4}),
    ("`impulses` sequential", {"impulses": "sequential"}),
)
DICE_SECONDS = 2.5  # of the last table: most events are in this time


def parse_arguments(arguments):
    parser = argparse.ArgumentParser(
        prog="event_figures.py",
        description="Run scenes/jack.json and scenes/dice.json with the event stepper and with other settings of it, and write docs/results/event.md. Counts are the "
        "same on every machine; processor times are medians.",
        epilog="Example: event_figures.py --rounds 3 (needs python3-numpy and python3-h5py; a round takes about a minute)",
    )
    built = ROOT / "build" / "release" / "abut"
    parser.add_argument("--abut", type=pathlib.Path, default=built, metavar="ABUT", help="the command (default: build/release/abut)")
    parser.add_argument("--rounds", type=int, default=1, metavar="N", help="runs of which a processor time is the median (default: 1)")
    parser.add_argument("--scale", type=float, default=1.0, metavar="S", help="share of the simulated time, for a quick look (default: 1)")
    parser.add_argument("-o", "--output", type=pathlib.Path, default=ROOT / "docs" / "results" / "event.md", metavar="FILE.md", help="default: docs/results/event.md")
    return parser.parse_args(arguments)


def run(options, scene, folder):
    """A recording of the scene, and the median processor time [s]."""
    import recording

    path, result = folder / "scene.json", folder / "run.h5"
    path.write_text(json.dumps(scene))
    (folder / "meshes").exists() or (folder / "meshes").symlink_to(ROOT / "scenes" / "meshes")
    times = []
    for _ in range(options.rounds):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run([options.abut, "run", path, "--quiet", "--no-record"], check=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        times.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    subprocess.run([options.abut, "run", path, "--quiet", "-o", result], check=True)
    return recording.Recording(result), sorted(times)[len(times) // 2]


def counts(run):
    names = "steps rejected evaluations tests hits repeats misses discontinuities impulses".split()
    return {name: int(run.steps[f"event_{name}"].sum()) for name in names}


def measures(run, seconds, smallest):
    """Depth relative to the smallest body's size, energy change a second in steps without impacts relative to the total, hits of all tests, time over time."""
    import numpy as np

    steps = run.steps
    energy = steps["kinetic_energy"] + steps["potential_energy"] + steps["spring_energy"]
    free = steps["event_impulses"][1:] == 0
    window = min(len(free), round(1 / run.dt))
    change = np.convolve(np.abs(np.where(free, np.diff(energy), 0)), np.ones(window), "valid")
    done = counts(run)
    return {
        "depth": float(steps["max_penetration"].max()) / smallest,
        "energy": float(change.max()) / float(energy[0]),
        "hits": done["hits"] / max(done["tests"], 1),
        "time": seconds / float(run.time[-1]),
    }


def table(head, rows):
    lines = [head, ["---"] + ["--:"] * (len(head) - 1), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def first_table(found):
    rows = []

    def add(label, key, values):
        paper = PAPER.get(key, ("", ""))
        rows.append([label, *(cell for pair in zip(paper, values) for cell in pair)])

    done = [counts(r) for r, _, _ in found]
    labels = {"steps": "integration steps", "rejected": "rejected steps", "evaluations": "evaluations of the accelerations", "tests": "tests of pairs",
              "repeats": "repeats: searches that found the contact of before", "misses": "misses: other searches"}
    add("simulated time [s]", None, [f"{r.time[-1]:.3g}" for r, _, _ in found])
    for name in done[0]:
        add(labels.get(name, name), name, [f"{d[name]:,}" for d in done])
    add("hits of all tests", "hits of all tests", [f"{100 * d['hits'] / max(d['tests'], 1):.2f} %" for d in done])
    add("tests of pairs a step", "tests a step", [f"{d['tests'] / d['steps']:.3g}" for d in done])
    add("deepest penetration [m]", None, [f"{r.steps['max_penetration'].max():.1e}" for r, _, _ in found])
    add("processor time [s]", "processor time", [f"{seconds:.2g}" for _, seconds, _ in found])
    return table(["", *(head for name in SCENES for head in (f"{name}, Baraff 1990", f"{name}, abut"))], rows)


def goal_table(found):
    values = [measures(*one) for one in found]

    def row(label, key, text, passed):
        return [label, text(LIMITS[key]), *(text(v[key]) for v in values), "pass" if all(passed(v[key], LIMITS[key]) for v in values) else "miss"]

    def at_most(a, b):
        return a <= b

    return table(
        ["", "goal", *SCENES, ""],
        [
            row("deepest penetration at the ends of steps, relative to the smallest body's size", "depth", lambda x: f"{x:.0e}", at_most),
            row("change of energy in steps without impacts, relative to the total, added up over a second", "energy", lambda x: f"{x:.0e}", at_most),
            row("hits of all tests", "hits", lambda x: f"{100 * x:.2f} %", lambda a, b: a >= b),
            row("processor time for a simulated second [s]", "time", lambda x: f"{x:.2g}", at_most),
        ],
    )


def changed_table(options, scenes, folder):
    rows = []
    for label, change in CHANGES:
        cells = [label]
        for name in SCENES:
            scene = json.loads(json.dumps(scenes[name]))
            scene["stepper"].update(change)
            if name == "dice":
                scene["duration"] = min(scene["duration"], DICE_SECONDS * options.scale)
            found, seconds = run(options, scene, folder)
            done = counts(found)
            cells += [f"{done[key]:,}" for key in ("steps", "tests", "misses")] + [f"{seconds / found.time[-1]:.2g}"]
        rows.append(cells)
    return table(["", *(f"{name}: {what}" for name in SCENES for what in ("steps", "tests", "misses", "time over simulated time"))], rows)


def main(arguments=None):
    options = parse_arguments(arguments)
    if not os.access(options.abut, os.X_OK):
        print(f"event_figures.py: there is no command {options.abut}: build it first, or name it with --abut", file=sys.stderr)
        return 2
    sys.path.append(str(ROOT / "scripts" / "make"))
    import scenes as made

    sizes = {"jack": 2 * made.JACK["tip"], "dice": 2 * made.DICE["half"]}
    scenes = {name: json.loads((ROOT / "scenes" / f"{name}.json").read_text()) for name in SCENES}
    for scene in scenes.values():
        scene["duration"] *= options.scale
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        found = [(*run(options, scenes[scene], folder), sizes[scene]) for scene in SCENES]
        parts = [first_table(found), "## Goals", goal_table(found), "## Other settings", changed_table(options, scenes, folder)]
    options.output.write_text(
        "# Results of the event stepper\n\nWritten by `/usr/bin/python3 scripts/measure/event_figures.py`; do not edit. "
        f"Processor times are medians of {options.rounds} {'run' if options.rounds == 1 else 'runs'}. "
        "The method: [benchmarks](../methods/benchmarks.md#event).\n\n" + "\n\n".join(parts) + "\n"
    )
    print(f"{options.output}: written")
    return 0


if __name__ == "__main__":
    sys.exit(main())
