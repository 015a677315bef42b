"""The standard input and output as files: "-" works as the name of a file to read, and of a text to write."""

import csv
import io
import json
import pathlib
import shutil
import subprocess
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "support"))
import demo
from demo import abut, abut_well, fresh_folder

MESHES = demo.SOURCE / "scenes" / "meshes"


def piped(path, *arguments, cwd=None):
    """Runs the command with the file as its standard input."""
    with open(path, "rb") as file:
        return subprocess.run([demo.COMMAND, *map(str, arguments)], stdin=file, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                              cwd=cwd, timeout=300)


class Input(unittest.TestCase):
    def setUp(self):
        self.folder = fresh_folder("input")

    def well(self, path, *arguments):
        result = piped(path, *arguments, cwd=self.folder)
        self.assertEqual((result.returncode, result.stderr), (0, ""), arguments)
        return result.stdout

    def test_a_scene(self):
        scene = demo.write_scene(self.folder / "demo.json")
        self.assertEqual(self.well(scene, "check", "-"), abut_well("check", scene).replace(str(scene), "<stdin>"))
        self.well(scene, "run", "-", "-q", "-o", "piped.h5")
        abut_well("run", scene, "-q", "-o", self.folder / "named.h5")
        for name in ("piped", "named"):
            abut_well("export", self.folder / f"{name}.h5", self.folder / f"{name}.csv", "--table", "bodies")
        self.assertEqual((self.folder / "piped.csv").read_text(), (self.folder / "named.csv").read_text())

    def test_a_scene_finds_its_meshes_in_the_current_folder(self):
        shutil.copy(MESHES / "block.obj", self.folder)
        scene = {"abut_scene": 1, "duration": 0.1, "bodies": [{"name": "b", "shape": {"mesh": {"file": "block.obj", "hull": True}}}]}
        self.assertIn("<stdin>: OK, 1 bodies", self.well(demo.write_scene(self.folder / "scene.json", scene), "check", "-"))

    def test_a_mesh_that_is_called_a_dash(self):
        """In a scene "-" is a name like any other: the scene itself may come from the standard input."""
        scene = {"abut_scene": 1, "duration": 0.1, "bodies": [{"name": "b", "shape": {"mesh": {"file": "-"}}}]}
        result = piped(demo.write_scene(self.folder / "scene.json", scene), "check", "-", cwd=self.folder)
        self.assertEqual(result.returncode, 2)
        self.assertIn("./-", result.stderr)

    def test_mistakes_have_their_place(self):
        (self.folder / "bad.json").write_text('{\n  "abut_scene": 1,\n  "grvity": [0, 0, 0],\n  "bodies": []\n}\n')
        result = piped(self.folder / "bad.json", "check", "-")
        self.assertEqual((result.returncode, result.stdout), (2, ""))
        self.assertRegex(result.stderr, r"\A<stdin>:3:\d+: .*did you mean 'gravity'.*\n\Z")

    def answers_alike(self, path, before, *behind):
        """The answers for the mesh from the standard input and from its file."""
        first = json.loads(self.well(path, "collide", f"{before}-", *behind, "--json"))
        second = json.loads(abut_well("collide", f"{before}{path}", *behind, "--json"))
        self.assertEqual(first["a"].pop("shape"), f"{before}-")
        second["a"].pop("shape")
        self.assertGreater(len(first["contacts"]), 0)
        self.assertEqual(first, second)

    def test_meshes(self):
        self.answers_alike(MESHES / "stairs.obj", "trimesh:", "sphere:0.3", "--pose", "2.3,0,1.29")
        self.answers_alike(MESHES / "grain_ball.obj", "facetmesh:scale=200:", "plane:0,0,1,-0.9")
        self.answers_alike(MESHES / "gear.obj", "", "box:1,1,1")

    def test_kinds_of_meshes(self):
        """A tetrahedron as a text STL file, as a PLY file and as a binary STL file."""
        corners = ((0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1))
        faces = ((0, 2, 1), (0, 1, 3), (0, 3, 2), (1, 2, 3))
        facets = "".join("facet normal 0 0 0\nouter loop\n" + "".join("vertex {} {} {}\n".format(*corners[v]) for v in f) + "endloop\nendfacet\n" for f in faces)
        (self.folder / "text.stl").write_text(f"solid t\n{facets}endsolid t\n")
        import struct
        (self.folder / "binary.stl").write_bytes(b"\0" * 80 + struct.pack("<I", 4) + b"".join(
            struct.pack("<12fH", 0, 0, 0, *(x for v in f for x in corners[v]), 0) for f in faces))
        (self.folder / "text.ply").write_text("ply\nformat ascii 1.0\nelement vertex 4\nproperty double x\nproperty double y\nproperty double z\n"
                                              "element face 4\nproperty list uchar int vertex_indices\nend_header\n"
                                              + "".join("{} {} {}\n".format(*c) for c in corners) + "".join("3 {} {} {}\n".format(*f) for f in faces))
        for name in ("text.stl", "binary.stl", "text.ply"):
            with self.subTest(name):
                self.answers_alike(self.folder / name, "", "box:1,1,1")

    def test_tetrahedra(self):
        arguments = ("--json", "--pose", "1.9,0,0")
        first = json.loads(self.well(MESHES / "tet_ball.msh", "depth", "-", MESHES / "tet_torus.msh", *arguments))
        second = json.loads(abut_well("depth", MESHES / "tet_ball.msh", MESHES / "tet_torus.msh", *arguments))
        self.assertEqual(first["a"].pop("file"), "-")
        second["a"].pop("file")
        first.pop("seconds"), second.pop("seconds")
        self.assertEqual(first, second)
        result = piped(demo.write_scene(self.folder / "scene.json"), "depth", "-")
        self.assertEqual(result.returncode, 2)
        self.assertIn("the standard input may be a .msh, .vtk, .vtu, .mesh or .inp file", result.stderr)

    def test_pairs(self):
        path = self.folder / "pairs.csv"
        path.write_text("0,0,0,1,0,0,0,1,0,0,0,1,0.2,0.2,0.2,2,0,0,0,2,0,0,0,2\n")
        self.assertIn("1 intersecting", self.well(path, "depth", "--pairs", "-"))
        path.write_text("1,2\nx\n")
        self.assertRegex(piped(path, "depth", "--pairs", "-").stderr, r"\Aabut depth: <stdin>:2:.*\n\Z")

    def test_empty(self):
        for arguments in (["check", "-"], ["run", "-", "--no-record"], ["collide", "-", "sphere:1"], ["depth", "-"], ["depth", "--pairs", "-"]):
            with self.subTest(arguments):
                result = piped("/dev/null", *arguments)
                self.assertEqual((result.returncode, result.stdout, result.stderr.count("\n")), (2, "", 1), result)


