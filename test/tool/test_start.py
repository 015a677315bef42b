"""Scenes that go on from a recording: a bed that is still being filled, by `abut run` and `abut check`, and from a checkpoint of such a run."""

import json
import os
import pathlib
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
    import numpy
except ImportError:
    print("skipped: h5py or numpy is missing")
    sys.exit(77)

# Grains of many sizes come through an inlet onto a plate with a gate; some roll off the plate and are taken away.
BED = {
    "abut_scene": 1, "dt": 0.005, "duration": 0.4, "stepper": {"kind": "dem", "step_share": 0.3},
    "materials": {"glass": {"density": 2500, "friction": 0.4, "restitution": 0.3, "young": 5e5, "poisson": 0.25}},
    "bodies": [
        {"name": "left", "kind": "static", "shape": {"box": {"half": [0.02, 0.03, 0.005]}}, "position": [-0.03, 0, 0], "material": "glass"},
        {"name": "right", "kind": "static", "shape": {"box": {"half": [0.02, 0.03, 0.005]}}, "position": [0.03, 0, 0], "material": "glass"},
        {"name": "gate", "kind": "static", "shape": {"box": {"half": [0.01, 0.03, 0.005]}}, "material": "glass"},
        {"name": "grain", "shape": {"sphere": {"radius": 0.004}}, "material": "glass", "velocity": [0, 0, -0.8],
         "inlet": {"number_rate": 300, "number": 90, "lower": [-0.02, -0.02, 0.04], "upper": [0.02, 0.02, 0.07],
                   "sizes": {"by": "number", "gauss": {"mean": 0.008, "deviation": 0.001, "least": 0.006, "most": 0.01}}}}],
    "outlets": [{"name": "out", "half_space": {"normal": [0, 0, 1], "offset": -0.01}}],
}


def follows(**members):
    return {**BED, "start": {"recording": "bed.h5"}, **members}


