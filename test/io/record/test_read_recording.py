"""A recording read with h5py: the layout is the documented one, the numbers are those of the CSV tables and of mechanics, and a damaged file
is refused."""

import csv
import json
import pathlib
import re
import shutil
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parents[2] / "support"))
try:
    import h5py
    import numpy as np
except ImportError:
    print("skipped: Python has no numpy or no h5py")
    sys.exit(77)

import demo

FOLDER = demo.fresh_folder("recording")
RECORDING = demo.record(FOLDER)


def table(name, every=1):
    """A CSV table of the recording: a list of dictionaries of texts."""
    path = FOLDER / f"{name}.csv"
    demo.abut_well("export", RECORDING, path, "--table", name, "--every", every)
    with open(path, newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def documented():
    """The datasets that docs/formats/recording.md lists: path -> (type, extents of a row)."""
    found, group = {}, None
    for line in (demo.SOURCE / "docs" / "formats" / "recording.md").read_text().splitlines():
        heading = re.match(r"## (/\w+)?", line)
        if heading:
            group = heading[1]
        row = re.match(r"\| (`[^|]+) \| ([^|]+) \|", line)
        if not row or group is None:
            continue
        names = re.findall(r"`(\w+)`", row[1])
        types = [kind.strip() for kind in row[2].split(",")]
        for name, kind in zip(names, types * len(names) if len(types) == 1 else types, strict=True):
            kind, extents = re.match(r"(\w+)((?:\[\w+\])*)", kind).groups()
            found[f"{group}/{name}"] = kind, re.findall(r"\[(\w+)\]", extents)
    return found


BALLS = {"abut_scene": 1, "title": "Balls", "dt": 0.01, "duration": 3, "stepper": {"kind": "dem", "step_share": 0.05}, "until": {}, "bodies": [
    {"name": "floor", "kind": "static", "shape": {"plane": {"normal": [0, 0, 1]}}},
    {"name": "ball", "shape": {"sphere": {"radius": 0.05}}, "position": [0, 0, 0.06], "restitution": 0.2},
    {"name": "high", "shape": {"sphere": {"radius": 0.05}}, "position": [0, 0, 0.17], "restitution": 0.2}]}
EVENTS = {"abut_scene": 1, "title": "Events", "duration": 0.5, "stepper": {"kind": "event"}, "bodies": [
    {"name": "floor", "kind": "static", "shape": {"plane": {"normal": [0, 0, 1]}}},
    {"name": "ball", "shape": {"sphere": {"radius": 0.5}}, "position": [0, 0, 0.6], "restitution": 0.5}]}

TETRAHEDRON = {"vertices": [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], "triangles": [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]]}
CELLS = {"abut_scene": 1, "title": "Cells", "dt": 0.25, "duration": 2, "bodies": [
    {"name": "stone", "kind": "static", "shape": {"facetmesh": TETRAHEDRON}, "position": [0, 0, -5]},
    {"name": "cell", "kind": "kinematic", "shape": {"facetmesh": TETRAHEDRON},
     "deform": [{"amount": [[0.5, 0], [1, 1]], "stretch": [3, 2, 1]}]},
    {"name": "other", "kind": "kinematic", "shape": {"facetmesh": TETRAHEDRON}, "position": [9, 0, 0],
     "deform": [{"amount": [[0, 0], [2, 1]], "stretch": [1, 1, 2]}]}]}


# A pendulum on a hinge with limits, and a ball on a rope that breaks at once and falls through a gate.
JOINTS = {"abut_scene": 1, "title": "Joints", "dt": 1 / 240, "duration": 0.5, "bodies": [
    {"name": "post", "kind": "static", "shape": {"sphere": {"radius": 0.1}}, "position": [0, 0, 2]},
    {"name": "gate", "kind": "static", "shape": {"box": {"half": [0.5, 0.5, 0.1]}}, "position": [2, 0, 1.4], "sensor": True},
    {"name": "bob", "shape": {"sphere": {"radius": 0.1}}, "position": [1, 0, 2], "mass": 2},
    {"name": "ball", "shape": {"sphere": {"radius": 0.1}}, "position": [2, 0, 1.8], "mass": 2}], "joints": [
    {"kind": "revolute", "a": "post", "b": "bob", "position": [0, 0, 2], "rotation": {"axis": [1, 0, 0], "degrees": -90}, "lower": -2, "upper": 1},
    {"kind": "distance", "a": "post", "b": "ball", "position": [2, 0, 2], "position_b": [2, 0, 1.8], "break_force": 5}]}


def record_joints():
    scene, path = FOLDER / "joints.json", FOLDER / "joints.h5"
    if not path.exists():
        scene.write_text(json.dumps(JOINTS), encoding="utf-8")
        demo.abut_well("run", scene, "-o", path, "-q")
    return path


def is_of_joints(path):
    return path.startswith(("/joints/", "/frames/joint_"))


