"""Checkpoints: a run that is killed, interrupted or out of space loses nothing before its last checkpoint, and resumes to exactly the same recording."""

import json
import os
import pathlib
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

try:
    import h5py
except ImportError:
    print("skipped: h5py is missing")
    sys.exit(77)

GRAINS = {
    "abut_scene": 1, "title": "Grains", "dt": 0.002, "duration": 0.2, "stepper": {"kind": "dem", "step_share": 0.2},
    "materials": {"glass": {"density": 2500, "friction": 0.3, "restitution": 0.3, "young": 1e7, "poisson": 0.25}},
    "bodies": [
        {"name": "floor", "kind": "static", "shape": {"plane": {"normal": [0, 0, 1]}}, "material": "glass"},
        {"name": "left", "kind": "static", "shape": {"plane": {"normal": [1, 0, 0], "offset": -0.02}}, "material": "glass"},
        {"name": "right", "kind": "static", "shape": {"plane": {"normal": [-1, 0, 0], "offset": -0.02}}, "material": "glass"},
        {"name": "front", "kind": "static", "shape": {"plane": {"normal": [0, 1, 0], "offset": -0.02}}, "material": "glass"},
        {"name": "back", "kind": "static", "shape": {"plane": {"normal": [0, -1, 0], "offset": -0.02}}, "material": "glass"},
        {"name": "ball", "shape": {"sphere": {"radius": 0.005}}, "material": "glass", "velocity": [0, 0, -1], "angular_velocity": [20, -30, 10],
         "fill": {"count": 60, "lower": [-0.02, -0.02, 0], "upper": [0.02, 0.02, 0.12], "scale": [0.9, 1.1], "seed": 1}}],
}

# Grains that come through two inlets while a stone is removed, whose place among the bodies one of them takes.
COMING = {
    **GRAINS, "title": "Grains that come",
    "bodies": [*GRAINS["bodies"][:5],
               {"name": "stone", "shape": {"sphere": {"radius": 0.004}}, "material": "glass", "position": [0, 0, 0.004]},
               {"name": "ball", "shape": {"sphere": {"radius": 0.005}}, "material": "glass", "velocity": [0, 0, -1],
                "inlet": {"number_rate": 300, "lower": [-0.02, -0.02, 0.05], "upper": [0.02, 0.02, 0.08]}},
               {"name": "dust", "shape": {"sphere": {"radius": 0.005}}, "material": "glass",
                "inlet": {"mass_rate": 0.02, "disc": {"centre": [0, 0, 0.06], "normal": [0, 0, 1], "radius": 0.018}, "seed": 3,
                          "sizes": {"by": "mass", "gauss": {"mean": 0.005, "deviation": 0.001, "least": 0.003, "most": 0.007}}}}],
    "actions": [{"at": 0.06, "remove": "stone"}],
}

# A spring, a force, a velocity and a removal; some of them are active when the run is interrupted.
PULLED = {
    **demo.SCENE, "duration": 2,
    "stepper": {"kind": "fixed", "sleep_time": 0.2, "iterations": 20, "substeps": 20},
    "actions": [{"at": 0.1, "until": 1.5, "spring": {"body": "box", "anchor": [0.5, 0, 0], "target": [1, 0, 1], "target_end": [1, 2, 1.5], "frequency": 2}},
                {"at": 0.3, "until": 1.2, "force": {"body": "dumbbell", "force": [0, 150, 300]}},
                {"at": 0.49166, "remove": "ball, small"},
                {"at": 1.0, "velocity": {"body": "capsule", "velocity": [0, 0, 3]}}],
}

