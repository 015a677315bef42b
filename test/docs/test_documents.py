"""What the documents show is true: the README's program is the example that is compiled and run, and prints what the README says; its map names the
folders that there are; its make targets exist; links in all documents lead somewhere."""

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

    def test_scenes_that_are_named_exist(self):
        section = README.split("What comes with the project:")[1].split("##")[0]
        names = re.findall(r"`(\w+)`", section)
        self.assertGreaterEqual(len(names), 4)
        for name in names:
            self.assertTrue((SOURCE / "scenes" / f"{name}.json").exists(), name)

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