def record_cells():
    scene, path = FOLDER / "cells.json", FOLDER / "cells.h5"
    if not path.exists():
        scene.write_text(json.dumps(CELLS), encoding="utf-8")
        demo.abut_well("run", scene, "-o", path, "-q")
    return path


TROUBLES = tuple(f"{name}{of}" for of in ("", "_body") for name in ("sunk", "engulfed", "left"))


class Layout(unittest.TestCase):
    def test_what_the_event_stepper_counted_is_in_it(self):
        scene, result = FOLDER / "events.json", FOLDER / "events.h5"
        said = demo.abut_well("run", demo.write_scene(scene, EVENTS), "-o", result)
        with h5py.File(result) as file:
            sums = {name: int(file[f"steps/event_{name}"][:].sum()) for name in
                    ("steps", "rejected", "evaluations", "tests", "hits", "repeats", "misses", "discontinuities", "impulses")}
        # A ball falls 0.1 m and bounces at least three times; it takes at least the steps of the scene.
        self.assertGreaterEqual(sums["impulses"], 3)
        self.assertGreaterEqual(sums["discontinuities"], 3)
        self.assertGreaterEqual(sums["steps"], 30)
        self.assertGreaterEqual(sums["evaluations"], 6 * sums["steps"])
        self.assertEqual(sums["tests"], sums["hits"] + sums["repeats"] + sums["misses"])
        self.assertGreater(sums["hits"], 0)
        self.assertRegex(said, f"integration steps +{sums['steps']}, and {sums['rejected']} rejected; {sums['evaluations']} evaluations")
        self.assertRegex(said, f"tests of pairs +{sums['tests']}: {sums['hits']} hits "
                               rf"\({100 * sums['hits'] / sums['tests']:.2f} %\), and {sums['repeats'] + sums['misses']} searches: "
                               rf"{sums['repeats']} repeats, {sums['misses']} misses")
        self.assertRegex(said, f"events +{sums['discontinuities']} discontinuities, {sums['impulses']} impulses")
        self.assertRegex(said, r"processor time +\S+ s, \S+ s per simulated second")
        self.assertNotIn("hits", demo.abut_well("run", scene.with_name("demo.json"), "--no-record", "--steps", "2"))

    def test_what_the_dem_stepper_counted_is_in_it(self):
        """Two balls, one on the other, come to rest: the run ends, and its last step is complete."""
        scene, result = FOLDER / "balls.json", FOLDER / "balls.h5"
        said = demo.abut_well("run", demo.write_scene(scene, BALLS), "-o", result, "--every", 50)
        with h5py.File(result) as file:
            d = {name.removeprefix("dem_"): file[f"steps/{name}"][:] for name in file["steps"] if name.startswith("dem_")}
            count, energy = len(d["steps"]) - 1, file["steps/kinetic_energy"][:] + file["steps/potential_energy"][:]
            self.assertEqual(file.attrs["complete"], 1)
            self.assertEqual(file["frames/step"][:].tolist(), [*range(0, count, 50), count])
            self.assertEqual(file["contacts/normal_force"].shape[0] - int(file["frames/contact_first"][-1]), 2)
            force = file["contacts/normal_force"][-2:] / (file["bodies/mass"][1] * 9.81)
        self.assertLess(count, 300)
        self.assertLessEqual(d["residual"][-1], 1e-3)
        self.assertGreater(d["residual"][1:-1].max(), 1)
        self.assertTrue((d["steps"][1:] == d["steps"][1]).all())
        self.assertAlmostEqual(0.01 / d["steps"][1] / d["critical_step"][-1], 0.05, delta=0.001)
        np.testing.assert_allclose(sorted(force), [1, 2], atol=2e-3)
        lost = d["damping_work"].sum() + d["friction_work"].sum()
        self.assertAlmostEqual((energy[0] - energy[-1] - d["elastic_energy"][-1]) / lost, 1, delta=0.03)  # work is summed to the first order in the step
        self.assertRegex(said, f"(?m)^  steps +{count} of 300: at rest$")
        self.assertRegex(said, rf"integration steps +{d['steps'].sum()} of {0.01 / d['steps'][1]:.3g} s on average; the critical step is "
                               rf"{d['critical_step'][-1]:.3g} s \(0\.0(5|49\d*) of it\)")
        self.assertRegex(said, f"near pairs +{d['near'][-1]} at the end, listed {d['lists'].sum()} times")
        self.assertIn("coordination number    1.500; 1.000 without loose bodies (1 with fewer than two neighbours)", said)
        self.assertIn(f"energy lost            {d['damping_work'].sum():.6g} to damping", said)
        self.assertIn(f"residual               {d['residual'][-1]:.3g} weights at the end", said)

    def test_documented_datasets_are_those_that_there_are(self):
        types = {"int8": np.int8, "int32": np.int32, "int64": np.int64, "uint32": np.uint32, "uint64": np.uint64, "double": np.float64,
                 "enumeration": np.int8}
        with h5py.File(RECORDING) as file:
            there = []
            file.visititems(lambda name, item: there.append(f"/{name}") if isinstance(item, h5py.Dataset) and name != "scene" else None)
            expected = {path: form for path, form in documented().items()
                        if not path.startswith(("/deformed/", "/checkpoint/", "/series/")) and not is_of_joints(path)
                        and path not in ("/bodies/contact_stiffness", "/bodies/adhesion_strength")}
            self.assertGreater(len(expected), 40)
            self.assertEqual(sorted(there), sorted(expected))
            bodies = len(file["bodies/name"])
            for path, (kind, extents) in expected.items():
                data = file[path]
                if kind == "string":
                    self.assertEqual(data.dtype.kind, "S", path)
                else:
                    self.assertEqual(data.dtype, types[kind], path)
                self.assertEqual(list(data.shape[1:]), [bodies if extent == "bodies" else int(extent) for extent in extents], path)
                self.assertEqual(h5py.check_enum_dtype(data.dtype) is not None, kind == "enumeration", path)

    def test_linear_law(self):
        """A ball at rest by the linear law: its stiffness is recorded, and its patch bears its weight with the depth m g / k."""
        material = {"contact_stiffness": 1e4, "restitution": 0.3}
        scene = {"abut_scene": 1, "dt": 0.01, "duration": 1.5, "stepper": {"kind": "dem"}, "materials": {"m": material}, "bodies": [
            {"name": "floor", "kind": "static", "material": "m", "shape": {"plane": {"normal": [0, 0, 1]}}},
            {"name": "ball", "material": "m", "mass": 1, "shape": {"sphere": {"radius": 0.1}}, "position": [0, 0, 0.1]}]}
        demo.abut_well("run", demo.write_scene(FOLDER / "linear.json", scene), "-o", FOLDER / "linear.h5")
        with h5py.File(FOLDER / "linear.h5") as file:
            self.assertEqual(documented()["/bodies/contact_stiffness"][0], "double")
            self.assertEqual(file["bodies/contact_stiffness"][:].tolist(), [1e4, 1e4])
        demo.abut_well("export", FOLDER / "linear.h5", FOLDER / "linear.vtkhdf")
        with h5py.File(FOLDER / "linear.patches.vtkhdf") as file:
            cells = {name: file["VTKHDF/CellData"][name][-1] for name in ("force", "overlap", "area", "largest_pressure")}
        depth = 9.81 / 5e3
        np.testing.assert_allclose([cells["force"], cells["overlap"]], [9.81, depth], rtol=1e-9)
        np.testing.assert_allclose([cells["area"], cells["largest_pressure"]], [np.pi * 0.1 * depth, 1.5 * 9.81 / (np.pi * 0.1 * depth)], rtol=1e-9)

    def test_adhesion_after_maugis(self):
        """A sticky ball at rest: the strength is recorded, and its patch bears its weight. By the other laws of adhesion it would not, at this depth."""
        radius, young, work = 0.01, 1e6, 0.5
        modulus = young / 2 / (1 - 0.3**2)
        weights = {}
        for share in (0, 1):  # lambda = 2 s (R / (pi w K^2))^(1/3)
            strength = share * 0.05 / (radius / (np.pi * work * (4 / 3 * modulus) ** 2)) ** (1 / 3)
            material = {"young": young, "poisson": 0.3, "adhesion_work": work, "restitution": 0.1, **({"adhesion_strength": strength} if share else {})}
            scene = {"abut_scene": 1, "dt": 0.005, "duration": 0.4, "stepper": {"kind": "dem"}, "materials": {"m": material}, "bodies": [
                {"name": "floor", "kind": "static", "material": "m", "shape": {"plane": {"normal": [0, 0, 1]}}},
                {"name": "ball", "material": "m", "mass": 0.01, "shape": {"sphere": {"radius": radius}}, "position": [0, 0, radius]}]}
            demo.abut_well("run", demo.write_scene(FOLDER / "sticky.json", scene), "-o", FOLDER / "sticky.h5")
            with h5py.File(FOLDER / "sticky.h5", "r+") as file:
                self.assertEqual("adhesion_strength" in file["bodies"], share > 0)
                if share:
                    self.assertEqual(documented()["/bodies/adhesion_strength"][0], "double")
                    self.assertEqual(file["bodies/adhesion_strength"][:].tolist(), [strength, strength])
            demo.abut_well("export", FOLDER / "sticky.h5", FOLDER / "sticky.vtkhdf")
            with h5py.File(FOLDER / "sticky.patches.vtkhdf") as file:
                weights[share] = file["VTKHDF/CellData/force"][-1]
                depth = file["VTKHDF/CellData/overlap"][-1]
            if share:  # without the strength it is taken for JKR's
                with h5py.File(FOLDER / "sticky.h5", "r+") as file:
                    del file["bodies/adhesion_strength"]
                demo.abut_well("export", FOLDER / "sticky.h5", FOLDER / "sticky.vtkhdf")
                with h5py.File(FOLDER / "sticky.patches.vtkhdf") as file:
                    self.assertGreater(abs(file["VTKHDF/CellData/force"][-1] / 0.0981 - 1), 0.02)
            self.assertGreater(depth, 0)
        np.testing.assert_allclose(list(weights.values()), 0.0981, rtol=1e-6)

    def test_series(self):
        """Balls come in a row, fall through a plane and are taken away; one of them is deep in the floor when it comes to its end."""
        scene = {"abut_scene": 1, "title": "Flow", "dt": 0.01, "duration": 1.2, "stepper": {"kind": "dem"}, "bodies": [
            {"name": "ball", "shape": {"sphere": {"radius": 0.05}}, "mass": 2, "inlet": {"number_rate": 10, "number": 5,
             "lower": [0, 0, 1], "upper": [0.1001, 0.1001, 1.1001]}},
            {"name": "pit", "kind": "static", "shape": {"sphere": {"radius": 0.2}}, "position": [0, 0, -9]}],
            "outlets": [{"name": "out", "half_space": {"normal": [0, 0, 1], "offset": 0}}],
            "measures": [{"name": "plane", "flow_through": {"normal": [0, 0, -1], "offset": -0.5}}, {"name": "pit", "force_on": "pit"}]}
        said = demo.abut_well("run", demo.write_scene(FOLDER / "flow.json", scene), "-o", FOLDER / "flow.h5")
        self.assertRegex(said, r"(?m)^  inlet +'ball': 5 of 5 bodies came, with a mass of 10$")
        self.assertRegex(said, r"(?m)^  outlet +'out': 5 bodies, with a mass of 10$")
        columns = ["ball.count", "ball.mass", "ball.waiting", "out.count", "out.mass", "plane.count", "plane.mass", "plane.mass_rate",
                   *(f"pit.{of}_{axis}" for of in ("force", "torque") for axis in "xyz")]
        with h5py.File(FOLDER / "flow.h5") as file:
            self.assertEqual({path: form for path, form in documented().items() if path.startswith("/series/")},
                             {"/series/name": ("string", ["columns"]), "/series/value": ("double", ["columns"])})
            self.assertEqual([name.decode() for name in file["series/name"]], columns)
            value, presence, pose, step = (file[name][:] for name in ("series/value", "frames/presence", "frames/pose", "steps/step"))
        self.assertEqual(value.shape, (121, len(columns)))
        series = dict(zip(columns, value.T))
        np.testing.assert_array_equal((presence[:, :5] != 0).sum(axis=1), series["ball.count"] - series["out.count"])
        with np.errstate(invalid="ignore"):
            beyond = (pose[:, :5, 2] < 0.5).sum(axis=1) + series["out.count"]
        np.testing.assert_array_equal(series["plane.count"], beyond)
        np.testing.assert_allclose(np.cumsum(series["plane.mass_rate"]) * 0.01, series["plane.mass"], atol=1e-12)
        demo.abut_well("export", FOLDER / "flow.h5", FOLDER / "flow.csv", "--table", "series", "--every", 3)
        table = [line.split(",") for line in (FOLDER / "flow.csv").read_text().splitlines()]
        self.assertEqual(table[0], ["step", "time", *columns])
        np.testing.assert_array_equal(np.array(table[1:], float)[:, 2:], value[::3])
        self.assertEqual([int(row[0]) for row in table[1:]], step[::3].tolist())

    def test_bodies_in_trouble_are_those_of_the_scene(self):
        """The body that is sunk took the slot of one that had gone."""
        scene = {"abut_scene": 1, "dt": 0.001, "duration": 0.01, "gravity": [0, 0, 0], "bodies": [
            {"name": "gone", "shape": {"sphere": {"radius": 0.1}}, "position": [9, 0, 1]},
            {"name": "floor", "kind": "static", "shape": {"plane": {"normal": [0, 0, 1]}}},
            {"name": "ball", "shape": {"sphere": {"radius": 0.1}}, "material": "soft", "velocity": [0, 0, -60],
             "inlet": {"number_rate": 400, "number": 1, "lower": [0, 0, 0], "upper": [1, 1, 0.3]}}],
            "materials": {"soft": {"young": 1e5}}, "stepper": {"kind": "dem"}, "actions": [{"at": 0.001, "remove": "gone"}]}
        said = demo.abut_well("run", demo.write_scene(FOLDER / "deep.json", scene), "-o", FOLDER / "deep.h5")
        self.assertRegex(said, r"(?m)^  sunk bodies +1 at most, .*; the first is 'ball\.1' at ")
        with h5py.File(FOLDER / "deep.h5") as file:
            sunk, body = file["steps/sunk"][:], file["steps/sunk_body"][:]
        self.assertTrue((sunk == 1).any())
        np.testing.assert_array_equal(body, 3 * sunk)

    def test_joints(self):
        """A pendulum that falls from the horizontal: its angle, and the force in its rod by its speed; the ball on the broken rope."""
        types = {"int32": np.int32, "int8": np.int8, "double": np.float64, "enumeration": np.int8}
        expected = {path: form for path, form in documented().items() if is_of_joints(path)}
        with h5py.File(record_joints()) as file:
            there = [f"/{group}/{name}" for group in ("joints", "frames") for name in file[group]]
            self.assertEqual(sorted(filter(is_of_joints, there)), sorted(expected))
            for path, (kind, extents) in expected.items():
                data = file[path]
                self.assertEqual(data.dtype, types[kind], path)
                self.assertEqual(h5py.check_enum_dtype(data.dtype) is not None, kind == "enumeration", path)
                self.assertEqual(list(data.shape[1:]), [2 if extent == "joints" else int(extent) for extent in extents], path)
                self.assertEqual(len(data), 121 if path.startswith("/frames/") else 2)
            angle, load, state = (file[f"frames/joint_{name}"][:] for name in ("coordinate", "load", "state"))
            pose, velocity = file["frames/pose"][:, 2], file["frames/velocity"][:, 2]
            self.assertEqual(file["joints/kind"][:].tolist(), [2, 5])
            self.assertEqual(file["joints/lower"][:].tolist(), [-2, -np.inf])
            np.testing.assert_allclose(file["joints/frame_b"][0], [-1, 0, 0, -np.sqrt(0.5), 0, 0, np.sqrt(0.5)], atol=1e-15)
            self.assertEqual(file["bodies/sensor"][:].tolist(), [0, 1, 0, 0])
            kinds = {number: name for name, number in h5py.check_enum_dtype(file["events/kind"].dtype).items()}
            events = [(kinds[kind], a, b) for kind, a, b in zip(file["events/kind"][:], file["events/a"][:], file["events/b"][:])]
        np.testing.assert_allclose(np.abs(angle[:, 0, 0]), np.arctan2(2 - pose[:, 2], pose[:, 0]), atol=1e-9)
        # Before the limit the rod pulls with m (v^2 / l + g sin a); the forces are means over a step, so half a step behind the frame.
        fall = np.abs(angle[20:80, 0, 0])
        pull = np.linalg.norm(load[20:80, 0, :3], axis=1)
        along = 2 * ((velocity[20:80, :3] ** 2).sum(axis=1) + 9.81 * np.sin(fall))
        np.testing.assert_allclose(pull, np.hypot(along, 2 * 9.81 * np.cos(fall) * 0.004 / 1.004), rtol=0.05, atol=0.5)
        self.assertEqual(state[0].tolist(), [2, 2])
        self.assertTrue((state[1:] == [2, 1]).all())
        self.assertEqual(events[0], ("joint breaks", 0, 3))
        self.assertEqual([event for event in events if "sensor" in event[0]], [("sensor begins", 1, 3), ("sensor ends", 1, 3)])

    def test_what_deforms(self):
        """A row for each frame with new vertices: for one body while its amount changes, for the other always. The first frame has both."""
        types = {"int32": np.int32, "int64": np.int64, "double": np.float64}
        expected = {path: form for path, form in documented().items() if path.startswith("/deformed/")}
        with h5py.File(record_cells()) as file:
            self.assertEqual(sorted(f"/deformed/{name}" for name in file["deformed"]), sorted(expected))
            for path, (kind, extents) in expected.items():
                self.assertEqual((file[path].dtype, list(file[path].shape[1:])), (types[kind], [int(extent) for extent in extents]), path)
                self.assertEqual(file[path].compression, "gzip")
            rows = list(zip(file["deformed/frame"][:].tolist(), file["deformed/body"][:].tolist(), file["deformed/vertex_first"][:].tolist()))
            vertices = file["deformed/vertices"][:]
        self.assertEqual([row[:2] for row in rows], [(0, 1), (0, 2), (1, 2), (2, 2), (3, 1), (3, 2), (4, 1), (4, 2), (5, 2), (6, 2), (7, 2), (8, 2)])
        self.assertEqual([row[2] for row in rows], [4 * i for i in range(len(rows))])
        for frame, body, first in rows:
            amount = min(max(0.5 * (frame - 2), 0), 1) if body == 1 else frame / 8
            factors = 1 + amount * (np.array([3, 2, 1] if body == 1 else [1, 1, 2]) - 1)
            np.testing.assert_allclose(vertices[first : first + 4], np.array(TETRAHEDRON["vertices"]) * factors, atol=1e-15)

    def test_documented_attributes_are_those_that_there_are(self):
        text = (demo.SOURCE / "docs" / "formats" / "recording.md").read_text()
        root = text[text.index("## Root"):text.index("## /steps")]
        with h5py.File(RECORDING) as file:
            self.assertEqual(sorted(re.findall(r"^\| `(\w+)`", root, re.MULTILINE)), sorted(file.attrs))
            self.assertEqual(file.attrs["format"], "abut recording")
            self.assertEqual(file.attrs["format_version"], 1)
            self.assertEqual(file.attrs["title"], demo.SCENE["title"])
            self.assertEqual(file.attrs["abut_version"], demo.abut_well("--version").split()[1])
            self.assertEqual(file.attrs["dt"], demo.SCENE["dt"])
            self.assertEqual(file.attrs["complete"], 1)
            self.assertEqual(file.attrs["every"], 1)
            self.assertEqual(list(file.attrs["gravity"]), [0, 0, -9.81])
            self.assertEqual((file.attrs["solver"], file.attrs["effort"]), ("quick", 8))

    def test_example_in_the_document_runs(self):
        text = (demo.SOURCE / "docs" / "formats" / "recording.md").read_text()
        program = re.search(r"```python\n(.*?)```", text, re.DOTALL)[1].replace('"wall.h5"', repr(str(RECORDING)))
        printed = []
        exec(program, {"print": lambda *words: printed.append(words)})
        self.assertEqual(printed[0], (demo.SCENE["title"], "complete"))
        self.assertGreater(len(printed), 4)

    def test_what_grows_is_compressed(self):
        with h5py.File(RECORDING) as file:
            for group in ("steps", "frames", "contacts", "events"):
                for data in file[group].values():
                    self.assertEqual(data.compression, "gzip", data.name)
                    self.assertTrue(data.shuffle, data.name)
                    self.assertIsNone(data.maxshape[0], data.name)

    def test_a_recording_without_exponents_is_read(self):
        """Recordings from before the dataset existed."""
        old = FOLDER / "old.h5"
        old.write_bytes(RECORDING.read_bytes())
        with h5py.File(old, "r+") as file:
            del file["shapes/exponents"]
        for path in (RECORDING, old):
            demo.abut_well("export", path, path.with_suffix(".glb"))
        self.assertEqual(old.with_suffix(".glb").read_bytes(), RECORDING.with_suffix(".glb").read_bytes())

    def test_scene_runs_again(self):
        with h5py.File(RECORDING) as file:
            (FOLDER / "again.json").write_bytes(file["scene"][()])
        demo.abut_well("run", FOLDER / "again.json", "-o", FOLDER / "again.h5", "-q")
        with h5py.File(RECORDING) as first, h5py.File(FOLDER / "again.h5") as second:
            np.testing.assert_array_equal(first["frames/pose"][()], second["frames/pose"][()])
            np.testing.assert_array_equal(first["contacts/normal_force"][()], second["contacts/normal_force"][()])


