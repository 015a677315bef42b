#!/usr/bin/env python3
"""Draw the figures of docs/methods/meshes.md from the answers of `abut collide --json` about balls on triangles, by every rule. Needs only Python.

The answer of `--mesh-rule surface` is the reference. A contact of another rule is a ghost if the reference has no contact with its normal.
"""

import math
import pathlib
import sys

from figure import amount, draw_all, hull, Picture, pose, View

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "make"))

import mesh_figures  # noqa: E402

STYLE = """
.sheet{fill:#fbfaf7}
.far{fill:#c4453a;fill-opacity:.2;stroke:#b23a30;stroke-width:1.6}.ft{fill:#b23a30}
.under{fill:none;stroke:#2f6bb0;stroke-width:1;stroke-opacity:.7}
.twice{fill:none;stroke:#1c8a54;stroke-width:1.3;stroke-dasharray:3 2.5}
.surface{fill:none;stroke:#b96a12;stroke-width:2.4}
.solid{fill:#dd8a2e;fill-opacity:.16}
.other{fill:#8a8f98;fill-opacity:.22;stroke:#70757e;stroke-width:1.6}
.rule{stroke:#aab0b9;stroke-width:1;stroke-opacity:.5}
"""
DARK = """
.sheet{fill:#1d2127}
.far{stroke:#f07f74}.ft{fill:#f4988f}.under{stroke:#74aef0}.twice{stroke:#47c489}
.other{stroke:#a0a7b1}
.surface{stroke:#f0ac5a}
"""
SAME = 1e-6


# ---- asking ----


def touches(library, surface, ball, rule, *options):
    """Contacts of a ball (middle, radius, margin) with a surface: the same as pieces [surface, ...] when it is a list."""
    middle, radius, margin = ball
    pieces = surface if isinstance(surface, list) else [surface]
    files = [f"trimesh:{library.mesh(f'piece_{i}', *piece)}" for i, piece in enumerate(pieces)]
    answer = library.collide(
        f"sphere:{radius!r}", *files, "--pose-a", pose(middle), "--margin", repr(margin), "--mesh-rule", rule, *options
    )
    return answer["contacts"]


def is_near(p, q):
    return math.dist(p, q) < SAME


def judged(contacts, right):
    """(contact, "right" | "again" | "ghost"): "again" means that the normal is right and the contact repeats an earlier one."""
    result, used = [], []
    for contact in contacts:
        here = [r for r in right if is_near(r["normal"], contact["normal"])]
        at_place = [r for r in here if is_near(r["on_b"], contact["on_b"]) and r not in used]
        used += at_place[:1]
        result.append((contact, "right" if at_place else "again" if here else "ghost"))
    return result


def counted(results, right):
    """The result of a rule, in words."""
    kinds = [kind for _, kind in results]
    missing = len(right) - kinds.count("right")
    counts = [
        (kinds.count("right"), "right"),
        (kinds.count("again"), "repeated"),
        (kinds.count("ghost"), "wrong"),
        (missing, "missing"),
    ]
    return ", ".join(f"{count} {word}" for count, word in counts if count) or "no contact"


def described(contact):
    """The gap, and the angle of the normal to that of the plane z = 0."""
    lean = math.degrees(math.acos(min(1.0, contact["normal"][2])))
    return f"gap {amount(contact['gap'])}, " + ("upright" if lean < 0.01 else f"leaning {lean:.0f}\u00b0")


# ---- drawing ----


class Eye(View):
    """Parallel projection from space to the picture. azimuth, above: direction of the eye, as in scripts/draw/frames.py [degrees]."""

    def __init__(self, x, y, scale, origin, azimuth=-70.0, above=32.0):
        super().__init__(x, y, scale)
        self.middle = origin
        a, b = math.radians(azimuth), math.radians(above)
        self.right = (-math.sin(a), math.cos(a), 0.0)
        self.up = (-math.sin(b) * math.cos(a), -math.sin(b) * math.sin(a), math.cos(b))

    def __call__(self, p):
        d = [p[k] - self.middle[k] for k in range(3)]
        return super().__call__([sum(d[k] * axis[k] for k in range(3)) for axis in (self.right, self.up)])


