"""abut view: a page has the recorded data with the accuracy of docs/formats/replay-page.md. Failures give one line and status 2."""

import json
import os
import pathlib
import re
import resource
import shutil
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "support"))
try:
    import h5py
    import numpy as np
except ImportError:
    print("skipped: Python has no numpy or no h5py")
    sys.exit(77)

import demo
import replay_page
from demo import abut, abut_well, fresh_folder

TEMPLATE = "<!doctype html>\n<title>Réplay</title>\n<!--abut:runs-->\n<script>run();</script>\n"
FEATURES = {"kind": 0, "index": 1, "part": 2}


def write_template(folder, text=TEMPLATE):
    (folder / "template.html").write_text(text)
    return folder / "template.html"


def view(folder, *arguments):
    """The page of these recordings."""
    page = folder / "page.html"
    abut_well("view", *arguments, "-o", page, "--template", write_template(folder))
    return page.read_text()


def sampled(file, every):
    """Frames of the recording that the page has."""
    count = len(file["frames/step"])
    return np.minimum(np.arange(0, count - 1 + every, every), count - 1) if count > 1 else np.array([0])


class Faithful(unittest.TestCase):
    """Compares every number of a page with that of the recording."""

    def check(self, text, r, recording, every=1, contacts=True, velocities=True, moving=True):
        run = replay_page.Run(text, r)
        with h5py.File(recording) as file:
            frames = sampled(file, every)
            self.check_head(run, file, recording, frames, every)
            self.check_steps(run, file, frames)
            self.check_bodies(run, file, frames, velocities, moving)
            self.assertEqual(run.head["has_contacts"], contacts)
            if contacts:
                self.check_contacts(run, file, frames)
            else:
                self.assertEqual(run.of_kind("contacts"), [])
            self.check_vertices(run, file, frames)
        return run

    def check_head(self, run, file, recording, frames, every):
        head = run.head
        self.assertEqual(head["name"], recording.name)
        self.assertEqual(head["title"], file.attrs["title"])
        self.assertEqual(head["abut_version"], file.attrs["abut_version"])
        self.assertEqual((head["complete"], head["dt"]), (bool(file.attrs["complete"]), file.attrs["dt"]))
        self.assertEqual(head["gravity"], list(file.attrs["gravity"]))
        self.assertEqual((head["every"], head["frame_count"], head["step_count"]), (every, len(frames), len(file["steps/step"])))
        kinds = ("dynamic", "static", "kinematic")
        for i, body in enumerate(head["bodies"]):
            self.assertEqual(body["name"], file["bodies/name"][i].decode())
            self.assertEqual((body["kind"], body["shape"]), (kinds[file["bodies/kind"][i]], file["bodies/shape"][i]))
            for name in ("mass", "friction", "restitution"):
                self.assertEqual(body[name], file[f"bodies/{name}"][i])
            self.assertEqual(body["centre"], list(file["bodies/centre"][i]))
        self.assertEqual(len(head["bodies"]), len(file["bodies/name"]))
        self.assertEqual(len(head["shapes"]), len(file["shapes/kind"]))
        for i, shape in enumerate(head["shapes"]):
            self.check_shape(shape, file, i)
        quantum = head["quantum"]
        self.assertEqual((quantum["turn"], quantum["normal"]), (2.0**-20, 2.0**-20))
        self.assertEqual(np.log2(quantum["length"]) % 1, 0)

    def check_shape(self, shape, file, i):
        kinds = {value: name for name, value in h5py.check_enum_dtype(file["shapes/kind"].dtype).items()}
        kind, parameters = kinds[file["shapes/kind"][i]], file["shapes/parameters"][i]
        self.assertEqual(shape.pop("kind"), kind)
        expected = {"sphere": {"radius": parameters[0]}, "capsule": {"radius": parameters[0], "half_length": parameters[1]},
                    "plane": {"normal": list(parameters[:3]), "offset": parameters[3]}}.get(kind, {})
        vertex, face = file["shapes/vertex_first"][i:i + 2], file["shapes/face_first"][i:i + 2]
        if vertex[1] > vertex[0]:
            corner = file["shapes/corner_first"][face[0]:face[1] + 1]
            expected["vertices"] = list(file["shapes/vertices"][vertex[0]:vertex[1]].ravel())
            expected["face_first"] = list(corner - corner[0])
            expected["face_vertices"] = list(file["shapes/corners"][corner[0]:corner[-1]])
        if kind == "facetmesh":
            radius = file["shapes/radius_first"][i:i + 2]
            expected["radii"] = [r if np.isfinite(r) else None for r in file["shapes/radii"][radius[0]:radius[1]]]
        if kind == "compound":
            parts = range(*file["shapes/part_first"][i:i + 2])
            expected["parts"] = [{"shape": file["shapes/part_shape"][p], "pose": list(file["shapes/part_pose"][p])} for p in parts]
        self.assertEqual(shape, expected)

    def check_steps(self, run, file, frames):
        steps = run.steps()
        self.assertEqual(list(steps)[:2], ["step", "time"])
        for name in ("step", "time"):
            np.testing.assert_array_equal(steps[name], file[f"steps/{name}"][:])
        for name in file["steps"]:
            if name not in ("step", "time"):
                values = file[f"steps/{name}"][:].astype("f8")
                values = values if name == "potential_energy" else values.astype("f4")
                self.assertEqual(name in steps, bool(values.any()), name)
                if name in steps:
                    np.testing.assert_array_equal(steps[name], values)
        step, time = run.frames()
        np.testing.assert_array_equal(step, file["frames/step"][:][frames])
        np.testing.assert_array_equal(time, file["frames/time"][:][frames])

    def check_bodies(self, run, file, frames, velocities, was_moving):
        presence, poses, units = run.poses()
        expected = file["frames/pose"][:][frames]
        there = file["frames/presence"][:][frames]
        np.testing.assert_array_equal(presence, there)
        difference = np.abs(poses - expected)
        self.assertLessEqual(np.nanmax(difference[..., :3] / units[..., None]), 0.5)
        # q and -q are the same rotation; the frame before decides which of them is stored.
        turned = np.minimum(difference[..., 3:].max(axis=-1), np.abs(poses + expected)[..., 3:].max(axis=-1))
        self.assertLessEqual(np.nanmax(turned), 0.5 * 2.0**-20)
        for b in range(run.bodies):
            self.assertTrue((presence[:, b] != 0).any() or not poses[:, b].any())
        self.assertEqual(run.head["has_velocities"], velocities)
        if velocities and was_moving:
            moving, where = run.velocities(), there != 0
            np.testing.assert_allclose(moving[where], file["frames/velocity"][:][frames][where], rtol=2**-16, atol=2**-142)
        elif not velocities:
            self.assertEqual(run.of_kind("velocities"), [])

    def check_contacts(self, run, file, frames):
        found = run.contacts()
        table = {name: file[f"contacts/{name}"][:] for name in file["contacts"]}
        for index, frame in enumerate(frames):
            first, count = file["frames/contact_first"][frame], file["frames/contact_count"][frame]
            rows, got = slice(first, first + count), found[index]
            for name in ("a", "b", "id", "patch", "flags"):
                np.testing.assert_array_equal(got[name], table[name][rows], name)
            for name, column in FEATURES.items():
                np.testing.assert_array_equal(got[f"{name}_a"], table["feature_a"][rows, column])
                np.testing.assert_array_equal(got[f"{name}_b"], table["feature_b"][rows, column])
            for name in ("gap", "area", "normal_force"):
                np.testing.assert_array_equal(got[name], table[name][rows].astype("f4"))
            for axis, letter in enumerate("xyz"):
                np.testing.assert_array_equal(got[f"friction_{letter}"], table["friction_force"][rows, axis].astype("f4"))
                for name, unit in (("on_a", got["unit"]), ("on_b", got["unit"]), ("normal", 2.0**-20)):
                    difference = np.abs(got[f"{name}_{letter}"] - table[name][rows, axis])
                    self.assertLessEqual(difference.max(initial=0), 0.5 * unit)

    def check_vertices(self, run, file, frames):
        if "deformed" not in file:
            self.assertEqual(run.of_kind("vertices"), [])
            return
        rows = list(zip(file["deformed/frame"][:], file["deformed/body"][:], file["deformed/vertex_first"][:]))
        entries = run.vertices()
        self.assertEqual(set(entries), {body for _, body, _ in rows})
        for body, changes in entries.items():
            shape = file["bodies/shape"][body]
            begin, end = file["shapes/vertex_first"][shape:shape + 2]
            for index, frame in enumerate(frames):
                held = [vertices for when, vertices in changes if when <= index][-1]
                expected = file["shapes/vertices"][begin:end]
                for when, which, first in rows:
                    if which == body and when <= frame:
                        expected = file["deformed/vertices"][first:first + end - begin]
                np.testing.assert_array_equal(held, expected.astype("f4"))

    def record(self, folder, scene, *options):
        recording = folder / f"{scene}.h5"
        abut_well("run", demo.SOURCE / "scenes" / f"{scene}.json", "-o", recording, "-q", *options)
        return recording

    def test_a_wall(self):
        folder = fresh_folder("wall")
        recording = self.record(folder, "wall", "--steps", 400)
        text = view(folder, recording)
        before, behind = TEMPLATE.split("<!--abut:runs-->")
        self.assertTrue(text.startswith(before + "<script") and text.endswith("</script>\n" + behind))
        run = self.check(text, 0, recording)
        self.assertGreater(len(run.of_kind("poses")), 1)  # chunks, which must be independent of each other
        self.assertNotIn("run-1", replay_page.scripts(text))
        smallest = min(np.linalg.norm(np.reshape(shape["vertices"], (-1, 3)), axis=1).max() for shape in run.head["shapes"] if "vertices" in shape)
        self.assertLessEqual(run.head["quantum"]["length"], 1e-6 * smallest)
        self.assertGreater(run.head["quantum"]["length"], 0.5e-6 * smallest)

    def test_all_kinds_of_shapes_and_a_removed_body(self):
        folder = fresh_folder("kinds")
        recording = demo.record(folder)
        run = self.check(view(folder, recording), 0, recording)
        ball = [body["name"] for body in run.head["bodies"]].index("ball, small")
        presence, poses, _ = run.poses()
        self.assertTrue((presence[:demo.REMOVED_FROM, ball] > 0).all() and (presence[demo.REMOVED_FROM:, ball] == 0).all())
        np.testing.assert_array_equal(poses[demo.REMOVED_FROM:, ball], np.broadcast_to(poses[demo.REMOVED_FROM - 1, ball], (31, 7)))

    def test_bodies_that_deform(self):
        folder = fresh_folder("cells")
        recording = self.record(folder, "two_cells", "--steps", 60)
        for every in (1, 7):
            run = self.check(view(folder, recording, "--every", every), 0, recording, every)
            self.assertGreater(sum(map(len, run.vertices().values())), 2)

    def test_smooth_bodies_and_the_event_stepper(self):
        folder = fresh_folder("smooth")
        recording = self.record(folder, "ellipsoid_in_a_bowl", "--steps", 20)
        with h5py.File(recording) as file:
            kinds = {value: name for name, value in h5py.check_enum_dtype(file["shapes/kind"].dtype).items()}
            exact = [kinds[kind] for kind in file["shapes/kind"]]
        text = view(folder, recording)
        run = replay_page.Run(text, 0)
        self.assertEqual([shape["kind"] for shape in run.head["shapes"]], exact)
        for shape in run.head["shapes"]:
            if shape["kind"] in ("ellipsoid", "superquadric"):
                self.assertEqual(len(shape["semi_axes"]), 3)
                self.assertGreater(len(shape["vertices"]), 30)
                self.assertEqual("exponents" in shape, shape["kind"] == "superquadric")
        self.assertIn("event_steps", run.head["columns"])
        self.assertNotIn("dem_steps", run.head["columns"])

    def test_time_series_are_columns_of_the_steps(self):
        folder = fresh_folder("series")
        text = (demo.SOURCE / "viewer" / "test" / "support" / "series.json").read_text()
        scene = json.loads(text)
        scene["measures"] += [{"name": f"part {i}", "average_in": {"lower": [-1, -1, 0.01 * i], "upper": [1, 1, 0.01 * i + 0.01]}} for i in range(40)]
        demo.write_scene(folder / "series.json", scene)
        abut_well("run", folder / "series.json", "-o", folder / "series.h5", "-q", "--steps", 60)
        run = replay_page.Run(view(folder, folder / "series.h5", "--every", 7), 0)
        steps = run.steps()
        with h5py.File(folder / "series.h5") as file:
            names = [name.decode() for name in file["series/name"]]
            self.assertEqual([f"series/{name}" for name in names], [name for name in run.head["columns"] if name.startswith("series/")])
            self.assertGreater(len(names), 280)
            for i, name in enumerate(names):
                np.testing.assert_array_equal(steps[f"series/{name}"], file["series/value"][:, i].astype(np.float32).astype(float), name)

    def test_thinned_and_without_contacts_and_velocities(self):
        folder = fresh_folder("thinned")
        recording = self.record(folder, "tower", "--steps", 100)
        for every in (1, 3, 50, 99, 100, 1000):
            self.check(view(folder, recording, "--every", every), 0, recording, every)
        whole = view(folder, recording)
        for options in (("--no-contacts",), ("--no-velocities",), ("--no-contacts", "--no-velocities")):
            text = view(folder, recording, *options)
            self.check(text, 0, recording, contacts="--no-contacts" not in options, velocities="--no-velocities" not in options)
            self.assertLess(len(text), len(whole))

    def test_a_world_asleep_repeats_no_contacts(self):
        folder = fresh_folder("asleep")
        recording = self.record(folder, "first_contact", "--steps", 600)
        run = self.check(view(folder, recording), 0, recording)
        repeated = sum((np.frombuffer(data, "<i4", entry["count"]) == -1).sum() for entry, data in run.of_kind("contacts"))
        self.assertGreater(repeated, 100)

    def test_poses_that_are_none(self):
        """A pose that is not a number counts as removed; a very distant one reduces the accuracy of its own body only."""
        folder = fresh_folder("none")
        recording = demo.record(folder)
        with h5py.File(recording, "r+") as file:
            poses, presence = file["frames/pose"][:], file["frames/presence"][:]
            poses[5:9, 1], poses[20, 3, 6], poses[25, 4, 0] = np.nan, np.inf, 1e300
            file["frames/pose"][:] = poses
        text = view(folder, recording)
        with h5py.File(recording, "r+") as file:
            poses[20, 3], presence[5:9, 1], presence[20, 3] = np.nan, 0, 0  # the expected contents of the page
            file["frames/pose"][:], file["frames/presence"][:] = poses, presence
        run = self.check(text, 0, recording, moving=False)
        _, _, units = run.poses()
        self.assertGreater(units[25, 4], 1e290)
        self.assertEqual(set(np.delete(units[25], 4)), {run.head["quantum"]["length"]})

    def test_two_recordings(self):
        folder = fresh_folder("two")
        recordings = [self.record(folder, name, "--steps", 30) for name in ("tower", "tower_tracking")]
        text = view(folder, *recordings)
        for r, recording in enumerate(recordings):
            self.check(text, r, recording)
        self.assertNotIn("run-2", replay_page.scripts(text))

    def test_far_away_is_coarser(self):
        folder = fresh_folder("far")
        box = {"name": "near", "shape": {"box": {"half": [0.5, 0.5, 0.5]}}}
        bodies = [box, {**box, "name": "far", "position": [3e4, 1e7, -2]}, {"name": "other", "shape": {"box": {"half": [0.5, 0.5, 0.5]}}, "position": [1e7, 0.7, 0]}]
        scene = demo.write_scene(folder / "far.json", {"abut_scene": 1, "gravity": [0, 0, 0], "duration": 0.5, "bodies": bodies})
        abut_well("run", scene, "-o", folder / "far.h5", "-q")
        run = self.check(view(folder, folder / "far.h5"), 0, folder / "far.h5")
        _, _, units = run.poses()
        near, far, other = units[0] / run.head["quantum"]["length"]
        self.assertEqual(near, 1)
        self.assertGreater(min(far, other), 2**10)

    def test_names_that_look_like_tags(self):
        folder = fresh_folder("tags")
        title = "</script><script>alert(1)</script><!-- ü"
        scene = {**demo.SCENE, "title": title, "bodies": [{**demo.SCENE["bodies"][1], "name": "<b>&\"</script>"}], "actions": []}
        demo.write_scene(folder / "tags.json", scene)
        recording = folder / "<i>.h5"
        abut_well("run", folder / "tags.json", "-o", recording, "-q")
        run = self.check(view(folder, recording), 0, recording)
        self.assertEqual((run.head["title"], run.head["name"], run.head["bodies"][0]["name"]), (title, "<i>.h5", "<b>&\"</script>"))


