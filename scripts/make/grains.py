#!/usr/bin/env python3
"""Write the bodies of scenes of granular matter: closed triangulated surfaces, scenes/meshes/*.obj. Needs numpy (Debian: python3-numpy).

The files are kept in the repository, and this script writes them. It uses only sums, products and square roots, except for the hopper's sines, and rounds
coordinates, so that every machine writes the same bytes (a test compares them). Lengths are in metres, z points up; the grains have the volume
of a ball of 10 mm, and their centroid is the origin.
"""

import argparse
import math
import os
import pathlib
import sys

try:
    import numpy as np
except ImportError:
    sys.exit("grains.py: this script needs numpy: on Debian and Ubuntu, apt install python3-numpy, then use /usr/bin/python3")

MESHES = pathlib.Path(__file__).resolve().parents[2] / "scenes" / "meshes"
RADIUS = 0.005


# ---- vectors: sums in a fixed order; the order of numpy's own sums depends on the machine ----


def dot(a, b):
    return a[..., 0] * b[..., 0] + a[..., 1] * b[..., 1] + a[..., 2] * b[..., 2]


def length(a):
    return np.sqrt(dot(a, a))


def cross(a, b):
    x = a[..., 1] * b[..., 2] - a[..., 2] * b[..., 1]
    y = a[..., 2] * b[..., 0] - a[..., 0] * b[..., 2]
    z = a[..., 0] * b[..., 1] - a[..., 1] * b[..., 0]
    return np.stack([x, y, z], axis=-1)


def unit(a):
    return a / length(a)[..., None]


def total(values):
    result = 0.0
    for value in values.tolist():
        result += value
    return result


# ---- meshes ----


def icosphere(level):
    """(vertices on the unit sphere, triangles): an icosahedron, each triangle split into four, `level` times."""
    t = (1 + math.sqrt(5)) / 2
    points = [(-1, t, 0), (1, t, 0), (-1, -t, 0), (1, -t, 0), (0, -1, t), (0, 1, t), (0, -1, -t), (0, 1, -t), (t, 0, -1), (t, 0, 1), (-t, 0, -1), (-t, 0, 1)]
    triangles = [(0, 11, 5), (0, 5, 1), (0, 1, 7), (0, 7, 10), (0, 10, 11), (1, 5, 9), (5, 11, 4), (11, 10, 2), (10, 7, 6), (7, 1, 8),
                 (3, 9, 4), (3, 4, 2), (3, 2, 6), (3, 6, 8), (3, 8, 9), (4, 9, 5), (2, 4, 11), (6, 2, 10), (8, 6, 7), (9, 8, 1)]
    points = [unit(np.array(p, float)) for p in points]
    for _ in range(level):
        middles, finer = {}, []

        def middle(a, b):
            key = (min(a, b), max(a, b))
            if key not in middles:
                middles[key] = len(points)
                points.append(unit(points[a] + points[b]))
            return middles[key]

        for a, b, c in triangles:
            ab, bc, ca = middle(a, b), middle(b, c), middle(c, a)
            finer += [(a, ab, ca), (b, bc, ab), (c, ca, bc), (ab, bc, ca)]
        triangles = finer
    return np.array(points), np.array(triangles)


def mass(vertices, triangles):
    """(volume, centroid) of the polyhedron."""
    a, b, c = (vertices[triangles[:, k]] for k in range(3))
    parts = dot(a, cross(b, c)) / 6
    volume = total(parts)
    moments = (a + b + c) * parts[:, None] / 4
    return volume, np.array([total(moments[:, k]) for k in range(3)]) / volume


def grain(vertices, triangles):
    """Scales a body to the common volume and moves its centroid to the origin."""
    volume, centre = mass(vertices, triangles)
    scale = (4 / 3 * math.pi * RADIUS**3 / volume) ** (1 / 3)
    return scale * (vertices - centre), triangles


# ---- grains ----


def ball():
    vertices, triangles = icosphere(2)
    return RADIUS * vertices, triangles


def pear():
    """A surface of revolution: the unit sphere at the height t is scaled by 1.35 in height and narrowed by a polynomial, which makes a slender neck."""
    vertices, triangles = icosphere(2)
    t = vertices[:, 2]
    s = t * (15 - 10 * t * t + 3 * t * t * t * t) / 8  # from -1 to 1, level at both ends
    narrow = 0.72 - 0.30 * s
    return grain(np.stack([narrow * vertices[:, 0], narrow * vertices[:, 1], 1.12 * t + 0.05 * t * t], axis=-1), triangles)


