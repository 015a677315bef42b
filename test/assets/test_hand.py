"""The recorded hand: its scenes are valid and the same on every machine, its judges are right about made-up outcomes, and one record of the box runs to a
report. ABUT_TEST_SAMPLES=full also runs a record of the tower, which whole patches carry out."""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import types
import unittest

ROOT = pathlib.Path(os.environ.get("ABUT_TEST_SOURCE_DIR", pathlib.Path(__file__).resolve().parents[2]))
SCRATCH = pathlib.Path(os.environ.get("ABUT_TEST_SCRATCH_DIR", "/tmp"))
COMMAND = os.environ.get("ABUT_TEST_COMMAND")
FULL = os.environ.get("ABUT_TEST_SAMPLES") == "full"
sys.path[:0] = [str(ROOT / "scripts" / room) for room in ("make", "measure")]

try:
    import h5py  # noqa: F401
    import numpy as np
except ImportError:
    print("skipped: Python has no numpy or no h5py")
    sys.exit(77)

import hand  # noqa: E402
import hand_tasks  # noqa: E402


class Records(unittest.TestCase):
    def test_the_same_seed_is_the_same_record(self):
        for make in hand_tasks.TASKS.values():
            self.assertEqual(make(3), make(3))
            self.assertNotEqual(make(3)[0], make(4)[0])

    def test_a_careful_hand_leaves_the_neighbours(self):
        for seed in range(1, 50):
            chosen = [pull["name"] for pull in hand.wall(seed)[1]["pulls"]]
            self.assertEqual(len(chosen), len(set(chosen)))
            self.assertGreaterEqual(len(chosen), 2)
            places = [(int(c), int(p) - 0.5 * (int(c) % 2)) for c, p in (name.split("_")[1:] for name in chosen)]
            for i, (c, x) in enumerate(places):
                self.assertNotEqual(c, hand.COURSES - 2)
                for d, y in places[:i]:
                    self.assertTrue(abs(c - d) > 2 or abs(x - y) > 0.75, chosen)

    def test_the_way_is_whole(self):
        """Each spring ends where and when the next one of the same body begins."""
        for task in ("wall", "tower"):
            springs = [a for a in hand_tasks.TASKS[task](1)[0]["actions"] if "spring" in a]
            for one, next_one in zip(springs, springs[1:]):
                if one["spring"]["body"] == next_one["spring"]["body"]:
                    self.assertEqual((one["until"], one["spring"]["target_end"]), (next_one["at"], next_one["spring"]["target"]))

    @unittest.skipUnless(COMMAND, "the command was not built")
    def test_they_are_scenes(self):
        with tempfile.TemporaryDirectory() as folder:
            pathlib.Path(folder, "meshes").symlink_to(ROOT / "scenes" / "meshes")
            paths = []
            for task, make in hand_tasks.TASKS.items():
                paths.append(pathlib.Path(folder, f"{task}.json"))
                paths[-1].write_text(json.dumps(make(2)[0]))
            done = subprocess.run([COMMAND, "check", *map(str, paths)], capture_output=True, text=True, check=False)
            self.assertEqual((done.returncode, done.stderr), (0, ""))


def made_up(names, frames, dynamic):
    """A recording of poses [frames][bodies][7], one a second."""
    pose = np.array(frames, float)
    run = types.SimpleNamespace(names=names, pose=pose, time=np.arange(len(frames), dtype=float), dt=1.0, dynamic=np.array(dynamic))
    run.present = np.ones(pose.shape[:2], bool)
    return run


