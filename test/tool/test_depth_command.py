"""abut depth from a user's view: its output, files that cannot be read or written, remaining pairs."""

import csv
import json
import os
import pathlib
import pty
import re
import resource
import subprocess
import sys
import unittest

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "support"))
import demo
from demo import abut, abut_well, fresh_folder

try:
    import meshio
except ImportError:
    meshio = None  # Debian: python3-meshio

VEC3 = {"type": "array", "items": {"type": "number"}, "minItems": 3, "maxItems": 3}
FOUR = {"type": "array", "items": VEC3, "minItems": 4, "maxItems": 4}
COUNT = {"type": "integer", "minimum": 0}
DIRECTION = {"enum": ["nothing", "face_a", "face_b", "edges", "plane", "search", "caller"]}


def whole(properties):
    """An object with exactly these keys."""
    return {"type": "object", "properties": properties, "required": list(properties), "additionalProperties": False}


def or_null(schema):
    return {"anyOf": [schema, {"type": "null"}]}


BODY = whole({"file": {"type": "string"}, "elements": COUNT, "vertices": COUNT, "flat": COUNT, "inverted": COUNT, "position": VEC3,
              "rotation": {"type": "array", "items": {"type": "number"}, "minItems": 4, "maxItems": 4}})
SPREAD = whole({"mean": {"type": "number"}, "deviation": {"type": "number"},
                "quantiles": {"type": "array", "minItems": 7, "maxItems": 7, "items": {"type": "array", "items": {"type": "number"}}}})
RIGID = whole({"depth": {"type": "number"}, "normal": VEC3, "direction": DIRECTION, "feature_a": {"type": "integer"},
               "feature_b": {"type": "integer"}})
PAIR = whole({"a": {"type": "integer"}, "b": {"type": "integer"}, "relation": {"enum": ["disjoint", "touching", "intersecting"]},
              "depth": {"type": "number"}, "sigma_a": {"type": "number"}, "sigma_b": {"type": "number"}, "normal": VEC3,
              "offset": {"type": "number"}, "displacement_a": FOUR, "displacement_b": FOUR, "direction": DIRECTION,
              "feature_a": {"type": "integer"}, "feature_b": {"type": "integer"}, "certified": {"type": "boolean"},
              "volume_force_a": {"type": "number"}, "volume_force_b": {"type": "number"}, "rigid": RIGID})
FAILED = whole({"a": {"type": "integer"}, "b": {"type": "integer"}, "relation": {"const": "none"}, "problem": {"type": "string"}})
WEIGHT = {"anyOf": [{"type": "number"}, {"const": "static"}]}
SETTINGS = whole({"mode": {"type": "string"}, "best_k": COUNT, "weight_a": WEIGHT, "weight_b": WEIGHT, "volume_ratio": or_null({"type": "number"})})
SEPARATION = whole({"end": {"enum": ["apart", "infeasible", "limit"]}, **{name: COUNT for name in (
    "pairs_begin", "pairs_remaining", "pairs_tested", "rounds", "sweeps", "zones", "zones_stuck", "flat_before", "flat_after", "inverted")},
    "swept": {"type": "boolean"}, "displacement_rms": {"type": "number"}, "displacement_max": {"type": "number"},
    "volume_ratio_least": or_null({"type": "number"}), **{name: or_null({"type": "array", "items": {"type": "integer"}}) for name in ("held_a", "held_b")}})
ANSWER = whole({"a": BODY, "b": or_null(BODY), "settings": SETTINGS, "candidates": or_null(COUNT), "count": COUNT, "intersecting": COUNT,
                "touching": COUNT, "failed": COUNT, "deepest": or_null(COUNT), "depth": or_null(SPREAD), "depth_over_rigid": or_null(SPREAD),
                "separation": or_null(SEPARATION), "seconds": whole({name: {"type": "number"} for name in ("reading", "pairs", "depths", "separation")}),
                "pairs": {"type": "array", "items": {"anyOf": [PAIR, FAILED]}}})


def ask(*arguments, status=0):
    """The answer of --json, checked by the schema above."""
    result = abut("depth", *arguments, "--json")
    assert result.returncode == status, result
    answer = json.loads(result.stdout)
    try:
        import jsonschema
    except ImportError:
        return answer
    jsonschema.validate(answer, ANSWER)
    return answer