def pebble():
    """An ellipsoid with low waves."""
    vertices, triangles = icosphere(2)
    x, y, z = vertices.T
    waves = 1 + 0.05 * (x * x * x - 3 * x * y * y) + 0.06 * y * z + 0.04 * x + 0.03 * (5 * z * z - 1) * y
    return grain(vertices * waves[:, None] * np.array([1.25, 1.0, 0.72]), triangles)


# ---- the bear ----

# Ellipsoids: middle and semi-axes. It looks along y.
BEAR = [((0, 0, 0), (0.42, 0.36, 0.50)), ((0, 0.02, 0.66), (0.34, 0.32, 0.32)), ((0, 0.28, 0.60), (0.17, 0.16, 0.14))]
for _side in (-1, 1):
    BEAR += [((_side * 0.25, 0, 0.95), (0.14, 0.11, 0.14)), ((_side * 0.38, 0.26, 0.18), (0.14, 0.22, 0.15)), ((_side * 0.28, 0.28, -0.40), (0.18, 0.30, 0.18))]
BLEND = 0.12


def bear_level(p):
    """A level set, negative inside: the levels of the ellipsoids, blended by a polynomial minimum, two at a time."""
    level = None
    for middle, axes in BEAR:
        q = (p - np.array(middle)) / np.array(axes)
        this = (length(q) - 1) * min(axes)
        if level is None:
            level = this
        else:
            near = np.maximum(BLEND - np.abs(level - this), 0) / BLEND
            level = np.minimum(level, this) - near * near * BLEND / 4
    return level


def bear_gradient(p):
    step = 1e-5
    return np.stack([(bear_level(p + step * e) - bear_level(p - step * e)) / (2 * step) for e in np.eye(3)], axis=-1)


def project(p):
    for _ in range(4):
        g = bear_gradient(p)
        p = p - (bear_level(p) / np.maximum(dot(g, g), 1e-3))[:, None] * g
    return p


def neighbours(triangles, count):
    around = [set() for _ in range(count)]
    for a, b, c in triangles.tolist():
        around[a] |= {b, c}
        around[b] |= {c, a}
        around[c] |= {a, b}
    return [sorted(s) for s in around]


def relax(vertices, triangles, share):
    """Moves each vertex towards the mean of its neighbours, weighted by distance. Distant neighbours have more weight, which evens out lengths."""
    around = neighbours(triangles, len(vertices))
    most = max(map(len, around))
    table = np.array([ring + [i] * (most - len(ring)) for i, ring in enumerate(around)])
    moved, weights = np.zeros_like(vertices), np.zeros(len(vertices))
    for k in range(most):
        way = vertices[table[:, k]] - vertices
        weight = length(way)
        moved += weight[:, None] * way
        weights += weight
    return vertices + share * moved / weights[:, None]


def flip(vertices, triangles):
    """One pass of edge flips where the opposite angles add up to more than 180 degrees; returns the number of flips."""
    sides, faces, turned = {}, [list(t) for t in triangles.tolist()], 0
    for f, t in enumerate(faces):
        for k in range(3):
            sides[t[k], t[(k + 1) % 3]] = f
    touched = set()

    def cosine(apex, a, b):
        p, q = vertices[a] - vertices[apex], vertices[b] - vertices[apex]
        return float(dot(p, q) / (length(p) * length(q)))

    for (a, b), f in sorted(sides.items()):
        g = sides.get((b, a))
        if a > b or g is None or f in touched or g in touched:
            continue
        c, d = sum(faces[f]) - a - b, sum(faces[g]) - a - b
        if (c, d) in sides or (d, c) in sides or cosine(c, a, b) + cosine(d, a, b) > -1e-3:
            continue
        normal = [cross(vertices[q] - vertices[p], vertices[r] - vertices[p]) for p, q, r in ((a, b, c), (b, a, d), (c, d, b), (d, c, a))]
        if min(float(dot(n, normal[0] + normal[1])) for n in normal) <= 0:
            continue
        faces[f], faces[g] = [c, d, b], [d, c, a]
        touched |= {f, g}
        turned += 1
    return np.array(faces), turned


def edges_of(triangles):
    """Each edge once, with its opposite corners: {(a, b): [c, d]}, a < b."""
    sides = {}
    for t in triangles.tolist():
        for k in range(3):
            a, b = t[k], t[(k + 1) % 3]
            sides.setdefault((min(a, b), max(a, b)), []).append(t[(k + 2) % 3])
    return dict(sorted(sides.items()))


