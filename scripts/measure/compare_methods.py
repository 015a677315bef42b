#!/usr/bin/env python3
"""Run scenes with contacts by whole patches and by contact tracking, and print penetration, alignment error and drift of both, side by side."""

import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile

from command import ROOT, Failure, find_command

METHODS = ("patch", "tracking")


def parse_arguments(arguments):
    parser = argparse.ArgumentParser(
        prog="compare_methods.py",
        description='Run each scene twice, with the contact methods "patch" and "tracking" instead of that of the scene, and print a table: '
        "penetration, alignment error (the largest angle between the vertical and a body's nearest face normal), its oscillation, drift, "
        "kinetic energy, "
        'contacts and time. "Over the rest" is the window from --from to --to. The ratio is tracking / patch.',
        epilog="Example: compare_methods.py scenes/box_drop_flat.json scenes/tower_of_ten.json (needs python3-numpy and python3-h5py)",
    )
    parser.add_argument("scenes", nargs="*", type=pathlib.Path, metavar="SCENE.json", help="default: the box drops and the towers of ten")
    parser.add_argument(
        "--from", dest="start", type=float, metavar="SECONDS", help="beginning of the rest (default: the last third of the run)"
    )
    parser.add_argument("--to", dest="end", type=float, metavar="SECONDS", help="end of the rest (default: the end)")
    parser.add_argument("--abut", default=None, metavar="FILE", help="the abut command (default: build/release/abut, else the one in PATH)")
    parser.add_argument(
        "--keep", type=pathlib.Path, metavar="FOLDER", help="keep the recordings there, as NAME_patch.h5 and NAME_tracking.h5"
    )
    parser.add_argument("--json", action="store_true", help="print JSON instead of a table")
    parser.add_argument("--markdown", type=pathlib.Path, metavar="FILE.md", help="write the tables there, too")
    return parser.parse_args(arguments)


def exact_scene(path, folder):
    """The scene with the exact solver, which also solves the tracking baseline, in a file of the folder. What is no scene stays: the command tells why."""
    try:
        scene = json.loads(path.read_text())
        stepper = scene.get("stepper", {})
    except (ValueError, AttributeError):
        return path
    if stepper.get("kind", "fixed") == "fixed":
        scene["stepper"] = {**stepper, "exact": True}
    made, meshes = pathlib.Path(folder, f"{path.stem}_exact.json"), pathlib.Path(folder, "meshes")
    made.write_text(json.dumps(scene))
    if not meshes.exists() and (path.parent / "meshes").exists():
        meshes.symlink_to((path.parent / "meshes").resolve())
    return made


def record(command, path, method, folder):
    """Run a scene with a method; returns the recording's path."""
    result = pathlib.Path(folder, f"{path.stem}_{method}.h5")
    scene = exact_scene(path, folder)
    if sys.stderr.isatty():
        print(f"{path.stem}: {method} ...", file=sys.stderr, flush=True)
    done = subprocess.run(
        [command, "run", str(scene), "--method", method, "--quiet", "-o", str(result)], capture_output=True, text=True, check=False
    )
    if done.returncode != 0:
        raise Failure(f"{path} with {method}: {done.stderr.strip() or f'exit status {done.returncode}'}")
    return result