def add(p, direction, length):
    return [p[k] + length * direction[k] for k in range(3)]


def draw_triangles(picture, eye, surface, styles=None):
    """Opaque triangles, in front of all that was drawn before."""
    vertices, triangles = surface
    for i, corners in enumerate(triangles):
        ring = eye.all([vertices[v] for v in corners])
        picture.polygon(ring, "sheet")
        picture.polygon(ring, (styles or {}).get(i, "b"))


def cap(eye, ball):
    """Outline of the part of the ball above the plane z = 0: its circle in the plane, and the upper part of the silhouette."""
    (x, y, z), radius, _ = ball
    turns = [2 * math.pi * i / 96 for i in range(96)]
    ring = math.sqrt(max(0.0, radius * radius - z * z))
    points = [[x + ring * math.cos(t), y + ring * math.sin(t), 0.0] for t in turns] if z < radius else []
    rim = [[radius * (math.cos(t) * eye.right[k] + math.sin(t) * eye.up[k]) for k in range(3)] for t in turns]
    points += [[x + r[0], y + r[1], z + r[2]] for r in rim if z + r[2] >= 0.0]
    return hull(eye.all(points)), eye.all(points[:96]) if z < radius else []


def draw_scene(picture, eye, surface, ball, styles=None):
    """Triangles in the plane z = 0, and a ball that dips into it."""
    picture.circle(eye(ball[0]), ball[1] * eye.scale, "a")
    draw_triangles(picture, eye, surface, styles)
    outline, ring = cap(eye, ball)
    picture.polygon(outline, "a")
    if ring:
        picture.polygon(ring, "under")


def draw_normal(picture, eye, contact, kind, length):
    start = eye(contact["on_b"])
    end = eye(add(contact["on_b"], contact["normal"], length))
    if kind == "ghost":
        picture.arrow(start, end, "g", "gh")
        picture.circle(start, 3.2, "gh")
    elif kind == "right":
        picture.arrow(start, end, "l", "lh")
        picture.circle(start, 3.2, "lh")


def draw_ray(picture, eye, ball, point):
    """From the ball's middle to a closest point."""
    picture.polyline([eye(ball[0]), eye(point)], "line dash")


def label(picture, at, words, shift, style=""):
    picture.text(at[0] + shift[0], at[1] + shift[1], words, style)


def name_corners(picture, eye, surface, names):
    """names: {vertex: (name, shift)}."""
    for vertex, (name, shift) in names.items():
        label(picture, eye(surface[0][vertex]), name, shift, "small bt mid")


def name_triangles(picture, eye, names):
    """names: {name: its position in the plane z = 0}."""
    for name, (x, y) in names.items():
        label(picture, eye([x, y, 0.0]), name, (0, 5), "mid title bt")


def name_points(picture, eye, results, shifts):
    """Cp1, Cp2 and so on by distance, each place once; shifts: one for each name to draw."""
    places = []
    for contact, kind in sorted(results, key=lambda result: result[0]["gap"]):
        if not any(is_near(contact["on_b"], place) for place, _ in places):
            places.append((contact["on_b"], kind))
    for i, ((place, kind), shift) in enumerate(zip(places, shifts)):
        label(picture, eye(place), f"Cp{i + 1}", shift, "small " + ("gt" if kind == "ghost" else "lt"))


def new_picture(width, height, about):
    return Picture(width, height, about, STYLE, DARK)


# ---- figures 1, 2, 3 and 5: features that a ball touches ----

CORNERS = {0: ("V1", (-6, 14)), 1: ("V2", (8, 13)), 2: ("V3", (14, -2))}
# The balls of these figures: middle, radius, margin.
SINGLE = {1: ([-0.1, -0.2, 0.5], 0.6, 0.15), 2: ([0, -0.3, 0.5], 0.6, 0.15), 3: ([-0.85, 0.3, 0.35], 0.6, 0.15), 5: ([0.05, 1.3, 0.35], 0.6, 0.15)}