def split(vertices, triangles, longest):
    """Splits longer edges, longest first, each triangle at most once."""
    sides = edges_of(triangles)
    pairs = np.array(list(sides))
    lengths = length(vertices[pairs[:, 0]] - vertices[pairs[:, 1]])
    order = sorted((i for i in range(len(pairs)) if lengths[i] > longest), key=lambda i: (-lengths[i], i))
    points, faces, taken = vertices.tolist(), {tuple(sorted(t)): t for t in triangles.tolist()}, set()
    for i in order:
        a, b = pairs[i].tolist()
        around = [tuple(sorted((a, b, c))) for c in sides[a, b]]
        if any(key in taken or key not in faces for key in around):
            continue
        points.append((0.5 * (vertices[a] + vertices[b])).tolist())
        new = len(points) - 1
        for key in around:
            taken.add(key)
            t = faces.pop(key)
            for other in (a, b):
                half = [new if v == other else v for v in t]
                faces[tuple(sorted(half))] = half
    return np.array(points), np.array(list(faces.values()))


def collapse(vertices, triangles, shortest, longest):
    """Collapses shorter edges, shortest first, if no edge gets longer than `longest` and no triangle turns over."""
    sides, around = edges_of(triangles), neighbours(triangles, len(vertices))
    fans = [[] for _ in vertices]
    for f, t in enumerate(triangles.tolist()):
        for v in t:
            fans[v].append(f)
    pairs = np.array(list(sides))
    lengths = length(vertices[pairs[:, 0]] - vertices[pairs[:, 1]])
    order = sorted((i for i in range(len(pairs)) if lengths[i] < shortest), key=lambda i: (lengths[i], i))
    vertices, triangles, touched, gone = vertices.copy(), triangles.copy(), set(), set()
    for i in order:
        a, b = pairs[i].tolist()
        ring = set(around[a]) | set(around[b])
        if ring & touched or len(set(around[a]) & set(around[b])) != 2 or len(ring) < 7:
            continue
        middle = 0.5 * (vertices[a] + vertices[b])
        if max(float(length(middle - vertices[v])) for v in ring - {a, b}) > longest:
            continue
        kept = [f for f in sorted(set(fans[a] + fans[b])) if f not in gone and not (a in triangles[f] and b in triangles[f])]
        before = triangles[kept]
        moved = np.where(np.isin(before, (a, b))[..., None], middle, vertices[before])
        normals = [cross(p[:, 1] - p[:, 0], p[:, 2] - p[:, 0]) for p in (vertices[before], moved)]
        if (dot(*normals) <= 0.2 * length(normals[0]) * length(normals[1])).any():
            continue
        touched |= ring
        gone |= {f for f in fans[a] if b in triangles[f]}
        vertices[a] = middle
        triangles[kept] = np.where(before == b, a, before)
    triangles = np.array([t for f, t in enumerate(triangles.tolist()) if f not in gone])
    used, numbers = np.unique(triangles, return_inverse=True)
    return vertices[used], numbers.reshape(-1, 3)


def bear():
    """An icosphere is shrunk onto the surface; then edges are split, collapsed and flipped until all have nearly the same length (M. Botsch, L. Kobbelt, "A
    remeshing approach to multiresolution modeling", 2004)."""
    aim = 0.105
    directions, triangles = icosphere(3)
    vertices = project(directions * np.array([0.75, 0.75, 1.0]) + np.array([0, 0.05, 0.2]))
    for i in range(14):
        for _ in range(2):
            vertices, triangles = split(vertices, triangles, aim * 4 / 3)
        for _ in range(2):
            vertices, triangles = collapse(vertices, triangles, aim * 4 / 5, aim * 4 / 3)
        for _ in range(3):
            triangles, _ = flip(vertices, triangles)
        for _ in range(3):
            vertices = project(relax(vertices, triangles, 0.4))
    for _ in range(6):
        triangles, turned = flip(vertices, triangles)
        vertices = project(relax(vertices, triangles, 0.3))
    return grain(vertices, triangles)


# ---- the hopper ----

HOPPER = {"outlet": 0.025, "top": 0.065, "cone": 0.070, "cylinder": 0.050, "wall": 0.006, "sides": 36}


def arc(middle, radius, first, last, count):
    """Points of a profile, angles in degrees from the radial direction, counter-clockwise; both ends included."""
    angles = [math.radians(first + (last - first) * i / count) for i in range(count + 1)]
    return [(middle[0] + radius * math.cos(a), middle[1] + radius * math.sin(a)) for a in angles]


