#!/usr/bin/env python3
"""Write the scenes of scenes/calibration: the standard tests with which a law of contact is calibrated. docs/use/dem-calibration.md describes them.

The files are kept in the repository; scripts/measure/dem_calibration.py runs them, and variants of them. Lengths are in metres, z points up.

    python3 scripts/make/calibration.py [-o FOLDER]
"""

import argparse
import copy
import math
import pathlib

from scenes import json_text

SCENES = pathlib.Path(__file__).resolve().parents[2] / "scenes" / "calibration"
WALL_TURNS = 48  # sides of a round wall


def scene(title, dt, duration, **members):
    return {"$schema": "../../docs/formats/scene.schema.json", "abut_scene": 1, "title": title, "dt": dt, "duration": duration, **members}


def dem(share=0.25):
    return {"kind": "dem", "step_share": share}


def soft(**more):
    """Beads like glass, but softer, for longer steps: overlaps stay below three hundredths of a diameter."""
    return {"density": 2500, "young": 2e6, "poisson": 0.25, "friction": 0.5, "restitution": 0.3, **more}


def materials(**more):
    grain = soft(**more)
    return {"grain": grain, "slick": {**grain, "friction": 0, "rolling_resistance": 0}}


SLICK = [{"materials": ["grain", "slick"], "friction": 0, "rolling_resistance": 0}]  # without it a pair would have the larger resistance


def wall(name, half, position, material="grain", **more):
    return {"name": name, "kind": "static", "material": material, "shape": {"box": {"half": half}}, "position": position, **more}


def plane(name, normal, offset, material="slick"):
    return {"name": name, "kind": "static", "material": material, "shape": {"plane": {"normal": normal, "offset": offset}}}


def grains(diameter, count, lower, upper):
    return {"name": "grain", "material": "grain", "shape": {"sphere": {"radius": diameter / 2}},
            "fill": {"count": count, "lower": lower, "upper": upper, "scale": [0.9, 1.1]}}


def near(value):
    return round(value, 9) + 0.0


# ---- one ball ----

RESTITUTIONS = (0.9, 0.7, 0.5)
ANGLES = (2, 5, 10, 15, 20, 25, 30, 40, 50, 60, 70, 80, 85)


def bounce():
    made = {"floor": {"young": 1e9, "restitution": 0.01}}
    bodies = [plane("floor", [0, 0, 1], 0, "floor")]
    for i, e in enumerate(RESTITUTIONS):
        made[f"e_{e}"] = {"density": 2500, "young": 1e9, "restitution": e}
        bodies.append({"name": f"ball_{e}", "material": f"e_{e}", "shape": {"sphere": {"radius": 0.01}}, "position": [near(0.1 * i), 0, 0.31]})
    return scene("Balls of three restitutions fall 0.3 m on a floor", 0.001, 1.5, stepper=dem(0.1), materials=made, bodies=bodies)


def oblique_impact():
    """The sphere and the anvil of Kharaz, Gorham and Salman. One ball for each angle of incidence; they do not meet."""
    law = {"friction": 0.092, "restitution": 0.98}
    bodies = [plane("anvil", [0, 0, 1], 0, "glass")]
    for i, angle in enumerate(ANGLES):
        t = math.radians(angle)
        bodies.append({"name": f"angle_{angle}", "material": "alumina", "shape": {"sphere": {"radius": 0.0025}}, "position": [0, near(0.01 * i), 0.00251],
                       "velocity": [near(3.9 * math.sin(t)), 0, near(-3.9 * math.cos(t))]})
    return scene("A sphere of aluminium oxide strikes a glass anvil at 3.9 m/s, at thirteen angles", 1e-5, 2e-4, gravity=[0, 0, 0], stepper=dem(0.05),
                 materials={"alumina": {"density": 4000, "young": 3.8e11, "poisson": 0.23, **law}, "glass": {"density": 2500, "young": 7e10, "poisson": 0.25, **law}},
                 bodies=bodies)


# ---- beds ----


def repose():
    d, length, width = 0.01, 18, 5
    return scene("A heap on a table: the front wall goes, and grains fall off the edge until the slope rests", 0.005, 3, stepper=dem(),
                 until={"residual": 1, "kinetic": 0.02}, materials=materials(rolling_resistance=0.1), material_pairs=SLICK,
                 bodies=[wall("table", [near((length / 2 + 1) * d), near(width * d), d], [near((length / 2 - 1) * d), near(width * d / 2), -d]),
                         wall("back", [d, near(width * d), 0.2], [-d, near(width * d / 2), 0.19]),
                         wall("gate", [d, near(width * d), 0.2], [near((length + 1) * d), near(width * d / 2), 0.201]),
                         plane("front", [0, 1, 0], 0), plane("rear", [0, -1, 0], near(-width * d)),
                         grains(d, 900, [0, 0, 0], [near(length * d), near(width * d), 0.25])],
                 outlets=[{"name": "floor", "half_space": {"normal": [0, 0, 1], "offset": -0.04}}],
                 actions=[{"when": {"rest": {"residual": 20, "kinetic": 0.05}, "after": 0.2}, "remove": "gate"}])


