"""Exported data sets for ParaView match the recording. If VTK is installed, its reader gives the same data for every time step."""

import functools
import pathlib
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
try:
    from vtkmodules.util.numpy_support import vtk_to_numpy
    from vtkmodules.vtkCommonCore import vtkVersion
    from vtkmodules.vtkCommonExecutionModel import vtkStreamingDemandDrivenPipeline
    from vtkmodules.vtkIOHDF import vtkHDFReader
    VTK = (vtkVersion.GetVTKMajorVersion(), vtkVersion.GetVTKMinorVersion())
except ImportError:
    VTK = (0, 0)

import demo

FOLDER = demo.fresh_folder("vtk")
CELLS = {"": "Polygons", ".centres": "Vertices", ".contacts": "Vertices", ".patches": "Polygons", ".chains": "Lines", ".joints": "Lines"}
KINDS = ("Vertices", "Lines", "Polygons", "Strips")
RADIUS, YOUNG, POISSON, GRAVITY = 0.05, 1e6, 0.3, 9.81
# A ball falls on another one that lies on the floor, bounces, and both come to rest; in some frames the upper ball touches nothing.
BALLS = {"abut_scene": 1, "dt": 0.01, "duration": 4, "stepper": {"kind": "dem"}, "until": {"residual": 1e-7, "kinetic": 1e-9}, "gravity": [0, 0, -GRAVITY],
         "materials": {"rubber": {"young": YOUNG, "poisson": POISSON, "restitution": 0.3, "density": 1200}},
         "bodies": [
             {"name": "floor", "kind": "static", "shape": {"plane": {"normal": [0, 0, 1]}}, "material": "rubber"},
             {"name": "ball", "shape": {"sphere": {"radius": RADIUS}}, "position": [0, 0, RADIUS], "material": "rubber"},
             {"name": "high", "shape": {"sphere": {"radius": RADIUS}}, "position": [0, 0, 4 * RADIUS], "material": "rubber"},
             {"name": "apart", "shape": {"sphere": {"radius": RADIUS}}, "position": [1, 0, 0.06], "material": "rubber"}]}

# Two pears come to rest on a floor between inclined walls, one on top of the other.
PEARS = {"abut_scene": 1, "dt": 0.002, "duration": 4, "stepper": {"kind": "dem"}, "until": {"residual": 1e-7, "kinetic": 1e-18}, "gravity": [0, 0, -GRAVITY],
         "materials": {"rubber": {"density": 1200, "young": 2e5, "poisson": POISSON, "restitution": 0.3, "friction": 0.5, "angular_damping": 30}},
         "shapes": {"pear": {"facetmesh": {"file": str(demo.SOURCE / "scenes" / "meshes" / "pear.obj")}}},
         "bodies": [
             {"name": "floor", "kind": "static", "shape": {"plane": {"normal": [0, 0, 1]}}, "material": "rubber"},
             *({"name": f"wall {x} {y}", "kind": "static", "shape": {"plane": {"normal": [-x, -y, 0.3]}}, "position": [0.006 * x, 0.006 * y, 0],
                "material": "rubber"} for x, y in ((-1, 0), (1, 0), (0, -1), (0, 1))),
             *({"name": f"pear {i}", "shape": "pear", "position": [0.001 * i, 0.002 * i, 0.007 + 0.012 * i],
                "rotation": {"axis": [1, i, 0.3], "degrees": 70 + 40 * i}, "material": "rubber"} for i in range(2))]}
