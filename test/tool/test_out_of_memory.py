"""Commands whose requests for memory are refused, one in each run: a message and the exit status 1, the old output, and no temporary file."""

import os
import pathlib
import struct
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "support"))
import demo
from demo import abut, abut_well, fresh_folder

LIBRARY = os.environ.get("ABUT_TEST_REFUSE_MEMORY")
if not LIBRARY:
    print("skipped: the library that refuses memory was not built")
    sys.exit(77)

SAMPLES = os.environ.get("ABUT_TEST_SAMPLES", "")
MOST = 10**6 if SAMPLES == "full" else 60 * max(1, int(SAMPLES or 1))  # requests refused of each command

OBJ = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\ng a\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n"
MESHES = {"abut_scene": 1, "duration": 0.05, "bodies": [
    {"name": "floor", "kind": "static", "shape": {"trimesh": {"file": "stone.obj"}}},
    {"name": "field", "kind": "static", "shape": {"heightfield": {"spacing": [1, 1], "heights": [[0, 0], [0, 0.1]]}}, "position": [0, 0, -1]},
    {"name": "stone", "shape": {"mesh": {"file": "stone.obj"}}, "position": [0, 0, 1]}]}
GRAINS = {"abut_scene": 1, "dt": 0.001, "duration": 0.01, "stepper": {"kind": "dem", "step_share": 0.2},
          "bodies": [{"name": "floor", "kind": "static", "shape": {"plane": {"normal": [0, 0, 1]}}},
                     {"name": "ball", "shape": {"sphere": {"radius": 0.005}}, "fill": {"count": 20, "lower": [-0.02, -0.02, 0], "upper": [0.02, 0.02, 0.05], "seed": 1}}]}
FLOW = {"abut_scene": 1, "dt": 0.002, "duration": 0.02, "stepper": {"kind": "dem", "step_share": 0.3}, "bodies": [
    {"name": "floor", "kind": "static", "shape": {"box": {"half": [1, 1, 0.1]}}, "position": [0, 0, -0.1]},
    {"name": "lid", "kind": "kinematic", "shape": {"sphere": {"radius": 0.1}}, "position": [0, 0, 0.5], "servo": {"axis": [0, 0, -1], "force": 1, "max_speed": 1}},
    {"name": "sieve", "kind": "kinematic", "shape": {"sphere": {"radius": 0.1}}, "position": [0.5, 0, 0.5], "motion": [{"table": "shaker.csv"}]},
    {"name": "ball", "shape": {"sphere": {"radius": 0.005}}, "inlet": {"number_rate": 1000, "lower": [-0.02, -0.02, 0], "upper": [0.02, 0.02, 0.05],
     "sizes": {"by": "mass", "gauss": {"mean": 0.01, "deviation": 0.001, "least": 0.009, "most": 0.012}}}},
    {"name": "sand", "shape": {"sphere": {"radius": 0.005}}, "inlet": {"number_rate": 1000, "lower": [-0.02, -0.02, 0.1], "upper": [0.02, 0.02, 0.2],
     "sizes": {"by": "mass", "curve": "sand.csv", "scale": 0.001}}}],
    "outlets": [{"name": "out", "lower": [0, 0, 0], "upper": [1, 1, 0.01]}],
    "measures": [{"name": "m", "force_on": ["floor"]}, {"name": "a", "average_in": {"lower": [0, 0, 0], "upper": [1, 1, 1]}}],
    "actions": [{"when": {"series": "m.force_z", "below": 0}, "remove": "sieve"}, {"when": {"series": "out.count", "above": 1e9}, "stop": True}]}
# jansson loses a character of a long string, in silence, when the buffer of its reader cannot grow: the strings here are short.
GLTF = ('{"asset":{"version":"2.0"},"scene":0,"scenes":[{"nodes":[0]}],"nodes":[{"mesh":0}],"meshes":[{"primitives":[{"attributes":{"POSITION":0}}]}],'
        '"accessors":[{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3"}],"bufferViews":[{"buffer":0,"byteLength":36}],'
        '"buffers":[{"byteLength":36,"uri":"a.bin"}]}')
PLY = "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\nproperty float z\nelement face 1\nproperty list uchar int vertex_indices\nend_header\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n"
STL = "solid x\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nendloop\nendfacet\nendsolid\n"
VTK = "# vtk DataFile Version 3.0\nx\nASCII\nDATASET UNSTRUCTURED_GRID\nPOINTS 4 double\n0 0 0 1 0 0 0 1 0 0 0 1\nCELLS 1 5\n4 0 1 2 3\nCELL_TYPES 1\n10\n"


