#!/usr/bin/env python3
"""Draw the figures of docs/methods/smooth.md from the answers of `abut collide --json` about smooth shapes. Needs only Python."""

import math
import sys

from figure import amount, draw_all, Picture, pose, rotate, turn, View

STEPS = 160


def outline(half, e2, q, position):
    """The section of the shape in the plane of the drawing, which is one of its symmetry planes."""
    points = []
    for i in range(STEPS):
        c, s = math.cos(2 * math.pi * i / STEPS), math.sin(2 * math.pi * i / STEPS)
        x, y = math.copysign(abs(c) ** e2, c) * half[0], math.copysign(abs(s) ** e2, s) * half[1]
        p = rotate(q, (x, y, 0))
        points.append((p[0] + position[0], p[1] + position[1]))
    return points


class Egg:
    """An ellipsoid, a superquadric or a box in the plane of the drawing."""

    def __init__(self, half, angle, position, exponents=None, box=False):
        self.half, self.position, self.q = half, (*position, 0), turn((0, 0, 1), math.radians(angle))
        self.exponents, self.box = exponents, box

    def words(self):
        sizes = [repr(x) for x in self.half]
        kind = "box" if self.box else "superquadric" if self.exponents else "ellipsoid"
        return f"{kind}:" + ",".join(sizes + [repr(e) for e in self.exponents or ()])

    def outline(self):
        if self.box:
            corners = [(1, 1), (-1, 1), (-1, -1), (1, -1)]
            turned = [rotate(self.q, (x * self.half[0], y * self.half[1], 0)) for x, y in corners]
            return [(p[0] + self.position[0], p[1] + self.position[1]) for p in turned]
        return outline(self.half, self.exponents[1] if self.exponents else 1.0, self.q, self.position)


def ask(library, a, b):
    poses = ("--pose-a", pose(a.position, a.q), "--pose", pose(b.position, b.q))
    return library.collide(a.words(), b.words(), *poses, "--margin", "1")["contacts"]


def panel(picture, library, view, a, b, title):
    picture.polygon(view.all(b.outline()), "b")
    picture.polygon(view.all(a.outline()), "a")
    (contact,) = ask(library, a, b)
    on_a, on_b, n = contact["on_a"], contact["on_b"], contact["normal"]
    if contact["gap"] > 0.02:
        picture.polyline([view(on_b), view(on_a)], "line dash")
    picture.arrow(view(on_b), view((on_b[0] + 0.55 * n[0], on_b[1] + 0.55 * n[1])), "l", "lh")
    picture.circle(view(on_a), 3.6, "dot")
    picture.circle(view(on_b), 3.6, "ring")
    picture.text(view.x, 24, title, "mid title")
    picture.text(view.x, 240, f"gap {amount(contact['gap'])}", "mid quiet")
    names = " and ".join(contact[f]["kind"] for f in ("feature_b", "feature_a") if contact[f]["kind"] != "smooth") or "one contact"
    picture.text(view.x, 257, names, "mid small quiet")


def draw_pairs(library, path):
    picture = Picture(800, 268, "Extremal pairs of smooth shapes")
    views = [View(100 + 200 * i, 125, 62) for i in range(4)]
    low = Egg((1.1, 0.6, 0.8), 20, (0.0, -0.75))
    panel(picture, library, views[0], Egg((0.8, 0.5, 0.6), -35, (0.25, 0.85)), low, "apart")
    panel(picture, library, views[1], Egg((0.8, 0.5, 0.6), -35, (0.15, 0.3)), low, "in each other")
    cushion = Egg((1.1, 0.7, 0.8), 8, (0.0, -0.7), exponents=(0.3, 0.3))
    panel(picture, library, views[2], Egg((0.5, 0.7, 0.5), 30, (0.55, 0.55)), cushion, "on a flat side")
    box = Egg((0.9, 0.6, 0.8), -14, (-0.25, -0.7), box=True)
    panel(picture, library, views[3], Egg((0.9, 0.5, 0.6), 60, (0.9, 0.45)), box, "off a box")
    picture.write(path)


def draw_least(library, path):
    """Two slender ellipsoids across each other: the way out changes sides where the overlap passes the middle."""
    picture = Picture(800, 270, "The least depth of slender ellipsoids")
    fixed = Egg((1.25, 0.3, 3.0), 0, (0.0, 0.0))
    for i, height in enumerate((1.0, 0.55, 0.2, -0.25)):
        view = View(100 + 200 * i, 150, 58)
        upper = Egg((1.1, 0.28, 3.0), 68, (0.35, height))
        picture.polygon(view.all(fixed.outline()), "b")
        picture.polygon(view.all(upper.outline()), "a")
        (contact,) = ask(library, upper, fixed)
        n, on_b = contact["normal"], contact["on_b"]
        way = [(x - contact["gap"] * n[0], y - contact["gap"] * n[1]) for x, y in upper.outline()]
        picture.polygon(view.all(way), "line dash faint")
        picture.arrow(view(on_b), view((on_b[0] + 0.6 * n[0], on_b[1] + 0.6 * n[1])), "l", "lh")
        picture.circle(view(on_b), 3.6, "ring")
        picture.text(view.x, 258, f"gap {amount(contact['gap'])}", "mid quiet")
    picture.write(path)


if __name__ == "__main__":
    draw_all({"smooth_pairs": draw_pairs, "smooth_least": draw_least}, "smooth.py", "smooth.md", sys.argv[1:])
