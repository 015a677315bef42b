"""A recorded hand, as scenes of `abut run`: it pulls bricks out of a wall, builds a tower and presses on it, and drops a box, as in the poster of Silcowitz,
Niebe and Erleben. The hand is that of the sandbox: a spring from a point of a body to a target that moves. It does not look: every seed is another fixed
record of movements, with places, ways, speeds and tremor of its own, and all contact methods get the same record."""

import pathlib
import random
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "make"))
import scenes

STRENGTH, FREQUENCY = 20, 5  # of the sandbox's hand: the most force in weights of the body, the stiffness [1/s]
GRAVITY = 9.81
STRIDE = 0.25  # of the pieces of a way, with a steady speed each [s]


def near(values):
    return [round(x, 6) for x in values]


def follow(body, anchor, way, weight, strength=STRENGTH):
    """Springs that take the point `anchor` of a body along a way: [(time, place)]."""
    spring = {"body": body, "anchor": near(anchor), "frequency": FREQUENCY, "damping_ratio": 1, "max_force": round(strength * weight, 3)}
    return [
        {"at": round(t, 6), "until": round(after, 6), "spring": {**spring, "target": near(p), "target_end": near(q)}}
        for (t, p), (after, q) in zip(way, way[1:])
    ]


def shaking(rng, start, corners, tremor):
    """A way through the corners [(seconds from the last one, place)], in pieces of about STRIDE, whose inner ends tremble by up to `tremor` [m]."""
    way = [start]
    for seconds, place in corners:
        (t, p), pieces = way[-1], max(1, round(seconds / STRIDE))
        for i in range(1, pieces + 1):
            share = i / pieces
            shake = [tremor * rng.uniform(-1, 1) if i < pieces else 0.0 for _ in range(3)]
            way.append((t + share * seconds, [a + share * (b - a) + s for a, b, s in zip(p, place, shake)]))
    return way


# ---- the wall ----

COURSES, PER_COURSE, PULLS = 9, 6, 5
LOW_COURSES, LOW_PER_COURSE, LOW_PULLS = 6, 5, 4  # of the wall for the careless hand
SETTLED, OUT, PAUSE = 1.0, 0.3, 1.2  # first rest [s]; how far a brick is pulled [m]; rest after a pull [s]


def clear_of(course, x, others):
    """Whether a brick, like the others, can go without leaving a brick on one support: its neighbours and those above them stay."""
    return all(abs(course - c) > 2 or abs(x - other) > (1.25, 0.75, 1.25)[abs(course - c)] for c, _, other in others)