class Tables(unittest.TestCase):
    def test_steps(self):
        rows = table("steps")
        with h5py.File(RECORDING) as file:
            self.assertEqual(sorted(rows[0]), sorted(file["steps"]))
            for name, data in file["steps"].items():
                np.testing.assert_array_equal([float(row[name]) for row in rows], data[()].astype(float), name)
            np.testing.assert_array_equal(file["steps/step"][()], np.arange(demo.STEPS + 1))

    def test_bodies(self):
        rows = table("bodies")
        with h5py.File(RECORDING) as file:
            names = [name.decode() for name in file["bodies/name"][()]]
            self.assertEqual(names, [body["name"] for body in demo.SCENE["bodies"]])
            pose, velocity, presence = (file[f"frames/{name}"][()] for name in ("pose", "velocity", "presence"))
            expected = [(frame, body) for frame in range(len(pose)) for body in range(len(names)) if presence[frame, body] != 0]
            self.assertEqual(len(rows), len(expected))
            for row, (frame, body) in zip(rows, expected):
                self.assertEqual((int(row["step"]), row["body"], int(row["awake"])),
                                 (file["frames/step"][frame], names[body], presence[frame, body] == 2))
                self.assertEqual([float(row[key]) for key in ("x", "y", "z", "qx", "qy", "qz", "qw")], list(pose[frame, body]))
                self.assertEqual([float(row[key]) for key in ("vx", "vy", "vz", "wx", "wy", "wz")], list(velocity[frame, body]))

    def test_contacts(self):
        rows = table("contacts")
        kinds = ["none", "face", "edge", "vertex", "smooth"]
        with h5py.File(RECORDING) as file:
            names = [name.decode() for name in file["bodies/name"][()]]
            contacts = {name: data[()] for name, data in file["contacts"].items()}
            ranges = zip(file["frames/step"][()], file["frames/contact_first"][()], file["frames/contact_count"][()])
            expected = [(step, row) for step, first, count in ranges for row in range(first, first + count)]
        self.assertEqual(len(rows), len(expected))
        self.assertGreater(len(rows), 100)
        for row, (step, index) in zip(rows, expected):
            c = {name: data[index] for name, data in contacts.items()}
            self.assertEqual((int(row["step"]), row["a"], row["b"]), (step, names[c["a"]], names[c["b"]]))
            for name, short in (("on_a", "on_a"), ("on_b", "on_b"), ("normal", "normal"), ("friction_force", "friction")):
                self.assertEqual([float(row[f"{short}_{axis}"]) for axis in "xyz"], list(c[name]))
            for name in ("gap", "area", "normal_force"):
                self.assertEqual(float(row[name]), c[name])
            for side in "ab":
                read = [kinds.index(row[f"feature_{side}"]), int(row[f"index_{side}"]), int(row[f"part_{side}"])]
                self.assertEqual(read, list(c[f"feature_{side}"]))
            self.assertEqual([int(row[name]) for name in ("id", "patch", "flags")], [int(c[name]) for name in ("id", "patch", "flags")])

    def test_every_picks_rows(self):
        self.assertEqual([int(row["step"]) for row in table("steps", 25)], [0, 25, 50])
        self.assertEqual(sorted({int(row["step"]) for row in table("bodies", 25)}), [0, 25, 50])


