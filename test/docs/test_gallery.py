"""The gallery of the Python package: its page is made of the programs as they are, each program is short, and each picture is shown and small."""

import os
import re
import subprocess
import sys
import unittest
from pathlib import Path

SOURCE = Path(os.environ["ABUT_TEST_SOURCE_DIR"])
PAGE = (SOURCE / "docs" / "use" / "python-gallery.md").read_text(encoding="utf-8")
PROGRAMS = sorted((SOURCE / "python" / "examples" / "gallery").glob("*.py"))


class Gallery(unittest.TestCase):
    def test_the_page_is_that_of_the_programs(self):
        subprocess.run([sys.executable, SOURCE / "scripts" / "draw" / "gallery.py", "--check"], check=True)
        self.assertEqual(sorted(re.findall(r"/gallery/(\w+)\.py\)", PAGE)), [path.stem for path in PROGRAMS])
        self.assertEqual(len(re.findall(r"```text\n.+?\n```", PAGE, re.DOTALL)), len(PROGRAMS))

    def test_programs_are_short(self):
        for path in PROGRAMS:
            self.assertLessEqual(len(path.read_text(encoding="utf-8").splitlines()), 60, path.name)

    def test_pictures_are_shown_and_small(self):
        pictures = sorted((SOURCE / "docs" / "gallery").iterdir())
        self.assertEqual(sorted(re.findall(r"\]\(\.\./gallery/([\w.]+)\)", PAGE)), [path.name for path in pictures])
        for path in pictures:
            self.assertLess(path.stat().st_size, 200_000, path.name)


if __name__ == "__main__":
    unittest.main(verbosity=2)
