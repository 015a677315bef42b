"""No output of a command replaces one of its inputs, nor another output: under each name that leads to the file, and before anything is written."""

import json
import os
import pathlib
import struct
import subprocess
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "support"))
import demo
from demo import abut, abut_well, fresh_folder

OBJ = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n"
GLTF = {"asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0]}], "nodes": [{"mesh": 0}],
        "meshes": [{"primitives": [{"attributes": {"POSITION": 0}, "indices": 1}]}],
        "accessors": [{"bufferView": 0, "componentType": 5126, "count": 4, "type": "VEC3"}, {"bufferView": 1, "componentType": 5125, "count": 12, "type": "SCALAR"}],
        "bufferViews": [{"buffer": 0, "byteLength": 48}, {"buffer": 0, "byteOffset": 48, "byteLength": 48}], "buffers": [{"byteLength": 96, "uri": "ball.bin"}]}
SCENE = {"abut_scene": 1, "duration": 0.02, "start": {"recording": "first.h5"}, "bodies": [
    {"name": "floor", "kind": "static", "shape": {"trimesh": {"file": "floor.obj"}}},
    {"name": "hull", "shape": {"mesh": {"file": "ball.gltf"}}, "position": [0, 0, 3]},
    {"name": "grain", "shape": {"facetmesh": {"file": "grain.obj", "radius": 0.1}}, "position": [4, 0, 3]}]}
INPUTS_OF_SCENE = ("scene.json", "first.h5", "floor.obj", "ball.gltf", "ball.bin", "grain.obj")
NODES, ELEMENTS = "4 3 0 0\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n", "1 4 0\n1 1 2 3 4\n"


