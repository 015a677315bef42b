"""The figures of docs/contacts.md are what scripts/draw_contacts.py draws from the answers of this build, byte for byte."""

import os
import pathlib
import re
import subprocess
import sys
import unittest

ROOT = pathlib.Path(os.environ["ABUT_TEST_SOURCE_DIR"])
SCRATCH = pathlib.Path(os.environ["ABUT_TEST_SCRATCH_DIR"])
COMMAND = os.environ.get("ABUT_TEST_COMMAND")
FIGURES = ROOT / "docs" / "figures"
PAGE = (ROOT / "docs" / "contacts.md").read_text(encoding="utf-8")

if COMMAND is None:
    print("skipped: the command was not built")
    sys.exit(77)


class Figures(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        for old in SCRATCH.glob("*.svg"):
            old.unlink()
        script = ROOT / "scripts" / "draw_contacts.py"
        subprocess.run([sys.executable, str(script), "--command", COMMAND, "-o", str(SCRATCH)], check=True)

    def test_they_are_what_the_library_answers(self):
        drawn = sorted(path.name for path in SCRATCH.glob("*.svg"))
        self.assertEqual(drawn, sorted(path.name for path in FIGURES.glob("*.svg")))
        for name in drawn:
            same = (SCRATCH / name).read_bytes() == (FIGURES / name).read_bytes()
            self.assertTrue(same, f"docs/figures/{name} is not that of this build; look at {SCRATCH / name}, and if it is right, copy it")

    def test_the_page_shows_each_of_them_once(self):
        shown = re.findall(r"!\[[^]]+\]\(figures/([\w.]+)\)", PAGE)
        self.assertEqual(sorted(shown), sorted(path.name for path in FIGURES.glob("*.svg")))

    def test_they_stay_small(self):
        for path in FIGURES.glob("*.svg"):
            self.assertLess(path.stat().st_size, 40_000, path.name)


if __name__ == "__main__":
    unittest.main(verbosity=2)