def draw_reach(picture, library, eye):
    surface, ball = mesh_figures.REACH, SINGLE[1]
    (contact,) = touches(library, surface, ball, "surface")
    (far,) = [c for c in touches(library, surface, (ball[0], ball[1], 9.0), "surface") if not is_near(c["on_b"], contact["on_b"])]
    draw_scene(picture, eye, surface, ball, {1: "far"})
    picture.circle(eye(ball[0]), (ball[1] + ball[2]) * eye.scale, "thin aline")
    for c in (contact, far):
        draw_ray(picture, eye, ball, c["on_b"])
    draw_normal(picture, eye, contact, "right", 0.36)
    picture.circle(eye(far["on_b"]), 3.2, "ring")
    picture.circle(eye(ball[0]), 3, "dot")
    label(picture, eye([(p + q) / 2 for p, q in zip(ball[0], far["on_b"])]), "D", (14, -4), "small")
    return [f"D {amount(far['gap'] + ball[1])}, the reach {amount(ball[1] + ball[2])}:", "the red triangle is ignored."]


def draw_single(picture, library, eye, figure, kind, shift):
    surface, ball = mesh_figures.TRIANGLE, SINGLE[figure]
    (contact,) = touches(library, surface, ball, "surface")
    assert contact["feature_b"]["kind"] == kind, contact
    draw_scene(picture, eye, surface, ball)
    draw_ray(picture, eye, ball, contact["on_b"])
    draw_normal(picture, eye, contact, "right", 0.36)
    picture.circle(eye(ball[0]), 3, "dot")
    label(picture, eye(ball[0]), "Sc", (-19, -7), "small")
    label(picture, eye(contact["on_b"]), "Cp = V3" if kind == "vertex" else "Cp", shift, "small")
    name_corners(picture, eye, surface, {v: CORNERS[v] for v in range(3) if kind != "vertex" or v < 2})
    n = " ".join(amount(x)[:-1] for x in contact["normal"])
    return [f"gap {amount(contact['gap'])}", f"normal {n}"]


def draw_features(library, path):
    """Figures 1, 2, 3, 5."""
    picture = new_picture(760, 262, "A ball and a triangle: out of reach, on the face, at an edge, at a vertex")
    panels = [
        ("1 \u00b7 Out of reach", lambda eye: draw_reach(picture, library, eye), 54, [0.5, 0.0, 0.25]),
        ("2 \u00b7 A face", lambda eye: draw_single(picture, library, eye, 2, "face", (-22, 4)), 68, [0.1, 0, 0.25]),
        ("3 \u00b7 An edge", lambda eye: draw_single(picture, library, eye, 3, "edge", (9, 8)), 68, [-0.1, 0, 0.25]),
        ("5 \u00b7 A vertex", lambda eye: draw_single(picture, library, eye, 5, "vertex", (14, 17)), 68, [0.1, 0.3, 0.25]),
    ]
    for i, (title, draw, scale, origin) in enumerate(panels):
        left = 20 + 184 * i
        picture.text(left, 28, title, "title")
        for k, words in enumerate(draw(Eye(left + 80, 132, scale, origin))):
            picture.text(left, 226 + 18 * k, words, "small quiet")
    picture.write(path)


# ---- figures 4, 6, 7 and 8: features that must not make a contact ----


def draw_answer(picture, library, eye, spec, rule, right, *options):
    """The surface, the ball, and the contacts of a rule with their verdicts."""
    surface, ball = spec["surface"], spec["ball"]
    results = judged(touches(library, surface, ball, rule, *options), right)
    whole = joined(surface)
    draw_scene(picture, eye, whole, ball, spec.get("styles"))
    for contact, _ in results:
        draw_ray(picture, eye, ball, contact["on_b"])
    for order in ("right", "ghost"):
        for contact, kind in results:
            if kind == order:
                draw_normal(picture, eye, contact, kind, spec["length"])
    picture.circle(eye(ball[0]), 3, "dot")
    name_triangles(picture, eye, spec.get("triangles", {}))
    name_corners(picture, eye, whole, spec.get("corners", {}))
    name_points(picture, eye, results, spec.get("points", []))
    return results