class Overwriting(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = fresh_folder("overwriting")
        os.chdir(cls.folder)
        corners = (0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1)
        for name, text in {"floor.obj": OBJ, "grain.obj": OBJ, "ball.gltf": json.dumps(GLTF), "a.node": NODES, "a.ele": ELEMENTS, "b.msh": demo.tetrahedron(0.3),
                           "pairs.csv": "1,7\n", "template.html": "<!--abut:runs-->\n"}.items():
            pathlib.Path(name).write_text(text)
        pathlib.Path("ball.bin").write_bytes(struct.pack("<12f12I", *corners, 0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3))
        demo.write_scene(cls.folder / "first.json", {key: value for key, value in SCENE.items() if key != "start"})
        demo.write_scene(cls.folder / "scene.json", SCENE)
        abut_well("run", "first.json", "-o", "first.h5", "-q")
        names = os.listdir()
        os.mkdir("links")  # with the endings of outputs
        for name in names:
            for ending in (".h5", ".csv", ".glb", ".vtkhdf", ".html", ".vtu"):
                os.symlink(os.path.join("..", name), f"links/{name}{ending}")
                os.link(name, f"links/hard.{name}{ending}")

    def state(self):
        return {str(path): os.readlink(path) if path.is_symlink() else path.read_bytes() for path in pathlib.Path(".").rglob("*") if not path.is_dir()}

    def refused(self, says, *command, **options):
        before = self.state()
        result = abut(*command, **options)
        self.assertEqual((result.returncode, result.stderr.count("\n")), (2, 1), (command, result))
        self.assertRegex(result.stderr, says)
        self.assertEqual(self.state(), before, command)

    def names(self, name, ending):
        """All ways to name a file: any name for an output that may have any ending, else links with the ending."""
        own = [name, f"./{name}", f"links/../{name}", str(self.folder.resolve() / name)] if not ending or name.endswith(ending) else []
        return own + [f"links/{name}{ending or '.h5'}", f"links/hard.{name}{ending or '.h5'}"]

    def test_run(self):
        for name in INPUTS_OF_SCENE:
            for path in self.names(name, None):
                self.refused("is (an|the) input", "run", "scene.json", "-q", "--no-record", "--events", path)
            for path in self.names(name, ".h5"):
                self.refused("is (an|the) input", "run", "scene.json", "-q", "-o", path)

    def test_outputs_of_one_run(self):
        os.symlink("new.h5", "to_new")
        os.symlink("links/../new.checkpoint.h5", "to_checkpoint")
        for path in ("new.h5", "./new.h5", "links/../new.h5", str(self.folder.resolve() / "new.h5"), "to_new"):
            self.refused("is the same file as the output 'new.h5'", "run", "scene.json", "-q", "-o", "new.h5", "--events", path)
        for path in ("new.checkpoint.h5", "links/../new.checkpoint.h5", "to_checkpoint"):
            self.refused("is the same file as the output 'new.checkpoint.h5'", "run", "scene.json", "-q", "-o", "new.h5", "--checkpoint-steps", "1", "--events", path)
        os.remove("to_new")
        os.remove("to_checkpoint")

    def test_a_scene_that_starts_from_a_checkpoint_of_its_output(self):
        pathlib.Path("own.checkpoint.h5").write_bytes(pathlib.Path("first.h5").read_bytes())
        demo.write_scene(self.folder / "own.json", {**SCENE, "start": {"recording": "own.checkpoint.h5"}})
        self.refused("own.checkpoint.h5' exists already", "run", "own.json", "-q", "-o", "own.h5", "--checkpoint-steps", "1")

    def test_standard_streams(self):
        for arguments in (("run", "scene.json", "-q", "--no-record", "--events", "-"), ("export", "first.h5", "-")):
            name = arguments[1]
            before = self.state()
            with open(name, "ab") as out:
                result = subprocess.run([demo.COMMAND, *arguments], stdout=out, stderr=subprocess.PIPE, text=True, timeout=60)
            self.assertEqual(result.returncode, 2, result)
            self.assertIn(f"the standard output leads to the input '{name}'", result.stderr)
            self.assertEqual(self.state(), before)
        with open("scene.json", "rb") as scene:
            self.refused("is the input '<stdin>'", "run", "-", "-q", "--no-record", "--events", "scene.json", stdin=scene)

    def test_export(self):
        for ending in (".csv", ".glb", ".vtkhdf"):
            for path in self.names("first.h5", ending):
                self.refused("is the input 'first.h5'", "export", "first.h5", path)
        os.link("first.h5", "out.joints.vtkhdf")
        self.refused("it is the recording itself", "export", "first.h5", "out.vtkhdf")
        os.remove("out.joints.vtkhdf")
        os.symlink("out.chains.vtkhdf", "out.joints.vtkhdf")
        self.refused("it is the same file as 'out.chains.vtkhdf'", "export", "first.h5", "out.vtkhdf")
        os.remove("out.joints.vtkhdf")

    def test_view(self):
        template = ("--template", "template.html")
        for path in self.names("first.h5", ".html"):
            self.refused("is the input 'first.h5'", "view", "first.h5", *template, "-o", path)
        for path in self.names("template.html", ".html"):
            self.refused("is (an|the) input", "view", "first.h5", *template, "-o", path)

    def test_depth(self):
        for name in ("a.node", "a.ele", "b.msh"):
            for ending in (".vtu", ".csv"):
                for path in self.names(name, ending):
                    self.refused("is the input", "depth", "a.node", "b.msh", "-o", path)
        for path in self.names("pairs.csv", ".csv"):
            self.refused("is (an|the) input", "depth", "a.ele", "b.msh", "--pairs", "pairs.csv", "-o", path)

    def test_other_files_are_replaced(self):
        pathlib.Path("old.h5").write_text("old")
        pathlib.Path("old.jsonl").write_text("old")
        abut_well("run", "scene.json", "-q", "-o", "old.h5", "--events", "old.jsonl", "--checkpoint-steps", "1")
        abut_well("run", "scene.json", "-q", "--no-record", "--events", "/dev/null")
        abut_well("export", "old.h5", "links/new.csv")
        self.assertNotIn(b"old", pathlib.Path("old.h5").read_bytes()[:3] + pathlib.Path("old.jsonl").read_bytes()[:3])
        os.remove("links/new.csv")


if __name__ == "__main__":
    unittest.main()
