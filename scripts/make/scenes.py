#!/usr/bin/env python3
"""Write the scenes of this project: scenes/*.json and scenes/meshes/*.obj.

The files are kept in the repository, and this script writes them. Change a scene here. The script writes the same bytes on every machine
(a test compares them). Lengths are in metres, z points up.
"""

import argparse
import json
import math
import os
import pathlib
import random
import sys

import fracture
import mesh_figures

SCENES = pathlib.Path(__file__).resolve().parents[2] / "scenes"
WIDTH = 140


def near(value):
    """A coordinate, rounded so that the last bits of a platform's sine do not show."""
    return round(value, 9) + 0.0


def circle(radius, count, first_angle=0.0):
    """`count` points on a circle, counter-clockwise; angles in turns."""
    angles = [2 * math.pi * (first_angle + i / count) for i in range(count)]
    return [(near(radius * math.cos(a)), near(radius * math.sin(a))) for a in angles]


# ---------------------------------------------------------------------------------------------------------------- the form of the files


def json_text(value, indent=0):
    """JSON with each value on one line if it fits; longer lists are wrapped."""
    flat = json.dumps(value, ensure_ascii=False)
    if indent > 0 and len(flat) + indent <= WIDTH:
        return flat
    pad = " " * (indent + 2)
    if isinstance(value, dict):
        items = [f"{pad}{json.dumps(key)}: {json_text(item, indent + 2)}" for key, item in value.items()]
        return "{\n" + ",\n".join(items) + "\n" + " " * indent + "}"
    if isinstance(value, list):
        items = [json_text(item, indent + 2) for item in value]
        lines = [pad + items[0]]
        for before, item, text in zip(value, value[1:], items[1:]):
            fill = isinstance(item, list) and isinstance(before, list) and "\n" not in text
            if fill and len(lines[-1]) + len(text) + 2 < WIDTH:
                lines[-1] += ", " + text
            else:
                lines[-1] += ","
                lines.append(pad + text)
        return "[\n" + "\n".join(lines) + "\n" + " " * indent + "]"
    return flat


def scene(title, description, duration, **parts):
    """A scene's object with its keys in a readable order."""
    result = {"abut_scene": 1, "title": title, "description": description, "dt": 1 / 60, "duration": duration}
    for key in ("dt", "gravity"):
        if key in parts:
            result[key] = parts.pop(key)
    for key in ("stepper", "until", "contact", "materials", "shapes", "bodies", "never_touch", "joints", "actions", "outlets", "measures"):
        if key in parts:
            result[key] = parts.pop(key)
    assert not parts, parts
    return result


def tracked(original, about):
    """The same scene with contacts by tracking: the baseline to compare with."""
    result = dict(original)
    result["title"] = original["title"] + " (contact tracking)"
    result["description"] = about
    contact = {"contact": {"method": "tracking"}}
    keys = list(result)
    place = keys.index("stepper") + 1 if "stepper" in keys else keys.index("duration") + 1
    return {**{k: result[k] for k in keys[:place]}, **contact, **{k: result[k] for k in keys[place:]}}


# ---------------------------------------------------------------------------------------------------------------------------- the scenes

FLOOR = {"name": "floor", "kind": "static", "shape": {"plane": {"normal": [0, 0, 1]}}}
STILL = {"sleeping": False}


def first_contact():
    """The smallest scene with a contact."""
    return scene(
        "First contact",
        "A box falls on the floor.",
        3,
        bodies=[
            FLOOR,
            {
                "name": "box",
                "shape": {"box": {"half": [0.5, 0.3, 0.2]}},
                "position": [0, 0, 1.5],
                "rotation": {"axis": [1, 2, 0], "degrees": 25},
            },
        ],
    )


def lowest_of_box(half, axis, degrees):
    """The distance from the middle of a rotated box to its lowest point."""
    length = math.sqrt(axis[0] ** 2 + axis[1] ** 2 + axis[2] ** 2)
    x, y, z = (a / length for a in axis)
    c, s = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    row = (z * x * (1 - c) - y * s, z * y * (1 - c) + x * s, z * z * (1 - c) + c)
    return half * (abs(row[0]) + abs(row[1]) + abs(row[2]))


def box_drop(tilted):
    """The poster's figure 9: a 1 m box, its lowest point 0.5 m above the floor. Five seconds: steps 200 to 300 are at rest."""
    turn = {"axis": [2, 1, 0], "degrees": 20}
    box = {"name": "box", "shape": {"box": {"half": [0.5, 0.5, 0.5]}}, "position": [0, 0, 1]}
    if tilted:
        box["position"] = [0, 0, near(0.5 + lowest_of_box(0.5, turn["axis"], turn["degrees"]))]
        box["rotation"] = turn
    return scene(
        "Box drop, tilted" if tilted else "Box drop, flat",
        "A 1 m box falls 0.5 m on a plane"
        + (", turned by 20 degrees" if tilted else "")
        + ". At rest it should neither sink in nor tremble.",
        5,
        stepper=STILL,
        bodies=[FLOOR, box],
    )


def tower_of_ten(loose):
    """Ten cubes on each other: exactly, or each shifted and turned a little."""
    rng = random.Random(10)
    bodies = [FLOOR]
    for i in range(10):
        body = {"name": f"box_{i + 1}", "shape": "cube", "position": [0, 0, i + 0.5]}
        if loose:
            body["position"] = [near(0.1 * (rng.random() - 0.5)), near(0.1 * (rng.random() - 0.5)), i + 0.5]
            body["rotation"] = {"axis": [0, 0, 1], "degrees": round(20 * (rng.random() - 0.5), 6)}
        bodies.append(body)
    return scene(
        "Tower of ten, loose" if loose else "Tower of ten",
        "Ten 1 m boxes on each other"
        + (", each up to 5 cm off and turned by up to 10 degrees" if loose else "")
        + ". They should stay where they are.",
        10,
        stepper=STILL,
        shapes={"cube": {"box": {"half": [0.5, 0.5, 0.5]}}},
        bodies=bodies,
    )


BRICK = (0.25, 0.12, 0.065)
COURSES = 12
PER_COURSE = 8

# Bricks to remove, in this order: course from below and place from the left, both from 0.
REMOVED = [(11, 4), (10, 4), (11, 3), (10, 5), (5, 4), (4, 3), (5, 3), (8, 1), (3, 6), (2, 6), (1, 0), (0, 4)]


def wall(courses=COURSES, per_course=PER_COURSE, removed=REMOVED):
    """The poster's figures 7 and 8: a wall in running bond, from which bricks are taken one by one."""
    bodies = [FLOOR]
    length, height = BRICK[0], BRICK[2]
    for course in range(courses):
        widths = [1.0] * per_course if course % 2 == 0 else [0.5] + [1.0] * (per_course - 1) + [0.5]
        left = -per_course * length / 2
        for place, width in enumerate(widths):
            bodies.append(
                {
                    "name": f"brick_{course}_{place}",
                    "shape": "brick" if width == 1 else "half_brick",
                    "material": "brick",
                    "position": [near(left + width * length / 2), 0, near((course + 0.5) * height)],
                }
            )
            left += width * length
    actions = [{"at": 10 + 4 * i, "remove": f"brick_{course}_{place}"} for i, (course, place) in enumerate(removed)]
    half = [near(side / 2) for side in BRICK]
    return scene(
        "Brick wall",
        "Bricks are taken from a wall one by one. It settles after each and stands.",
        60,
        materials={"brick": {"density": 1800, "friction": 0.6}},
        shapes={"brick": {"box": {"half": half}}, "half_brick": {"box": {"half": [near(half[0] / 2), half[1], half[2]]}}},
        bodies=bodies,
        actions=actions,
    )


def prism(points, bottom, top):
    """(vertices, faces) of a prism over a convex polygon given counter-clockwise."""
    n = len(points)
    vertices = [(x, y, bottom) for x, y in points] + [(x, y, top) for x, y in points]
    faces = [list(range(n - 1, -1, -1)), list(range(n, 2 * n))]
    faces += [[i, (i + 1) % n, n + (i + 1) % n, n + i] for i in range(n)]
    return vertices, faces


def gear(teeth, root, tip, thickness):
    """{name: (vertices, faces)}: a disc, with a tooth on every second of its sides. The axis is z; the middle is the origin."""
    rim = circle(root, 2 * teeth)
    parts = {"disc": prism(rim, -thickness / 2, thickness / 2)}
    outer = [
        point
        for i in range(teeth)
        for point in (circle(tip, 1, (2 * i + 0.25) / (2 * teeth))[0], circle(tip, 1, (2 * i + 0.75) / (2 * teeth))[0])
    ]
    for i in range(teeth):
        corners = [rim[2 * i], outer[2 * i], outer[2 * i + 1], rim[2 * i + 1]]
        parts[f"tooth_{i + 1}"] = prism(corners, -thickness / 2, thickness / 2)
    return parts


def obj_text(parts, comment):
    """An OBJ file with one group per part."""
    lines = [f"# {comment}"]
    count = 0
    for name, (vertices, faces) in parts.items():
        lines.append(f"g {name}")
        lines += ["v {!r} {!r} {!r}".format(*vertex) for vertex in vertices]
        lines += ["f " + " ".join(str(count + 1 + i) for i in face) for face in faces]
        count += len(vertices)
    return "\n".join(lines) + "\n"


def frustum(bottom_radius, top_radius, height, sides, top_turn=0.0):
    """Points of a frustum about z, its middle height at the origin; with top_turn of half a side an antiprism."""
    bottom = [[x, y, -height / 2] for x, y in circle(bottom_radius, sides)]
    return bottom + [[x, y, height / 2] for x, y in circle(top_radius, sides, top_turn / sides)]


TABLE_TOP = 0.75


