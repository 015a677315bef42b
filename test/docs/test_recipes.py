"""The recipes of package managers, CITATION.cff and the Python package have the version and the addresses of the project; the public CI runs what .ci/run
runs; each recipe can be read."""

import ast
import json
import os
import re
import shutil
import subprocess
import sys
import unittest
from pathlib import Path

SOURCE = Path(os.environ["ABUT_TEST_SOURCE_DIR"])
PACKAGING = SOURCE / "packaging"
WORKFLOW = (SOURCE / ".github" / "workflows" / "ci.yml").read_text(encoding="utf-8")
SCRIPT = SOURCE / "scripts" / "make" / "recipes.py"


class Recipes(unittest.TestCase):
    def test_they_have_the_version_and_the_addresses(self):
        done = subprocess.run([sys.executable, SCRIPT, "--check"], stdout=subprocess.PIPE, text=True)
        self.assertEqual((done.returncode, done.stdout), (0, ""))

    def test_a_difference_is_found(self):
        sys.path.insert(0, str(SCRIPT.parent))
        import recipes

        wanted = recipes.values()
        for name, places in recipes.PLACES.items():
            text = (SOURCE / name).read_text(encoding="utf-8")
            for place in places:
                spoiled, _ = recipes.set_places(text, [place], {place[1]: "9.9.9"})
                mended, differences = recipes.set_places(spoiled, places, wanted)
                self.assertEqual((mended, len(differences)), (text, 1), f"{name}: {place}")

    def test_no_other_version_or_address_stands_in_them(self):
        home = json.loads((PACKAGING / "release.json").read_text(encoding="utf-8"))["home"]
        for path in [path for path in PACKAGING.rglob("*") if path.is_file()] + [SOURCE / "CITATION.cff"]:
            for address in re.findall(r"https?://[^\s\"')]+", path.read_text(encoding="utf-8")):
                self.assertTrue(address == home or address.startswith(home + "/"), f"{path}: {address}")

    def test_they_can_be_read(self):
        json.loads((PACKAGING / "vcpkg" / "vcpkg.json").read_text(encoding="utf-8"))
        ast.parse((PACKAGING / "conan" / "conanfile.py").read_text(encoding="utf-8"))
        if shutil.which("ruby"):
            subprocess.run(["ruby", "-c", PACKAGING / "homebrew" / "abut.rb"], check=True, stdout=subprocess.DEVNULL)
        try:
            import yaml
        except ImportError:
            return
        for path in (PACKAGING / "conda" / "recipe.yaml", PACKAGING / "conan" / "conandata.yml", SOURCE / "CITATION.cff"):
            self.assertIsInstance(yaml.safe_load(path.read_text(encoding="utf-8")), dict, path)
        self.assertEqual(set(yaml.safe_load(WORKFLOW)["jobs"]), {"linux", "macos", "windows", "windows-cross", "python"})

    def test_options_that_they_set_exist(self):
        known = set(re.findall(r"^(?:option|set)\((ABUT_\w+)", (SOURCE / "CMakeLists.txt").read_text(encoding="utf-8"), re.MULTILINE))
        texts = [path.read_text(encoding="utf-8") for path in PACKAGING.rglob("*") if path.is_file()] + [WORKFLOW]
        for text in texts:
            for name in re.findall(r"-D(ABUT_\w+)=", text):
                self.assertIn(name, known)

    def test_every_file_has_a_licence_in_words_of_spdx(self):
        import tomllib

        said = tomllib.loads((SOURCE / "REUSE.toml").read_text(encoding="utf-8"))["annotations"]
        text = (SOURCE / "LICENSE").read_text(encoding="utf-8")
        self.assertEqual([(one["path"], one["SPDX-License-Identifier"]) for one in said], [("**", "MIT")])
        self.assertIn(f"Copyright (c) {said[0]['SPDX-FileCopyrightText']}", text)
        self.assertEqual((SOURCE / "LICENSES" / "MIT.txt").read_text(encoding="utf-8"), text)
        project = tomllib.loads((SOURCE / "python" / "pyproject.toml").read_text(encoding="utf-8"))["project"]
        self.assertEqual(project["license"], "MIT")

    def test_the_public_ci_runs_what_ours_runs(self):
        ours = re.findall(r"^make .*$", (SOURCE / ".ci" / "run").read_text(encoding="utf-8"), re.MULTILINE)
        theirs = re.findall(r"^ +- (make .*)$", WORKFLOW, re.MULTILINE)
        self.assertGreaterEqual(len(ours), 3)
        self.assertEqual(ours, theirs)


if __name__ == "__main__":
    unittest.main(verbosity=2)
