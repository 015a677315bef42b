#!/usr/bin/env python3
"""Draw the figures of docs/methods/contacts.md from the answers of `abut collide --json`: normals, depths, points, features. Needs only Python."""

import concurrent.futures
import math
import sys

from figure import draw_all, along, amount, cross, hull, moved, outward, Picture, pose, product, rotate, scaled, turn, View

# ---- asking ----


def prism(library, name, outline):
    """A mesh file: the outline in the plane of x and z, counter-clockwise for an eye at -y, and long along y."""
    n = len(outline)
    sides = [(i, n + i, n + (i + 1) % n, (i + 1) % n) for i in range(n)]
    return library.mesh(name, [(x, y, z) for y in (-3.0, 3.0) for x, z in outline], [range(n), range(2 * n - 1, n - 1, -1), *sides])


def flat(v):
    """The view of an eye at -y."""
    return v[0], v[2]


def least_gap(answer):
    return min(contact["gap"] for contact in answer["contacts"])


# ---- the figures ----


def draw_growth(library, path):
    """The growth distance, and the least depth for comparison."""
    a = [(1.34, 0.14), (0.41, 0.95), (-0.46, 0.94), (-1.3, 0.29), (-1.04, -0.64), (0.92, -0.73)]
    b = [(0.93, 0.22), (-0.9, 0.29), (-0.05, -0.8)]
    at = (1.41, -0.61)
    answer = library.collide(prism(library, "growth_a", a), prism(library, "growth_b", b), "--pose", pose((at[0], 0, at[1])))
    growth = answer["growth"]
    b = moved(b, at)
    point_a, point_b, touch = flat(growth["contraction_a"]), flat(growth["contraction_b"]), flat(growth["touch"])
    deep, least = -growth["gap"], -least_gap(answer)
    way = tuple(-x for x in flat(growth["normal"]))
    short = tuple(-x for x in flat(answer["contacts"][0]["normal"]))
    picture = Picture(760, 440, "Growth distance and least depth of two overlapping prisms")

    picture.text(20, 28, "Shrunk until they touch", "title")
    view = View(104, 104, 62)
    picture.polygon(view.all(a), "a")
    picture.polygon(view.all(b), "b")
    picture.polygon(view.all(scaled(a, point_a, growth["alpha"])), "thin aline")
    picture.polygon(view.all(scaled(b, point_b, growth["alpha"])), "thin bline")
    for p in (point_a, point_b):
        picture.circle(view(p), 3, "dot")
    picture.circle(view(touch), 4, "ring")
    for at, name, style in (((-0.98, -0.12), "A", "at"), ((2.2, -0.78), "B", "bt")):
        x, y = view(at)
        picture.text(x, y, name, f"title mid {style}")
    picture.text(20, 186, f"\u03b1 {amount(growth['alpha'])}", "small")

    picture.text(20, 238, "Moved apart", "title")
    view = View(104, 314, 62)
    middle = (sum(x for x, _ in b) / len(b), sum(y for _, y in b) / len(b))
    picture.polygon(view.all(a), "a")
    picture.polygon(view.all(b), "b")
    for direction, length, line, head in ((way, deep, "g", "gh"), (short, least, "l", "lh")):
        picture.polygon(view.all(moved(b, along((0, 0), direction, length))), f"thin {line}")
        picture.arrow(view(middle), view(along(middle, direction, length)), line, head)
    picture.text(20, 404, f"growth normal {amount(deep)}", "small gt")
    picture.text(20, 421, f"least depth {amount(least)}", "small lt")

    picture.text(388, 28, "Both seen in A \u2212 B", "title")
    difference = hull([(p[0] - q[0], p[1] - q[1]) for p in a for q in b])
    view = View(560, 204, 76, (-1.405, 0.975))
    origin, centre = (0.0, 0.0), (point_a[0] - point_b[0], point_a[1] - point_b[1])
    leave = tuple(x * (1 - 1 / growth["alpha"]) for x in centre)
    picture.polygon(view.all(difference), "c")
    picture.polyline(view.all([centre, leave]), "line")
    picture.circle(view(leave), 3, "dot")
    picture.circle(view(centre), 3, "dot")
    picture.circle(view(origin), least * view.scale, "thin l")
    picture.arrow(view(origin), view(along(origin, way, deep)), "g", "gh")
    picture.arrow(view(origin), view(along(origin, short, least)), "l", "lh")
    picture.circle(view(origin), 4, "ring")
    for p, name, x, y in ((centre, "c", -12, 0), (origin, "0", 7, -8)):
        right, down = view(p)
        picture.text(right + x, down + y, name)
    picture.text(388, 404, "The ray from c through 0 leaves through the facet that gives", "small quiet")
    picture.text(388, 421, "the growth normal; the circle about 0 touches the nearest one.", "small quiet")
    picture.write(path)


