"""Tests of the scenes in scenes/ and of scripts/make/scenes.py, which writes them."""

import json
import math
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(os.environ.get("ABUT_TEST_SOURCE_DIR", pathlib.Path(__file__).resolve().parents[2]))
COMMAND = os.environ.get("ABUT_TEST_COMMAND")
SCENES = ROOT / "scenes"
sys.path.insert(0, str(ROOT / "scripts" / "make"))

import scenes  # noqa: E402


def load(name):
    return json.loads((SCENES / f"{name}.json").read_text(encoding="utf-8"))


def dynamic(scene):
    return [b for b in scene["bodies"] if b.get("kind", "dynamic") == "dynamic"]


class Files(unittest.TestCase):
    def test_the_script_writes_what_is_committed(self):
        files = scenes.all_files()
        for name, text in files.items():
            self.assertEqual((SCENES / name).read_bytes(), text.encode(), f"{name}: run scripts/make/scenes.py")

    def test_check_finds_a_changed_and_a_missing_file_and_repairs_nothing(self):
        script = [sys.executable, str(ROOT / "scripts" / "make" / "scenes.py"), "-o"]
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run([*script, folder], check=True, capture_output=True)
            self.assertEqual(subprocess.run([*script, folder, "--check"], check=False, capture_output=True).returncode, 0)
            path = pathlib.Path(folder, "tower.json")
            path.write_text("{}", encoding="ascii")
            pathlib.Path(folder, "wall.json").unlink()
            result = subprocess.run([*script, folder, "--check"], check=False, capture_output=True, text=True)
            self.assertEqual(result.returncode, 1)
            self.assertIn("tower.json: differs", result.stdout)
            self.assertIn("wall.json: missing", result.stdout)
            self.assertEqual(path.read_text(encoding="ascii"), "{}")

    def test_they_follow_the_schema(self):
        schema = SCENES.parent / "docs" / "formats" / "scene.schema.json"
        try:
            import jsonschema
        except ImportError:
            self.skipTest("Python has no jsonschema")
        validator = jsonschema.Draft202012Validator(json.loads(schema.read_text(encoding="utf-8")))
        for path in SCENES.glob("*.json"):
            if path != schema:
                errors = [
                    f"{'/'.join(map(str, e.path))}: {e.message}"
                    for e in validator.iter_errors(json.loads(path.read_text(encoding="utf-8")))
                ]
                self.assertEqual(errors, [], path.name)

    @unittest.skipUnless(COMMAND, "the command was not built")
    def test_the_command_finds_no_mistake_in_them(self):
        for name in scenes.all_files():
            if name.endswith(".json"):
                result = subprocess.run([COMMAND, "check", str(SCENES / name)], check=False, capture_output=True, text=True)
                self.assertEqual((result.returncode, result.stderr), (0, ""), name)

    def test_a_tracking_scene_differs_from_its_namesake_in_the_method_alone(self):
        pairs = [p.stem for p in SCENES.glob("*_tracking.json")]
        self.assertGreaterEqual(len(pairs), 3)
        for name in pairs:
            one, other = load(name.removesuffix("_tracking")), load(name)
            self.assertEqual(other.pop("contact"), {"method": "tracking"})
            for key in ("title", "description"):
                self.assertNotEqual(one.pop(key), other.pop(key))
            self.assertEqual(one, other)


