"""An exported animation is valid glTF 2.0 without textures and skins, and shows the recording."""

import json
import pathlib
import struct
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

FOLDER = demo.fresh_folder("glb")
WIDTHS = {"SCALAR": 1, "VEC3": 3, "VEC4": 4}
TYPES = {5126: "<f4", 5125: "<u4"}


class Asset:
    """The parts of a .glb file; checks the rules that hold for every file."""

    def __init__(self, path, test):
        self.test, data = test, path.read_bytes()
        magic, version, length = struct.unpack_from("<4sII", data)
        test.assertEqual((magic, version, length), (b"glTF", 2, len(data)))
        chunks, offset = [], 12
        while offset < len(data):
            size, kind = struct.unpack_from("<I4s", data, offset)
            test.assertEqual(size % 4, 0)
            chunks.append((kind, data[offset + 8:offset + 8 + size]))
            offset += 8 + size
        test.assertEqual(offset, len(data))
        test.assertEqual([kind for kind, _ in chunks], [b"JSON", b"BIN\0"][:len(chunks)])
        self.json = json.loads(chunks[0][1])
        test.assertEqual(chunks[0][1].rstrip(b" ")[-1:], b"}")
        self.binary = chunks[1][1] if len(chunks) > 1 else b""
        test.assertEqual(self.json["asset"]["version"], "2.0")
        self.check_views()
        self.arrays = [self.read(accessor) for accessor in self.json.get("accessors", [])]

    def check_views(self):
        buffers = self.json.get("buffers", [])
        self.test.assertEqual([buffer["byteLength"] for buffer in buffers], [len(self.binary)] if self.binary else [])
        end = 0
        for view in self.json.get("bufferViews", []):
            self.test.assertEqual(view["buffer"], 0)
            self.test.assertEqual(view["byteOffset"], end)  # nothing overlaps, nothing is wasted
            self.test.assertEqual(view["byteOffset"] % 4, 0)
            self.test.assertGreater(view["byteLength"], 0)
            end = view["byteOffset"] + view["byteLength"]
        self.test.assertEqual(end, len(self.binary))

    def read(self, accessor):
        """The numbers of an accessor; its bounds must be correct."""
        view = self.json["bufferViews"][accessor["bufferView"]]
        width, count = WIDTHS[accessor["type"]], accessor["count"]
        self.test.assertEqual(view["byteLength"], 4 * width * count)
        array = np.frombuffer(self.binary, TYPES[accessor["componentType"]], width * count, view["byteOffset"]).reshape(count, width)
        self.test.assertEqual("min" in accessor, "max" in accessor)
        if "min" in accessor:
            np.testing.assert_array_equal(np.array(accessor["min"], "<f4").astype(float), accessor["min"])
            np.testing.assert_array_equal(array.min(axis=0), np.array(accessor["min"], "<f4"))
            np.testing.assert_array_equal(array.max(axis=0), np.array(accessor["max"], "<f4"))
        return array

    def primitive(self, node):
        """Positions, normals and triangles of a node's mesh."""
        (primitive,) = self.json["meshes"][node["mesh"]]["primitives"]
        self.test.assertIn("pbrMetallicRoughness", self.json["materials"][primitive["material"]])
        for key, target in (("POSITION", 34962), ("NORMAL", 34962), (None, 34963)):
            index = primitive["attributes"][key] if key else primitive["indices"]
            self.test.assertEqual(self.json["bufferViews"][self.json["accessors"][index]["bufferView"]]["target"], target)
        self.test.assertIn("min", self.json["accessors"][primitive["attributes"]["POSITION"]])
        positions, normals = (self.arrays[primitive["attributes"][key]] for key in ("POSITION", "NORMAL"))
        return positions.astype(float), normals.astype(float), self.arrays[primitive["indices"]].reshape(-1, 3)

    def channels(self):
        """(node, path) -> (times, values, interpolation)."""
        found = {}
        for animation in self.json.get("animations", []):
            for channel in animation["channels"]:
                sampler = animation["samplers"][channel["sampler"]]
                times, values = self.arrays[sampler["input"]][:, 0], self.arrays[sampler["output"]]
                self.test.assertIn("min", self.json["accessors"][sampler["input"]])
                self.test.assertEqual(len(times), len(values))
                self.test.assertTrue((np.diff(times) > 0).all() and times[0] >= 0)
                key = channel["target"]["node"], channel["target"]["path"]
                self.test.assertNotIn(key, found)
                found[key] = times, values, sampler["interpolation"]
        return found


