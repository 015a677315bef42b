"""Tests of scripts/bench_report.py: the tables it makes of a small run, where it puts them, and what it refuses."""

import json
import os
import pathlib
import subprocess
import sys
import unittest

ROOT = pathlib.Path(os.environ.get("ABUT_TEST_SOURCE_DIR", pathlib.Path(__file__).resolve().parents[2]))
SCRATCH = pathlib.Path(os.environ.get("ABUT_TEST_SCRATCH_DIR", "/tmp"))
SCRIPT = ROOT / "scripts" / "bench_report.py"

MINE = {"engine": "abut collide", "ns": 123.4, "p10": 99.6, "p90": 1234.5, "points": 5.891, "missed": 0, "wrong": 2, "false": 0, "worst_error": 0.0321}
RUN = {
    "benchmark": "narrow", "version": "0.1.0", "seed": 1, "core": 3, "processor": "Some processor", "compiler": "gcc 12", "rounds": 31,
    "quick": False, "peers": ["ODE 0.16.2"],
    "sets": [
        {"set": "boxes, stacked", "shapes": "boxes", "pairs": 7, "steps": 1, "engines": [MINE]},
        {"set": "boxes, apart, coherent", "shapes": "boxes", "pairs": 7, "steps": 50, "engines": [MINE]},
    ],
    "goals": [
        {"goal": "quick", "set": "", "subject": "", "reference": "ODE dBoxBox", "limit": 0.7, "ratio": 0.654, "default": "", "default_ratio": 0.5,
         "fast": True, "right": True, "pass": True},
        {"goal": "slow", "set": "", "subject": "", "reference": "ODE dBoxBox", "limit": 0.08, "ratio": 1.5, "fast": False, "right": True, "pass": False},
        {"goal": "hasty", "set": "", "subject": "", "reference": "ODE dBoxBox", "limit": 0.7, "ratio": 0.1, "fast": True, "right": False, "pass": False},
    ],
}
PAGE = "# Page\n\n<!-- narrow: begin -->\nold figures\n<!-- narrow: end -->\n\nAfter.\n"


def report(run, page):
    results, document = SCRATCH / "run.json", SCRATCH / "page.md"
    results.write_text(run if isinstance(run, str) else json.dumps(run))
    document.write_text(page)
    command = [sys.executable, str(SCRIPT), str(results), "-o", str(document)]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    return done, document.read_text()


class Report(unittest.TestCase):
    def test_figures(self):
        done, page = report(RUN, PAGE)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("on Some processor, bound to core 3; ODE 0.16.2; seed 1, medians of 31 rounds.\n", page)
        self.assertIn("| boxes, stacked (7 pairs) |", page)
        self.assertIn("| boxes, apart, coherent (7 pairs, 50 steps) |", page)
        self.assertIn("| abut collide | 0.123 | 0.0996 to 1.23 | 5.89 | 0 | 2 | 0 | 0.03 |", page)
        self.assertEqual(page.count("### Boxes"), 1)

    def test_goals(self):
        page = report(RUN, PAGE)[1]
        self.assertIn("| quick | 0.65 | 0.7 | 0.50 | ODE dBoxBox | pass |", page)
        self.assertIn("| slow | 1.50 | 0.08 |  | ODE dBoxBox | miss |", page)
        self.assertIn("| hasty | 0.10 | 0.7 |  | ODE dBoxBox | miss (not all answers are right) |", page)

    def test_only_what_is_between_the_markers_changes(self):
        page = report(RUN, PAGE)[1]
        self.assertTrue(page.startswith("# Page\n\n<!-- narrow: begin -->\n"))
        self.assertTrue(page.endswith("<!-- narrow: end -->\n\nAfter.\n"))
        self.assertNotIn("old figures", page)
        self.assertEqual(report(RUN, page)[1], page)

    def test_the_document_has_the_markers(self):
        done, page = report(RUN, (ROOT / "docs" / "benchmarks.md").read_text())
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("### Goals", page)

    def test_refusals(self):
        for run, page, word in ((RUN, "no markers\n", "markers"), ({"benchmark": "other"}, PAGE, "other"), ("{", PAGE, "Expecting")):
            done, after = report(run, page)
            self.assertEqual(done.returncode, 1)
            self.assertIn(word, done.stderr)
            self.assertEqual(after, page)


if __name__ == "__main__":
    unittest.main(verbosity=2)
