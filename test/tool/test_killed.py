"""Commands that are killed at random moments: what was complete stays complete, and the next command removes what was left behind."""

import hashlib
import os
import pathlib
import random
import resource
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

SAMPLES = os.environ.get("ABUT_TEST_SAMPLES", "")
MOMENTS = 200 if SAMPLES == "full" else max(24, 2 * int(SAMPLES or 0))  # in all: half of them in runs, an eighth in each export and in views
SEED = 1

SCENE = {**demo.SCENE, "duration": 1.5, "stepper": {"kind": "fixed", "sleeping": False}}


def digest(path):
    """Everything in a recording except wall times, the state and whether it is complete."""
    found = hashlib.sha256()

    def keep(name, item):
        if isinstance(item, h5py.Dataset) and not name.startswith(("steps/seconds_", "checkpoint")):
            found.update(name.encode() + str(item.shape).encode())
            found.update(item[()].tobytes() if item.dtype.kind != "O" else str(item[()]).encode())

    with h5py.File(path, "r") as file:
        file.visititems(keep)
    return found.hexdigest()


def fingerprint(path):
    """Of a file's contents. HDF5 files have times in them, which do not count."""
    data = path.read_bytes()
    return digest(path) if data[1:4] == b"HDF" else hashlib.sha256(data).hexdigest()


def steps_in(path):
    with h5py.File(path, "r") as file:
        return len(file["frames/step"]) - 1


class Killed(unittest.TestCase):
    def setUp(self):
        self.random = random.Random(SEED)
        self.folder = fresh_folder(f"killed-{self._testMethodName}")

    def names(self):
        return sorted(path.name for path in self.folder.iterdir())

    def duration(self, *arguments):
        begun = time.monotonic()
        abut_well(*arguments)
        return time.monotonic() - begun

    def kill(self, seconds, *arguments):
        """Starts the command and kills it after some time. True if it was killed before its end."""
        process = subprocess.Popen([demo.COMMAND, *map(str, arguments)], cwd=self.folder, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        try:
            _, errors = process.communicate(timeout=seconds)
            self.assertEqual((process.returncode, errors), (0, b""), arguments)
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGKILL)
            process.communicate()
        return process.returncode == -signal.SIGKILL

    def test_runs_with_checkpoints(self):
        """A run killed again and again gets to its end, and its recording is that of a run left alone."""
        scene = demo.write_scene(self.folder / "scene.json", SCENE)
        whole = self.folder / "whole.h5"
        took = self.duration("run", scene, "-o", whole, "-q", "--checkpoint-steps", 7)
        expected = digest(whole)
        out, checkpoint = self.folder / "out.h5", self.folder / "out.checkpoint.h5"
        killed, left, completed, first = 0, 0, 0, True
        while killed < MOMENTS // 2:
            before = steps_in(checkpoint) if checkpoint.exists() else 0
            beginning = ("run", "--resume", checkpoint.name, "-q") if checkpoint.exists() else ("run", scene.name, "-o", out.name, "-q", "--checkpoint-steps", 7)
            was_killed = self.kill(self.random.uniform(0, 1.1 * took), *beginning)
            killed += was_killed
            left += len([name for name in self.names() if name.startswith(".")])
            if out.exists() and not first:
                self.assertEqual(digest(out), expected)
            if checkpoint.exists():
                steps = steps_in(checkpoint)
                self.assertGreaterEqual(steps, before)
                self.assertTrue(steps % 7 == 0 or out.exists())
                abut_well("export", checkpoint, self.folder / "table.csv", "--table", "bodies")
            else:
                self.assertTrue(before == 0 or out.exists())
            if out.exists() and not checkpoint.exists():
                self.assertEqual(digest(out), expected)
                self.assertEqual([name for name in self.names() if name.startswith(".")], [])
                completed += 1
                out.unlink()
            first = False
        beginning = ("--resume", checkpoint) if checkpoint.exists() else (scene, "-o", out, "--checkpoint-steps", 7)
        abut_well("run", *beginning, "-q")
        self.assertEqual(digest(out), expected)
        self.assertEqual([name for name in self.names() if name.startswith(".")], [])
        print(f"killed {killed} runs with checkpoints; they left {left} temporary files in all; {completed} came to their end")

    def outputs(self, names, *arguments):
        """Kills a command at random moments: each output is the old one or the new one, and the next run leaves no temporary file."""
        took = self.duration(*arguments)
        new = {name: fingerprint(self.folder / name) for name in names}
        old = hashlib.sha256(b"old").hexdigest()
        clean = self.names()
        killed, left = 0, 0
        moments = MOMENTS // 8
        for _ in range(moments):
            for name in names:
                (self.folder / name).write_bytes(b"old")
            killed += self.kill(self.random.uniform(0, took), *arguments)
            left += len(self.names()) - len(clean)
            for name in names:
                self.assertIn(fingerprint(self.folder / name), (old, new[name]), name)
        abut_well(*arguments)
        self.assertEqual(self.names(), clean)
        for name in names:
            self.assertEqual(fingerprint(self.folder / name), new[name], name)
        print(f"killed {killed} of {moments} '{arguments[0]}' of {', '.join(names)}; {left} times a temporary file was there")

    def recording(self):
        demo.write_scene(self.folder / "scene.json", {**SCENE, "duration": 40})
        path = self.folder / "long.h5"
        abut_well("run", self.folder / "scene.json", "-o", path, "-q")
        return path

    def test_exports_and_views(self):
        long = self.recording()
        self.outputs(["out.csv"], "export", long, self.folder / "out.csv", "--table", "bodies")
        self.outputs(["out.glb"], "export", long, self.folder / "out.glb")
        self.outputs([f"out{part}.vtkhdf" for part in ("", ".centres", ".chains", ".contacts", ".joints", ".patches")], "export", long, self.folder / "out.vtkhdf")
        (self.folder / "template.html").write_text("<!--abut:runs-->\n")
        self.outputs(["page.html"], "view", long, "-o", self.folder / "page.html", "--template", self.folder / "template.html")