def resting_box(half, rotation):
    """The position at which the lowest corner of a box with this rotation is at height 0."""
    lowest = min(rotate(rotation, [x, y, z])[2] for x in (-half[0], half[0]) for y in (-half[1], half[1]) for z in (-half[2], half[2]))
    return (0.0, 0.0, -lowest)


def down_to(direction):
    """The smallest rotation that brings a direction to -z."""
    x, y, z = direction
    if z > 1 - 1e-12:
        return (1.0, 0.0, 0.0, 0.0)
    # the cross product of the direction and (0, 0, -1), and 1 plus their cosine
    q = (-y, x, 0.0, 1.0 - z)
    length = math.sqrt(sum(c * c for c in q))
    return tuple(c / length for c in q)


EYE_X, EYE_Z = math.radians(-40), math.radians(28)


def seen(v):
    """Orthographic, from above and aside: right, up, towards the eye."""
    c, s = math.cos(EYE_X), math.sin(EYE_X)
    x, y = c * v[0] + s * v[1], -s * v[0] + c * v[1]
    c, s = math.cos(EYE_Z), math.sin(EYE_Z)
    return x, s * y + c * v[2], s * v[2] - c * y


def unseen(right, up, near):
    c, s = math.cos(EYE_Z), math.sin(EYE_Z)
    y, z = s * up - c * near, c * up + s * near
    c, s = math.cos(EYE_X), math.sin(EYE_X)
    return c * right - s * y, s * right + c * y, z


BOX_FACES = ((0, 2, 6, 4), (1, 5, 7, 3), (0, 4, 5, 1), (2, 3, 7, 6), (0, 1, 3, 2), (4, 6, 7, 5))


def draw_box(picture, view, half, position, rotation, style):
    """The faces that face the eye, and the other edges dashed."""
    corner = [
        [p + q for p, q in zip(position, rotate(rotation, [half[k] * (1 if i >> k & 1 else -1) for k in range(3)]))] for i in range(8)
    ]
    for front in (False, True):
        for face in BOX_FACES:
            outline = [seen(corner[i]) for i in face]
            facing = cross(outline[0], outline[1], outline[2]) > 0
            if facing == front:
                picture.polygon(view.all(outline), style if front else "line dash faint")