# Ropes that break one after another, a motor, a sensor, a box that falls asleep and is woken, and a joint that goes with its body.
JOINTED = {
    "abut_scene": 1, "title": "Joints", "dt": 1 / 60, "duration": 2, "stepper": {"kind": "fixed", "sleep_time": 0.2},
    "bodies": [
        {"name": "floor", "kind": "static", "shape": {"plane": {"normal": [0, 0, 1]}}},
        {"name": "post", "kind": "static", "shape": {"box": {"half": [0.1, 0.1, 1]}}, "position": [0, 0, 1]},
        {"name": "gate", "kind": "static", "shape": {"box": {"half": [1, 1, 0.1]}}, "position": [1, 0, 0.8], "sensor": True},
        {"name": "arm", "shape": {"box": {"half": [0.5, 0.05, 0.05]}}, "position": [0.5, 0, 2]},
        {"name": "first", "shape": {"sphere": {"radius": 0.1}}, "position": [1, 0, 1.8], "mass": 1},
        {"name": "second", "shape": {"sphere": {"radius": 0.1}}, "position": [1, 0, 1.5], "mass": 1},
        {"name": "bob", "shape": {"sphere": {"radius": 0.1}}, "position": [-1, 0, 1]},
        {"name": "box", "shape": {"box": {"half": [0.2, 0.2, 0.2]}}, "position": [3, 0, 0.2]}],
    "joints": [
        {"kind": "revolute", "a": "post", "b": "arm", "position": [0, 0, 2], "rotation": {"axis": [1, 0, 0], "degrees": 90},
         "motor": {"speed": 2, "max_force": 500}},
        {"kind": "distance", "a": "arm", "b": "first", "position": [1, 0, 2], "position_b": [1, 0, 1.8], "break_force": 60},
        {"kind": "distance", "a": "first", "b": "second", "position": [1, 0, 1.8], "position_b": [1, 0, 1.5], "lower": 0, "upper": 0.5, "break_force": 30},
        {"kind": "distance", "a": "post", "b": "bob", "position": [-1, 0, 2], "position_b": [-1, 0, 1]}],
    "actions": [{"at": 0.8, "remove": "bob"}, {"at": 1.2, "velocity": {"body": "box", "velocity": [0, 0, 1]}}],
}


def deforming():
    """Two cells that deform, the upper one with pauses, and a third one that is removed."""
    scene = json.loads((demo.SOURCE / "scenes/two_cells.json").read_text())
    scene["duration"] = 0.05
    scene["shapes"]["cell"]["facetmesh"]["file"] = str(demo.SOURCE / "scenes/meshes/grain_ball.obj")
    lower, upper = scene["bodies"]
    lower["deform"][0]["amount"] = [[0, 0.2], [0.02, 1], [0.04, 1], [0.05, 0.2]]
    upper["deform"][0]["amount"] = [[0.008, 0], [0.014, 0.3], [0.026, 0.3], [0.0265, 0.4], [0.0275, 0.3], [0.03, 0.3], [0.04, 0.6]]
    scene["bodies"].append({**upper, "name": "gone", "position": [0.03, 0, 0]})
    scene["actions"].append({"at": 0.018, "remove": "gone"})
    return scene


def pears():
    scene = json.loads((demo.SOURCE / "scenes/pear_packing.json").read_text())
    scene["materials"]["fruit"]["young"] = 1e5
    pear = scene["bodies"][-1]
    pear["shape"]["facetmesh"]["file"] = str(demo.SOURCE / "scenes/meshes/pear.obj")
    pear["fill"] = {"count": 4, "lower": [-0.015, -0.015, 0], "upper": [0.015, 0.015, 0.08], "seed": 1}
    return scene


TETRAHEDRON = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n"
MESHES = {
    "abut_scene": 1, "duration": 1,
    "bodies": [{"name": "floor", "kind": "static", "shape": {"plane": {"normal": [0, 0, 1]}}},
               {"name": "stone", "shape": {"mesh": {"file": "stone.obj"}}, "position": [0, 0, 0.5]}],
}