# Like scenes/two_cells.json: one cell, with given radii, is dented; the other, with estimated radii, is flattened; then both keep their shapes and come to
# rest. Other bodies are apart: a ball that grows, and tetrahedra whose given radii are below those of the circles around their triangles.
FORCE, BALL = 0.02, 0.005
ROUND = {"file": str(demo.SOURCE / "scenes" / "meshes" / "grain_ball.obj")}
CELLS_SCENE = {"abut_scene": 1, "dt": 0.002, "duration": 0.3, "gravity": [0, 0, 0], "stepper": {"kind": "dem", "step": 0.0002},
               "materials": {"tissue": {"density": 1050, "friction": 0.5, "restitution": 0.3, "young": 1e5, "poisson": 0.45}},
               "shapes": {"round": {"facetmesh": ROUND}, "given": {"facetmesh": {**ROUND, "radius": 1.1 * BALL}},
                          "sharp": {"facetmesh": {"vertices": [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], "radius": 0.5,
                                                  "triangles": [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]]}}},
               "bodies": [
                   {"name": "lower", "kind": "kinematic", "shape": "given", "material": "tissue", "deform": [
                       {"amount": [[0, 0.2], [0.05, 1]], "press": {"at": [0, 0, BALL], "direction": [0, 0, -1], "depth": 0.3 * BALL, "radius": BALL}}]},
                   {"name": "upper", "shape": "round", "material": "tissue", "position": [0, 0, 1.9 * BALL],
                    "deform": [{"amount": [[0, 0], [0.05, 1]], "stretch": [1.118033989, 1.118033989, 0.8]}]},
                   {"name": "grows", "kind": "kinematic", "shape": "round", "material": "tissue", "position": [1, 0, 0], "velocity": [0, 0, 0.1],
                    "rotation": {"axis": [1, 2, 3], "degrees": 50},
                    "deform": [{"amount": [[0, 0], [0.2, 1]], "stretch": [1.5, 1.5, 1.5], "about": [0, 0, 2 * BALL]}]},
                   {"name": "sharp", "kind": "kinematic", "shape": "sharp", "material": "tissue", "position": [4, 0, 0],
                    "deform": [{"amount": [[0, 0], [0.1, 1]], "stretch": [0.5, 0.75, 1]}]},
                   {"name": "stays", "kind": "kinematic", "shape": "sharp", "material": "tissue", "position": [-4, 0, 0]}],
               "actions": [{"at": 0, "until": 1, "force": {"body": "upper", "force": [0, 0, -FORCE]}}]}


class Series:
    """The parts of one file, as the format defines them."""

    def __init__(self, path, kind):
        self.root, self.kind = {}, kind  # datasets by their paths
        with h5py.File(path) as file:
            root = file["VTKHDF"]
            root.visititems(lambda name, item: self.root.update({name: item[()]}) if isinstance(item, h5py.Dataset) else None)
            self.place = "PointData" if "PointData" in root else "CellData"
            self.names = list(root[self.place])
            self.version, self.type, self.type_size = root.attrs["Version"].tolist(), root.attrs["Type"], root.attrs.get_id("Type").get_type().get_size()
            self.count = root["Steps"].attrs["NSteps"]
        self.steps = {name[6:]: data for name, data in self.root.items() if name.startswith("Steps/")}
        self.times = self.steps["Values"]

    def frame(self, step):
        """(points, offsets, connectivity, arrays) of a step."""
        column, part = KINDS.index(self.kind), self.steps["PartOffsets"][step]
        points, cells, corners = (self.root[name][part] for name in (
            "NumberOfPoints", f"{self.kind}/NumberOfCells", f"{self.kind}/NumberOfConnectivityIds"))
        first_point = self.steps["PointOffsets"][step]
        first_cell = self.steps["CellOffsets"][step, column] + part  # each part before has one offset more than it has cells
        first_corner = self.steps["ConnectivityIdOffsets"][step, column]
        count = points if self.place == "PointData" else cells
        arrays = {}
        for name in self.names:
            first = self.steps[f"{self.place}Offsets/{name}"][step]
            arrays[name] = self.root[f"{self.place}/{name}"][first:first + count]
        return (self.root["Points"][first_point:first_point + points], self.root[f"{self.kind}/Offsets"][first_cell:first_cell + cells + 1],
                self.root[f"{self.kind}/Connectivity"][first_corner:first_corner + corners], arrays)


def record(name, scene):
    result = demo.abut("run", demo.write_scene(FOLDER / f"{name}.json", scene), "-o", FOLDER / f"{name}.h5")
    assert result.returncode == 0, result  # there may be warnings


@functools.lru_cache(None)
def export(name, every=1):
    """The six files, by layer."""
    stem = f"{name}_{every}"
    demo.abut_well("export", FOLDER / f"{name}.h5", FOLDER / f"{stem}.vtkhdf", "--every", every)
    return {layer: Series(FOLDER / f"{stem}{layer}.vtkhdf", kind) for layer, kind in CELLS.items()}


