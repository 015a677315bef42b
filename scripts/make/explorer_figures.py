#!/usr/bin/env python3
"""Write viewer/src/explorer/figures.json: the surfaces, balls and tetrahedra of the figures of docs/methods/meshes.md and docs/methods/depth.md, for the contact explorer.

The numbers are those of mesh_figures.py, draw/meshes.py and draw/depth.py; a test of the pages compares the file with them.
"""

import json
import pathlib
import sys

import mesh_figures

ROOT = pathlib.Path(__file__).resolve().parents[2]
PATH = ROOT / "viewer" / "src" / "explorer" / "figures.json"
sys.path.append(str(ROOT / "scripts" / "draw"))

import depth  # noqa: E402
import meshes  # noqa: E402


def names(surface, spec):
    """The label positions of triangles and corners."""
    labels = {name: [x, y, 0] for name, (x, y) in spec.get("triangles", {}).items()}
    labels.update({name: surface[0][vertex] for vertex, (name, _) in spec.get("corners", {}).items()})
    return labels


NUMBERED = {
    1: (mesh_figures.REACH, "Figure 1: out of reach"),
    2: (mesh_figures.TRIANGLE, "Figure 2: a face"),
    3: (mesh_figures.TRIANGLE, "Figure 3: an edge"),
    5: (mesh_figures.TRIANGLE, "Figure 5: a vertex"),
}
SINGLE_NAMES = {n: names(mesh_figures.TRIANGLE, {"corners": meshes.CORNERS}) for n in (2, 3, 5)}
COMPARED = {
    4: (meshes.FIGURE_4, "Figure 4: beside an inner edge"),
    6: (meshes.FIGURE_6, "Figure 6: an edge, and a corner of another triangle"),
    7: (meshes.FIGURE_7, "Figure 7: a large contact distance"),
    8: (meshes.FIGURE_8, "Figure 8: a vertex before an edge"),
}


def figure(key, title, surfaces, ball, labels=None):
    middle, radius, margin = ball
    return {
        "key": key,
        "title": title,
        "pieces": [{"vertices": vertices, "triangles": triangles} for vertices, triangles in surfaces],
        "middle": middle,
        "radius": radius,
        "margin": margin,
        "labels": labels or {},
    }


def mesh_figures_of_the_page():
    numbered = {n: figure(f"figure_{n}", title, [surface], meshes.SINGLE[n], SINGLE_NAMES.get(n)) for n, (surface, title) in NUMBERED.items()}
    for n, (spec, title) in COMPARED.items():
        numbered[n] = figure(f"figure_{n}", title, [spec["surface"]], spec["ball"], names(spec["surface"], spec))
    result = [numbered[n] for n in sorted(numbered)]
    for name, outline in mesh_figures.PROFILES.items():
        result.append(figure(name, name.capitalize(), [mesh_figures.profile(outline)], (meshes.BALLS[name], 1.0, 0.1)))
    wall = mesh_figures.profile(meshes.WALL)
    result.append(figure("wall", "Behind a wall", [wall], meshes.BEHIND_WALL))
    for key, spec in (("t_junction", meshes.JUNCTION), ("seam", meshes.SEAM)):
        pieces = spec["surface"] if isinstance(spec["surface"], list) else [spec["surface"]]
        result.append(figure(key, spec["title"], pieces, spec["ball"]))
    return result


def written():
    made = {
        "meshes": mesh_figures_of_the_page(),
        "tetrahedra": {"upper": depth.UPPER, "lower": depth.LOWER},
    }
    lines = ",\n".join(f"    {json.dumps(m)}" for m in made["meshes"])
    return f'{{\n  "meshes": [\n{lines}\n  ],\n  "tetrahedra": {json.dumps(made["tetrahedra"])}\n}}\n'


if __name__ == "__main__":
    if sys.argv[1:] == ["--print"]:
        sys.stdout.write(written())
    else:
        PATH.write_text(written(), encoding="utf-8")