def contents(path):
    """Everything in a recording except the state, wall times and whether it is complete."""
    found = {}

    def keep(name, item):
        if isinstance(item, h5py.Dataset) and not name.startswith(("steps/seconds_", "checkpoint")):
            found[name] = (item.dtype.str if item.dtype.kind != "S" else "S", item.shape, item[()].tobytes() if item.shape else item[()])

    with h5py.File(path, "r") as file:
        file.visititems(keep)
        found.update({f"@{name}": str(value) for name, value in file.attrs.items()})
    return found


def start(*arguments, cwd, **options):
    return subprocess.Popen([demo.COMMAND, "run", *map(str, arguments), "-q"], cwd=cwd, stderr=subprocess.PIPE, text=True, **options)


def step_of(checkpoint):
    with h5py.File(checkpoint, "r") as file:
        return int(file["steps/step"][-1])


class Checkpoints(unittest.TestCase):
    def setUp(self):
        self.folder = fresh_folder(self._testMethodName)

    def whole(self, scene, *options):
        """The recording of an uninterrupted run."""
        path = self.folder / "whole.h5"
        abut_well("run", scene, "-o", path, "-q", *options)
        return contents(path)

    def assert_same(self, path, expected):
        made = contents(path)
        self.assertEqual(set(made), set(expected))
        self.assertEqual([name for name in made if made[name] != expected[name]], [])

    def killed(self, scene, *options, number=signal.SIGKILL, least=1):
        """Starts a run, and ends it by the signal as soon as its checkpoint has reached the step. Returns the checkpoint and the output of the run."""
        process = start(scene, *options, "-o", "out.h5", cwd=self.folder, preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))
        checkpoint = self.folder / "out.checkpoint.h5"
        while not checkpoint.exists() or step_of(checkpoint) < least:
            self.assertIsNone(process.poll(), "the run was over too soon")
            time.sleep(0.002)
        process.send_signal(number)
        errors = process.communicate(timeout=60)[1]
        self.assertEqual(process.returncode, -signal.SIGKILL if number == signal.SIGKILL else 128 + number)
        return checkpoint, errors

    def remove_leftovers(self):
        """A process that is killed cannot remove its hidden files."""
        for path in self.folder.glob(".out*"):
            path.unlink()

    def test_grains_killed_and_gone_on_with(self):
        scene = demo.write_scene(self.folder / "grains.json", GRAINS)
        steps = ("--steps", 240)
        expected = self.whole(scene, *steps)
        (self.folder / "out.h5").write_bytes(b"old")
        for round in range(3):
            beginning = (scene, *steps, "--checkpoint-steps", 20) if round == 0 else ("--resume", "out.checkpoint.h5")
            checkpoint, _ = self.killed(*beginning, least=40 * (round + 1))
            step = step_of(checkpoint)
            self.assertGreaterEqual(step, 40 * (round + 1))
            self.assertEqual(step % 20, 0)
            self.assertEqual((self.folder / "out.h5").read_bytes(), b"old")
            part = contents(checkpoint)
            self.assertEqual(part["@complete"], "0")
            with h5py.File(checkpoint, "r") as now, h5py.File(self.folder / "whole.h5", "r") as then:
                self.assertEqual(len(now["frames/step"]), step + 1)
                for name in ("frames/pose", "steps/kinetic_energy", "frames/velocity"):
                    self.assertTrue((now[name][:] == then[name][:step + 1]).all(), name)
            abut_well("export", checkpoint, self.folder / "table.csv", "--table", "contacts")
            self.remove_leftovers()
        threads = ("--threads", 2)
        self.assertEqual(abut_well("run", "--resume", checkpoint, "-q", *threads), "")
        self.assert_same(self.folder / "out.h5", expected)
        self.assertFalse(checkpoint.exists())
        self.assertEqual(sorted(os.listdir(self.folder)), ["grains.json", "out.h5", "table.csv", "whole.h5"])

    def test_inlets_go_on(self):
        scene = demo.write_scene(self.folder / "coming.json", COMING)
        expected = self.whole(scene, "--threads", 1)
        with h5py.File(self.folder / "whole.h5", "r") as file:
            come = (file["frames/presence"][:] != 0).sum(axis=1)
            self.assertEqual(come[0], 6)
            self.assertGreater(come[-1], 40)
        for least in (15, 45):  # before and after the stone has gone
            checkpoint, _ = self.killed(scene, "--checkpoint-steps", 5, least=least)
            self.remove_leftovers()
            abut_well("run", "--resume", checkpoint, "-q", "--threads", 2)
            self.assert_same(self.folder / "out.h5", expected)

    def test_lasting_actions_go_on(self):
        scene = demo.write_scene(self.folder / "pulled.json", PULLED)
        expected = self.whole(scene, "--every", 3)
        for least in (5, 15, 35, 70):  # before, at the beginning of and during lasting actions, and after the removal
            checkpoint, _ = self.killed(scene, "--every", 3, "--checkpoint-steps", 5, least=least)
            self.remove_leftovers()
            abut_well("run", "--resume", checkpoint, "-q")
            self.assert_same(self.folder / "out.h5", expected)

    def test_joints_and_events_go_on(self):
        """Frames at every third step: events of the steps between frames are neither lost nor told twice."""
        scene = demo.write_scene(self.folder / "jointed.json", JOINTED)
        expected = self.whole(scene, "--every", 3)
        with h5py.File(self.folder / "whole.h5", "r") as file:
            names = h5py.check_enum_dtype(file["events/kind"].dtype)
            kinds = {name: steps for name, number in names.items() if len(steps := file["events/step"][:][file["events/kind"][:] == number])}
        self.assertEqual(set(kinds), set(names) - {"touch persists", "bond breaks"})
        self.assertEqual(len(kinds["joint breaks"]), 2)
        # After a joint has broken, and another one has gone with its body.
        checkpoint, _ = self.killed(scene, "--every", 3, "--checkpoint-steps", 1, least=max(int(kinds["joint breaks"][0]) + 1, 50))
        self.remove_leftovers()
        abut_well("run", "--resume", checkpoint, "-q")
        self.assert_same(self.folder / "out.h5", expected)

    def stopped_and_gone_on_with(self, scene, leasts, *options):
        """A run that is killed each time its checkpoint has reached one of these steps, and then completed, has the recording of an uninterrupted run."""
        beginning = (scene, *options, "--steps", 10**8, "--checkpoint-steps", 1)
        for least in leasts:
            checkpoint, _ = self.killed(*beginning, least=least)
            self.remove_leftovers()
            beginning = ("--resume", checkpoint.name)
        abut_well("export", checkpoint, self.folder / "part.vtkhdf")
        steps = ("--steps", step_of(checkpoint) + 5)
        abut_well("run", "--resume", checkpoint, "-q", *steps)
        self.assert_same(self.folder / "out.h5", self.whole(scene, *options, *steps))

    def test_bodies_that_deform_go_on(self):
        """Frames at every step, and at fewer steps: a resumed run still knows which shapes have changed since the last frame."""
        scene = demo.write_scene(self.folder / "cells.json", deforming())
        for every in (1, 4):
            self.stopped_and_gone_on_with(scene, (2, 10, 22), "--every", every)
            with h5py.File(self.folder / "out.h5", "r") as file:
                self.assertEqual(set(file["deformed/body"][:]), {0, 1, 2})
                self.assertGreater(file["steps/touching"][-1], 0)

    def test_elastic_cells_go_on(self):
        """Without the adhesion, which takes most of the time."""
        scene = json.loads((demo.SOURCE / "scenes/elastic_cells.json").read_text())
        scene["shapes"]["cell"]["facetmesh"]["file"] = str(demo.SOURCE / "scenes/meshes/grain_ball.obj")
        scene["materials"]["tissue"]["adhesion_work"] = 0
        path = demo.write_scene(self.folder / "elastic.json", {**scene, "dt": 0.001, "duration": 0.03})
        table = abut_well("run", path, "-o", self.folder / "once.h5", "--steps", 3)
        self.assertRegex(table, r"elastic cells +2 at the end, with [\d.]+ to [\d.]+ of the volumes")
        self.stopped_and_gone_on_with(path, (2, 7), "--every", 2)
        with h5py.File(self.folder / "out.h5", "r") as file:
            self.assertEqual(set(file["deformed/body"][:]), {2, 3})
            self.assertGreater(file["steps/dem_spring_energy"][-1], 0)

    def test_bonds_that_break_go_on(self):
        """What broke before the checkpoint is told once."""
        scene = demo.write_scene(self.folder / "lump.json", demo.LUMP)
        self.stopped_and_gone_on_with(scene, (4, 6))
        with h5py.File(self.folder / "out.h5", "r") as file:
            told = file["events/step"][:][file["events/kind"][:] == 9]
            self.assertEqual(len(told), int(file["steps/dem_broken"][:].sum()))
            self.assertLess(told.min(), 5)

    def test_pears_go_on(self):
        scene = demo.write_scene(self.folder / "pears.json", pears())
        self.stopped_and_gone_on_with(scene, (7, 10))
        with h5py.File(self.folder / "out.h5", "r") as file:
            self.assertGreater(file["steps/contacts"][:].max(), 1)

    def test_frames_of_many_bodies_go_on(self):
        """Rows longer than half a chunk are written at once, including the row of the initial state."""
        ball = {**GRAINS["bodies"][-1], "fill": {"count": 1300, "lower": [-1, -1, 0], "upper": [1, 1, 1], "seed": 1}}
        scene = demo.write_scene(self.folder / "many.json", {**GRAINS, "bodies": [GRAINS["bodies"][0], ball]})
        self.stopped_and_gone_on_with(scene, (4, ))

    def test_interruption_leaves_a_checkpoint(self):
        scene = demo.write_scene(self.folder / "pulled.json", PULLED)
        expected = self.whole(scene)
        checkpoint, errors = self.killed(scene, "--checkpoint-steps", 10, number=signal.SIGINT)
        said = re.fullmatch(r"abut run: interrupted after (\d+) of 120 steps; 'out\.h5' holds them; "
                            r"go on with 'abut run --resume out\.checkpoint\.h5'\n", errors)
        self.assertIsNotNone(said, errors)
        self.assertEqual(step_of(checkpoint), int(said[1]))
        self.assertEqual(contents(self.folder / "out.h5")["@complete"], "0")
        text = abut_well("run", "--resume", checkpoint)
        self.assertRegex(text, rf"(?m)^  steps +120 of 120\n  resumed after step +{said[1]}: ")
        self.assert_same(self.folder / "out.h5", expected)

    def test_energies_at_the_start_of_a_resumed_run(self):
        """The table of a resumed run begins with the energies of the checkpoint, including those of springs and contacts."""
        cells = {**deforming(), "duration": 1000}
        pulled = {**PULLED, "duration": 1000, "actions": [{**PULLED["actions"][0], "until": 999}]}
        for name, scene, stored, least in (("cells", cells, "dem_elastic_energy", 60), ("pulled", pulled, "spring_energy", 16)):
            checkpoint, _ = self.killed(demo.write_scene(self.folder / f"{name}.json", scene), "--checkpoint-steps", 1, least=least, number=signal.SIGINT)
            with h5py.File(checkpoint, "r") as file:
                energy = {key: float(file[f"steps/{key}"][-1]) for key in file["steps"] if key.endswith("_energy")}
            self.assertGreater(energy[stored], 0.0)
            text = abut_well("run", "--resume", checkpoint, "--steps", step_of(checkpoint) + 1, "-o", self.folder / "other.h5")
            said = re.search(r"(?m)^  total energy +(\S+) at the start", text)
            self.assertIsNotNone(said, text)
            self.assertAlmostEqual(float(said[1]) / sum(energy.values()), 1.0, delta=1e-5)
            checkpoint.unlink()

    def test_checkpoints_by_the_clock(self):
        scene = demo.write_scene(self.folder / "grains.json", {**GRAINS, "duration": 1000})
        self.killed(scene, "--checkpoint-every", 0.01, number=signal.SIGINT)
        self.remove_leftovers()
        again, _ = self.killed("--resume", "out.checkpoint.h5", number=signal.SIGINT, least=step_of(self.folder / "out.checkpoint.h5") + 1)
        steps = step_of(again) + 2
        text = abut_well("run", "--resume", again, "--steps", steps, "-o", self.folder / "other.h5")
        self.assertRegex(text, rf"(?m)^  steps +{steps} of {steps}$")
        self.assertTrue(again.exists())  # it belongs to another recording

    def test_a_recording_that_rests_ends_as_it_would_have(self):
        scene = demo.write_scene(self.folder / "grains.json", {**GRAINS, "duration": 100, "until": {"residual": 0.05, "kinetic": 0.01}})
        expected = self.whole(scene, "--every", 1000)
        self.killed(scene, "--every", 1000, "--checkpoint-steps", 5)
        abut_well("run", "--resume", self.folder / "out.checkpoint.h5", "-q")
        self.assert_same(self.folder / "out.h5", expected)

    def refused(self, *arguments, says, status=2, **options):
        before = {path.name: path.read_bytes() for path in self.folder.iterdir()}
        result = abut("run", *arguments, cwd=self.folder, **options)
        self.assertEqual((result.returncode, result.stderr.count("\n"), result.stdout), (status, 1, ""), result)
        self.assertRegex(result.stderr, says)
        self.assertEqual({path.name: path.read_bytes() for path in self.folder.iterdir()}, before)

    def test_what_cannot_be_gone_on_with(self):
        (self.folder / "stone.obj").write_text(TETRAHEDRON)
        scene = demo.write_scene(self.folder / "meshes.json", MESHES)
        checkpoint, _ = self.killed(scene, "--steps", 100000000, "--checkpoint-steps", 5)
        self.remove_leftovers()
        resume = ("--resume", checkpoint.name)
        self.refused(scene.name, "-o", "out.h5", "--checkpoint-steps", 5, says=r"'out\.checkpoint\.h5' exists already.*--resume out\.checkpoint\.h5.*remove it")
        self.refused(*resume, scene.name, says="unexpected argument 'meshes.json': a checkpoint contains its scene")
        self.refused(*resume, "--every", 2, says="'--resume' and '--every' exclude each other")
        self.refused(*resume, "--no-record", says="exclude each other")
        self.refused(*resume, "--method", "patch", says="exclude each other")
        self.refused(scene.name, "--no-record", "--checkpoint-steps", 5, says="it excludes '--no-record'")
        self.refused(scene.name, "--checkpoint-every", 0, says="is not above 0")
        self.refused(says="an argument is missing; usage: abut run SCENE.json")
        self.refused("--resume", "nowhere.checkpoint.h5", says=r"nowhere\.checkpoint\.h5: No such file")
        self.refused("--resume", "meshes.json", says=r"meshes\.json: is not a recording")
        self.refused("--resume", "missing.h5", says=r"missing\.h5: No such file")
        shutil.copy(checkpoint, self.folder / "renamed.h5")
        self.refused("--resume", "renamed.h5", says=r"'renamed\.h5' does not end in '\.checkpoint\.h5': name the recording with -o")
        self.refused("--resume", "renamed.h5", "-o", "x.txt", says=r"'x\.txt': the name of the output must end in \.h5 or \.hdf5")
        (self.folder / "renamed.h5").unlink()
        self.refused("--resume", "meshes.json", "-o", "x.h5", says=r"meshes\.json: is not a recording")
        self.refused(*resume, "-o", checkpoint.name, says="is an input")
        abut_well("run", scene, "-o", self.folder / "plain.h5", "-q", "--steps", 2)
        self.refused("--resume", "plain.h5", "-o", "x.h5", says=r"plain\.h5: is a recording, but not a checkpoint")
        (self.folder / "stone.obj").write_text(TETRAHEDRON.replace("v 0 0 1", "v 0 0 1.01"))
        self.refused(*resume, says=r"out\.checkpoint\.h5: the scene now gives other bodies or shapes .*restore its mesh files .*meshes\.json'")
        (self.folder / "stone.obj").unlink()
        self.refused(*resume, says=r"out\.checkpoint\.h5: its scene cannot be built again: .*meshes\.json:\d+:\d+: .*stone\.obj")
        (self.folder / "stone.obj").write_text(TETRAHEDRON)
        shutil.copy(checkpoint, self.folder / "other.checkpoint.h5")
        with h5py.File(self.folder / "other.checkpoint.h5", "r+") as file:
            file.attrs.modify("abut_version", "0.0.7")
        self.refused("--resume", "other.checkpoint.h5", says=r"was written by abut 0\.0\.7; this is abut .*; continue with abut 0\.0\.7")
        data = checkpoint.read_bytes()
        for cut in (0, 100, len(data) // 2, len(data) - 1):
            (self.folder / "cut.checkpoint.h5").write_bytes(data[:cut])
            self.refused("--resume", "cut.checkpoint.h5", says=r"cut\.checkpoint\.h5: (is empty|is damaged|is not a recording|the (recording|checkpoint) is damaged)")
        with h5py.File(checkpoint, "r") as file:
            state = file["checkpoint/state"][:].tobytes()
        at = data.index(state)
        for place in (at, at + 30, at + len(state) // 2, at + len(state) - 1):
            damaged = bytearray(data)
            damaged[place] ^= 0x10
            (self.folder / "cut.checkpoint.h5").write_bytes(damaged)
            self.refused("--resume", "cut.checkpoint.h5", says=r"cut\.checkpoint\.h5: the checkpoint is damaged")

    def test_a_full_disk(self):
        """A limit of the file size simulates it. Whichever file reaches it first, earlier files stay complete, and the run can be resumed elsewhere."""
        scene = demo.write_scene(self.folder / "grains.json", GRAINS)
        expected = self.whole(scene)
        needed = (self.folder / "whole.h5").stat().st_size
        kinds = set()
        for share in (0.1, 0.4, 0.7, 0.97):
            limit = int(share * needed)
            (self.folder / "out.h5").write_bytes(b"old")
            result = abut("run", scene.name, "-o", "out.h5", "-q", "--checkpoint-steps", 11, cwd=self.folder,
                          preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit)))
            self.assertEqual((result.returncode, result.stderr.count("\n")), (2, 1), (share, result))
            said = re.match(r"abut run: cannot write '(out\.h5|out\.checkpoint\.h5)': File too large; the file reached the size limit of the process \(ulimit -f\)", result.stderr)
            self.assertIsNotNone(said, result.stderr)
            kinds.add(said[1])
            self.assertEqual([path.name for path in self.folder.glob(".*")], [])
            if "holds the" not in result.stderr or "first" in result.stderr:
                self.assertEqual((self.folder / "out.h5").read_bytes(), b"old")
            checkpoint = self.folder / "out.checkpoint.h5"
            if checkpoint.exists():
                kinds.add("whole")
                if "out.h5' holds" not in result.stderr:
                    self.assertIn(f"holds the first {step_of(checkpoint)} steps: go on with 'abut run --resume out.checkpoint.h5'", result.stderr)
                abut_well("run", "--resume", checkpoint, "-q")
                self.assert_same(self.folder / "out.h5", expected)
                self.assertFalse(checkpoint.exists())
        self.assertIn("out.checkpoint.h5", kinds)
        self.assertIn("whole", kinds)


if __name__ == "__main__":
    unittest.main()