record("demo", demo.SCENE)
record("joints", demo.JOINTS)
record("balls", BALLS)
record("pears", PEARS)
record("cells", CELLS_SCENE)


def check_forces_of_pairs(test, name, tolerance):
    """Checks that the patches of every pair have the force of its recorded contacts at the end. Returns the pairs with a force. Normals of facets differ, and a
    contact of several facets has one normal and their resultant, so vectors are added."""
    patches = export(name)[".patches"].frame(-1)[3]
    with h5py.File(FOLDER / f"{name}.h5") as run:
        first, count = run["frames/contact_first"][-1], run["frames/contact_count"][-1]
        contacts = {item: run[f"contacts/{item}"][first:first + count] for item in ("a", "b", "normal", "normal_force")}

    def sum_up(rows, force, pair):
        mine = (rows["a"] == pair[0]) & (rows["b"] == pair[1])
        return rows[force][mine] @ rows["normal"][mine]

    pairs = sorted(set(zip(contacts["a"].tolist(), contacts["b"].tolist())))
    test.assertEqual(sorted(set(zip(patches["a"].tolist(), patches["b"].tolist()))), pairs)
    for pair in pairs:
        recorded = sum_up(contacts, "normal_force", pair)
        np.testing.assert_allclose(sum_up(patches, "force", pair), recorded, atol=tolerance * np.linalg.norm(recorded), rtol=0, err_msg=str(pair))
    return [frozenset(pair) for pair in pairs]


def posed(run, step, body, points):
    """Points of a body's frame in the world."""
    position, (x, y, z, w) = np.split(run["frames/pose"][step, body], [3])
    turn = np.array([[1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)], [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
                     [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)]])
    return points @ turn.T + position


class Files(unittest.TestCase):
    def test_form(self):
        for name in ("demo", "balls", "cells", "joints"):
            frames = len(h5py.File(FOLDER / f"{name}.h5")["frames/time"])
            for every in (1, 7):
                samples = (frames - 2) // every + 2
                for layer, series in export(name, every).items():
                    with self.subTest((name, every, layer)):
                        root, steps = series.root, series.steps
                        self.assertEqual(series.version, [2, 0])
                        self.assertEqual(series.type, b"PolyData")
                        self.assertEqual(series.type_size, 8)  # of fixed length: VTK 9.3 reads no other
                        self.assertEqual(series.count, samples)
                        self.assertTrue((np.diff(series.times) > 0).all())
                        for item in ("Values", "PartOffsets", "NumberOfParts", "PointOffsets", "CellOffsets", "ConnectivityIdOffsets"):
                            self.assertEqual(len(steps[item]), samples, item)
                        self.assertTrue((steps["NumberOfParts"] == 1).all())
                        parts = len(root["NumberOfPoints"])
                        for kind in KINDS:
                            self.assertEqual(len(root[f"{kind}/NumberOfCells"]), parts)
                            self.assertEqual(len(root[f"{kind}/NumberOfConnectivityIds"]), parts)
                            if kind != series.kind:
                                self.assertEqual((root[f"{kind}/Offsets"].tolist(), len(root[f"{kind}/Connectivity"])), ([0] * parts, 0))
                        for step in range(samples):
                            points, offsets, corners, arrays = series.frame(step)
                            self.assertTrue(np.isfinite(points).all())
                            self.assertEqual((offsets[0], offsets[-1]), (0, len(corners)))
                            self.assertTrue((np.diff(offsets) >= {"Vertices": 1, "Lines": 2, "Polygons": 3}[series.kind]).all())
                            self.assertTrue(((corners >= 0) & (corners < len(points))).all())
                            for array in arrays.values():
                                self.assertEqual(len(array), len(points) if series.place == "PointData" else len(offsets) - 1)

    def test_documented_arrays_are_those_that_there_are(self):
        text = (demo.SOURCE / "docs" / "formats" / "recording.md").read_text()
        for layer, series in export("balls").items():
            heading = f"### `OUT{layer}.vtkhdf`"
            section = text[text.index(heading) + len(heading):].split("\n#")[0]
            listed = [name.strip(" `") for line in section.splitlines() if line.startswith("| `") for name in line.split("|")[1].split(",")]
            self.assertEqual(sorted(listed), sorted(series.names), layer)

    def test_equal_data_are_stored_once(self):
        series = export("demo")[""]
        self.assertEqual(len(series.root["NumberOfPoints"]), 2)  # one body is removed
        self.assertEqual(len(series.root["CellData/body"]), sum(series.root["Polygons/NumberOfCells"]))
        self.assertGreater(len(series.root["CellData/velocity"]), 10 * len(series.root["CellData/body"]))


