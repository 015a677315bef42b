#!/usr/bin/env python3
"""Let piles of hulls come to rest with both policies for the normal of overlapping polytopes, and compare penetration, drift, energy and jitter."""

import argparse
import json
import math
import os
import pathlib
import random
import statistics
import subprocess
import sys
import tempfile

from command import ROOT, Failure, find_command

POLICIES = ("growth", "minimum")
BIN = 1.2  # half width of the bin [m]
# Text, key of `measures`, and the decimals that mean something.
ROWS = (
    ("deepest contact, whole run [mm]", "whole", 1e3),
    ("deepest contact at rest [mm]", "deepest", 1e3),
    ("99th percentile of the contacts' penetration at rest [mm]", "p99", 1e3),
    ("largest drift of a body at rest [mm]", "drift", 1e3),
    ("mean kinetic energy at rest [J]", "kinetic", 1),
    ("normals of a pair that turn by more than 1 degree from frame to frame, at rest [%]", "turned", 100),
)


def parse_arguments(arguments):
    parser = argparse.ArgumentParser(
        prog="hull_piles.py",
        description="Drop hulls of many forms (round, flat, long, slabs, wedges, plates; large and small) into a bin, once for each seed and policy, and print "
        "what is measured over the last second, when the piles lie still. Bodies do not sleep, so that contacts that disturb each other show. "
        "The fractured block falls, too, turned a little.",
        epilog="Example: hull_piles.py --seeds 3 (needs python3-numpy and python3-h5py)",
    )
    parser.add_argument("--seeds", type=int, default=20, metavar="N", help="number of piles (default: 20)")
    parser.add_argument("--blocks", type=int, default=6, metavar="N", help="starts of the fractured block (default: 6)")
    parser.add_argument("--bodies", type=int, default=60, metavar="N", help="hulls of a pile (default: 60)")
    parser.add_argument("--duration", type=float, default=6.0, metavar="S", help="simulated seconds of a pile (default: 6)")
    parser.add_argument("--abut", default=None, metavar="FILE", help="the abut command (default: build/release/abut, else the one in PATH)")
    parser.add_argument("--json", action="store_true", help="print JSON instead of tables")
    parser.add_argument("--markdown", type=pathlib.Path, metavar="FILE.md", help="write the tables there, too")
    return parser.parse_args(arguments)


# ---- scenes ----


def direction(rng):
    while True:
        v = [rng.uniform(-1, 1) for _ in range(3)]
        length = math.sqrt(sum(x * x for x in v))
        if 0.1 < length < 1:
            return [x / length for x in v]


def hull(rng):
    """Points of a convex body of a random form, about 0.1 to 0.4 m."""
    size = rng.choice((0.1, 0.15, 0.2, 0.2))
    form = rng.randrange(6)
    if form == 0:  # a box with bevelled edges
        half = [size * rng.uniform(0.5, 1) for _ in range(3)]
        return [[s * (h - (0.1 * size if axis != k else 0)) for axis, (s, h) in enumerate(zip(signs, half))] for k in range(3) for signs in corners()]
    if form == 1:  # a wedge
        x, y, z = size * rng.uniform(0.6, 1), size * rng.uniform(0.3, 1), size * rng.uniform(0.1, 0.5)
        return [[-x, -y, 0], [-x, y, 0], [x, -y, -z], [x, y, -z], [x, -y, z], [x, y, z]]
    if form == 2:  # a plate, slightly irregular
        count, thin = rng.randint(4, 9), size * rng.uniform(0.05, 0.1)
        ring = [(size * rng.uniform(0.8, 1.2), 2 * math.pi * i / count) for i in range(count)]
        return [[r * math.cos(t), r * math.sin(t), z] for r, t in ring for z in (-thin, thin)]
    axes = {3: (1, 1, 1), 4: (1.2, 1.2, 0.35), 5: (1.5, 0.4, 0.4)}[form]
    return [[size * a * x for a, x in zip(axes, direction(rng))] for _ in range(rng.choice((8, 12, 20, 40)))]