class Drops(unittest.TestCase):
    def test_the_lowest_point_starts_half_a_metre_above_the_floor(self):
        for name in ("box_drop_flat", "box_drop_tilted"):
            (box,) = dynamic(load(name))
            half = box["shape"]["box"]["half"]
            turn = box.get("rotation", {"axis": [0, 0, 1], "degrees": 0})
            axis = [a / math.hypot(*turn["axis"]) for a in turn["axis"]]
            angle = math.radians(turn["degrees"])
            low = math.inf
            for corner in [(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]:
                p = [c * h for c, h in zip(corner, half)]
                # Rodrigues' formula, its z.
                along = math.fsum(a * b for a, b in zip(axis, p))
                low = min(
                    low,
                    p[2] * math.cos(angle) + (axis[0] * p[1] - axis[1] * p[0]) * math.sin(angle) + axis[2] * along * (1 - math.cos(angle)),
                )
            self.assertAlmostEqual(box["position"][2] + low, 0.5, delta=1e-8)


class Wall(unittest.TestCase):
    def setUp(self):
        self.scene = load("wall")
        self.bricks = {}
        for body in dynamic(self.scene):
            half = self.scene["shapes"][body["shape"]]["box"]["half"]
            self.bricks[body["name"]] = [(c - h, c + h) for c, h in zip(body["position"], half)]

    def test_the_bricks_fill_a_box_and_touch_without_overlap(self):
        spans = [(min(b[k][0] for b in self.bricks.values()), max(b[k][1] for b in self.bricks.values())) for k in range(3)]
        volume = math.fsum(math.prod(hi - lo for lo, hi in b) for b in self.bricks.values())
        self.assertAlmostEqual(volume, math.prod(hi - lo for lo, hi in spans), delta=1e-12)
        boxes = list(self.bricks.values())
        for i, a in enumerate(boxes):
            for b in boxes[:i]:
                overlap = min(min(a[k][1], b[k][1]) - max(a[k][0], b[k][0]) for k in range(3))
                self.assertLess(overlap, 1e-12)

    def test_no_joint_lies_over_a_joint(self):
        inner = {}
        for name, b in self.bricks.items():
            inner.setdefault(int(name.split("_")[1]), set()).add(round(b[0][0], 6))
        edge = min(min(row) for row in inner.values())
        for course in range(1, len(inner)):
            self.assertEqual(inner[course] & inner[course - 1], {edge})

    def test_at_least_ten_bricks_are_removed_one_by_one(self):
        times = [a["at"] for a in self.scene["actions"]]
        names = [a["remove"] for a in self.scene["actions"]]
        self.assertGreaterEqual(len(names), 10)
        self.assertEqual(len(set(names)), len(names))
        self.assertLessEqual(set(names), set(self.bricks))
        self.assertTrue(all(b - a >= 2 for a, b in zip(times, times[1:])), times)
        self.assertEqual(self.scene["duration"], 60)


class Towers(unittest.TestCase):
    def test_nine_convex_objects_and_two_gears_stand_on_the_table_without_gaps(self):
        scene = load("tower")
        thickness = {"gear_large": half_thickness("gear.obj"), "gear_small": half_thickness("gear_small.obj")}
        height = next(b for b in scene["bodies"] if b["name"] == "table")["position"][2]
        for body in dynamic(scene):
            kind, value = next(iter(body["shape"].items()))
            half = {
                "box": lambda v: v["half"][2],
                "prism": lambda v: v["half_height"],
                "hull": lambda v: max(p[2] for p in v["points"]),
                "mesh": lambda v, n=body["name"]: thickness[n],
            }[kind](value)
            self.assertAlmostEqual(body["position"][2] - half, height, delta=1e-8, msg=body["name"])
            height = body["position"][2] + half
        kinds = [next(iter(b["shape"])) for b in dynamic(scene)]
        self.assertEqual((kinds.count("mesh"), len(kinds)), (2, 11))

    def test_whatever_lies_above_a_loose_box_has_its_middle_over_it(self):
        bodies = dynamic(load("tower_of_ten_random"))
        self.assertEqual(len(bodies), 10)
        for i in range(1, 10):
            above = bodies[i:]
            middle = [sum(b["position"][k] for b in above) / len(above) for k in (0, 1)]
            for box in bodies[i - 1 : i + 1]:
                turn = math.radians(box["rotation"]["degrees"])
                dx, dy = middle[0] - box["position"][0], middle[1] - box["position"][1]
                local = (dx * math.cos(turn) + dy * math.sin(turn), dy * math.cos(turn) - dx * math.sin(turn))
                self.assertLess(max(map(abs, local)), 0.4)

    def test_the_exact_tower_is_exact(self):
        for i, body in enumerate(dynamic(load("tower_of_ten"))):
            self.assertEqual(body["position"], [0, 0, i + 0.5])
            self.assertNotIn("rotation", body)


def half_thickness(name):
    """Half the thickness of a gear file, which must be symmetric about z = 0."""
    lines = (SCENES / "meshes" / name).read_text(encoding="ascii").splitlines()
    z = {float(line.split()[3]) for line in lines if line.startswith("v ")}
    assert len(z) == 2 and sum(z) == 0, z
    return max(z)


class Gears(unittest.TestCase):
    """The parts of a gear are convex prisms. A tooth shares a side of the disc exactly."""

    def parts(self, name):
        vertices, groups, current = [], {}, None
        for line in (SCENES / "meshes" / name).read_text(encoding="ascii").splitlines():
            word, *rest = line.split()
            if word == "g":
                current = groups.setdefault(rest[0], [])
            elif word == "v":
                vertices.append(tuple(map(float, rest)))
            elif word == "f":
                current.append([vertices[int(i) - 1] for i in rest])
        return groups

    def test_they_are(self):
        for name, teeth in (("gear.obj", 12), ("gear_small.obj", 10), ("gear_18.obj", 18)):
            groups = self.parts(name)
            self.assertEqual(len(groups), teeth + 1)
            for part, faces in groups.items():
                edges = [e for f in faces for e in zip(f, f[1:] + f[:1])]
                self.assertEqual({(b, a) for a, b in edges}, set(edges), part)
                corners = {p for f in faces for p in f}
                for face in faces:
                    a, b, c = face[:3]
                    u, v = [[q[k] - p[k] for k in range(3)] for p, q in ((a, b), (a, c))]
                    n = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]]
                    for p in corners:
                        height = sum(n[k] * (p[k] - a[k]) for k in range(3)) / math.hypot(*n)
                        self.assertLess(height if p not in face else abs(height), 1e-15, part)
            sides = {frozenset(f) for f in groups["disc"]}
            for part, faces in groups.items():
                if part != "disc":
                    self.assertEqual(sum(frozenset(f) in sides for f in faces), 1, part)