class Content(unittest.TestCase):
    def test_bodies_are_where_the_recording_has_them(self):
        files = export("demo")
        with h5py.File(FOLDER / "demo.h5") as run:
            box = [name.decode() for name in run["bodies/name"][()]].index("box")
            for step in (0, 20, 60):
                points, offsets, corners, arrays = files[""].frame(step)
                cells = np.flatnonzero(arrays["body"] == box)
                own = np.unique(np.concatenate([corners[offsets[c]:offsets[c + 1]] for c in cells]))
                self.assertEqual((len(cells), len(own)), (6, 8))
                np.testing.assert_allclose(points[own].mean(axis=0), run["frames/pose"][step, box, :3], atol=1e-6)
                np.testing.assert_allclose(np.linalg.norm(points[own] - points[own].mean(axis=0), axis=1), np.sqrt(0.5), rtol=1e-5)
                np.testing.assert_allclose(arrays["velocity"][cells[0]], run["frames/velocity"][step, box, :3], rtol=1e-6, atol=1e-12)
                row = files[".centres"].frame(step)[3]["body"].tolist().index(box)
                np.testing.assert_array_equal(files[".centres"].frame(step)[3]["angular_velocity"][row], run["frames/velocity"][step, box, 3:])

    def test_polygons_face_outward(self):
        points, offsets, corners, arrays = export("demo")[""].frame(0)
        for body in range(1, 7):
            volume = 0.0
            for cell in np.flatnonzero(arrays["body"] == body):
                ring = points[corners[offsets[cell]:offsets[cell + 1]]].astype(float)
                volume += sum(np.dot(ring[0], np.cross(p, q)) for p, q in zip(ring[1:], ring[2:])) / 6
            ball = 4 / 3 * np.pi * 0.2**3
            expected = {1: 0.48, 2: ball, 3: ball + np.pi * 0.2**2 * 0.6, 4: 0.064 + 4 / 3 * np.pi * 0.25**3, 5: 0.064}.get(body)
            if expected:  # rings lie inside their ball
                self.assertTrue(0.96 * expected < volume < 1.0001 * expected, (body, volume, expected))

    def test_balls_at_rest(self):
        files = export("balls")
        weight = 1200 * 4 / 3 * np.pi * RADIUS**3 * GRAVITY
        arrays = files[".centres"].frame(-1)[3]
        self.assertEqual(arrays["body"].tolist(), [1, 2, 3])
        np.testing.assert_allclose(arrays["contact_force"][:, 2], weight, rtol=1e-5)
        self.assertEqual(arrays["coordination"].tolist(), [2, 1, 1])
        np.testing.assert_array_equal(arrays["radius"], RADIUS)
        points, offsets, corners, arrays = files[".chains"].frame(-1)
        pairs = {frozenset((a, b)): i for i, (a, b) in enumerate(zip(arrays["a"], arrays["b"]))}
        for pair, press in {(1, 2): 1, (0, 1): 2, (0, 3): 1}.items():
            row = pairs[frozenset(pair)]
            self.assertAlmostEqual(arrays["normal_force"][row] / weight, press, delta=1e-5)
            line = points[corners[offsets[row]:offsets[row + 1]]]
            gap = files[".contacts"].frame(-1)[3]["gap"][row]
            self.assertAlmostEqual(np.linalg.norm(line[0] - line[1]), 2 * RADIUS + gap if 0 not in pair else RADIUS + gap / 2, delta=1e-12)

    def test_patches_press_as_their_contacts_do(self):
        """Pressures are static, and at rest so are the forces of contacts."""
        files = export("balls")
        contacts, patches = files[".contacts"].frame(-1)[3], files[".patches"].frame(-1)[3]
        self.assertEqual(patches["a"].tolist(), contacts["a"].tolist())
        np.testing.assert_allclose(patches["force"], contacts["normal_force"], rtol=1e-5)
        np.testing.assert_allclose(patches["overlap"], -contacts["gap"], rtol=1e-9, atol=1e-15)
        np.testing.assert_allclose(patches["largest_pressure"], 1.5 * patches["mean_pressure"], rtol=1e-12)
        np.testing.assert_allclose(patches["normal"], contacts["normal"], atol=1e-12)
        modulus = YOUNG / (1 - POISSON**2) / 2
        radius = np.where((patches["a"] == 0) | (patches["b"] == 0), RADIUS, RADIUS / 2)
        np.testing.assert_allclose(patches["area"], np.pi * radius * patches["overlap"], rtol=1e-12)
        np.testing.assert_allclose(patches["force"], 4 / 3 * modulus * np.sqrt(radius) * patches["overlap"] ** 1.5, rtol=1e-12)

    def test_patches_of_pears_press_as_their_contacts_do(self):
        """The forces differ by the damping of remaining motion, and by the difference between the last step's mean and its end. Both vanish with the residual,
        which is below 1e-7 of a weight; the smallest force here is a twentieth of a weight."""
        with h5py.File(FOLDER / "pears.h5") as run:
            self.assertLess(run["steps/dem_residual"][-1], 1e-7)
        pairs = check_forces_of_pairs(self, "pears", 1e-6)
        self.assertTrue({frozenset((5, 6)), frozenset((0, 5))} <= set(pairs))
        self.assertGreater(len(export("pears")[".patches"].frame(-1)[3]["force"]), len(pairs))


