#!/usr/bin/env python3
"""How much deeper than the least depth overlapping hulls are along the growth normal, for pieces of a broken block, hulls of meshes, and hulls of many forms."""

import argparse
import ctypes
import itertools
import math
import pathlib
import random
import statistics
import sys

import hull_piles

ROOT = pathlib.Path(__file__).resolve().parents[2]
GROWTH, MINIMUM = 0, 1  # abut_normal_policy
# The policy, and whether the growth normal is refined.
NORMALS = {"growth, refined": (GROWTH, True), "growth, as in the paper": (GROWTH, False), "least depth": (MINIMUM, True)}
MESHES = ("gear", "gear_18", "gear_small", "gummy_bear", "hopper", "pear", "pebble", "stairs")


def parse_arguments(arguments):
    parser = argparse.ArgumentParser(
        prog="normal_depth.py",
        description="Turn two hulls at random, let one come into the other from a random direction, by a thousandth to the whole of its size, and compare the depth along "
        "the growth normal with the least depth. Half of the pairs have sizes that differ by up to 10 times. The bodies: the pieces of scenes/meshes/block.obj; the hulls of the "
        "groups of the other meshes of the scenes; and generated hulls: bevelled boxes, wedges, plates, and points on round, flat and long ellipsoids.",
        epilog="Example: normal_depth.py --pairs 200",
    )
    parser.add_argument("--pairs", type=int, default=3000, metavar="N", help="overlapping pairs of each kind of bodies (default: 3000)")
    parser.add_argument("--library", type=pathlib.Path, default=ROOT / "build" / "release" / "libabut.so", metavar="FILE", help="libabut.so (default: that of build/release)")
    parser.add_argument("--markdown", type=pathlib.Path, metavar="FILE.md", help="write the table there, too")
    return parser.parse_args(arguments)


def groups(path):
    """The vertices of each group of an OBJ file; those of the whole file if it has no groups."""
    points, used, found = [], set(), []
    for line in path.read_text().splitlines():
        word, *rest = line.split() or [""]
        if word == "v":
            points.append([float(x) for x in rest[:3]])
        elif word in ("o", "g"):
            found.append(used)
            used = set()
        elif word == "f":
            used |= {int(x.split("/")[0]) - 1 for x in rest}
    return [[points[i] for i in sorted(group)] for group in [*found, used] if len(group) >= 4]


def generated(rng):
    """A hull of a form of hull_piles.py, stretched."""
    stretch = [math.exp(rng.uniform(-0.7, 0.7)) for _ in range(3)]
    return [[s * x for s, x in zip(stretch, point)] for point in hull_piles.hull(rng)]


def normalised(points, size):
    """With the middle at the origin, and the largest distance from it as given."""
    middle = [sum(c) / len(points) for c in zip(*points)]
    moved = [[x - m for x, m in zip(p, middle)] for p in points]
    scale = size / max(math.hypot(*p) for p in moved)
    return [[scale * x for x in p] for p in moved]


# ---- the library ----


class Pair(ctypes.Structure):
    _fields_ = [("a", ctypes.c_void_p), ("pose_a", ctypes.c_double * 7), ("b", ctypes.c_void_p), ("pose_b", ctypes.c_double * 7)]


class Settings(ctypes.Structure):
    _fields_ = [("margin", ctypes.c_double), ("feature_angle", ctypes.c_double), ("normal", ctypes.c_int), ("contraction", ctypes.c_int),
                ("refine_normal", ctypes.c_bool), ("previous_normal", ctypes.c_double * 3), ("weld", ctypes.c_double), ("baseline", ctypes.c_int * 3)]  # fmt: skip


class Contact(ctypes.Structure):
    _fields_ = [("on_a", ctypes.c_double * 3), ("on_b", ctypes.c_double * 3), ("normal", ctypes.c_double * 3), ("gap", ctypes.c_double), ("area", ctypes.c_double),
                ("features", ctypes.c_int32 * 6), ("id", ctypes.c_uint64), ("patch", ctypes.c_int32), ("flags", ctypes.c_uint32)]  # fmt: skip


