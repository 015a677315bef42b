"""The documents are correct: the README's program equals the compiled example and has the output that the README shows; its map names existing folders; its
tables list every header and every document; its figures are those in docs/results; its make targets exist; scenes/README.md lists every scene and mesh; links
in all documents have existing targets."""

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

    def test_tables_list_every_header_and_document(self):
        rows = "".join(re.findall(r"^\|.*\n", README, re.MULTILINE))
        linked = set(re.findall(r"\]\(([^)#]+)", rows))
        headers = {f"include/abut/{path.name}" for path in (SOURCE / "include" / "abut").glob("*.h")} - {"include/abut/abut.h"}
        documents = {str(path.relative_to(SOURCE)) for path in (SOURCE / "docs").rglob("*.md") if path.parent.name != "results"}
        self.assertEqual((headers | documents) - linked, set())

    def test_figures_stand_in_the_results(self):
        """Each number of the comparison stands in the file that its row links to; one that follows a library's name fills a cell of a table there, in a row
        or below a heading of that library. Bold marks the rows in which another library is faster."""
        section = README.split("## Speed and accuracy")[1].split("\n## ")[0]
        rows = re.findall(r"^\| (.+?) \| ([^|]+) \| ([^|]+) \| (.*) \| \[\w+\]\((docs/results/\w+\.md)\) \|$", section, re.MULTILINE)
        self.assertGreater(len(rows), 8)

        def numbers(text):
            return [found.replace(",", "") for found in re.findall(r"(?<![\w.])\d[\d,]*(?:\.\d+)?(?!\w)", text)]

        def cells(text):
            """(number, the row's text with the headings above it) of all cells of all tables."""
            heading = None
            for line in text.splitlines():
                row = [cell.strip() for cell in line.strip("|").split("|")] if line.startswith("|") else None
                heading = None if row is None else row if heading is None else heading
                for column, cell in enumerate(row or []):
                    if cell.replace("**wrong**", "").strip().replace(",", "") in numbers(cell):
                        yield numbers(cell)[0], " ".join([row[0], row[1], heading[column]])

        for question, own, others, wrong, name in rows:
            text = (SOURCE / name).read_text()
            for found in numbers(f"{question} {own} {others} {wrong}"):
                self.assertTrue(found in numbers(text), f"{question}: {found}: {name}")
            named = re.findall(r"([A-Z]\w+|libccd)(?: [A-Z]\w+)? (\d+(?:,\d+)*(?:\.\d+)?)", f"{others}, {wrong}")
            table = list(cells(text))
            for library, number in [*named, ("abut", own.strip("*"))]:
                held = any(found == number.replace(",", "") and library in where for found, where in table)
                self.assertTrue(held, f"{question}: {library} {number}: {name}")
            mine, theirs = float(numbers(own)[0]), [float(found) for found in numbers(others)]
            slower = mine < max(theirs) if "[millions]" in question else mine > min(theirs)
            self.assertEqual(own.startswith("**"), slower, question)

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
        files = [path.name for folder in ("meshes", "tables") for path in (SOURCE / "scenes" / folder).iterdir()]
        self.assertEqual(sorted(listed), sorted(scenes + files))

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