class Deforming(unittest.TestCase):
    """Bodies are drawn, and touch, with the shapes that they have in the frame."""

    @classmethod
    def setUpClass(cls):
        with h5py.File(FOLDER / "cells.h5") as run:
            cls.names = [name.decode() for name in run["bodies/name"][()]]
            cls.last = len(run["frames/time"]) - 1

    def vertices(self, run, step, body):
        """As in docs/recording.md: the vertices of the body's last row, or of its shape."""
        rows = np.flatnonzero((run["deformed/body"][()] == body) & (run["deformed/frame"][()] <= step))
        first, end = run["shapes/vertex_first"][run["bodies/shape"][body]:][:2]
        if len(rows) == 0:
            return run["shapes/vertices"][first:end]
        return run["deformed/vertices"][run["deformed/vertex_first"][rows[-1]]:][:end - first]

    def drawn(self, step, body):
        """Corners of the body's cells [cells, 3, 3], and the arrays of these cells."""
        points, offsets, corners, arrays = export("cells")[""].frame(step)
        cells = np.flatnonzero(arrays["body"] == body)
        return np.array([points[corners[offsets[c]:offsets[c + 1]]] for c in cells]), {name: values[cells] for name, values in arrays.items()}

    def test_surfaces_are_the_recorded_vertices(self):
        with h5py.File(FOLDER / "cells.h5") as run:
            corners, corner_first = run["shapes/corners"][()], run["shapes/corner_first"][()]
            for step in (0, 1, 10, 60, self.last):
                for body in range(len(self.names)):
                    faces, arrays = self.drawn(step, body)
                    first, end = run["shapes/face_first"][run["bodies/shape"][body]:][:2]
                    expected = posed(run, step, body, self.vertices(run, step, body)[corners[corner_first[first]:corner_first[end]]]).reshape(-1, 3, 3)
                    self.assertEqual(arrays["face"].tolist(), list(range(end - first)))
                    np.testing.assert_allclose(faces, expected, rtol=1e-6, atol=1e-9)  # single precision

    def test_curvatures_are_those_of_the_moment(self):
        grows, sharp, stays = (self.names.index(name) for name in ("grows", "sharp", "stays"))
        for step, size in ((0, 1), (50, 1.25), (self.last, 1.5)):
            np.testing.assert_allclose(1 / self.drawn(step, grows)[1]["curvature"], size * BALL, rtol=1e-5)
        for step in (0, 30, self.last):
            for body in (sharp, stays):
                faces, arrays = self.drawn(step, body)
                u, v = faces[:, 1] - faces[:, 0], faces[:, 2] - faces[:, 0]
                length = functools.partial(np.linalg.norm, axis=1)
                circle = length(u) * length(v) * length(u - v) / (2 * length(np.cross(u, v)))
                np.testing.assert_allclose(1 / arrays["curvature"], np.maximum(circle, 0.5), rtol=1e-5)
        undeformed, deformed = (1 / self.drawn(self.last, body)[1]["curvature"] for body in (stays, sharp))
        self.assertTrue((deformed < 0.95 * undeformed).all())  # given radii do not stay raised

    def test_centres_follow_the_shape(self):
        grows = self.names.index("grows")
        with h5py.File(FOLDER / "cells.h5") as run:
            for step, size in ((0, 1), (50, 1.25), (self.last, 1.5)):
                points, _, _, arrays = export("cells")[".centres"].frame(step)
                row = arrays["body"].tolist().index(grows)
                np.testing.assert_allclose(points[row], posed(run, step, grows, np.array([0, 0, (1 - size) * 2 * BALL])), atol=1e-9)
                far = np.linalg.norm(self.vertices(run, step, grows), axis=1).max()
                self.assertAlmostEqual(arrays["radius"][row], far, delta=1e-12)

    def test_patches_press_as_the_contacts_of_deformed_cells_do(self):
        """At rest the force between the cells equals that of the patches."""
        self.assertEqual(check_forces_of_pairs(self, "cells", 1e-5), [frozenset((0, 1))])
        patches = export("cells")[".patches"].frame(-1)[3]
        self.assertGreater(len(patches["force"]), 5)
        self.assertAlmostEqual(abs((patches["force"] * patches["normal"][:, 2]).sum()) / FORCE, 1, delta=1e-5)

    def test_vertices_that_are_no_body_are_refused(self):
        damaged, target = FOLDER / "damaged.h5", FOLDER / "damaged.vtkhdf"
        for vertices in (np.nan, 1e300, 0.0):
            with self.subTest(vertices):
                shutil.copy(FOLDER / "cells.h5", damaged)
                with h5py.File(damaged, "r+") as run:
                    run["deformed/vertices"][:400] = vertices
                result = demo.abut("export", damaged, target)
                self.assertEqual((result.returncode, result.stdout), (2, ""))
                self.assertRegex(result.stderr, r"\Aabut export: .*damaged\.h5: the recording is damaged[^\n]*\n\Z")
                self.assertFalse(target.exists())