class FullDisk(unittest.TestCase):
    """A limit of the file size, at many places: one line on stderr, the old output, no temporary file."""

    def test_exports_views_and_runs(self):
        folder = fresh_folder("full-disk")
        demo.write_scene(folder / "scene.json", SCENE)
        (folder / "template.html").write_text("<!--abut:runs-->\n")
        abut_well("run", folder / "scene.json", "-o", folder / "in.h5", "-q")
        chance = random.Random(SEED)
        commands = {"out.h5": ("run", "scene.json", "-o", "out.h5", "-q"), "out.csv": ("export", "in.h5", "out.csv", "--table", "bodies"),
                    "out.glb": ("export", "in.h5", "out.glb"), "out.vtkhdf": ("export", "in.h5", "out.vtkhdf"),
                    "page.html": ("view", "in.h5", "-o", "page.html", "--template", "template.html")}
        for name, arguments in commands.items():
            result = abut(*arguments, cwd=folder)
            self.assertEqual(result.returncode, 0, result)
            needed = (folder / name).stat().st_size
            for path in folder.glob(f"{name}*"):
                path.write_bytes(b"old")
            before = {path.name: path.read_bytes() for path in folder.iterdir()}
            for _ in range(max(4, MOMENTS // 8)):
                limit = chance.randrange(needed)
                result = abut(*arguments, cwd=folder, preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit)))
                self.assertEqual((result.returncode, result.stdout, result.stderr.count("\n")), (2, "", 1), (limit, result))
                self.assertRegex(result.stderr, rf"cannot write '{name}'?.*File too large")
                self.assertEqual({path.name: path.read_bytes() for path in folder.iterdir()}, before, (name, limit))


if __name__ == "__main__":
    unittest.main()
