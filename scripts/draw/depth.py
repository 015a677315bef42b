#!/usr/bin/env python3
"""Draw the figures of docs/methods/depth.md from the answers of `abut depth --json`. Needs only Python. depth_meshes.py draws the figures of whole meshes."""

import sys

from figure import amount, draw_all, Picture

# Upper and lower overlap at an edge of each.
UPPER = ((0.05, 1.05, -0.22), (-0.25, -1.0, -0.18), (0.95, -0.15, 1.25), (-1.15, 0.1, 1.1))
LOWER = ((-1.2, 0.12, 0.2), (1.15, -0.2, 0.24), (0.15, 1.0, -1.15), (-0.2, -1.05, -1.2))
EDGES = [(i, j) for i in range(4) for j in range(i + 1, 4)]

STYLE = """
.af{fill:#3f7fc8;fill-opacity:.13}.bf{fill:#dd8a2e;fill-opacity:.15}
.ae{fill:none;stroke:#2f6bb0;stroke-width:1.6;stroke-linejoin:round}.be{fill:none;stroke:#b96a12;stroke-width:1.6;stroke-linejoin:round}
.hidden{stroke-width:1.1;stroke-dasharray:3 3;stroke-opacity:.75}
.was{fill:none;stroke:#9aa0aa;stroke-width:1;stroke-dasharray:2 3}
.sheet{fill:#35b877;fill-opacity:.16;stroke:#1c8a54;stroke-width:1.2}
"""
DARK = """
.af{fill:#74aef0}.bf{fill:#f0ac5a}.ae{stroke:#74aef0}.be{stroke:#f0ac5a}.was{stroke:#7d8590}.sheet{stroke:#47c489}
"""


def add(p, q, scale=1.0):
    return tuple(a + scale * b for a, b in zip(p, q))


def dot(p, q):
    return sum(a * b for a, b in zip(p, q))


def cross(p, q):
    return (p[1] * q[2] - p[2] * q[1], p[2] * q[0] - p[0] * q[2], p[0] * q[1] - p[1] * q[0])


def unit(p):
    length = dot(p, p) ** 0.5
    return tuple(a / length for a in p)


class Camera:
    """Parallel projection; `toward` points to the eye."""

    def __init__(self, toward, up, x, y, scale):
        self.toward = unit(toward)
        self.right = unit(cross(up, self.toward))
        self.up = cross(self.toward, self.right)
        self.x, self.y, self.scale = x, y, scale

    def __call__(self, p):
        return self.x + self.scale * dot(p, self.right), self.y - self.scale * dot(p, self.up)


def faces_of(corners, camera):
    """(corners of a face, whether it faces the eye), seen from outside."""
    middle = tuple(sum(p[i] for p in corners) / 4 for i in range(3))
    for skip in range(4):
        face = [i for i in range(4) if i != skip]
        p, q, r = (corners[i] for i in face)
        normal = cross(add(q, p, -1), add(r, p, -1))
        outward = dot(normal, add(p, middle, -1)) > 0
        yield face, (dot(normal, camera.toward) > 0) == outward


def draw_tetrahedron(picture, camera, corners, face_style, edge_style):
    faces = list(faces_of(corners, camera))
    for face, seen in faces:
        if seen:
            picture.polygon([camera(corners[i]) for i in face], face_style)
    for i, j in EDGES:
        seen = any(visible and i in face and j in face for face, visible in faces)
        picture.polyline([camera(corners[i]), camera(corners[j])], edge_style if seen else f"{edge_style} hidden")


def draw_outline(picture, camera, corners):
    for i, j in EDGES:
        picture.polyline([camera(corners[i]), camera(corners[j])], "was")


def draw_sheet(picture, camera, normal, offset, half):
    """A rectangle of the plane, with one side along the camera's axis."""
    middle = tuple(offset * x for x in normal)
    side = unit(cross(normal, camera.toward))
    deep = cross(normal, side)
    corners = [add(add(middle, side, s * half[0]), deep, d * half[1]) for s, d in ((1, 1), (-1, 1), (-1, -1), (1, -1))]
    picture.polygon([camera(p) for p in corners], "sheet")


