"""The abut command from a user's view: help, results, wrong input, interruption, and files that must not be harmed."""

import csv
import json
import math
import os
import pathlib
import pty
import re
import resource
import shutil
import signal
import subprocess
import sys
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "support"))
import demo
from demo import abut, abut_well, fresh_folder

COMMANDS = ("run", "collide", "depth", "check", "export", "view")
FALLING = {"abut_scene": 1, "title": "Falling", "duration": 0.5, "bodies": [
    {"name": "floor", "kind": "static", "shape": {"plane": {"normal": [0, 0, 1]}}},
    {"name": "box", "shape": {"box": {"half": [0.5, 0.5, 0.5]}}, "position": [0, 0, 0.6]}]}


def options_in_source(command):
    """The rows of the command's table: name, letter, whether it takes an argument."""
    text = next((demo.SOURCE / "tool").rglob(f"{command}.c")).read_text()
    rows = re.findall(r"\[OPTION_\w+\] =\s*\{\s*\"([\w-]+)\",\s*(0|'\w'),\s*(NULL|\"[^\"]*\")", text)
    return [(name, None if letter == "0" else letter[1], argument != "NULL") for name, letter, argument in rows]


def heed_signals():
    """For a child process: restores the signals that end a run, even if this process was started with them ignored."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_DFL)


def folder_contents(folder):
    return {path.name: path.read_bytes() if path.is_file() else None for path in folder.iterdir()}


class Help(unittest.TestCase):
    def test_overview_names_every_command(self):
        for arguments in (["--help"], ["-h"], ["help"]):
            text = abut_well(*arguments)
            for command in COMMANDS:
                self.assertRegex(text, rf"(?m)^    {command} +\w")
        for status in ("0", "1", "2", "130"):
            self.assertRegex(text, rf"(?m)^    {status} +\w")

    def test_help_and_parser_know_the_same_options(self):
        self.assertEqual([len(options_in_source(command)) for command in COMMANDS], [12, 13, 12, 0, 2, 6])
        for command in COMMANDS:
            text = abut_well(command, "--help")
            listed = dict(re.findall(r"(?m)^    (?:-\w, )?--([\w-]+)( .*)?$", text))
            known = {name: argument for name, _, argument in options_in_source(command)}
            self.assertEqual(set(listed), set(known) | {"help"}, command)
            for name, letter, argument in options_in_source(command):
                self.assertEqual(bool(listed[name]), argument, name)
                self.assertEqual(f"-{letter}, --{name}" in text, letter is not None)
                # The parser knows the option: a message, if there is one, is not about an unknown option.
                for form in [f"--{name}"] + ([f"-{letter}"] if letter else []):
                    result = abut(command, form)
                    self.assertEqual(result.returncode, 2)
                    self.assertNotIn("unknown option", result.stderr)
                    self.assertEqual("needs an argument" in result.stderr, argument, form)
            self.assertEqual(text, abut_well("help", command))
            self.assertEqual(text, abut_well(command, "-h"))
            self.assertLessEqual(max(map(len, text.splitlines())), 80)
            for example in re.findall(r"(?m)^    (abut .*)$", text):
                self.assertEqual(example.split()[1], command)

    def test_examples_are_understood(self):
        folder = fresh_folder("examples")
        shutil.copytree(demo.SOURCE / "scenes", folder / "scenes")
        for name in ("wall.h5", "tracking.h5"):
            os.symlink(demo.record(fresh_folder(f"examples_recording_{name[0]}")), folder / name)
        (folder / "template.html").write_text("<!--abut:runs-->\n")
        (folder / "part.obj").write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\n")
        for name, x in (("ball", 0), ("torus", 1.5), ("block", 0.5)):
            (folder / f"{name}.msh").write_text(demo.tetrahedron(x))
        (folder / "tetrahedra.csv").write_text("0,0,0,1,0,0,0,1,0,0,0,1,0.2,0.2,0.2,2,0,0,0,2,0,0,0,2\n")
        (folder / "tile.obj").write_text("v 0 0 0\nv 2 0 0\nv 2 2 0\nf 1 2 3\n")
        for command in COMMANDS:
            for example in re.findall(r"(?m)^    (abut .*)$", abut_well(command, "--help")):
                if command == "run":
                    example += " --steps 2" if "--duration" not in example else ""
                    example = example.replace("--duration 5", "--duration 0.05")
                if command == "view":  # whether its own page has been built or not
                    example += " --template template.html"
                line = example.replace("scenes/*.json", "scenes/wall.json").replace("abut", demo.COMMAND, 1)
                result = subprocess.run(line.split(), cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
                self.assertEqual((result.returncode, result.stderr), (0, ""), example)

    def test_manual_has_everything(self):
        text = abut_well("help", "--man")
        plain = text.replace("\\-", "-")
        for command in COMMANDS:
            self.assertIn(f".SS abut {command} ", plain)
            for name, _, _ in options_in_source(command):
                self.assertRegex(plain, rf"(?m)^\.B .*--{name}( |$)")
        if shutil.which("groff"):
            made = subprocess.run(["groff", "-man", "-Tascii", "-ww", "-z"], input=text, text=True, stdout=subprocess.PIPE,
                                  stderr=subprocess.STDOUT)
            self.assertEqual((made.returncode, made.stdout), (0, ""))

    def test_version(self):
        header = (demo.SOURCE / "include" / "abut" / "base.h").read_text()
        numbers = [re.search(rf"ABUT_VERSION_{part} (\d+)", header)[1] for part in ("MAJOR", "MINOR", "PATCH")]
        self.assertEqual(abut_well("--version"), f"abut {'.'.join(numbers)}\n")


class Wrong(unittest.TestCase):
    """Exit status 2, nothing on stdout, exactly one line on stderr that names the mistake."""

    @classmethod
    def setUpClass(cls):
        cls.folder = fresh_folder("wrong")
        cls.scene = demo.write_scene(cls.folder / "good.json", FALLING)
        cls.recording = cls.folder / "good.h5"
        abut_well("run", cls.scene, "-o", cls.recording, "-q")
        (cls.folder / "good.msh").write_text(demo.tetrahedron(0))
        (cls.folder / "good.csv").write_text("a,b\n7,7\n")
        (cls.folder / "good.html").write_text("<!--abut:runs-->\n")

    def refused(self, *arguments, says, status=2, **options):
        before = folder_contents(self.folder)
        result = abut(*arguments, cwd=self.folder, **options)
        self.assertEqual((result.returncode, result.stdout), (status, ""), arguments)
        self.assertEqual(result.stderr.count("\n"), 1, result.stderr)
        self.assertTrue(result.stderr.endswith("\n"))
        self.assertRegex(result.stderr, says)
        self.assertEqual(folder_contents(self.folder), before, arguments)
        return result.stderr

    def test_command_lines(self):
        cases = [
            ([], "no command was given"),
            (["rnu"], "unknown command 'rnu'; did you mean 'run'"),
            (["xyzzy"], "unknown command 'xyzzy'; 'abut --help' lists them"),
            (["help", "-x"], "unknown option '-x'; 'abut --help' lists them"),
            (["help", "run", "check"], "unexpected argument 'check'; usage: abut help [COMMAND]"),
            (["--version", "x"], "unexpected argument 'x'"),
            (["--vresion"], "unknown option '--vresion'"),
            (["help", "colide"], "did you mean 'collide'"),
            (["run"], "abut run: an argument is missing; usage: abut run SCENE.json"),
            (["run", "a", "b"], "unexpected argument 'b'"),
            (["run", "--stesp", "3", "good.json"], "unknown option '--stesp'; did you mean '--steps'"),
            (["run", "--stesp=3", "good.json"], "unknown option '--stesp'; did you mean '--steps'"),
            (["run", "-x", "good.json"], "unknown option '-x'; 'abut run --help' lists"),
            (["run", "good.json", "--steps"], "option '--steps' needs an argument: N"),
            (["run", "good.json", "--quiet=yes"], "option '--quiet' takes no argument"),
            (["run", "good.json", "--steps", "0"], "option '--steps': '0' is not a whole number from 1"),
            (["run", "good.json", "--steps", "1.5"], "'1.5' is not a whole number"),
            (["run", "good.json", "--steps", "99999999999999999999"], "is not a whole number"),
            (["run", "good.json", "--steps", ""], "'' is not a whole number"),
            (["run", "good.json", "--duration", "nan"], "option '--duration': 'nan' is not a number"),
            (["run", "good.json", "--duration", "0"], "option '--duration': '0' is not above 0"),
            (["run", "good.json", "--duration", "-1"], "option '--duration': '-1' is not"),
            (["run", "good.json", "--duration", "1", "--steps", "3"], "'--steps' and '--duration' exclude each other"),
            (["run", "good.json", "--duration", "1e300"], "option '--duration': '1e300' is more than 1099511627776 steps of 0.0166667"),
            (["run", "good.json", "--threads", "0"], "option '--threads'"),
            (["run", "good.json", "--every", "0"], "option '--every'"),
            (["run", "good.json", "--method", "magic"], "option '--method': 'magic' is not one of: patch, tracking"),
            (["run", "good.json", "--no-record", "-o", "x.h5"], "exclude each other"),
            (["run", "good.json", "-o", "good.json"], "'good.json' is an input"),
            (["run", "good.json", "-o", "./good.json"], "is the input 'good.json'"),
            (["run", "good.json", "-o", ""], "no name was given"),
            (["run", "good.json", "-o", "x.txt"], "'x.txt': the name of the output must end in .h5 or .hdf5"),
            (["run", "good.json", "-o", "x"], "'x': the name of the output must end in .h5 or .hdf5"),
            (["run", "good.json", "-o", "-"], "'-': this output cannot go to the standard output; name a file that ends in .h5 or .hdf5"),
            (["run", "good.json", "-o", ".h5"], "'.h5': the name of the output must end in"),
            (["run", "-"], "a scene from the standard input has no name: name the recording with -o, or give --no-record"),
            (["run", "--resume", "missing.h5"], "missing.h5: No such file"),
            (["run", "--resume", "missing.checkpoint.h5"], "missing.checkpoint.h5: No such file"),
            (["run", "--resume", "missing.h5", "-o", "x.txt"], "missing.h5: No such file"),
            (["check", "-", "good.json", "-"], "'-' is given 2 times"),
            (["collide", "-", "trimesh:-"], "'-' is given 2 times"),
            (["export", "good.h5"], "an argument is missing; usage: abut export RUN.h5 OUT.csv"),
            (["export", "good.h5", "x.png"], "'x.png': the name of the output must end in .csv, .glb or .vtkhdf"),
            (["export", "good.h5", ".csv"], "'.csv': the name of the output must end in"),
            (["export", "good.h5", ""], "no name was given"),
            (["view", "good.h5", "-o", "page.txt"], "'page.txt': the name of the output must end in .html or .htm"),
            (["view", "good.h5", "-o", ""], "no name was given"),
            (["view", "good.h5", "-t", "good.html", "-o", "good.html"], "'good.html' is an input"),
            (["export", "good.h5", "x.csv", "--table", "wheels"], "'wheels' is not one of: steps, bodies, contacts"),
            (["export", "good.h5", "x.glb", "--table", "steps"], "option '--table' is for .csv files"),
            (["export", "good.h5", "x.vtkhdf", "--table", "contacts"], "option '--table' is for .csv files"),
            (["export", "good.h5", "x.csv", "--every", "-3"], "option '--every'"),
            (["check"], "an argument is missing; usage: abut check SCENE.json"),
            (["collide", "box:1,1,1"], "an argument is missing; usage: abut collide A B"),
            (["collide", "bxo:1,1,1", "box:1,1,1"], "there is no shape 'bxo'; did you mean 'box'"),
            (["collide", "box:1,1", "box:1,1,1"], "'box:1,1': a box takes HALF_X,HALF_Y,HALF_Z"),
            (["collide", "box:1,1,1,1", "box:1,1,1"], "a box takes"),
            (["collide", "box:1,,1", "box:1,1,1"], "a box takes"),
            (["collide", "box:1,1,x", "box:1,1,1"], "a box takes"),
            (["collide", "box:1,1,inf", "box:1,1,1"], "a box takes"),
            (["collide", "box:1,1,nan", "box:1,1,1"], "a box takes"),
            (["collide", "box:0,1,1", "box:1,1,1"], "a box takes"),
            (["collide", "box:contraction=0,0,0:1,1", "box:1,1,1"], "a box takes"),
            (["collide", "box:contraction=0,0:1,1,1", "box:1,1,1"], "the contraction point '0,0' is not x,y,z"),
            (["collide", "box:contraction=0,0,1:1,1,1", "box:1,1,1"], "the contraction point '0,0,1' is not strictly inside a bounded shape"),
            (["collide", "plane:contraction=0,0,-1:0,0,1,0", "box:1,1,1"], "the contraction point '0,0,-1' is not strictly inside"),
            (["collide", "box", "box:1,1,1"], "'box': a box takes HALF_X,HALF_Y,HALF_Z"),
            (["collide", "sphere:1e200", "box:1,1,1"], "a sphere takes RADIUS, above 0; sizes lie between 1e-50 and 1e50"),
            (["collide", "cube:1", "box:1,1,1"], "'cube:1': there is no shape 'cube'; 'abut help collide' lists them"),
            (["collide", "box:1,1,1", "box:1,1,1", "--pose", "1e308,0,0"], "too large or too far from the origin to compute with"),
            (["collide", "box:1,1,1", "box:1,1,1", "--pose", "nan,0,0"], "the pose 'nan,0,0' is not x,y,z"),
            (["collide", "box:1,1,1", "box:1,1,1", "--pose", "0,0,0,1e200,0,0,1e200"], "has numbers that are too large"),
            (["collide", "sphere:-1", "box:1,1,1"], "a sphere takes RADIUS"),
            (["collide", "sphere:", "box:1,1,1"], "a sphere takes RADIUS"),
            (["collide", "trimesh:", "box:1,1,1"], "'trimesh:': a trimesh takes the name of a mesh file"),
            (["collide", "trimehs:x.obj", "box:1,1,1"], "there is no shape 'trimehs'; did you mean 'trimesh'"),
            (["collide", "trimesh:two-sided:", "box:1,1,1"], "a trimesh takes the name of a mesh file"),
            (["collide", "trimesh:scale=0:x.obj", "box:1,1,1"], "the scale '0' is not one or three numbers other than 0"),
            (["collide", "trimesh:scale=1,2:x.obj", "box:1,1,1"], "the scale '1,2' is not"),
            (["collide", "trimesh:scale=1,0,2:x.obj", "box:1,1,1"], "the scale '1,0,2' is not"),
            (["collide", "trimesh:scale=1,2,3,4:x.obj", "box:1,1,1"], "the scale '1,2,3,4' is not"),
            (["collide", "trimesh:scale=two:x.obj", "box:1,1,1"], "the scale 'two' is not"),
            (["collide", "trimesh:at=1,2:x.obj", "box:1,1,1"], "the pose '1,2' is not x,y,z"),
            (["collide", "trimesh:two-sided:scal=2:x.obj", "box:1,1,1"], "a trimesh has no 'scal'; did you mean 'scale'"),
            (["collide", "trimesh:two-sided=no:x.obj", "box:1,1,1"], "a trimesh has no 'two-sided'"),
            (["collide", "facetmesh:", "sphere:1"], "'facetmesh:': a facetmesh takes the name of a mesh file"),
            (["collide", "facetmsh:x.obj", "sphere:1"], "there is no shape 'facetmsh'; did you mean 'facetmesh'"),
            (["collide", "facetmesh:two-sided=1:x.obj", "sphere:1"], "a facetmesh has no 'two-sided'"),
            (["collide", "facetmesh:radus=1:x.obj", "sphere:1"], "a facetmesh has no 'radus'; did you mean 'radius'"),
            (["collide", "facetmesh:radius=0:x.obj", "sphere:1"], "the radius '0' is neither a number above 0 nor flat"),
            (["collide", "facetmesh:radius=round:x.obj", "sphere:1"], "the radius 'round' is neither"),
            (["collide", "trimesh:radius=1:x.obj", "sphere:1"], "a trimesh has no 'radius'"),
            (["collide", "trimesh:smooth=61:x.obj", "sphere:1"], "the angle '61' is not a number from 0 to 60"),
            (["collide", "trimesh:smooth=-1:x.obj", "sphere:1"], "the angle '-1' is not a number from 0 to 60"),
            (["collide", "facetmesh:smooth=1:x.obj", "sphere:1"], "a facetmesh has no 'smooth'"),
            (["collide", "box:1,1,1", "box:1,1,1", "sphere:1"], "'box:1,1,1' is a box: behind A, several shapes must all be of the kind trimesh"),
            (["collide", "box:1,1,1", "box:1,1,1", "--mesh-rule", "ghost"],
             "option '--mesh-rule': 'ghost' is not one of: surface, published, closest, triangles, three-passes, smoothed, voronoi"),
            (["collide", "box:1,1,1", "box:1,1,1", "--mesh-identity", "name"], "'name' is not one of: place, index, position"),
            (["collide", "capsule:1,-1", "box:1,1,1"], "a capsule takes"),
            (["collide", "ellipsoid:1,1,0", "box:1,1,1"], "an ellipsoid takes HALF_X"),
            (["collide", "superquadric:1,1,1,1,2", "box:1,1,1"], "a superquadric takes HALF_X,HALF_Y,HALF_Z above 0, E1,E2 from 0.2 to 1.8"),
            (["collide", "torus:1,1", "box:1,1,1"], "a torus takes RING_RADIUS above TUBE_RADIUS"),
            (["collide", "implicit:upper=2,2,2:x^2 + y^2 + w", "box:1,1,1"], "column 13 of 'x^2 + y^2 + w': unknown name 'w'; expected x, y, z"),
            (["collide", "implicit:x^2", "box:1,1,1"], "an implicit body needs upper=X,Y,Z"),
            (["collide", "implicit:upper=1:x^2", "box:1,1,1"], "upper takes 3 numbers with commas between, not '1'"),
            (["collide", "implicit:upper=2,2,2:", "box:1,1,1"], "column 1 of '': expected a number, a name or '(', found the end"),
            (["collide", "implicit:upper=2,2,2:k=1:x^2 + y^2 + z^2 - 1", "box:1,1,1"], "the parameter 'k' is in no formula"),
            (["collide", "implicit:upper=2,2,2:k=one:x^2 + y^2 + z^2 - k", "box:1,1,1"], "k takes 1 number, not 'one'"),
            (["collide", "implicit:upper=2,2,2:hollow:x^2", "box:1,1,1"], "'hollow' is not KEY=VALUE"),
            (["collide", "implicit:upper=2,2,2:convex=n:x^2", "box:1,1,1"], "convex is one of: yes no"),
            (["collide", "implicit:upper=2,2,2:x^2 + y^2 - 1", "box:1,1,1"], "a ray from inside leaves bounds before it meets the surface"),
            (["collide", "implicit:upper=2,2,2:1 / x", "box:1,1,1"], "function at inside is infinite"),
            (["collide", "implicit:upper=2,2,2:" + "(" * 100000 + "x", "box:1,1,1"], "the formula has more than 16384 characters"),
            (["collide", "implicit:upper=2,2,2:" + "(" * 100 + "x", "box:1,1,1"], "parentheses, signs and powers are nested more than 64 deep"),
            (["collide", "parametric:u=0,1:u;v;u", "box:1,1,1"], "a parametric body needs u=FROM,TO and v=FROM,TO"),
            (["collide", "parametric:u=0,1:v=0,1:u;v", "box:1,1,1"], "three formulas with ';' between"),
            (["collide", "parametric:u=0,1:v=0,1:u;v;u;v", "box:1,1,1"], "three formulas with ';' between"),
            (["collide", "parametric:u=0,1:v=0,1:periodic=w:u;v;u", "box:1,1,1"], "periodic is one of: u v uv"),
            (["collide", "parametric:u=0,1:v=0,1:u;v;sin(x)", "box:1,1,1"], "column 5 of 'sin(x)': unknown name 'x'; expected u, v"),
            (["collide", "cylinder:1,1,2", "box:1,1,1"], "a cylinder takes RADIUS,HALF_HEIGHT above 0; SIDES, 3 to 4096, make it a prism"),
            (["collide", "cone:1,1,5.5", "box:1,1,1"], "a cone takes"),
            (["collide", "cone:1,0", "box:1,1,1"], "a cone takes"),
            (["collide", "frustum:0,0,1", "box:1,1,1"], "a frustum takes RADIUS,TOP_RADIUS from 0 up, not both 0"),
            (["collide", "prism:1,1,2", "box:1,1,1"], "a prism takes"),
            (["collide", "pyramid:1,1,5.5", "box:1,1,1"], "a pyramid takes"),
            (["collide", "plane:0,0,0,1", "box:1,1,1"], "a plane takes"),
            (["collide", "plane:0,0,1,0", "plane:0,0,1,0"], "no contacts between a plane and a plane"),
            (["collide", "box:1,1,1", "box:1,1,1", "--pose", "1,2"], "the pose '1,2' is not x,y,z"),
            (["collide", "box:1,1,1", "box:1,1,1", "--pose-a", "0,0,0,0,0,0,0"], "zero quaternion"),
            (["collide", "box:1,1,1", "box:1,1,1", "--pose", "0,0,inf"], "the pose '0,0,inf'"),
            (["collide", "box:1,1,1", "box:1,1,1", "--margin", "-1"], "option '--margin'"),
            (["collide", "box:1,1,1", "box:1,1,1", "--feature-angle", "46"], "option '--feature-angle': '46' is not a number from 0 to 45"),
            (["collide", "box:1,1,1", "box:1,1,1", "--contraction", "middle"], "'middle' is not one of: core, centroid"),
            (["collide", "box:1,1,1", "box:1,1,1", "--normal", "least"], "'least' is not one of: growth, minimum"),
            (["collide", "box:1,1,1", "box:1,1,1", "--method", "ray"], "'ray' is not one of: expansion, ray-cast"),
            (["collide", "box:1,1,1", "box:1,1,1", "--reduce", "0"], "option '--reduce'"),
            (["depth"], "an argument is missing; usage: abut depth [A.msh [B.msh]], or --pairs FILE.csv"),
            (["depth", "a.msh", "b.msh", "c.msh"], "unexpected argument 'c.msh'"),
            (["depth", "good.msh", "good.msh", "--mode", "fast"],
             "option '--mode': 'fast' is not one of: exact44, paper, accelerated, best-k, free-local, free"),
            (["depth", "good.msh", "good.msh", "--best-k", "3"], "option '--best-k' is for '--mode best-k'"),
            (["depth", "good.msh", "good.msh", "--mode", "best-k", "--best-k", "89"], "'89' is not a whole number from 1 to 88"),
            (["depth", "good.msh", "good.msh", "--weight-a", "0"], "option '--weight-a': '0' is not a number above 0, nor 'static'"),
            (["depth", "good.msh", "good.msh", "--weight-b", "Static"], "'Static' is not a number above 0, nor 'static'"),
            (["depth", "good.msh", "good.msh", "--weight-a", "static", "--weight-b", "static"], "both bodies are static"),
            (["depth", "good.msh", "good.msh", "--weight-a", "1e-60", "--weight-b", "1e60"], "more than a factor of 1e100 apart"),
            (["depth", "good.msh", "good.msh", "--volume-ratio", "1"], "option '--volume-ratio': '1' is not below 1"),
            (["depth", "good.msh", "good.msh", "--volume-ratio", "-0.5"], "'-0.5' is below 0"),
            (["depth", "good.msh", "good.msh", "--volume-ratio", "0", "--mode", "paper"], "not for the mode 'paper'"),
            (["depth", "good.msh", "good.msh", "--threads", "0"], "option '--threads'"),
            (["depth", "good.msh", "--pose", "1,0,0"], "option '--pose' needs two bodies, but there is only 'good.msh'; --pose-a places it"),
            (["depth", "good.msh", "--weight-a", "2"], "option '--weight-a' needs two bodies"),
            (["depth", "good.msh", "good.msh", "--pose", "1,0"], "the pose '1,0' is not x,y,z"),
            (["depth", "good.msh", "good.msh", "--resolve", "--pairs", "good.csv"], "'--resolve' separates whole meshes; leave '--pairs' out"),
            (["depth", "good.msh", "good.msh", "-o", "x.stl"], "'x.stl': the name of the output must end in .vtu or .csv"),
            (["depth", "good.msh", "good.msh", "-o", ".vtu"], "'.vtu': the name of the output must end in"),
            (["depth", "good.msh", "good.msh", "-o", "-", "--json"], "'--output -' and '--json' both print on the standard output"),
            (["depth", "-", "-"], "'-' is given 2 times; the standard input can be read only once"),
            (["depth", "good.msh", "-", "--pairs", "-"], "'-' is given 2 times"),
            (["depth", "--pairs", "good.csv", "-o", "good.csv"], "'good.csv' is an input; write elsewhere"),
            (["depth", "--pairs", "good.csv"], "good.csv:2: this row names elements; name the meshes"),
            (["depth", "nowhere.msh"], "nowhere.msh"),
            (["depth", "good.json"], "good.json: unknown kind of file of tetrahedra"),
            (["depth", "good.msh", "good.msh", "--pairs", "nowhere.csv"], "nowhere.csv"),
        ]
        for arguments, says in cases:
            with self.subTest(arguments):
                message = self.refused(*arguments, says=re.escape(says))
                prefix = f"abut {arguments[0]}: " if arguments and arguments[0] in COMMANDS else "abut: "
                self.assertTrue(message.startswith(prefix), message)

    def write(self, name, contents):
        path = self.folder / name
        path.write_bytes(contents if isinstance(contents, bytes) else contents.encode())
        return name

    def test_scenes(self):
        box = '{"name": "b", "shape": {"box": {"half": [1, 1, 1]}}%s}'
        scene = '{"abut_scene": 1, "duration": 1, "bodies": [%s]}'
        cases = {
            "truncated": ('{"abut_scene": 1, "bodies": [', r":1:\d+: "),
            "empty": ("", r"empty\.json:"),
            "no_json": ("hello", r":1:\d+: "),
            "mistyped": ('{"abut_scene": 1,\n "bodis": []}', r":2:\d+: .*did you mean 'bodies'"),
            "zero_mass": (scene % box % ', "mass": 0', r":1:\d+: "),
            "nan": (scene % box % ', "friction": NaN', r":1:\d+: "),
            "huge": (scene % box % ', "friction": 1e999', r":1:\d+: "),
            "unknown_shape": (scene % '{"name": "b", "shape": {"bxo": {"half": [1, 1, 1]}}}', r":1:\d+: .*did you mean 'box'"),
            "open": (scene % '{"name": "b", "shape": {"polytope": {"vertices": [[0,0,0],[1,0,0],[0,1,0],[0,0,1]], '
                             '"faces": [[0,2,1],[0,1,3],[1,2,3]]}}}', r":1:\d+: "),
            "missing_mesh": (scene % '{"name": "b", "shape": {"mesh": {"file": "nowhere.obj"}}}', r"nowhere\.obj"),
        }
        for name, (text, says) in cases.items():
            self.write(f"{name}.json", text)
        for name, (text, says) in cases.items():
            for command in ("run", "check"):
                with self.subTest(name=name, command=command):
                    self.refused(command, f"{name}.json", says=says)

    def test_a_method_for_the_stepper_that_has_none(self):
        self.write("event.json", json.dumps({**FALLING, "stepper": {"kind": "event"}}))
        self.refused("run", "event.json", "--method", "tracking", says=r"event\.json: '--method' is for the fixed stepper")
        balls = [FALLING["bodies"][0], {"name": "ball", "shape": {"sphere": {"radius": 0.5}}, "position": [0, 0, 0.6]}]
        self.write("dem.json", json.dumps({**FALLING, "stepper": {"kind": "dem"}, "bodies": balls}))
        self.refused("run", "dem.json", "--method", "tracking", says=r"dem\.json: '--method' is for the fixed stepper; this scene's is 'dem'")

    def test_files_that_are_not_there_or_not_what_they_should_be(self):
        self.write("text.h5", "hello")
        self.write("empty.h5", "")
        self.write("cut.h5", self.recording.read_bytes()[:5000])
        self.write("broken.obj", "v 0 0 0\nv 1 0 0\nf 1 2 9\n")
        self.write("dented.obj", "v 0 0 0\nv 2 0 0\nv 0 2 0\nv 0 0 2\nv 0.4 0.4 0.4\n"
                                 "f 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 5\nf 3 4 5\nf 4 2 5\n")
        cases = [
            (["run", "nowhere.json"], "nowhere.json"),
            (["run", "."], "folder"),
            (["check", "nowhere.json"], "nowhere.json"),
            (["export", "nowhere.h5", "x.csv"], "nowhere.h5: No such file"),
            (["export", ".", "x.csv"], "directory"),
            (["export", "text.h5", "x.csv"], "text.h5: is not a recording"),
            (["export", "empty.h5", "x.csv"], "empty.h5: is empty"),
            (["export", "cut.h5", "x.csv"], "cut.h5: is damaged or truncated"),
            (["export", "good.json", "x.csv"], "good.json: is not a recording"),
            (["collide", "nowhere.obj", "box:1,1,1"], "nowhere.obj"),
            (["collide", "box:1,1,1", "nowhere"], "nowhere"),
            (["collide", "broken.obj", "box:1,1,1"], "broken.obj"),
            (["collide", "dented.obj", "box:1,1,1"], "dented.obj"),
            (["collide", "trimesh:nowhere.obj", "box:1,1,1"], "nowhere.obj: cannot be read: No such file"),
            (["collide", "trimesh:broken.obj", "box:1,1,1"], "broken.obj:3: "),
            (["collide", "trimesh:two-sidde:dented.obj", "box:1,1,1"], "two-sidde:dented.obj: cannot be read"),
            (["collide", "trimesh:piece=no:dented.obj", "box:1,1,1"], "no group with faces is named 'no'"),
            (["collide", "facetmesh:nowhere.obj", "sphere:1"], "nowhere.obj: cannot be read: No such file"),
            (["collide", "facetmesh:broken.obj", "sphere:1"], "broken.obj:3: "),
            (["collide", "plane:0,0,1,1", "plane:0,0,1,0"], "no contacts between a plane and a plane"),
        ]
        for arguments, says in cases:
            with self.subTest(arguments):
                self.refused(*arguments, says=re.escape(says))
        self.assertIn("contact", abut_well("collide", self.folder / "dented.obj", "box:1,1,1", "--hull"))
        dented = f"trimesh:{self.folder / 'dented.obj'}"
        self.assertIn("contact", abut_well("collide", "plane:0,0,1,1", dented, dented))

    def test_outputs_that_cannot_be_written(self):
        self.write("old.h5", "old")
        self.write("old.csv", "old")
        self.write("old.glb", "old")
        os.mkfifo(self.folder / "pipe.h5")
        self.addCleanup((self.folder / "pipe.h5").unlink)
        outputs = {"nowhere/x.h5": "create the folder first", "pipe.h5": "it is not an ordinary file", "old.h5/x.h5": "", "/proc/x.h5": ""}
        for output, says in outputs.items():
            with self.subTest(output):
                self.refused("run", "good.json", "-o", output, says=f"cannot write '{output}': .*{says}")
        for ending in ("csv", "glb", "vtkhdf"):
            self.refused("export", "good.h5", f"nowhere/x.{ending}", says=f"cannot write 'nowhere/x.{ending}'")
        os.symlink("/dev/full", self.folder / "full.csv") if not (self.folder / "full.csv").exists() else None
        result = abut("export", "good.h5", "full.csv", cwd=self.folder)
        self.assertEqual((result.returncode, result.stderr.count("\n")), (2, 1))
        (self.folder / "full.csv").unlink()

    def test_a_full_disk(self):
        """A limit of the file size stands for it."""
        def limit():
            resource.setrlimit(resource.RLIMIT_FSIZE, (2000, 2000))
        for name in ("old.h5", "old.csv", "old.glb"):
            self.write(name, "old")
        self.refused("run", "good.json", "-o", "old.h5", says=r"cannot write 'old\.h5'", preexec_fn=limit)
        self.refused("export", "good.h5", "old.csv", "--table", "bodies", says=r"cannot write 'old\.csv'", preexec_fn=limit)
        demo.record(self.folder)
        self.refused("export", "demo.h5", "old.glb", says=r"cannot write 'old\.glb'", preexec_fn=limit)
        self.refused("export", "demo.h5", "old.vtkhdf", says=r"cannot write 'old\.(\w+\.)?vtkhdf'", preexec_fn=limit)
        self.assertEqual(list(self.folder.glob("*vtkhdf*")), [])

    def test_a_failing_simulation_is_status_1_and_leaves_the_old_recording(self):
        self.write("old.h5", "old")
        fast = json.loads(json.dumps(FALLING))
        fast["bodies"][1]["velocity"] = [1e308, 0, 1e308]
        fast["dt"], fast["duration"] = 4, 40
        demo.write_scene(self.folder / "fast.json", fast)
        self.refused("run", "fast.json", "-o", "old.h5", says=r"\Aabut run: .*step", status=1)

    def test_exports_do_not_replace_what_they_read(self):
        (self.folder / "link.csv").unlink(missing_ok=True)
        os.symlink("good.h5", self.folder / "link.csv")
        self.refused("export", "good.h5", "link.csv", says="is the input 'good.h5'")
        (self.folder / "link.csv").unlink()

    def test_names_with_line_breaks_stay_on_one_line(self):
        self.refused("run", "two\nlines.json", says="two lines.json")
        self.refused("collide", "two\nlines", "box:1,1,1", says="two lines")
        self.refused("run", "good.json", "--two\nlines", says="unknown option '--two lines'")

    def test_a_full_or_closed_standard_output(self):
        for arguments in (["--help"], ["--version"], ["help", "--man"], ["run", "--help"], ["check", "good.json"],
                          ["collide", "box:1,1,1", "box:1,1,1"], ["collide", "box:1,1,1", "box:1,1,1", "--json"],
                          ["depth", "good.msh", "good.msh"], ["depth", "good.msh", "good.msh", "--json"],
                          ["run", "good.json", "--no-record"]):
            for redirection in (">/dev/full", ">&-"):
                with self.subTest(arguments + [redirection]):
                    line = " ".join([demo.COMMAND, *arguments, redirection])
                    result = subprocess.run(line, shell=True, cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
                    self.assertEqual((result.returncode, result.stderr.count("\n")), (2, 1), result.stderr)
                    self.assertIn("cannot write to the standard output", result.stderr)


class Run(unittest.TestCase):
    def setUp(self):
        self.folder = fresh_folder("run")
        self.scene = demo.write_scene(self.folder / "falling.json", FALLING)

    def table(self, recording, name="steps"):
        path = self.folder / "table.csv"
        abut_well("export", recording, path, "--table", name)
        with open(path, newline="", encoding="utf-8") as file:
            return list(csv.DictReader(file))

    def test_bodies_inside_others_are_told(self):
        ball = {"sphere": {"radius": 0.5}}
        scene = {"abut_scene": 1, "dt": 0.001, "duration": 0.003, "bodies": [
            {"name": "ground", "kind": "static", "shape": {"plane": {"normal": [0, 0, 1]}}},
            {"name": "on", "shape": ball, "position": [0, 0, 0.5]},
            {"name": "half", "shape": ball, "position": [2, 0, 0.2]},
            {"name": "under", "shape": ball, "position": [4, 0, -0.2]}]}
        path, recording = demo.write_scene(self.folder / "sunk.json", scene), self.folder / "sunk.h5"
        result = abut("run", path, "-o", recording)
        self.assertEqual(result.returncode, 0)
        self.assertRegex(result.stdout, r"(?m)^  sunk bodies +2 at most, .*; the first is 'half' at 0.001 s$")
        self.assertRegex(result.stdout, r"(?m)^  engulfed bodies +1 at most, .*; the first is 'under' at 0.001 s$")
        self.assertNotIn("gone through", result.stdout)
        self.assertIn("warning: ", result.stderr)
        self.assertIn("bodies 'ground' and 'under' begin inside each other", result.stderr)
        self.assertEqual([[row[name] for name in ("sunk", "engulfed", "left", "sunk_body", "engulfed_body", "left_body")]
                          for row in self.table(recording)], [["0"] * 6] + [["2", "1", "0", "3", "4", "0"]] * 3)

    def test_a_step_that_fails_says_why(self):
        scene = {"abut_scene": 1, "dt": 50, "duration": 50, "stepper": {"kind": "event", "event_limit": 1}, "bodies": [
            {"name": "ground", "kind": "static", "shape": {"plane": {"normal": [0, 0, 1]}}},
            {"name": "ball", "shape": {"sphere": {"radius": 0.5}}, "position": [0, 0, 0.5]}]}
        result = abut("run", demo.write_scene(self.folder / "long.json", scene), "--no-record")
        self.assertEqual(result.returncode, 1)
        self.assertIn("step 0 at 0 s: the iteration limit was reached before the tolerance: more integration steps in one step of the world", result.stderr)

    def test_summary_says_what_the_recording_holds(self):
        recording = demo.record(self.folder)
        text = abut_well("run", self.folder / "demo.json", "-o", recording)
        rows = self.table(recording)[1:]
        contacts = [int(row["contacts"]) for row in rows]
        depth = [float(row["max_penetration"]) for row in rows]
        self.assertTrue(text.startswith(demo.SCENE["title"] + "\n"))
        self.assertRegex(text, r"(?m)^  steps +60 of 60$")
        self.assertRegex(text, r"(?m)^  simulated time +1 s$")
        self.assertRegex(text, rf"(?m)^  contacts +{sum(contacts) / 60:.1f} on average, {max(contacts)} at most, "
                               rf"{contacts[-1]} at the end$")
        deepest = depth.index(max(depth)) + 1 if max(depth) > 0 else 0
        self.assertIn(f"{max(depth):.3g} at most (step {deepest}), {depth[-1]:.3g} at the end", text)
        first, last = self.table(recording)[0], rows[-1]
        for name in ("kinetic", "potential"):
            self.assertIn(f"{float(first[name + '_energy']):.6g} at the start, {float(last[name + '_energy']):.6g} at the end", text)
        for word in ("pairs", "contacts", "forces and motion", "recording", "real-time factor", str(recording)):
            self.assertIn(word, text)

    def test_recording_goes_to_the_present_folder_by_default(self):
        other = fresh_folder("run_elsewhere")
        result = abut("run", self.scene, cwd=other)
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        self.assertEqual(os.listdir(other), ["falling.h5"])
        self.assertIn("falling.h5", result.stdout)

    def test_steps_and_duration_replace_the_scenes(self):
        recording = self.folder / "out.h5"
        for options, steps in ((("--steps", 7), 7), (("--duration", 0.25), 15), (("-d0.2",), 12), (("--steps=90",), 90), ((), 30)):
            abut_well("run", self.scene, "-o", recording, "-q", *options)
            self.assertEqual(len(self.table(recording)), steps + 1, options)

    def test_threads_change_nothing(self):
        demo.write_scene(self.folder / "demo.json")
        for threads in (1, 3):
            abut_well("run", self.folder / "demo.json", "-o", self.folder / f"{threads}.h5", "--threads", threads, "-q")
        self.assertEqual(*(self.table(self.folder / f"{threads}.h5", "bodies") for threads in (1, 3)))

    def test_method_is_the_one_that_was_asked_for_and_in_the_recording(self):
        scene = json.loads(json.dumps(FALLING))
        scene["bodies"][1]["rotation"] = {"axis": [1, 1, 0], "degrees": 5}
        path = demo.write_scene(self.folder / "tilted.json", scene)
        tables = {}
        for method in ("patch", "tracking"):
            recording = self.folder / f"{method}.h5"
            abut_well("run", path, "-o", recording, "-q", "--method", method)
            tables[method] = self.table(recording, "bodies")
            self.assertIn(f'"method": "{method}"'.encode(), recording.read_bytes())
        self.assertNotEqual(tables["patch"], tables["tracking"])
        scene["contact"] = {"method": "tracking", "feature_angle_degrees": 3}
        demo.write_scene(path, scene)
        abut_well("run", path, "-o", self.folder / "own.h5", "-q")
        self.assertEqual(self.table(self.folder / "own.h5", "bodies"), tables["tracking"])
        abut_well("run", path, "-o", self.folder / "changed.h5", "-q", "--method", "patch")
        self.assertIn(b'"feature_angle_degrees": 3', (self.folder / "changed.h5").read_bytes())

    def test_every_records_fewer_frames_and_all_steps(self):
        recording = self.folder / "out.h5"
        abut_well("run", self.scene, "-o", recording, "-q", "--every", 10)
        self.assertEqual(len(self.table(recording)), 31)
        self.assertEqual(sorted({int(row["step"]) for row in self.table(recording, "bodies")}), [0, 10, 20, 30])

    def test_quiet_and_no_record(self):
        self.assertEqual(abut_well("run", self.scene, "--quiet", "--no-record"), "")
        self.assertIn("steps", abut_well("run", self.scene, "--no-record"))
        self.assertEqual(os.listdir(self.folder), ["falling.json"])

    def test_progress_is_for_terminals(self):
        demo.write_scene(self.folder / "long.json", {**FALLING, "duration": 1e7})
        try:
            leader, follower = pty.openpty()
        except OSError as error:  # a container without /dev/pts
            self.skipTest(f"no terminal to be had: {error}")
        process = subprocess.Popen([demo.COMMAND, "run", str(self.folder / "long.json"), "--no-record"], stdout=subprocess.PIPE,
                                   stderr=follower, preexec_fn=heed_signals)
        os.close(follower)
        shown = b""
        while b"left" not in shown:
            self.assertIsNone(process.poll())
            shown += os.read(leader, 1000)
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=60)
        self.assertRegex(shown, rb"\r\[[#.]+\] +\d+ %")
        self.assertEqual(process.returncode, 130)
        os.close(leader)

    def test_interruption_keeps_what_was_simulated(self):
        demo.write_scene(self.folder / "long.json", {**FALLING, "duration": 1e7, "stepper": {"kind": "fixed", "sleeping": False}})
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            recording = self.folder / "long.h5"
            recording.write_bytes(b"old")
            process = subprocess.Popen([demo.COMMAND, "run", str(self.folder / "long.json"), "-o", str(recording)], stdout=subprocess.PIPE,
                                       stderr=subprocess.PIPE, text=True, preexec_fn=heed_signals)
            # Once the hidden file has grown, blocks of frames have been written.
            while not any(path.stat().st_size > 50000 for path in self.folder.glob(".long.h5*")):
                self.assertIsNone(process.poll())
                time.sleep(0.01)
            process.send_signal(number)
            output, errors = process.communicate(timeout=60)
            self.assertEqual(process.returncode, 128 + number)
            made = re.fullmatch(rf"abut run: interrupted after (\d+) of \d+ steps; '{re.escape(str(recording))}' holds them\n", errors)
            self.assertIsNotNone(made, errors)
            self.assertRegex(output, rf"(?m)^  steps +{made[1]} of ")
            rows = self.table(recording)
            self.assertEqual(int(rows[-1]["step"]), int(made[1]))
            self.assertEqual(len(rows), int(made[1]) + 1)
            self.assertEqual(sorted(os.listdir(self.folder)), ["falling.json", "long.h5", "long.json", "table.csv"])


    def test_signals_that_are_ignored_stay_so(self):
        def ignore():
            signal.signal(signal.SIGHUP, signal.SIG_IGN)
        demo.write_scene(self.folder / "long.json", {**FALLING, "duration": 1e7})
        process = subprocess.Popen([demo.COMMAND, "run", str(self.folder / "long.json"), "-q"], cwd=self.folder,
                                   stderr=subprocess.DEVNULL, preexec_fn=ignore)
        while not any(self.folder.glob(".long.h5*")):
            self.assertIsNone(process.poll())
            time.sleep(0.01)
        process.send_signal(signal.SIGHUP)
        time.sleep(0.1)  # enough time for the signal to end it
        self.assertIsNone(process.poll())
        process.send_signal(signal.SIGTERM)
        self.assertEqual(process.wait(60), 128 + signal.SIGTERM)


class Check(unittest.TestCase):
    def test_good_and_bad_scenes_in_one_go(self):
        folder = fresh_folder("check")
        good = demo.write_scene(folder / "good.json")
        (folder / "bad.json").write_text('{\n  "abut_scene": 1,\n  "grvity": [0, 0, 0],\n  "bodies": []\n}\n')
        result = abut("check", good, folder / "bad.json", good)
        self.assertEqual(result.returncode, 2)
        self.assertEqual(result.stdout.count("\n"), 2)
        self.assertIn(f"{good}: OK, 7 bodies (5 dynamic, 1 static, 1 kinematic), 1 actions, 60 steps of 0.0166667 (1 in all)",
                      result.stdout)
        self.assertRegex(result.stderr, rf"\A{re.escape(str(folder / 'bad.json'))}:3:\d+: .*grvity.*did you mean 'gravity'.*\n\Z")

    def test_warnings_are_told_but_not_held_against_it(self):
        folder = fresh_folder("check")
        late = demo.write_scene(folder / "late.json", {**FALLING, "actions": [{"at": 99, "remove": "box"}]})
        result = abut("check", late)
        self.assertEqual(result.returncode, 0)
        self.assertRegex(result.stderr, r"\A\S*late\.json:\d+:\d+: .*\(warning\)\n\Z")
        unheeded = demo.write_scene(folder / "unheeded.json", {**FALLING, "stepper": {"kind": "event"}, "contact": {"method": "tracking"}})
        result = abut("check", unheeded)
        self.assertEqual(result.returncode, 0)
        self.assertRegex(result.stderr, r"\A\S*unheeded\.json:\d+:\d+: the event stepper .*always uses whole contact patches and ignores 'method'.*\(warning\)\n\Z")

    def test_check_and_run_say_the_same(self):
        folder = fresh_folder("check")
        cone = [{"name": "c", "shape": {"cone": {"radius": 1, "height": 1}}}]
        scenes = {"refused": {"abut_scene": 1, "duration": 0.1, "stepper": {"kind": "event"}, "bodies": cone},
                  "warned": {**FALLING, "stepper": {"kind": "event"}, "materials": {"m": {"friction": 0.3, "young": 1e6}}},
                  "inside": {**FALLING, "duration": 0.02, "bodies": FALLING["bodies"] + [{**FALLING["bodies"][1], "name": "b"}]}}
        for name, scene in scenes.items():
            path = demo.write_scene(folder / f"{name}.json", scene)
            check, run = abut("check", path), abut("run", path, "--no-record")
            self.assertEqual(check.returncode != 0, name == "refused")
            self.assertEqual(run.returncode != 0, name == "refused")
            said = [line.removesuffix(" (warning)") for line in check.stderr.splitlines()]
            heard = [line.removeprefix("abut run: ").removeprefix("warning: ") for line in run.stderr.splitlines()]
            self.assertEqual(said, heard)
            self.assertGreater(len(said), 0)
            for line in said:
                self.assertRegex(line, rf"\A{re.escape(str(path))}:\d+:\d+: ")

    def test_own_scenes_are_right(self):
        scenes = [path for path in (demo.SOURCE / "scenes").glob("*.json") if not path.name.endswith(".schema.json")]
        self.assertGreater(len(scenes), 4)
        self.assertEqual(abut_well("check", *scenes).count(": OK, "), len(scenes))


class Collide(unittest.TestCase):
    def collide(self, *arguments):
        return json.loads(abut_well("collide", *arguments, "--json"))

    def test_box_on_box(self):
        answer = self.collide("box:1,1,1", "box:1,1,1", "--pose", "0.5,0.5,1.99")
        self.assertEqual(len(answer["contacts"]), 4)
        corners = set()
        for contact in answer["contacts"]:
            self.assertEqual([abs(x) for x in contact["normal"]], [0, 0, 1])
            self.assertEqual(contact["normal"][2], -1)
            self.assertAlmostEqual(contact["gap"], -0.01, places=12)
            self.assertAlmostEqual(contact["area"], 2.25 / 4, places=12)
            self.assertAlmostEqual(contact["on_a"][2], 1, places=12)
            self.assertAlmostEqual(contact["on_b"][2], 0.99, places=12)
            corners.add((round(contact["on_b"][0], 9), round(contact["on_b"][1], 9)))
        self.assertEqual(corners, {(1, 1), (1, -0.5), (-0.5, 1), (-0.5, -0.5)})
        self.assertEqual(len({contact["id"] for contact in answer["contacts"]}), 4)
        self.assertEqual([(p["first"], p["count"], p["found"]) for p in answer["patches"]], [(0, 4, 4)])
        self.assertAlmostEqual(answer["patches"][0]["area"], 2.25, places=12)
        self.assertAlmostEqual(answer["growth"]["gap"], -0.01, places=12)
        self.assertTrue(answer["growth"]["alpha"] < 1)

    def test_balls_have_closed_forms(self):
        answer = self.collide("sphere:2", "sphere:1", "--pose", "0,0,5", "--margin", "3")
        (contact,) = answer["contacts"]
        self.assertEqual(contact["gap"], 2)
        self.assertEqual((contact["on_a"], contact["on_b"]), ([0, 0, 2], [0, 0, 4]))
        self.assertEqual(contact["feature_a"], {"kind": "smooth", "index": 0, "part": 0})

    def test_poses_are_normalised_and_on_both_sides(self):
        """A box on its edge reaches half its diagonal below its middle."""
        answer = self.collide("plane:0,0,1,0", "box:1,1,1", "--pose-a", "0,0,10", "--pose", "0,0,11.4,0,0.38268,0,0.92388")
        self.assertEqual(len(answer["contacts"]), 2)
        for contact in answer["contacts"]:
            self.assertAlmostEqual(contact["gap"], 1.4 - 2 ** 0.5, places=5)
        self.assertAlmostEqual(sum(x * x for x in answer["b"]["rotation"]), 1, places=15)
        self.assertIsNone(answer["growth"])

    def test_apart_is_a_result(self):
        text = abut_well("collide", "box:1,1,1", "box:1,1,1", "--pose", "0,0,4")
        self.assertIn("Apart: no contact", text)
        self.assertIn("(apart)", text)
        self.assertEqual(self.collide("box:1,1,1", "box:1,1,1", "--pose", "0,0,4")["contacts"], [])

    def test_reduction_keeps_what_was_asked_for_in_every_patch(self):
        full = self.collide("prism:1,1,12", "box:3,3,1", "--pose", "0,0,-1.9")
        less = self.collide("prism:1,1,12", "box:3,3,1", "--pose", "0,0,-1.9", "--reduce", 4)
        self.assertEqual((len(full["contacts"]), len(less["contacts"])), (12, 4))
        self.assertEqual((less["patches"][0]["found"], less["patches"][0]["count"]), (12, 4))
        self.assertAlmostEqual(less["patches"][0]["support_area_before"], 3, places=9)  # twelve corners on a circle of radius 1
        self.assertTrue(less["patches"][0]["support_area_after"] <= 2 + 1e-9)
        ids = {contact["id"] for contact in full["contacts"]}
        self.assertTrue({contact["id"] for contact in less["contacts"]} < ids)
        self.assertIn("4 contacts of 12", abut_well("collide", "prism:1,1,12", "box:3,3,1", "--pose", "0,0,-1.9", "-r4"))

    def test_a_mesh_file_as_a_surface(self):
        """A square floor, open and cut into four: a box on it has the corners of its base, whereas the file's solids would be refused."""
        folder = fresh_folder("collide")
        (folder / "floor.obj").write_text("v -2 -2 0\nv 2 -2 0\nv 2 2 0\nv -2 2 0\nv 0 0 0\nf 1 2 5\nf 2 3 5\nf 3 4 5\nf 4 1 5\n")
        floor = f"trimesh:{folder / 'floor.obj'}"
        answer = self.collide(floor, "box:1,1,1", "--pose", "0.25,0,0.99")
        self.assertEqual(answer["a"]["kind"], "trimesh")
        self.assertIsNone(answer["growth"])
        self.assertEqual({(round(c["on_a"][0], 9), round(c["on_a"][1], 9)) for c in answer["contacts"]},
                         {(1.25, 1), (1.25, -1), (-0.75, 1), (-0.75, -1)})
        for contact in answer["contacts"]:
            self.assertEqual([round(x, 12) for x in contact["normal"]], [0, 0, -1])
            self.assertAlmostEqual(contact["gap"], -0.01, places=12)
        (contact,) = self.collide("sphere:1", floor, "--pose-a", "0,0,0.75")["contacts"]
        self.assertAlmostEqual(contact["gap"], -0.25, places=12)
        self.assertIn(", a trimesh", abut_well("collide", "sphere:1", floor, "--pose-a", "0,0,0.75"))
        self.assertEqual(self.collide("sphere:1", floor, "--pose-a", "0,0,-0.75")["contacts"], [])  # from behind

    def test_a_mesh_file_as_a_body_of_rounded_triangles(self):
        """A ball of 320 triangles acts as the exact ball: pressed into a plane by a tenth of its radius, its triangles share the area of the contact circle."""
        ball = demo.SOURCE / "scenes" / "meshes" / "grain_ball.obj"
        answer = self.collide(f"facetmesh:scale=200:{ball}", "plane:0,0,1,-0.9")
        self.assertEqual(answer["a"]["kind"], "facetmesh")
        self.assertIsNone(answer["growth"])
        self.assertAlmostEqual(sum(c["area"] for c in answer["contacts"]), math.pi * (1 - 0.81), places=6)
        self.assertAlmostEqual(min(c["gap"] for c in answer["contacts"]), -0.1, places=7)
        # Flat triangles give the polyhedron, which has a corner or an edge there.
        flat = self.collide(f"facetmesh:radius=flat:scale=200:{ball}", "plane:0,0,1,-0.9")
        self.assertLess(sum(c["area"] for c in flat["contacts"]), sum(c["area"] for c in answer["contacts"]))
        self.assertIn(", a facetmesh", abut_well("collide", f"facetmesh:radius=0.006:{ball}", "sphere:1", "--pose", "2,0,0"))
        self.assertEqual(self.collide(f"facetmesh:at=0,0,2:{ball}", f"facetmesh:{ball}")["contacts"], [])

    def tile(self, folder):
        """One half of a square of side 2 about (1, 1), as group "low", and the other half as group "high"; the diagonal from (0, 0) divides them."""
        path = folder / "tile.obj"
        path.write_text("v 0 0 0\nv 2 0 0\nv 2 2 0\nv 0 2 0\ng low\nf 1 2 3\ng high\nf 1 3 4\n")
        return path

    def test_rules_of_meshes(self):
        """Case T1: a ball beside the diagonal of a square. The triangle under it touches; the other one has a ghost at the diagonal."""
        tile = f"trimesh:at=-1,-1,0:{self.tile(fresh_folder('collide'))}"
        at = ("sphere:1", tile, "--pose-a", "0.5,-0.3,0.9", "--margin", "0.1")
        for rule, count in (("surface", 1), ("published", 1), ("three-passes", 1), ("closest", 2), ("triangles", 2), ("smoothed", 2), ("voronoi", 2)):
            contacts = self.collide(*at, "--mesh-rule", rule)["contacts"]
            self.assertEqual(len(contacts), count, rule)
            self.assertIn([0, 0, 1], [[round(x, 9) for x in c["normal"]] for c in contacts])
            ghosts = [c for c in contacts if round(c["gap"], 9) != -0.1]
            self.assertEqual(len(ghosts), rule == "closest", rule)
            for ghost in ghosts:
                self.assertEqual([round(x, 6) for x in ghost["normal"]], [0.376288, -0.376288, 0.846649])
                self.assertAlmostEqual(ghost["gap"], 0.063014581, places=9)
        self.assertEqual(self.collide(*at), self.collide(*at, "--mesh-rule", "surface", "--mesh-identity", "place"))

    def test_smooth_edges(self):
        """A ball in a valley of 20 degrees touches both slopes. Where the edge is smooth it touches one arc, in the middle."""
        path = fresh_folder("collide") / "valley.obj"
        path.write_text("v -1 -2 0.17632698\nv 0 -2 0\nv 1 -2 0.17632698\nv -1 2 0.17632698\nv 0 2 0\nv 1 2 0.17632698\nf 1 2 5\nf 1 5 4\nf 2 3 6\nf 2 6 5\n")
        at = ("--pose-a", "0,0,0.2", "--margin", "0.05")
        sharp = self.collide("sphere:0.2", f"trimesh:{path}", *at)["contacts"]
        smooth = self.collide("sphere:0.2", f"trimesh:smooth=21:{path}", *at)["contacts"]
        self.assertEqual(sharp, self.collide("sphere:0.2", f"trimesh:smooth=19:{path}", *at)["contacts"])
        self.assertEqual(len(sharp), 2)
        self.assertEqual(len(smooth), 1)
        self.assertEqual([round(x, 9) for x in smooth[0]["normal"]], [0, 0, 1])
        self.assertAlmostEqual(smooth[0]["gap"], 0.0, places=9)

    def test_identities_of_meshes(self):
        """The two halves as two meshes: their sides are joined only if vertices are identified by place, or by exactly equal positions."""
        path = self.tile(fresh_folder("collide"))
        halves = [f"trimesh:piece={name}:{path}" for name in ("low", "high")]
        at = ("sphere:1", *halves, "--pose-a", "1.5,0.7,0.9", "--margin", "0.1", "--mesh-rule", "published")
        for identity, count in (("place", 1), ("index", 2), ("position", 1)):
            self.assertEqual(len(self.collide(*at, "--mesh-identity", identity)["contacts"]), count, identity)

    def test_several_meshes_are_one_surface(self):
        """Four tiles, two of them mirrored: a box over their common corner has contacts at the corners of its base only."""
        path = self.tile(fresh_folder("collide"))
        tiles = [f"trimesh:{path}", f"trimesh:scale=-1,1,1:{path}", f"trimesh:at=0,-2,0:{path}", f"trimesh:at=-2,-2,0:{path}"]
        arguments = ("box:0.5,0.5,0.5", *tiles, "--pose-a", "0,0,10.49", "--pose", "0,0,10")
        answer = self.collide(*arguments)
        self.assertEqual({tuple(round(x, 9) for x in c["on_b"]) for c in answer["contacts"]},
                         {(x, y, 10) for x in (-0.5, 0.5) for y in (-0.5, 0.5)})
        self.assertEqual({c["feature_b"]["part"] for c in answer["contacts"]}, {0, 1, 2, 3})
        self.assertEqual([mesh["position"] for mesh in answer["meshes"]], [[0, 0, 10], [0, 0, 10], [0, -2, 10], [-2, -2, 10]])
        self.assertEqual([mesh["shape"] for mesh in answer["meshes"]], tiles)
        self.assertIsNone(answer["growth"])
        text = abut_well("collide", *arguments)
        self.assertIn(f"A: box:0.5,0.5,0.5, a box\nB, mesh 0: {tiles[0]}, a trimesh\nB, mesh 1: {tiles[1]}, a trimesh\n", text)
        self.assertEqual(len(set(re.findall(r"of mesh (\d)", text))), 4)
        self.assertNotIn("meshes", self.collide("box:1,1,1", tiles[0]))

    def test_options_of_a_mesh(self):
        """A tile with one side, a mirrored and stretched one, a rotated one, and one touched from below."""
        path = self.tile(fresh_folder("collide"))

        def touches(mesh, x, y, z):
            return [[round(n, 9) for n in c["normal"]] for c in self.collide("sphere:0.5", mesh, "--pose-a", f"{x},{y},{z}")["contacts"]]

        self.assertEqual(touches(f"trimesh:{path}", 1, 1, 0.4), [[0, 0, 1]])
        self.assertEqual(touches(f"trimesh:{path}", -1, 1, 0.4), [])
        self.assertEqual(touches(f"trimesh:scale=-1,1,1:{path}", -1, 1, 0.4), [[0, 0, 1]])
        self.assertEqual(touches(f"trimesh:scale=2:{path}", 3.9, 3.9, 0.4), [[0, 0, 1]])
        self.assertEqual(touches(f"trimesh:piece=low:{path}", 0.2, 1.8, 0.4), [])
        self.assertEqual(touches(f"trimesh:piece=high:{path}", 0.2, 1.8, 0.4), [[0, 0, 1]])
        self.assertEqual(touches(f"trimesh:{path}", 1, 1, -0.4), [])
        self.assertEqual(touches(f"trimesh:two-sided:{path}", 1, 1, -0.4), [[0, 0, -1]])
        self.assertEqual(touches(f"trimesh:at=0,0,3,1,0,0,0:two-sided:scale=1,-1,1:{path}", 1, 1, 2.6), [[0, 0, -1]])

    def test_a_file_whose_name_has_colons(self):
        folder = fresh_folder("collide")
        shutil.copy(self.tile(folder), folder / "a:b=c.obj")
        for name in (folder / "a:b=c.obj", f"two-sided:{folder}/a:b=c.obj"):
            self.assertEqual(len(self.collide("sphere:1", f"trimesh:{name}", "--pose-a", "1,1,0.9")["contacts"]), 1)

    def test_advice_names_the_commands_own_option(self):
        """An open surface: the scene format asks for its hull by a key, this command by an option."""
        folder = fresh_folder("collide")
        (folder / "open.obj").write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\n")
        refused = abut("collide", folder / "open.obj", "box:1,1,1")
        self.assertEqual(refused.returncode, 2)
        self.assertIn("; repair it, take its hull, which fills it, with --hull, or keep its surface with trimesh:FILE", refused.stderr)
        dented = abut("collide", demo.SOURCE / "scenes" / "meshes" / "stairs.obj", "box:1,1,1")
        self.assertEqual(dented.returncode, 2)
        self.assertIn(" deep; split it into convex groups, take its hull, which fills it, with --hull, or keep its surface with trimesh:FILE", dented.stderr)
        self.assertIn("contact", abut_well("collide", folder / "open.obj", "box:1,1,1", "--hull"))
        (folder / "s.json").write_text('{"abut_scene": 1, "duration": 1, "bodies": [{"name": "b", "shape": {"mesh": {"file": "open.obj"}}}]}')
        self.assertIn('; repair it, take its hull, which fills it, with "hull": true, or keep its surface with "trimesh" in place of "mesh"', abut("check", folder / "s.json").stderr)

    def test_mesh_files(self):
        folder = fresh_folder("collide")
        cube = [(x, y, z) for z in (0, 1) for y in (0, 1) for x in (0, 1)]
        faces = [(1, 3, 4, 2), (5, 6, 8, 7), (1, 2, 6, 5), (3, 7, 8, 4), (1, 5, 7, 3), (2, 4, 8, 6)]
        lines = []
        for group, shift in enumerate((0, 5)):
            lines.append(f"g part{group}")
            lines += [f"v {x + shift} {y} {z}" for x, y, z in cube]
            lines += ["f " + " ".join(str(corner + 8 * group) for corner in face) for face in faces]
        (folder / "two.obj").write_text("\n".join(lines) + "\n")
        answer = self.collide(folder / "two.obj", "box:10,10,1", "--pose", "0,0,-0.99")
        self.assertEqual((answer["a"]["kind"], answer["b"]["kind"]), ("compound", "box"))
        self.assertEqual(len(answer["contacts"]), 8)
        self.assertEqual({contact["feature_a"]["part"] for contact in answer["contacts"]}, {0, 1})
        self.assertAlmostEqual(sum(patch["area"] for patch in answer["patches"]), 2, places=9)

    def test_table_says_what_json_says(self):
        arguments = ("box:1,1,1", "capsule:0.5,1", "--pose", "0.2,0.1,1.4,0,0.70710678118654752,0,0.70710678118654752")
        answer, text = self.collide(*arguments), abut_well("collide", *arguments)
        self.assertGreater(len(answer["contacts"]), 1)
        for contact in answer["contacts"]:
            point = " ".join(f"{x + 0.0:.9g}" for x in contact["on_b"])
            self.assertRegex(text, rf"(?m)^  {contact['gap']:.6g} +{re.escape(point)} .*{contact['id']}")
        self.assertIn(f"Growth distance: {answer['growth']['alpha']:.9g} (overlap)", text)


if __name__ == "__main__":
    unittest.main(verbosity=2)