class Command(unittest.TestCase):
    def setUp(self):
        self.folder = fresh_folder("command")
        self.recording = demo.record(self.folder)
        self.template = write_template(self.folder)
        (self.folder / "demo.json").unlink()

    def refused(self, *arguments, says, **options):
        before = {path.name: path.read_bytes() for path in self.folder.iterdir() if path.is_file()}
        result = abut("view", *arguments, cwd=self.folder, **options)
        self.assertEqual((result.returncode, result.stdout), (2, ""), result)
        self.assertEqual(result.stderr.count("\n"), 1, result.stderr)
        self.assertRegex(result.stderr, r"\Aabut view: .*" + says)
        self.assertEqual({path.name: path.read_bytes() for path in self.folder.iterdir() if path.is_file()}, before)
        return result.stderr

    def test_the_page_goes_to_the_present_folder_and_the_last_line_says_so(self):
        elsewhere = fresh_folder("command_elsewhere")
        result = abut("view", self.recording, "--template", self.template, cwd=elsewhere)
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        self.assertEqual(os.listdir(elsewhere), ["demo.html"])
        self.assertRegex(result.stdout, r"\Ademo\.html: \d\d KiB, 61 frames; open it in a browser\n\Z")

    def test_a_pipe(self):
        result = abut("view", self.recording, "--template", self.template, "-o", "/dev/stdout", cwd=self.folder)
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        self.assertEqual(len(replay_page.Run(result.stdout, 0).frames()[0]), 61)

    def test_the_template_is_found_beside_the_command(self):
        """The template of the installed tree comes first, then that of the build."""
        root = fresh_folder("command_tree")
        (root / "bin").mkdir()
        command = root / "bin" / "abut"
        shutil.copy(demo.COMMAND, command)
        line = [self.recording, "-o", self.folder / "page.html"]
        original, demo.COMMAND = demo.COMMAND, str(command)
        try:
            result = abut("view", *line)
            self.assertEqual((result.returncode, result.stderr.count("\n")), (2, 1))
            for words in (str(root / "bin/../share/abut/replay.html"), str(root / "bin/viewer/replay.html"), "make viewer"):
                self.assertIn(words, result.stderr)
            for place, title in (("bin/viewer", "built"), ("share/abut", "installed")):
                (root / place).mkdir(parents=True)
                (root / place / "replay.html").write_text(f"<title>{title}</title>\n<!--abut:runs-->\n")
                abut_well("view", *line)
                self.assertTrue((self.folder / "page.html").read_text().startswith(f"<title>{title}</title>"))
        finally:
            demo.COMMAND = original

    def test_command_lines(self):
        template = ("--template", "template.html")
        (self.folder / "text.h5").write_text("hello")
        (self.folder / "cut.h5").write_bytes(self.recording.read_bytes()[:5000])
        (self.folder / "none.html").write_text("<title>none</title>")
        (self.folder / "twice.html").write_text(2 * TEMPLATE)
        cases = [
            ((), "an argument is missing; usage: abut view RUN"),
            (("missing.h5",), "missing.h5: No such file or directory"),  # also where the template has not been built
            (("demo.h5", "demo.h5", "demo.h5"), "unexpected argument 'demo.h5'"),
            (("demo.h5", "--every", "0"), "option '--every': '0' is not a whole number from 1"),
            (("demo.h5", "--limit", "0"), "option '--limit': '0' is not a whole number from 1"),
            (("demo.h5", "-o", "demo.h5", *template), "'demo.h5' is an input"),
            (("demo.h5", "-o", "template.html", *template), "'template.html' is an input"),
            (("demo.h5", "-o", "nowhere/x.html", *template), "cannot write 'nowhere/x.html': .*create the folder first"),
            (("demo.h5", "-o", "/dev/full", *template), "cannot write '/dev/full'"),
            (("demo.h5", "--template", "nowhere.html"), "nowhere.html"),
            (("demo.h5", "--template", "none.html"), "none.html: .*the line '<!--abut:runs-->' is missing"),
            (("demo.h5", "--template", "twice.html"), "twice.html: .*more than once"),
            (("nowhere.h5", *template), "nowhere.h5: No such file"),
            (("demo.h5", "text.h5", *template), "text.h5: is not a recording"),
            (("cut.h5", *template), "cut.h5: is damaged or truncated"),
        ]
        for arguments, says in cases:
            with self.subTest(arguments):
                self.refused(*arguments, says=says)

    def test_the_second_recording_is_not_replaced_either(self):
        shutil.copy(self.recording, self.folder / "other.h5")
        self.refused("demo.h5", "other.h5", "-o", "other.h5", "--template", "template.html", says="'other.h5' is an input")

    def test_a_full_disk_leaves_the_earlier_page(self):
        (self.folder / "demo.html").write_text("old")
        self.refused("demo.h5", "--template", "template.html", says=r"cannot write 'demo\.html'",
                     preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (2000, 2000)))

    def test_a_recording_without_frames(self):
        with h5py.File(self.folder / "demo.h5", "r+") as file:
            for name in list(file["frames"]):
                file[f"frames/{name}"].resize(0, axis=0)
        self.refused("demo.h5", "--template", "template.html", says=r"demo\.h5: the recording has no frames")

    def test_a_page_beyond_the_limit(self):
        """Following the advice works."""
        scene = json.loads((demo.SOURCE / "scenes" / "wall.json").read_text())
        demo.write_scene(self.folder / "wall.json", scene)
        abut_well("run", self.folder / "wall.json", "-o", self.folder / "wall.h5", "-q", "--steps", 240)
        (self.folder / "wall.html").write_text("old")
        line = ("wall.h5", "--template", "template.html")
        message = self.refused(*line, "--limit", "1", says=r"wall\.h5: the page would be larger than 1 MiB after \d+ of 241 frames "
                               r"\(about [\d.]+ MiB in all, contacts [\d.]+\): reduce the frames with '--every \d+', .*or allow more with '--limit \d+'$")
        for option in ("every", "limit"):
            value = re.search(rf"--{option} (\d+)", message)[1]
            result = abut("view", *line, *(("--limit", "1") if option == "every" else ()), f"--{option}", value, cwd=self.folder)
            self.assertEqual((result.returncode, result.stderr), (0, ""), option)


if __name__ == "__main__":
    unittest.main(verbosity=2)