class OutOfMemory(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = fresh_folder("memory")
        demo.write_scene(cls.folder / "demo.json", {**demo.SCENE, "duration": 0.2})
        demo.write_scene(cls.folder / "meshes.json", MESHES)
        demo.write_scene(cls.folder / "grains.json", GRAINS)
        demo.write_scene(cls.folder / "flow.json", FLOW)
        for name, text in {"stone.obj": OBJ, "a.gltf": GLTF, "a.ply": PLY, "a.stl": STL, "a.msh": demo.tetrahedron(0), "b.msh": demo.tetrahedron(0.3), "a.vtk": VTK,
                           "a.node": "4 3 0 0\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n", "a.ele": "1 4 0\n1 1 2 3 4\n",
                           "sand.csv": "size;passing\n6;100\n4;30\n2;0\n", "shaker.csv": "0,0,0,0\n1,1,0,0\n",
                           "pairs.csv": "0,0,0,1,0,0,0,1,0,0,0,1,0.2,0.2,0.2,2,0,0,0,2,0,0,0,2\n", "template.html": "<!--abut:runs-->\n"}.items():
            (cls.folder / name).write_text(text)
        (cls.folder / "a.bin").write_bytes(struct.pack("<9f", 0, 0, 0, 1, 0, 0, 0, 1, 0))
        corpus = pathlib.Path(os.environ["ABUT_TEST_SOURCE_DIR"]) / "fuzz" / "corpus" / "tetfile"
        for name in ("zlib.vtu", "base64.vtu", "raw.vtu", "parts.inp", "text.mesh"):  # their first byte is for the fuzzer
            (cls.folder / name).write_bytes((corpus / name).read_bytes()[1:])
        abut_well("run", cls.folder / "demo.json", "-o", cls.folder / "in.h5", "-q")
        demo.write_scene(cls.folder / "start.json", {**demo.SCENE, "duration": 0.1, "start": {"recording": "in.h5", "bodies": ["box", "dumbbell"]}})

    def refused(self, at, *arguments):
        variables = {**os.environ, "LD_PRELOAD": LIBRARY, "ABUT_REFUSE_AT": str(at), "ABUT_COUNT_FILE": str(self.folder / "count")}
        return abut(*arguments, cwd=self.folder, env=variables)

    def state(self):
        return {path.name: path.read_bytes() for path in self.folder.iterdir() if path.name != "count"}

    def sweep(self, *arguments, output=None):
        (self.folder / "count").unlink(missing_ok=True)
        if output:
            (self.folder / output).write_text("old")
        self.assertEqual(self.refused(-1, *arguments).returncode, 0, arguments)
        count = int((self.folder / "count").read_text())
        self.assertGreater(count, 3, arguments)
        if output:
            for path in self.folder.glob(output.split(".")[0] + "*.*"):
                path.write_text("old")
        before = self.state()
        stride = max(1, -(-count // MOST))
        wrong = []
        for at in range(0, count, stride):
            result = self.refused(at, *arguments)
            if result.returncode == 0:  # it could do without
                for name, data in before.items():
                    (self.folder / name).write_bytes(data)
            lines = [line for line in result.stderr.splitlines() if "warning" not in line]
            if result.returncode not in (0, 1) or (result.returncode == 1 and (len(lines) != 1 or "memory" not in lines[0])):
                wrong.append((at, result.returncode, result.stderr[:200]))
            if self.state() != before:
                wrong.append((at, "files", sorted(set(self.state()) ^ set(before))))
                for name in set(self.state()) - set(before):
                    (self.folder / name).unlink()
                for name, data in before.items():
                    (self.folder / name).write_bytes(data)
        print(f"abut {' '.join(arguments)}: {count} requests, {len(range(0, count, stride))} refused")
        if output:
            for path in self.folder.glob(output.split(".")[0] + "*"):
                path.unlink()
        self.assertEqual(wrong, [], arguments)

    def test_scenes(self):
        for scene in ("demo.json", "meshes.json", "grains.json", "flow.json", "start.json"):
            with self.subTest(scene):
                self.sweep("check", scene)

    def test_runs(self):
        for scene in ("demo.json", "meshes.json", "grains.json", "flow.json", "start.json"):
            with self.subTest(scene):
                self.sweep("run", scene, "-q", "-o", "out.h5", "--threads", "1", output="out.h5")

    def test_exports(self):
        for output, options in (("out.csv", ("--table", "bodies")), ("out.glb", ()), ("out.vtkhdf", ())):
            with self.subTest(output):
                self.sweep("export", "in.h5", output, *options, output=output)

    def test_views(self):
        self.sweep("view", "in.h5", "-o", "page.html", "--template", "template.html", output="page.html")

    def test_shapes(self):
        for shape in ("stone.obj", "trimesh:stone.obj", "facetmesh:stone.obj", "trimesh:a.gltf", "trimesh:a.ply", "trimesh:a.stl", "cone:1,1",
                      "parametric:u=0,1:v=-1.5707963267948966,1.5707963267948966:a=1:a*cos(2*pi*u)*cos(v);sin(2*pi*u)*cos(v);sin(v)"):
            with self.subTest(shape):
                self.sweep("collide", shape, "sphere:0.5")

    def test_tetrahedra(self):
        for arguments in (("a.msh", "b.msh"), ("a.msh", "a.vtk", "--resolve", "-o", "out.vtu"), ("a.node", "b.msh"), ("--pairs", "pairs.csv"),
                          ("zlib.vtu", "base64.vtu"), ("raw.vtu", "parts.inp"), ("text.mesh", "b.msh")):
            with self.subTest(arguments):
                self.sweep("depth", *arguments, output="out.vtu" if "out.vtu" in arguments else None)


if __name__ == "__main__":
    unittest.main()
