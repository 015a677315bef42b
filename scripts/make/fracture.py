#!/usr/bin/env python3
"""Break a block into convex pieces: the Voronoi cells of random points, as an OBJ file with one group per piece.

The pieces fill the block. Each is convex; its faces are flat polygons, counter-clockwise seen from outside. A vertex of several
pieces has the same coordinates in each of them: it is computed once, in rational arithmetic, from the points whose cells meet there, and
rounded once. So neighbours share their faces to the last bit, and the same options give the same file on every machine. The script needs only
Python's standard library.

The frame is the block's: the origin in its middle, its edges along the axes.
"""

import argparse
import math
import os
import random
import sys
import tempfile
from fractions import Fraction

# A plane of a cell has a generator: another point (its index, >= 0) or a wall of the block, -1 to -6 for -x, +x, -y, +y, -z, +z.
WALLS = range(-6, 0)

# A vertex nearer to a cutting plane than this, relative to the block, could be on either side by rounding; such points are refused.
TIE = 1e-11


class FractureError(Exception):
    """The block cannot be broken with these options."""


class Piece:
    """A convex piece: the index of its point, its vertices and its faces (indices into them, counter-clockwise seen from outside)."""

    def __init__(self, site, vertices, faces):
        self.site = site
        self.vertices = vertices
        self.faces = faces


def dot(a, b):
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def sub(a, b):
    return (a[0] - b[0], a[1] - b[1], a[2] - b[2])


def cross(a, b):
    return (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])


def wall_plane(size, wall):
    """(normal, offset) of a wall of the block; inside is normal . x <= offset."""
    axis, positive = divmod(wall + 6, 2)
    normal = [0.0, 0.0, 0.0]
    normal[axis] = 1.0 if positive else -1.0
    return tuple(normal), size[axis] / 2


def bisector(own, other, gap):
    """(unit normal, offset) of the plane between two points, moved towards `own` by half the gap."""
    normal = sub(other, own)
    length = math.sqrt(dot(normal, normal))
    normal = (normal[0] / length, normal[1] / length, normal[2] / length)
    middle = ((own[0] + other[0]) / 2, (own[1] + other[1]) / 2, (own[2] + other[2]) / 2)
    return normal, dot(normal, middle) - gap / 2


def block_cell(size):
    """The whole block as {generator: ring of vertex keys} and {vertex key: position}; a key is the set of the planes that meet there."""
    rings = {}
    positions = {}
    for wall in WALLS:
        axis, positive = divmod(wall + 6, 2)
        u, v = (axis + 1) % 3, (axis + 2) % 3
        corners = [(0, 0), (1, 0), (1, 1), (0, 1)]
        ring = []
        for cu, cv in corners if positive else reversed(corners):
            key = frozenset((wall, 2 * u + cu - 6, 2 * v + cv - 6))
            position = [0.0, 0.0, 0.0]
            for one in key:
                one_axis, one_positive = divmod(one + 6, 2)
                position[one_axis] = size[one_axis] / 2 if one_positive else -size[one_axis] / 2
            positions[key] = tuple(position)
            ring.append(key)
        rings[wall] = ring
    return rings, positions


def clip_cell(rings, positions, generator, plane, tie):
    """Cut the cell by a plane and keep what lies below it. Returns whether anything was cut off; the cell is changed in place."""
    normal, offset = plane
    height = {key: dot(normal, position) - offset for key, position in positions.items()}
    if all(h < -tie for h in height.values()):
        return False
    if any(abs(h) <= tie for h in height.values()):
        raise FractureError("more than four cells (or walls) meet in one point; choose another seed")
    following = {}
    for face in list(rings):
        ring, cut = rings[face], []
        for i, key in enumerate(ring):
            after = ring[(i + 1) % len(ring)]
            if height[key] < 0:
                cut.append(key)
            if (height[key] < 0) != (height[after] < 0):
                new = (key & after) | {generator}
                t = height[key] / (height[key] - height[after])
                p, q = positions[key], positions[after]
                positions.setdefault(new, (p[0] + t * (q[0] - p[0]), p[1] + t * (q[1] - p[1]), p[2] + t * (q[2] - p[2])))
                cut.append(new)
                if height[key] < 0:
                    leaving = new
                else:
                    entering = new
        if len(cut) != len(ring) or cut != ring:
            if not cut:
                del rings[face]
                continue
            rings[face] = cut
            # The face's new edge runs from `leaving` to `entering`; the lid runs along it the other way.
            following[entering] = leaving
    for key, h in height.items():
        if h > 0:
            del positions[key]
    start = min(following, key=sorted)
    lid = [start]
    while following[lid[-1]] != start:
        lid.append(following[lid[-1]])
    rings[generator] = lid
    return True