def tower():
    """The poster's figures 5 and 6: nine convex objects and two gears on a table. It tilts where it is narrow, over the cylinder."""
    objects = [
        ("gear_large", {"mesh": {"file": "meshes/gear.obj"}}, 0.06, 0),
        ("hexagon", {"prism": {"radius": 0.16, "half_height": 0.04, "sides": 6}}, 0.08, 10),
        ("block", {"box": {"half": [0.12, 0.12, 0.03]}}, 0.06, 25),
        ("octagon", {"prism": {"radius": 0.14, "half_height": 0.02, "sides": 8}}, 0.04, 0),
        ("cylinder", {"prism": {"radius": 0.07, "half_height": 0.06, "sides": 32}}, 0.12, 0),
        ("bowl", {"hull": {"points": frustum(0.08, 0.14, 0.08, 16)}}, 0.08, 0),
        ("gear_small", {"mesh": {"file": "meshes/gear_small.obj"}}, 0.05, 7),
        ("triangle", {"prism": {"radius": 0.24, "half_height": 0.02, "sides": 3}}, 0.04, 40),
        ("antiprism", {"hull": {"points": frustum(0.16, 0.16, 0.07, 4, 0.5)}}, 0.07, 15),
        ("pentagon", {"prism": {"radius": 0.15, "half_height": 0.03, "sides": 5}}, 0.06, 0),
        ("lid", {"box": {"half": [0.14, 0.14, 0.02]}}, 0.04, 0),
    ]
    table = [{"shape": {"box": {"half": [0.5, 0.5, 0.02]}}, "position": [0, 0, -0.02]}]
    table += [{"shape": {"box": {"half": [0.03, 0.03, 0.355]}}, "position": [x, y, -0.395]} for x in (-0.44, 0.44) for y in (-0.44, 0.44)]
    bodies = [FLOOR, {"name": "table", "kind": "static", "shape": {"compound": table}, "position": [0, 0, TABLE_TOP]}]
    height = TABLE_TOP
    for name, shape, thickness, degrees in objects:
        body = {"name": name, "shape": shape, "material": "wood", "position": [0, 0, near(height + thickness / 2)]}
        if degrees:
            body["rotation"] = {"axis": [0, 0, 1], "degrees": degrees}
        bodies.append(body)
        height += thickness
    # The hand is a spring from the lid's edge to a point below it, so that its force vanishes when the lid has come down.
    hand = {"body": "lid", "anchor": [0.12, 0, 0.02], "target": [0.12, 0, near(height - 0.4)], "damping_ratio": 1}
    actions = [
        {"at": 4, "until": 6, "spring": {**hand, "frequency": 1, "max_force": 100}},
        {"at": 8, "until": 10, "spring": {**hand, "frequency": 3, "max_force": 250}},
    ]
    return scene(
        "Tower on a table",
        "Nine convex objects and two gears stand on a table. A hand presses on the edge of the topmost: gently first, then hard.",
        12,
        materials={"wood": {"density": 700, "friction": 0.5}},
        bodies=bodies,
        actions=actions,
    )


# Two gears that mesh, by their teeth and the radii at the teeth's feet and tips; their axles turn in square holes of a plate.
GEARS = {"teeth": (12, 18), "root": (0.17, 0.2675), "tip": (0.22, 0.3175), "thick": 0.06, "play": 0.006, "axle": 0.04}
GEARS.update({"deep": 0.12, "loose": 0.0005, "collar": 0.02})


def plate_with_holes(centres, half, margin, thickness):
    """Boxes that leave square holes of the half size about (x, 0) for each x: the upper sides at z = 0."""
    low, high, width = min(centres) - margin, max(centres) + margin, margin
    parts = []

    def block(x0, x1, y0, y1):
        size = [near((x1 - x0) / 2), near((y1 - y0) / 2), near(thickness / 2)]
        parts.append({"shape": {"box": {"half": size}}, "position": [near((x0 + x1) / 2), near((y0 + y1) / 2), near(-thickness / 2)]})

    x = low
    for centre in sorted(centres):
        block(x, centre - half, -width, width)
        block(centre - half, centre + half, -width, -half)
        block(centre - half, centre + half, half, width)
        x = centre + half
    block(x, high, -width, width)
    return {"compound": parts}


def gears():
    """The poster's third task: two gears. A handle turns one gear, and its teeth turn the other."""
    g = GEARS
    axes = [0, near(sum(g["root"] + g["tip"]) / 2 + g["play"])]
    axle = {"shape": {"prism": {"radius": g["axle"], "half_height": near((g["deep"] + g["collar"]) / 2), "sides": 12}}}
    axle["position"] = [0, 0, near(-(g["thick"] + g["deep"] + g["collar"]) / 2)]
    # They stand on collars, so that the teeth touch only each other.
    collar = {"shape": {"prism": {"radius": 0.1, "half_height": near(g["collar"] / 2), "sides": 8}}}
    collar["position"] = [0, 0, near(-(g["thick"] + g["collar"]) / 2)]
    grip, above = near(g["root"][0] - 0.03), near(g["thick"] / 2)
    handle = {"shape": {"prism": {"radius": 0.02, "half_height": 0.05, "sides": 16}}, "position": [grip, 0, near(above + 0.05)]}
    arm = {"shape": {"box": {"half": [0.2, 0.025, 0.01]}}, "position": [0, 0, near(above + 0.01)]}
    lift = near(above + g["collar"] + 0.001)
    bodies = [
        {
            "name": "plate",
            "kind": "static",
            "shape": plate_with_holes(axes, g["axle"] + g["loose"], 0.36, g["deep"] + 0.02),
            "material": "brass",
        }
    ]
    for name, mesh, x, extra in (
        ("gear_small", "meshes/gear.obj", axes[0], handle),
        ("gear_large", "meshes/gear_18.obj", axes[1], arm),
    ):
        parts = [{"shape": {"mesh": {"file": mesh}}}, axle, collar, extra]
        body = {"name": name, "shape": {"compound": parts}, "material": "brass", "position": [x, 0, lift]}
        bodies.append(body)
    # Where the circles touch, a tooth of one gear begins above the line of the axes, a tooth of the other below it: they do not overlap at the start.
    # A hand moves round with the handle, along the sides of a polygon, once in eight seconds.
    sides, actions = 16, []
    corners = [[x, y, near(lift + above + 0.05)] for x, y in circle(grip, sides)]
    for i in range(sides):
        pull = {"body": "gear_small", "anchor": [grip, 0, near(above + 0.05)], "target": corners[i], "target_end": corners[(i + 1) % sides]}
        actions.append({"at": 1 + i / 2, "until": 1.5 + i / 2, "spring": {**pull, "frequency": 3, "max_force": 200}})
    return scene(
        "Two gears",
        "Two gears turn in a plate, one by its handle, the other by the teeth alone.",
        10,
        materials={"brass": {"density": 2000, "friction": 0.1}},
        bodies=bodies,
        actions=actions,
    )


TRAIN = {"speed": 1.5, "brake": 5, "ratio": 2}


def gear_train():
    """Three gears that mesh on bearings; the third one also drives a dial without teeth. A motor turns the first, a brake holds the dial."""
    g, t = GEARS, TRAIN
    apart = near(sum(g["root"] + g["tip"]) / 2 + g["play"])
    bodies = [{"name": "plate", "kind": "static", "shape": {"box": {"half": [0.9, 0.4, 0.05]}}, "material": "brass", "position": [apart, 0, -0.1]}]
    joints = []
    parts = [(f"gear_{i + 1}", {"mesh": {"file": f"meshes/{mesh}.obj"}}, [near(i * apart), 0, 0]) for i, mesh in enumerate(("gear", "gear_18", "gear"))]
    parts.append(("dial", {"cylinder": {"radius": 0.1, "half_height": 0.02}}, [near(2 * apart), 0.33, 0]))
    for name, shape, place in parts:
        bodies.append({"name": name, "shape": shape, "material": "brass", "position": place})
        joints.append({"kind": "revolute", "a": "plate", "b": name, "position": place})
    joints[0]["motor"] = {"speed": t["speed"], "max_force": 100}
    joints[-1]["motor"] = {"speed": 0, "max_force": t["brake"]}
    joints.append({"kind": "gear", "a": "gear_3", "b": "dial", "ratio": t["ratio"]})
    return scene(
        "A gear train",
        "Three gears turn on bearings, each by the teeth of the one before, and the third one turns a dial. A motor drives the first, a brake holds the dial.",
        8,
        materials={"brass": {"density": 2000, "friction": 0.1}},
        bodies=bodies,
        joints=joints,
    )


CHAIN = {"links": 20, "half": 0.1}


def chain():
    """Twenty links on a hook, begun in a row on a slope, with a weight of 1,000 times a link's mass at the end."""
    half, count = CHAIN["half"], CHAIN["links"]
    slope = {"axis": [0, 1, 0], "degrees": 30}
    x, z = math.cos(math.radians(30)), -math.sin(math.radians(30))

    def place(way):
        return [near(way * x), 0, near(2 + way * z)]

    hook = {"name": "hook", "kind": "static", "shape": {"sphere": {"radius": 0.05}}, "position": [0, 0, 2]}
    bodies, joints, last = [hook], [], "hook"
    for i in range(count + 1):
        heavy = i == count
        name = "weight" if heavy else f"link_{i + 1}"
        shape = {"sphere": {"radius": 0.25}} if heavy else {"box": {"half": [half, 0.02, 0.02]}}
        middle = 2 * half * i + (0.25 if heavy else half)
        bodies.append({"name": name, "shape": shape, "position": place(middle), "rotation": slope, "mass": 1000 if heavy else 1})
        joints.append({"kind": "spherical", "a": last, "b": name, "position": place(2 * half * i)})
        last = name
    return scene("A chain", "A chain of 20 links swings with 1,000 times the mass of a link at its end.", 6, bodies=bodies, joints=joints)


CRADLE = {"balls": 5, "radius": 0.1, "gap": 0.002, "string": 1.0, "degrees": 25}


