"""scripts/make/grains.py: its output equals the committed files, and the meshes are closed, outward, well shaped, and smooth or round."""

import contextlib
import io
import math
import os
import pathlib
import sys
import tempfile
import unittest
import unittest.mock

try:
    import numpy as np
except ImportError:
    print("skipped: Python has no numpy")
    sys.exit(77)

ROOT = pathlib.Path(os.environ.get("ABUT_TEST_SOURCE_DIR", pathlib.Path(__file__).resolve().parents[2]))
MESHES = ROOT / "scenes" / "meshes"
sys.path.insert(0, str(ROOT / "scripts" / "make"))

import grains  # noqa: E402

VOLUME = 4 / 3 * math.pi * grains.RADIUS**3
FILES = grains.all_files()


class Mesh:
    def __init__(self, name):
        vertices, self.groups, group = [], {}, None
        for line in (MESHES / f"{name}.obj").read_text(encoding="ascii").splitlines():
            word, *values = line.split()
            if word == "v":
                vertices.append([float(x) for x in values])
            elif word == "g":
                group = self.groups.setdefault(values[0], [])
            elif word == "f":
                group.append([int(x) - 1 for x in values])
        self.vertices = np.array(vertices)
        self.triangles = np.array([t for group in self.groups.values() for t in group])

    def corners(self, triangles=None):
        return self.vertices[self.triangles if triangles is None else np.array(triangles)]

    def volume(self):
        a, b, c = np.moveaxis(self.corners(), 1, 0)
        return float((a * np.cross(b, c)).sum()) / 6

    def sides(self):
        """The number of times that each side occurs in each direction."""
        found = {}
        for t in self.triangles.tolist():
            for k in range(3):
                side = (t[k], t[(k + 1) % 3])
                found[side] = found.get(side, 0) + 1
        return found

    def angles(self, triangles=None):
        """[degrees]"""
        p = self.corners(triangles)
        ways = [np.roll(p, -1, axis=1) - p, np.roll(p, 1, axis=1) - p]
        cosine = (ways[0] * ways[1]).sum(axis=2) / np.linalg.norm(ways[0], axis=2) / np.linalg.norm(ways[1], axis=2)
        return np.degrees(np.arccos(np.clip(cosine, -1, 1)))

    def bends(self):
        """Angles between the normals of neighbours [degrees]."""
        a, b, c = np.moveaxis(self.corners(), 1, 0)
        normals = np.cross(b - a, c - a)
        normals /= np.linalg.norm(normals, axis=1)[:, None]
        owner = {(t[k], t[(k + 1) % 3]): f for f, t in enumerate(self.triangles.tolist()) for k in range(3)}
        pairs = np.array([(f, owner[side[1], side[0]]) for side, f in owner.items()])
        return np.degrees(np.arccos(np.clip((normals[pairs[:, 0]] * normals[pairs[:, 1]]).sum(axis=1), -1, 1)))