def write_mesh(path, points, cells, regions=None, first=1):
    """A Gmsh file; elements are numbered from `first`."""
    lines = ["$MeshFormat", "2.2 0 8", "$EndMeshFormat", "$Nodes", str(len(points))]
    lines += [f"{i + 1} {p[0]!r} {p[1]!r} {p[2]!r}" for i, p in enumerate(np.asarray(points, float).tolist())]
    lines += ["$EndNodes", "$Elements", str(len(cells))]
    for e, cell in enumerate(cells):
        lines.append(f"{e + first} 4 2 {regions[e] if regions else 1} 1 " + " ".join(str(int(c) + 1) for c in cell))
    path.write_text("\n".join([*lines, "$EndElements", ""]))
    return path


def write_medit(path, points, cells):
    """A Medit file."""
    rows = [f"{p[0]!r} {p[1]!r} {p[2]!r} 0" for p in np.asarray(points, float).tolist()]
    corners = [" ".join(str(int(c) + 1) for c in cell) + " 0" for cell in cells]
    path.write_text("\n".join(["MeshVersionFormatted 2", "Dimension 3", "Vertices", str(len(rows)), *rows, "Tetrahedra", str(len(corners)), *corners,
                               "End", ""]))


def write_abaqus(path, points, cells):
    """An Abaqus input file whose nodes have the numbers 10, 20, 30 and so on."""
    rows = [f"{10 * i + 10}, {p[0]!r}, {p[1]!r}, {p[2]!r}" for i, p in enumerate(np.asarray(points, float).tolist())]
    corners = [f"{e + 1}, " + ", ".join(str(10 * int(c) + 10) for c in cell) for e, cell in enumerate(cells)]
    path.write_text("\n".join(["*HEADING", "** a test", "*NODE", *rows, "*ELEMENT, TYPE=C3D4", *corners, ""]))


def meshes():
    """Points and cells of the two blocks that the tests press into each other."""
    return {"a": block(), "b": block(cells=(2, 2, 2))}


def block(cells=(3, 3, 3), origin=(0, 0, 0), size=(1, 1, 1)):
    """Boxes, six tetrahedra each."""
    nx, ny, nz = (n + 1 for n in cells)
    points = [(origin[0] + size[0] * x / cells[0], origin[1] + size[1] * y / cells[1], origin[2] + size[2] * z / cells[2])
              for z in range(nz) for y in range(ny) for x in range(nx)]
    tetrahedra = []
    for z in range(cells[2]):
        for y in range(cells[1]):
            for x in range(cells[0]):
                for order in ((0, 1, 2), (1, 2, 0), (2, 0, 1), (0, 2, 1), (2, 1, 0), (1, 0, 2)):
                    at, corners = [x, y, z], []
                    corners.append(at[0] + nx * (at[1] + ny * at[2]))
                    for axis in order:
                        at[axis] += 1
                        corners.append(at[0] + nx * (at[1] + ny * at[2]))
                    odd = order in ((0, 2, 1), (2, 1, 0), (1, 0, 2))
                    tetrahedra.append([corners[i] for i in (1, 0, 2, 3)] if odd else corners)
    return points, tetrahedra