def draw_features(library, path):
    """The Gauss sphere of a box, one query for each direction, and an example of each of the three answers."""
    half, angle, radius, step = (0.5, 0.5, 0.5), 10, 128.0, 7.4
    shape = "box:" + ",".join(str(h) for h in half)

    def ask(rotation):
        return library.collide(
            shape, "plane:0,0,1,0", "--pose-a", pose(resting_box(half, rotation), rotation), "--margin", "1", "--feature-angle", str(angle)
        )["contacts"]

    def count_at(place):
        right, up = place[0] / radius, place[1] / radius
        return len(ask(down_to(unseen(right, up, math.sqrt(1 - right * right - up * up)))))

    places = []
    for row in range(-20, 21):
        for column in range(-20, 21):
            x, y = step * (column + 0.5 * (row % 2)), step * row * math.sqrt(0.75)
            if x * x + y * y < (0.97 * radius) ** 2:
                places.append((x, y))
    with concurrent.futures.ThreadPoolExecutor(max_workers=4) as pool:
        counts = list(pool.map(count_at, places))

    picture = Picture(760, 330, "Which feature takes part: the Gauss sphere of a box, and a box on a plane tilted three ways")
    picture.text(20, 28, "The Gauss sphere of a box", "title")
    centre = (158, 178)
    for count, style in ((4, "face"), (2, "edge"), (1, "vertex")):
        picture.dots([(centre[0] + x, centre[1] - y) for (x, y), c in zip(places, counts) if c == count], 4.4, style)
    view = View(*centre, radius)
    picture.circle(centre, radius, "line")
    for first, second in ((0, 1), (1, 2), (2, 0)):
        for run in visible_arcs(first, second):
            picture.polyline(view.all(run), "arc")
    picture.text(306, 304, f"angle {angle}\u00b0", "small end quiet")

    cases = [
        ("face", "near a face normal:", "four corners", turn((0, 1, 0), math.radians(4))),
        ("edge", "else near an arc:", "two ends", turn((0, 1, 0), math.radians(24))),
        ("vertex", "else the vertex:", "one point", product(turn((0, 1, 0), math.radians(24)), turn((1, 0, 0), math.radians(28)))),
    ]
    for i, (style, rule, points, rotation) in enumerate(cases):
        left, position, contacts = 338 + 140 * i, resting_box(half, rotation), ask(rotation)
        assert {4: "face", 2: "edge", 1: "vertex"}[len(contacts)] == style, (style, len(contacts))
        view = View(left + 58, 214, 66)
        picture.polygon([view(seen(p)) for p in ((-0.7, -0.7, 0), (0.7, -0.7, 0), (0.7, 0.7, 0), (-0.7, 0.7, 0))], "b")
        draw_box(picture, view, half, position, rotation, "a")
        for contact in contacts:
            above, below = view(seen(contact["on_a"])), view(seen(contact["on_b"]))
            picture.polyline([above, below], "l")
            picture.circle(below, 3, "ring")
            picture.circle(above, 3, "lh")
        picture.dots([(left + 5, 60)], 10.0, style)
        picture.text(left + 17, 64, style, "title")
        picture.text(left, 84, rule, "small")
        picture.text(left, 100, points, "small")
        gaps = sorted({amount(contact["gap"]) for contact in contacts})
        picture.text(left + 58, 288, ("gap " if len(gaps) == 1 else "gaps ") + " and ".join(gaps), "small mid lt")
    picture.write(path)


def visible_arcs(first, second):
    """The visible half of a great circle through two axes."""
    runs = [[]]
    for k in range(129):
        v = [0.0, 0.0, 0.0]
        v[first], v[second] = math.cos(k * math.pi / 64), math.sin(k * math.pi / 64)
        right, up, near = seen(v)
        if near >= 0:
            runs[-1].append((right, up))
        elif runs[-1]:
            runs.append([])
    return [run for run in runs if len(run) > 1]


