"""The figures of docs/contacts.md, docs/meshes.md, docs/smooth.md and docs/depth.md are what scripts/draw_PAGE.py draws from the answers of this build, byte
for byte. Those of docs/benchmarks.md and docs/dem.md are drawn from what benchmarks and long runs wrote, rendered ones (.png) of meshes that other versions of gmsh make otherwise.
Pictures of the web pages (docs/pictures) are made by hand, by scripts/viewer_pictures.sh, and each is shown somewhere."""

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
SCRIPTS = {"contacts": "draw_contacts", "meshes": "draw_meshes", "smooth": "draw_smooth", "depth": "draw_depth_figures"}
PAGES = {page: (ROOT / "docs" / f"{page}.md").read_text(encoding="utf-8") for page in SCRIPTS}
MEASURED = "".join((ROOT / "docs" / f"{page}.md").read_text(encoding="utf-8") for page in ("benchmarks", "dem"))

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
            script = ROOT / "scripts" / f"{SCRIPTS[page]}.py"
            subprocess.run([sys.executable, str(script), "--command", COMMAND, "-o", str(folder)], check=True)

    def test_they_are_what_the_library_answers(self):
        drawn = [path for page in PAGES for path in sorted((SCRATCH / page).glob("*.svg"))]
        measured = re.findall(r"!\[[^]]+\]\(figures/([\w.]+)\)", MEASURED)
        self.assertEqual(sorted([path.name for path in drawn] + measured), sorted(path.name for path in FIGURES.glob("*.svg")))
        for path in drawn:
            same = path.read_bytes() == (FIGURES / path.name).read_bytes()
            self.assertTrue(same, f"docs/figures/{path.name} is not that of this build; look at {path}, and if it is right, copy it")

    def test_each_page_shows_each_of_its_own_once(self):
        for page, text in PAGES.items():
            shown = re.findall(r"!\[[^]]+\]\(figures/([\w.]+\.svg)\)", text)
            self.assertEqual(sorted(shown), sorted(path.name for path in (SCRATCH / page).glob("*.svg")), page)

    def test_rendered_ones_are_shown(self):
        shown = [name for text in PAGES.values() for name in re.findall(r"!\[[^]]+\]\(figures/([\w.]+\.png)\)", text)]
        self.assertEqual(sorted(shown), sorted(path.name for path in FIGURES.glob("*.png")))

    def test_pictures_of_pages_are_shown(self):
        shown = {"README.md": r"docs/pictures/([\w.]+)"} | {f"docs/{path.name}": r"pictures/([\w.]+)" for path in (ROOT / "docs").glob("*.md")}
        names = {name for document, place in shown.items() for name in re.findall(rf"!\[[^]]+\]\({place}\)", (ROOT / document).read_text(encoding="utf-8"))}
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
