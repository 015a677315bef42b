#!/usr/bin/env python3
"""Measure a packing in a recording: porosity, coordination number, and force chains."""

import argparse
import json
import math
import pathlib
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "draw"))


def parse_arguments(arguments):
    parser = argparse.ArgumentParser(
        prog="packing_figures.py",
        description="Porosity, packing fraction, coordination number and contact forces of the dynamic bodies of a recording of `abut run`, in an inner "
        "region away from walls and surface. The region is the extent of the bodies less a margin, and along periodic axes the whole length. "
        "95 % of the bodies' tops are below its full height. Porosity is the share of the points of a grid that are "
        "in no body. With 20 points across a diameter the error of the grid is some 0.002 for one body and far less for many. A body of rounded triangles "
        "counts as its polyhedron, as for its mass. Its bulges make it larger, a ball of 320 triangles by 3.5 %. If the recording "
        "has the radii, the porosity with bulges is printed too; it assumes that bulges do not overlap other bodies. "
        "A force is the sum of all contacts of a pair of bodies, normal and friction. Chains are the pairs whose forces are above the mean.",
        epilog="Example: abut run scenes/sphere_packing.json -e 100 && packing_figures.py sphere_packing.h5 --draw chains.svg "
        "(needs python3-numpy, python3-h5py)",
    )
    parser.add_argument("recording", type=pathlib.Path, metavar="RUN.h5")
    parser.add_argument("--frame", type=int, default=-1, metavar="N", help="index of the frame, from 0; negative ones count from the end (default: -1)")
    parser.add_argument("--margin", type=float, default=2.0, metavar="D", help="margin at each side, in mean diameters (default: 2)")
    parser.add_argument("--points", type=int, default=20, metavar="N", help="points of the grid across a mean diameter (default: 20)")
    parser.add_argument("--draw", type=pathlib.Path, metavar="OUT.svg", help="draw the force chains of a slice, seen along y")
    parser.add_argument("--slice", type=float, default=2.0, metavar="D", help="thickness of the slice, about the middle, in mean diameters (default: 2)")
    parser.add_argument("--json", action="store_true", help="print JSON")
    return parser.parse_args(arguments)


# ---- bodies ----


class Ball:
    """A ball or a capsule at its pose: all points within the radius of a segment."""

    def __init__(self, start, end, radius, np):
        self.start, self.end, self.radius, self.np = start, end, radius, np
        self.lower, self.upper = np.minimum(start, end) - radius, np.maximum(start, end) + radius
        self.volume = math.pi * radius**2 * (4 / 3 * radius + float(np.linalg.norm(end - start)))

    def moved(self, shift):
        return Ball(self.start + shift, self.end + shift, self.radius, self.np)

    def fill(self, axes, solid):
        np, way = self.np, self.end - self.start
        x, y, z = np.meshgrid(*axes, indexing="ij", sparse=True)
        from_start = [x - self.start[0], y - self.start[1], z - self.start[2]]
        length = float(way @ way)
        along = np.clip(sum(p * w for p, w in zip(from_start, way)) / length, 0, 1) if length > 0 else 0.0
        solid |= sum((p - along * w) ** 2 for p, w in zip(from_start, way)) <= self.radius**2

    def outline(self):
        """In the plane of x and z: (centre, radius) or points."""
        return (self.start[[0, 2]], self.radius) if (self.start == self.end).all() else self.np.array([self.start, self.end])[:, [0, 2]]


def bulges(triangles, radii, np):
    """The volume between triangles [n, 3, 3] and the spheres of these radii through their corners. Its height over the point x is
    (r^2 - (x - c)^2) / (2 R), c and r the corners' circle; the mean of (x - c)^2 is (3 r^2 + 9 (g - c)^2) / 12, g the triangle's middle."""
    a, b, c = np.moveaxis(triangles, 1, 0)
    u, v = b - a, c - a
    normal = np.cross(u, v)
    square = (normal**2).sum(axis=1)
    to_centre = np.cross((u * u).sum(axis=1)[:, None] * v - (v * v).sum(axis=1)[:, None] * u, normal) / (2 * square[:, None])
    away = (((u + v) / 3 - to_centre) ** 2).sum(axis=1)
    return float((3 / 16 * np.sqrt(square) * ((to_centre**2).sum(axis=1) - away) / radii).sum())