def newtons_cradle():
    """Balls on two strings each, almost in touch. The first one is lifted."""
    c = CRADLE
    steel, bodies, joints = {"steel": {"density": 7800, "friction": 0, "restitution": 1}}, [], []
    height, spread = near(c["string"] + 0.2), 0.5
    bodies.append({"name": "frame", "kind": "static", "shape": {"box": {"half": [0.7, 0.02, 0.02]}}, "position": [0, 0, near(height + 0.1)]})
    for i in range(c["balls"]):
        x = near((i - (c["balls"] - 1) / 2) * (2 * c["radius"] + c["gap"]))
        angle = math.radians(c["degrees"]) if i == 0 else 0
        place = [near(x - c["string"] * math.sin(angle)), 0, near(height - c["string"] * math.cos(angle))]
        name = f"ball_{i + 1}"
        bodies.append({"name": name, "shape": {"sphere": {"radius": c["radius"]}}, "material": "steel", "position": place})
        for side in (-spread, spread):
            joints.append({"kind": "distance", "a": "frame", "b": name, "position": [x, side, height], "position_b": place})
    return scene(
        "Newton's cradle",
        "Five balls hang in a row. What the first one brings, the last one takes away.",
        4,
        dt=1 / 480,
        stepper={"exact": True, "restitution_speed": 0.01, **STILL},
        materials=steel,
        bodies=bodies,
        joints=joints,
    )


CONVEYOR = {"speed": 0.8, "friction": 0.5, "boxes": 4, "turn": 0.6}


def conveyor():
    """A belt, a second one across its end and a turntable, on which boxes end up."""
    c = CONVEYOR
    bodies = [
        {
            "name": "belt",
            "kind": "static",
            "shape": {"box": {"half": [2, 0.4, 0.05]}},
            "material": "rubber",
            "position": [0, 0, 0.95],
            "surface_velocity": [c["speed"], 0, 0],
        },
        {
            "name": "cross",
            "kind": "static",
            "shape": {"box": {"half": [0.5, 1.5, 0.05]}},
            "material": "rubber",
            "position": [2.55, 0.9, 0.75],
            "surface_velocity": [0, c["speed"], 0],
        },
        {"name": "stop", "kind": "static", "shape": {"box": {"half": [0.05, 1.5, 0.2]}}, "material": "steel", "position": [3.1, 0.9, 0.9]},
        {
            "name": "table",
            "kind": "static",
            "shape": {"cylinder": {"radius": 1.2, "half_height": 0.05}},
            "material": "rubber",
            "position": [2.55, 3.7, 0.55],
            "surface_angular_velocity": [0, 0, c["turn"]],
        },
        FLOOR,
    ]
    for i in range(c["boxes"]):
        bodies.append(
            {
                "name": f"box_{i + 1}",
                "shape": {"box": {"half": [0.15, 0.12, 0.1]}},
                "material": "rubber",
                "position": [near(-1.7 + 0.6 * i), 0, 1.1],
            }
        )
    materials = {"rubber": {"density": 200, "friction": c["friction"]}, "steel": {"friction": 0.05}}
    return scene(
        "A conveyor", "Boxes go from a belt to a second one across it, and on to a turntable.", 12, materials=materials, bodies=bodies
    )


GRIPPER = {"force": 60, "lift": 0.5, "speed": 0.12, "half": 0.1}


def gripper():
    """Two fingers close on a box with a given force while a hand rises with them."""
    g = GRIPPER
    half, reach = g["half"], near(g["half"] + 0.05)
    up, across = {"axis": [0, 0, 1], "degrees": 0}, {"axis": [0, 1, 0], "degrees": 90}
    bodies = [
        FLOOR,
        {"name": "post", "kind": "static", "shape": {"box": {"half": [0.05, 0.05, 0.6]}}, "position": [0, 0.6, 0.6]},
        {"name": "box", "shape": {"box": {"half": [half, half, half]}}, "material": "wood", "position": [0, 0, half]},
        {"name": "hand", "shape": {"box": {"half": [0.3, 0.05, 0.03]}}, "material": "steel", "position": [0, 0, 0.45]},
    ]
    joints = [
        {
            "kind": "prismatic",
            "a": "post",
            "b": "hand",
            "position": [0, 0, 0.45],
            "rotation": up,
            "motor": {"position": g["lift"], "max_speed": g["speed"]},
        }
    ]
    for name, side in (("left", -1), ("right", 1)):
        x = near(side * (reach + 0.02))
        bodies.append(
            {"name": name, "shape": {"box": {"half": [0.02, 0.05, 0.16]}}, "material": "steel", "position": [x, 0, 0.25]}
        )
        joints.append(
            {
                "kind": "prismatic",
                "a": "hand",
                "b": name,
                "position": [x, 0, 0.25],
                "rotation": across,
                "motor": {"speed": near(-side * 0.5), "max_force": g["force"]},
            }
        )
    materials = {"wood": {"density": 500, "friction": 0.6}, "steel": {"density": 7800, "friction": 0.6}}
    return scene(
        "A gripper", "Two fingers grip a box, and a hand lifts it.", 6, materials=materials, bodies=bodies, joints=joints
    )


ROBOT = {"links": [0.5, 0.4, 0.25], "turn": [60, 35, 50, -40], "speed": 1.0}


def robot_arm():
    """A turret and three links, each turned by a motor to its angle. The last one carries a load."""
    r = ROBOT
    steel = {"steel": {"density": 1500, "friction": 0.4}}
    bodies = [
        FLOOR,
        {"name": "base", "kind": "static", "shape": {"cylinder": {"radius": 0.15, "half_height": 0.1}}, "position": [0, 0, 0.1]},
        {"name": "turret", "shape": {"cylinder": {"radius": 0.1, "half_height": 0.1}}, "material": "steel", "position": [0, 0, 0.3]},
    ]
    motor = {"max_speed": r["speed"], "max_force": 500}
    joints = [
        {"kind": "revolute", "a": "base", "b": "turret", "position": [0, 0, 0.2], "motor": {"position": near(math.radians(r["turn"][0])), **motor}}
    ]
    last, z = "turret", 0.4
    for i, length in enumerate(r["links"]):
        name = f"link_{i + 1}"
        size = near(0.05 - 0.01 * i)
        bodies.append(
            {"name": name, "shape": {"box": {"half": [size, size, near(length / 2)]}}, "material": "steel", "position": [0, 0, near(z + length / 2)]}
        )
        joints.append(
            {
                "kind": "revolute",
                "a": last,
                "b": name,
                "position": [0, 0, near(z)],
                "rotation": {"axis": [1, 0, 0], "degrees": -90},
                "motor": {"position": near(math.radians(r["turn"][i + 1])), **motor},
            }
        )
        last, z = name, z + length
    bodies.append({"name": "load", "shape": {"sphere": {"radius": 0.08}}, "position": [0, 0, near(z + 0.08)], "mass": 3})
    joints.append({"kind": "weld", "a": last, "b": "load", "position": [0, 0, near(z)]})
    return scene(
        "A robot arm", "A turret and three links turn to given angles and hold a load.", 4, materials=steel, bodies=bodies, joints=joints
    )


BLOCK = {"pieces": 324, "size": (1.6, 1.0, 1.2), "seed": 5}


def fractured_block():
    """A block that consists of pieces from the start."""
    block = {
        "name": "block",
        "shape": {"mesh": {"file": "meshes/block.obj", "pieces": "bodies"}},
        "material": "stone",
        "position": [0.1, 0, 1.7],
    }
    step = {"name": "step", "kind": "static", "shape": {"box": {"half": [1, 1.5, 0.3]}}, "position": [-1, 0, 0.3]}
    return scene(
        "Fractured block",
        f"A block of {BLOCK['pieces']} Voronoi pieces falls on a step and crumbles.",
        8,
        materials={"stone": {"density": 2400, "friction": 0.6}},
        bodies=[FLOOR, step, block],
    )


TERRAIN = {"vertices": 29, "spacing": 0.5}


def terrain_height(x, y):
    """Hills inside a rim that keeps the balls in; (0, 0) is the middle."""
    reach = TERRAIN["spacing"] * (TERRAIN["vertices"] - 1) / 2
    rim = 2.5 * (max(abs(x), abs(y)) / reach) ** 4
    return round(0.5 * math.sin(0.9 * x + 0.4) * math.cos(0.7 * y) + 0.2 * math.sin(2.1 * y - 0.8 * x) + rim, 3) + 0.0


def ball_on_terrain():
    """Balls of many sizes, from smaller than a cell of the height field to larger than several."""
    count, spacing = TERRAIN["vertices"], TERRAIN["spacing"]
    reach = spacing * (count - 1) / 2
    heights = [[terrain_height(spacing * i - reach, spacing * j - reach) for i in range(count)] for j in range(count)]
    bodies = [
        {
            "name": "terrain",
            "kind": "static",
            "shape": {"heightfield": {"heights": heights, "spacing": [spacing, spacing]}},
            "position": [-reach, -reach, 0],
        }
    ]
    rng = random.Random(7)
    for i, radius in enumerate((0.08, 0.12, 0.2, 0.3, 0.45, 0.7, 1.0, 0.1, 0.25, 0.5)):
        place = [near(3.6 * math.cos(2.4 * i)), near(3.6 * math.sin(2.4 * i)), 2 + radius]
        velocity = [round(4 * (rng.random() - 0.5), 3), round(4 * (rng.random() - 0.5), 3), 0]
        ball = {"name": f"ball_{i + 1}", "shape": {"sphere": {"radius": radius}}, "material": "rubber"}
        bodies.append({**ball, "position": place, "velocity": velocity})
    return scene(
        "Balls on a terrain",
        "Ten balls, smaller and larger than the cells of the height field they fall on, roll over its hills and gather in its hollows.",
        20,
        materials={"rubber": {"density": 900, "friction": 0.8, "restitution": 0.3, "angular_damping": 0.6}},
        bodies=bodies,
    )