def cell_of(index, sites, size, gap):
    """The Voronoi cell of a point, cut out of the block by the other points from near to far."""
    own = sites[index]
    rings, positions = block_cell(size)
    squared = sorted((dot(d, d), other) for other, d in ((j, sub(s, own)) for j, s in enumerate(sites)) if other != index)
    tie = TIE * max(size)
    for distance2, other in squared:
        reach2 = max(dot(d, d) for d in (sub(p, own) for p in positions.values()))
        if math.sqrt(distance2) - gap > 2 * math.sqrt(reach2):
            break
        plane = bisector(own, sites[other], gap)
        if plane[1] < dot(plane[0], own):
            raise FractureError("the gap is wider than the distance of two points")
        clip_cell(rings, positions, other, plane, tie)
    return rings, positions


def solve3(rows):
    """The point where three planes (a, b, c, d): a x + b y + c z = d meet, in rational arithmetic, rounded once."""
    m = [[Fraction(value) for value in row] for row in rows]
    one, two, three = m
    c23 = cross(two[:3], three[:3])
    c31 = cross(three[:3], one[:3])
    c12 = cross(one[:3], two[:3])
    det = dot(one[:3], c23)
    return tuple(float((one[3] * c23[k] + two[3] * c31[k] + three[3] * c12[k]) / det) for k in range(3))


def exact_vertex(key, index, sites, size, gap):
    """Where the three planes of `key` meet the cell of point `index`; without a gap, the same for all cells that meet there."""
    rows = []
    for wall in sorted(g for g in key if g < 0):
        normal, offset = wall_plane(size, wall)
        rows.append((*normal, offset))
    if gap > 0:
        for other in sorted(g for g in key if g >= 0):
            normal, offset = bisector(sites[index], sites[other], gap)
            rows.append((*normal, offset))
        return solve3(rows)
    first, *others = sorted([g for g in key if g >= 0] + [index])
    a = [Fraction(x) for x in sites[first]]
    for other in others:
        b = [Fraction(x) for x in sites[other]]
        rows.append((2 * (b[0] - a[0]), 2 * (b[1] - a[1]), 2 * (b[2] - a[2]), dot(b, b) - dot(a, a)))
    return solve3(rows)


def volume_and_centroid(vertices, faces):
    """Volume and centroid of a polyhedron by tetrahedra from its first vertex."""
    apex = vertices[0]
    volumes, moments = [], ([], [], [])
    for face in faces:
        a = sub(vertices[face[0]], apex)
        for k in range(1, len(face) - 1):
            b, c = sub(vertices[face[k]], apex), sub(vertices[face[k + 1]], apex)
            six = dot(a, cross(b, c))
            volumes.append(six / 6)
            for axis in range(3):
                moments[axis].append(six / 24 * (a[axis] + b[axis] + c[axis]))
    volume = math.fsum(volumes)
    return volume, tuple(apex[k] + math.fsum(moments[k]) / volume for k in range(3))


def index_cell(rings, positions):
    """(keys, vertices, faces) of a cell, in an order that depends only on the cell."""
    keys = sorted(positions, key=sorted)
    number = {key: i for i, key in enumerate(keys)}
    faces = [[number[key] for key in rings[generator]] for generator in sorted(rings)]
    return keys, [positions[key] for key in keys], faces


def fracture(pieces, size=(1.0, 1.0, 1.0), seed=1, gap=0.0, relax=1, progress=None):
    """Break a block of the given size. Returns the points and the pieces, one for each point.

    relax  how often each point is moved to the middle of its cell first: 0 leaves splinters, more makes the pieces more alike
    """
    if pieces < 2:
        raise FractureError("at least 2 pieces")
    if not all(math.isfinite(s) and s > 0 for s in size):
        raise FractureError("the size must be three positive numbers")
    if not (math.isfinite(gap) and gap >= 0):
        raise FractureError("the gap must not be negative")
    rng = random.Random(seed)
    sites = [tuple((rng.random() - 0.5) * s for s in size) for _ in range(pieces)]
    total = pieces * (relax + 1)
    done = 0
    for sweep in range(relax + 1):
        last = sweep == relax
        result = []
        for index in range(pieces):
            rings, positions = cell_of(index, sites, size, gap if last else 0.0)
            keys, vertices, faces = index_cell(rings, positions)
            if last:
                vertices = [exact_vertex(key, index, sites, size, gap) for key in keys]
                result.append(Piece(index, vertices, faces))
            else:
                result.append(volume_and_centroid(vertices, faces)[1])
            done += 1
            if progress:
                progress(done, total)
        if not last:
            sites = result
    return sites, result


