"""Tests of the scripts that read recordings: measures in closed form on a made-up recording, and each script on a real one."""

import json
import math
import os
import pathlib
import subprocess
import sys
import unittest

ROOT = pathlib.Path(os.environ.get("ABUT_TEST_SOURCE_DIR", pathlib.Path(__file__).resolve().parents[2]))
SCRATCH = pathlib.Path(os.environ.get("ABUT_TEST_SCRATCH_DIR", "/tmp"))
COMMAND = os.environ.get("ABUT_TEST_COMMAND")
sys.path[:0] = [str(ROOT / "scripts" / room) for room in ("make", "measure")]

try:
    import h5py
    import numpy as np
except ImportError:
    print("skipped: Python has no numpy or no h5py")
    sys.exit(77)

import grains  # noqa: E402
import packing_figures  # noqa: E402
import recording  # noqa: E402

CUBE = [[x, y, z] for z in (-1, 1) for y in (-1, 1) for x in (-1, 1)]
CUBE_FACES = [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]]


def quaternion(axis, angle):
    return [*(math.sin(angle / 2) * np.array(axis) / np.linalg.norm(axis)), math.cos(angle / 2)]


def make_recording(path, poses):
    """A cube (body 1), a compound of one rotated cube (body 2) and a floor (body 0); poses [frames][2][7] of bodies 1 and 2."""
    n = len(poses)
    with h5py.File(path, "w") as file:
        file.attrs["title"] = "made up"
        file.attrs["dt"] = 0.1
        for name in ("time", "max_penetration", "kinetic_energy", "potential_energy", "seconds_total", "contacts"):
            file[f"steps/{name}"] = np.arange(n) * 0.1
        file["frames/time"] = np.arange(n) * 0.1
        file["frames/pose"] = np.concatenate([np.tile([0, 0, 0, 0, 0, 0, 1.0], (n, 1, 1)), np.array(poses)], axis=1)
        file["frames/velocity"] = np.zeros((n, 3, 6))
        file["frames/presence"] = np.full((n, 3), 2, dtype=np.int8)
        file["bodies/name"] = np.array([b"floor", b"cube", b"compound"])
        file["bodies/kind"] = np.array([1, 0, 0], dtype=np.int8)
        file["bodies/shape"] = np.array([0, 1, 2], dtype=np.int32)
        kinds = h5py.enum_dtype({"box": 3, "plane": 5, "compound": 6}, basetype=np.int8)
        file.create_dataset("shapes/kind", data=np.array([5, 3, 6], dtype=np.int8), dtype=kinds)
        file["shapes/parameters"] = np.array([[0, 0, 1.0, 0], [0] * 4, [0] * 4])
        file["shapes/vertices"] = np.array(CUBE, dtype=float)
        file["shapes/vertex_first"] = np.array([0, 0, 8, 8])
        file["shapes/face_first"] = np.array([0, 0, 6, 6])
        file["shapes/corner_first"] = np.arange(7) * 4
        file["shapes/corners"] = np.array(CUBE_FACES, dtype=np.int32).ravel()
        file["shapes/part_first"] = np.array([0, 0, 0, 1])
        file["shapes/part_shape"] = np.array([1], dtype=np.int32)
        file["shapes/part_pose"] = np.array([[0, 0, 0, *quaternion([1, 0, 0], 0.2)]])