STAIRS = {"steps": 8, "tread": 0.5, "rise": 0.25, "half_width": 2}


# A tower of round bodies, from below: radius, upper radius, height [m].
ROUND_TOWER = [("drum", 0.45, 0.45, 0.4), ("bucket", 0.3, 0.4, 0.3), ("bell", 0.38, 0.2, 0.35), ("hat", 0.2, 0.0, 0.5)]
SLOPE = {"degrees": 10, "half": [1.5, 1.0, 0.1], "top": [-2.5, 0]}  # top: the middle of its lower edge, x and z


def centre_of_frustum(radius, top_radius, height):
    """Height of the centre of mass, the origin of the shape, above its base."""
    a, b = radius, top_radius
    return height * (a * a + 2 * a * b + 3 * b * b) / (4 * (a * a + a * b + b * b))


def drums():
    """Cylinders and cones stand on each other, roll, spin and lie."""
    bodies, height = [FLOOR], 0.0
    for name, radius, top_radius, tall in ROUND_TOWER:
        shape = {"cylinder": {"radius": radius, "half_height": near(tall / 2)}} if radius == top_radius else {"cone": {"radius": radius, "height": tall}}
        if 0 < top_radius != radius:
            shape["cone"]["top_radius"] = top_radius
        bodies.append({"name": name, "shape": shape, "position": [1.5, 1.5, near(height + centre_of_frustum(radius, top_radius, tall))]})
        height += tall
    angle, half = math.radians(SLOPE["degrees"]), SLOPE["half"]
    c, s = math.cos(angle), math.sin(angle)
    up, along = (s, c), (-c, s)  # out of the slope, and up along it; x and z
    middle = [SLOPE["top"][k] + half[0] * along[k] - half[2] * up[k] for k in (0, 1)]
    turn = {"axis": [0, 1, 0], "degrees": SLOPE["degrees"]}
    bodies.append({"name": "slope", "kind": "static", "shape": {"box": {"half": half}}, "position": [near(middle[0]), 0, near(middle[1])], "rotation": turn})
    radius = 0.25
    start = [SLOPE["top"][k] + 2 * along[k] + radius * up[k] for k in (0, 1)]
    lying = {"axis": [1, 0, 0], "degrees": 90}
    bodies.append({"name": "roller", "shape": {"cylinder": {"radius": radius, "half_height": 0.4}}, "position": [near(start[0]), 0, near(start[1])], "rotation": lying})
    bodies.append(
        {"name": "wheel", "shape": {"cylinder": {"radius": 0.3, "half_height": 0.04}}, "position": [-1, -1.5, 0.3], "rotation": lying,
         "velocity": [1.2, 0, 0], "angular_velocity": [0, 4, 0]}
    )
    # A cone rolls around its apex: the line that touches the floor stands still.
    radius, tall = 0.3, 0.8
    slant = math.hypot(radius, tall)
    sine, cosine = radius / slant, tall / slant  # of half its opening
    from_apex, turn_rate = 0.75 * tall, 1.5
    rolls = {"name": "rolling_cone", "shape": {"cone": {"radius": radius, "height": tall}}}
    rolls["position"] = [near(from_apex * cosine), -3, near(from_apex * sine)]
    rolls["rotation"] = {"axis": [0, 1, 0], "degrees": near(-90 - math.degrees(math.asin(sine)))}
    rolls["velocity"] = [0, near(turn_rate * from_apex * cosine), 0]
    rolls["angular_velocity"] = [near(-turn_rate * cosine / sine), 0, 0]
    bodies.append(rolls)
    bodies.append({"name": "thrown", "shape": {"cylinder": {"radius": 0.2, "half_height": 0.25}}, "position": [0, 2, 0.8], "rotation": {"axis": [1, 2, 0], "degrees": 35}})
    return scene(
        "Drums, wheels and cones",
        "Cylinders and cones: four stand on each other, one rolls down a slope, a wheel and a cone roll over the floor, and one falls on its rim.",
        6,
        materials={"wood": {"density": 600, "friction": 0.6}},
        bodies=[body if body["name"] == "floor" else {**body, "material": "wood"} for body in bodies],
    )


def stairs():
    """(vertices, faces) of a solid staircase that goes down along x: closed, every face a convex polygon."""
    steps, tread, rise, half = (STAIRS[key] for key in ("steps", "tread", "rise", "half_width"))
    vertices, faces = [], []

    def vertex(x, y, z):
        point = (near(x), near(y), near(z))
        if point not in vertices:
            vertices.append(point)
        return vertices.index(point)

    def face(*points):
        faces.append([vertex(*point) for point in points])

    for i in range(steps):
        x0, x1, z, lower = i * tread, (i + 1) * tread, (steps - i) * rise, (steps - i - 1) * rise
        side = [(x0, 0), (x1, 0)] + ([(x1, lower)] if lower > 0 else []) + [(x1, z), (x0, z)]
        face(*[(x, -half, h) for x, h in side])
        face(*[(x, half, h) for x, h in side[:1] + side[:0:-1]])
        face((x0, -half, z), (x1, -half, z), (x1, half, z), (x0, half, z))
        face((x1, -half, lower), (x1, half, lower), (x1, half, z), (x1, -half, z))
        face((x0, -half, 0), (x0, half, 0), (x1, half, 0), (x1, -half, 0))
    face((0, -half, 0), (0, -half, steps * rise), (0, half, steps * rise), (0, half, 0))
    return vertices, faces


