#!/usr/bin/env python3
"""Measures how often the contacts of a convex body deep in a closed mesh that is not convex lead out of its solid by the shortest way, and writes
docs/results/deep_bodies.md. Needs numpy.

The solids are random polycubes; the bodies are boxes and tetrahedra, up to 25 % of their size deep. The oracle knows nothing of triangles: the body is outside
when it is outside of each cube, so the shortest way out is the least translation that is in none of the sums of cube and mirrored body. A search over their
faces finds it: the translation must leave each cube that it meets through one of its faces. The contacts of abut lead along the least translation that ends
all of them.
"""

import argparse
import itertools
import json
import pathlib
import subprocess
import sys
import tempfile

import numpy as np

ROOT = pathlib.Path(__file__).resolve().parents[2]
SAME = 1e-6  # of the body's size
SIX_WAYS = [tuple(s if i == k else 0 for i in range(3)) for k in range(3) for s in (1, -1)]


# ---- solids ----


def joins(cells, a, b):
    """Whether two cubes with a common edge or corner are joined there by cubes with common faces."""
    axes = [i for i in range(3) if a[i] != b[i]]
    for order in itertools.permutations(axes):
        corners = [tuple(b[i] if i in order[:n] else a[i] for i in range(3)) for n in range(1, len(order))]
        if all(c in cells for c in corners):
            return True
    return False


def polycube(random):
    """3 to 7 unit cubes whose surface is that of one solid."""
    while True:
        cells = {(0, 0, 0)}
        for _ in range(random.integers(2, 7)):
            base, way = list(cells)[random.integers(len(cells))], SIX_WAYS[random.integers(6)]
            cells.add(tuple(int(p + q) for p, q in zip(base, way)))
        near = [(a, b) for a, b in itertools.combinations(cells, 2) if max(abs(p - q) for p, q in zip(a, b)) == 1]
        if len(cells) > 2 and all(joins(cells, a, b) for a, b in near):
            return sorted(cells)


def write_surface(cells, path):
    vertices, triangles = {}, []
    for cell, way in itertools.product(cells, SIX_WAYS):
        if tuple(p + q for p, q in zip(cell, way)) in cells:
            continue
        axis = next(i for i in range(3) if way[i])
        corners = []
        for u, v in ((0, 0), (1, 0), (1, 1), (0, 1)):
            p = list(cell)
            p[axis] += way[axis] > 0
            p[(axis + 1) % 3] += u
            p[(axis + 2) % 3] += v
            corners.append(vertices.setdefault(tuple(p), len(vertices) + 1))
        a, b, c, d = corners[:: way[axis]]
        triangles += [(a, b, c), (a, c, d)]
    lines = ["v %d %d %d\n" % p for p in vertices] + ["f %d %d %d\n" % t for t in triangles]
    path.write_text("".join(lines), encoding="ascii")


# ---- bodies: (argument of the command, corners, face normals, directions of edges) in the body's frame ----


def random_box(random, _):
    half = random.uniform(0.15, 0.7, 3)
    corners = np.array(list(itertools.product(*[(-h, h) for h in half])))
    return "box:" + ",".join(repr(float(h)) for h in half), corners, np.eye(3), np.eye(3)


def random_tetrahedron(random, folder):
    corners = 0.5 * random.normal(size=(4, 3))
    corners -= corners.mean(axis=0)
    faces, normals = [], []
    for a, b, c in itertools.combinations(range(4), 3):
        normal = np.cross(corners[b] - corners[a], corners[c] - corners[a])
        outside = normal @ corners[a] > 0  # the middle is the origin
        faces.append((a, b, c) if outside else (a, c, b))
        normals.append(normal / np.linalg.norm(normal))
    lines = ["v %r %r %r\n" % tuple(float(x) for x in p) for p in corners] + ["f %d %d %d\n" % tuple(i + 1 for i in f) for f in faces]
    path = folder / "tetrahedron.obj"
    path.write_text("".join(lines), encoding="ascii")
    edges = [corners[b] - corners[a] for a, b in itertools.combinations(range(4), 2)]
    return str(path), corners, np.array(normals), np.array([e / np.linalg.norm(e) for e in edges])