class Depth(unittest.TestCase):
    def setUp(self):
        self.folder = fresh_folder("depth")
        self.a = write_mesh(self.folder / "a.msh", *block(), regions=[1 + e % 2 for e in range(162)], first=1000)
        self.b = write_mesh(self.folder / "b.msh", *block(cells=(2, 2, 2)))

    def rows(self, path):
        with open(path, newline="", encoding="utf-8") as file:
            return list(csv.DictReader(file))

    def test_closed_forms(self):
        """A corner pressed 0.1 into a face, compared with the formulas."""
        (self.folder / "t.csv").write_text("0,0,0, 1,0,0, 0,1,0, 0,0,1, 0.3,0.3,-0.9, 1,0,-2, 0,1,-2, 0.3,0.3,0.1\n")
        (pair,) = ask("--pairs", self.folder / "t.csv")["pairs"]
        self.assertEqual(pair["relation"], "intersecting")
        # One vertex of B is 0.1 above the face z = 0 of A, all three of whose corners lie on it: k = 3, l = 1, so that
        # t = (l P - k M) / (5 (k + l) - 2 k l) with P = 0, M = -0.1.
        t = 3 * 0.1 / 14
        self.assertAlmostEqual(pair["rigid"]["depth"], 0.1, places=12)
        c = -(5 - 3) * t / 3
        u = [min(c - h, t) for h in (0, 0, 0, -1)]
        w = [max(c - g, -t) for g in (0.9, 2, 2, -0.1)]
        for norm, moves, pull in (("sigma_a", u, t), ("sigma_b", w, t)):
            self.assertAlmostEqual(pair[norm], (sum(x * x for x in moves) + pull**2) / 20, places=12)
        self.assertAlmostEqual(pair["depth"] ** 2, pair["sigma_a"] + pair["sigma_b"], places=15)
        np.testing.assert_allclose(pair["normal"], [0, 0, 1], atol=1e-12)
        np.testing.assert_allclose(np.array(pair["displacement_a"])[:, 2], -np.array(u), atol=1e-12)
        np.testing.assert_allclose(np.array(pair["displacement_b"])[:, 2], -np.array(w), atol=1e-12)

    def test_table_says_what_json_says(self):
        arguments = (self.a, self.b, "--pose", "0.9,0.1,0.05")
        answer, text = ask(*arguments), abut_well("depth", *arguments)
        self.assertIn(f"A: {self.a}, 162 elements, 64 vertices\nB: {self.b}, 48 elements, 27 vertices\n", text)
        deepest = answer["pairs"][answer["deepest"]]
        self.assertRegex(text, rf"(?m)^  candidate pairs +{answer['candidates']} whose boxes meet$")
        self.assertRegex(text, rf"(?m)^  intersecting pairs +{answer['intersecting']}$")
        touched = [len({pair[body] for pair in answer["pairs"]}) for body in "ab"]
        self.assertRegex(text, rf"(?m)^  elements in them +{touched[0]} of A, {touched[1]} of B$")
        self.assertIn(f"deepest                {deepest['depth']:.9g}; rigid {deepest['rigid']['depth']:.9g}\n", text)
        region = 1 + (deepest["a"] - 1000) % 2
        self.assertRegex(text, rf"(?m)^    elements +{deepest['a']} \(region {region}\) and {deepest['b']} \(region 1\)$")
        depths = np.array([pair["depth"] for pair in answer["pairs"]])
        shares = depths / [pair["rigid"]["depth"] for pair in answer["pairs"]]
        self.assertEqual(answer["deepest"], depths.argmax())
        for name, numbers in (("depth", depths), ("depth_over_rigid", shares)):
            spread = answer[name]
            self.assertAlmostEqual(spread["mean"], numbers.mean(), places=14)
            self.assertAlmostEqual(spread["deviation"], numbers.std(), places=14)
            for share, value in spread["quantiles"]:
                self.assertAlmostEqual(value, np.quantile(numbers, share), places=14)
        self.assertRegex(text, rf"(?m)^  depth .* {depths.mean():.4g} \({depths.std():.4g}\)$")
        self.assertRegex(text, rf"(?m)^  of rigid \[%\] .* {100 * shares.mean():.4g} \({100 * shares.std():.4g}\)$")

    def test_threads_change_nothing(self):
        answers = [ask(self.a, self.b, "--pose", "0.9,0.1,0.05", "--resolve", "--threads", n) for n in (1, 3)]
        for answer in answers:
            del answer["seconds"]
        self.assertEqual(*answers)

    def test_nothing_intersects(self):
        for line in ((self.a, self.b, "--pose", "5,0,0"), (self.a,)):
            answer = ask(*line, "--resolve")
            self.assertEqual((answer["intersecting"], answer["pairs"], answer["deepest"], answer["depth"]), (0, [], None, None))
            self.assertEqual(answer["separation"]["displacement_max"], 0)
            self.assertIn("intersecting pairs     0\n", abut_well("depth", *line))
        self.assertIn("A, with itself: ", abut_well("depth", self.a))

    def test_formats(self):
        """The same pair from every format has the same depths, to the bit; so has what abut itself wrote."""
        expected = ask(self.a, self.b, "--pose", "0.9,0.1,0.05")
        self.assertGreater(expected["intersecting"], 10)
        for name, mesh in (("a", self.a), ("b", self.b)):
            abut_well("depth", mesh, "-o", self.folder / f"{name}.vtu")
            write_medit(self.folder / f"{name}.mesh", *meshes()[name])
            write_abaqus(self.folder / f"{name}.inp", *meshes()[name])
        for ending in ("vtu", "mesh", "inp"):
            answer = ask(self.folder / f"a.{ending}", self.folder / f"b.{ending}", "--pose", "0.9,0.1,0.05")
            self.assertEqual(len(answer["pairs"]), len(expected["pairs"]))
            for pair, same in zip(answer["pairs"], expected["pairs"]):
                self.assertEqual({**pair, "a": 0, "b": 0}, {**same, "a": 0, "b": 0})
            with open(self.folder / f"a.{ending}", "rb") as file:
                standard = abut("depth", "-", self.folder / f"b.{ending}", "--pose", "0.9,0.1,0.05", "--json", stdin=file)
            self.assertEqual(json.loads(standard.stdout)["pairs"], answer["pairs"])

    def test_other_cells_are_told(self):
        (self.folder / "shell.inp").write_text("*NODE\n1, 0, 0, 0\n2, 1, 0, 0\n3, 0, 1, 0\n*ELEMENT, TYPE=S3\n1, 1, 2, 3\n2, 3, 2, 1\n"
                                               "*ELEMENT, TYPE=C3D8\n3, 1, 2, 3, 1, 2, 3, 1, 2\n")
        result = abut("depth", self.folder / "shell.inp")
        self.assertEqual(result.returncode, 2)
        self.assertIn("shell.inp: the file has 2 triangles and 1 hexahedron, but no tetrahedra", result.stderr)

    def test_poses(self):
        """The same rotation of both bodies changes nothing; --pose-a moves A."""
        turned = ask(self.a, self.b, "--pose", "0,0.9,0,0,0,1,1", "--pose-a", "0,0,0,0,0,1,1")
        plain = ask(self.a, self.b, "--pose", "0.9,0,0")
        self.assertGreater(plain["intersecting"], 10)
        self.assertAlmostEqual(turned["depth"]["mean"], plain["depth"]["mean"], delta=1e-3)
        back = ask(self.a, self.b, "--pose-a", "-0.9,0,0")
        self.assertAlmostEqual(back["depth"]["quantiles"][6][1], plain["depth"]["quantiles"][6][1], places=12)

    def test_flat_and_turned_elements_are_told(self):
        points, cells = block(cells=(1, 1, 1))
        turned = [[cell[i] for i in (1, 0, 2, 3)] for cell in cells]
        text = abut_well("depth", write_mesh(self.folder / "odd.msh", points, [*cells[:5], turned[5], [0, 1, 2, 3]]), self.b)
        self.assertIn("odd.msh, 7 elements, 8 vertices, 1 flat, 1 inside out\n", text)
        text = abut_well("depth", self.b, write_mesh(self.folder / "turned.msh", points, turned))
        self.assertIn("turned.msh, 6 elements, 8 vertices, all wound the other way\n", text)
        answer = ask(self.folder / "odd.msh", self.b)
        self.assertEqual((answer["a"]["flat"], answer["a"]["inverted"]), (1, 1))

    def test_pairs_of_elements(self):
        (self.folder / "p.csv").write_text("a,b\n1001,3\n1000,48 # far\n")
        answer = ask(self.a, self.b, "--pairs", self.folder / "p.csv", "--pose", "0.9,0,0")
        self.assertEqual([(pair["a"], pair["b"]) for pair in answer["pairs"]], [(1001, 3), (1000, 48)])
        self.assertIsNone(answer["candidates"])
        text = abut_well("depth", self.a, self.b, "--pairs", self.folder / "p.csv", "--pose", "0.9,0,0")
        self.assertRegex(text, r"(?m)^  pairs +2: \d intersecting, \d touching, \d apart$")
        (self.folder / "p.csv").write_text("1030,1000\n1000,1030\n")
        one = ask(self.a, "--pairs", self.folder / "p.csv")["pairs"]
        self.assertEqual([(pair["a"], pair["b"]) for pair in one], [(1030, 1000), (1000, 1030)])

    def test_pairs_without_an_answer(self):
        far = "1e308,0,0,-1e308,0,0,0,1e308,0,0,0,1e308,0,0,0,1e308,1,1,-1e308,0,0,1e308,1e308,1e308\n"
        (self.folder / "far.csv").write_text(far + "0,0,0,1,0,0,0,1,0,0,0,1,0.2,0.2,0.2,2,0,0,0,2,0,0,0,2\n")
        self.assertIn(" 1 intersecting, 0 touching, 0 apart, 1 without an answer\n", abut_well("depth", "--pairs", self.folder / "far.csv"))
        answer = ask("--pairs", self.folder / "far.csv")
        self.assertEqual(answer["failed"], 1)
        self.assertEqual(answer["pairs"][0], {"a": 1, "b": 1, "relation": "none", "problem": "a number is infinite or not a number"})
        self.assertEqual(answer["pairs"][1]["relation"], "intersecting")
        abut_well("depth", "--pairs", self.folder / "far.csv", "-o", self.folder / "far_out.csv")
        table = self.rows(self.folder / "far_out.csv")
        self.assertEqual((table[0]["relation"], table[0]["depth"], table[0]["problem"]), ("none", "", answer["pairs"][0]["problem"]))
        self.assertEqual([row[None] for row in table if None in row], [])

    def test_tables_hold_what_json_says(self):
        (self.folder / "p.csv").write_text("".join(f"{1000 + 3 * i},{i + 1}\n" for i in range(48)))
        for line in ((self.a, self.b, "--pose", "0.9,0.1,0.05"), (self.a, self.b, "--pose", "0.9,0,0", "--pairs", self.folder / "p.csv")):
            answer = ask(*line)
            abut_well("depth", *line, "-o", self.folder / "out.csv")
            table = self.rows(self.folder / "out.csv")
            self.assertEqual(len(table), len(answer["pairs"]))
            for row, pair in zip(table, answer["pairs"]):
                for key in ("a", "b", "feature_a", "feature_b"):
                    self.assertEqual(int(row[key]), pair[key])
                for key in ("depth", "sigma_a", "sigma_b", "offset"):
                    self.assertEqual(float(row[key]), pair[key])
                self.assertEqual((row["relation"], row["direction"], row["certified"], row["problem"]),
                                 (pair["relation"], pair["direction"], str(int(pair["certified"])), ""))
                self.assertEqual([float(row[f"normal_{axis}"]) for axis in "xyz"], pair["normal"])
                self.assertEqual([float(row[f"rigid_normal_{axis}"]) for axis in "xyz"], pair["rigid"]["normal"])
                self.assertEqual((float(row["rigid_depth"]), row["rigid_direction"]), (pair["rigid"]["depth"], pair["rigid"]["direction"]))
                for body in "ab":
                    got = [[float(row[f"displacement_{body}{i}_{axis}"]) for axis in "xyz"] for i in range(4)]
                    self.assertEqual(got, pair[f"displacement_{body}"])

    def check_cells(self, grid, answer):
        """For each element: its deepest pair, and the number of its pairs."""
        data = {name: blocks[0] for name, blocks in grid.cell_data.items()}
        index = {(body, tag): i for i, (body, tag) in enumerate(zip(data["body"], data["tag"]))}
        expected = {name: np.zeros_like(values) for name, values in data.items() if name not in ("body", "tag", "region", "remaining")}
        expected["partner"][:] = -1
        for pair in answer["pairs"]:
            second = 0 if answer["b"] is None else 1
            for element, partner, sign, displacement in ((index[0, pair["a"]], pair["b"], 1, pair["displacement_a"]),
                                                         (index[second, pair["b"]], pair["a"], -1, pair["displacement_b"])):
                if pair["relation"] != "intersecting":
                    continue
                expected["partners"][element] += 1
                if pair["depth"] > expected["depth"][element]:
                    expected["depth"][element] = pair["depth"]
                    expected["rigid_depth"][element] = pair["rigid"]["depth"]
                    expected["partner"][element] = partner
                    expected["normal"][element] = np.multiply(sign, pair["normal"])
                    expected["displacement"][element] = np.mean(displacement, axis=0)
        for name, values in expected.items():
            np.testing.assert_allclose(data[name], values, rtol=1e-14, atol=1e-16, err_msg=name)
        return data

    @unittest.skipUnless(meshio, "meshio is needed (Debian: python3-meshio)")
    def test_grids(self):
        line = (self.a, self.b, "--pose", "0.9,0.1,0.05")
        answer = ask(*line)
        abut_well("depth", *line, "-o", self.folder / "out.vtu")
        grid = meshio.read(self.folder / "out.vtu")
        data = self.check_cells(grid, answer)
        np.testing.assert_array_equal(data["body"], [0] * 162 + [1] * 48)
        np.testing.assert_array_equal(data["tag"], [*range(1000, 1162), *range(1, 49)])
        np.testing.assert_array_equal(data["region"], [1 + e % 2 for e in range(162)] + [1] * 48)
        self.assertNotIn("remaining", data)
        posed = np.concatenate([block()[0], np.add(block(cells=(2, 2, 2))[0], [0.9, 0.1, 0.05])])
        np.testing.assert_allclose(grid.points, posed, atol=1e-15)
        abut_well("depth", *line, "--resolve", "-o", self.folder / "apart.vtu")
        apart = meshio.read(self.folder / "apart.vtu")
        data = self.check_cells(apart, answer)
        np.testing.assert_allclose(apart.points - apart.point_data["moved"], posed, atol=1e-14)
        np.testing.assert_array_equal(data["remaining"], 0)
        report = ask(*line, "--resolve")["separation"]
        self.assertEqual((report["end"], report["pairs_begin"], report["pairs_remaining"]), ("apart", answer["intersecting"], 0))
        self.assertAlmostEqual(np.linalg.norm(apart.point_data["moved"], axis=1).max(), report["displacement_max"], places=14)
        self.assertEqual([report[name] for name in ("volume_ratio_least", "held_a", "held_b")], [None] * 3)
        self.assertNotIn("volume_ratio", data)

    @unittest.skipUnless(meshio, "meshio is needed (Debian: python3-meshio)")
    def test_volume_ratio_of_a_separation(self):
        line = (self.a, self.b, "--pose", "0.9,0.1,0.05", "--resolve", "--volume-ratio", "0.9", "-o", self.folder / "kept.vtu")
        answer = ask(*line[:-2])
        report = answer["separation"]
        abut_well("depth", *line)
        grid = meshio.read(self.folder / "kept.vtu")
        corners = grid.cells_dict["tetra"]
        volumes = [np.linalg.det(p[corners[:, 1:]] - p[corners[:, :1]]) for p in (grid.points, grid.points - grid.point_data["moved"])]
        ratio = volumes[0] / volumes[1]
        data = {name: values[0] for name, values in grid.cell_data.items()}
        np.testing.assert_allclose(data["volume_ratio"], ratio, rtol=1e-9)
        self.assertGreaterEqual(ratio.min(), 0.9)
        self.assertAlmostEqual(ratio.min(), report["volume_ratio_least"], places=9)
        self.assertEqual((report["end"], report["flat_after"], report["inverted"]), ("apart", 0, 0))
        held = {int(tag) for tag in data["tag"][ratio < 0.903]}
        self.assertEqual(held, {*report["held_a"], *report["held_b"]})
        self.assertGreater(len(held), 0)
        self.assertIn("share of the volume", abut_well("depth", *line[:-2]))

    @unittest.skipUnless(meshio, "meshio is needed (Debian: python3-meshio)")
    def test_grids_of_rows_and_of_one_mesh(self):
        (self.folder / "t.csv").write_text("0,0,0,1,0,0,0,1,0,0,0,1,0.2,0.2,0.2,2,0,0,0,2,0,0,0,2\n" + 2 * (",".join(["0"] * 24) + "\n"))
        answer = ask("--pairs", self.folder / "t.csv", "--pose", "0.05,0,0")
        abut_well("depth", "--pairs", self.folder / "t.csv", "--pose", "0.05,0,0", "-o", self.folder / "t.vtu")
        grid = meshio.read(self.folder / "t.vtu")
        self.check_cells(grid, answer)
        self.assertEqual(len(grid.points), 24)
        np.testing.assert_allclose(grid.points[12], [0.25, 0.2, 0.2])
        both = write_mesh(self.folder / "both.msh", [*block()[0], *block(origin=(0.9, 0.1, 0.05))[0]],
                          [*block()[1], *(np.array(block()[1]) + 64).tolist()])
        answer = ask(both)
        self.assertGreater(answer["intersecting"], 0)
        abut_well("depth", both, "-o", self.folder / "both.vtu")
        self.check_cells(meshio.read(self.folder / "both.vtu"), answer)

    @unittest.skipUnless(meshio, "meshio is needed (Debian: python3-meshio)")
    def test_grids_of_any_size_are_read(self):
        """meshio confuses two arrays if an offset of one, as meshio stores it, equals the offset of the other in the file."""
        row = "0,0,0,1,0,0,0,1,0,0,0,1,0.2,0.2,0.2,2,0,0,0,2,0,0,0,2\n"
        for count in range(1, 13):
            (self.folder / "t.csv").write_text(row * count)
            abut_well("depth", "--pairs", self.folder / "t.csv", "-o", self.folder / "t.vtu")
            grid = meshio.read(self.folder / "t.vtu")
            np.testing.assert_array_equal(grid.cell_data["tag"][0], [*range(1, count + 1)] * 2)
            self.assertEqual(len(np.unique(grid.cell_data["depth"][0])), 1)

    def test_separated_meshes_are_apart(self):
        """The separated meshes, written and read again, have no depth left: the file has the new positions of the vertices."""
        if not meshio:
            self.skipTest("meshio is needed (Debian: python3-meshio)")
        abut_well("depth", self.a, self.b, "--pose", "0.8,0.1,0.05", "--resolve", "-o", self.folder / "apart.vtu")
        grid = meshio.read(self.folder / "apart.vtu")
        cells, body = grid.cells[0].data, grid.cell_data["body"][0]
        files = [write_mesh(self.folder / f"{b}.msh", grid.points, cells[body == b]) for b in (0, 1)]
        self.assertEqual(ask(*files)["intersecting"], 0)
        for static, name in (("--weight-a", 0), ("--weight-b", 1)):
            abut_well("depth", self.a, self.b, "--pose", "0.8,0.1,0.05", "--resolve", static, "static", "-o", self.folder / "apart.vtu")
            moved = np.linalg.norm(meshio.read(self.folder / "apart.vtu").point_data["moved"], axis=1)
            still = moved[:64] if name == 0 else moved[64:]
            self.assertEqual((still.max(), moved.max() > 0), (0, True))

    def folded(self):
        """Ten tetrahedra about one point, each intersecting all others. They share vertices, but none with their neighbour. Planes cannot separate them."""
        generator = np.random.default_rng(5)
        points = generator.normal(size=(40, 3))
        points -= np.repeat(points.reshape(10, 4, 3).mean(axis=1), 4, axis=0)
        return write_mesh(self.folder / "folded.msh", points, np.arange(40).reshape(10, 4))

    def test_pairs_that_are_left(self):
        path = self.folded()
        result = abut("depth", path, "--resolve", "-o", self.folder / "left.vtu")
        answer = json.loads(abut("depth", path, "--resolve", "--json").stdout)
        left = answer["separation"]["pairs_remaining"]
        self.assertEqual(result.returncode, 1)
        self.assertRegex(result.stderr, rf"^abut depth: {left} pairs? of elements still intersects? after the separation: .*; "
                                        rf"'{re.escape(str(self.folder / 'left.vtu'))}' lists them\n$")
        self.assertIn("intersect now\n", result.stdout)
        if meshio:
            remaining = meshio.read(self.folder / "left.vtu").cell_data["remaining"][0]
            self.assertEqual(remaining.sum(), 2 * left)

    def refused(self, *arguments, says, status=2, **options):
        result = abut("depth", *arguments, cwd=self.folder, **options)
        self.assertEqual((result.returncode, result.stdout, result.stderr.count("\n")), (status, "", 1), result)
        self.assertIn(says, result.stderr)

    def test_wrong_tables(self):
        (self.folder / "corners.csv").write_text("x\n" + ",".join(["0"] * 24) + "\n")
        (self.folder / "elements.csv").write_text("1000,1\n\n1001,49\n")
        (self.folder / "same.csv").write_text("1000,1001\n1003,1003\n")
        (self.folder / "bad.csv").write_text("1000,1\n1000,one\n")
        self.refused("a.msh", "b.msh", "--pairs", "corners.csv", says="corners.csv:2: this row has coordinates of its own, and needs no mesh")
        self.refused("a.msh", "b.msh", "--pairs", "elements.csv", says="elements.csv:3: 'b.msh' has no tetrahedron 49; its numbers go from 1 to 48")
        self.refused("a.msh", "--pairs", "same.csv", says="same.csv:2: element 1003 is paired with itself")
        self.refused("a.msh", "b.msh", "--pairs", "bad.csv", says="bad.csv:2: column 2: 'one' is not a whole number")
        self.refused("a.msh", "b.msh", "--pairs", ".", says="folder")

    def test_meshes_that_are_wrong_or_far(self):
        (self.folder / "cut.msh").write_text(self.a.read_text()[:900])
        self.refused("cut.msh", "b.msh", says="cut.msh:")
        self.refused("a.msh", "nowhere.msh", says="nowhere.msh")
        write_mesh(self.folder / "huge.msh", [(0, 0, 0), (1e308, 0, 0), (0, 1e308, 0), (0, 0, 1e308)], [[0, 1, 2, 3]])
        self.refused("huge.msh", "huge.msh", says="coordinates are beyond 1e307")

    def test_outputs_that_cannot_be_written(self):
        for name in ("old.vtu", "old.csv"):
            (self.folder / name).write_text("old")
        for name in ("nowhere/x.vtu", "nowhere/x.csv", "a.msh/x.csv"):
            self.refused("a.msh", "b.msh", "-o", name, says=f"cannot write '{name}'")
        os.symlink("/dev/full", self.folder / "full.csv")
        os.symlink("/dev/full", self.folder / "full.vtu")
        for name in ("full.csv", "full.vtu"):
            self.refused("a.msh", "b.msh", "--pose", "0.9,0,0", "-o", name, says=f"cannot write '{name}'")

        def limit():
            resource.setrlimit(resource.RLIMIT_FSIZE, (2000, 2000))
        for name in ("old.vtu", "old.csv"):
            self.refused("a.msh", "b.msh", "--pose", "0.9,0,0", "-o", name, says=f"cannot write '{name}'", preexec_fn=limit)
            self.assertEqual((self.folder / name).read_text(), "old")
        (self.folder / "link.vtu").symlink_to("a.msh")
        self.refused("a.msh", "b.msh", "-o", "link.vtu", says="'link.vtu' is the input 'a.msh'; write elsewhere")
        self.assertEqual(sorted(path.name for path in self.folder.iterdir() if path.name.startswith(".")), [])

    def test_progress_is_for_terminals(self):
        try:
            leader, follower = pty.openpty()
        except OSError as error:  # a container without /dev/pts
            self.skipTest(f"no terminal to be had: {error}")
        done = subprocess.run([demo.COMMAND, "depth", str(self.a), str(self.b), "--pose", "0.9,0,0", "--resolve"], stdout=subprocess.PIPE,
                              stderr=follower, check=True)
        os.close(follower)
        shown = b""
        try:
            while part := os.read(leader, 10000):
                shown += part
        except OSError:  # everything is read and the other end is closed
            pass
        os.close(leader)
        self.assertRegex(shown, rb"\r\[\.+\] +0 % +looking for pairs")
        self.assertRegex(shown, rb"\r\[#+\] +100 % +separating *\r +\r$")
        self.assertNotIn(b"\x1b", shown)
        self.assertIn(b"separated", done.stdout)


if __name__ == "__main__":
    unittest.main(verbosity=2)