def boxes_on_stairs():
    """Boxes tumble down a staircase that is a mesh: edges, corners and faces of both meet in all combinations."""
    bodies = [FLOOR, {"name": "stairs", "kind": "static", "shape": {"trimesh": {"file": "meshes/stairs.obj"}}, "material": "wood"}]
    rng = random.Random(3)
    top = STAIRS["steps"] * STAIRS["rise"]
    for i in range(8):
        half = [round(0.1 + 0.2 * rng.random(), 3) for _ in range(3)]
        axis = [round(rng.random() - 0.5, 3) for _ in range(3)]
        bodies.append(
            {
                "name": f"box_{i + 1}",
                "shape": {"box": {"half": half}},
                "material": "wood",
                "position": [near(0.5 + 1.1 * (i // 4)), near(-1.65 + 1.1 * (i % 4)), top + 0.5],
                "rotation": {"axis": axis, "degrees": round(180 * rng.random(), 1)},
                "velocity": [round(1 + rng.random(), 3), 0, 0],
            }
        )
    return scene(
        "Boxes on stairs",
        "Eight boxes fall on a staircase of triangles and tumble down.",
        8,
        materials={"wood": {"density": 600, "friction": 0.4, "restitution": 0.1}},
        bodies=bodies,
    )


TRACK = {"radius": 10, "straight": 12, "tile": 3, "turn": 18, "trough": 2, "side": 60}


def trough(section):
    """{"trimesh": ...} of a tile of the track: `section` moves a point of the cross-section, (y, z), to each of the tile's rows."""
    angles = range(-TRACK["side"], TRACK["side"] + 1, 10)
    arc = [(TRACK["trough"] * math.sin(math.radians(a)), TRACK["trough"] * (1 - math.cos(math.radians(a)))) for a in angles]
    rows = [[[near(c) for c in move(y, z)] for y, z in arc] for move in section]
    triangles = []
    for i in range(len(rows) - 1):
        for k in range(len(arc) - 1):
            a, b = i * len(arc) + k, (i + 1) * len(arc) + k
            triangles += [[a, b, b + 1], [a, b + 1, a + 1]]
    return {"trimesh": {"vertices": [point for row in rows for point in row], "triangles": triangles}}


def track():
    """(shapes, bodies) of a closed track of separate tiles."""
    radius, straight, tile, turn = (TRACK[key] for key in ("radius", "straight", "tile", "turn"))

    def bend(degrees):
        s, c = math.sin(math.radians(degrees)), math.cos(math.radians(degrees))
        return lambda y, z: ((radius - y) * s, -(radius - y) * c, z)

    shapes = {
        "straight": trough([lambda y, z: (0, y, z), lambda y, z: (tile, y, z)]),
        "bend": trough([bend(3 * i) for i in range(turn // 3 + 1)]),
    }
    bodies = []
    for side, degrees in ((-1, 0), (1, 180)):
        for i in range(straight // tile):
            name, x = f"straight_{len(bodies) + 1}", side * (straight / 2 - tile * i)
            placed = {"name": name, "kind": "static", "shape": "straight", "position": [near(x), side * radius, 0]}
            bodies.append({**placed, "rotation": {"axis": [0, 0, 1], "degrees": degrees}} if degrees else placed)
        for i in range(180 // turn):
            name = f"bend_{len(bodies) + 1}"
            placed = {"name": name, "kind": "static", "shape": "bend", "position": [near(-side * straight / 2), 0, 0]}
            angle = degrees + turn * i
            bodies.append({**placed, "rotation": {"axis": [0, 0, 1], "degrees": angle}} if angle else placed)
    return shapes, bodies


def car_on_track():
    """Only the shape of the surface may slow the car down or turn it; the seams of the track must have no effect."""
    shapes, bodies = track()
    wheel = {"sphere": {"radius": 0.2}}
    parts = [{"shape": {"box": {"half": [0.6, 0.2, 0.1]}}, "position": [0, 0, 0.2]}]
    parts += [{"shape": wheel, "position": [x, y, 0]} for x in (-0.45, 0.45) for y in (-0.35, 0.35)]
    bodies.append(
        {"name": "car", "shape": {"compound": parts}, "material": "ice", "position": [-4, -TRACK["radius"], 0.25], "velocity": [7, 0, 0]}
    )
    return scene(
        "Car on a track",
        "A car without friction slides round and round in a trough of many separate tiles. Its speed shows whether it feels the seams.",
        30,
        stepper=STILL,
        materials={"ice": {"density": 500, "friction": 0}},
        shapes=shapes,
        bodies=bodies,
    )


CAR = {"speed": 4.5, "radius": 0.2, "torque": 60, "travel": 0.06, "stiffness": 20000, "damping": 1500, "friction": 0.3}


def car_on_axles():
    """The same car on four wheels, which turn on axles and hang on springs. Motors drive the rear ones, and the sides of the track steer."""
    c = CAR
    shapes, bodies = track()
    place = [-4, -TRACK["radius"], 0.35]
    upright = {"axis": [1, 1, 1], "degrees": -120}  # x up, the way of the springs; z along y, the axle
    bodies.append({"name": "chassis", "shape": {"box": {"half": [0.6, 0.2, 0.1]}}, "material": "rubber", "position": place})
    joints = []
    for end, x in (("rear", -0.45), ("front", 0.45)):
        for side, y in (("right", -0.34), ("left", 0.34)):
            at = [near(place[0] + x), near(place[1] + y), near(place[2] - 0.1)]
            bodies.append({"name": f"{end}_{side}", "shape": {"sphere": {"radius": c["radius"]}}, "material": "rubber", "position": at})
            spring = {"lower": -c["travel"], "upper": c["travel"], "stiffness": c["stiffness"], "damping": c["damping"]}
            motor = {"motor": {"speed": near(c["speed"] / c["radius"]), "max_force": c["torque"]}} if end == "rear" else {}
            joints.append({"kind": "wheel", "a": "chassis", "b": f"{end}_{side}", "position": at, "rotation": upright, **spring, **motor})
    return scene(
        "A car on axles",
        "A car on the track of separate tiles. Its wheels turn on axles and hang on damped springs; motors drive the rear ones.",
        30,
        stepper=STILL,
        materials={"rubber": {"density": 500, "friction": c["friction"]}},
        shapes=shapes,
        bodies=bodies,
        joints=joints,
    )


# The roll of a ball in each figure: start, direction and speed; x and y from the figure's origin. In 3, 5 and 6 it rolls off.
ROLLS = {
    1: {"surface": "reach", "radius": 0.6, "from": (-0.1, -0.2), "towards": (1, 0), "speed": 0},
    2: {"surface": "triangle", "radius": 0.6, "from": (-0.45, -0.3), "towards": (1, 0), "speed": 0.3},
    3: {"surface": "triangle", "radius": 0.6, "from": (-0.33, 0.01), "towards": (-1.8, 1), "speed": 0.5},
    4: {"surface": "square", "radius": 1.0, "from": (0.75, -0.55), "towards": (-1, 1), "speed": 0.5},
    5: {"surface": "triangle", "radius": 0.6, "from": (0, 0.45), "towards": (0, 1), "speed": 0.5},
    6: {"surface": "corner", "radius": 0.8, "from": (0.6, -0.35), "towards": (-0.15, 0.7), "speed": 0.5},
    7: {"surface": "strip", "radius": 0.5, "from": (0.35, 0.4), "towards": (1, 0), "speed": 0.4},
    8: {"surface": "fan", "radius": 0.6, "from": (-0.52, -0.3), "towards": (0.52, 0.3), "speed": 0.5},
}
FIGURES = {"height": 1, "apart": 4, "margin": 0.5}


def roll(figure):
    """The figure's surface and its ball, which rolls without slipping."""
    plan = ROLLS[figure]
    place = [FIGURES["apart"] * (figure - 1), 0, FIGURES["height"]]
    length = math.hypot(*plan["towards"])
    vx, vy = (plan["speed"] * c / length for c in plan["towards"])
    surface = {"name": f"figure_{figure}", "kind": "static", "shape": plan["surface"], "position": place}
    ball = {
        "name": f"ball_{figure}",
        "shape": {"sphere": {"radius": plan["radius"]}},
        "position": [near(place[0] + plan["from"][0]), near(plan["from"][1]), near(place[2] + plan["radius"])],
    }
    if plan["speed"]:
        ball["velocity"] = [near(vx), near(vy), 0]
        ball["angular_velocity"] = [near(-vy / plan["radius"]), near(vx / plan["radius"]), 0]
    return [surface, ball]


def figures_on_meshes():
    """The figures of Terdiman's paper in a row. The margin is half a ball's size: enough to reach the far triangle of figure 7."""
    surfaces = {
        "reach": mesh_figures.REACH,
        "triangle": mesh_figures.TRIANGLE,
        "square": mesh_figures.SQUARE,
        "corner": mesh_figures.CORNER,
        "strip": mesh_figures.STRIP,
        "fan": mesh_figures.FAN,
    }
    return scene(
        "Figures of triangle meshes",
        "Figures 1 to 8 of Terdiman's \"Contact generation for meshes\" beside one another. Balls roll over inner edges and vertices and do "
        "not feel them, and roll off round an outer edge, an outer vertex, and an edge beside another triangle's corner.",
        3,
        stepper={"margin": FIGURES["margin"], "sleeping": False},
        shapes={name: {"trimesh": {"vertices": v, "triangles": t}} for name, (v, t) in surfaces.items()},
        bodies=[FLOOR] + [body for figure in ROLLS for body in roll(figure)],
    )


# ------------------------------------------------------------------------------------------------------- scenes of the event stepper

EVENT = {"kind": "event"}
JACK = {"steps": 13, "tread": 0.5, "rise": 0.25, "half_width": 0.8, "reach": 0.2, "bar": 0.03, "tip": 0.05}


def jack_shape():
    """Three crossing bars and a ball at each of their six ends."""
    reach, bar = JACK["reach"], JACK["bar"]
    axes = range(3)
    bars = [{"shape": {"box": {"half": [reach if k == axis else bar for k in axes]}}} for axis in axes]
    ends = [[sign * reach if k == axis else 0 for k in axes] for axis in axes for sign in (-1, 1)]
    return {"compound": bars + [{"shape": "tip", "position": end} for end in ends]}


def jack():
    """Baraff's falling jack: 97 polygons and 6 curved surfaces. The floor is 1 polygon, the stairs are 78, the jack's bars 18."""
    steps, tread, rise, half_width = (JACK[key] for key in ("steps", "tread", "rise", "half_width"))
    bodies = [FLOOR]
    for i in range(steps):
        half = near((steps - i) * rise / 2)
        box = {"box": {"half": [near(tread / 2), half_width, half]}}
        bodies.append({"name": f"step_{i + 1}", "kind": "static", "shape": box, "position": [near((i + 0.5) * tread), 0, half]})
    bodies.append(
        {
            "name": "jack",
            "shape": "jack",
            "material": "steel",
            "position": [near(tread / 2), -0.3, near(steps * rise + 0.3)],
            "rotation": {"axis": [1, 2, 3], "degrees": 50},
            "velocity": [0.6, 0.1, 0],
            "angular_velocity": [1, 4, 0.5],
        }
    )
    return scene(
        "Falling jack",
        "A jack of three bars and six balls tumbles down thirteen stairs without friction: the first of the two scenes with which D. Baraff "
        "measured the coherence of collision tests.",
        5.5,
        stepper=EVENT,
        materials={"steel": {"density": 7800, "friction": 0, "restitution": 0.4}},
        shapes={"tip": {"sphere": {"radius": JACK["tip"]}}, "jack": jack_shape()},
        bodies=bodies,
    )


DICE = {"tray": 0.6, "half": 0.08, "corner": 0.025, "apart": 0.36}


def dice():
    """Baraff's falling dice: 89 polygons and 102 curved surfaces. The tray is 5 polygons, its two boxes are 12, the twelve dice 72."""
    tray, half, apart = DICE["tray"], DICE["half"], DICE["apart"]
    bodies = [FLOOR]
    for name, normal in (("left", [1, 0, 0]), ("right", [-1, 0, 0]), ("front", [0, 1, 0]), ("back", [0, -1, 0])):
        bodies.append({"name": name, "kind": "static", "shape": {"plane": {"normal": normal, "offset": -tray}}})
    for i, (sides, place) in enumerate((([0.12, 0.08, 0.1], [-0.2, 0.15]), ([0.07, 0.15, 0.06], [0.25, -0.1]))):
        box = {"box": {"half": sides}}
        bodies.append({"name": f"box_{i + 1}", "kind": "static", "shape": box, "position": [*place, sides[2]]})
    rng = random.Random(12)
    corners = [[x, y, z] for x in (-half, half) for y in (-half, half) for z in (-half, half)]
    die = [{"shape": {"box": {"half": [half] * 3}}}] + [{"shape": "corner", "position": corner} for corner in corners]
    for i in range(18):
        layer, row, column = i // 6, i // 3 % 2, i % 3
        where = [near(apart * (column - 1)), near(apart * (row - 0.5)), near(0.6 + apart * layer)]
        velocity = [round(rng.random() - 0.5, 3), round(rng.random() - 0.5, 3), 0]
        axis, turn = [round(rng.random() - 0.5, 3) for _ in range(3)], round(180 * rng.random(), 1)
        spin = [round(8 * (rng.random() - 0.5), 3) for _ in range(3)]
        placed = {"position": where, "velocity": velocity}
        if (i + layer) % 3 == 0:
            radius = round(0.05 + 0.05 * rng.random(), 3)
            bodies.append({"name": f"ball_{len(bodies) - 6}", "shape": {"sphere": {"radius": radius}}, "material": "bone", **placed})
        else:
            rotation = {"axis": axis, "degrees": turn}
            bodies.append(
                {"name": f"die_{len(bodies) - 6}", "shape": "die", "material": "bone", **placed, "rotation": rotation, "angular_velocity": spin}
            )
    return scene(
        "Falling dice",
        "Twelve dice with balls at their corners and six balls fall into a tray with two boxes in it, without friction: the second of the two "
        "scenes with which D. Baraff measured the coherence of collision tests.",
        6,
        stepper=EVENT,
        materials={"bone": {"density": 1800, "friction": 0, "restitution": 0.3}},
        shapes={"corner": {"sphere": {"radius": DICE["corner"]}}, "die": {"compound": die}},
        bodies=bodies,
    )


SLIDE = {"fixed": 1, "sliding": 0.3, "speed": 0.5}


def slide_off_ball():
    """A ball that leaves another where the cosine of the angle is 2/3 + v^2 / (3 g (R + r))."""
    fixed, sliding = SLIDE["fixed"], SLIDE["sliding"]
    top = {"name": "top", "shape": {"sphere": {"radius": sliding}}, "material": "ice", "position": [0, 0, 2 * fixed + sliding]}
    return scene(
        "Sliding off a ball",
        "A ball slides off a fixed one without friction. It leaves when the force between them ends, some 47 degrees from the top.",
        2,
        stepper=EVENT,
        materials={"ice": {"density": 900, "friction": 0, "restitution": 0.5}},
        bodies=[
            FLOOR,
            {"name": "ball", "kind": "static", "shape": {"sphere": {"radius": fixed}}, "position": [0, 0, fixed]},
            {**top, "velocity": [SLIDE["speed"], 0, 0]},
        ],
    )


def ball_stack():
    """Ten balls: each contact carries the weight above it."""
    bodies = [{"name": f"ball_{i + 1}", "shape": "ball", "material": "ice", "position": [0, 0, 2 * i + 1]} for i in range(10)]
    return scene(
        "Stack of balls",
        "Ten balls stand on each other. Each contact bears the weight above it.",
        2,
        stepper=EVENT,
        materials={"ice": {"density": 900, "friction": 0}},
        shapes={"ball": {"sphere": {"radius": 1}}},
        bodies=[FLOOR, *bodies],
    )


def ball_pyramid():
    """Three balls: the upper one drives the lower two apart, at first with an acceleration of g / 7 downwards."""
    places = [[-1, 0, 1], [1, 0, 1], [0, 0, near(1 + math.sqrt(3))]]
    names = ("left", "right", "top")
    bodies = [{"name": name, "shape": "ball", "material": "ice", "position": place} for name, place in zip(names, places)]
    return scene(
        "Pyramid of balls",
        "A ball on two balls that touch: without friction it drives them apart, until it leaves them and falls between them.",
        1,
        stepper=EVENT,
        materials={"ice": {"density": 900, "friction": 0}},
        shapes={"ball": {"sphere": {"radius": 1}}},
        bodies=[FLOOR, *bodies],
    )


ROCKING = {"half": (2, 1, 0.5), "angle": 0.3, "period": 1.2599185}


def rocking_ellipsoid():
    """An ellipsoid that rocks from rest at an angle of 0.3: its period is known to seven digits."""
    a, _, c = ROCKING["half"]
    angle = ROCKING["angle"]
    height = math.hypot(a * math.sin(angle), c * math.cos(angle))
    turn = {"axis": [0, 1, 0], "degrees": math.degrees(angle)}
    egg = {"name": "egg", "shape": {"ellipsoid": {"half": list(ROCKING["half"])}}, "material": "ice", "position": [0, 0, height], "rotation": turn}
    return scene(
        "Rocking ellipsoid",
        "An ellipsoid rocks on the floor without friction, and keeps its energy.",
        5,
        stepper=EVENT,
        materials={"ice": {"density": 900, "friction": 0}},
        bodies=[FLOOR, egg],
    )


PENDULUM = {"half": 0.5, "degrees": (100, 160)}


def double_pendulum():
    """Two rods that hang on each other, let go high above: they tumble without losing energy."""
    half, height = PENDULUM["half"], 2.2
    bodies = [{"name": "hook", "kind": "static", "shape": {"sphere": {"radius": 0.04}}, "position": [0, 0, height]}]
    joints, pivot, last = [], [0.0, height], "hook"
    for i, degrees in enumerate(PENDULUM["degrees"]):
        angle = math.radians(degrees)
        way = [half * math.sin(angle), -half * math.cos(angle)]
        name = f"rod_{i + 1}"
        bodies.append(
            {
                "name": name,
                "shape": {"box": {"half": [0.04, 0.02, half]}},
                "material": "steel",
                "position": [near(pivot[0] + way[0]), 0, near(pivot[1] + way[1])],
                "rotation": {"axis": [0, 1, 0], "degrees": -degrees},
            }
        )
        hinge = {"axis": [1, 0, 0], "degrees": -90}
        joints.append({"kind": "revolute", "a": last, "b": name, "position": [near(pivot[0]), 0, near(pivot[1])], "rotation": hinge})
        pivot, last = [pivot[0] + 2 * way[0], pivot[1] + 2 * way[1]], name
    return scene(
        "Double pendulum",
        "Two rods tumble on hinges without friction. Their energy stays; their motion is chaotic.",
        10,
        stepper=EVENT,
        materials={"steel": {"density": 7800, "friction": 0}},
        bodies=bodies,
        joints=joints,
        never_touch=[["hook", "rod_2"]],
    )


BOWL = {"inner": 1.0, "outer": 1.4, "half": (0.25, 0.18, 0.12)}


def ellipsoid_in_a_bowl():
    """A bowl that is one smooth body, half of a spherical shell with a round lip; an ellipsoid slides about in it."""
    inner, outer = BOWL["inner"], BOWL["outer"]
    middle, half = (inner + outer) / 2, (outer - inner) / 2
    shape = {
        "formula": f"((sqrt(x^2 + y^2 + z^2) - {near(middle)}) / {near(half)})^2 + exp(12 * z) - 1",
        "lower": [-1.5, -1.5, -1.5],
        "upper": [1.5, 1.5, 0.1],
        "inside": [0, 0, near(-middle)],
        "convex": False,
    }
    bowl = {"name": "bowl", "kind": "static", "shape": {"implicit": shape}, "position": [0, 0, outer]}
    egg = {
        "name": "egg",
        "shape": {"ellipsoid": {"half": list(BOWL["half"])}},
        "material": "ice",
        "position": [0.35, 0, near(outer - 0.55)],
        "rotation": {"axis": [1, 2, 3], "degrees": 50},
        "velocity": [0, 1, 0],
    }
    return scene(
        "Ellipsoid in a bowl",
        "An ellipsoid falls into a bowl and slides, spins and rocks about in it without friction. The bowl is one smooth body, given by a formula.",
        4,
        stepper=EVENT,
        materials={"ice": {"density": 900, "friction": 0, "restitution": 0.2}},
        bodies=[FLOOR, bowl, egg],
    )


RING = {"ring": 0.4, "tube": 0.1, "links": 3, "slack": 0.001}
HOOP = {"ring": 1.0, "tube": 0.3, "ball": 0.9}
SHELL = {"inner": 0.79, "outer": 1.0, "half": (0.2, 0.12, 0.09)}


def torus_chain():
    """Links that are tori hang in each other, every second one turned by a right angle."""
    link = {"torus": {"ring_radius": RING["ring"], "tube_radius": RING["tube"]}}
    bodies = []
    for i in range(RING["links"] + 1):
        body = {"name": f"link_{i}" if i else "hook", "shape": "link", "rotation": {"axis": [1 - i % 2, i % 2, 0], "degrees": 90}}
        body["position"] = [0, 0, near(-i * (2 * (RING["ring"] - RING["tube"]) - RING["slack"]))]
        bodies.append(body if i else {**body, "kind": "static"})
    return scene(
        "Chain of tori",
        "Rings hang in each other: each pair touches at one point of two surfaces that are not convex.",
        1,
        materials={"steel": {"density": 7800, "friction": 0.3}},
        shapes={"link": link},
        bodies=[{**body, "material": "steel"} for body in bodies],
    )


def ball_in_a_torus():
    """A ball falls into the hole of a ring on the floor, and comes to rest in it: it touches the ring along a circle."""
    return scene(
        "Ball in a torus",
        "A ball falls into the hole of a ring and rests on it, above the floor.",
        6,
        materials={"rubber": {"density": 1100, "friction": 0.6}},
        bodies=[
            FLOOR,
            {
                "name": "ring",
                "shape": {"torus": {"ring_radius": HOOP["ring"], "tube_radius": HOOP["tube"]}},
                "material": "rubber",
                "position": [0, 0, HOOP["tube"]],
            },
            {"name": "ball", "shape": {"sphere": {"radius": HOOP["ball"]}}, "material": "rubber", "position": [0.05, 0.02, 1.4]},
        ],
    )


def egg_in_a_shell():
    """A bowl that is one smooth body: a spherical shell with a round lip, by a formula."""
    inner, outer = SHELL["inner"], SHELL["outer"]
    middle, spread = (inner**2 + outer**2) / 2, (outer**2 - inner**2) / 2
    formula = f"((x^2 + y^2 + z^2 - {near(middle)}) / {near(spread)})^2 + ((z + 1.2) / 1.3)^8 - 1"
    bowl = {"implicit": {"formula": formula, "lower": [-1.1, -1.1, -1.1], "upper": [1.1, 1.1, 0.3], "inside": [0, 0, -0.9], "convex": False}}
    return scene(
        "Egg in a shell",
        "An ellipsoid slides to the bottom of a bowl and goes on spinning there. The bowl is one smooth body, given by a formula.",
        4,
        materials={"china": {"density": 2400, "friction": 0.2}},
        bodies=[
            {"name": "bowl", "kind": "static", "shape": bowl, "material": "china"},
            {
                "name": "egg",
                "shape": {"ellipsoid": {"half": list(SHELL["half"])}},
                "material": "china",
                "position": [0.4, 0, -0.3],
                "rotation": {"axis": [1, 2, 3], "degrees": 50},
                "velocity": [0, 0.6, 0],
            },
        ],
    )


def superquadric_pile():
    """Superquadrics and ellipsoids that fall on a table with a rim."""
    half = [0.3, 0.24, 0.18]
    shapes = {
        "cushion": {"superquadric": {"half": half, "exponents": [0.7, 0.6]}},
        "pebble": {"ellipsoid": {"half": half}},
        "rim": {"box": {"half": [1, 0.05, 0.15]}},
    }
    rims = [([0, 0.95, 0.15], 0), ([0, -0.95, 0.15], 0), ([0.95, 0, 0.15], 90), ([-0.95, 0, 0.15], 90)]
    bodies = [FLOOR]
    for i, (place, degrees) in enumerate(rims):
        turn = {"rotation": {"axis": [0, 0, 1], "degrees": degrees}} if degrees else {}
        bodies.append({"name": f"rim_{i + 1}", "kind": "static", "shape": "rim", "position": place, **turn})
    for i in range(8):
        place = [0.12 * math.cos(2.4 * i), 0.12 * math.sin(2.4 * i), 0.4 + 0.5 * i]
        bodies.append(
            {
                "name": f"stone_{i + 1}",
                "shape": ("cushion", "pebble")[i % 2],
                "material": "ice",
                "position": [round(x, 6) for x in place],
                "rotation": {"axis": [1, 2, 3], "degrees": 23 * i},
            }
        )
    return scene(
        "Pile of superquadrics",
        "Four superquadrics and four ellipsoids fall between four bars, without friction.",
        3,
        stepper=EVENT,
        materials={"ice": {"density": 900, "friction": 0, "restitution": 0.1}},
        shapes=shapes,
        bodies=bodies,
    )


# --------------------------------------------------------------------------------------------------------- scenes of the dem stepper

DEM = {"kind": "dem"}
GLASS = {"density": 2500, "friction": 0.3, "restitution": 0.3, "young": 1e7, "poisson": 0.25}
PACKING = {"balls": 3000, "radius": 0.005, "half": 0.05, "height": 0.6}


def sphere_packing():
    """Soft balls of glass, poured into a box. The walls order the balls near them, so figures are taken in the middle."""
    half, radius = PACKING["half"], PACKING["radius"]
    bodies = [{**FLOOR, "material": "glass"}]
    for name, normal in (("left", [1, 0, 0]), ("right", [-1, 0, 0]), ("front", [0, 1, 0]), ("back", [0, -1, 0])):
        wall_plane = {"plane": {"normal": normal, "offset": -half}}
        bodies.append({"name": name, "kind": "static", "shape": wall_plane, "material": "glass"})
    region = {"lower": [-half, -half, 0], "upper": [half, half, PACKING["height"]]}
    fill = {"count": PACKING["balls"], **region, "scale": [0.9, 1.1], "seed": 1}
    bodies.append({"name": "ball", "shape": {"sphere": {"radius": radius}}, "material": "glass", "velocity": [0, 0, -1], "fill": fill})
    return scene(
        "Sphere packing",
        "Three thousand balls, their radii spread over 10 % to either side, are poured into a box and come to rest.",
        4,
        dt=0.01,
        stepper={**DEM, "step_share": 0.2},
        until={"residual": 1e-3},
        materials={"glass": GLASS},
        bodies=bodies,
    )


PRESS = {"radius": 0.01, "speed": 0.001, "time": 0.5}


def ball_on_plane():
    """A ball between two planes. It starts with half the speed of the upper one, so that it does not oscillate."""
    radius, speed, time = PRESS["radius"], PRESS["speed"], PRESS["time"]
    shape = {"plane": {"normal": [0, 0, -1], "offset": -2 * radius}}
    bodies = [
        {**FLOOR, "material": "rubber"},
        {"name": "press", "kind": "kinematic", "shape": shape, "material": "rubber", "velocity": [0, 0, -speed]},
        {
            "name": "ball",
            "shape": {"sphere": {"radius": radius}},
            "material": "rubber",
            "position": [0, 0, radius],
            "velocity": [0, 0, -speed / 2],
        },
    ]
    back = [("press", speed), ("ball", speed / 2)]
    return scene(
        "Ball on a plane",
        "A plane presses a ball on the floor by half a millimetre, and lets go: force and displacement follow Hertz's law, both ways.",
        2 * time,
        dt=0.01,
        gravity=[0, 0, 0],
        stepper=DEM,
        materials={"rubber": {"density": 1000, "friction": 0, "restitution": 1, "young": 1e7, "poisson": 0.3}},
        bodies=bodies,
        actions=[{"at": time, "velocity": {"body": name, "velocity": [0, 0, up]}} for name, up in back],
    )


# Bodies of rounded triangles: scripts/make/grains.py writes their meshes. All grains have the volume of this ball.
GRAIN = 0.005
FRUIT = {"density": 1000, "friction": 0.4, "restitution": 0.3, "young": 2.5e5, "poisson": 0.3}
GUMMY = {"density": 1300, "friction": 0.6, "restitution": 0.3, "young": 1e6, "poisson": 0.45}

# The medium damps speed [1/s] and spin of the grains like thin syrup: they fall at most at 2 m/s, and do not roll to and fro for long.
SYRUP = {"linear_damping": 5, "angular_damping": 5}

# Share of the critical step: contact discs are about a sixth of a grain's radius, and the stiffer the contacts of a body the shorter the step must be. With
# 0.2 a bed of pears comes to rest and then jitters with the frequency of the steps: net forces double in a fifth of a second, without visible motion.
SHARE = 0.15


def grain_shape(name, **more):
    return {"facetmesh": {"file": f"meshes/{name}.obj", **more}}


def box_of_planes(half, material):
    """A floor and four walls."""
    bodies = [{**FLOOR, "material": material}]
    for name, normal in (("left", [1, 0, 0]), ("right", [-1, 0, 0]), ("front", [0, 1, 0]), ("back", [0, -1, 0])):
        bodies.append({"name": name, "kind": "static", "shape": {"plane": {"normal": normal, "offset": -half}}, "material": material})
    return bodies


def grain_packing(title, description, count, mesh, half, height, material, values, share=SHARE, **shape):
    """Grains of one mesh, poured into a box; shape: other keys of the facetmesh."""
    fill = {"count": count, "lower": [-half, -half, 0], "upper": [half, half, height], "seed": 1}
    grains = {"name": mesh, "shape": grain_shape(mesh, **shape), "material": material, "velocity": [0, 0, -0.3], "fill": fill}
    return scene(
        title,
        description,
        2,
        dt=0.01,
        stepper={**DEM, "step_share": share},
        until={"residual": 1e-3},
        materials={material: {**values, **SYRUP}},
        bodies=box_of_planes(half, material) + [grains],
    )


def pear_packing():
    """For fewer pears in a smaller box call grain_packing() with other numbers."""
    about = "A hundred and fifty pears of 320 rounded triangles are poured into a box of thin syrup and come to rest."
    return grain_packing("Pears", about, 150, "pear", 0.03, 0.22, "fruit", FRUIT)


def gummy_bears():
    """All triangles have the radius of a limb. Estimated radii make creases flat; such large spheres are near to many others, and a step takes ten times as long.
    Do not make the bears much softer: with a modulus of 2e5 Pa, a restitution of 0.1 and steps of 0.13 a bear pressed between another and the floor was thrown out of the box."""
    about = "Sixty bears of 932 rounded triangles, soft and rough, are poured into a box of thin syrup and come to rest."
    return grain_packing("Gummy bears", about, 60, "gummy_bear", 0.03, 0.22, "gummy", GUMMY, share=0.1, radius=0.002)


HOPPER = {"height": 0.1, "inside": 0.043, "low": 0.175, "high": 0.34, "balls": 250, "pears": 50, "opens": 0.6}


def hopper(h=HOPPER):
    """The grains fall into the hopper's cylinder, over a gate at the middle of its outlet's lip."""
    region = {"lower": [-h["inside"], -h["inside"], h["low"]], "upper": [h["inside"], h["inside"], h["high"]]}
    shape = grain_shape("hopper", radii={"walls": "flat", "outlet": 0.006, "rim": 0.012})
    bodies = [
        {**FLOOR, "material": "fruit"},
        {"name": "hopper", "kind": "static", "shape": shape, "position": [0, 0, h["height"]], "material": "fruit"},
        {"name": "gate", "kind": "static", "shape": {"plane": {"normal": [0, 0, 1], "offset": h["height"]}}, "material": "fruit"},
        {"name": "ball", "shape": {"sphere": {"radius": GRAIN}}, "material": "fruit", "fill": {"count": h["balls"], **region, "seed": 1}},
        {"name": "pear", "shape": grain_shape("pear"), "material": "fruit", "fill": {"count": h["pears"], **region, "seed": 2}},
    ]
    return scene(
        "Hopper",
        "Balls and pears fill a hopper, whose gate goes after 0.6 s, and run out of it onto a floor.",
        1.6,
        dt=0.01,
        stepper={**DEM, "step_share": SHARE},
        materials={"fruit": FRUIT},
        bodies=bodies,
        actions=[{"at": h["opens"], "remove": "gate"}],
    )


SIEVE = [("sieve [mm]", "passing [%]"), (12, 100), (10, 75), (8, 30), (6, 0)]
SILO = {"sides": 16, "rings": [(24, 0), (70, 80), (70, 150)], "seconds": 1.0}


def silo_text(h=SILO):
    """A cone and a cylinder without lid and bottom, as an STL file in millimetres; rings of (radius, height)."""
    turns = [2 * math.pi * i / h["sides"] for i in range(h["sides"] + 1)]
    lines = ["solid silo"]
    for (low, z0), (high, z1) in zip(h["rings"], h["rings"][1:]):
        for a, b in zip(turns, turns[1:]):
            p, q = (low * math.cos(a), low * math.sin(a), z0), (low * math.cos(b), low * math.sin(b), z0)
            r, s = (high * math.cos(b), high * math.sin(b), z1), (high * math.cos(a), high * math.sin(a), z1)
            for triangle in ((p, q, r), (p, r, s)):
                lines += [" facet normal 0 0 0", "  outer loop"]
                lines += ["   vertex " + " ".join(f"{near(round(x, 3)):g}" for x in v) for v in triangle]
                lines += ["  endloop", " endfacet"]
    return "\n".join([*lines, "endsolid silo", ""])


def silo(h=SILO):
    """Gravel comes through a disc below the rim, on a gate that goes when the bed is at rest."""
    low, top = h["rings"][0], h["rings"][-1]
    disc = {"centre": [0, 0, near(top[1] / 1000)], "normal": [0, 0, 1], "radius": near(top[0] / 1000 - 0.01)}
    bodies = [
        {
            "name": "silo",
            "kind": "static",
            "shape": {"trimesh": {"file": "meshes/silo.stl", "scale": 0.001, "two_sided": True}},
            "material": "gravel",
        },
        {"name": "gate", "kind": "static", "shape": {"cylinder": {"radius": near(low[0] / 1000 + 0.004), "half_height": 0.002}}, "material": "gravel",
         "position": [0, 0, -0.002]},
        {
            "name": "gravel",
            "shape": {"sphere": {"radius": 0.005}},
            "material": "gravel",
            "velocity": [0, 0, -1],
            "inlet": {"mass_rate": 1, "mass": 0.5, "disc": disc, "sizes": {"by": "mass", "curve": "tables/gravel.csv", "scale": 0.001}},
        },
    ]
    return scene(
        "Silo",
        "Gravel of a sieve curve, a CSV file, fills a silo, whose walls are an open STL file in millimetres; its gate goes, and the mass that flows out is measured.",
        2,
        dt=0.01,
        stepper={**DEM, "step_share": 0.2},
        materials={"gravel": {"density": 2600, "friction": 0.5, "restitution": 0.2, "young": 2e6}},
        bodies=bodies,
        actions=[{"at": h["seconds"], "remove": "gate"}],
        outlets=[{"name": "ground", "half_space": {"normal": [0, 0, 1], "offset": -0.1}}],
        measures=[
            {"name": "discharge", "flow_through": {"normal": [0, 0, -1], "offset": 0.02}},
            {"name": "walls", "force_on": "silo"},
        ],
    )


def two_cells():
    """The lower cell gets a dent that receives the upper one, which is pressed down; the upper cell is flattened and keeps its volume."""
    flat = 0.8
    wide = near(1 / math.sqrt(flat))
    force, until = [0, 0, -0.02], 1.0
    dent = {"at": [0, 0, GRAIN], "direction": [0, 0, -1], "depth": 0.0015, "radius": GRAIN}
    bodies = [
        {
            "name": "lower",
            "kind": "kinematic",
            "shape": "cell",
            "material": "tissue",
            "deform": [{"amount": [[0, 0.2], [0.3, 1], [0.7, 1], [1, 0.2]], "press": dent}],
        },
        {
            "name": "upper",
            "shape": "cell",
            "material": "tissue",
            "position": [0, 0, near(2 * GRAIN)],
            "deform": [{"amount": [[0.2, 0], [0.5, 1], [0.7, 1], [1, 0]], "stretch": [wide, wide, flat]}],
        },
    ]
    return scene(
        "Two cells",
        "Two cells that deform are pressed together by a force: the lower one is dented, the upper one flattened; then both become round again.",
        until,
        dt=0.001,
        gravity=[0, 0, 0],
        stepper={**DEM, "step": 1e-4},
        materials={"tissue": {"density": 1050, "friction": 0.5, "restitution": 0.05, "young": 1e5, "poisson": 0.45}},
        shapes={"cell": grain_shape("grain_ball")},
        bodies=bodies,
        actions=[{"at": 0, "until": until, "force": {"body": "upper", "force": force}}],
    )


def elastic_cells():
    """The lid is a box that comes down by 4.5 mm, waits, and goes up again."""
    cell = {"stiffness": 5, "damping": 0.0005, "pressure": 50, "bulk_modulus": 20000}
    tissue = {"density": 1050, "friction": 0.5, "restitution": 0.1, "young": 1e4, "poisson": 0.45, "angular_damping": 10}
    tissue |= {"adhesion_work": 0.1, "adhesion_strength": 1000}
    way = [[0, 0, 0, 0], [0.2, 0, 0, -0.0045], [0.25, 0, 0, -0.0045], [0.4, 0, 0, 0.001]]
    lid = {"name": "lid", "kind": "kinematic", "shape": {"box": {"half": [0.012, 0.012, 0.001]}}, "material": "glass"}
    cells = [
        {"name": name, "shape": "cell", "material": "tissue", "position": [x, 0, near(1.01 * GRAIN)], "cell": cell}
        for name, x in (("left", -GRAIN), ("right", GRAIN))
    ]
    return scene(
        "Elastic cells",
        "Two elastic cells that stick to each other by Maugis's law lie on a floor; a plate presses them flat, and they become round again when it rises.",
        0.5,
        dt=0.005,
        stepper={**DEM, "step_share": 0.5},
        materials={"tissue": tissue, "glass": {"friction": 0.3, "restitution": 0.1, "young": 1e7, "poisson": 0.3}},
        shapes={"cell": grain_shape("grain_ball", radius=GRAIN)},
        bodies=[{**FLOOR, "material": "glass"}, {**lid, "position": [0, 0, 0.0125], "motion": [{"table": way}]}, *cells],
        measures=[{"name": "lid", "force_on": "lid"}],
    )


def all_files():
    """{path under scenes/: text}."""
    baseline = "As its namesake, but with one new contact point a step in a cache of four: the baseline to compare with."
    flat, tilted, stack, bricks = box_drop(False), box_drop(True), tower(), wall()
    scenes = {
        "first_contact": first_contact(),
        "box_drop_flat": flat,
        "box_drop_flat_tracking": tracked(flat, baseline),
        "box_drop_tilted": tilted,
        "box_drop_tilted_tracking": tracked(tilted, baseline),
        "tower": stack,
        "tower_tracking": tracked(stack, baseline),
        "tower_of_ten": tower_of_ten(False),
        "tower_of_ten_random": tower_of_ten(True),
        "wall": bricks,
        "wall_tracking": tracked(bricks, baseline),
        "gears": gears(),
        "gear_train": gear_train(),
        "fractured_block": fractured_block(),
        "ball_on_terrain": ball_on_terrain(),
        "boxes_on_stairs": boxes_on_stairs(),
        "drums": drums(),
        "car_on_track": car_on_track(),
        "car_on_axles": car_on_axles(),
        "chain": chain(),
        "newtons_cradle": newtons_cradle(),
        "conveyor": conveyor(),
        "gripper": gripper(),
        "robot_arm": robot_arm(),
        "torus_chain": torus_chain(),
        "ball_in_a_torus": ball_in_a_torus(),
        "egg_in_a_shell": egg_in_a_shell(),
        "mesh_figures": figures_on_meshes(),
        "jack": jack(),
        "dice": dice(),
        "slide_off_ball": slide_off_ball(),
        "ball_stack": ball_stack(),
        "ball_pyramid": ball_pyramid(),
        "rocking_ellipsoid": rocking_ellipsoid(),
        "double_pendulum": double_pendulum(),
        "ellipsoid_in_a_bowl": ellipsoid_in_a_bowl(),
        "superquadric_pile": superquadric_pile(),
        "sphere_packing": sphere_packing(),
        "ball_on_plane": ball_on_plane(),
        "pear_packing": pear_packing(),
        "gummy_bears": gummy_bears(),
        "hopper": hopper(),
        "silo": silo(),
        "two_cells": two_cells(),
        "elastic_cells": elastic_cells(),
    }
    files = {f"{name}.json": json_text(value) + "\n" for name, value in scenes.items()}
    files["meshes/gear.obj"] = obj_text(gear(12, 0.17, 0.22, 0.06), "a gear: a disc and 12 teeth, each a convex part")
    files["meshes/gear_small.obj"] = obj_text(gear(10, 0.125, 0.165, 0.05), "a gear: a disc and 10 teeth, each a convex part")
    files["meshes/gear_18.obj"] = obj_text(
        gear(GEARS["teeth"][1], GEARS["root"][1], GEARS["tip"][1], GEARS["thick"]), "a gear: a disc and 18 teeth, each a convex part"
    )
    files["meshes/silo.stl"] = silo_text()
    files["tables/gravel.csv"] = "".join(f"{size};{share}\n" for size, share in SIEVE)
    files["meshes/stairs.obj"] = obj_text({"stairs": stairs()}, "a staircase: one closed surface, not convex")
    _, pieces = fracture.fracture(BLOCK["pieces"], BLOCK["size"], BLOCK["seed"])
    size = " ".join(f"{s:g}" for s in BLOCK["size"])
    files["meshes/block.obj"] = fracture.obj_text(
        pieces, f"fracture.py --pieces {BLOCK['pieces']} --size {size} --seed {BLOCK['seed']} --gap 0 --relax 1"
    )
    return files


def main(arguments=None):
    parser = argparse.ArgumentParser(prog="scenes.py", description="Write the project's scenes and their meshes.")
    parser.add_argument(
        "-o", "--output", type=pathlib.Path, default=SCENES, metavar="FOLDER", help="where to write them (default: the project's scenes/)"
    )
    parser.add_argument("--check", action="store_true", help="write nothing; exit status 1 when a file differs from what would be written")
    options = parser.parse_args(arguments)
    different = 0
    try:
        for name, text in all_files().items():
            path = options.output / name
            old = path.read_bytes() if path.exists() else None
            if old == text.encode():
                continue
            different += 1
            if options.check:
                print(f"{path}: {'missing' if old is None else 'differs'}")
                continue
            os.makedirs(path.parent, exist_ok=True)
            fracture.write_whole(path, text)
            print(path)
    except OSError as error:
        print(f"scenes.py: {error}", file=sys.stderr)
        return 2
    return 1 if options.check and different else 0


if __name__ == "__main__":
    sys.exit(main())
