"""Tests of scripts/measure/bench_report.py: the tables of a small run of each benchmark, the written files, and refused input."""

import json
import os
import pathlib
import subprocess
import sys
import unittest

ROOT = pathlib.Path(os.environ.get("ABUT_TEST_SOURCE_DIR", pathlib.Path(__file__).resolve().parents[2]))
SCRATCH = pathlib.Path(os.environ.get("ABUT_TEST_SCRATCH_DIR", "/tmp"))
SCRIPT = ROOT / "scripts" / "measure" / "bench_report.py"

MINE = {"engine": "abut collide", "ns": 123.4, "p10": 99.6, "p90": 1234.5, "points": 5.891, "missed": 0, "wrong": 2, "false": 0, "worst_error": 0.0321}
RUN = {
    "benchmark": "narrow", "version": "0.1.0", "seed": 1, "core": 3, "processor": "Some processor", "compiler": "gcc 12", "rounds": 31,
    "quick": False, "peers": ["ODE 0.16.2"],
    "sets": [
        {"set": "boxes, stacked", "shapes": "boxes", "pairs": 7, "steps": 1, "engines": [MINE]},
        {"set": "boxes, apart, coherent", "shapes": "boxes", "pairs": 7, "steps": 50, "engines": [MINE]},
    ],
    "goals": [
        {"goal": "quick", "set": "", "subject": "", "reference": "ODE dBoxBox", "limit": 0.7, "ratio": 0.654, "growth": "", "growth_ratio": 0.5,
         "fast": True, "right": True, "pass": True},
        {"goal": "slow", "set": "", "subject": "", "reference": "ODE dBoxBox", "limit": 0.08, "ratio": 1.5, "fast": False, "right": True, "pass": False},
        {"goal": "hasty", "set": "", "subject": "", "reference": "ODE dBoxBox", "limit": 0.7, "ratio": 0.1, "fast": True, "right": False, "pass": False},
    ],
}
DEPTH = {
    "benchmark": "depth", "version": "0.1.0",
    "ratios": {
        "pairs": 400000, "variants": [
            {"name": "as printed", "key": "paper", "mean": 27.93, "deviation": 3.031, "least": 18.7, "most": 51.4, "paper_mean": 27.94, "paper_deviation": 3.15,
             "known_mean": 27.93, "known_deviation": 3.03},
            {"name": "free", "key": "free", "mean": 25.7, "deviation": 3.3, "least": 17.7, "most": 50.1, "paper_mean": None, "paper_deviation": None,
             "known_mean": 25.79, "known_deviation": None},
        ],
        "coincide": 52.7, "paper_coincide": 52.33, "known_coincide": 52.63, "first": [{"share": 52.7, "known": 52.4}, {"share": 90.3, "known": 90.2}],
        "local_is_least": 96.9, "free_below_paper": 100.0, "accelerated_excess": {"mean": 5.53, "median": 0.0, "p90": 18.8, "most": 108.1},
        "accelerated_over_default": {"mean": 7.29, "most": 108.1},
    },
    "speed": {
        "rounds": 61, "engines": [{"engine": "def/def", "us": 0.702, "p10": 0.69, "p90": 0.715, "error": 3e-13}],
        "beside": [{"engine": "def/def", "us": 0.702, "programs": 44, "programs_us": 507.91, "ratio": 723.0, "paper_us": 46290}],
    },
    "goals": [{"goal": "def/def [us]", "value": 0.702, "at_most": 2.5, "pass": True}, {"goal": "rate", "value": 1.5, "at_least": 1.9, "pass": False}],
}
TIME = {"median": 159.26, "p10": 155.0, "p90": 170.0}
FACET = {
    "benchmark": "facet", "version": "0.1.0",
    "pairs": {"pairs": 4096, "rounds": 31, "ways": [
        {"way": "single", "same": True, "ns": [{"set": "mix", **TIME}, {"set": "apart", **TIME}], "million_per_second": 6.279, "threads": 0, "gain": 1.0},
        {"way": "batch, 2 threads", "same": False, "ns": [{"set": "mix", **TIME}, {"set": "apart", **TIME}], "million_per_second": 6.2, "threads": 2, "gain": 1.91},
    ]},
    "pressure": {"ns": 531.2, "p10": 497.0, "p90": 690.0},
    "bodies": {"rounds": 21, "poses": 40, "rows": [
        {"triangles": 5120, "depths": [{"depth": 0.002, "pairs": 22.125, "contact_us": TIME, "force_us": {"median": 10.0, "p10": 9.0, "p90": 11.0}}],
         "build_ns": {"median": 642.4, "p10": 600.0, "p90": 700.0}, "move_ns": {"median": 176.3, "p10": 170.0, "p90": 180.0}, "bytes_said": 273.7, "bytes_held": 273.8,
         "bytes_moved": 243.8, "error": 4e-13},
    ]},
}
GRAINS = {
    "benchmark": "grains", "version": "0.1.0",
    "rows": [
        {"program": "abut", "are": "balls", "bodies": 2000, "triangles": 320, "own": True, "threads": 2, "per_second": 25000.4, "per_wall_second": 43000.0,
         "neighbours": 5.3421, "contacts": 4.21, "kinetic": 8.4e-9, "bytes": 95000.0, "lists": 3},
        {"program": "Yade polyhedra", "are": "icosahedra", "bodies": 125, "triangles": 20, "own": False, "threads": 1, "per_second": 855.9, "per_wall_second": 797.4,
         "neighbours": 4.0, "contacts": 0.0, "kinetic": 2e-4, "bytes": 0.0, "lists": -1},
    ],
    "goals": [{"goal": "1000 balls", "value": 25000.4, "at_least": 25000, "pass": True}],
}
DEM = {
    "benchmark": "dem", "version": "0.1.0", "fair": False,
    "rows": [{"program": "LIGGGHTS", "balls": 1000, "threads": 1, "million_per_second": 1.234, "million_per_wall_second": 1.2, "neighbours": 5.34, "kinetic": 8e-9,
              "bytes": 5709.0, "lists": 15}],
    "goals": [{"goal": "growth", "value": 1.2, "at_most": 1.1, "pass": False}],
}
MESH = {
    "benchmark": "mesh",
    "sets": [
        {"set": "sphere, flat", "triangles": 20000, "questions": 1000, "engines": [
            {"engine": "abut", "ns": 642.6, "contacts": 1.0, "wrong": 0, "abut_over": 1.0}, {"engine": "ODE", "ns": 805.2, "contacts": 4.34, "wrong": 86, "abut_over": 0.798}]},
        {"set": "capsule, bumpy", "triangles": 20000, "questions": 1000, "engines": [{"engine": "abut", "ns": 6727.0, "contacts": 1.04, "wrong": -1, "abut_over": 1.0}]},
    ],
    "growth": [{"triangles": 10082, "build_ms": 2.41, "ns": 492.0}],
}
SMOOTH = {
    "benchmark": "smooth",
    "rows": [
        {"set": "ellipsoids", "how": "cold", "median_us": 1.1512}, {"set": "ellipsoids", "how": "warm", "median_us": 0.69},
        {"set": "ellipsoids", "how": "rates", "median_us": 0.16}, {"set": "boxes", "how": "ODE is not installed"},
    ],
}
LCP = {
    "benchmark": "lcp",
    "sets": [
        {"set": "10 contacts", "engines": [
            {"engine": "abut", "us": 0.921, "residual": 1e-12, "claimed": True}, {"engine": "Bullet", "us": 6.41, "residual": 1e-12, "claimed": False}]},
        {"set": "500 contacts", "engines": [{"engine": "Bullet", "us": 7926.0, "residual": 1e-3, "claimed": True}]},
    ],
    "answers": [{"set": "random", "problems": 1000, "engines": [{"engine": "abut", "solved": 1000, "inexact": 0, "given_up": 0, "wrong": 0}]}],
    "goals": [{"goal": "484 contacts, cold", "us": 1330.0, "at_most": 13000.0, "pass": True}],
}
MEDIAN = {"median": 4.04, "p10": 4.0, "p90": 4.1}
TETMESH = {
    "benchmark": "tetmesh",
    "pairs": [{"scene": "balls, deep", "elements": [10368, 10368], "threads": 1, "candidates": 96171, "intersecting": 22158, "boxes_ms": MEDIAN, "intersections_ms": MEDIAN,
               "depths_ms": MEDIAN}],
    "resolve": [
        {"scene": "balls, deep", "elements": [10368, 10368], "threads": 1, "mode": "zones", "ms": 1110.9, "remaining": 0, "rms": 0.03, "flat": 1, "inverted": 0},
        {"scene": "rings", "elements": [4608, 4608], "threads": 1, "mode": "zones", "ms": 1.0, "remaining": 0, "rms": 0.0181, "flat": 34, "inverted": 0},
        {"scene": "rings", "elements": [4608, 4608], "threads": 1, "mode": "sweeps", "ms": 1.0, "remaining": 124, "rms": 0.0284, "flat": 0, "inverted": 143},
    ],
}
WORLD = {
    "benchmark": "world",
    "results": [
        {"scene": "wall", "engine": name, "threads": threads, "bodies": 1000, "ms": {"median": ms}, "share": {"solve": 0.662}, "growth": 1.05, "deep_m": 0.5 * deepest,
         "deepest_m": deepest, "drift_m": 1e-3, "farthest_m": 0.02, "kinetic_j_per_kg": 3e-9}
        for name, threads, ms, deepest in (("quick", 1, 6.214, 3e-4), ("quick", 2, 3.9, 3e-4), ("abut", 1, 131.94, 9e-5), ("bullet", 1, 3.0, 0.02013))
    ],
}


