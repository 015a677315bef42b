#!/usr/bin/env python3
"""How dense a packing of balls in a recording is: its porosity in the inner region, and how many others a ball there touches."""

import argparse
import json
import pathlib
import sys


def parse_arguments(arguments):
    parser = argparse.ArgumentParser(
        prog="packing_figures.py",
        description="Porosity, packing fraction and coordination number of the balls of a recording of `abut run`, in an inner region that "
        "walls and surface do not reach: what the balls span, less a margin, and along periodic axes the whole length. "
        "The height that they span is that below which 95 % of their tops are. Porosity is the share of the points of a fine grid that are "
        "in no ball.",
        epilog="Example: abut run scenes/sphere_packing.json -e 100 && packing_figures.py sphere_packing.h5 (needs python3-numpy, python3-h5py)",
    )
    parser.add_argument("recording", type=pathlib.Path, metavar="RUN.h5")
    parser.add_argument("--frame", type=int, default=-1, metavar="N", help="which frame, from 0; negative ones count from the end (default: -1)")
    parser.add_argument("--margin", type=float, default=2.0, metavar="D", help="left out at each side, in mean diameters (default: 2)")
    parser.add_argument("--points", type=int, default=20, metavar="N", help="points of the grid across a mean diameter (default: 20)")
    parser.add_argument("--json", action="store_true", help="print JSON")
    return parser.parse_args(arguments)


def balls(run, frame):
    """(bodies, centres, radii) of the dynamic balls that are there."""
    found = [(body, parts[0][1]) for body in run.dynamic if run.present[frame, body] and len(parts := run.round_parts(body)) == 1]
    bodies = [body for body, _ in found]
    return bodies, run.pose[frame, bodies, :3].copy(), [radius for _, radius in found]


def inner_region(centres, radii, periodic, margin, np):
    """(lower, upper)"""
    lower, upper = (centres - radii[:, None]).min(axis=0), (centres + radii[:, None]).max(axis=0)
    upper[2] = np.quantile(centres[:, 2] + radii, 0.95)
    lower, upper = lower + margin, upper - margin
    for axis, span in periodic.items():
        lower[axis], upper[axis] = span
    return lower, upper


def with_images(centres, radii, periodic, np):
    """The balls, and their images that reach into the space that is repeated."""
    points, sizes = centres, radii
    for axis, (start, end) in periodic.items():
        points = points.copy()
        points[:, axis] = start + np.mod(points[:, axis] - start, end - start)
        shift = np.zeros(3)
        shift[axis] = end - start
        low, high = points[:, axis] - sizes < start, points[:, axis] + sizes > end
        points, sizes = np.concatenate([points, points[low] + shift, points[high] - shift]), np.concatenate([sizes, sizes[low], sizes[high]])
    return points, sizes


def solid_share(centres, radii, lower, upper, spacing, np):
    """Share of the points of a grid over the region that lie in a ball."""
    counts = np.maximum(1, np.round((upper - lower) / spacing)).astype(int)
    axes = [lower[k] + (np.arange(counts[k]) + 0.5) * (upper[k] - lower[k]) / counts[k] for k in range(3)]
    solid = np.zeros(counts, dtype=bool)
    for centre, radius in zip(centres, radii):
        ranges = [slice(*np.searchsorted(axes[k], (centre[k] - radius, centre[k] + radius))) for k in range(3)]
        x, y, z = (axes[k][ranges[k]] - centre[k] for k in range(3))
        solid[tuple(ranges)] |= x[:, None, None] ** 2 + y[:, None] ** 2 + z**2 <= radius**2
    return float(solid.mean())


def measure(run, contacts, options, np):
    bodies, centres, radii = balls(run, options.frame)
    if not bodies:
        raise ValueError("it has no balls")
    radii = np.array(radii)
    spans = run.scene.get("stepper", {}).get("periodic", {})
    periodic = {"xyz".index(axis): span for axis, span in spans.items()}
    diameter = 2 * radii.mean()
    lower, upper = inner_region(centres, radii, periodic, options.margin * diameter, np)
    if not (lower < upper).all():
        raise ValueError("the margin leaves nothing of what the balls span; choose a smaller one")
    points, sizes = with_images(centres, radii, periodic, np)
    share = solid_share(points, sizes, lower, upper, diameter / options.points, np)
    wrapped = points[: len(centres)]
    inside = ((wrapped >= lower) & (wrapped <= upper)).all(axis=1)
    pairs = np.unique(np.stack([contacts["a"], contacts["b"]], axis=1), axis=0)
    touches = np.bincount(pairs.ravel(), minlength=len(run.names))[bodies]
    return {
        "time": float(run.time[options.frame]),
        "lower": lower.tolist(),
        "upper": upper.tolist(),
        "balls": int(inside.sum()),
        "porosity": 1 - share,
        "packing_fraction": share,
        "coordination_number": float(touches[inside].mean()) if inside.any() else 0.0,
        "residual": float(run.steps["dem_residual"][np.searchsorted(run.steps["time"], run.time[options.frame])]),
    }


def main(arguments=None):
    options = parse_arguments(arguments)
    import recording

    try:
        run = recording.Recording(options.recording)
        figures = measure(run, recording.contacts(options.recording, options.frame), options, recording.np)
    except (OSError, KeyError, IndexError, ValueError) as error:
        print(f"packing_figures.py: {options.recording}: {error}", file=sys.stderr)
        return 2
    if options.json:
        print(json.dumps(figures))
        return 0
    print(run.title)
    for name, text in (
        ("time", f"{figures['time']:g} s, residual {figures['residual']:.3g}"),
        ("inner region", " to ".join("(" + ", ".join(f"{x:.4g}" for x in figures[end]) + ")" for end in ("lower", "upper"))),
        ("balls in it", f"{figures['balls']}"),
        ("porosity", f"{figures['porosity']:.4f}"),
        ("packing fraction", f"{figures['packing_fraction']:.4f}"),
        ("coordination number", f"{figures['coordination_number']:.3f}"),
    ):
        print(f"  {name:22} {text}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