class Solid:
    """A closed surface of triangles at its pose: [triangles, 3 corners, 3], and the volume of their bulges."""

    def __init__(self, triangles, np, bulge=0.0):
        self.triangles, self.np, self.bulge = triangles, np, bulge
        self.lower, self.upper = triangles.min(axis=(0, 1)), triangles.max(axis=(0, 1))
        a, b, c = np.moveaxis(triangles - self.lower, 1, 0)
        self.volume = float((a * np.cross(b, c)).sum()) / 6

    def moved(self, shift):
        return Solid(self.triangles + shift, self.np, self.bulge)

    def fill(self, axes, solid):
        """Lines along z enter and leave at the triangles that they hit. A line through an edge counts for only one of the neighbours."""
        np, (xs, ys, zs) = self.np, axes
        crossings = np.zeros((len(xs), len(ys), len(zs) + 1), dtype=np.int32)
        x, y = (p.ravel() for p in np.meshgrid(xs, ys, indexing="ij"))
        for first in range(0, len(self.triangles), 256):  # keeps the tables small
            t = self.triangles[first : first + 256]
            within = np.zeros((len(t), len(x)), dtype=bool)
            for p, q in ((t[:, i], t[:, (i + 1) % 3]) for i in range(3)):
                swap = (p[:, 1] > q[:, 1]) | ((p[:, 1] == q[:, 1]) & (p[:, 0] > q[:, 0]))
                low, high = np.where(swap[:, None], q, p), np.where(swap[:, None], p, q)
                between = (low[:, 1, None] <= y) & (y < high[:, 1, None])
                slope = (high[:, 0] - low[:, 0]) / np.where(high[:, 1] > low[:, 1], high[:, 1] - low[:, 1], 1)
                within ^= between & (x < low[:, 0, None] + (y - low[:, 1, None]) * slope[:, None])
            which, line = np.nonzero(within)
            normal = np.cross(t[:, 1] - t[:, 0], t[:, 2] - t[:, 0])[which]
            at = t[which, 0]
            height = at[:, 2] - (normal[:, 0] * (x[line] - at[:, 0]) + normal[:, 1] * (y[line] - at[:, 1])) / normal[:, 2]
            np.add.at(crossings, (line // len(ys), line % len(ys), np.searchsorted(zs, height)), np.where(normal[:, 2] < 0, 1, -1))
        solid |= crossings.cumsum(axis=2)[:, :, :-1] > 0

    def outline(self):
        return self.triangles.reshape(-1, 3)[:, [0, 2]]


def parts_of(run, body, pose, np):
    """The parts of a body at its pose."""
    import recording

    def placed(points):
        return pose[:3] + recording.rotate(pose[None, 3:], np.asarray(points, dtype=float).reshape(-1, 3))

    parts = []
    for inner, radius, half_length in run.round_parts(body):
        axis = recording.rotate(inner[None, 3:], np.array([[0, 0, half_length], [0, 0, -half_length]]))
        start, end = placed(inner[:3] + axis)
        parts.append(Ball(start, end, radius, np))
    fans = [ring[[0, k - 1, k]] for ring in run.faces(body) for k in range(2, len(ring))]
    if fans:
        radii = run.face_radii(body)
        parts.append(Solid(placed(np.array(fans)).reshape(-1, 3, 3), np, 0.0 if radii is None else bulges(np.array(fans), radii, np)))
    return parts


class Body:
    def __init__(self, index, parts, np):
        self.index, self.parts = index, parts
        self.lower, self.upper = np.min([p.lower for p in parts], axis=0), np.max([p.upper for p in parts], axis=0)
        self.middle = (self.lower + self.upper) / 2
        self.volume, self.bulge = sum(p.volume for p in parts), sum(getattr(p, "bulge", 0.0) for p in parts)
        self.diameter = (6 / math.pi * self.volume) ** (1 / 3)


def bodies_of(run, frame, np):
    """The dynamic bodies of the frame."""
    found = [body for body in run.dynamic if run.present[frame, body]]
    made = [Body(int(body), parts, np) for body in found if (parts := parts_of(run, body, run.pose[frame, body], np))]
    if not made:
        raise ValueError("it has no bodies that move and have a volume")
    return made


# ---- density ----


def inner_region(bodies, periodic, margin, np):
    """(lower, upper)"""
    lower, upper = np.min([b.lower for b in bodies], axis=0), np.max([b.upper for b in bodies], axis=0)
    upper[2] = np.quantile([b.upper[2] for b in bodies], 0.95)
    lower, upper = lower + margin, upper - margin
    for axis, span in periodic.items():
        lower[axis], upper[axis] = span
    return lower, upper


def shifts(body, periodic, np):
    """Shifts from a body to its images that reach into the periodic space; the image inside it comes first."""
    found = [np.zeros(3)]
    for axis, (start, end) in periodic.items():
        length = end - start
        into = math.floor((body.middle[axis] - start) / length) * length
        unit = np.eye(3)[axis] * length
        found = [s - np.eye(3)[axis] * into for s in found]
        low, high = body.lower[axis] - into < start, body.upper[axis] - into > end
        found += [s + unit for s in found if low] + [s - unit for s in found if high]
    return found


def solid_share(bodies, periodic, lower, upper, spacing, np):
    """Share of the points of a grid over the region that are inside a body."""
    counts = np.maximum(1, np.round((upper - lower) / spacing)).astype(int)
    axes = [lower[k] + (np.arange(counts[k]) + 0.5) * (upper[k] - lower[k]) / counts[k] for k in range(3)]
    solid = np.zeros(counts, dtype=bool)
    for body in bodies:
        for shift in shifts(body, periodic, np):
            for part in body.parts:
                low, high = part.lower + shift, part.upper + shift
                ranges = tuple(slice(*np.searchsorted(axes[k], (low[k], high[k]))) for k in range(3))
                if solid[ranges].size:
                    part.moved(shift).fill([axes[k][ranges[k]] for k in range(3)], solid[ranges])
    return float(solid.mean())


# ---- forces ----


def pair_forces(contacts, np):
    """Pairs of touching bodies: (bodies [pairs, 2], force on the first [pairs, 3], point of action [pairs, 3])."""
    order = np.stack([contacts["a"], contacts["b"]], axis=1)
    pairs, which = np.unique(np.sort(order, axis=1), axis=0, return_inverse=True)
    which = which.ravel()
    turned = np.where(order[:, 0] <= order[:, 1], 1.0, -1.0)[:, None]
    normal = contacts["normal_force"][:, None] * contacts["normal"]
    force, place = np.zeros((len(pairs), 3)), np.zeros((len(pairs), 3))
    weight = np.zeros(len(pairs))
    share = np.abs(contacts["normal_force"]) + 1e-300
    np.add.at(force, which, turned * (normal + contacts["friction_force"]))
    np.add.at(place, which, share[:, None] * (contacts["on_a"] + contacts["on_b"]) / 2)
    np.add.at(weight, which, share)
    return pairs, force, place / weight[:, None]


def force_figures(sizes, np):
    """The distribution of the magnitudes of forces between pairs."""
    if len(sizes) == 0 or not sizes.sum() > 0:
        return None
    mean = float(sizes.mean())
    strong = sizes > mean
    edges = [0, 0.25, 0.5, 0.75, 1, 1.5, 2, 3, 4, 6, math.inf]
    counts = np.histogram(sizes / mean, edges)[0]
    return {
        "pairs": len(sizes),
        "mean": mean,
        "most": float(sizes.max()),
        "strong_pairs": float(strong.mean()),
        "strong_share": float(sizes[strong].sum() / sizes.sum()),
        "histogram": [{"from": low, "to": high if high < math.inf else None, "share": float(n / len(sizes))} for low, high, n in zip(edges, edges[1:], counts)],
    }


def measure(run, contacts, options, np):
    bodies = bodies_of(run, options.frame, np)
    spans = run.scene.get("stepper", {}).get("periodic", {})
    periodic = {"xyz".index(axis): span for axis, span in spans.items()}
    diameter = float(np.mean([b.diameter for b in bodies]))
    lower, upper = inner_region(bodies, periodic, options.margin * diameter, np)
    if not (lower < upper).all():
        raise ValueError("the margin leaves nothing of what the bodies span; choose a smaller one")
    swollen = 1 + sum(b.bulge for b in bodies) / sum(b.volume for b in bodies)
    share = solid_share(bodies, periodic, lower, upper, diameter / options.points, np)
    middles = np.array([b.middle + shifts(b, periodic, np)[0] for b in bodies])
    inside = ((middles >= lower) & (middles <= upper)).all(axis=1)
    pairs, force, _ = pair_forces(contacts, np)
    touches = np.bincount(pairs.ravel(), minlength=len(run.names))[[b.index for b in bodies]]
    is_inside, is_body = np.zeros(len(run.names), dtype=bool), np.zeros(len(run.names), dtype=bool)
    is_body[[b.index for b in bodies]] = True
    is_inside[[b.index for b, there in zip(bodies, inside) if there]] = True
    counted = is_body[pairs].all(axis=1) & is_inside[pairs].any(axis=1)
    return {
        "time": float(run.time[options.frame]),
        "lower": lower.tolist(),
        "upper": upper.tolist(),
        "bodies": int(inside.sum()),
        "diameter": diameter,
        "porosity": 1 - share,
        "porosity_with_bulges": 1 - swollen * share if swollen > 1 else None,
        "packing_fraction": share,
        "coordination_number": float(touches[inside].mean()) if inside.any() else 0.0,
        "residual": float(run.steps["dem_residual"][np.searchsorted(run.steps["time"], run.time[options.frame])]) if "dem_residual" in run.steps else 0.0,
        "forces": force_figures(np.linalg.norm(force[counted], axis=1), np),
    }


# ---- force chains ----


def draw_chains(run, contacts, options, np):
    """Outlines of the bodies of the slice; lines from the middle of a body through the contact to that of the other, with a width proportional to the force."""
    import figure

    bodies = bodies_of(run, options.frame, np)
    by_index = {b.index: b for b in bodies}
    pairs, force, place = pair_forces(contacts, np)
    sizes = np.linalg.norm(force, axis=1)
    diameter = float(np.mean([b.diameter for b in bodies]))
    lower, upper = np.min([b.lower for b in bodies], axis=0), np.max([b.upper for b in bodies], axis=0)
    middle, half = (lower[1] + upper[1]) / 2, options.slice * diameter / 2
    moving = np.isin(pairs, list(by_index)).all(axis=1)
    mean = float(sizes[moving].mean()) if moving.any() else float(sizes.mean()) if len(sizes) else 1.0
    scale = min(760 / (upper[0] - lower[0]), 900 / (upper[2] - lower[2]))
    width, height = max(round(scale * (upper[0] - lower[0])), 370) + 40, round(scale * (upper[2] - lower[2])) + 92
    style = ".body{fill:#8a8f98;fill-opacity:.10;stroke:#70757e;stroke-opacity:.35;stroke-width:.8}.weak{stroke:#3f7fc8;stroke-opacity:.5}.strong{stroke:#c0392b}"
    picture = figure.Picture(width, height, f"Force chains of {run.title}", style, ".weak{stroke:#74aef0}.strong{stroke:#f0705a}")
    view = figure.View(20, height - 72, scale, (lower[0], lower[2]))
    for body in bodies:
        if abs(body.middle[1] - middle) > half:
            continue
        for part in body.parts:
            outline = part.outline()
            if isinstance(outline, tuple):
                picture.circle(view(outline[0]), scale * outline[1], "body")
            else:
                picture.polygon(figure.hull([view(p) for p in outline]), "body")
    # Strong chains are drawn above weak ones.
    for i in np.argsort(sizes):
        ends = [by_index[int(b)].middle for b in pairs[i] if int(b) in by_index]
        if not ends or abs(place[i, 1] - middle) > half or not sizes[i] > 0.1 * mean:
            continue
        if max(float(np.linalg.norm(end - place[i])) for end in ends) > 4 * diameter:
            continue  # across the border of a periodic space
        points = [view(p[[0, 2]]) for p in (ends[0], place[i], *ends[1:])]
        strong = "strong" if sizes[i] > mean else "weak"
        line = min(1.2 * math.sqrt(sizes[i] / mean) * scale * diameter / 40, scale * diameter / 4)
        picture.add(f'<path fill="none" stroke-linecap="round" class="{strong}" stroke-width="{line:.2f}" d="M{picture.path(points)}"/>')
    for row, words in enumerate((
        f"a slice of {options.slice:g} mean diameters, seen along y",
        f"red: forces above their mean, {mean:.3g}; width: the root of the force",
        "forces below a tenth of the mean are left out",
    )):
        picture.text(20, height - 48 + 18 * row, words, "small quiet" if row == 2 else "small")
    options.draw.parent.mkdir(parents=True, exist_ok=True)
    picture.write(options.draw)


# ---- the command ----


def print_figures(title, figures):
    print(title)
    rows = [
        ("time", f"{figures['time']:g} s, residual {figures['residual']:.3g}"),
        ("inner region", " to ".join("(" + ", ".join(f"{x:.4g}" for x in figures[end]) + ")" for end in ("lower", "upper"))),
        ("bodies in it", f"{figures['bodies']}, of mean diameter {figures['diameter']:.4g}"),
        ("porosity", f"{figures['porosity']:.4f}" + (f", with bulges {bulging:.4f}" if (bulging := figures["porosity_with_bulges"]) is not None else "")),
        ("packing fraction", f"{figures['packing_fraction']:.4f}"),
        ("coordination number", f"{figures['coordination_number']:.3f}"),
    ]
    forces = figures["forces"]
    if forces:
        rows += [
            ("forces between bodies", f"{forces['pairs']} pairs, mean {forces['mean']:.4g}, most {forces['most']:.4g} ({forces['most'] / forces['mean']:.2f} of the mean)"),
            ("above the mean", f"{100 * forces['strong_pairs']:.1f} % of the pairs, which bear {100 * forces['strong_share']:.1f} % of the sum"),
        ]
        for bin_ in forces["histogram"]:
            name = f"{bin_['from']:g} to {bin_['to']:g} of it" if bin_["to"] is not None else f"above {bin_['from']:g} of it"
            rows.append((f"  {name}", f"{100 * bin_['share']:.1f} %"))
    for name, text in rows:
        print(f"  {name:22} {text}")


def main(arguments=None):
    options = parse_arguments(arguments)
    import recording

    try:
        run = recording.Recording(options.recording)
        contacts = recording.contacts(options.recording, options.frame)
        figures = measure(run, contacts, options, recording.np)
        if options.draw:
            draw_chains(run, contacts, options, recording.np)
    except (OSError, KeyError, IndexError, ValueError) as error:
        print(f"packing_figures.py: {options.recording}: {error}", file=sys.stderr)
        return 2
    if options.json:
        print(json.dumps(figures))
    else:
        print_figures(run.title, figures)
    return 0


if __name__ == "__main__":
    sys.exit(main())
