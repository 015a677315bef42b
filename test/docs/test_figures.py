"""The figures of docs/methods/{contacts,meshes,smooth,depth}.md equal, byte for byte, what scripts/draw/PAGE.py draws from the answers of this build. For the
other figures, the test only checks that a document shows them: those of benchmarks.md, dem.md and results/hand.md come from benchmarks and long runs,
those of dem-calibration.md from test/assets/test_calibration.py; rendered
ones (.png) show meshes that differ between versions of gmsh. Pictures of the web pages (docs/pictures) are made by hand with
scripts/draw/viewer_pictures.sh; some document shows each of them."""

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
PICTURES = ROOT / "docs" / "pictures"
METHODS = ROOT / "docs" / "methods"
PAGES = {page: (METHODS / f"{page}.md").read_text(encoding="utf-8") for page in ("contacts", "meshes", "smooth", "depth")}
MEASURED = "".join((ROOT / "docs" / f"{page}.md").read_text(encoding="utf-8") for page in ("methods/benchmarks", "methods/dem", "results/hand", "use/dem-calibration"))

if COMMAND is None:
    print("skipped: the command was not built")
    sys.exit(77)


class Figures(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        for page in PAGES:
            folder = SCRATCH / page
            folder.mkdir(exist_ok=True)
            for old in folder.glob("*.svg"):
                old.unlink()
            script = ROOT / "scripts" / "draw" / f"{page}.py"
            subprocess.run([sys.executable, str(script), "--command", COMMAND, "-o", str(folder)], check=True)

    def test_they_are_what_the_library_answers(self):
        drawn = [path for page in PAGES for path in sorted((SCRATCH / page).glob("*.svg"))]
        measured = re.findall(r"!\[[^]]+\]\(\.\./figures/([\w.]+)\)", MEASURED)
        self.assertEqual(sorted([path.name for path in drawn] + measured), sorted(path.name for path in FIGURES.glob("*.svg")))
        for path in drawn:
            same = path.read_bytes() == (FIGURES / path.name).read_bytes()
            self.assertTrue(same, f"docs/figures/{path.name} is not that of this build; look at {path}, and if it is right, copy it")

    def test_each_page_shows_each_of_its_own_once(self):
        for page, text in PAGES.items():
            shown = re.findall(r"!\[[^]]+\]\(\.\./figures/([\w.]+\.svg)\)", text)
            self.assertEqual(sorted(shown), sorted(path.name for path in (SCRATCH / page).glob("*.svg")), page)

    def test_rendered_ones_are_shown(self):
        shown = [name for text in PAGES.values() for name in re.findall(r"!\[[^]]+\]\(\.\./figures/([\w.]+\.png)\)", text)]
        self.assertEqual(sorted(shown), sorted(path.name for path in FIGURES.glob("*.png")))

    def test_pictures_of_pages_are_shown(self):
        documents = [ROOT / "README.md", *(ROOT / "docs").rglob("*.md")]
        names = {name for path in documents for name in re.findall(r"!\[[^]]+\]\([\w./]*pictures/([\w.]+)\)", path.read_text(encoding="utf-8"))}
        self.assertEqual(sorted(names), sorted(path.name for path in PICTURES.iterdir()))
        script = (ROOT / "viewer" / "pictures.ts").read_text(encoding="utf-8")
        made = re.search(r"PICTURES: .*?= \{\n(.*?)\n\};", script, re.DOTALL).group(1)
        self.assertEqual(sorted(names), sorted(f"{name}.png" for name in re.findall(r"^  (\w+)[,:]", made, re.MULTILINE)))

    def test_they_stay_small(self):
        for path in PICTURES.iterdir():
            self.assertLess(path.stat().st_size, 250_000, path.name)
        for path in FIGURES.glob("*.png"):
            self.assertLess(path.stat().st_size, 300_000, path.name)
        for path in FIGURES.glob("*.svg"):
            self.assertLess(path.stat().st_size, 40_000, path.name)


if __name__ == "__main__":
    unittest.main(verbosity=2)