class Start(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = fresh_folder("start")
        os.chdir(cls.folder)
        demo.write_scene(cls.folder / "bed.json", BED)
        abut_well("run", "bed.json", "-o", "bed.h5", "-q")

    def run_next(self, scene, *options):
        demo.write_scene(self.folder / "next.json", scene)
        abut_well("run", "next.json", "-o", "next.h5", "-q", *options)
        return h5py.File("next.h5")

    def test_an_inlet_goes_on(self):
        """What comes when, and how large, is that of one run without a break; the places are drawn anew."""
        with h5py.File("bed.h5") as bed:
            for at in (0, 1, 33, 60, 80):
                with self.run_next(follows(start={"recording": "bed.h5", "time": float(bed["frames/time"][at])}, duration=(80 - at) * 0.005 or 0.005)) as run:
                    self.assertEqual(run["frames/time"][0], 0)
                    numpy.testing.assert_array_equal(run["frames/presence"][0] > 0, bed["frames/presence"][at] > 0)
                    numpy.testing.assert_allclose(run["frames/pose"][0], bed["frames/pose"][at], rtol=0, atol=1e-15)
                    numpy.testing.assert_array_equal(run["frames/velocity"][0], bed["frames/velocity"][at])
                    end = min(len(run["series/value"]), 81 - at)
                    numpy.testing.assert_array_equal(run["series/value"][:end, :3], bed["series/value"][at:at + end, :3])
                    numpy.testing.assert_array_equal(run["series/value"][0, 3:], [0, 0])
            self.assertGreater(bed["series/value"][80, 3], 0)
            self.assertGreater(bed["series/value"][80, 0], bed["series/value"][33, 0])

    def test_the_gate_opens(self):
        """A new scene with the gate removed at the beginning, another law, and no inlet but the grains that are there."""
        with h5py.File("bed.h5") as bed:
            there = int((bed["frames/presence"][-1][3:] > 0).sum())
        softer = {"glass": {**BED["materials"]["glass"], "friction": 0.2}}
        with self.run_next(follows(materials=softer, actions=[{"at": 0, "remove": "gate"}])) as run:
            out = run["series/value"][:, 3]
            self.assertEqual(int((run["frames/presence"][0][3:] > 0).sum()), there)
            self.assertGreater(out[-1], 10)
            self.assertEqual(int((run["frames/presence"][-1][3:] > 0).sum()) + out[-1], there + run["series/value"][-1, 0] - run["series/value"][0, 0])

    def test_a_recording_of_another_stepper(self):
        fixed = {**BED, "stepper": {"kind": "fixed"}, "materials": {"glass": {"density": 2500, "friction": 0.4}}}
        demo.write_scene(self.folder / "fixed.json", fixed)
        abut_well("run", "fixed.json", "-o", "fixed.h5", "-q")
        with self.run_next(follows(start={"recording": "fixed.h5"}, duration=0.05)) as run, h5py.File("fixed.h5") as before:
            numpy.testing.assert_array_equal(run["frames/presence"][0] > 0, before["frames/presence"][-1] > 0)
            numpy.testing.assert_allclose(run["frames/pose"][0], before["frames/pose"][-1], rtol=0, atol=1e-15)
            numpy.testing.assert_array_equal(run["frames/velocity"][0], before["frames/velocity"][-1])

    def test_a_checkpoint_of_it_resumes(self):
        demo.write_scene(self.folder / "next.json", follows(start={"recording": "bed.h5", "time": 0.2}, actions=[{"at": 0.05, "remove": "gate"}]))
        abut_well("run", "next.json", "-o", "whole.h5", "-q")
        run = subprocess.Popen([demo.COMMAND, "run", "next.json", "-o", "cut.h5", "-q", "--checkpoint-steps", "1"], stderr=subprocess.DEVNULL,
                               preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))
        while not os.path.exists("cut.checkpoint.h5"):
            self.assertIsNone(run.poll(), "the run was over too soon")
            time.sleep(0.001)
        run.send_signal(signal.SIGINT)
        self.assertEqual(run.wait(60), 128 + signal.SIGINT)
        for recording in ("cut.h5", "cut.checkpoint.h5"):  # an unfinished recording, and a checkpoint: both end at the same step
            demo.write_scene(self.folder / "after.json", follows(start={"recording": recording}))
            abut_well("run", "after.json", "-o", f"after_{recording}", "-q", "--steps", "5")
            with h5py.File(recording) as before, h5py.File(f"after_{recording}") as after:
                self.assertEqual(int(before.attrs["complete"]), 0)
                numpy.testing.assert_allclose(after["frames/pose"][0], before["frames/pose"][-1], rtol=0, atol=1e-15)
        abut_well("run", "--resume", "cut.checkpoint.h5", "-q")
        with h5py.File("whole.h5") as one, h5py.File("cut.h5") as other:
            for path in ("frames/pose", "frames/velocity", "series/value", "contacts/normal_force", "steps/kinetic_energy"):
                numpy.testing.assert_array_equal(one[path], other[path], path)

    def test_what_does_not_fit(self):
        other = {**BED["bodies"][3], "inlet": {**BED["bodies"][3]["inlet"], "seed": 2}}
        short = {**BED["bodies"][3], "inlet": {**BED["bodies"][3]["inlet"], "number": 5}}
        size = os.path.getsize("bed.h5")
        pathlib.Path("torn.h5").write_bytes(pathlib.Path("bed.h5").read_bytes()[:size * 2 // 3])
        pathlib.Path("empty.h5").write_bytes(b"")
        for scene, says in ((follows(bodies=BED["bodies"][:3] + [other]), "body 'grain.1' has another shape than in 'bed.h5'"),
                            (follows(bodies=BED["bodies"][:3] + [short]), "', which the scene lacks: add it, or list"),
                            (follows(start={"recording": "torn.h5"}), "torn.h5: is damaged or truncated"),
                            (follows(start={"recording": "empty.h5"}), "empty.h5: "),
                            (follows(start={"recording": "bed.json"}), "bed.json: is not a recording"),
                            (follows(start={"recording": "."}), "."),
                            (follows(start={"recording": "bed.h5", "time": 0.41}), "'time' 0.41 is after the end of 'bed.h5', 0.4")):
            text = json.dumps(scene)
            pathlib.Path("bad.json").write_text(text)
            for command in (("check", "bad.json"), ("run", "bad.json", "-q", "--no-record")):
                result = abut(*command)
                self.assertEqual(result.returncode, 2, (says, result))
                self.assertIn(says, result.stderr)
                key = '"time": ' if "after the end" in says else '"recording": '
                self.assertIn(f"bad.json:1:{text.index(key) + len(key) + 1}: ", result.stderr)

    def test_an_inlet_without_an_end(self):
        endless = {key: value for key, value in BED["bodies"][3]["inlet"].items() if key != "number"}
        scene = {**BED, "bodies": BED["bodies"][:3] + [{**BED["bodies"][3], "inlet": endless}]}
        demo.write_scene(self.folder / "endless.json", scene)
        abut_well("run", "endless.json", "-o", "endless.h5", "-q", "--steps", "20")
        for duration in (BED["duration"], 0.02):  # in the shorter one, fewer bodies come than have
            demo.write_scene(self.folder / "bad.json", {**scene, "start": {"recording": "endless.h5"}, "duration": duration})
            self.assertIn("the inlet 'grain' goes on by its clock, so it must say where it ends", abut("check", "bad.json").stderr)

    def test_its_own_recording_is_kept(self):
        before = pathlib.Path("bed.h5").read_bytes()
        demo.write_scene(self.folder / "next.json", follows())
        result = abut("run", "next.json", "-q", "-o", "./bed.h5")
        self.assertEqual(result.returncode, 2)
        self.assertIn("is the input", result.stderr)
        self.assertEqual(pathlib.Path("bed.h5").read_bytes(), before)


if __name__ == "__main__":
    unittest.main()