class Measures(unittest.TestCase):
    def make(self, poses):
        path = SCRATCH / "made_up.h5"
        make_recording(path, poses)
        return recording.Recording(path)

    def test_normals_are_outward_and_those_of_parts_are_turned(self):
        run = self.make([[[0, 0, 0, 0, 0, 0, 1]] * 2])
        cube, compound = run.face_normals(1), run.face_normals(2)
        self.assertEqual(len(run.face_normals(0)), 0)
        np.testing.assert_allclose(
            sorted(map(tuple, cube.round(12))), sorted(map(tuple, np.concatenate([np.eye(3), -np.eye(3)]))), atol=1e-12
        )
        self.assertLess(min(np.linalg.norm(compound - [0, -math.sin(0.2), math.cos(0.2)], axis=1)), 1e-15)

    def test_tilt_is_the_angle_to_the_nearest_face_even_when_it_is_tiny(self):
        angles = [0.0, 1e-12, 1e-7, 0.3, math.pi / 2 - 0.1, math.pi]
        run = self.make([[[0, 0, 0, *quaternion([1, 1, 0], a)], [0, 0, 0, *quaternion([1, 0, 0], a)]] for a in angles])
        expected = [0.0, 1e-12, 1e-7, 0.3, None, 0.0]
        tilt = recording.tilt(run, 1)
        for found, wanted in zip(tilt, expected):
            if wanted is not None:
                self.assertAlmostEqual(found, wanted, delta=1e-15)
        # The compound's faces are rotated by 0.2 in its frame, about the axis of its own rotation.
        np.testing.assert_allclose(recording.tilt(run, 2), [0.2, 0.2 + 1e-12, 0.2 + 1e-7, 0.5, 0.1, 0.2], atol=1e-14)
        np.testing.assert_array_equal(recording.worst_tilt(run), np.maximum(tilt, recording.tilt(run, 2)))

    def test_a_removed_body_counts_nowhere(self):
        gone = [math.nan] * 7
        lying = [0, 0, 0, 0, 0, 0, 1]
        run = self.make([[[0, 0, 0, *quaternion([1, 0, 0], 0.3)], lying], [gone, [0.5, 0, 0, 0, 0, 0, 1]], [gone, [0.1, 0, 0, 0, 0, 0, 1]]])
        np.testing.assert_allclose(recording.worst_tilt(run), [0.3, 0.2, 0.2], atol=1e-15)
        self.assertEqual(recording.drift(run, 0, 2), 0.5)
        self.assertEqual(recording.drift(run, 1, 2), 0.4)