COLUMNS = (("closest", "Every closest point", 316), ("surface", "The surface, the default", 600))
ROW = 246


def draw_pairs(picture, library, specs):
    """A figure in each row, twice: every triangle by its closest point, and the surface."""
    for _, words, x in COLUMNS:
        picture.text(x, 28, words, "title mid")
    for k, spec in enumerate(specs):
        top = 40 + ROW * k
        picture.polyline([(20, top), (740, top)], "rule")
        for line, words in enumerate(spec["title"]):
            picture.text(20, top + 92 + 18 * line, words, "" if line else "title")
        right = touches(library, spec["surface"], spec["ball"], "surface")
        for rule, _, x in COLUMNS:
            eye = Eye(x, top + spec["at"], spec["scale"], spec["origin"], *spec["eye"])
            results = draw_answer(picture, library, eye, spec, rule, right)
            kind = "ghost" if rule == "closest" else "right"
            picture.text(x, top + 212, counted(results, right), "small mid " + ("gt" if kind == "ghost" else "lt"))
            words = [described(contact) for contact, found in results if found == kind]
            ghosts = "" if kind == "right" else "the ghost: " if len(words) == 1 else "ghosts: "
            picture.text(x, top + 231, ghosts + "; ".join(words), "small mid quiet")


FIGURE_4 = {
    "title": ["Figure 4", "beside an", "inner edge"],
    "surface": mesh_figures.SQUARE,
    "ball": ([0.5, -0.3, 0.9], 1.0, 0.1),
    "at": 113,
    "scale": 68,
    "origin": [0.1, 0, 0.4],
    "eye": (-118, 36),
    "length": 0.6,
    "triangles": {"T1": (-0.12, -0.8), "T2": (-0.6, 0.4)},
    "points": [(9, 8), (-30, 7)],
}
FIGURE_6 = {
    "title": ["Figure 6", "an edge, and a", "corner of another", "triangle"],
    "surface": mesh_figures.CORNER,
    "ball": ([0.45, 0.35, 0.5], 0.8, 0.1),
    "at": 112,
    "scale": 70,
    "origin": [0.1, 0, 0.15],
    "eye": (-80, 40),
    "length": 0.55,
    "triangles": {"T1": (0.85, -0.55), "T2": (-1.05, -0.12)},
    "points": [(9, -7), (-26, -9)],
    "corners": {2: ("V3", (-8, 16)), 4: ("V5", (6, 15)), 3: ("V4", (0, 14)), 0: ("V1", (-2, -6)), 1: ("V2", (-2, 15))},
}
FIGURE_7 = {
    "title": ["Figure 7", "a large contact", "distance"],
    "surface": mesh_figures.STRIP,
    "ball": ([0.5, 0.4, 0.5], 0.5, 2.0),
    "at": 104,
    "scale": 112,
    "origin": [0.95, 0.5, 0.2],
    "eye": (-72, 58),
    "length": 0.36,
    "triangles": {"T1": (0.68, 0.15), "T2": (1.15, 0.8), "T3": (1.6, 0.25)},
    "points": [(-29, 8), (9, 0), (9, 6)],
}
FIGURE_8 = {
    "title": ["Figure 8", "a vertex before", "an edge"],
    "surface": mesh_figures.FAN,
    "ball": ([0, 0, 0.5], 0.6, 1.0),
    "at": 104,
    "scale": 94,
    "origin": [0.25, 0.05, 0.1],
    "eye": (-85, 50),
    "length": 0.42,
    "triangles": {
        "T1": (0.66, 0.17),
        "T2": (0, 0.72),
        "T3": (-0.66, 0.4),
        "T4": (-0.62, -0.36),
        "T5": (0, -0.65),
        "T6": (0.58, -0.36),
        "T7": (1.1, 0.65),
    },
    "points": [(-28, 5), (9, 8)],
}


