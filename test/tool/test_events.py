"""abut run --events: the lines of a scene whose events are known, and what is refused."""

import json
import math
import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "support"))
from demo import LUMP, abut, abut_well, fresh_folder

# A ball falls through a gate and lands on a floor that a ghost does not touch; then it falls asleep.
SCENE = {
    "abut_scene": 1, "dt": 1 / 240, "duration": 3,
    "bodies": [
        {"name": "floor", "kind": "static", "shape": {"plane": {"normal": [0, 0, 1]}}, "category": "ground"},
        {"name": "gate", "kind": "static", "shape": {"box": {"half": [1, 1, 0.05]}}, "position": [0, 0, 2], "sensor": True},
        {"name": "ball", "shape": {"box": {"half": [0.2, 0.2, 0.2]}}, "position": [0, 0, 3], "mass": 2},
        {"name": "ghost", "shape": {"sphere": {"radius": 0.1}}, "position": [5, 0, 1], "touches": "default"}],
}


class Events(unittest.TestCase):
    def setUp(self):
        self.folder = fresh_folder("events")
        self.scene = self.folder / "scene.json"
        self.scene.write_text(json.dumps(SCENE))

    def test_lines(self):
        written = self.folder / "events.jsonl"
        abut_well("run", self.scene, "-o", self.folder / "out.h5", "--events", written, "--quiet")
        lines = [json.loads(line) for line in written.read_text().splitlines()]
        kinds = [line["event"] for line in lines]
        self.assertEqual(kinds[:4], ["sensor begins", "sensor ends", "touch begins", "hit"])
        self.assertIn("sleep", kinds)
        self.assertNotIn("ghost", [line.get(side) for line in lines for side in "ab"])
        begins, ends, hit = lines[0], lines[1], lines[3]
        self.assertEqual((begins["a"], begins["b"]), ("gate", "ball"))
        self.assertAlmostEqual(begins["time"], math.sqrt(2 * 0.75 / 9.81), delta=2 / 240)
        self.assertAlmostEqual(ends["time"], math.sqrt(2 * 1.25 / 9.81), delta=2 / 240)
        self.assertEqual({hit["a"], hit["b"]}, {"floor", "ball"})
        speed = math.sqrt(2 * 9.81 * 2.8)
        self.assertAlmostEqual(hit["speed"], speed, delta=9.81 / 240)
        self.assertAlmostEqual(hit["impulse"], 2 * speed, delta=2 * 9.81 / 100)
        self.assertTrue(all(line["time"] == line["step"] / 240 for line in lines))
        self.assertEqual(abut_well("run", self.scene, "--no-record", "--events", "-", "--quiet"), written.read_text())

    def test_a_joint_breaks(self):
        """A ball on a rope that bears half its weight falls at once; the load is that of the step."""
        self.scene.write_text(json.dumps({
            "abut_scene": 1, "dt": 1 / 240, "duration": 0.05,
            "bodies": [{"name": "hook", "kind": "static", "shape": {"sphere": {"radius": 0.1}}, "position": [0, 0, 2]},
                       {"name": "ball", "shape": {"sphere": {"radius": 0.1}}, "position": [0, 0, 1], "mass": 2}],
            "joints": [{"kind": "distance", "a": "hook", "b": "ball", "position": [0, 0, 2], "position_b": [0, 0, 1], "break_force": 9.81}]}))
        lines = [json.loads(line) for line in abut_well("run", self.scene, "--no-record", "--events", "-", "--quiet").splitlines()]
        self.assertEqual([line["event"] for line in lines], ["joint breaks"])
        self.assertEqual([lines[0][key] for key in ("step", "a", "b", "joint")], [1, "hook", "ball", 0])
        self.assertAlmostEqual(lines[0]["force"][2], 2 * 9.81, delta=1e-6)
        self.assertEqual(lines[0]["force"][:2] + lines[0]["torque"], [0, 0, 0, 0, 0])

    def test_bonds_break(self):
        """As many as the report counts, in the same steps, each pair once; the stress is above the strength. The recording has the same as the lines."""
        try:
            import h5py
        except ImportError:
            self.skipTest("h5py is missing")
        self.scene.write_text(json.dumps(LUMP))
        out, written = self.folder / "lumps.h5", self.folder / "lumps.jsonl"
        abut_well("run", self.scene, "-o", out, "--events", written, "--quiet")
        lines = [line for line in map(json.loads, written.read_text().splitlines()) if line["event"] == "bond breaks"]
        with h5py.File(out) as file:
            names = [name.decode() for name in file["bodies/name"]]
            broken = file["steps/dem_broken"][:].tolist()
            kinds = h5py.check_enum_dtype(file["events/kind"].dtype)
            self.assertEqual(kinds["bond breaks"], 9)
            told = [(int(step), names[a], names[b]) for step, kind, a, b, joint in zip(*(file[f"events/{key}"][:] for key in ("step", "kind", "a", "b", "joint")))
                    if kind == 9 and joint == -1]
        self.assertGreater(len(lines), 10)
        self.assertGreater(len({line["step"] for line in lines}), 2)
        self.assertEqual([sum(line["step"] == step for line in lines) for step in range(len(broken))], broken)
        self.assertEqual(told, [(line["step"], line["a"], line["b"]) for line in lines])
        self.assertEqual(len({frozenset((line["a"], line["b"])) for line in lines}), len(lines))
        self.assertTrue(all(line["tension"] >= 5e3 or line["shear"] >= 5e3 for line in lines))

    def test_refusals(self):
        recording = self.folder / "x.h5"
        for events, words in [(self.scene, "is an input"), ("-", "needs '--quiet'"), (recording, "is the same file as the output"),
                              (self.folder / "no" / "folder", "cannot write")]:
            done = abut("run", self.scene, "-o", recording, "--events", events)
            self.assertEqual(done.returncode, 2, events)
            self.assertIn(words, done.stderr)
            self.assertFalse(recording.exists())
        self.assertEqual(json.loads(self.scene.read_text()), SCENE)


if __name__ == "__main__":
    unittest.main()