def draw_patch(library, path):
    """A turned and slightly tilted cube on a cube, from above."""
    half, rotation = 0.5, product(turn((0.8, 0.6, 0), math.radians(1)), turn((0, 0, 1), math.radians(30)))
    position = (0.03, 0.02, 0.997)
    answer = library.collide("box:0.5,0.5,0.5", "box:0.5,0.5,0.5", "--pose-a", pose(position, rotation), "--margin", "0.02")
    picture = Picture(760, 372, "The contact patch of a turned and slightly tilted cube on a cube, seen from above")
    picture.text(20, 26, "Two faces, seen from above", "title")
    view = View(192, 202, 232)
    lower = [(-half, -half), (half, -half), (half, half), (-half, half)]
    upper = []
    for x, y in lower:
        p = [c + d for c, d in zip(position, rotate(rotation, [x, y, -half]))]
        upper.append((p[0], p[1]))
    picture.polygon(view.all(lower), "b")
    picture.polygon(view.all(upper), "a")
    contacts = answer["contacts"]
    outline = [(c["on_b"][0], c["on_b"][1]) for c in contacts]
    picture.polygon(view.all(outline), "patch")
    middle = (sum(x for x, _ in outline) / len(outline), sum(y for _, y in outline) / len(outline))
    x, y = view((-0.5, -0.5))
    picture.text(x + 6, y - 6, "B", "title bt")
    x, y = view(upper[3])
    picture.text(x + 13, y + 5, "A", "title at")
    for i, (p, contact) in enumerate(zip(outline, contacts)):
        at = view(p)
        picture.circle(at, 3.6, "dot" if contact["gap"] < 0 else "ring")
        x, y = view(along(p, (p[0] - middle[0], p[1] - middle[1]), 0.13))
        picture.text(x, y + 4, str(i + 1), "mid title")
    left = 398
    for x, word, style in ((0, "", ""), (26, "of A", "at"), (122, "of B", "bt"), (292, "gap", "end"), (348, "area", "end")):
        picture.text(left + x, 64, word, f"small title {style}")
    for i, contact in enumerate(contacts):
        y = 90 + 25 * i
        picture.text(left, y, str(i + 1), "title")
        for x, key, style in ((26, "feature_a", "at"), (122, "feature_b", "bt")):
            picture.text(left + x, y, f"{contact[key]['kind']} {contact[key]['index']}", style)
        picture.text(left + 292, y, amount(contact["gap"]), "end")
        picture.text(left + 348, y, amount(contact["area"]), "end")
    y = 90 + 25 * len(contacts) + 12
    picture.text(left, y, "The upper cube is turned by 30\u00b0 and tilted by 1\u00b0.", "small quiet")
    picture.text(left, y + 16, "Filled: overlapping; open: apart, within the margin.", "small quiet")
    picture.text(left, y + 32, f"The areas add up to the polygon\u2019s, {amount(sum(c['area'] for c in contacts))}.", "small quiet")
    picture.write(path)


def draw_cores(library, path):
    """A small cube on the rim of a large slab: about centroids, and about core points."""
    slab, half, at = (4.0, 0.5), 0.5, (4.25, 0.92)
    picture = Picture(760, 362, "A small cube near the rim of a large slab, contracted about centroids and about core points")
    rows = [
        ("centroid", "About centroids", "directions compete by depth relative to size"),
        ("core", "About core points", "directions compete by depth"),
    ]
    for i, (name, title, words) in enumerate(rows):
        answer = library.collide(
            f"box:{half},{half},{half}", f"box:{slab[0]},{slab[0]},{slab[1]}", "--pose-a", pose((at[0], 0, at[1])), "--contraction", name
        )
        growth, top = answer["growth"], 176 * i
        view = View(336, 134 + top, 76)
        picture.text(20, 28 + top, title, "title")
        picture.text(20, 46 + top, words, "small quiet")
        picture.polygon(view.all([(-slab[0], -slab[1]), (slab[0], -slab[1]), (slab[0], slab[1]), (-slab[0], slab[1])]), "b")
        picture.polygon(view.all(moved([(-half, -half), (half, -half), (half, half), (-half, half)], at)), "a")
        point_a, point_b = flat(growth["contraction_a"]), flat(growth["contraction_b"])
        if name == "core":
            reach = slab[0] - half
            picture.polyline(view.all([(-reach, 0), (reach, 0)]), "bline wide faint")
            x, y = view((0.0, 0.0))
            picture.text(x, y - 12, "what is left of B when every face moves in by the smaller inradius", "small mid bt")
        picture.polyline(view.all([point_b, point_a]), "line dash")
        for p in (point_a, point_b):
            picture.circle(view(p), 3.6, "dot")
        normal = flat(growth["normal"])
        sideways = abs(normal[0]) > 0.5
        start = (at[0] + half, at[1]) if sideways else (at[0], at[1] + half)
        picture.arrow(view(start), view(along(start, normal, 0.36 if sideways else 0.26)), *(("g", "gh") if sideways else ("l", "lh")))
        label = f"\u03b1 {amount(growth['alpha'])}, {amount(-growth['gap'])} deep"
        picture.text(600, 46 + top, label, "small end " + ("gt" if sideways else "lt"))
    picture.write(path)


