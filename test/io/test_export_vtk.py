"""Exported data sets for ParaView are what the recording holds; where VTK is installed, its own reader reads every time step of them alike."""

import functools
import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "support"))
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
CELLS = {"": "Polygons", ".centres": "Vertices", ".contacts": "Vertices", ".patches": "Polygons", ".chains": "Lines"}
KINDS = ("Vertices", "Lines", "Polygons", "Strips")
RADIUS, YOUNG, POISSON, GRAVITY = 0.05, 1e6, 0.3, 9.81
# A ball falls on another one that lies on the floor, bounces, and both come to rest; for some frames nothing touches the upper one.
BALLS = {"abut_scene": 1, "dt": 0.01, "duration": 4, "stepper": {"kind": "dem"}, "until": {"residual": 1e-7, "kinetic": 1e-9}, "gravity": [0, 0, -GRAVITY],
         "materials": {"rubber": {"young": YOUNG, "poisson": POISSON, "restitution": 0.3, "density": 1200}},
         "bodies": [
             {"name": "floor", "kind": "static", "shape": {"plane": {"normal": [0, 0, 1]}}, "material": "rubber"},
             {"name": "ball", "shape": {"sphere": {"radius": RADIUS}}, "position": [0, 0, RADIUS], "material": "rubber"},
             {"name": "high", "shape": {"sphere": {"radius": RADIUS}}, "position": [0, 0, 4 * RADIUS], "material": "rubber"},
             {"name": "apart", "shape": {"sphere": {"radius": RADIUS}}, "position": [1, 0, 0.06], "material": "rubber"}]}


class Series:
    """One file, taken apart as the format says."""

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
    recording = FOLDER / f"{name}.h5"
    demo.abut_well("run", demo.write_scene(FOLDER / f"{name}.json", scene), "-o", recording)
    return recording


@functools.lru_cache(None)
def export(name, every=1):
    """The five files, by layer."""
    stem = f"{name}_{every}"
    demo.abut_well("export", FOLDER / f"{name}.h5", FOLDER / f"{stem}.vtkhdf", "--every", every)
    return {layer: Series(FOLDER / f"{stem}{layer}.vtkhdf", kind) for layer, kind in CELLS.items()}


record("demo", demo.SCENE)
record("balls", BALLS)


class Files(unittest.TestCase):
    def test_form(self):
        for name in ("demo", "balls"):
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
        text = (demo.SOURCE / "docs" / "recording.md").read_text()
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
            if expected:  # rings are inside of their ball
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
        """Their pressures are those of rest, and the contacts' forces are so at rest."""
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


@unittest.skipIf(VTK < (9, 3), "Python has no VTK, or one from before 9.3, which does not know such files")
class Vtk(unittest.TestCase):
    def test_the_reader_of_vtk_reads_every_step(self):
        for name in ("demo", "balls"):
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