class Joints(unittest.TestCase):
    """The lines of joints are at the recorded poses of their bodies, with the numbers of /frames."""

    def test_lines_go_from_centres_to_origins(self):
        series = export("joints")[".joints"]
        with h5py.File(FOLDER / "joints.h5") as run:
            frames, kinds = run["bodies/kind"][()], run["joints/kind"][()]
            for step in (0, 1, 20, 40, 60):
                points, offsets, corners, arrays = series.frame(step)
                state = run["frames/joint_state"][step]
                there = np.flatnonzero(state)
                self.assertEqual(len(there), len(demo.JOINTS["joints"]) - (step >= demo.REMOVED_FROM))
                self.assertEqual(list(dict.fromkeys(arrays["joint"].tolist())), there.tolist())
                lines = arrays["joint"][corners].reshape(-1, 2), arrays["place"][corners].reshape(-1, 2)
                for row in there:
                    mine = arrays["joint"] == row
                    drawn = lines[1][(lines[0] == row).all(axis=1)].tolist()
                    ends = run["joints/a"][row], run["joints/b"][row]
                    origins = [posed(run, step, body, run[f"joints/frame_{side}"][row, :3]) for body, side in zip(ends, "ab")]
                    centres = [posed(run, step, body, run["bodies/centre"][body]) for body in ends]
                    moves = [int(frames[body] == 0) for body in ends]  # dynamic
                    expected = [centres[0]] * moves[0] + origins + [centres[1]] * moves[1]
                    np.testing.assert_allclose(points[mine], expected, atol=1e-12)
                    self.assertEqual(arrays["place"][mine].tolist(), [0] * moves[0] + [1, 2] + [3] * moves[1])
                    apart = int(demo.JOINTS["joints"][row]["kind"] in ("prismatic", "distance", "wheel", "gear"))
                    self.assertEqual(drawn, [[0, 1]] * moves[0] + [[1, 2]] * apart + [[2, 3]] * moves[1])
                    for name, value in (("joint", row), ("kind", kinds[row]), ("a", ends[0]), ("b", ends[1]), ("holds", state[row] == 2),
                                        ("coordinate", run["frames/joint_coordinate"][step, row, 0]), ("spin", run["frames/joint_coordinate"][step, row, 1]),
                                        ("error", run["frames/joint_error"][step, row, 0]), ("turn_error", run["frames/joint_error"][step, row, 1]),
                                        ("force", run["frames/joint_load"][step, row, :3]), ("torque", run["frames/joint_load"][step, row, 3:])):
                        np.testing.assert_array_equal(arrays[name][mine], np.broadcast_to(value, arrays[name][mine].shape), err_msg=name)

    def test_a_weld_bears_weight_and_moment_and_the_broken_rope_stays(self):
        """The plate hangs half a metre beside the origin of its weld."""
        points, _, _, arrays = export("joints")[".joints"].frame(60)
        plate = (arrays["joint"] == 9) & (arrays["place"] == 2)
        weight = 8 * GRAVITY
        np.testing.assert_allclose(points[plate], [[0, -1.5, 0]], atol=1e-9)
        np.testing.assert_allclose(arrays["force"][plate], [[0, 0, weight]], atol=1e-6 * weight)
        np.testing.assert_allclose(arrays["torque"][plate], [[-0.5 * weight, 0, 0]], atol=1e-6 * weight)
        self.assertEqual((arrays["holds"][arrays["joint"] == 2].max(), arrays["holds"][arrays["joint"] == 1].min()), (0, 1))

    def test_axes_follow_body_a(self):
        arrays = export("joints")[".joints"].frame(60)[3]
        hinge = arrays["axis"][arrays["joint"] == 0][0]
        np.testing.assert_allclose(hinge, [0, -1, 0], atol=1e-12)  # z turned by a right angle about x
        gear = arrays["axis"][arrays["joint"] == 6][0]  # on a wheel that turns about the axis -x
        np.testing.assert_allclose(gear, [-1, 0, 0], atol=1e-6)