def random_rotation(random):
    x, y, z, w = q = (lambda v: v / np.linalg.norm(v))(random.normal(size=4))
    rows = [
        [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
        [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
        [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
    ]
    return q, np.array(rows)


# ---- the shortest way out ----


def least_translation(normals, heights):
    """The least t with normals t >= heights; None if there is none."""
    if np.all(heights <= 1e-13):
        return np.zeros(3)
    for count in (1, 2, 3):
        best = None
        for chosen in itertools.combinations(range(len(heights)), count):
            n, h = normals[list(chosen)], heights[list(chosen)]
            product = n @ n.T
            if abs(np.linalg.det(product)) < 1e-12:
                continue
            weights = np.linalg.solve(product, h)
            t = n.T @ weights
            if np.all(weights >= -1e-12) and np.all(normals @ t >= heights - 1e-10) and (best is None or t @ t < best @ best):
                best = t
        if best is not None:
            return best
    return None


class Ways:
    """The translations of a body out of cubes: it is outside a cube if it is so along one of the normals of faces and crossed edges."""

    def __init__(self, cells, corners, normals, edges):
        crossed = [np.cross(e, axis) for e in edges for axis in np.eye(3)]
        crossed = [c / np.linalg.norm(c) for c in crossed if np.linalg.norm(c) > 1e-9]
        half = np.array([*np.eye(3), *normals, *crossed])
        self.normals = np.concatenate([half, -half])
        top = np.array([self.normals @ np.array(cell) + np.maximum(self.normals, 0.0).sum(axis=1) for cell in cells])
        self.heights = top - (corners @ self.normals.T).min(axis=0)  # [cube, normal]

    def deepest(self, t):
        """The cube in which the moved body is deepest, and how deep."""
        depths = (self.heights - self.normals @ t).min(axis=1)
        return depths.argmax(), depths.max()

    def search(self, faces, t, best):
        length = np.linalg.norm(t)
        cube, depth = self.deepest(t)
        if length >= best - 1e-12 or depth <= 1e-9:
            return min(best, length)
        tried = []
        for normal in range(len(self.normals)):
            more = [*faces, (cube, normal)]
            next_t = least_translation(self.normals[[n for _, n in more]], np.array([self.heights[f] for f in more]))
            if next_t is not None:
                tried.append((np.linalg.norm(next_t), normal, more, next_t))
        for way in sorted(tried, key=lambda way: way[:2]):
            best = self.search(way[2], way[3], best)
        return best


# ---- the comparison ----


def contacts_of(command, body, mesh, position, rotation):
    pose = ",".join(repr(float(x)) for x in (*position, *rotation))
    done = subprocess.run([str(command), "collide", body, f"trimesh:{mesh}", "--pose-a", pose, "--json"], stdout=subprocess.PIPE, text=True, check=True)
    contacts = {}
    for c in json.loads(done.stdout)["contacts"]:
        key = tuple(round(x, 9) for x in c["normal"])
        contacts[key] = max(contacts.get(key, 0.0), -c["gap"])
    return np.array(list(contacts), dtype=float).reshape(-1, 3), np.array(list(contacts.values()))


def one_pose(command, random, make, folder):
    """("exact" | "longer" | "stays", its error over the body's size); None for a pose that does not fit."""
    cells = polycube(random)
    mesh = folder / "solid.obj"
    write_surface(cells, mesh)
    argument, corners, normals, edges = make(random, folder)
    rotation, turn = random_rotation(random)
    position = np.array(cells[random.integers(len(cells))]) + random.uniform(-0.6, 1.6, 3)
    ways = Ways(cells, corners @ turn.T + position, normals @ turn.T, edges @ turn.T)
    size = np.linalg.norm(corners.max(axis=0) - corners.min(axis=0))
    if ways.deepest(np.zeros(3))[1] < 1e-4 * size:
        return None
    exact = ways.search([], np.zeros(3), 0.25 * size)
    if exact >= 0.25 * size - 1e-9:
        return None
    t = least_translation(*contacts_of(command, argument, mesh, position, rotation))
    left = size if t is None else ways.deepest(t)[1]
    if left > SAME * size:
        return "stays", left / size
    extra = (np.linalg.norm(t) - exact) / size
    return ("exact" if abs(extra) < SAME else "longer"), extra


def table(command, samples):
    lines = ["| body | poses | shortest | longer | extra / size | not out | left / size |", "|---|--:|--:|--:|--:|--:|--:|"]
    for name, make, seed in (("box", random_box, 1), ("tetrahedron", random_tetrahedron, 2)):
        random, results = np.random.default_rng(seed), []
        with tempfile.TemporaryDirectory() as folder:
            while len(results) < samples:
                result = one_pose(command, random, make, pathlib.Path(folder))
                results += [result] if result else []
        of = {kind: [error for found, error in results if found == kind] for kind in ("exact", "longer", "stays")}
        most = {kind: f"{max(errors):.2g}" if errors else "" for kind, errors in of.items()}
        cells = [name, samples, len(of["exact"]), len(of["longer"]), most["longer"], len(of["stays"]), most["stays"]]
        lines.append("| " + " | ".join(str(cell) for cell in cells) + " |")
    return "\n".join(lines)


TEXT = """# Bodies deep in solids

Written by `/usr/bin/python3 scripts/measure/deep_bodies.py --samples {samples}`; do not edit. The method: [meshes](../methods/meshes.md#limits).

Boxes and tetrahedra in meshes of 3 to 7 unit cubes that form one solid, in random poses, up to 25 % of the body's size deep. The least translation that ends all
contacts of `abut collide` is compared with the shortest way out, which a search over the faces of all sums of a cube and the mirrored body finds.

* *shortest*: both are equally long, to a millionth of the size.
* *longer*: the translation leads out, but is longer than necessary, at most by *extra*.
* *not out*: after the translation the body still overlaps the solid, at most by *left*.

{table}
"""


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--command", type=pathlib.Path, default=ROOT / "build" / "release" / "abut", help="default: build/release/abut")
    parser.add_argument("--samples", type=int, default=300, help="poses of each body (default 300)")
    parser.add_argument("--output", type=pathlib.Path, default=ROOT / "docs" / "results" / "deep_bodies.md", help="the document to write")
    options = parser.parse_args(arguments)
    options.output.write_text(TEXT.format(samples=options.samples, table=table(options.command, options.samples)), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