def draw_pair(library, path):
    """The paper's figure 5: the overlapping pair, and the pair separated in three ways."""
    (static,) = library.depth([(UPPER, LOWER)], "--weight-b", "static")
    (both,) = library.depth([(UPPER, LOWER)])
    rigid = both["rigid"]
    still = [(0, 0, 0)] * 4
    shift = [tuple(rigid["depth"] * x for x in rigid["normal"])] * 4
    top = max(dot(rigid["normal"], p) for p in LOWER)
    panels = [
        ("as they lie", still, still, None, "in each other"),
        ("moved as a whole", shift, still, (rigid["normal"], top), f"rigid depth {amount(rigid['depth'])}"),
        ("only the upper deforms", static["displacement_a"], still, (static["normal"], static["offset"]), f"depth {amount(static['depth'])}"),
        ("both deform", both["displacement_a"], both["displacement_b"], (both["normal"], both["offset"]), f"depth {amount(both['depth'])}"),
    ]
    picture = Picture(800, 306, "Two tetrahedra in each other, and parted in three ways", STYLE, DARK)
    for i, (title, by_a, by_b, plane, words) in enumerate(panels):
        camera = Camera((0.25, -1.0, 0.17), (0, 0, 1), 101 + 199.5 * i, 160, 70)
        a, b = [add(p, d) for p, d in zip(UPPER, by_a)], [add(p, d) for p, d in zip(LOWER, by_b)]
        if plane:
            draw_outline(picture, camera, UPPER)
            draw_outline(picture, camera, LOWER)
        draw_tetrahedron(picture, camera, b, "bf", "be")
        if plane:
            draw_sheet(picture, camera, *plane, (1.25, 1.0))
        draw_tetrahedron(picture, camera, a, "af", "ae")
        picture.text(camera.x, 26, title, "mid title")
        picture.text(camera.x, 280, words, "mid")
        if i > 1:
            share = (static if i == 2 else both)["depth"] / rigid["depth"]
            picture.text(camera.x, 296, f"{100 * share:.1f} % of the rigid depth", "mid small quiet")
    picture.write(path)


def draw_plane(library, path):
    """The motion of each vertex of a body when a plane rises through it. The plane is the top of a large static tetrahedron."""
    body = ((-0.85, 0.0, -0.62), (0.95, 0.0, -0.2), (0.1, 0.3, 0.35), (-0.25, -0.2, 1.45))
    heights = (-0.3, 0.02, 0.33, 0.85)
    picture = Picture(800, 278, "A tetrahedron pushed by a plane that rises", STYLE, DARK)
    for i, height in enumerate(heights):
        half = ((-90, -90, height), (90, -90, height), (0, 120, height), (0, 0, height - 150))
        (answer,) = library.depth([(body, half)], "--weight-b", "static")
        moves = [d[2] for d in answer["displacement_a"]]
        camera = Camera((0, -1, 0), (0, 0, 1), 101 + 199.5 * i, 165, 76)
        now = [add(p, d) for p, d in zip(body, answer["displacement_a"])]
        x, y = camera((0, 0, height))
        picture.polygon([(x - 88, y), (x + 88, y), (x + 88, 240), (x - 88, 240)], "bf")
        picture.polyline([(x - 88, y), (x + 88, y)], "be")
        draw_outline(picture, camera, body)
        draw_tetrahedron(picture, camera, now, "af", "ae")
        for p, q, move in zip(body, now, moves):
            if abs(move) * camera.scale > 3:
                picture.arrow(camera(p), camera(q), "g" if move < 0 else "l", "gh" if move < 0 else "lh")
        pushed = sum(abs(q[2] - height) < 1e-9 for q in now)
        picture.text(camera.x, 26, f"{pushed} on the plane", "mid title")
        pull = -min(moves) if pushed < 4 else 0.0
        words = f"the others sink by t = {amount(pull)}" if pushed < 4 else "all come onto it"
        picture.text(camera.x, 261, words, "mid small quiet")
    picture.write(path)


if __name__ == "__main__":
    draw_all({"depth_pair": draw_pair, "depth_plane": draw_plane}, "depth.py", "depth.md", sys.argv[1:])