class Baraff(unittest.TestCase):
    def surfaces(self, scene):
        """(polygons, curved surfaces) of all bodies."""

        def count(shape):
            kind, value = next(iter((scene["shapes"][shape] if isinstance(shape, str) else shape).items()))
            if kind == "compound":
                return [sum(numbers) for numbers in zip(*(count(part["shape"]) for part in value))]
            return {"plane": (1, 0), "box": (6, 0), "sphere": (0, 1)}[kind]

        return tuple(sum(numbers) for numbers in zip(*(count(body["shape"]) for body in scene["bodies"])))

    def test_they_have_as_many_surfaces_as_the_paper_says(self):
        self.assertEqual(self.surfaces(load("jack")), (97, 6))
        self.assertEqual(self.surfaces(load("dice")), (89, 102))
        self.assertEqual(sum(body["name"].startswith("die") for body in load("dice")["bodies"]), 12)

    def test_nothing_of_the_dice_touches_at_the_beginning(self):
        scene = load("dice")
        reach = math.sqrt(3) * scenes.DICE["half"] + scenes.DICE["corner"]
        moving = [(b["position"], b["shape"]["sphere"]["radius"] if isinstance(b["shape"], dict) else reach) for b in dynamic(scene)]
        self.assertEqual(len(moving), 18)
        for i, (p, r) in enumerate(moving):
            self.assertLess(max(abs(p[0]), abs(p[1])) + r, scenes.DICE["tray"])
            for q, s in moving[:i]:
                self.assertGreater(math.dist(p, q), r + s)

    def test_they_have_no_friction_and_their_stepper(self):
        smooth = ("rocking_ellipsoid", "ellipsoid_in_a_bowl", "superquadric_pile")
        for name in ("jack", "dice", "slide_off_ball", "ball_stack", "ball_pyramid", *smooth):
            scene = load(name)
            self.assertEqual(scene["stepper"]["kind"], "event")
            self.assertEqual({scene["materials"][body["material"]]["friction"] for body in dynamic(scene)}, {0})


class Dem(unittest.TestCase):
    def test_the_packing_has_room_at_the_beginning(self):
        """A quarter of the region, which a fill places easily."""
        fill = load("sphere_packing")["bodies"][-1]["fill"]
        volume = math.prod(b - a for a, b in zip(fill["lower"], fill["upper"]))
        share = fill["count"] * 4 / 3 * math.pi * scenes.PACKING["radius"] ** 3 / volume
        self.assertLess(share, 0.28)
        self.assertGreater(share, 0.2)

    def test_the_press_closes_without_a_gap(self):
        floor, press, ball = load("ball_on_plane")["bodies"]
        self.assertEqual(ball["position"][2], ball["shape"]["sphere"]["radius"])
        self.assertEqual(press["shape"]["plane"]["offset"], -2 * ball["position"][2])
        self.assertEqual(press["velocity"][2], 2 * ball["velocity"][2])


if __name__ == "__main__":
    unittest.main()