class Grains(unittest.TestCase):
    def test_the_script_writes_what_is_committed(self):
        for name, text in FILES.items():
            self.assertEqual((MESHES / name).read_text(encoding="ascii"), text, f"{name}: run scripts/make/grains.py")

    def test_check_finds_a_changed_and_a_missing_file(self):
        with tempfile.TemporaryDirectory() as folder, unittest.mock.patch.object(grains, "all_files", lambda: FILES):
            for name, text in FILES.items():
                pathlib.Path(folder, name).write_text(text, encoding="ascii")
            self.assertEqual(grains.main(["-o", folder, "--check"]), 0)
            pathlib.Path(folder, "pear.obj").write_text("v 0 0 0\n", encoding="ascii")
            pathlib.Path(folder, "hopper.obj").unlink()
            said = io.StringIO()
            with contextlib.redirect_stderr(said):
                self.assertEqual(grains.main(["-o", folder, "--check"]), 1)
            self.assertIn("pear.obj", said.getvalue())
            self.assertIn("hopper.obj", said.getvalue())
            self.assertNotIn("pebble.obj", said.getvalue())

    def test_all_are_closed_and_outward(self):
        for name, holes in (("grain_ball", 0), ("pear", 0), ("pebble", 0), ("gummy_bear", 0), ("hopper", 1)):
            mesh = Mesh(name)
            sides = mesh.sides()
            self.assertTrue(all(n == 1 and sides.get((b, a)) == 1 for (a, b), n in sides.items()), name)
            self.assertEqual(len(mesh.vertices) - len(sides) // 2 + len(mesh.triangles), 2 - 2 * holes, name)
            self.assertEqual(len(np.unique(mesh.vertices, axis=0)), len(mesh.vertices), name)
            self.assertGreater(mesh.volume(), 0, name)

    def test_grains_have_one_volume_about_their_centroid(self):
        for name in ("pear", "pebble", "gummy_bear"):
            mesh = Mesh(name)
            volume, centre = grains.mass(mesh.vertices, mesh.triangles)
            self.assertAlmostEqual(volume / VOLUME, 1, delta=1e-6)
            self.assertLess(np.abs(centre).max(), 1e-9)

    def test_the_ball_is_round(self):
        mesh = Mesh("grain_ball")
        self.assertEqual(len(mesh.triangles), 320)
        self.assertLess(np.abs(np.linalg.norm(mesh.vertices, axis=1) / grains.RADIUS - 1).max(), 1e-10)

    def test_no_triangle_is_thin_and_no_edge_sharp(self):
        for name, count, least, most, sharp in (("grain_ball", (320, 320), 50, 75, 20), ("pear", (320, 320), 24, 115, 45),
                                                ("pebble", (320, 320), 30, 100, 45), ("gummy_bear", (640, 1280), 35, 100, 70)):  # its creases
            mesh = Mesh(name)
            angles, bends = mesh.angles(), mesh.bends()
            with self.subTest(name):
                self.assertTrue(count[0] <= len(mesh.triangles) <= count[1], len(mesh.triangles))
                self.assertGreater(angles.min(), least)
                self.assertLess(angles.max(), most)
                self.assertLess(bends.max(), sharp)

    def test_the_bear_has_ears_arms_and_legs(self):
        """Sections of the bear: two ears at the top, then a head, then arms before the belly, two legs below."""
        vertices = Mesh("gummy_bear").vertices
        low, high = vertices.min(axis=0), vertices.max(axis=0)
        top = vertices[vertices[:, 2] > high[2] - 0.04 * (high[2] - low[2])]
        self.assertTrue((top[:, 0] > 0.001).any() and (top[:, 0] < -0.001).any())
        self.assertGreater(np.abs(top[:, 0]).min(), 0.0005)
        front = vertices[vertices[:, 1] > high[1] - 0.15 * (high[1] - low[1])]
        arms = front[front[:, 2] > 0]
        legs = front[front[:, 2] < -0.002]
        for limbs in (arms, legs):
            self.assertTrue((limbs[:, 0] > 0.001).any() and (limbs[:, 0] < -0.001).any())


class Hopper(unittest.TestCase):
    def setUp(self):
        self.mesh, self.size = Mesh("hopper"), grains.HOPPER
        self.radius = np.hypot(self.mesh.vertices[:, 0], self.mesh.vertices[:, 1])

    def test_its_groups(self):
        n = self.size["sides"]
        self.assertEqual({name: len(t) for name, t in self.mesh.groups.items()}, {"walls": 10 * 2 * n, "outlet": 4 * 2 * n, "rim": 4 * 2 * n})

    def test_its_inside_is_as_wide_as_it_says(self):
        height = self.mesh.vertices[:, 2]
        self.assertAlmostEqual(self.radius.min(), self.size["outlet"], delta=0.0005)
        upper = self.radius[height > self.size["cone"] + 0.01]
        self.assertAlmostEqual(upper.min(), self.size["top"], delta=1e-9)
        self.assertAlmostEqual(self.radius.max(), self.size["top"] + self.size["wall"], delta=1e-9)

    def test_its_lips_are_round(self):
        """The ends of the wall lie half its thickness from its middle line, at the lower and the upper end."""
        half, ends = self.size["wall"] / 2, {"outlet": (self.size["outlet"], 0.0), "rim": (self.size["top"], self.size["cone"] + self.size["cylinder"])}
        for name, (radius, height) in ends.items():
            used = np.unique(self.mesh.groups[name])
            away = np.hypot(self.radius[used] - radius - half, self.mesh.vertices[used, 2] - height)
            self.assertLess(np.abs(away / half - 1).max(), 1e-6, name)

    def test_its_volume(self):
        """By Pappus' theorem: a wall and two half discs, revolved about the axis; the polygonal mesh has less volume."""
        s = self.size
        half, n = s["wall"] / 2, s["sides"]
        slant = math.hypot(s["top"] - s["outlet"], s["cone"])
        wall = 2 * half * (slant * (s["top"] + s["outlet"] + s["wall"]) / 2 + s["cylinder"] * (s["top"] + half))
        lips = math.pi * half**2 / 2 * (s["top"] + s["outlet"] + s["wall"])
        polygon = math.sin(2 * math.pi / n) / (2 * math.pi / n)
        self.assertAlmostEqual(self.mesh.volume() / (2 * math.pi * (wall + lips) * polygon), 1, delta=0.01)


if __name__ == "__main__":
    unittest.main()