class Output(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = fresh_folder("output")
        cls.recording = demo.record(cls.folder)

    def test_a_table_of_a_recording(self):
        for table in ("steps", "bodies", "contacts"):
            path = self.folder / f"{table}.csv"
            abut_well("export", self.recording, path, "--table", table)
            self.assertEqual(abut_well("export", self.recording, "-", "--table", table), path.read_text())

    def test_a_table_of_pairs(self):
        """The table takes the place of the summary."""
        pairs = self.folder / "pairs.csv"
        pairs.write_text("0,0,0,1,0,0,0,1,0,0,0,1,0.2,0.2,0.2,2,0,0,0,2,0,0,0,2\n")
        rows = list(csv.DictReader(io.StringIO(abut_well("depth", "--pairs", pairs, "-o", "-"))))
        self.assertEqual([row["relation"] for row in rows], ["intersecting"])

    def test_a_page(self):
        template = self.folder / "template.html"
        template.write_text("<!--abut:runs-->\n")
        abut_well("view", self.recording, "-o", self.folder / "page.html", "-t", template)
        self.assertEqual(abut_well("view", self.recording, "-o", "-", "-t", template), (self.folder / "page.html").read_text())

    def test_a_reader_that_stops(self):
        """As with `| head -1`: no message, no file."""
        result = subprocess.run(f"{demo.COMMAND} export {self.recording} - -t bodies | head -1", shell=True, capture_output=True, text=True,
                                cwd=self.folder)
        self.assertEqual((result.stdout.count("\n"), result.stderr), (1, ""))
        self.assertEqual([path for path in self.folder.iterdir() if path.name.startswith(".") or path.name == "-"], [])

    def test_a_full_or_closed_output(self):
        for redirection in (">/dev/full", ">&-"):
            result = subprocess.run(f"{demo.COMMAND} export {self.recording} - {redirection}", shell=True, capture_output=True, text=True)
            self.assertEqual((result.returncode, result.stderr.count("\n")), (2, 1), result.stderr)
            self.assertIn("cannot write '-'", result.stderr)


if __name__ == "__main__":
    unittest.main(verbosity=2)