def report(run):
    results, output = SCRATCH / "run.json", SCRATCH / "page.md"
    results.write_text(run if isinstance(run, str) else json.dumps(run))
    output.unlink(missing_ok=True)
    command = [sys.executable, str(SCRIPT), str(results), "-o", str(output)]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    return done, output.read_text() if output.exists() else ""


class Report(unittest.TestCase):
    def test_figures(self):
        done, page = report(RUN)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("on Some processor, bound to core 3; ODE 0.16.2; seed 1, medians of 31 rounds.\n", page)
        self.assertIn("| boxes, stacked (7 pairs) |", page)
        self.assertIn("| boxes, apart, coherent (7 pairs, 50 steps) |", page)
        self.assertIn("| abut collide | 0.123 | 0.0996 to 1.23 | 5.89 | 0 | 2 | 0 | 0.03 |", page)
        self.assertEqual(page.count("## Boxes"), 1)

    def test_goals(self):
        page = report(RUN)[1]
        self.assertIn("| quick | 0.65 | 0.7 | 0.50 | ODE dBoxBox | pass |", page)
        self.assertIn("| slow | 1.50 | 0.08 |  | ODE dBoxBox | miss |", page)
        self.assertIn("| hasty | 0.10 | 0.7 |  | ODE dBoxBox | miss (not all answers are right) |", page)

    def test_depth(self):
        done, page = report(DEPTH)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("| as printed | 27.93 (3.03) | 27.94 (3.15) | 27.93 (3.03) | 18.70 | 51.40 |", page)
        self.assertIn("| free | 25.70 (3.30) |  | 25.79 | 17.70 | 50.10 |", page)
        self.assertIn("| the best is among the 2 of least overlap | 90.30 | > 90 | 90.2 |", page)
        self.assertIn("| def/def | 0.70 | 44 | 507.9 | 723 | 46,290 |", page)
        self.assertIn("| def/def [us] | 0.70 | at most 2.5 | pass |", page)
        self.assertIn("| rate | 1.50 | at least 1.9 | miss |", page)
        self.assertEqual(report({k: v for k, v in DEPTH.items() if k != "ratios"})[0].returncode, 0)

    def test_facet(self):
        done, page = report(FACET)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("| a pair [ns] | mix | apart | million pairs", page)
        self.assertIn("| single | 159 | 159 | 6.28 |  | same |", page)
        self.assertIn("| batch, 2 threads | 159 | 159 | 6.20 | 1.91 | **others** |", page)
        self.assertIn("531 ns (80 % of rounds 497 to 690)", page)
        self.assertIn("| 5,120 | 22.1 | 159.3 | 169.3 |", page)
        self.assertIn("| 5,120 | 642 | 176 | 274 | 274 | 244 |", page)

    def test_grains(self):
        done, page = report(GRAINS)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("| abut: balls, a shape each | 2,000 | 320 | 2 | 25,000 | 43,000 | 40.0 | 5.34 | 4.2 | 8e-09 | 95,000 |", page)
        self.assertIn("| Yade polyhedra: icosahedra | 125 | 20 | 1 | 856 | 797 | 1,168.4 | 4.00 |  | 2e-04 |  |", page)
        self.assertIn("| 1000 balls | 25,000.40 | at least 25,000 | pass |", page)

    def test_dem(self):
        done, page = report(DEM)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("| LIGGGHTS | 1,000 | 1 | 1.23 | 1.20 | 5.34 | 8e-09 | 5,709 | 15 |", page)
        self.assertIn("| growth | 1.20 | at most 1.1 | miss |", page)
        self.assertIn("**Two programs did not have the same bed:", page)
        self.assertNotIn("**Two", report({**DEM, "fair": True})[1])

    def test_mesh(self):
        done, page = report(MESH)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("| set | engine | ns | contacts | wrong of 1,000 | abut's time over it |", page)
        self.assertIn("| sphere, flat | abut | 643 | 1.00 | 0 |  |\n| sphere, flat | ODE | 805 | 4.34 | 86 | 0.80 |\n| capsule, bumpy | abut | 6,727 | 1.04 |  |  |", page)
        self.assertIn("| 10,082 | 2.4 | 492 |", page)

    def test_smooth(self):
        done, page = report(SMOOTH)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("| ellipsoids | 1.15 | 0.69 |\n| rates: ellipsoids | 0.16 |  |\n", page)
        self.assertNotIn("installed", page)

    def test_lcp(self):
        done, page = report(LCP)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("| 10 contacts | 0.92 | 6.41 ✗ |\n| 500 contacts |  | 7,926 **wrong** |", page)
        self.assertIn("| random | abut | 1,000 | 0 | 0 | 0 |", page)
        self.assertIn("| 484 contacts, cold | 1,330 | 13,000 | pass |", page)

    def test_tetmesh(self):
        done, page = report(TETMESH)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("| deep | 10,368 | 96,171 | 22,158 | 1 | 4.0 | 4.0 | 4.0 | 1,111 |", page)
        self.assertIn("| rings | 4,608 and 4,608 | 0.0181; 34; 0; 0 | 0.0284; 0; 143; **124** |", page)

    def test_world(self):
        done, page = report(WORLD)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("| brick wall | 1,000 | 6.21 | 3.9 | 132 | 3 | 2.07 | 0.5 | 66 % | 1.05 |", page)
        self.assertIn("| brick wall | 1,000 | 0.15 / 0.3 | 0.045 / 0.09 | 10 / 20 | 1 / 20 | 1 / 20 | 1 / 20 | 3e-09 | 3e-09 | 3e-09 |", page)

    def test_the_file_says_how_it_is_written(self):
        method = (ROOT / "docs" / "methods" / "benchmarks.md").read_text()
        for run in (RUN, DEPTH, FACET, GRAINS, DEM, MESH, SMOOTH, LCP, TETMESH, WORLD):
            name, page = run["benchmark"], report(run)[1]
            self.assertTrue(page.startswith(f"# Results of `bench_{name}`\n\nWritten by `build/release/bench/bench_{name} --json {name}.json` and "), page[:200])
            committed = (ROOT / "docs" / "results" / f"{name}.md").read_text()
            self.assertEqual(committed.splitlines()[:3], page.splitlines()[:3])
            self.assertIn(f"\n## bench_{name}\n", method)
            self.assertIn(f"](../results/{name}.md)", method)

    def test_committed_tables_have_the_columns_that_the_script_writes(self):
        def heads(text):
            lines = text.splitlines()
            return [len(line.split("|")) for line, below in zip(lines, lines[1:]) if below.startswith("| --- |")]

        for run in (RUN, DEPTH, GRAINS, DEM, MESH, SMOOTH, TETMESH, WORLD):
            committed = (ROOT / "docs" / "results" / f"{run['benchmark']}.md").read_text()
            self.assertLessEqual(set(heads(report(run)[1])), set(heads(committed)), run["benchmark"])

    def test_refusals(self):
        for run, word in (({"benchmark": "other"}, "other"), ("{", "Expecting")):
            done, page = report(run)
            self.assertEqual(done.returncode, 1)
            self.assertIn(word, done.stderr)
            self.assertEqual(page, "")


if __name__ == "__main__":
    unittest.main(verbosity=2)