def draw_voided(library, path):
    """Figures 4, 6."""
    picture = new_picture(760, 44 + 2 * ROW, "A ball beside an inner edge, and one near an edge and a corner: with and without ghosts")
    draw_pairs(picture, library, (FIGURE_4, FIGURE_6))
    picture.write(path)


def draw_order(library, path):
    """Figures 7, 8."""
    picture = new_picture(760, 44 + 2 * ROW, "A ball whose margin reaches far, and one over a vertex of six triangles: with and without ghosts")
    draw_pairs(picture, library, (FIGURE_7, FIGURE_8))
    picture.write(path)


# ---- every rule on every kind of surface ----

AS_PRINTED = ("--mesh-identity", "index")
RULES = [
    ("triangles", (), ["Triangles\u2019", "normals"]),
    ("closest", (), ["Closest", "points"]),
    ("published", AS_PRINTED, ["The published", "rule"]),
    ("surface", (), ["The surface,", "the default"]),
]
BALLS = {"flat": [-0.35, 0, 0.95], "ridge": [0.1, 0, 0.95], "valley": [0.05, 0, 1.1], "cliff": [0.3, 0, 0.8], "step": [-0.4, 0, 0.98]}


def seen_from_the_side(p):
    return p[0], p[2]


def draw_profile(picture, view, outline, ball, results, behind=0.0):
    """A surface as a line, the solid below it and this far behind its end, the ball and its contacts. Dots mark joints of triangles in this plane."""
    bottom = min(z for _, z in outline) - 0.35
    end = [(outline[-1][0] + behind, outline[-1][1])] if behind else []
    picture.polygon(view.all([*outline, *end, (outline[-1][0] + behind, bottom), (outline[0][0], bottom)]), "solid")
    picture.polyline(view.all(outline), "surface")
    for p, q in zip(outline, outline[1:]):
        picture.circle(view(((p[0] + q[0]) / 2, (p[1] + q[1]) / 2)), 2, "bt")
    for p in outline[1:-1]:
        picture.circle(view(p), 2, "bt")
    middle, radius, _ = ball
    picture.circle(view(seen_from_the_side(middle)), radius * view.scale, "a")
    for order in ("again", "right", "ghost"):
        for contact, kind in results:
            start = seen_from_the_side(contact["on_b"])
            end = seen_from_the_side(add(contact["on_b"], contact["normal"], 0.62))
            if kind == order == "again":
                picture.polyline([view(start), view(end)], "twice")
            elif kind == order:
                draw_normal(picture, lambda p: view(seen_from_the_side(p)), contact, kind, 0.62)
    picture.circle(view(seen_from_the_side(middle)), 2.2, "dot")


def draw_rules(library, path):
    """Four rules, five surfaces in profile."""
    row, column, left, top = 132, 124, 132, 44
    picture = new_picture(760, top + row * len(RULES) - 12, "Contacts of a ball with five surfaces by four rules")
    for i, (name, outline) in enumerate(mesh_figures.PROFILES.items()):
        x = left + column * i + column / 2
        picture.text(x, 28, name.capitalize(), "title mid")
        surface, ball = mesh_figures.profile(outline), (BALLS[name], 1.0, 0.1)
        right = touches(library, surface, ball, "surface")
        for k, (rule, options, _) in enumerate(RULES):
            low, high = min(z for _, z in outline) - 0.35, BALLS[name][2] + 1.0
            view = View(x, top + row * k + 42, 26, (0.0, (low + high) / 2))
            results = judged(touches(library, surface, ball, rule, *options), right)
            draw_profile(picture, view, outline, ball, results)
            bad = any(kind == "ghost" for _, kind in results)
            words = counted(results, right).split(", ")
            for line, pair in enumerate((words[:2], words[2:])):
                picture.text(x, top + row * k + 103 + 15 * line, ", ".join(pair), "small mid " + ("gt" if bad else "lt"))
    for k, (_, _, words) in enumerate(RULES):
        y = top + row * k
        picture.polyline([(20, y - 6), (740, y - 6)], "rule")
        for j, line in enumerate(words):
            picture.text(20, y + 40 + 17 * j, line, "title" if k == len(RULES) - 1 else "")
    picture.write(path)