class Judges(unittest.TestCase):
    def test_bricks(self):
        def at(y, z):
            return [0, y, z, 0, 0, 0, 1]

        known = {"pulls": [{"name": "p", "from": 0, "to": 3, "rest": 5}]}
        fine = made_up(["floor", "p", "q"], [[at(0, 0), at(-0.2 * (i > 0), 1), at(0, 1 - 0.03 * (i > 2))] for i in range(6)], [1, 2])
        self.assertEqual(hand_tasks.judge_wall(fine, known)[0], [("p", 5, True)])
        stuck = made_up(fine.names, fine.pose.copy(), [1, 2])
        stuck.pose[:, 1, 1] = -0.1
        self.assertFalse(hand_tasks.judge_wall(stuck, known)[0][0][2])
        fallen = made_up(fine.names, fine.pose.copy(), [1, 2])
        fallen.pose[4:, 2, 2] = 0.96
        self.assertFalse(hand_tasks.judge_wall(fallen, known)[0][0][2])

    def test_a_tower(self):
        def at(x, z):
            return [x, 0, z, 0, 0, 0, 1]

        known = {"places": {"gear_large": [0, 0, 0], "lid": [0, 0, 1]}, "released": [("gear_large", 1), ("lid", 2)], "built": 3, "held": 4}
        tips = made_up(["gear_large", "lid"], [[at(0, 0), at(0, 1)]] * 5 + [[at(0, 0), at(1, 0)]], [0, 1])
        self.assertEqual([passed for _, _, passed in hand_tasks.judge_tower(tips, known)[0]], [True] * 5)
        stands = made_up(tips.names, [[at(0, 0), at(0, 1)]] * 6, [0, 1])
        self.assertEqual([passed for _, _, passed in hand_tasks.judge_tower(stands, known)[0]], [True] * 4 + [False])
        early = made_up(tips.names, [[at(0, 0), at(0, 1)]] * 3 + [[at(0, 0), at(0.04, 1)]] * 3, [0, 1])
        self.assertEqual([passed for _, _, passed in hand_tasks.judge_tower(early, known)[0]], [True, True, False, False, False])

    def test_a_failure_lasts(self):
        self.assertEqual(hand_tasks.lasting([("a", 1, True), ("b", 2, False), ("c", 3, True)]), [True, False, False])
        self.assertEqual(hand_tasks.failures([{"done": False, "passed": [True, False], "stages": ["a", "b"]}, {"done": True, "passed": [True]}]), "b: 1")


@unittest.skipUnless(COMMAND, "the command was not built")
class Script(unittest.TestCase):
    def call(self, *arguments):
        script = ROOT / "scripts" / "measure" / "hand_tasks.py"
        return subprocess.run([sys.executable, str(script), *map(str, arguments)], capture_output=True, text=True, check=False)

    def report(self, *tasks):
        kept, page = SCRATCH / "hand.json", SCRATCH / "hand.md"
        chosen = [word for task in tasks for word in ("--task", task)]
        done = self.call("--seeds", 1, *chosen, "--abut", COMMAND, "--json", kept, "--markdown", page, "--figures", SCRATCH)
        self.assertEqual(done.returncode, 0, done.stderr)
        return {(r["task"], r["method"]): r for r in json.loads(kept.read_text())}, page.read_text()

    def test_a_box(self):
        results, page = self.report("drop")
        patch, tracking = results["drop", "patch"], results["drop", "tracking"]
        self.assertLess(patch["penetration"], 1e-4)
        self.assertGreater(tracking["penetration"], 100 * patch["penetration"])
        self.assertLess(patch["rest_alignment"], 1e-9)
        self.assertIn("## A box that is dropped\n", page)
        self.assertIn("</svg>", (SCRATCH / "hand_drop.svg").read_text())

    def test_the_tower_tips_where_the_report_says(self):
        """About the rim of the cylinder (radius 0.07), on which the bowl and what lies above it stands; the press is 0.12 from the middle."""
        scene = hand.tower(1)[0]
        scene["duration"], scene["actions"] = 1 / 60, []
        path, run = SCRATCH / "tower.json", SCRATCH / "tower.h5"
        for body in scene["bodies"]:
            if "mesh" in body["shape"]:
                body["shape"]["mesh"]["file"] = str(ROOT / "scenes" / body["shape"]["mesh"]["file"])
        path.write_text(json.dumps(scene))
        subprocess.run([COMMAND, "run", str(path), "--quiet", "-o", str(run)], check=True)
        with h5py.File(run) as file:
            mass = dict(zip((name.decode() for name in file["bodies/name"][()]), file["bodies/mass"][()]))
        above = sum(mass[name] for name in ("bowl", "gear_small", "triangle", "antiprism", "pentagon", "lid"))
        tips = above * hand.GRAVITY * 0.07 / (0.12 - 0.07)
        self.assertAlmostEqual(tips, 190, delta=5)
        self.assertLess(hand.GENTLE, tips)
        self.assertGreater(hand.HARD, tips)

    @unittest.skipUnless(FULL, "ABUT_TEST_SAMPLES is not full")
    def test_a_tower(self):
        results, _ = self.report("tower")
        self.assertTrue(results["tower", "patch"]["done"])
        self.assertIn("built", results["tower", "tracking"]["stages"])

    def test_bad_input_ends_with_one_line(self):
        done = self.call("--abut", SCRATCH / "missing")
        self.assertEqual((done.returncode, len(done.stderr.strip().splitlines())), (2, 1), done.stderr)


if __name__ == "__main__":
    unittest.main()
