#!/usr/bin/env python3
"""Asks `abut collide` for the contacts of each figure of Terdiman's "Contact generation for meshes", by every rule, and writes the table of
docs/methods/meshes.md. Needs only Python.

The right contact of each figure is computed here, from the feature that the paper names. The surfaces and balls are those of scripts/draw/meshes.py.
"""

import argparse
import math
import os
import pathlib
import sys
import tempfile

from document_table import DocumentTable

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path += [str(ROOT / "scripts" / "draw"), str(ROOT / "scripts" / "make")]

import figure  # noqa: E402
import mesh_figures  # noqa: E402
import meshes  # noqa: E402

INDEX = ("--mesh-identity", "index")
RULES = {
    "surface": ("default", ()),
    "published": ("published", INDEX),
    "three-passes": ("three passes", INDEX),
    "closest": ("closest points", INDEX),
    "triangles": ("triangles' normals", INDEX),
    "smoothed": ("smoothed normals", INDEX),
    "voronoi": ("Voronoi regions", INDEX),
}
CLIFF = mesh_figures.profile(mesh_figures.PROFILES["cliff"])
LAST_FIRST = (mesh_figures.STRIP[0], mesh_figures.STRIP[1][::-1])

# Each row: words, surface, ball (middle, radius, margin), and the vertices of the feature that the paper names.
ROWS = [
    ("1: a triangle out of reach", mesh_figures.REACH, meshes.SINGLE[1], (0, 1, 2)),
    ("2: a face", mesh_figures.TRIANGLE, meshes.SINGLE[2], (0, 1, 2)),
    ("3: an outer edge", mesh_figures.TRIANGLE, meshes.SINGLE[3], (0, 2)),
    ("4: beside an inner edge", meshes.FIGURE_4["surface"], meshes.FIGURE_4["ball"], (0, 1, 2)),
    ("5: an outer vertex", mesh_figures.TRIANGLE, meshes.SINGLE[5], (2,)),
    ("6: an edge, and a corner of a neighbour", meshes.FIGURE_6["surface"], meshes.FIGURE_6["ball"], (2, 4)),
    ("7: a large contact distance", meshes.FIGURE_7["surface"], meshes.FIGURE_7["ball"], (0, 1, 2)),
    ("7, with T3 first in the mesh", LAST_FIRST, meshes.FIGURE_7["ball"], (0, 1, 2)),
    ("8: over a vertex", meshes.FIGURE_8["surface"], meshes.FIGURE_8["ball"], (0,)),
    ("section 2: beyond a cliff", CLIFF, ([0.3, 0.0, 0.8], 1.0, 0.1), (2, 3)),
    ("section 2: on the face before a cliff", CLIFF, ([-0.3, 0.5, 0.9], 1.0, 0.0), (0, 1, 2, 3)),
]


def minus(p, q):
    return [a - b for a, b in zip(p, q)]


def dot(p, q):
    return sum(a * b for a, b in zip(p, q))


def foot(middle, corners):
    """The point of the vertex, or of the line or the plane through the corners, that is closest to the ball's middle."""
    if len(corners) == 1:
        return list(corners[0])
    way, side = minus(middle, corners[0]), minus(corners[1], corners[0])
    if len(corners) == 2:
        return meshes.add(corners[0], side, dot(way, side) / dot(side, side))
    other = minus(corners[2], corners[0])
    normal = [side[(i + 1) % 3] * other[(i + 2) % 3] - side[(i + 2) % 3] * other[(i + 1) % 3] for i in range(3)]
    return meshes.add(middle, normal, -dot(way, normal) / dot(normal, normal))


def right_contact(surface, ball, feature):
    middle, radius, _ = ball
    point = foot(middle, [surface[0][v] for v in feature])
    distance = math.dist(middle, point)
    normal = [x / distance for x in minus(middle, point)]
    return {"on_b": point, "normal": normal, "gap": distance - radius, "kind": ("vertex", "edge", "face")[min(len(feature), 3) - 1]}


def verdict(contacts, right, names_faces):
    """The answer of a rule in words; bold where it differs from the paper's figure. names_faces: contacts with the normal of a face are named after it."""
    right_ones = [
        c
        for c in contacts
        if meshes.is_near(c["on_b"], right["on_b"])
        and meshes.is_near(c["normal"], right["normal"])
        and abs(c["gap"] - right["gap"]) < meshes.SAME
        and (c["feature_b"]["kind"] == right["kind"] or (names_faces and c["feature_b"]["kind"] == "face"))
    ]
    if len(contacts) == len(right_ones) == 1:
        return "right"
    repeated = sum(meshes.is_near(c["normal"], right["normal"]) for c in contacts) - min(1, len(right_ones))
    wrong = len(contacts) - repeated - min(1, len(right_ones))
    counts = [(1 - min(1, len(right_ones)), "missing"), (repeated, "repeated"), (wrong, "wrong")]
    return "**" + ", ".join(f"{count} {word}" for count, word in counts if count) + "**"


def table(command):
    head = ["figure", *(words for words, _ in RULES.values())]
    lines = ["| " + " | ".join(head) + " |", "|---" * len(head) + "|"]
    with tempfile.TemporaryDirectory() as folder:
        library = figure.Library(command, folder)
        for words, surface, ball, feature in ROWS:
            right = right_contact(surface, ball, feature)
            answers = []
            for rule, (_, options) in RULES.items():
                answers.append(verdict(meshes.touches(library, surface, ball, rule, *options), right, rule == "surface"))
            lines.append("| " + " | ".join([words, *answers]) + " |")
    return "\n".join(lines)


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    usual = pathlib.Path(os.environ.get("ABUT_TEST_COMMAND", ROOT / "build" / "release" / "abut"))
    parser.add_argument("--command", type=pathlib.Path, default=usual, help="default: build/release/abut")
    parser.add_argument("--output", type=pathlib.Path, default=ROOT / "docs" / "methods" / "meshes.md", help="the document with the table")
    options = parser.parse_args(arguments)
    place = DocumentTable("mesh_rules.py", options.output)
    if not place.is_there():
        return 2
    place.write(table(options.command))
    return 0


if __name__ == "__main__":
    sys.exit(main())
