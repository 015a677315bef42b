"""Mechanisms of all kinds of joints move as SciPy moves them: the error falls by four when the step is halved, and the document has the errors."""

import os
import re
import sys
import unittest
from pathlib import Path

SOURCE = Path(os.environ["ABUT_TEST_SOURCE_DIR"])
sys.path.insert(0, str(SOURCE / "scripts" / "measure"))

try:
    import scipy  # noqa: F401
except ImportError:
    print("SciPy is missing (Debian: python3-scipy)")
    sys.exit(77)

import joint_motion  # noqa: E402
from document_table import DocumentTable  # noqa: E402

# Two of the mechanisms take most of the time. They are for the full samples.
FULL = os.environ.get("ABUT_TEST_SAMPLES") == "full"
NAMES = [name for name in joint_motion.mechanisms() if FULL or name not in ("revolute", "gear")]


class JointMotion(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.measured = joint_motion.measure(os.environ["ABUT_TEST_COMMAND"], NAMES)

    def test_the_error_falls_by_four(self):
        for name, errors in self.measured.items():
            total = [place + turn for place, turn in errors]
            for coarse, fine in zip(total, total[1:]):
                self.assertTrue(3.5 < coarse / fine < 4.5, f"{name}: {total}")

    def test_the_document_has_the_errors(self):
        place = DocumentTable("joint_motion.py", SOURCE / "docs" / "methods" / "joints.md")
        self.assertTrue(place.is_there())
        rows = {row[0]: row[1:] for row in re.findall(r"^\| (\w+) \| [^|]+ \| ([-\d.e]+) \| ([-\d.e]+) \|", place.old(), re.MULTILINE)}
        self.assertEqual(set(rows), set(joint_motion.mechanisms()))
        for name, errors in self.measured.items():
            for written, found in zip(rows[name], errors[-1]):
                self.assertLess(abs(float(written) - found), 0.06 * found, f"{name}: write it with python3 scripts/measure/joint_motion.py")


if __name__ == "__main__":
    unittest.main(verbosity=2)
