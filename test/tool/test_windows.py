"""The command for Windows, run by wine (make windows): it gives the same bits as the native one, takes names of Windows, and keeps the promises about files."""

import os
import pathlib
import shutil
import signal
import subprocess
import sys
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "support"))
import demo
from demo import abut_well, fresh_folder


def skip(why):
    print("skipped:", why)
    sys.exit(77)


try:
    import h5py
except ImportError:
    skip("h5py is missing")

SOURCE = demo.SOURCE
PROGRAM = SOURCE / "build" / "windows" / "abut.exe"
ENVIRONMENT = {**os.environ, "WINEPREFIX": str(SOURCE / "build" / "windows-libraries" / "wine"), "WINEDEBUG": "-all"}

# Steps of scenes that together have every stepper, meshes, hulls, joints, smooth bodies, grains and bodies that deform.
STEPS = {"wall": 300, "tower": 120, "dice": 120, "jack": 60, "torus_chain": 30, "gear_train": 60, "double_pendulum": 60, "elastic_cells": 4, "silo": 4}
SAMPLES = os.environ.get("ABUT_TEST_SAMPLES")


def newest_source():
    files = [f for room in ("include", "src", "io", "tool") for f in (SOURCE / room).rglob("*") if f.suffix in (".c", ".h") and f.parent.name != "posix"]
    return max(f.stat().st_mtime for f in files)


