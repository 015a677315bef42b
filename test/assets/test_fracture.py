"""Tests of scripts/make/fracture.py: the pieces are closed, convex and outward, fill the block without overlap and share their faces exactly."""

import itertools
import math
import os
import pathlib
import random
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(os.environ.get("ABUT_TEST_SOURCE_DIR", pathlib.Path(__file__).resolve().parents[2]))
SCRIPT = ROOT / "scripts" / "make" / "fracture.py"
sys.path.insert(0, str(ROOT / "scripts" / "make"))

import fracture  # noqa: E402


def minus(a, b):
    return tuple(x - y for x, y in zip(a, b))


def det3(a, b, c):
    return a[0] * (b[1] * c[2] - b[2] * c[1]) - a[1] * (b[0] * c[2] - b[2] * c[0]) + a[2] * (b[0] * c[1] - b[1] * c[0])


def unit_normal(ring):
    """Area vector of a polygon by Newell's sums; the script uses another method."""
    n = [0.0, 0.0, 0.0]
    for p, q in zip(ring, ring[1:] + ring[:1]):
        n[0] += (p[1] - q[1]) * (p[2] + q[2])
        n[1] += (p[2] - q[2]) * (p[0] + q[0])
        n[2] += (p[0] - q[0]) * (p[1] + q[1])
    length = math.sqrt(math.fsum(x * x for x in n))
    return tuple(x / length for x in n)


def signed_volume(vertices, faces):
    """By tetrahedra from the origin of the frame."""
    return math.fsum(det3(vertices[f[0]], vertices[f[k]], vertices[f[k + 1]]) / 6 for f in faces for k in range(1, len(f) - 1))


def read_obj(path):
    """{group: (vertices, faces)} of an OBJ file with polygons and positive indices."""
    points, groups, current = [], {}, None
    for line in pathlib.Path(path).read_text(encoding="ascii").splitlines():
        word, *rest = line.split()
        if word == "v":
            points.append(tuple(float(x) for x in rest))
        elif word == "g":
            current = groups.setdefault(rest[0], [])
        elif word == "f":
            current.append([int(x) - 1 for x in rest])
    result = {}
    for name, faces in groups.items():
        used = sorted({i for f in faces for i in f})
        result[name] = ([points[i] for i in used], [[used.index(i) for i in f] for f in faces])
    return result