class Library:
    def __init__(self, path):
        self.abut = ctypes.CDLL(str(path))
        self.abut.abut_collide_settings_default.restype = Settings
        self.contacts = (Contact * 1000)()

    def hull(self, points):
        shape = ctypes.c_void_p()
        numbers = (ctypes.c_double * (3 * len(points)))(*[x for p in points for x in p])
        status = self.abut.abut_shape_create_hull(numbers, len(points), ctypes.byref(shape))
        return shape if status == 0 else None

    def depth(self, pair, policy=MINIMUM, refined=True):
        """The depth of the deepest contact; 0 for none."""
        settings, count = self.abut.abut_collide_settings_default(), ctypes.c_int32()
        settings.normal, settings.refine_normal = policy, refined
        status = self.abut.abut_collide(ctypes.byref(pair), ctypes.byref(settings), None, self.contacts, len(self.contacts), ctypes.byref(count))
        assert status == 0, status
        return max((-c.gap for c in self.contacts[: count.value]), default=0)


# ---- pairs ----


def way_apart(library, pair, start, direction, reach):
    """How far B must go along the direction until the bodies part."""
    lower, upper = 0.0, reach
    for _ in range(30):
        way = (lower + upper) / 2
        pair.pose_b[:3] = [x + way * d for x, d in zip(start, direction)]
        lower, upper = (way, upper) if library.depth(pair) > 0 else (lower, way)
    return lower


def ask(library, number, make):
    """The depths of a pair along each of NORMALS; None if the library refuses a hull. B comes from a random direction. It has gone into A by a
    thousandth to the whole of its size."""
    rng = random.Random(number)
    sizes = (1, 1 if rng.random() < 0.5 else math.exp(rng.uniform(math.log(0.1), 0)))
    shapes = [library.hull(normalised(make(rng), size)) for size in sizes]
    depths = None
    if all(shapes):
        poses = [[0, 0, 0, *hull_piles.quaternion(rng)["quaternion"]] for _ in shapes]
        pair = Pair(shapes[0], (ctypes.c_double * 7)(*poses[0]), shapes[1], (ctypes.c_double * 7)(*poses[1]))
        direction, start = hull_piles.direction(rng), [rng.uniform(-0.5, 0.5) for _ in range(3)]
        way = way_apart(library, pair, start, direction, 4) - sizes[1] * 10 ** rng.uniform(-3, 0)
        pair.pose_b[:3] = [x + way * d for x, d in zip(start, direction)]
        depths = [library.depth(pair, *normal) for normal in NORMALS.values()]
    for shape in shapes:
        library.abut.abut_shape_release(shape)
    return depths if depths and min(depths) > 1e-9 else None


def overlapping(library, pairs, make):
    """The depths of that many overlapping pairs."""
    found = (ask(library, number, make) for number in itertools.count())
    return list(itertools.islice(filter(None, found), pairs))


def row(name, normal, found):
    ratios = [depths[normal] / depths[-1] for depths in found]
    cells = [f"{len(ratios):,}"] + [f"{100 * sum(r > 1 + limit for r in ratios) / len(ratios):.1f} %" for limit in (0.01, 0.1)]
    return [name, list(NORMALS)[normal], *cells, f"{statistics.quantiles(ratios, n=100)[-1]:.2f}", f"{max(ratios):.2f}"]


def main(arguments=None):
    options = parse_arguments(arguments)
    library = Library(options.library)
    folder = ROOT / "scenes" / "meshes"
    block = groups(folder / "block.obj")
    meshes = [group for name in MESHES for group in groups(folder / f"{name}.obj")]
    kinds = {
        f"{len(block)} pieces of a broken block": lambda rng: rng.choice(block),
        f"{len(meshes)} hulls of meshes": lambda rng: rng.choice(meshes),
        "generated hulls": generated,
        "any of these": lambda rng: rng.choice((rng.choice(block), rng.choice(meshes), generated(rng))),
    }
    lines = ["| bodies | normal | overlapping pairs | more than 1 % too deep | more than 10 % | 99th percentile of the ratio | worst ratio |", "| --- | --- | --: | --: | --: | --: | --: |"]
    print("\n".join(lines), flush=True)
    for name, make in kinds.items():
        found = overlapping(library, options.pairs, make)
        for normal in (0, 1):
            lines.append(f"| {' | '.join(row(name, normal, found))} |")
            print(lines[-1], flush=True)
    if options.markdown:
        head = ["# The growth normal and the least depth", f"Written by `python3 scripts/measure/normal_depth.py --markdown docs/results/{options.markdown.name}`; do not edit. "
                "The ratio is the depth along the normal of `ABUT_NORMAL_GROWTH`, with and without `refine_normal`, over the least depth. The method: [contacts](../methods/contacts.md)."]
        options.markdown.write_text("\n\n".join(head) + "\n\n" + "\n".join(lines) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