class Mechanics(unittest.TestCase):
    def test_contacts_hang_together(self):
        with h5py.File(RECORDING) as file:
            c = {name: data[()] for name, data in file["contacts"].items()}
        np.testing.assert_allclose(np.linalg.norm(c["normal"], axis=1), 1, atol=1e-12)
        np.testing.assert_allclose(((c["on_a"] - c["on_b"]) * c["normal"]).sum(axis=1), c["gap"], atol=1e-12)
        self.assertTrue((c["normal_force"] >= 0).all())

    def test_floor_carries_the_box(self):
        """In the last frame the box lies still: normal and friction forces on it balance its weight, to a thousandth."""
        with h5py.File(RECORDING) as file:
            names = [name.decode() for name in file["bodies/name"][()]]
            box = names.index("box")
            first, count = file["frames/contact_first"][-1], file["frames/contact_count"][-1]
            c = {name: data[first:first + count] for name, data in file["contacts"].items()}
            weight = file["bodies/mass"][box] * 9.81
        on_a = c["normal"] * c["normal_force"][:, None] + c["friction_force"]
        force = on_a[c["a"] == box].sum(axis=0) - on_a[c["b"] == box].sum(axis=0)
        self.assertAlmostEqual(weight, 1000 * 0.48 * 9.81, places=6)
        np.testing.assert_allclose(force, [0, 0, weight], atol=1e-3 * weight)

    def test_removed_body_is_gone(self):
        with h5py.File(RECORDING) as file:
            ball = [name.decode() for name in file["bodies/name"][()]].index("ball, small")
            there = file["frames/presence"][:, ball] != 0
            np.testing.assert_array_equal(there, np.arange(demo.STEPS + 1) < demo.REMOVED_FROM)
            np.testing.assert_array_equal(np.isfinite(file["frames/pose"][:, ball]).all(axis=1), there)
            np.testing.assert_array_equal(file["steps/bodies"][()], len(demo.SCENE["bodies"]) - ~there)

    def test_energies_are_those_of_the_frames(self):
        """Kinetic and potential energy from poses, velocities, masses and inertias."""
        with h5py.File(RECORDING) as file:
            mass, centre, inertia = (file[f"bodies/{name}"][()] for name in ("mass", "centre", "inertia"))
            pose, velocity = np.nan_to_num(file["frames/pose"][()]), np.nan_to_num(file["frames/velocity"][()])
            kinetic, potential = file["steps/kinetic_energy"][()], file["steps/potential_energy"][()]
            there = file["frames/presence"][()] != 0
        q, w = pose[..., 3:6], pose[..., 6:]

        def turned(v, sign):
            t = 2 * np.cross(sign * q, v)
            return v + w * t + np.cross(sign * q, t)

        height = (pose[..., 2] + turned(np.broadcast_to(centre, q.shape), 1)[..., 2]) * there
        spin = turned(velocity[..., 3:], -1)
        expected = 0.5 * mass * (velocity[..., :3] ** 2).sum(axis=2) + 0.5 * np.einsum("fbi,bij,fbj->fb", spin, inertia, spin)
        np.testing.assert_allclose(kinetic, expected.sum(axis=1), rtol=1e-9, atol=1e-9)
        np.testing.assert_allclose(potential, (9.81 * mass * height).sum(axis=1), rtol=1e-9)


