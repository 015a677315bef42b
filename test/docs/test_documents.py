"""The documents are correct: the README's program equals the compiled example and has the output that the README shows; its map names existing folders; its
make targets exist; scenes/README.md lists every scene and mesh; links in all documents have existing targets."""

import json
import os
import re
import subprocess
import unittest
from pathlib import Path

SOURCE = Path(os.environ["ABUT_TEST_SOURCE_DIR"])
BUILD = Path(os.environ["ABUT_TEST_BUILD_DIR"])
SCRATCH = Path(os.environ["ABUT_TEST_SCRATCH_DIR"])
README = (SOURCE / "README.md").read_text()
DOCUMENTS = [*SOURCE.glob("*.md"), *(SOURCE / "docs").rglob("*.md"), *(SOURCE / "scenes").glob("*.md")]


def blocks(language):
    """The fenced blocks of the README in one language."""
    return re.findall(rf"^```{language}\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)


class Readme(unittest.TestCase):
    def test_program_is_the_example(self):
        self.assertEqual(blocks("c"), [(SOURCE / "examples" / "first_contact.c").read_text()])

    def test_output_is_the_examples(self):
        program = BUILD / "examples" / "example_first_contact"
        if not program.exists():
            self.skipTest("built without examples")
        output = subprocess.run([str(program)], stdout=subprocess.PIPE, text=True, check=True).stdout
        self.assertIn(output, blocks("text"))

    def test_commands_run(self):
        if "ABUT_TEST_COMMAND" not in os.environ:
            self.skipTest("built without the command")
        lines = [line.split("#")[0].split() for line in "".join(blocks("sh")).splitlines() if line.startswith("abut ")]
        self.assertGreaterEqual(len(lines), 4)
        (SCRATCH / "scenes").unlink(missing_ok=True)
        (SCRATCH / "scenes").symlink_to(SOURCE / "scenes")
        (SCRATCH / "template.html").write_text("<!--abut:runs-->\n")
        for words in lines:
            if words[1] == "view":  # whether its own page has been built or not
                words += ["--template", "template.html"]
            with self.subTest(" ".join(words)):
                done = subprocess.run([os.environ["ABUT_TEST_COMMAND"], *words[1:]], cwd=SCRATCH, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
                self.assertEqual(done.returncode, 0, done.stdout)
        for made in ("out.h5", "out.glb", "out.html", "template.html"):
            (SCRATCH / made).unlink()

    def test_map_names_every_folder(self):
        named = set(re.findall(r"^\| `([\w./]+)/`", README, re.MULTILINE))
        listed = subprocess.run(["git", "ls-files"], cwd=SOURCE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        if listed.returncode != 0:
            self.skipTest("not a git checkout")
        folders = {line.split("/")[0] for line in listed.stdout.splitlines() if "/" in line}
        folders = {folder for folder in folders if not folder.startswith(".")}
        self.assertEqual({name.split("/")[0] for name in named}, folders)
        for name in named:
            self.assertTrue((SOURCE / name).is_dir(), name)

    def test_make_targets_exist(self):
        targets = set(re.findall(r"^([\w-]+):", (SOURCE / "Makefile").read_text(), re.MULTILINE))
        for document in DOCUMENTS:
            used = set(re.findall(r"(?:^|`)make ([a-z][\w-]*)", document.read_text(), re.MULTILINE))
            self.assertLessEqual(used, targets, document.name)


class Scenes(unittest.TestCase):
    """scenes/README.md lists every scene and every mesh once, with its number of bodies and its duration."""

    TEXT = (SOURCE / "scenes" / "README.md").read_text()
    ROWS = re.findall(r"^\| `([\w.]+)` \|.*\| ([^|]*) \| ([^|]*) \|$", TEXT, re.MULTILINE)

    def test_every_file_is_listed_once(self):
        listed = re.findall(r"^\| `([\w.]+)` \|", self.TEXT, re.MULTILINE)
        scenes = [path.stem for path in (SOURCE / "scenes").glob("*.json")]
        meshes = [path.name for path in (SOURCE / "scenes" / "meshes").iterdir()]
        self.assertEqual(sorted(listed), sorted(scenes + meshes))

    def test_bodies_and_times_are_those_of_the_scenes(self):
        for name, bodies, time in (row for row in self.ROWS if "." not in row[0]):
            scene = json.loads((SOURCE / "scenes" / f"{name}.json").read_text())
            self.assertEqual(scene["duration"], float(time), name)
            if "ABUT_TEST_COMMAND" in os.environ:
                path = str(SOURCE / "scenes" / f"{name}.json")
                checked = subprocess.run([os.environ["ABUT_TEST_COMMAND"], "check", path], stdout=subprocess.PIPE, text=True, check=True)
                self.assertIn(f"({bodies} dynamic,", checked.stdout)

    def test_scripts_that_it_names_exist(self):
        for name in re.findall(r"`(?:python3 )?(scripts/[\w./]+)", self.TEXT):
            self.assertTrue((SOURCE / name).exists(), name)


class Links(unittest.TestCase):
    def test_links_lead_somewhere(self):
        count = 0
        for document in DOCUMENTS:
            for target in re.findall(r"\]\(([^)#\s]+)(?:#[^)]*)?\)", document.read_text()):
                if "://" in target:
                    continue
                count += 1
                self.assertTrue((document.parent / target).exists(), f"{document.name}: {target}")
        self.assertGreater(count, 5)


if __name__ == "__main__":
    unittest.main(verbosity=2)