# ---- corrections of the published rule ----

WALL = [(-1.6, 0), (0, 0), (0, 1.6)]
BEHIND_WALL = ([0.2, 0, 0.5], 1.0, 0.1)
T_JUNCTION = ([[-2, 0, 0], [0, -1, 0], [0, 1, 0], [0, 0, 0], [2, 0, 0]], [[0, 1, 2], [1, 4, 3], [3, 4, 2]])
HALVES = [([mesh_figures.SQUARE[0][v] for v in corners], [[0, 1, 2]]) for corners in mesh_figures.SQUARE[1]]
JUNCTION = {
    "title": "A T-junction",
    "surface": T_JUNCTION,
    "ball": ([-0.2, 0.4, 0.9], 1.0, 0.1),
    "scale": 50,
    "origin": [0, 0.1, 0.6],
    "eye": (-62, 40),
    "length": 0.6,
    "ring": [0, 0, 0],
}
SEAM = {
    **FIGURE_4,
    "title": "Two meshes side by side",
    "surface": HALVES,
    "scale": 56,
    "origin": [0.1, 0, 0.45],
    "triangles": {},
    "points": [],
    "styles": {1: "other"},
}


def joined(surface):
    """Several pieces as one list of triangles."""
    if not isinstance(surface, list):
        return surface
    vertices, triangles = [], []
    for more, corners in surface:
        triangles += [[v + len(vertices) for v in c] for c in corners]
        vertices += more
    return vertices, triangles


def draw_behind_wall(picture, library, x, y, rule, *options):
    """The surface faces left: the inside is at its right."""
    wall, ball = mesh_figures.profile(WALL), BEHIND_WALL
    right = touches(library, wall, ball, "surface")
    results = judged(touches(library, wall, ball, rule, *options), right)
    draw_profile(picture, View(x, y, 52, (0.0, 0.62)), WALL, ball, results, 1.6)
    picture.text(x - 76, y - 34, "outside", "small bt mid")
    picture.text(x + 60, y - 38, "inside", "small bt mid")
    return results, right


def draw_joint(picture, library, spec, x, y, rule, *options):
    right = touches(library, spec["surface"], spec["ball"], "surface")
    eye = Eye(x, y, spec["scale"], spec["origin"], *spec["eye"])
    results = draw_answer(picture, library, eye, spec, rule, right, *options)
    if "ring" in spec:
        picture.circle(eye(spec["ring"]), 3.2, "ring")
    return results, right


def draw_mended(library, path):
    """A wall from behind, a T-junction, two meshes side by side: the published rule, and the default."""
    picture = new_picture(760, 420, "A ball behind a wall, over a T-junction and over a seam between two meshes, by two rules")
    for i, title in enumerate(("Behind a wall", JUNCTION["title"], SEAM["title"])):
        picture.text(131 + 245 * i, 28, title, "title mid")
    for k, (rule, options, words) in enumerate((("published", AS_PRINTED, "The published rule"), ("surface", (), "The surface"))):
        y = 120 + 190 * k
        picture.polyline([(20, y - 80), (740, y - 80)], "rule")
        found = [draw_behind_wall(picture, library, 131, y, rule, *options)]
        found += [draw_joint(picture, library, spec, 376 + 245 * i, y, rule, *options) for i, spec in enumerate((JUNCTION, SEAM))]
        for i, (results, right) in enumerate(found):
            picture.text(131 + 245 * i, y + 96, f"{words}: {counted(results, right)}", "small mid " + ("gt" if k == 0 else "lt"))
    picture.write(path)


FIGURES = {
    "mesh_features": draw_features,
    "mesh_voided": draw_voided,
    "mesh_order": draw_order,
    "mesh_rules": draw_rules,
    "mesh_mended": draw_mended,
}

if __name__ == "__main__":
    draw_all(FIGURES, "meshes.py", "meshes.md", sys.argv[1:])
