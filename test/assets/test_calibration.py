"""docs/use/dem-calibration.md and scenes/calibration: the scenes are those of scripts/make/calibration.py, and each section of the page is what
scripts/measure/dem_calibration.py makes of them. Two cases run here, all with ABUT_TEST_SAMPLES=full."""

import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

try:
    import h5py  # noqa: F401
    import numpy  # noqa: F401
except ImportError:
    print("skipped: h5py or numpy is missing")
    sys.exit(77)

ROOT = pathlib.Path(os.environ["ABUT_TEST_SOURCE_DIR"])
SCRATCH = pathlib.Path(os.environ["ABUT_TEST_SCRATCH_DIR"])
COMMAND = os.environ.get("ABUT_TEST_COMMAND")
sys.path[:0] = [str(ROOT / "scripts" / "make"), str(ROOT / "scripts" / "measure")]
import calibration as scenes  # noqa: E402
import dem_calibration as measured  # noqa: E402

FULL = os.environ.get("ABUT_TEST_SAMPLES") == "full"


class Calibration(unittest.TestCase):
    def test_the_scenes_are_those_of_the_script(self):
        folder = ROOT / "scenes" / "calibration"
        self.assertEqual(sorted(path.stem for path in folder.glob("*.json")), sorted(scenes.ALL))
        for name in scenes.ALL:
            self.assertEqual((folder / f"{name}.json").read_text(encoding="utf-8"), scenes.text_of(name), f"{name}: run scripts/make/calibration.py")

    def test_they_follow_the_schema(self):
        try:
            import jsonschema
        except ImportError:
            self.skipTest("Python has no jsonschema")
        import json

        schema = json.loads((ROOT / "docs" / "formats" / "scene.schema.json").read_text(encoding="utf-8"))
        for name, made in scenes.ALL.items():
            self.assertEqual([error.message for error in jsonschema.Draft202012Validator(schema).iter_errors(made())], [], name)

    @unittest.skipUnless(COMMAND, "the command was not built")
    def test_the_command_finds_no_mistake_in_them(self):
        for name, made in scenes.ALL.items():
            if "start" not in made():  # the others need a recording of theirs
                result = subprocess.run([COMMAND, "check", str(ROOT / "scenes" / "calibration" / f"{name}.json")], check=False, capture_output=True, text=True)
                self.assertEqual((result.returncode, result.stderr), (0, ""), name)

    @unittest.skipUnless(COMMAND, "the command was not built")
    def test_the_page_has_what_is_measured(self):
        chosen = measured.CASES if FULL else ("bounce", "oblique_impact")
        page = measured.page_sections(measured.PAGE.read_text(encoding="utf-8"))
        self.assertEqual(tuple(page), measured.CASES)
        with tempfile.TemporaryDirectory() as folder:
            for case, section in measured.sections(chosen, folder, SCRATCH).items():
                self.assertEqual(section.rstrip("\n"), page[case].rstrip("\n"), f"{case}: run scripts/measure/dem_calibration.py {case}")
        for figure in SCRATCH.glob("calibration_*.svg"):
            self.assertEqual(figure.read_bytes(), (ROOT / "docs" / "figures" / figure.name).read_bytes(), figure.name)


if __name__ == "__main__":
    unittest.main()