def shell(radius, half):
    """A tube about the y axis, which touches from both sides."""
    turns = [2 * math.pi * k / WALL_TURNS for k in range(WALL_TURNS)]
    points = [[near(radius * math.cos(a)), y, near(radius * math.sin(a))] for y in (-half, half) for a in turns]
    triangles = []
    for k in range(WALL_TURNS):
        a, b = k, (k + 1) % WALL_TURNS
        triangles += [[a, b, b + WALL_TURNS], [a, b + WALL_TURNS, a + WALL_TURNS]]
    return {"trimesh": {"vertices": points, "triangles": triangles, "two_sided": True}}


DRUM = {"radius": 0.05, "half": 0.01, "speed": 15}  # turns a minute


def drum():
    half, grain = DRUM["half"], materials(rolling_resistance=0.1)
    return scene("A drum of 100 mm turns 15 times a minute, a quarter full of beads", 0.005, 3, stepper=dem(), materials={**grain, "drum": {**grain["grain"], "friction": 0.9}}, material_pairs=SLICK,
                 bodies=[{"name": "drum", "kind": "kinematic", "material": "drum", "shape": shell(DRUM["radius"], 1.5 * half),
                          "motion": [{"rotate": {"axis": [0, 1, 0], "degrees_per_second": 6 * DRUM["speed"]}, "from": 0.4}]},
                         plane("front", [0, 1, 0], -half), plane("rear", [0, -1, 0], -half), grains(0.005, 320, [-0.033, -half, -0.033], [0.033, half, 0.033])],
                 measures=[{"name": "load", "force_on": "drum", "about": [0, 0, 0]}])


def annulus(half, hole):
    """A square plate at z = 0 with a round hole; the corners of the square are among the rays."""
    count = WALL_TURNS
    points = []
    for k in range(count):
        a = 2 * math.pi * (k + 0.5) / count
        reach = half / max(abs(math.cos(a)), abs(math.sin(a)))
        points += [[near(hole * math.cos(a)), near(hole * math.sin(a)), 0], [near(reach * math.cos(a)), near(reach * math.sin(a)), 0]]
    triangles = []
    for k in range(count):
        a, b = 2 * k, 2 * ((k + 1) % count)
        triangles += [[a, a + 1, b + 1], [a, b + 1, b]]
    return {"trimesh": {"vertices": points, "triangles": triangles, "two_sided": True}}


HOPPER = {"grain": 0.005, "half": 0.045, "holes": (5, 6, 7, 8), "count": 3000, "stop": 0.1}  # holes in diameters of a grain


def bin_of(bodies, **members):
    half, d = HOPPER["half"], HOPPER["grain"]
    walls = [plane("west", [1, 0, 0], -half, "grain"), plane("east", [-1, 0, 0], -half, "grain"), plane("south", [0, 1, 0], -half, "grain"),
             plane("north", [0, -1, 0], -half, "grain")]
    return scene(members.pop("title"), 0.005, members.pop("duration"), stepper=dem(), materials=materials(), **members,
                 bodies=bodies + walls + [grains(d, HOPPER["count"], [-half, -half, 0], [half, half, 0.26])])


def hopper_fill():
    return bin_of([plane("floor", [0, 0, 1], 0, "grain")], title="A bin is filled with 3000 beads", duration=0.6,
                  measures=[{"name": "low", "average_in": {"lower": [-0.04, -0.04, 0.01], "upper": [0.04, 0.04, 0.03]}}])


def hopper():
    d, half = HOPPER["grain"], HOPPER["half"]
    return bin_of([{"name": "bottom", "kind": "static", "material": "grain", "shape": annulus(near(1.5 * half), near(3 * d))}],
                  title="The filled bin gets a bottom with a hole of six diameters", duration=1.2, start={"recording": "hopper_fill.h5"},
                  outlets=[{"name": "out", "half_space": {"normal": [0, 0, 1], "offset": -0.05}}],
                  measures=[{"name": "flow", "flow_through": {"normal": [0, 0, -1], "offset": near(1.2 * d)}}],
                  actions=[{"when": {"series": "flow.mass", "above": HOPPER["stop"]}, "stop": True}])