class Pieces(unittest.TestCase):
    """Checks for the block of scenes/fractured_block.json and some others."""

    @classmethod
    def setUpClass(cls):
        cls.cases = []
        for size, count, seed, relax in (
            ((1.0, 1.0, 1.0), 60, 11, 0),
            ((1e-4, 2e-4, 5e-5), 40, 12, 1),
            ((3e4, 1e4, 2e4), 40, 13, 2),
            ((1.0, 1.0, 1.0), 2, 14, 0),
        ):
            sites, pieces = fracture.fracture(count, size, seed, 0.0, relax)
            cls.cases.append((size, sites, [(p.vertices, p.faces) for p in pieces]))

    def test_they_are_closed(self):
        for _, _, pieces in self.cases:
            for vertices, faces in pieces:
                edges = [e for f in faces for e in zip(f, f[1:] + f[:1])]
                self.assertEqual(len(edges), len(set(edges)))
                self.assertEqual({(b, a) for a, b in edges}, set(edges))
                self.assertEqual(len(vertices) - len(edges) // 2 + len(faces), 2)

    def test_they_are_convex_with_flat_outward_faces(self):
        for size, _, pieces in self.cases:
            worst = 0.0
            for vertices, faces in pieces:
                for face in faces:
                    ring = [vertices[i] for i in face]
                    normal = unit_normal(ring)
                    for i, vertex in enumerate(vertices):
                        height = math.fsum(n * x for n, x in zip(normal, minus(vertex, ring[0])))
                        worst = max(worst, abs(height) if i in face else height)
            self.assertLess(worst, 1e-12 * max(size))

    def test_neighbouring_faces_are_not_coplanar(self):
        for _, _, pieces in self.cases:
            for vertices, faces in pieces:
                normals = [unit_normal([vertices[i] for i in f]) for f in faces]
                for a, b in itertools.combinations(normals, 2):
                    self.assertGreater(math.dist(a, b), 1e-3)

    def test_they_fill_the_block(self):
        for size, _, pieces in self.cases:
            block = size[0] * size[1] * size[2]
            volumes = [signed_volume(v, f) for v, f in pieces]
            self.assertGreater(min(volumes), 0)
            self.assertLess(abs(math.fsum(volumes) / block - 1), 1e-9)
            for vertices, _ in pieces:
                for vertex in vertices:
                    self.assertTrue(all(abs(x) <= s / 2 for x, s in zip(vertex, size)))

    def test_a_face_is_on_a_wall_or_is_exactly_the_face_of_one_neighbour(self):
        for size, _, pieces in self.cases:
            rings = {}
            inner = 0
            for vertices, faces in pieces:
                for face in faces:
                    ring = [vertices[i] for i in face]
                    first = ring.index(min(ring))
                    ring = tuple(ring[first:] + ring[:first])
                    self.assertNotIn(ring, rings)
                    rings[ring] = any(len({v[k] for v in ring}) == 1 and abs(ring[0][k]) == size[k] / 2 for k in range(3))
            for ring, on_wall in rings.items():
                back = (ring[0],) + ring[:0:-1]
                self.assertNotEqual(on_wall, back in rings)
                inner += not on_wall
            self.assertGreaterEqual(inner, 2 * (len(pieces) - 1))

    def test_a_point_is_in_the_piece_of_the_nearest_site(self):
        seed = 20
        rng = random.Random(seed)
        for size, sites, pieces in self.cases:
            planes = [[(unit_normal([v[i] for i in f]), v[f[0]]) for f in faces] for v, faces in pieces]
            for _ in range(200):
                point = tuple((rng.random() - 0.5) * s for s in size)
                inside = [
                    k
                    for k, faces in enumerate(planes)
                    if all(sum(n * x for n, x in zip(normal, minus(point, on))) <= 0 for normal, on in faces)
                ]
                nearest = min(range(len(sites)), key=lambda k: math.dist(point, sites[k]))
                self.assertEqual(inside, [nearest], f"seed {seed}, point {point}")


class Gap(unittest.TestCase):
    def test_it_moves_every_inner_face_back_by_half(self):
        gap = 0.004
        sites, pieces = fracture.fracture(30, (1.0, 1.0, 1.0), 5, gap, 1)
        for piece in pieces:
            own = sites[piece.site]
            for face in piece.faces:
                ring = [piece.vertices[i] for i in face]
                normal = unit_normal(ring)
                if max(map(abs, normal)) > 1 - 1e-9:
                    continue
                height = math.fsum(n * x for n, x in zip(normal, minus(ring[0], own)))
                distances = [math.dist(own, s) / 2 - gap / 2 for s in sites if s != own]
                self.assertLess(min(abs(height - d) for d in distances), 1e-12)

    def test_one_wider_than_the_points_are_apart_is_refused(self):
        with self.assertRaises(fracture.FractureError):
            fracture.fracture(30, (1.0, 1.0, 1.0), 5, 0.5, 0)


class Command(unittest.TestCase):
    def call(self, *arguments):
        return subprocess.run([sys.executable, str(SCRIPT), *arguments], capture_output=True, text=True, check=False)

    def test_the_same_seed_gives_the_same_file_and_another_seed_another(self):
        first, again, other = (self.call("--pieces", "12", "--seed", s).stdout for s in ("3", "3", "4"))
        self.assertEqual(first, again)
        self.assertNotEqual(first.splitlines()[1:], other.splitlines()[1:])

    def test_the_file_holds_the_pieces_to_the_last_bit(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "block.obj")
            result = self.call("--pieces", "25", "--size", "2", "1", "0.5", "--seed", "8", "-o", path)
            self.assertEqual(result.returncode, 0, result.stderr)
            self.assertIn("25 pieces", result.stderr)
            self.assertEqual(os.listdir(folder), ["block.obj"])
            groups = read_obj(path)
        _, pieces = fracture.fracture(25, (2.0, 1.0, 0.5), 8)
        self.assertEqual(len(groups), 25)
        for (vertices, faces), piece in zip(groups.values(), pieces):
            written = [[vertices[i] for i in f] for f in faces]
            self.assertEqual(written, [[piece.vertices[i] for i in f] for f in piece.faces])

    def test_bad_options_end_with_one_line_and_status_2(self):
        for arguments in (
            ["--pieces", "1"],
            ["--size", "1", "0", "1"],
            ["--size", "1", "nan", "1"],
            ["--gap", "-1"],
            ["--pieces", "3", "-o", "/nonexistent/x.obj"],
        ):
            result = self.call(*arguments)
            self.assertEqual(result.returncode, 2, arguments)
            self.assertEqual(len(result.stderr.strip().splitlines()), 1, result.stderr)
            self.assertEqual(result.stdout, "")

    def test_help_names_every_option(self):
        text = self.call("--help").stdout
        for option in ("--pieces", "--size", "--seed", "--gap", "--relax", "--output"):
            self.assertIn(option, text)


class CommittedBlock(unittest.TestCase):
    """scenes/meshes/block.obj, as read from the file."""

    def test_it_has_at_least_300_convex_pieces_that_fill_it(self):
        groups = read_obj(ROOT / "scenes" / "meshes" / "block.obj")
        self.assertGreaterEqual(len(groups), 300)
        low = [min(v[k] for vs, _ in groups.values() for v in vs) for k in range(3)]
        high = [max(v[k] for vs, _ in groups.values() for v in vs) for k in range(3)]
        block = math.prod(h - b for b, h in zip(low, high))
        self.assertLess(abs(math.fsum(signed_volume(v, f) for v, f in groups.values()) / block - 1), 1e-9)
        for name, (vertices, faces) in groups.items():
            for face in faces:
                normal = unit_normal([vertices[i] for i in face])
                height = max(math.fsum(n * x for n, x in zip(normal, minus(v, vertices[face[0]]))) for v in vertices)
                self.assertLess(height, 1e-12, name)


if __name__ == "__main__":
    unittest.main()
