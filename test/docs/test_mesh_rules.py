"""The table of docs/methods/meshes.md, which rule for balls fails which figure of Terdiman's paper, is what the command answers."""

import os
import re
import sys
import unittest
from pathlib import Path

SOURCE = Path(os.environ["ABUT_TEST_SOURCE_DIR"])
COMMAND = os.environ.get("ABUT_TEST_COMMAND")
sys.path.insert(0, str(SOURCE / "scripts" / "measure"))

if COMMAND is None:
    print("skipped: the command was not built")
    sys.exit(77)

import mesh_rules  # noqa: E402
from document_table import DocumentTable  # noqa: E402


class MeshRules(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.table = mesh_rules.table(COMMAND)

    def test_the_document_has_the_table(self):
        place = DocumentTable("mesh_rules.py", SOURCE / "docs" / "methods" / "meshes.md")
        self.assertTrue(place.is_there())
        self.assertEqual(place.old().strip(), self.table, "write it with python3 scripts/measure/mesh_rules.py")

    def test_the_default_and_the_published_rule_are_right_everywhere(self):
        rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in self.table.splitlines()]
        self.assertEqual(rows[0][1:3], ["default", "published"])
        self.assertEqual({cell for row in rows[2:] for cell in row[1:3]}, {"right"})
        for column, name in enumerate(rows[0][3:], 3):  # each other method fails somewhere
            self.assertTrue(any("**" in row[column] for row in rows[2:]), name)

    def test_all_rules_have_a_column(self):
        words = re.search(r"mesh_rules\[\] = \{([^}]*)NULL\}", (SOURCE / "tool" / "collide.c").read_text(encoding="utf-8")).group(1)
        self.assertEqual(sorted(re.findall(r'"([\w-]+)"', words)), sorted(mesh_rules.RULES))


if __name__ == "__main__":
    unittest.main(verbosity=2)