class Damage(unittest.TestCase):
    """Files that HDF5 reads, with contents that a recording cannot have."""

    def refused(self, change, word, recording=RECORDING):
        path = FOLDER / "damaged.h5"
        shutil.copyfile(recording, path)
        with h5py.File(path, "r+") as file:
            change(file)
        for target in ("out.csv", "out.glb"):
            options = ("--table", "contacts") if target.endswith("csv") else ()
            result = demo.abut("export", path, FOLDER / target, *options)
            if result.returncode == 0 and target == "out.glb":
                continue  # an animation needs no contacts
            self.assertEqual((result.returncode, result.stdout), (2, ""))
            self.assertRegex(result.stderr, rf"\Aabut export: .*damaged\.h5.*{word}[^\n]*\n\Z")
            self.assertFalse((FOLDER / target).exists())
        (FOLDER / "out.glb").unlink(missing_ok=True)

    def test_values_out_of_range(self):
        cases = {"bodies/shape": 99, "bodies/kind": 7, "shapes/corners": -1, "shapes/corner_first": 10**9, "shapes/vertex_first": 5, "shapes/radius_first": 1,
                 "shapes/part_shape": 10**6, "shapes/part_first": -3, "shapes/kind": 0, "frames/contact_first": 2**60,
                 "frames/contact_count": -1, "frames/step": 10**9}
        for name, value in cases.items():
            with self.subTest(name):
                def change(file, name=name, value=value):
                    data = file[name]
                    data[0] = value
                self.refused(change, "damaged")

    def test_values_out_of_range_in_what_is_read_later(self):
        def contact_of_nobody(file):
            file["contacts/a"][0] = 99
        self.refused(contact_of_nobody, "damaged")

    def test_of_what_deforms(self):
        cases = {"frame": [(0, -1), (11, 9), (0, 5)], "body": [(0, -1), (3, 3)], "vertex_first": [(0, -1), (11, 45), (2, 2**62)]}
        for name, changes in cases.items():
            for row, value in changes:
                with self.subTest((name, row, value)):
                    def change(file, name=name, row=row, value=value):
                        file[f"deformed/{name}"][row] = value
                    self.refused(change, "damaged", record_cells())
        for name in ("frame", "body", "vertex_first", "vertices"):
            with self.subTest(name):
                def remove(file, name=name):
                    del file[f"deformed/{name}"]
                self.refused(remove, "damaged", record_cells())

                def reshape(file, name=name):
                    del file[f"deformed/{name}"]
                    file[f"deformed/{name}"] = np.zeros((2, 3, 5))
                self.refused(reshape, "damaged", record_cells())

    def test_given_radii(self):
        """All radii of a shape are given, or none."""
        for rows, value in ((0, 1.0), (slice(4), -1.0), (slice(4), np.nan)):
            def change(file, rows=rows, value=value):
                file["shapes/given_radii"][rows] = value
            self.refused(change, "damaged", record_cells())

    def test_a_compound_inside_itself(self):
        def change(file):
            compound = list(file["shapes/kind"][()]).index(6)
            file["shapes/part_shape"][0] = compound
        self.refused(change, "damaged")

    def test_missing_and_misshapen_datasets(self):
        with h5py.File(RECORDING) as file:
            names = [f"{group}/{name}" for group in ("steps", "frames", "contacts", "bodies", "shapes") for name in file[group]]
        names = [name for name in names if name != "bodies/inertia"]  # the exports work without it
        younger = ("shapes/exponents", "shapes/radius_first", "shapes/given_radii", "bodies/young", "bodies/poisson", "bodies/adhesion_work", "bodies/sensor",
                   *(f"steps/{name}" for name in TROUBLES))
        for name in names:
            with self.subTest(name):
                def remove(file, name=name):
                    del file[name]
                if name not in younger and not name.startswith(("steps/event_", "steps/dem_")):  # old recordings lack it
                    self.refused(remove, "damaged")

                def reshape(file, name=name):
                    del file[name]
                    file[name] = np.zeros((2, 3, 5, 7))
                self.refused(reshape, "damaged")

    def test_recordings_of_before_there_were_other_steppers(self):
        old = FOLDER / "old.h5"
        shutil.copy(RECORDING, old)
        with h5py.File(old, "r+") as file:
            younger = [name for name in file["steps"] if name.startswith(("event_", "dem_")) or name in TROUBLES]
            for name in younger:
                del file[f"steps/{name}"]
        self.assertEqual(len(younger), 27)
        demo.abut_well("export", old, FOLDER / "old.csv")
        with open(FOLDER / "old.csv", newline="", encoding="utf-8") as file:
            rows = list(csv.DictReader(file))
        (FOLDER / "old.csv").unlink()
        self.assertEqual(rows, table("steps"))  # of the fixed stepper: all are zero
        self.assertEqual({row[name] for row in rows for name in younger}, {"0"})

    def test_other_files(self):
        def newer(file):
            file.attrs["format_version"] = 2
        self.refused(newer, "newer abut")

        def foreign(file):
            file.attrs["format"] = "something else"
        self.refused(foreign, "not a recording")

        def without_format(file):
            del file.attrs["format"]
        self.refused(without_format, "not a recording")


if __name__ == "__main__":
    unittest.main(verbosity=2)