def choose_bricks(rng, courses, per_course, pulls, careful):
    """Whole bricks of the upper half, in the order of the pulls: [(course, place)]. None is at an end of its course. A careful hand takes none from the course
    below the topmost, where nothing would hold the bricks above, and none near another one that it took."""
    places = []
    for course in range(courses // 2 - 1, courses):
        shift = 0.0 if course % 2 == 0 else -0.5
        inner = range(1, per_course - 1) if course % 2 == 0 else range(2, per_course - 1)
        places += [(course, place, place + shift) for place in inner if not careful or course != courses - 2]
    rng.shuffle(places)
    chosen = []
    for course, place, x in places:
        if len(chosen) < pulls and (not careful or clear_of(course, x, chosen)):
            chosen.append((course, place, x))
    return [(course, place) for course, place, _ in chosen]


def wall(seed, courses=COURSES, per_course=PER_COURSE, pulls=PULLS, careful=True):
    """(scene, what the judge must know): a wall from which a hand pulls bricks, one by one."""
    rng = random.Random(f"wall {seed}")
    made = scenes.wall(courses, per_course, [])
    bodies = {body["name"]: body for body in made["bodies"]}
    length, width, height = scenes.BRICK
    weight = made["materials"]["brick"]["density"] * length * width * height * GRAVITY
    t, actions, done = SETTLED, [], []
    for course, place in choose_bricks(rng, courses, per_course, pulls, careful):
        name = f"brick_{course}_{place}"
        anchor = [0.15 * length * rng.uniform(-1, 1), -width / 2, 0.2 * height * rng.uniform(-1, 1)]
        grip = [a + b for a, b in zip(bodies[name]["position"], anchor)]
        seconds, aside, up = rng.uniform(1.5, 2.5), 0.03 * rng.uniform(-1, 1), 0.01 * rng.uniform(-1, 1)
        out = [grip[0] + aside, grip[1] - OUT, grip[2] + up]
        actions += follow(name, anchor, shaking(rng, (t, grip), [(seconds, out)], 0.003), weight)
        actions.append({"at": round(t + seconds, 6), "remove": name})
        done.append({"name": name, "from": t, "to": t + seconds, "rest": t + seconds + PAUSE})
        t += seconds + PAUSE
    made.update({"title": f"Brick wall, hand {seed}", "description": "A recorded hand pulls bricks out of a wall, one by one.", "duration": round(t, 3)})
    made["actions"] = actions
    return made, {"pulls": done}


def wall_any(seed):
    """The same with a low wall and a careless hand, which takes any bricks of the upper half."""
    return wall(seed, LOW_COURSES, LOW_PER_COURSE, LOW_PULLS, careful=False)


# ---- the tower ----

RING, LIFT, REST = 0.75, 0.12, 0.8  # radius of the ring where the objects wait; height of the ways above the tower [m]; pause after a release [s]
OBJECT_WEIGHT = 25  # about that of an object [N]
GENTLE, HARD = 100, 250  # what presses on the lid's edge [N]; by statics the tower tips over its narrowest object at 190 N


def press(body, start, most):
    """Forces on the edge of a lid that grow within a second and then stay for another. Returns (actions, end)."""
    steps = [(start + 0.25 * i, start + 0.25 * (i + 1), most * (i + 1) / 5) for i in range(4)] + [(start + 1, start + 2, most)]
    return [
        {"at": round(t, 6), "until": round(end, 6), "force": {"body": body, "force": [0, 0, round(-force, 3)], "anchor": [0.12, 0, 0.02]}}
        for t, end, force in steps
    ], start + 2


def tower(seed):
    """(scene, what the judge must know): a hand piles nine objects and two gears on each other, then presses on the edge of the topmost, gently, then hard."""
    rng = random.Random(f"tower {seed}")
    made = scenes.tower()
    objects = made["bodies"][2:]
    t, height, actions, places, released = 1.0, 0.0, [], {}, []
    for body, (x, y) in zip(objects, scenes.circle(RING, len(objects))):
        half = body["position"][2] - scenes.TABLE_TOP - height
        top, goal = height + 2 * half, [0.004 * rng.gauss(0, 1), 0.004 * rng.gauss(0, 1), 0.0]
        body["position"] = near([x, y, half])
        body["rotation"] = {"axis": [0, 0, 1], "degrees": round(rng.uniform(0, 360), 3)}
        centre = 0.0071 if body["name"] == "bowl" else 0.0  # of mass, in the object's frame
        above, goal[2] = max(height, 0.05) + LIFT + half, height + half + centre
        corners = [
            (rng.uniform(0.6, 1.0), [x, y, above]),
            (rng.uniform(0.8, 1.4), [*goal[:2], above]),
            (rng.uniform(0.8, 1.2), goal),
        ]
        way = shaking(rng, (t, [x, y, half + centre]), corners, 0.003)
        actions += follow(body["name"], [0, 0, centre], way, OBJECT_WEIGHT)
        t = way[-1][0] + REST
        released.append((body["name"], t))
        places[body["name"]] = [*goal[:2], height + half]
        height = top
    built = t + 1.0
    gentle, held = press("lid", built, GENTLE)
    hard, end = press("lid", held + 1.0, HARD)
    floor = {"name": "table", "kind": "static", "shape": {"plane": {"normal": [0, 0, 1]}}}
    made.update({"title": f"Tower, hand {seed}", "description": "A recorded hand piles objects on each other and presses on them.", "duration": round(end, 3)})
    made.update({"bodies": [floor, *objects], "actions": actions + gentle + hard})
    return made, {"places": places, "released": released, "built": built, "held": held + 0.5}


# ---- the box ----


def drop(seed):
    """(scene, what the judge must know): a box of 1 m is dropped on a plane, from another height and by another angle for every seed."""
    rng = random.Random(f"drop {seed}")
    made = scenes.box_drop(False)
    box = made["bodies"][-1]
    axis = [rng.gauss(0, 1), rng.gauss(0, 1), 0.2 * rng.gauss(0, 1)]
    box["rotation"] = {"axis": near(axis), "degrees": round(rng.uniform(0, 15), 3)}
    box["position"] = near([0, 0, rng.uniform(0.9, 1.3)])
    made.update({"title": f"Box drop, hand {seed}", "duration": 5})
    return made, {}