def between(first, last, count):
    """The inner points that divide a line into `count` parts."""
    return [tuple(p + (q - p) * i / count for p, q in zip(first, last)) for i in range(1, count)]


def hopper_profile():
    """[(radius, height, group of the strip up to the next point)]: down the outside, round the outlet's lip, up the inside, round the rim."""
    h = HOPPER
    half, slope = h["wall"] / 2, math.degrees(math.atan2(h["top"] - h["outlet"], h["cone"]))  # of the cone to the axis
    # The middle line of the wall; the radii in HOPPER are those of the inner surfaces.
    low = (h["outlet"] + half, 0.0)
    bend = (h["top"] + half, h["cone"])
    corner = half * math.tan(math.radians(slope / 2))  # height of the bend's corners above and below that of the middle line
    lip = arc(low, half, -slope, -slope - 180, 4)
    rim = arc((bend[0], bend[1] + h["cylinder"]), half, 180, 0, 4)
    outer, inner = (bend[0] + half, bend[1] - corner), (bend[0] - half, bend[1] + corner)
    walls = [between(rim[-1], outer, 2) + [outer] + between(outer, lip[0], 3), between(lip[-1], inner, 3) + [inner] + between(inner, rim[0], 2)]
    profile = [(*p, "walls") for p in rim[-1:] + walls[0]] + [(*p, "outlet") for p in lip[:-1]]
    return profile + [(*p, "walls") for p in lip[-1:] + walls[1]] + [(*p, "rim") for p in rim[:-1]]


def hopper():
    """Each point of the profile is a ring; every other ring is turned by half a side, so that triangles are regular where strips are narrow."""
    profile = hopper_profile()
    n, vertices, groups = HOPPER["sides"], [], {"walls": [], "outlet": [], "rim": []}
    for i, (radius, height, _) in enumerate(profile):
        angles = [2 * math.pi * (k + 0.5 * (i % 2)) / n for k in range(n)]
        vertices += [(radius * math.cos(a), radius * math.sin(a), height) for a in angles]
    for i, (_, _, group) in enumerate(profile):
        j, odd = (i + 1) % len(profile), i % 2
        for k in range(n):
            here, there = [i * n + (k + s) % n for s in (0, 1)], [j * n + (k + s) % n for s in (0, 1)]
            if odd:
                groups[group] += [(here[0], there[1], here[1]), (here[0], there[0], there[1])]
            else:
                groups[group] += [(here[0], there[0], here[1]), (here[1], there[0], there[1])]
    return np.array(vertices), groups


# ---- the files ----


def obj_text(vertices, groups, about, digits):
    lines = [f"# {about}", "# Made by scripts/make/grains.py."]
    lines += ["v " + " ".join(f"{x + 0.0:.{digits}f}" for x in np.round(v, digits)) for v in vertices]
    for name, triangles in groups.items():
        lines.append(f"g {name}")
        lines += ["f " + " ".join(str(int(i) + 1) for i in t) for t in triangles]
    return "\n".join(lines) + "\n"


def all_files():
    """{name: (text)}"""
    made = {}
    for name, make, digits, about in (
        ("grain_ball", ball, 13, "A ball of radius 5 mm, 320 triangles."),
        ("pear", pear, 10, "A pear of 320 triangles, of the volume of a ball of 10 mm."),
        ("pebble", pebble, 10, "A pebble of 320 triangles, of the volume of a ball of 10 mm."),
        ("gummy_bear", bear, 10, "A gummy bear of 932 triangles, of the volume of a ball of 10 mm."),
    ):
        vertices, triangles = make()
        made[f"{name}.obj"] = obj_text(vertices, {name: triangles}, about, digits)
    vertices, groups = hopper()
    made["hopper.obj"] = obj_text(vertices, groups, "A hopper: its outlet is a circle of radius 25 mm about the z axis, its outlet's lip reaches down to z = -3 mm.", 10)
    return made


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("-o", "--output", type=pathlib.Path, default=MESHES, metavar="FOLDER", help="where to write them (default: scenes/meshes)")
    parser.add_argument("--check", action="store_true", help="write nothing; exit status 1 when a file differs from what would be written")
    options = parser.parse_args(arguments)
    status = 0
    for name, text in all_files().items():
        path = options.output / name
        if options.check:
            same = path.exists() and path.read_text(encoding="ascii") == text
            status |= not same
            if not same:
                print(f"grains.py: {path} is not what this script writes", file=sys.stderr)
        else:
            os.makedirs(options.output, exist_ok=True)
            path.write_text(text, encoding="ascii")
    return int(status)


if __name__ == "__main__":
    sys.exit(main())