@unittest.skipIf(VTK < (9, 3), "Python has no VTK, or one from before 9.3, which does not know such files")
class Vtk(unittest.TestCase):
    def test_the_reader_of_vtk_reads_every_step(self):
        for name in ("demo", "balls", "cells", "joints"):
            for layer, series in export(name, 3).items():
                reader = vtkHDFReader()
                path = str(FOLDER / f"{name}_3{layer}.vtkhdf")
                self.assertTrue(reader.CanReadFile(path))
                reader.SetFileName(path)
                reader.UpdateInformation()
                times = reader.GetOutputInformation(0).Get(vtkStreamingDemandDrivenPipeline.TIME_STEPS())
                self.assertEqual(list(times), series.times.tolist())
                for step, time in enumerate(times):
                    reader.UpdateTimeStep(time)
                    with self.subTest((name, layer, step)):
                        self.compare(reader.GetOutput(), series, step)

    def compare(self, data, series, step):
        points, offsets, corners, arrays = series.frame(step)
        self.assertEqual((data.GetNumberOfPoints(), data.GetNumberOfCells()), (len(points), len(offsets) - 1))
        if len(points) == 0:
            return
        cells = {"Vertices": data.GetVerts, "Lines": data.GetLines, "Polygons": data.GetPolys}[series.kind]()
        np.testing.assert_array_equal(vtk_to_numpy(data.GetPoints().GetData()), points)
        np.testing.assert_array_equal(vtk_to_numpy(cells.GetOffsetsArray()), offsets)
        np.testing.assert_array_equal(vtk_to_numpy(cells.GetConnectivityArray()), corners)
        read = data.GetPointData() if series.place == "PointData" else data.GetCellData()
        for array, values in arrays.items():
            np.testing.assert_array_equal(vtk_to_numpy(read.GetArray(array)), values)


if __name__ == "__main__":
    unittest.main()