CELL = {"grain": 0.006, "size": 8, "count": 600}


def oedometer_walls(top):
    half = near(CELL["size"] * CELL["grain"] / 2)
    return half, [wall("floor", [0.1, 0.1, 0.01], [0, 0, -0.01], "slick"), plane("west", [1, 0, 0], -half), plane("east", [-1, 0, 0], -half),
                  plane("south", [0, 1, 0], -half), plane("north", [0, -1, 0], -half)], wall("lid", [near(0.999 * half), near(0.999 * half), 0.006], [0, 0, top], "slick", kind="kinematic")


def oedometer_fill():
    half, walls, lid = oedometer_walls(0.16)
    lid["servo"] = {"axis": [0, 0, -1], "force": 2, "max_speed": 0.3}
    return scene("A bed of beads is pressed by 2 N", 0.002, 0.8, stepper=dem(), materials=materials(),
                 bodies=walls + [lid, grains(CELL["grain"], CELL["count"], [-half, -half, 0], [half, half, 0.15])])


def oedometer():
    half, walls, lid = oedometer_walls(0.16)
    lid["motion"] = [{"table": [[0, 0, 0, 0], [0.5, 0, 0, -0.002]]}]
    return scene("The lid goes down by 2 mm, and the walls hold", 0.002, 0.5, stepper=dem(), start={"recording": "oedometer_fill.h5"}, materials=materials(),
                 bodies=walls + [lid, grains(CELL["grain"], CELL["count"], [-half, -half, 0], [half, half, 0.15])],
                 measures=[{"name": "vertical", "force_on": "lid"}, {"name": "side", "force_on": "west"}, {"name": "base", "force_on": "floor"}])


SHEAR = {"grain": 0.006, "length": 14, "width": 6, "height": 3, "load": 8, "count": 740, "begin": 0.4, "travel": 0.012, "end": 1.0}


def shear():
    d, h = SHEAR["grain"], near(SHEAR["height"] * SHEAR["grain"])
    x, y = near(SHEAR["length"] * d / 2), near(SHEAR["width"] * d / 2)
    sides = (("west", "grain", [d, near(y + 2 * d)], [near(-x - d), 0]), ("east", "grain", [d, near(y + 2 * d)], [near(x + d), 0]),
             ("south", "slick", [near(x + 6 * d), d], [0, near(-y - d)]), ("north", "slick", [near(x + 6 * d), d], [0, near(y + d)]))
    slides = {"kind": "kinematic", "motion": [{"table": [[0, 0, 0, 0], [near(SHEAR["end"] - SHEAR["begin"]), SHEAR["travel"], 0, 0]], "from": SHEAR["begin"]}]}
    lower = [wall(f"lower_{n}", [*size, h], [*at, near(-h - 1e-4)], material, **slides) for n, material, size, at in sides]
    upper = [wall(f"upper_{n}", [*size, near(3 * h)], [*at, near(3 * h)], material) for n, material, size, at in sides]
    lid = wall("lid", [near(0.999 * x), near(0.999 * y), d], [0, 0, near(6 * h)], kind="kinematic", servo={"axis": [0, 0, -1], "force": SHEAR["load"], "max_speed": 0.3})
    floor = wall("floor", [near(x + 4 * d), near(y + 2 * d), d], [0, 0, near(-2 * h - d)], **slides)
    return scene("A box in two halves is filled and pressed; the lower half slides", 0.002, SHEAR["end"], stepper=dem(), materials=materials(), material_pairs=SLICK,
                 bodies=lower + [floor] + upper + [lid, grains(d, SHEAR["count"], [-x, -y, near(-2 * h)], [x, y, near(6 * h - d)])],
                 measures=[{"name": "above", "force_on": ["upper_west", "upper_east", "upper_south", "upper_north", "lid"]},
                           {"name": "below", "force_on": ["lower_west", "lower_east", "lower_south", "lower_north", "floor"]}])


ALL = {made.__name__: made for made in (bounce, oblique_impact, repose, drum, hopper_fill, hopper, oedometer_fill, oedometer, shear)}


def text_of(name):
    return json_text(ALL[name]()) + "\n"


def variant(name, **changes):
    """The scene with other values for materials, as in variant("repose", grain={"friction": 0.2})."""
    made = copy.deepcopy(ALL[name]())
    for material, values in changes.items():
        made["materials"][material].update(values)
    return made


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("-o", "--output", type=pathlib.Path, default=SCENES)
    folder = parser.parse_args().output
    folder.mkdir(exist_ok=True)
    for name in ALL:
        (folder / f"{name}.json").write_text(text_of(name), encoding="utf-8")


if __name__ == "__main__":
    main()