def measure(pieces):
    """(total volume, worst dent, shortest edge); a dent: a vertex above the plane of a face, or a face's own vertex off it."""
    volume, dent, shortest = [], 0.0, math.inf
    for piece in pieces:
        vertices = piece.vertices
        volume.append(volume_and_centroid(vertices, piece.faces)[0])
        for face in piece.faces:
            ring = [vertices[i] for i in face]
            normal = (0.0, 0.0, 0.0)
            for k in range(1, len(ring) - 1):
                c = cross(sub(ring[k], ring[0]), sub(ring[k + 1], ring[0]))
                normal = (normal[0] + c[0], normal[1] + c[1], normal[2] + c[2])
            length = math.sqrt(dot(normal, normal))
            for i, vertex in enumerate(vertices):
                height = dot(normal, sub(vertex, ring[0])) / length
                dent = max(dent, abs(height) if i in face else height)
            for a, b in zip(ring, ring[1:] + ring[:1]):
                shortest = min(shortest, math.dist(a, b))
    return math.fsum(volume), dent, shortest


def obj_text(pieces, comment):
    """The OBJ file: one group per piece; a vertex shared by several pieces is written once."""
    lines = [f"# {comment}"]
    number = {}
    digits = len(str(len(pieces) - 1))
    for i, piece in enumerate(pieces):
        for vertex in piece.vertices:
            if vertex not in number:
                number[vertex] = len(number) + 1
                lines.append("v {!r} {!r} {!r}".format(*(x + 0.0 for x in vertex)))
        lines.append(f"g piece_{i:0{digits}d}")
        lines.extend("f " + " ".join(str(number[piece.vertices[k]]) for k in face) for face in piece.faces)
    return "\n".join(lines) + "\n"


def write_whole(path, text):
    """Write a file under a temporary name in its folder and rename it, so that a failure does not change an older file."""
    handle, temporary = tempfile.mkstemp(dir=os.path.dirname(os.path.abspath(path)), prefix=".fracture-")
    try:
        with os.fdopen(handle, "w", encoding="ascii") as out:
            out.write(text)
        os.chmod(temporary, 0o644)
        os.replace(temporary, path)
    except BaseException:
        os.unlink(temporary)
        raise


def show_progress(done, total):
    """A counter on the terminal; nothing when stderr is a file."""
    if sys.stderr.isatty() and (done % 10 == 0 or done == total):
        print(f"\rcells {done}/{total}", end="\n" if done == total else "", file=sys.stderr, flush=True)


def parse_arguments(arguments):
    parser = argparse.ArgumentParser(
        prog="fracture.py",
        description="Break a block into convex Voronoi pieces and write them as an OBJ file with one group per piece.",
        epilog="Example: fracture.py --pieces 320 --size 1.5 1 1 --seed 3 -o block.obj",
    )
    parser.add_argument("--pieces", type=int, default=320, metavar="N", help="number of pieces, at least 2 (default %(default)s)")
    parser.add_argument(
        "--size", type=float, nargs=3, default=[1.0, 1.0, 1.0], metavar=("X", "Y", "Z"), help="edge lengths of the block (default 1 1 1)"
    )
    parser.add_argument(
        "--seed", type=int, default=1, metavar="N", help="seed of the random points; the same seed gives the same file (default %(default)s)"
    )
    parser.add_argument(
        "--gap", type=float, default=0.0, metavar="LENGTH", help="gap between pieces (default 0: they touch)"
    )
    parser.add_argument(
        "--relax",
        type=int,
        default=1,
        metavar="N",
        help="number of passes that even the pieces out: 0 leaves splinters, 10 makes pieces of similar size (default %(default)s)",
    )
    parser.add_argument("-o", "--output", default="-", metavar="FILE", help="the OBJ file to write (default: standard output)")
    parser.add_argument("-q", "--quiet", action="store_true", help="no progress and no summary")
    return parser.parse_args(arguments)


def main(arguments=None):
    options = parse_arguments(arguments)
    try:
        _, pieces = fracture(
            options.pieces, tuple(options.size), options.seed, options.gap, max(0, options.relax), None if options.quiet else show_progress
        )
        size = " ".join(f"{s:g}" for s in options.size)
        text = obj_text(
            pieces,
            f"fracture.py --pieces {options.pieces} --size {size} --seed {options.seed} --gap {options.gap:g} " f"--relax {options.relax}",
        )
        if options.output == "-":
            sys.stdout.write(text)
        else:
            write_whole(options.output, text)
    except (FractureError, OSError) as error:
        print(f"fracture.py: {error}", file=sys.stderr)
        return 2
    if not options.quiet:
        volume, dent, shortest = measure(pieces)
        block = options.size[0] * options.size[1] * options.size[2]
        print(
            f"{len(pieces)} pieces fill {volume / block:.12f} of the block; worst dent {dent:.2g}, shortest edge {shortest:.2g}",
            file=sys.stderr,
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())