@unittest.skipUnless(COMMAND, "the command was not built")
class Scripts(unittest.TestCase):
    def call(self, script, *arguments):
        return subprocess.run(
            [sys.executable, str(ROOT / "scripts" / script), *map(str, arguments)], capture_output=True, text=True, check=False
        )

    def test_the_event_stepper_is_measured(self):
        page = SCRATCH / "event.md"
        result = self.call("measure/event_figures.py", "--abut", COMMAND, "--scale", "0.05", "-o", page)
        self.assertEqual(result.returncode, 0, result.stderr)
        text = page.read_text()
        committed = (ROOT / "docs" / "results" / "event.md").read_text()
        self.assertEqual([line.split("|")[1] for line in text.splitlines() if "|" in line], [line.split("|")[1] for line in committed.splitlines() if "|" in line])
        self.assertIn("deepest penetration", text)

    def test_both_methods_are_run_and_compared(self):
        page, scene = SCRATCH / "tracking.md", ROOT / "scenes" / "box_drop_flat.json"
        result = self.call("measure/compare_methods.py", scene, "--abut", COMMAND, "--keep", SCRATCH, "--json", "--markdown", page)
        self.assertEqual(result.returncode, 0, result.stderr)
        table = json.loads(result.stdout)["box_drop_flat"]
        self.assertLess(table["largest alignment error, over the rest"]["patch"], 1e-4)
        self.assertGreater(table["mean contacts, over the rest"]["patch"], 0)
        self.assertIn("## box_drop_flat\n", page.read_text())
        self.assertIn(f"| mean contacts, over the rest | {table['mean contacts, over the rest']['patch']:.2g} |", page.read_text())
        scene_of = {}
        for method in ("patch", "tracking"):
            with h5py.File(SCRATCH / f"box_drop_flat_{method}.h5") as file:
                scene_of[method] = json.loads(file["scene"].asstr()[()])["contact"]["method"]
        self.assertEqual(scene_of, {"patch": "patch", "tracking": "tracking"})

    def test_a_recording_is_drawn(self):
        try:
            import matplotlib  # noqa: F401
        except ImportError:
            self.skipTest("Python has no matplotlib")
        run, picture = SCRATCH / "drawn.h5", SCRATCH / "drawn.png"
        subprocess.run([COMMAND, "run", str(ROOT / "scenes" / "first_contact.json"), "-o", str(run)], check=True, capture_output=True)
        result = self.call("draw/plot_run.py", run, run, "-o", picture)
        self.assertEqual((result.returncode, result.stdout.strip()), (0, str(picture)), result.stderr)
        self.assertEqual(picture.read_bytes()[:8], b"\x89PNG\r\n\x1a\n")

    def test_the_porosity_of_a_lattice(self):
        """Touching balls in a cubic lattice: the porosity is 1 - pi / 6, and each ball touches six others. Space is periodic along x and y."""
        radius, n = 0.01, (4, 5, 9)
        bodies = [{"name": "floor", "kind": "static", "shape": {"plane": {"normal": [0, 0, 1]}}}]
        for i, (x, y, z) in enumerate((x, y, z) for x in range(n[0]) for y in range(n[1]) for z in range(n[2])):
            place = [2 * radius * x - 1, 2 * radius * y, (2 * z + 0.999) * radius]
            bodies.append({"name": f"ball_{i}", "shape": {"sphere": {"radius": 1.001 * radius}}, "position": place})
        space = {"x": [-1, -1 + 2 * radius * n[0]], "y": [0, 2 * radius * n[1]]}
        scene, run = SCRATCH / "lattice.json", SCRATCH / "lattice.h5"
        stepper = {"kind": "dem", "periodic": space, "step": 1e-9}
        scene.write_text(json.dumps({"abut_scene": 1, "dt": 1e-9, "duration": 1e-9, "stepper": stepper, "bodies": bodies}))
        subprocess.run([COMMAND, "run", str(scene), "-q", "-o", str(run)], check=True)
        result = self.call("measure/packing_figures.py", run, "--json", "--points", "40", "--margin", 2 / 1.001)
        self.assertEqual(result.returncode, 0, result.stderr)
        figures = json.loads(result.stdout)
        self.assertEqual(figures["bodies"], 4 * 5 * 5)
        self.assertAlmostEqual(figures["diameter"], 2.002 * radius, delta=1e-12)
        self.assertEqual(figures["coordination_number"], 6)
        self.assertAlmostEqual(figures["porosity"], 1 - math.pi / 6, delta=0.01)
        self.assertAlmostEqual(figures["porosity"] + figures["packing_fraction"], 1, delta=1e-12)
        self.assertIn("coordination number    6.000", self.call("measure/packing_figures.py", run).stdout)

    def test_the_porosity_of_turned_boxes(self):
        """Cubes on a square lattice with 1.5 times their side length, turned by 30 degrees, in columns without gaps. The inner region consists of whole
        cells."""
        boxes = []
        for i, (x, y, z) in enumerate((x, y, z) for x in range(4) for y in range(4) for z in range(6)):
            turn = {"axis": [0, 0, 1], "degrees": 30}
            boxes.append({"name": f"box_{i}", "shape": {"box": {"half": [0.5, 0.5, 0.5]}}, "position": [1.5 * x, 1.5 * y, z], "rotation": turn})
        scene, run, picture = SCRATCH / "boxes.json", SCRATCH / "boxes.h5", SCRATCH / "boxes.svg"
        scene.write_text(json.dumps({"abut_scene": 1, "dt": 1e-9, "duration": 1e-9, "gravity": [0, 0, 0], "bodies": boxes}))
        subprocess.run([COMMAND, "run", str(scene), "-q", "-o", str(run)], check=True)
        diameter, reach = (6 / math.pi) ** (1 / 3), (math.cos(math.pi / 6) + math.sin(math.pi / 6)) / 2
        # From the middle of the first cell to the middle of the last: three cells along each axis.
        result = self.call("measure/packing_figures.py", run, "--json", "--points", "40", "--margin", reach / diameter, "--draw", picture)
        self.assertEqual(result.returncode, 0, result.stderr)
        figures = json.loads(result.stdout)
        self.assertAlmostEqual(figures["lower"][0], 0, delta=1e-9)
        self.assertAlmostEqual(figures["upper"][1], 4.5, delta=1e-9)
        self.assertAlmostEqual(figures["porosity"], 1 - 1 / 2.25, delta=0.005)
        self.assertAlmostEqual(figures["diameter"], diameter, delta=1e-12)
        self.assertIsNone(figures["forces"])
        self.assertEqual(picture.read_text(encoding="utf-8").count('class="body"'), 2 * 4 * 6)

    def test_lines_through_edges_and_corners_are_counted_once(self):
        """A grid whose lines pass through edges, diagonals and corners of a box and of an octahedron: the solid itself decides whether a point is inside."""
        np = recording.np
        corners = np.array([(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], float)
        faces = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
        box = corners[[(f[0], f[k - 1], f[k]) for f in faces for k in (2, 3)]]
        tips = np.array([(1, 0, 0), (-1, 0, 0), (0, 1, 0), (0, -1, 0), (0, 0, 1), (0, 0, -1)], float)
        octahedron = tips[[(0, 2, 4), (2, 1, 4), (1, 3, 4), (3, 0, 4), (2, 0, 5), (1, 2, 5), (3, 1, 5), (0, 3, 5)]]
        line = np.linspace(-1.5, 1.5, 13)
        grid = np.stack(np.meshgrid(line, line, line + 0.01, indexing="ij"))
        for triangles, level in ((box, np.abs(grid).max(axis=0)), (octahedron, np.abs(grid).sum(axis=0))):
            solid = packing_figures.Solid(triangles, np)
            self.assertAlmostEqual(solid.volume, {12: 8, 8: 4 / 3}[len(triangles)], delta=1e-12)
            found = np.zeros(level.shape, bool)
            solid.fill([line, line, line + 0.01], found)
            self.assertTrue(found[level < 1 - 1e-9].all())
            self.assertFalse(found[level > 1 + 1e-9].any())

    def test_bulges_of_a_ball(self):
        """The volume of a ball minus that of its polyhedron. It lacks the pieces of the sphere over edges, which are smallest for fine meshes."""
        np = recording.np
        for level, error in ((2, 0.02), (3, 0.005)):
            vertices, triangles = grains.icosphere(level)
            corners = 2 * vertices[triangles]
            volume = packing_figures.Solid(corners, np).volume
            found = packing_figures.bulges(corners, np.full(len(corners), 2.0), np)
            self.assertAlmostEqual(found / (4 / 3 * math.pi * 8 - volume), 1, delta=error)
            self.assertEqual(packing_figures.bulges(corners, np.full(len(corners), np.inf), np), 0)

    def test_radii_of_faces_are_read(self):
        """Radii of a recording that has them; None for a recording without them."""
        run = SCRATCH / "radii.h5"
        make_recording(run, [[[0, 0, 0, 0, 0, 0, 1]] * 2])
        self.assertIsNone(recording.Recording(run).face_radii(1))

    def test_forces_of_pairs(self):
        """Two contacts of one pair, in both orders of its bodies, add up to one force on the first: (0, 0, 5) from the normal and (1, 0, 0) from friction."""
        np = recording.np
        contacts = {
            "a": np.array([3, 1, 1]),
            "b": np.array([1, 3, 2]),
            "normal": np.array([[0, 0, -1.0], [0, 0, 1], [1, 0, 0]]),
            "normal_force": np.array([2.0, 3.0, 1.0]),
            "friction_force": np.array([[-1.0, 0, 0], [0, 0, 0], [0, 0, 0]]),
            "on_a": np.array([[0.0, 0, 0], [5, 0, 0], [1, 1, 1]]),
            "on_b": np.array([[0.0, 0, 0], [5, 0, 0], [1, 1, 3]]),
        }
        pairs, force, place = packing_figures.pair_forces(contacts, np)
        self.assertEqual(pairs.tolist(), [[1, 2], [1, 3]])
        self.assertEqual(force.tolist(), [[1, 0, 0], [1, 0, 5]])
        self.assertEqual(place.tolist(), [[1, 1, 2], [3, 0, 0]])
        figures = packing_figures.force_figures(np.array([1.0, 1.0, 1.0, 5.0]), np)
        self.assertEqual((figures["mean"], figures["most"], figures["strong_pairs"], figures["strong_share"]), (2, 5, 0.25, 0.625))
        self.assertAlmostEqual(sum(part["share"] for part in figures["histogram"]), 1)

    def test_bad_input_ends_with_one_line_and_status_2(self):
        text = SCRATCH / "text.h5"
        text.write_text("no recording", encoding="ascii")
        for script, *arguments in (
            ("draw/plot_run.py", text),
            ("draw/plot_run.py", SCRATCH / "missing.h5"),
            ("measure/packing_figures.py", text),
            ("measure/packing_figures.py", SCRATCH / "missing.h5"),
            ("measure/compare_methods.py", SCRATCH / "missing.json", "--abut", COMMAND),
            ("measure/compare_methods.py", text, "--abut", COMMAND),
            ("measure/compare_methods.py", "--abut", SCRATCH / "missing"),
            ("measure/event_figures.py", "--abut", SCRATCH / "missing"),
        ):
            result = self.call(script, *arguments)
            self.assertEqual((result.returncode, len(result.stderr.strip().splitlines())), (2, 1), result.stderr)


if __name__ == "__main__":
    unittest.main()