def rotated(quaternion, vectors):
    q, w = np.asarray(quaternion)[:3], quaternion[3]
    t = 2 * np.cross(q, vectors)
    return vectors + w * t + np.cross(q, t)


class Animation(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.recording = demo.record(FOLDER)
        demo.abut_well("export", cls.recording, FOLDER / "demo.glb")
        with h5py.File(cls.recording) as file:
            cls.names = [name.decode() for name in file["bodies/name"][()]]
            cls.time, cls.pose, cls.presence = (file[f"frames/{name}"][()] for name in ("time", "pose", "presence"))

    def setUp(self):
        self.asset = Asset(FOLDER / "demo.glb", self)
        self.nodes = self.asset.json["nodes"]

    def node_of(self, name):
        return next(index for index, node in enumerate(self.nodes) if node["name"] == name)

    def test_every_body_is_a_node_below_one_that_stands_upright(self):
        (root,) = self.asset.json["scenes"][self.asset.json["scene"]]["nodes"]
        self.assertEqual([self.nodes[child]["name"] for child in self.nodes[root]["children"]], self.names)
        self.assertEqual(len(self.nodes), len(self.names) + 1)
        np.testing.assert_allclose(rotated(self.nodes[root]["rotation"], [0, 0, 1]), [0, 1, 0], atol=1e-12)
        self.assertEqual(self.asset.json["scenes"][0]["name"], demo.SCENE["title"])

    def test_meshes_are_closed_and_outward(self):
        expected = {"box": 0.48, "twin": 0.064, "lift": 1.5 * 3 ** 0.5 * 0.25 * 0.2}
        ball, capsule = 4 / 3 * np.pi * 0.2 ** 3, np.pi * 0.2 ** 2 * 0.6
        rounded = {"ball, small": ball, "capsule": ball + capsule, "dumbbell": 0.064 + 4 / 3 * np.pi * 0.25 ** 3}
        for name in (*expected, *rounded):
            with self.subTest(name):
                positions, normals, triangles = self.asset.primitive(self.nodes[self.node_of(name)])
                self.assertEqual(positions.shape, normals.shape)
                self.assertLess(triangles.max(), len(positions))
                self.assertEqual(len(np.unique(triangles)), len(positions) if name in expected else len(np.unique(triangles)))
                np.testing.assert_allclose(np.linalg.norm(normals, axis=1), 1, atol=1e-6)
                a, b, c = (positions[triangles[:, k]] for k in range(3))
                area = np.cross(b - a, c - a)
                self.assertTrue((np.linalg.norm(area, axis=1) > 0).all())
                self.assertTrue(((area * normals[triangles].sum(axis=1)).sum(axis=1) > 0).all())
                np.testing.assert_allclose(area.sum(axis=0), 0, atol=1e-6)
                volume = (a * np.cross(b, c)).sum() / 6
                if name in expected:
                    self.assertAlmostEqual(volume, expected[name], delta=1e-6)
                else:
                    self.assertTrue(0.97 * rounded[name] < volume < rounded[name])

    def test_equal_shapes_share_their_numbers_but_not_their_colour(self):
        """A scene of two bodies with one named shape."""
        scene = {"abut_scene": 1, "duration": 0.1, "shapes": {"cube": {"box": {"half": [1, 1, 1]}}},
                 "bodies": [{"name": name, "shape": "cube", "position": [3 * index, 0, 0]} for index, name in enumerate("ab")]}
        demo.abut_well("run", demo.write_scene(FOLDER / "cubes.json", scene), "-o", FOLDER / "cubes.h5")
        demo.abut_well("export", FOLDER / "cubes.h5", FOLDER / "cubes.glb")
        asset = Asset(FOLDER / "cubes.glb", self)
        first, second = (mesh["primitives"][0] for mesh in asset.json["meshes"])
        self.assertEqual((first["attributes"], first["indices"]), (second["attributes"], second["indices"]))
        colours = [asset.json["materials"][mesh["material"]]["pbrMetallicRoughness"]["baseColorFactor"] for mesh in (first, second)]
        self.assertNotEqual(*colours)

    def test_plane_is_a_square_under_everything(self):
        positions, normals, triangles = self.asset.primitive(self.nodes[self.node_of("floor")])
        self.assertEqual((positions.shape, len(triangles)), ((4, 3), 2))
        np.testing.assert_allclose(positions[:, 2], 0.25, atol=1e-6)
        np.testing.assert_array_equal(normals, [[0, 0, 1]] * 4)
        self.assertTrue((positions.min(axis=0)[:2] < [-2.6, -0.5]).all() and (positions.max(axis=0)[:2] > [4.5, 3]).all())
        material = self.asset.json["meshes"][self.nodes[self.node_of("floor")]["mesh"]]["primitives"][0]["material"]
        self.assertTrue(self.asset.json["materials"][material]["doubleSided"])

    def check_motion(self, asset, frames):
        channels = asset.channels()
        moving = ("capsule", "dumbbell", "twin", "lift")
        for body, name in enumerate(self.names):
            node, there = self.node_of(name), self.presence[frames, body] != 0
            pose = self.pose[frames, body][there]
            np.testing.assert_array_equal(np.array(self.nodes[node]["translation"], "f4"), pose[0, :3].astype("f4"))
            if (node, "translation") not in channels:
                self.assertNotIn(name, moving)
                np.testing.assert_array_equal(pose[:, :3].astype("f4"), pose[:1, :3].astype("f4").repeat(len(pose), axis=0))
                continue
            times, values, interpolation = channels[node, "translation"]
            self.assertEqual(interpolation, "LINEAR")
            np.testing.assert_array_equal(times, self.time[frames].astype("f4"))
            np.testing.assert_array_equal(values[there], pose[:, :3].astype("f4"))
            times, values, interpolation = channels[node, "rotation"]
            self.assertEqual((len(times), interpolation), (len(frames), "LINEAR"))
            np.testing.assert_allclose(np.linalg.norm(values, axis=1), 1, atol=1e-6)
            self.assertTrue(((values[1:] * values[:-1]).sum(axis=1) > 0).all())  # never the long way round
            same = np.abs((values[there] * pose[:, 3:]).sum(axis=1))
            np.testing.assert_allclose(same, 1, atol=1e-6)
        return channels

    def test_motion_is_the_recorded_one(self):
        channels = self.check_motion(self.asset, np.arange(demo.STEPS + 1))
        self.assertNotIn((self.node_of("floor"), "translation"), channels)

    def test_removed_body_shrinks_to_nothing(self):
        channels = self.asset.channels()
        times, values, interpolation = channels[self.node_of("ball, small"), "scale"]
        self.assertEqual(interpolation, "STEP")
        np.testing.assert_array_equal(times, self.time[[0, demo.REMOVED_FROM]].astype("f4"))
        np.testing.assert_array_equal(values, [[1, 1, 1], [0, 0, 0]])
        self.assertEqual([node for node, path in channels if path == "scale"], [self.node_of("ball, small")])

    def test_every_keeps_the_last_frame(self):
        demo.abut_well("export", self.recording, FOLDER / "sparse.glb", "--every", 25)
        self.check_motion(Asset(FOLDER / "sparse.glb", self), np.array([0, 25, 50, 60]))
        demo.abut_well("export", self.recording, FOLDER / "ends.glb", "--every", 1000)
        self.check_motion(Asset(FOLDER / "ends.glb", self), np.array([0, 60]))


def matrix_of(node, time, channels, index):
    """The transformation of a node at a sample: channels or the node's own."""
    parts = {"translation": np.zeros(3), "rotation": np.array([0, 0, 0, 1.0]), "scale": np.ones(3)}
    for path in parts:
        parts[path] = np.array(node.get(path, parts[path]), float)
        if (index, path) in channels:
            times, values, _ = channels[index, path]
            parts[path] = values[np.flatnonzero(times <= np.float32(time))[-1]].astype(float)
    matrix = np.eye(4)
    matrix[:3, :3] = rotated(parts["rotation"], np.eye(3)).T * parts["scale"]
    matrix[:3, 3] = parts["translation"]
    return matrix


class Joints(unittest.TestCase):
    """The nodes of joints move with their bodies."""

    @classmethod
    def setUpClass(cls):
        demo.abut_well("run", demo.write_scene(FOLDER / "joints.json", demo.JOINTS), "-o", FOLDER / "joints.h5")
        demo.abut_well("export", FOLDER / "joints.h5", FOLDER / "joints.glb")
        with h5py.File(FOLDER / "joints.h5") as file:
            cls.data = {name: file[name][()] for name in ("frames/time", "frames/pose", "frames/joint_state", "frames/joint_load", "joints/a", "joints/b",
                                                         "joints/frame_a", "joints/frame_b")}

    def setUp(self):
        self.asset = Asset(FOLDER / "joints.glb", self)
        self.nodes, self.channels = self.asset.json["nodes"], self.asset.channels()
        self.at = {node["name"]: index for index, node in enumerate(self.nodes)}
        self.parent = {child: index for index, node in enumerate(self.nodes) for child in node.get("children", [])}

    def placed(self, index, step):
        """The matrix of a node below the root, which only turns all of them."""
        matrix = matrix_of(self.nodes[index], self.data["frames/time"][step], self.channels, index)
        parent = self.parent[index]
        return matrix if self.nodes[parent]["name"] == "world" else self.placed(parent, step) @ matrix

    def origin(self, side, row, step):
        body = self.data[f"joints/{side}"][row]
        pose, local = self.data["frames/pose"][step, body], self.data[f"joints/frame_{side}"][row]
        return pose[:3] + rotated(pose[3:], local[:3]), rotated(pose[3:], rotated(local[3:], np.eye(3)))

    def test_nodes_are_at_the_frames_of_their_joints(self):
        for row, joint in enumerate(demo.JOINTS["joints"]):
            for side in "ab":
                index = self.at[f"{joint['kind']} {row} {side}"]
                self.assertEqual(self.nodes[self.parent[index]]["name"], joint[side])
                for step in (0, 10, 29):
                    if self.data["frames/joint_state"][step, row] == 2:
                        matrix, (place, axes) = self.placed(index, step), self.origin(side, row, step)
                        np.testing.assert_allclose(matrix[:3, 3], place, atol=1e-5)
                        size = np.linalg.norm(matrix[:3, 0])
                        self.assertTrue(0.09 < size < 0.6)
                        np.testing.assert_allclose(matrix[:3, :3].T / size, axes, atol=1e-5)

    def test_ropes_go_from_end_to_end_until_they_break(self):
        for row, name in ((1, "distance 1 rope"), (2, "distance 2 rope")):
            index, whole = self.at[name], self.data["frames/joint_state"][:, row] == 2
            self.assertEqual(whole.all(), row == 1)
            for step in range(0, demo.STEPS + 1, 5):
                ends = self.placed(index, step) @ np.array([[0, 0, 0, 1], [0, 0, 1, 1.0]]).T
                if whole[step]:
                    np.testing.assert_allclose(ends[:3].T, [self.origin(side, row, step)[0] for side in "ab"], atol=1e-5)
                else:
                    np.testing.assert_array_equal(self.channels[index, "scale"][1][step], 0)
        for side in "ab":
            times, values, interpolation = self.channels[self.at[f"distance 2 {side}"], "scale"]
            broken = np.flatnonzero(self.data["frames/joint_state"][:, 2] != 2)[0]
            self.assertEqual((times[1], interpolation), (np.float32(self.data["frames/time"][broken]), "STEP"))
            self.assertGreater(values[0].min(), 0)
            np.testing.assert_array_equal(values[1], 0)

    def test_lines_and_data(self):
        for row, joint in enumerate(demo.JOINTS["joints"]):
            node = self.nodes[self.at[f"{joint['kind']} {row} b"]]
            whole = self.data["frames/joint_state"][:, row] == 2
            load = np.linalg.norm(self.data["frames/joint_load"][whole, row].reshape(-1, 2, 3), axis=2).max(axis=0)
            self.assertEqual([node["extras"][key] for key in ("joint", "kind", "a", "b")], [row, joint["kind"], joint["a"], joint["b"]])
            np.testing.assert_allclose([node["extras"]["largest_force"], node["extras"]["largest_torque"]], load, rtol=1e-12)
            (primitive,) = self.asset.json["meshes"][node["mesh"]]["primitives"]
            self.assertEqual(primitive["mode"], 1)  # lines
            points = self.asset.arrays[primitive["attributes"]["POSITION"]]
            axis = {"revolute": 2, "wheel": 2, "gear": 2, "universal": 0}.get(joint["kind"])
            self.assertEqual(np.flatnonzero(np.ptp(points, axis=0)).tolist(), [0, 1, 2] if axis is None else [axis])


class Corners(unittest.TestCase):
    """Scenes at the limits of the format."""

    def export(self, name, scene, *options):
        demo.abut_well("run", demo.write_scene(FOLDER / f"{name}.json", scene), "-o", FOLDER / f"{name}.h5", *options)
        demo.abut_well("export", FOLDER / f"{name}.h5", FOLDER / f"{name}.glb")
        return Asset(FOLDER / f"{name}.glb", self)

    def test_nothing_moves(self):
        asset = self.export("still", {"abut_scene": 1, "duration": 0.1, "bodies": [
            {"name": "alone", "kind": "static", "shape": {"box": {"half": [1, 1, 1]}}}]})
        self.assertNotIn("animations", asset.json)
        self.assertEqual(len(asset.json["accessors"]), 3)

    def test_bodies_that_come_grow_from_nothing(self):
        scene = {"abut_scene": 1, "dt": 0.01, "duration": 0.2, "bodies": [
            {"name": "floor", "kind": "static", "shape": {"plane": {"normal": [0, 0, 1]}}},
            {"name": "g", "shape": {"sphere": {"radius": 0.1}}, "inlet": {"number_rate": 50, "number": 3, "lower": [0, 0, 1], "upper": [1, 1, 2]}}]}
        asset = self.export("come", scene, "--threads", 1)
        nodes, channels = {node.get("name"): index for index, node in enumerate(asset.json["nodes"])}, asset.channels()
        with h5py.File(FOLDER / "come.h5", "r") as file:
            time, pose, presence = (file[f"frames/{name}"][:] for name in ("time", "pose", "presence"))
            np.testing.assert_allclose(file["bodies/mass"][1:], 4e3 / 3 * np.pi * 1e-3, rtol=1e-12)
        for k in range(3):
            first = np.argmax(presence[:, k + 1] != 0)
            self.assertEqual(first, 2 * (k + 1) + 1)  # the frame after the step that begins at (k + 1) / 50
            times, values, interpolation = channels[nodes[f"g.{k + 1}"], "scale"]
            self.assertEqual(interpolation, "STEP")
            np.testing.assert_array_equal(times, time[[0, first]].astype("f4"))
            np.testing.assert_array_equal(values, [[0, 0, 0], [1, 1, 1]])
            _, values, _ = channels[nodes[f"g.{k + 1}"], "translation"]
            np.testing.assert_array_equal(values[first:], pose[first:, k + 1, :3].astype("f4"))
            np.testing.assert_array_equal(values[:first], pose[[first] * first, k + 1, :3].astype("f4"))

    def test_other_directions_of_gravity(self):
        for index, gravity in enumerate(([0, -9.81, 0], [0, 9.81, 0], [3, -4, 0], [0, 0, 0])):
            asset = self.export(f"gravity{index}", {"abut_scene": 1, "duration": 0.1, "gravity": gravity, "bodies": [
                {"name": "alone", "shape": {"box": {"half": [1, 1, 1]}}}]})
            (root,) = asset.json["scenes"][0]["nodes"]
            up = -np.array(gravity) / np.linalg.norm(gravity) if any(gravity) else [0, 0, 1]
            np.testing.assert_allclose(rotated(asset.json["nodes"][root]["rotation"], up), [0, 1, 0], atol=1e-9)

    def test_times_that_single_precision_cannot_tell_apart(self):
        """The format requires ascending times: of frames with equal times the first is kept."""
        recording = demo.record(FOLDER)
        with h5py.File(recording, "r+") as file:
            time = 1000 + 1e-5 * np.arange(demo.STEPS + 1)
            file["frames/time"][()] = time
        demo.abut_well("export", recording, FOLDER / "close.glb")
        asset = Asset(FOLDER / "close.glb", self)
        expected = np.unique(time.astype("f4"))
        self.assertTrue(5 < len(expected) < demo.STEPS / 2)
        for (_, path), (times, _, _) in asset.channels().items():
            if path != "scale":
                np.testing.assert_array_equal(times, expected)


if __name__ == "__main__":
    unittest.main(verbosity=2)
