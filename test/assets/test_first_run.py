"""docs/use/first-run.md is correct: its scene equals the file, its changes give valid scenes, its summary lines are those of a run."""

import json
import os
import pathlib
import re
import shlex
import subprocess
import unittest

ROOT = pathlib.Path(os.environ.get("ABUT_TEST_SOURCE_DIR", pathlib.Path(__file__).resolve().parents[2]))
SCRATCH = pathlib.Path(os.environ.get("ABUT_TEST_SCRATCH_DIR", "/tmp"))
COMMAND = os.environ.get("ABUT_TEST_COMMAND")
PAGE = (ROOT / "docs" / "use" / "first-run.md").read_text(encoding="utf-8")


def blocks(language):
    return re.findall(rf"^```{language}\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)


class Page(unittest.TestCase):
    def test_the_scene_is_the_file(self):
        self.assertEqual(blocks("json"), [(ROOT / "scenes" / "first_contact.json").read_text(encoding="utf-8")])

    def test_scripts_and_scenes_that_it_names_exist(self):
        named = set(re.findall(r"\b(?:scripts|scenes)/[\w./]*\w", PAGE))
        self.assertGreaterEqual(len(named), 6)
        for name in named:
            self.assertTrue((ROOT / name).exists(), name)

    @unittest.skipUnless(COMMAND, "the command was not built")
    def test_the_suggested_changes_are_right_scenes(self):
        scene = json.loads(blocks("json")[0])
        self.assertEqual(scene["bodies"][1]["name"], "box")
        members = re.findall(r'`("[a-z_]+": [^`]+)`', PAGE)
        bodies = re.findall(r'`(\{"name"[^`]+\})`', PAGE)
        self.assertEqual((len(members), len(bodies)), (5, 1))
        for member in members:
            change = json.loads("{" + member + "}")
            (scene if "actions" in change else scene["bodies"][1]).update(change)
        scene["bodies"] += [json.loads(body) for body in bodies]
        path = SCRATCH / "changed.json"
        path.write_text(json.dumps(scene), encoding="utf-8")
        result = subprocess.run([COMMAND, "check", str(path)], capture_output=True, text=True, check=False)
        self.assertEqual((result.returncode, result.stderr), (0, ""))

    @unittest.skipUnless(COMMAND, "the command was not built")
    def test_the_summary_has_the_lines_that_it_explains(self):
        run = subprocess.run(
            [COMMAND, "run", str(ROOT / "scenes" / "first_contact.json"), "-o", str(SCRATCH / "first.h5")],
            capture_output=True,
            text=True,
            check=True,
        )
        table = PAGE[PAGE.index("| line |") : PAGE.index("## 3.")]
        explained = [
            name.strip()
            for row in re.findall(r"^\| ([^|]+) \|", table, re.MULTILINE)[1:]
            for name in row.split(",")
            if not name.startswith("-")
        ]
        self.assertGreaterEqual(len(explained), 8)
        for name in explained:
            self.assertRegex(run.stdout + run.stderr, rf"(?m)^ +{name}  ")

    @unittest.skipUnless(COMMAND, "the command was not built")
    def test_the_last_command_finds_what_it_says(self):
        line = re.search(r"`build/release/abut (collide [^`]+)`", PAGE).group(1)
        found = subprocess.run([COMMAND, *shlex.split(line), "--json"], capture_output=True, text=True, check=True)
        gaps = [contact["gap"] for contact in json.loads(found.stdout)["contacts"]]
        self.assertAlmostEqual(min(gaps), -0.1, delta=1e-12)


if __name__ == "__main__":
    unittest.main()