def measures(path, start, end):
    """[(quantity, unit, value)] of a recording."""
    import numpy as np
    import recording

    run = recording.Recording(path)
    last_time = run.steps["time"][-1]
    start = last_time * 2 / 3 if start is None else start
    end = last_time if end is None else end
    slack = run.dt / 2
    steps = np.flatnonzero((run.steps["time"] >= start - slack) & (run.steps["time"] <= end + slack))
    frames = np.flatnonzero((run.time >= start - slack) & (run.time <= end + slack))
    if len(steps) == 0 or len(frames) == 0:
        raise Failure(f"{path}: nothing was recorded from {start:g} s to {end:g} s")
    first, last = frames[0], frames[-1]
    swing = 0.0
    for body in run.dynamic:
        angle = recording.tilt(run, body)[frames]
        angle = angle[np.isfinite(angle)]
        swing = max(swing, float(np.ptp(angle)) if angle.size else 0.0)
    return [
        ("largest penetration, whole run", "m", float(run.steps["max_penetration"].max())),
        ("largest penetration, over the rest", "m", float(run.steps["max_penetration"][steps].max())),
        ("largest alignment error, over the rest", "rad", float(recording.worst_tilt(run)[frames].max())),
        ("its oscillation, over the rest", "rad", swing),
        ("drift of a body, over the rest", "m", recording.drift(run, first, last)),
        ("drift of a body, whole run", "m", recording.drift(run, 0, last)),
        ("mean kinetic energy, over the rest", "J", float(run.steps["kinetic_energy"][steps].mean())),
        ("mean contacts, over the rest", "", float(run.steps["contacts"][steps].mean())),
        ("mean time per step", "s", float(run.steps["seconds_total"][1:].mean())),
    ]


def print_table(name, rows):
    print(f"{name}\n{'':42}{'patch':>14}{'tracking':>14}{'ratio':>12}")
    for what, unit, patch, tracking in rows:
        ratio = f"{tracking / patch:12.4g}" if patch > 0 else f"{'-':>12}"
        label = f"{what} [{unit}]" if unit else what
        print(f"  {label:42}{patch:12.4g}{tracking:14.4g}{ratio}")
    print()


def write_markdown(path, results):
    """All tables, one file. The time of a step is meaningless here and left out."""
    parts = [
        "# Patches and contact tracking",
        f"Written by `/usr/bin/python3 scripts/measure/compare_methods.py {' '.join(f'scenes/{name}.json' for name in results)} --markdown "
        f"docs/results/{path.name}`; do not edit. The rest is the last third of the run. The ratio is tracking / patch. The method: "
        "[the fixed stepper](../methods/fixed-stepper.md).",
    ]
    for name, found in results.items():
        rows = []
        for what, v in found.items():
            if not what.startswith("mean time"):
                unit, ratio = f" [{v['unit']}]" if v["unit"] else "", f"{v['ratio']:.2g}" if v["ratio"] else ""
                rows.append(f"| {what}{unit} | {v['patch']:.2g} | {v['tracking']:.2g} | {ratio} |")
        parts.append("\n".join([f"## {name}\n", "|  | patch | tracking | ratio |", "| --- | --: | --: | --: |", *rows]))
    path.write_text("\n\n".join(parts) + "\n")


def main(arguments=None):
    options = parse_arguments(arguments)
    scenes = options.scenes or [
        ROOT / "scenes" / f"{name}.json" for name in ("box_drop_flat", "box_drop_tilted", "tower_of_ten", "tower_of_ten_random")
    ]
    results = {}
    try:
        command = find_command(options.abut)
        with tempfile.TemporaryDirectory() as scratch:
            folder = options.keep or pathlib.Path(scratch)
            os.makedirs(folder, exist_ok=True)
            for path in scenes:
                patch, tracking = (measures(record(command, path, method, folder), options.start, options.end) for method in METHODS)
                rows = [(what, unit, a, b) for (what, unit, a), (_, _, b) in zip(patch, tracking)]
                results[path.stem] = {
                    what: {"unit": unit, "patch": a, "tracking": b, "ratio": b / a if a > 0 else None} for what, unit, a, b in rows
                }
                if not options.json:
                    print_table(path.stem, rows)
    except (Failure, OSError) as error:
        print(f"compare_methods.py: {error}", file=sys.stderr)
        return 2
    if options.json:
        print(json.dumps(results, indent=2))
    if options.markdown:
        write_markdown(options.markdown, results)
    return 0


if __name__ == "__main__":
    sys.exit(main())
