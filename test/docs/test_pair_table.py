"""The tables of docs/methods/queries.md, which query answers which pair of kinds, are what the library answers; and every kind of shape has a row."""

import os
import re
import subprocess
import sys
import unittest
from pathlib import Path

SOURCE = Path(os.environ["ABUT_TEST_SOURCE_DIR"])
PROGRAM = Path(os.environ["ABUT_TEST_BUILD_DIR"]) / "test" / "pair_table"
sys.path.insert(0, str(SOURCE / "scripts" / "measure"))

from document_table import DocumentTable  # noqa: E402

WRITE = "write it with python3 scripts/measure/pair_table.py"


class PairTable(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.place = DocumentTable("pair_table.py", SOURCE / "docs" / "methods" / "queries.md")
        instrumented = any(word in PROGRAM.read_bytes() for word in (b"__asan_init", b"__tsan_init"))  # those are slow
        cls.whole = not instrumented
        cls.asked = subprocess.run([str(PROGRAM), *(["--without-rings"] if instrumented else [])], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False)

    def test_every_answer_is_right(self):
        self.assertEqual((self.asked.returncode, self.asked.stderr), (0, ""))

    def test_the_document_has_the_tables(self):
        self.assertTrue(self.place.is_there())
        if self.whole:
            self.assertEqual(self.place.old().strip(), self.asked.stdout.strip(), WRITE)

    def test_every_kind_has_a_row(self):
        header = (SOURCE / "include" / "abut" / "shape.h").read_text()
        kinds = re.search(r"typedef enum abut_kind \{(.*?)\} abut_kind;", header, re.DOTALL).group(1)
        names = {name.lower() for name in re.findall(r"^\s*ABUT_SHAPE_(\w+)", kinds, re.MULTILINE)}
        rows = re.findall(r"^\| (\w+)[^|]* \|(?: (?:all|overlap|collide, overlap|\*\*none\*\*) \|)+", self.asked.stdout, re.MULTILINE)
        self.assertGreater(len(names), 10)
        self.assertEqual(names, set(rows))

    def test_only_two_planes_are_not_answered(self):
        """A pair that is answered no longer, or a new kind without answers, is seen here and not only in a changed document."""
        rows = re.findall(r"^\| `abut_(\w+)` \| ([^|]+) \| ([^|]*)\| `ABUT_ERROR_\w+` \|$", self.asked.stdout, re.MULTILINE)
        shapes = {shape for _, shape, _ in rows}
        self.assertEqual(shapes, {"plane"})
        self.assertEqual({others.strip() for _, shape, others in rows if shape == "plane"}, {"plane"})


if __name__ == "__main__":
    unittest.main(verbosity=2)