def draw_bounds(library, path):
    """The faces that the search for the least depth must test."""
    count = 24
    turns = [2 * math.pi * (i + 0.35 * math.sin(2.456 * i)) / count for i in range(count)]
    a = hull([(round(1.3 * math.cos(t), 3), round(0.95 * math.sin(t), 3)) for t in turns])
    b, at = [(0.74, 0.07), (0.34, 0.46), (-0.74, 0.08), (0.09, -0.51)], (1.49, 0.21)
    answer = library.collide(prism(library, "bounds_a", a), prism(library, "bounds_b", b), "--pose", pose((at[0], 0, at[1])))
    b = moved(b, at)
    deep, least = -answer["growth"]["gap"], -least_gap(answer)
    way = tuple(-x for x in flat(answer["growth"]["normal"]))
    short = tuple(-x for x in flat(answer["contacts"][0]["normal"]))
    witness = min(b, key=lambda p: p[0] * way[0] + p[1] * way[1])
    sides = {True: [], False: []}
    for p, q in zip(a, a[1:] + a[:1]):
        n = outward(p, q)
        sides[n[0] * (p[0] - witness[0]) + n[1] * (p[1] - witness[1]) < deep].append((p, q, n))

    picture = Picture(760, 340, "Faces that a point of the other body rules out, and those that must be tried")
    view = View(208, 184, 142)
    picture.polygon(view.all(b), "b")
    picture.polygon(view.all(a), "a")
    for p, q, _ in sides[False]:
        picture.polyline(view.all([p, q]), "out wide")
    for p, q, n in sides[True]:
        u = (-n[1], n[0])
        picture.polyline(view.all([along(p, u, -0.28), along(q, u, 0.28)]), "thin l")
        picture.polyline(view.all([p, q]), "l wide")
    picture.circle(view(witness), deep * view.scale, "thin g")
    picture.arrow(view(witness), view(along(witness, way, deep)), "g", "gh")
    picture.arrow(view(witness), view(along(witness, short, least)), "l", "lh")
    picture.circle(view(witness), 4, "ring")
    x, y = view(witness)
    picture.text(x - 16, y + 5, "q")
    for at, name, style in (((-0.7, -0.2), "A", "at"), ((1.78, 0.25), "B", "bt")):
        x, y = view(at)
        picture.text(x, y, name, f"title mid {style}")
    lines = [
        ("q, a point of B, is the centre", "small"),
        ("of the circle, whose radius is", "small"),
        (f"a depth known, {amount(deep)}.", "small gt"),
        (f"{len(sides[False])} of {len(a)} faces of A pass it by:", "small"),
        ("along their normals the", "small"),
        ("bodies are deeper.", "small"),
        (f"{len(sides[True])} are left, and one of them", "small lt"),
        (f"gives the least depth, {amount(least)}.", "small lt"),
    ]
    for i, (words, style) in enumerate(lines):
        picture.text(548, 110 + 19 * i + 10 * (i > 2) + 10 * (i > 5), words, style)
    picture.write(path)
    assert any(math.dist(n, short) < 1e-6 for _, _, n in sides[True])


FIGURES = {"growth": draw_growth, "features": draw_features, "patch": draw_patch, "cores": draw_cores, "bounds": draw_bounds}


if __name__ == "__main__":
    draw_all(FIGURES, "contacts.py", "contacts.md", sys.argv[1:])