def corners():
    return [(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]


def quaternion(rng):
    q = [rng.gauss(0, 1) for _ in range(4)]
    length = math.sqrt(sum(x * x for x in q))
    return {"quaternion": [x / length for x in q]}


def scene_of(bodies, policy, duration):
    wall = [{"name": "floor", "kind": "static", "shape": {"box": {"half": [2 * BIN, 2 * BIN, 0.5]}}, "position": [0, 0, -0.5]}]
    for name, x, y in (("left", -1, 0), ("right", 1, 0), ("front", 0, -1), ("back", 0, 1)):
        half = [0.25 if x else 1.25 + BIN, 0.25 if y else 1.25 + BIN, 3]
        wall.append({"name": name, "kind": "static", "shape": {"box": {"half": half}}, "position": [x * (BIN + 0.25), y * (BIN + 0.25), 3]})
    return {
        "abut_scene": 1,
        "dt": 1 / 120,
        "duration": duration,
        "stepper": {"sleeping": False},
        "contact": {"normal": policy},
        "bodies": wall + bodies,
    }


def pile(seed, count, policy, duration):
    rng = random.Random(seed)
    bodies = []
    for i in range(count):
        layer, place = divmod(i, 9)
        x, y = (place % 3 - 1) * 0.75, (place // 3 - 1) * 0.75
        position = [x + rng.uniform(-0.05, 0.05), y + rng.uniform(-0.05, 0.05), 0.5 + 0.62 * layer]
        bodies.append({"name": f"hull_{i}", "shape": {"hull": {"points": hull(rng)}}, "position": position, "rotation": quaternion(rng)})
    return scene_of(bodies, policy, duration)


def block(seed, policy):
    """The scene of the fractured block with another start."""
    rng = random.Random(seed)
    scene = json.loads((ROOT / "scenes" / "fractured_block.json").read_text())
    scene["contact"], scene["duration"] = {"normal": policy}, 8
    for body in scene["bodies"]:
        if "mesh" in body["shape"]:
            body["shape"]["mesh"]["file"] = str(ROOT / "scenes" / body["shape"]["mesh"]["file"])
        if body["name"] == "block":
            body["position"] = [0.1 + rng.uniform(-0.05, 0.05), rng.uniform(-0.05, 0.05), 1.7]
            body["rotation"] = {"axis": [0, 0, 1], "degrees": rng.uniform(-5, 5)}
    return scene


# ---- measures ----


def turned_share(path, frames):
    """The share of pairs of bodies whose first normal turned by more than a degree between two neighbouring frames in which they touch."""
    import h5py
    import numpy as np

    with h5py.File(path, "r") as file:
        first, count = file["frames/contact_first"][()], file["frames/contact_count"][()]
        a, b, normal, gap = (file[f"contacts/{name}"][()] for name in ("a", "b", "normal", "gap"))
    before, turned, pairs = {}, 0, 0
    for frame in frames:
        now = {}
        for i in range(first[frame], first[frame] + count[frame]):
            key = (a[i], b[i])
            if key not in now or gap[i] < now[key][0]:
                now[key] = (gap[i], normal[i])
        for key, (_, n) in now.items():
            if key in before:
                pairs += 1
                turned += np.dot(n, before[key][1]) < math.cos(math.radians(1))
        before = now
    return turned / max(pairs, 1)


def penetrations(path, frames):
    import h5py
    import numpy as np

    with h5py.File(path, "r") as file:
        first, count = file["frames/contact_first"][()], file["frames/contact_count"][()]
        gap = file["contacts/gap"][()]
    found = np.concatenate([gap[first[f] : first[f] + count[f]] for f in frames])
    return np.maximum(-found, 0)


def measures(path):
    import numpy as np
    import recording

    run = recording.Recording(path)
    frames = np.flatnonzero(run.time >= run.time[-1] - 1)
    steps = run.steps["time"] >= run.steps["time"][-1] - 1
    depth = penetrations(path, frames)
    return {
        "whole": float(run.steps["max_penetration"].max()),
        "deepest": float(depth.max()),
        "p99": float(np.percentile(depth, 99)),
        "drift": recording.drift(run, frames[0], frames[-1]),
        "kinetic": float(run.steps["kinetic_energy"][steps].mean()),
        "turned": turned_share(path, frames),
        "seconds": float(run.steps["seconds_total"][1:].sum()),
    }


def simulate(command, scene, folder):
    path, result = pathlib.Path(folder, "scene.json"), pathlib.Path(folder, "scene.h5")
    path.write_text(json.dumps(scene))
    done = subprocess.run([command, "run", str(path), "--quiet", "--threads", "1", "-o", str(result)], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise Failure(done.stderr.strip() or f"exit status {done.returncode}")
    return measures(result)


def summary(found):
    """{quantity: (median over the seeds, worst)}."""
    return {key: (statistics.median(f[key] for f in found), max(f[key] for f in found)) for key in found[0]}


def digits(x):
    return f"{x:.2g}"


def table(results):
    lines = ["|  | growth, median | growth, worst | minimum, median | minimum, worst |", "| --- | --: | --: | --: | --: |"]
    for text, key, factor in ROWS:
        cells = [digits(factor * results[policy][key][i]) for policy in POLICIES for i in (0, 1)]
        lines.append(f"| {text} | {' | '.join(cells)} |")
    return "\n".join(lines)


def write_markdown(path, results):
    parts = [
        "# Piles of hulls with both normals",
        f"Written by `/usr/bin/python3 scripts/measure/hull_piles.py --markdown docs/results/{path.name}`; do not edit. Each column has the median and the worst of "
        "the piles. Rest is the last second. The method: [contacts](../methods/contacts.md#the-normal-of-two-polytopes).",
    ]
    parts += [f"## {kind}\n\n{table(found)}" for kind, found in results.items()]
    path.write_text("\n\n".join(parts) + "\n")


def main(arguments=None):
    options = parse_arguments(arguments)
    kinds = {
        f"{options.seeds} piles of {options.bodies} hulls": (options.seeds, lambda seed, policy: pile(seed, options.bodies, policy, options.duration)),
        f"The fractured block, {options.blocks} starts": (options.blocks, block),
    }
    results = {}
    try:
        command = find_command(options.abut)
        with tempfile.TemporaryDirectory() as folder:
            for kind, (seeds, make) in kinds.items():
                results[kind] = {p: summary([simulate(command, make(seed, p), folder) for seed in range(seeds)]) for p in POLICIES}
                if not options.json:
                    print(f"{kind}\n\n{table(results[kind])}\n", flush=True)
    except (Failure, OSError) as error:
        print(f"hull_piles.py: {error}", file=sys.stderr)
        return 2
    if options.json:
        print(json.dumps(results, indent=2))
    if options.markdown:
        write_markdown(options.markdown, results)
    return 0


if __name__ == "__main__":
    os.environ.setdefault("PYTHONDONTWRITEBYTECODE", "1")
    sys.exit(main())