def setUpModule():
    """A program that waits for its input all the time: wine is slow to start for the first program, and ends with the last one."""
    global keeper
    keeper = subprocess.Popen(["wine", "cmd"], env=ENVIRONMENT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    keeper.stdout.readline()  # wine's services live with the outputs of the program that started them; a test would wait for their end


def tearDownModule():
    keeper.stdin.close()
    keeper.wait(timeout=60)
    keeper.stdout.close()


def start(*arguments, program=PROGRAM, **options):
    return subprocess.Popen(["wine", program, *map(str, arguments)], env=ENVIRONMENT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **options)


def end(process):
    output, errors = process.communicate(timeout=300)
    return subprocess.CompletedProcess(process.args, process.returncode, output, errors)


def windows(*arguments, **options):
    """Runs the command for Windows; its result with text output."""
    return end(start(*arguments, **options))


def windows_well(*arguments, **options):
    result = windows(*arguments, **options)
    assert result.returncode == 0 and result.stderr == "", (arguments, result)
    return result.stdout


def contents(path):
    """All datasets and attributes of a recording except wall times."""
    found = {}

    def keep(name, item):
        for key, value in item.attrs.items():
            found[f"{name}@{key}"] = str(value)
        if isinstance(item, h5py.Dataset) and not name.startswith("steps/seconds_"):
            found[name] = str(item[()].tolist()) if item.dtype.kind == "O" else (item.shape, str(item.dtype), item[()].tobytes())

    with h5py.File(path, "r") as file:
        keep("", file)
        file.visititems(keep)
    return found


def hidden(folder):
    return [path.name for path in folder.iterdir() if path.name.startswith(".")]


def wait_for(condition, what):
    end = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < end, what
        time.sleep(0.02)


class Answers(unittest.TestCase):
    """Of both commands, bit for bit."""

    def test_recordings(self):
        folder = fresh_folder("recordings")
        scenes = sorted(path.stem for path in (SOURCE / "scenes").glob("*.json")) if SAMPLES == "full" else STEPS
        for name in scenes:
            scene = SOURCE / "scenes" / f"{name}.json"
            steps = ("-q", "--steps", STEPS.get(name, 20), "-o")
            abut_well("run", scene, *steps, folder / "native.h5")
            windows_well("run", scene, *steps, folder / "windows.h5")
            native, other = contents(folder / "native.h5"), contents(folder / "windows.h5")
            self.assertGreater(len(native), 30)
            self.assertEqual([key for key in native.keys() | other.keys() if native.get(key) != other.get(key)], [], name)

    def test_exports_and_pages(self):
        folder = fresh_folder("exports")
        recording = demo.record(folder)
        (folder / "template.html").write_text("<!--abut:runs-->\n")
        for name in ("run.csv", "run.glb"):
            abut_well("export", recording, folder / f"native_{name}")
            windows_well("export", recording, folder / f"windows_{name}")
            self.assertEqual((folder / f"native_{name}").read_bytes(), (folder / f"windows_{name}").read_bytes(), name)
        for who, run in (("native", abut_well), ("windows", windows_well)):
            run("export", recording, folder / f"{who}.vtkhdf")
            run("view", recording, "--template", folder / "template.html", "-o", folder / f"{who}.html")
        self.assertEqual(contents(folder / "native.vtkhdf"), contents(folder / "windows.vtkhdf"))
        self.assertEqual((folder / "native.html").read_bytes(), (folder / "windows.html").read_bytes())

    def test_contacts_and_depths(self):
        meshes = SOURCE / "scenes" / "meshes"
        for question in (("collide", "box:1,0.5,0.25", "cylinder:0.3,0.6", "--pose", "0.5,0.4,0.7,0.1,0.2,0.3,0.9"),
                         ("collide", "ellipsoid:1,0.5,0.25", "torus:0.6,0.2"), ("collide", f"facetmesh:scale=200:{meshes / 'grain_ball.obj'}", "plane:0,0,1,-0.9")):
            native = demo.abut(*question, "--json")
            other = windows(*question, "--json")
            self.assertEqual((native.returncode, native.stdout, native.stderr), (other.returncode, other.stdout, other.stderr), question)
            self.assertIn('"contacts"', native.stdout)

    def test_examples(self):
        """Those with the static library, and the first one also with the shared one."""
        results = {path.stem: end(start(program=path)) for path in [*(PROGRAM.parent / "examples").glob("*.exe"), PROGRAM.parent / "shared_example.exe"]}
        self.assertEqual([name for name, result in results.items() if result.returncode != 0 or not result.stdout], [])
        self.assertGreaterEqual(len(results), 5)
        self.assertEqual(results["shared_example"].stdout, results["example_first_contact"].stdout)

    def test_threads(self):
        folder = fresh_folder("threads")
        for threads in (1, 3):
            windows_well("run", SOURCE / "scenes" / "wall.json", "-q", "--steps", 60, "--threads", threads, "-o", folder / f"{threads}.h5")
        self.assertEqual(contents(folder / "1.h5"), contents(folder / "3.h5"))


class Names(unittest.TestCase):
    def setUp(self):
        self.folder = fresh_folder("names")
        (self.folder / "meshes").mkdir()
        shutil.copy(SOURCE / "scenes" / "meshes" / "block.obj", self.folder / "meshes" / "Würfel-куб.obj")
        bodies = [{"name": "b", "shape": {"mesh": {"file": "meshes/Würfel-куб.obj", "hull": True}}}]
        demo.write_scene(self.folder / "Szene-сцена.json", {"abut_scene": 1, "duration": 0.1, "bodies": bodies})

    def test_letters_of_any_language(self):
        windows_well("run", "Szene-сцена.json", "-q", "-o", "Lauf-ход.h5", cwd=self.folder)
        windows_well("export", "Lauf-ход.h5", "Lauf-ход.csv", cwd=self.folder)
        self.assertIn("Lauf-ход.csv", os.listdir(self.folder))
        self.assertIn("'Szene-сцена.json' is an input", windows("run", "Szene-сцена.json", "-o", "Szene-сцена.json", cwd=self.folder).stderr)

    def test_backslashes_and_drives(self):
        """wine calls the root of this system Z:."""
        place = "Z:" + str(self.folder).replace("/", "\\")
        windows_well("run", f"{place}\\Szene-сцена.json", "-q", "-o", f"{place}\\meshes\\run.h5", cwd="/")
        windows_well("export", ".\\meshes\\run.h5", "meshes\\run.glb", cwd=self.folder)
        self.assertEqual(hidden(self.folder / "meshes"), [])
        windows_well("run", "Szene-сцена.json", "-q", cwd=self.folder)
        self.assertIn("Szene-сцена.h5", os.listdir(self.folder))
        told = windows("run", "Szene-сцена.json", "-o", f"{place}\\Szene-сцена.json", cwd=self.folder)
        self.assertEqual((told.returncode, told.stderr.count("is the input 'Szene-сцена.json'")), (2, 1), told)

    def test_other_names_of_an_input(self):
        os.link(self.folder / "Szene-сцена.json", self.folder / "link.json")
        told = windows("run", "Szene-сцена.json", "--no-record", "--events", "link.json", cwd=self.folder)
        self.assertEqual((told.returncode, told.stderr.count("'link.json' is the input 'Szene-сцена.json'")), (2, 1), told)


class Files(unittest.TestCase):
    def setUp(self):
        self.folder = fresh_folder("files")
        demo.write_scene(self.folder / "long.json", {**demo.SCENE, "duration": 3000, "stepper": {"kind": "fixed", "sleeping": False}})
        demo.write_scene(self.folder / "short.json")

    def begin(self):
        """A long run that has begun to write."""
        process = start("run", "long.json", "-o", "run.h5", cwd=self.folder)
        wait_for(lambda: hidden(self.folder) or process.poll() is not None, "the run does not write")
        time.sleep(0.3)
        return process

    def test_ctrl_c_ends_a_run_with_a_recording(self):
        (self.folder / "run.h5").write_text("old")
        process = self.begin()
        self.assertEqual((self.folder / "run.h5").read_text(), "old")
        process.send_signal(signal.SIGINT)
        output, errors = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 130, (output, errors))
        self.assertRegex(errors, r"^abut run: interrupted after \d+ of 180000 steps; 'run.h5' holds them\n$")
        self.assertEqual(hidden(self.folder), [])
        with h5py.File(self.folder / "run.h5", "r") as file:
            self.assertGreater(len(file["frames/step"]), 1)

    def test_ctrl_c_ends_other_commands_without_a_file(self):
        corners = "0,0,0,1,0,0,0,1,0,0,0,1,0.2,0.2,0.2,2,0,0,0,2,0,0,0,2\n"
        (self.folder / "pairs.csv").write_text(400000 * corners)
        (self.folder / "out.csv").write_text("old")
        process = start("depth", "--pairs", "pairs.csv", "-o", "out.csv", cwd=self.folder)
        wait_for(lambda: hidden(self.folder) or process.poll() is not None, "the table is not written")
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=60)
        self.assertEqual((process.returncode, errors), (130, "abut depth: interrupted; 'out.csv' was not written\n"))
        self.assertEqual((hidden(self.folder), (self.folder / "out.csv").read_text()), ([], "old"))

    def test_a_killed_writer_leaves_nothing_for_long(self):
        process = self.begin()
        left = hidden(self.folder)
        windows_well("run", "short.json", "-q", "-o", "run.h5", cwd=self.folder)
        self.assertEqual(hidden(self.folder), left)  # the file of a living process stays
        process.kill()
        process.communicate()
        self.assertEqual(hidden(self.folder), left)
        wait_for(lambda: windows("run", "short.json", "-q", "-o", "run.h5", cwd=self.folder).returncode == 0 and hidden(self.folder) == [],
                 "the temporary file of the killed process is not removed")

    def test_a_run_goes_on_from_a_checkpoint(self):
        scene = demo.write_scene(self.folder / "demo.json", {**demo.SCENE, "duration": 200, "stepper": {"kind": "fixed", "sleeping": False}})
        process = start("run", scene.name, "-o", "run.h5", "--checkpoint-steps", 1000, cwd=self.folder)
        wait_for((self.folder / "run.checkpoint.h5").exists, "there is no checkpoint")
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=60)
        self.assertIn("go on with 'abut run --resume run.checkpoint.h5'", errors)
        windows_well("run", "--resume", "run.checkpoint.h5", "-q", cwd=self.folder)
        self.assertEqual(sorted(os.listdir(self.folder)), ["demo.json", "long.json", "run.h5", "short.json"])
        abut_well("run", scene, "-q", "-o", self.folder / "whole.h5")
        native, other = contents(self.folder / "whole.h5"), contents(self.folder / "run.h5")
        self.assertEqual([key for key in native.keys() | other.keys() if native.get(key) != other.get(key)], [])


if __name__ == "__main__":
    if not shutil.which("wine"):
        skip("there is no wine (scripts/dev/setup.sh windows installs it)")
    if not PROGRAM.exists():
        skip("the command for Windows is not built: make windows")
    if PROGRAM.stat().st_mtime < newest_source():
        skip("the command for Windows is older than the sources: make windows")
    unittest.main(verbosity=2)
