"""Checks of the larger scenes. The wall stands and settles after each removal. The tower stays up under a gentle pull and tilts under a hard one. A gear turns
another. The fractured block crumbles without exploding. Bodies that fall on a mesh stay on it, and bodies that roll over it feel no inner edge. A packing of
balls is as dense as others. The scenes of the event stepper agree with closed forms, lose energy in impacts only, and mostly reuse earlier results.

A build with sanitizers is about ten times slower. It runs only the first second of each scene, to find memory errors.
"""

import json
import math
import os
import pathlib
import subprocess
import sys
import unittest
import unittest.mock

ROOT = pathlib.Path(os.environ.get("ABUT_TEST_SOURCE_DIR", pathlib.Path(__file__).resolve().parents[2]))
SCRATCH = pathlib.Path(os.environ.get("ABUT_TEST_SCRATCH_DIR", "/tmp"))
COMMAND = os.environ.get("ABUT_TEST_COMMAND")
sys.path[:0] = [str(ROOT / "scripts" / room) for room in ("make", "measure")]

try:
    import h5py  # noqa: F401
    import numpy as np
except ImportError:
    print("skipped: Python has no numpy or no h5py")
    sys.exit(77)
if not COMMAND:
    print("skipped: the command was not built")
    sys.exit(77)

import grains  # noqa: E402
import scenes  # noqa: E402
import recording  # noqa: E402

INSTRUMENTED = b"__asan_init" in pathlib.Path(COMMAND).read_bytes() or b"__tsan_init" in pathlib.Path(COMMAND).read_bytes()


def run(name, steps=None, folder=ROOT / "scenes"):
    result = SCRATCH / f"{name}.h5"
    shorter = ["-n", "60"] if INSTRUMENTED else ["-n", str(steps)] if steps else []
    subprocess.run([COMMAND, "run", str(folder / f"{name}.json"), "--quiet", "-o", str(result), *shorter], check=True)
    return recording.Recording(result)


def at(run, time):
    return int(np.argmin(np.abs(run.time - time)))


def total_energy(run):
    return run.steps["kinetic_energy"] + run.steps["potential_energy"] + run.steps["spring_energy"]


def moved(run, frame):
    """The distance of each dynamic body from its start; NaN for removed bodies."""
    return np.linalg.norm(run.pose[frame, run.dynamic, :3] - run.pose[0, run.dynamic, :3], axis=1)


class Gears(unittest.TestCase):
    def test_one_turns_the_other_by_its_teeth(self):
        r = run("gears")
        self.assertLess(r.steps["max_penetration"].max(), 1e-4)
        if INSTRUMENTED:
            return
        turned = np.unwrap(2 * np.arctan2(r.pose[:, r.dynamic, 5], r.pose[:, r.dynamic, 6]), axis=0)
        small, large = turned[at(r, 9)] - turned[0]
        self.assertAlmostEqual(small, 2 * np.pi, delta=0.2)
        teeth = scenes.GEARS["teeth"]
        # Within the clearance between two teeth.
        self.assertAlmostEqual(-large / small, teeth[0] / teeth[1], delta=0.02)
        place = r.pose[:, r.dynamic, :3] - r.pose[0, r.dynamic, :3]
        self.assertLess(np.abs(place).max(), 0.003, "an axle left its hole")


class GearTrain(unittest.TestCase):
    def test_teeth_turn_gears_on_bearings_and_a_gear_joint_a_dial(self):
        r = run("gear_train")
        self.assertLess(r.steps["max_penetration"].max(), 1e-3)
        if INSTRUMENTED:
            return
        g, t = scenes.GEARS, scenes.TRAIN
        turned = np.unwrap(2 * np.arctan2(r.pose[:, r.dynamic, 5], r.pose[:, r.dynamic, 6]), axis=0)
        first, second, third, dial = turned[-1] - turned[0]
        self.assertAlmostEqual(first, t["speed"] * r.time[-1], delta=0.05)
        # Within the clearance between two teeth; the joint has none.
        self.assertAlmostEqual(-second / first, g["teeth"][0] / g["teeth"][1], delta=0.02)
        self.assertAlmostEqual(third / first, 1, delta=0.02)
        self.assertAlmostEqual(dial, -third / t["ratio"], delta=1e-9)
        place = r.pose[:, r.dynamic, :3] - r.pose[0, r.dynamic, :3]
        self.assertLess(np.abs(place).max(), 1e-9, "a gear left its bearing")


class Chain(unittest.TestCase):
    def test_its_links_stay_together(self):
        r = run("chain", 240)
        half = scenes.CHAIN["half"]
        pose = r.pose[:, r.dynamic]
        x, y, z, w = (pose[..., k] for k in range(3, 7))
        along = np.stack([1 - 2 * (y * y + z * z), 2 * (x * y + z * w), 2 * (x * z - y * w)], axis=-1)
        reach = np.full(pose.shape[1], half)
        reach[-1] = 0.25
        ends = pose[..., :3] + half * along
        begins = pose[..., :3] - reach[:, None] * along
        gaps = np.linalg.norm(begins[:, 1:] - ends[:, :-1], axis=-1)
        self.assertLess(gaps.max(), 1e-6 * 2 * half * len(reach))
        energy = total_energy(r)
        self.assertLess(np.abs(energy - energy[0]).max(), 1e-2 * np.ptp(r.steps["kinetic_energy"]))


class Cradle(unittest.TestCase):
    def test_the_last_ball_takes_what_the_first_one_brings(self):
        r = run("newtons_cradle", 720)
        if INSTRUMENTED:
            return
        speed = np.abs(r.velocity[:, r.dynamic, 0])
        c = scenes.CRADLE
        struck = math.sqrt(2 * 9.81 * c["string"] * (1 - math.cos(math.radians(c["degrees"]))))
        before = slice(0, at(r, 1.5 * math.pi * math.sqrt(c["string"] / 9.81)))  # the last ball comes back
        self.assertAlmostEqual(speed[before, 0].max() / struck, 1, delta=0.01)
        self.assertGreater(speed[before, -1].max() / struck, 0.97)
        energy = total_energy(r)
        self.assertLess(np.ptp(energy), 0.01 * np.ptp(r.steps["kinetic_energy"]))


class Conveyor(unittest.TestCase):
    def test_boxes_get_the_speed_of_the_belt_and_end_on_the_turntable(self):
        r = run("conveyor")
        c = scenes.CONVEYOR
        speed, gained = r.velocity[:, r.dynamic, 0], c["friction"] * 9.81
        for time in (0.05, 0.1):
            self.assertLess(np.abs(speed[at(r, time)] - gained * time).max(), 1e-6)
        self.assertLess(np.abs(speed[at(r, 0.3)] - c["speed"]).max(), 1e-6)
        if INSTRUMENTED:
            return
        from_axis = r.pose[-1, r.dynamic, :2] - [2.55, 3.7]
        self.assertLess(np.linalg.norm(from_axis, axis=1).max(), 1.2)
        self.assertGreater(r.pose[-1, r.dynamic, 2].min(), 0.6)


class Gripper(unittest.TestCase):
    def test_it_lifts_the_box_without_slip_and_stops(self):
        r = run("gripper")
        if INSTRUMENTED:
            return
        box, hand = (r.pose[:, r.names.index(name), 2] for name in ("box", "hand"))
        g = scenes.GRIPPER
        self.assertAlmostEqual(hand[-1] - hand[0], g["lift"], delta=1e-6)
        held, slip = slice(at(r, 1.0), at(r, 4.0)), box - hand
        self.assertLess(np.ptp(slip[held]), 1e-9)
        # The hand stops at once. The box goes on until its weight and the friction of both fingers have stopped it.
        stopping = 9.81 + 2 * 0.6 * g["force"] / (500 * (2 * g["half"]) ** 3)
        self.assertAlmostEqual(slip[-1] - slip[held][0], g["speed"] ** 2 / (2 * stopping), delta=3e-5)
        self.assertGreater(box[-1] - box[0], g["lift"] - g["speed"])


class RobotArm(unittest.TestCase):
    def test_it_reaches_its_angles(self):
        r = run("robot_arm")
        if INSTRUMENTED:
            return
        turn, pitch, place = [math.radians(a) for a in scenes.ROBOT["turn"]], 0.0, np.array([0.0, 0.0, 0.4])
        for length, angle in zip([*scenes.ROBOT["links"][:-1], scenes.ROBOT["links"][-1] + 0.08], turn[1:]):
            pitch += angle
            across, up = length * math.sin(pitch), length * math.cos(pitch)
            place = place + [across * math.cos(turn[0]), across * math.sin(turn[0]), up]
        self.assertLess(np.linalg.norm(r.pose[-1, r.names.index("load"), :3] - place), 1e-6)


class Wall(unittest.TestCase):
    def test_it_stands_and_settles_after_each_removal(self):
        r = run("wall")
        if INSTRUMENTED:
            return
        removals = [10 + 4 * i for i in range(len(scenes.REMOVED))]
        for time in [*removals, r.time[-1]]:
            self.assertEqual(r.steps["awake"][at(r, time - r.dt)], 0, f"not at rest before {time} s")
        away = moved(r, len(r.time) - 1)
        self.assertEqual(np.isnan(away).sum(), len(removals))
        self.assertLess(np.nanmean(away > 0.05), 0.1, "bricks fell")
        self.assertLess(np.nanmedian(away), 0.002)
        self.assertLess(r.steps["max_penetration"].max(), 0.1 * scenes.BRICK[2])
        # A removed brick takes its energy with it and nothing adds energy: the rest of the step's change is negative.
        steps = np.diff(total_energy(r))
        self.assertLess(steps.max(), 1e-3 * total_energy(r)[0])


class Tower(unittest.TestCase):
    def test_it_bears_a_gentle_hand_and_tilts_under_a_hard_one(self):
        r = run("tower")
        if INSTRUMENTED:
            return
        self.assertEqual(r.steps["awake"][at(r, 3.9)], 0)
        for time in (3.9, 7.9):
            self.assertLess(moved(r, at(r, time)).max(), 0.02, f"at {time} s")
        lid = r.names.index("lid")
        table = r.names.index("gear_large")
        self.assertLess(r.pose[-1, lid, 2], r.pose[0, lid, 2] - 0.1)
        self.assertLess(np.linalg.norm(r.pose[-1, table, :3] - r.pose[0, table, :3]), 0.05)


class FracturedBlock(unittest.TestCase):
    def test_it_crumbles_and_comes_to_rest(self):
        r = run("fractured_block")
        self.assertGreaterEqual(len(r.dynamic), 300)
        if INSTRUMENTED:
            return
        energy = total_energy(r)
        self.assertLess(np.diff(energy).max(), 0.01 * energy[0])
        # No piece is faster than one that falls from the block's top to the floor.
        highest = r.pose[0, r.dynamic, 2].max()
        speed = np.linalg.norm(r.velocity[:, r.dynamic, :3], axis=2).max()
        self.assertLess(speed, math.sqrt(2 * 9.81 * highest))
        self.assertGreater(np.median(moved(r, len(r.time) - 1)), 0.5)
        self.assertGreater(r.pose[-1, r.dynamic, 2].min(), 0)
        self.assertLess(r.steps["max_penetration"][-1], 0.005)
        self.assertLess(r.steps["kinetic_energy"][-1], 1e-5 * energy[0])


def height_under(x, y):
    """The terrain's height at a point. The diagonal of each cell runs from its lowest corner to its highest."""
    spacing = scenes.TERRAIN["spacing"]
    i, j = math.floor(x / spacing), math.floor(y / spacing)
    a, b = x / spacing - i, y / spacing - j
    z00, z10, z11, z01 = [scenes.terrain_height(spacing * (i + k), spacing * (j + m)) for k, m in ((0, 0), (1, 0), (1, 1), (0, 1))]
    return z00 + a * (z10 - z00) + b * (z11 - z10) if a > b else z00 + b * (z01 - z00) + a * (z11 - z01)


class Drums(unittest.TestCase):
    def test_cylinders_and_cones_stand_and_roll(self):
        r = run("drums")
        with h5py.File(SCRATCH / "drums.h5") as file:
            kinds, sizes = file["shapes/kind"][:], file["shapes/parameters"][:]
            self.assertEqual(sizes[kinds == 13][:, :3].tolist()[0], [0.45, 0.45, 0.4])
            self.assertEqual(sizes[kinds == 14][:, :3].tolist()[0], [0.3, 0.4, 0.3])
        if INSTRUMENTED:
            return
        place = {name: r.pose[:, i, :3] for i, name in enumerate(r.names)}
        # Four stand on each other.
        for name, *_ in scenes.ROUND_TOWER:
            self.assertLess(np.abs(place[name] - place[name][0]).max(), 1e-3, name)
        # A wheel that rolls loses nothing, and does not turn aside.
        self.assertLess(np.abs(place["wheel"][-1] - [6.2, -1.5, 0.3]).max(), 1e-3)
        # A cylinder that rolls down a slope without slipping has two thirds of the energy in its motion. At the kink it turns about its new line of contact.
        roller, bottom = place["roller"], scenes.SLOPE["degrees"]
        speed = math.sqrt(4 / 3 * 9.81 * (roller[0, 2] - roller[-1, 2])) * (1 + 2 * math.cos(math.radians(bottom))) / 3
        dt = r.time[-1] - r.time[-2]
        self.assertAlmostEqual((roller[-1, 0] - roller[-2, 0]) / dt, speed, delta=0.01 * speed)
        # A cone rolls around its apex, which stays where it is.
        cone = place["rolling_cone"]
        self.assertLess(np.abs(np.hypot(cone[:, 0], cone[:, 1] + 3) - cone[0, 0]).max(), 0.03)
        angle = np.unwrap(np.arctan2(cone[:, 1] + 3, cone[:, 0]))
        self.assertAlmostEqual(angle[-1], 1.5 * 6, delta=0.1)
        self.assertLess(r.steps["max_penetration"].max(), 0.001)
        self.assertAlmostEqual(place["thrown"][-1, 2], 0.25, delta=1e-4)


class Meshes(unittest.TestCase):
    def test_balls_stay_on_the_terrain(self):
        r = run("ball_on_terrain")
        reach = scenes.TERRAIN["spacing"] * (scenes.TERRAIN["vertices"] - 1) / 2
        radii = {b["name"]: b["shape"]["sphere"]["radius"] for b in scenes.ball_on_terrain()["bodies"][1:]}
        for body in r.dynamic:
            for x, y, z in r.pose[::10, body, :3]:
                self.assertLess(max(abs(x), abs(y)), reach, r.names[body])
                self.assertGreater(z - height_under(x, y), radii[r.names[body]] - 0.005, r.names[body])
        energy = total_energy(r)
        self.assertLess(np.diff(energy).max(), 1e-6 * energy[0])
        if not INSTRUMENTED:
            self.assertLess(r.steps["kinetic_energy"][-1], 1e-3 * r.steps["kinetic_energy"].max())

    def test_boxes_tumble_down_the_stairs_and_lie_still(self):
        r = run("boxes_on_stairs")
        energy = total_energy(r)
        self.assertLess(np.diff(energy).max(), 1e-4 * energy[0])
        self.assertLess(r.steps["max_penetration"].max(), 0.02)
        self.assertGreater(r.pose[:, r.dynamic, 2].min(), 0)
        if INSTRUMENTED:
            return
        self.assertEqual(r.steps["awake"][-1], 0)
        self.assertLess(r.steps["max_penetration"][-1], 0.001)
        # Each box lies on a step or on the floor: no corner is below the surface under the box's middle.
        steps, tread, rise = (scenes.STAIRS[key] for key in ("steps", "tread", "rise"))
        for body in r.dynamic:
            x, y, z = r.pose[-1, body, :3]
            beside = abs(y) > scenes.STAIRS["half_width"] or x < 0
            floor = 0 if beside else rise * max(0, steps - math.floor(x / tread))
            self.assertGreater(z, floor, r.names[body])

    def test_the_car_goes_round_the_track_and_feels_no_seam(self):
        r = run("car_on_track")
        (car,) = r.dynamic
        x, y, z = r.pose[:, car, :3].T
        along = np.clip(x, -scenes.TRACK["straight"] / 2, scenes.TRACK["straight"] / 2)
        beside = np.hypot(x - along, y) - scenes.TRACK["radius"]
        self.assertLess(np.abs(beside).max(), 0.9 * scenes.TRACK["trough"])
        # Both ends lie in the trough: the middle is slightly above the surface.
        below = scenes.TRACK["trough"] - np.hypot(beside, scenes.TRACK["trough"] - z)
        self.assertGreater(below.min(), 0.05)
        self.assertLess(below.max(), 0.5)
        self.assertLess(r.steps["max_penetration"].max(), 0.02)
        if INSTRUMENTED:
            return
        turned = np.unwrap(np.arctan2(y, x))
        self.assertGreater(turned[-1] - turned[0], 2 * math.pi * 1.5)
        # The speed decreases slightly at each bend of the track's facets. A ghost contact would reduce it suddenly.
        energy = total_energy(r)
        self.assertGreater(energy[-1], 0.6 * energy[0])
        self.assertGreater(np.diff(energy).min(), -0.01 * energy[0])


    def test_a_car_on_axles_gets_round_the_bend_at_the_speed_of_its_motors(self):
        r = run("car_on_axles", 480)
        chassis, *wheels = r.dynamic
        self.assertLess(r.steps["max_penetration"].max(), 0.01)
        # Every wheel is below the chassis, as far as its spring lets it, and on the axle.
        x, y, z, w = (r.pose[:, chassis, k] for k in range(3, 7))
        up = np.stack([2 * (x * z + y * w), 2 * (y * z - x * w), 1 - 2 * (x * x + y * y)], axis=-1)
        for wheel in wheels:
            arm = r.pose[:, wheel, :3] - r.pose[:, chassis, :3]
            height = np.sum(arm * up, axis=-1)
            self.assertLess(np.abs(height + 0.1).max(), scenes.CAR["travel"] + 1e-4)
            self.assertAlmostEqual(np.abs(np.linalg.norm(arm - height[:, None] * up, axis=-1) - math.hypot(0.45, 0.34)).max(), 0, delta=1e-4)
        if INSTRUMENTED:
            return
        speed = np.linalg.norm(r.velocity[:, chassis, :3], axis=-1)
        self.assertLess(np.abs(speed[at(r, 4) :] / scenes.CAR["speed"] - 1).max(), 0.05)
        self.assertGreater(r.pose[-1, chassis, 1], 0, "it has not got round the bend")

    def test_a_car_on_smooth_edges_keeps_its_energy(self):
        """With sides up to the vertical, so that the car, which keeps its speed, does not leave the trough."""
        with unittest.mock.patch.dict(scenes.TRACK, side=90):
            scene = scenes.car_on_track()

        def kept(angle, dt, duration):
            for shape in scene["shapes"].values():
                shape["trimesh"]["smooth_angle_degrees"] = angle
            path = SCRATCH / "car_with_high_sides.json"
            path.write_text(json.dumps({**scene, "dt": dt, "duration": duration}), encoding="utf-8")
            r = run(path.stem, folder=SCRATCH)
            self.assertLess(r.steps["max_penetration"].max(), 0.02)
            return total_energy(r)[-1] / total_energy(r)[0]

        facets, smooth, finer = kept(0, 1 / 60, 30), kept(20, 1 / 60, 30), kept(20, 1 / 240, 5)
        if not INSTRUMENTED:
            self.assertLess(facets, 0.67)
            self.assertTrue(1.0 < smooth < 1.05, smooth)
            self.assertTrue(0.99 < finer < 1.0, finer)


def closest(point, corners):
    """The closest point of a triangle [3, 3], and the corners (0, 1, 2) of the feature on which it lies."""
    normal = np.cross(corners[1] - corners[0], corners[2] - corners[0])
    weights = [np.dot(np.cross(corners[(i + 1) % 3] - point, corners[(i + 2) % 3] - point), normal) for i in range(3)]
    if min(weights) > 0:
        return point - np.dot(point - corners[0], normal) / np.dot(normal, normal) * normal, (0, 1, 2)
    found = []
    for i in range(3):
        k = (i + 1) % 3
        side = corners[k] - corners[i]
        t = np.dot(point - corners[i], side) / np.dot(side, side)
        found.append((corners[i], (i,)) if t <= 0 else (corners[k], (k,)) if t >= 1 else (corners[i] + t * side, (i, k)))
    return min(found, key=lambda f: np.linalg.norm(point - f[0]))


def touches(centre, radius, vertices, triangles):
    """{feature: (normal, gap)} for features that are closest to a ball on all their triangles; and the same for all features."""
    each = [closest(centre, vertices[list(t)]) for t in triangles]
    features = [frozenset(t[i] for i in where) for t, (_, where) in zip(triangles, each)]
    kept, every = {}, {}
    for t, (point, _), feature in zip(triangles, each, features):
        normal = np.cross(vertices[t[1]] - vertices[t[0]], vertices[t[2]] - vertices[t[0]])
        if np.dot(centre - vertices[t[0]], normal) < 0:
            continue
        distance = np.linalg.norm(centre - point)
        every[feature] = ((centre - point) / distance, distance - radius)
        if all(f == feature for other, f in zip(triangles, features) if feature <= set(other)):
            kept[feature] = every[feature]
    return kept, every


class Curved(unittest.TestCase):
    """Smooth bodies that are not convex: tori, and a bowl by a formula."""

    def test_rings_hang_in_each_other(self):
        r = run("torus_chain")
        step = 2 * (scenes.RING["ring"] - scenes.RING["tube"])
        for i, link in enumerate(r.dynamic):
            self.assertLess(np.abs(r.pose[:, link, :3] - [0, 0, -(i + 1) * step]).max(), 2e-3 * (i + 1))
        self.assertLess(np.abs(r.velocity[-1, r.dynamic]).max(), 1e-3)

    def test_a_ball_rests_in_a_ring(self):
        """The centre of the ball is above that of the ring by the leg of a right triangle with the ring's radius and the sum of tube and ball."""
        r = run("ball_in_a_torus")
        if INSTRUMENTED:
            return  # those runs are short
        ring, ball = (r.names.index(name) for name in ("ring", "ball"))
        height = math.sqrt((scenes.HOOP["tube"] + scenes.HOOP["ball"]) ** 2 - scenes.HOOP["ring"] ** 2)
        apart = r.pose[-1, ball, :3] - r.pose[-1, ring, :3]
        self.assertAlmostEqual(apart[2], height, delta=2e-3)
        self.assertLess(np.hypot(apart[0], apart[1]), 2e-3)
        self.assertAlmostEqual(r.pose[-1, ring, 2], scenes.HOOP["tube"], delta=1e-3)

    def test_an_egg_slides_down_a_shell(self):
        r = run("egg_in_a_shell")
        (egg,) = r.dynamic
        from_middle = np.linalg.norm(r.pose[:, egg, :3], axis=1)
        self.assertLess(from_middle.max(), scenes.SHELL["inner"] - min(scenes.SHELL["half"]) + 0.02)  # it lands with some speed
        self.assertLess(r.pose[-1, egg, 2], -0.5 if not INSTRUMENTED else -0.3)


class MeshFigures(unittest.TestCase):
    """Scene mesh_figures: each ball touches the features of the surface, and nothing else."""

    @classmethod
    def setUpClass(cls):
        cls.result = run("mesh_figures")
        cls.scene = scenes.figures_on_meshes()
        cls.bodies = {body["name"]: body for body in cls.scene["bodies"]}
        with h5py.File(SCRATCH / "mesh_figures.h5") as file:
            cls.contacts = {name: file[f"contacts/{name}"][()] for name in ("a", "b", "normal", "gap")}
            cls.rows = list(zip(file["frames/contact_first"][()], file["frames/contact_count"][()]))

    def surface(self, figure):
        body = self.bodies[f"figure_{figure}"]
        mesh = self.scene["shapes"][body["shape"]]["trimesh"]
        return np.array(mesh["vertices"], float) + body["position"], [tuple(t) for t in mesh["triangles"]]

    def recorded(self, frame, figure):
        """(normal towards the ball, gap) of the ball's contacts with its surface, computed from the ball's position in the frame before."""
        ball, surface = (self.result.names.index(f"{what}_{figure}") for what in ("ball", "figure"))
        first, count = self.rows[frame]
        result = []
        for i in range(first, first + count):
            pair = [self.contacts["a"][i], self.contacts["b"][i]]
            if ball in pair:
                self.assertIn(self.result.names[sum(pair) - ball], (self.result.names[surface], "floor"))
            if ball in pair and surface in pair:
                result.append(((1 if pair[0] == ball else -1) * self.contacts["normal"][i], self.contacts["gap"][i]))
        return result

    def test_contacts_are_those_of_the_surface(self):
        ghosts = dict.fromkeys(scenes.ROLLS, 0)
        for figure, plan in scenes.ROLLS.items():
            radius, (vertices, triangles) = plan["radius"], self.surface(figure)
            ball = self.result.names.index(f"ball_{figure}")
            for frame in range(1, len(self.result.time)):
                right, candidates = touches(self.result.pose[frame - 1, ball, :3], radius, vertices, triangles)
                found, said = self.recorded(frame, figure), f"figure {figure}, frame {frame}"
                for normal, gap in found:
                    error = min((np.linalg.norm(normal - n) + abs(gap - g) for n, g in right.values()), default=math.inf)
                    self.assertLess(error, 1e-9, said)
                # A ball's size is its diameter.
                reach = 2 * radius * scenes.FIGURES["margin"]
                self.assertGreaterEqual(len(found), sum(gap <= reach for _, gap in right.values()), said)
                self.assertLessEqual(len(found), len(right), said)
                ghosts[figure] += sum(gap <= reach for feature, (_, gap) in candidates.items() if feature not in right)
        # The figures about voided features had some.
        self.assertEqual([figure for figure, count in ghosts.items() if count > 0], [4, 6, 7, 8])

    def test_inner_edges_are_not_felt(self):
        for figure in (1, 2, 4, 7, 8):
            ball = self.result.names.index(f"ball_{figure}")
            radius = scenes.ROLLS[figure]["radius"]
            self.assertLess(np.abs(self.result.velocity[:, ball] - self.result.velocity[0, ball]).max(), 1e-9, figure)
            self.assertLess(np.abs(self.result.pose[:, ball, 2] - scenes.FIGURES["height"] - radius).max(), 1e-9, figure)

    def test_outer_edges_are(self):
        """A ball rolls around the edge, stays on it for a while, and falls."""
        for figure in (3, 5, 6):
            found = [contact for frame in range(1, len(self.result.time)) for contact in self.recorded(frame, figure)]
            if INSTRUMENTED:
                continue
            self.assertGreater(sum(gap < 1e-3 and normal[2] < 0.99 for normal, gap in found), 5, figure)
            ball = self.result.names.index(f"ball_{figure}")
            self.assertAlmostEqual(self.result.pose[-1, ball, 2], scenes.ROLLS[figure]["radius"], delta=1e-6)
        energy = total_energy(self.result)
        self.assertLess(np.diff(energy).max(), 1e-6 * energy[0])


GRAVITY = 9.81


class EventStepper(unittest.TestCase):
    def forces(self, name):
        """Per frame: {(name, name): sum of the normal forces}."""
        with h5py.File(SCRATCH / f"{name}.h5") as file:
            names = [text.decode() for text in file["bodies/name"]]
            a, b, force = (file[f"contacts/{key}"][()] for key in ("a", "b", "normal_force"))
            for first, count in zip(file["frames/contact_first"][()], file["frames/contact_count"][()]):
                found = {}
                for i in range(first, first + count):
                    pair = names[min(a[i], b[i])], names[max(a[i], b[i])]
                    found[pair] = found.get(pair, 0.0) + force[i]
                yield found

    def assert_baraff(self, r, smallest, seconds=0, searches=False):
        """No penetration is deeper than a millionth of the smallest body. Only impacts lose energy. There are almost no searches, if they are not expected. Energy is checked
        in every step, or over any interval of the given length in seconds."""
        self.assertLess(r.steps["max_penetration"].max(), 1e-6 * smallest)
        energy = total_energy(r)
        change = np.diff(energy) / energy[0]
        free = r.steps["event_impulses"][1:] == 0
        self.assertGreater(free.sum(), 10)
        window = max(1, round(seconds / r.dt))
        drift = np.convolve(np.abs(np.where(free, change, 0)), np.ones(window), "valid")
        self.assertLess(drift.max(), 1e-6 * window * r.dt)
        self.assertLess(change.max(), 1e-6 * r.dt)
        tests, hits = (r.steps[f"event_{name}"].sum() for name in ("tests", "hits"))
        if not INSTRUMENTED and not searches:
            self.assertGreater(hits, 0.99 * tests)

    def test_the_jack_comes_down_the_stairs(self):
        r = run("jack")
        self.assert_baraff(r, 2 * scenes.JACK["tip"])
        if INSTRUMENTED:
            return
        (body,) = r.dynamic
        x, y, z = r.pose[:, body, :3].T
        steps, tread, rise, half_width = (scenes.JACK[key] for key in ("steps", "tread", "rise", "half_width"))
        self.assertLess(np.abs(y).max(), half_width)
        self.assertGreater(x[-1], steps * tread)
        self.assertLess(z[-1], rise)
        # Each impact turns the jack. It touches most of the stairs and does not fly over them.
        struck = {int(x[i] / tread) for i in np.nonzero(r.steps["event_impulses"])[0] if x[i] < steps * tread}
        self.assertGreaterEqual(len(struck), 10)

    def test_a_jack_of_another_size_tumbles_alike(self):
        """If lengths and gravity are scaled by 1024, every number scales with them, to the last bit."""

        def scaled(value, factor, key=None):
            if isinstance(value, dict):
                return {name: scaled(item, factor, name) for name, item in value.items()}
            if isinstance(value, list):
                return [scaled(item, factor, key) for item in value]
            return factor * value if key in ("position", "velocity", "half", "radius", "offset") else value

        places, counts = [], []
        for factor in (1, 1024, 1 / 1024):
            scene, result = SCRATCH / "scaled.json", SCRATCH / "scaled.h5"
            scene.write_text(json.dumps({**scaled(scenes.jack(), factor), "gravity": [0, 0, -GRAVITY * factor]}))
            subprocess.run([COMMAND, "run", str(scene), "--quiet", "-o", str(result), "-n", "90"], check=True)
            r = recording.Recording(result)
            places.append(r.pose[:, r.dynamic, :3] / factor)
            counts.append([r.steps[f"event_{name}"].tolist() for name in ("steps", "tests", "misses", "impulses")])
        self.assertGreater(sum(counts[0][3]), 10)
        for place, count in zip(places[1:], counts[1:]):
            self.assertEqual(count, counts[0])
            self.assertEqual(np.abs(place - places[0]).max(), 0)

    def test_the_dice_fall_into_the_tray(self):
        r = run("dice", 150)
        self.assert_baraff(r, 2 * scenes.DICE["half"])
        place = r.pose[:, r.dynamic, :3]
        self.assertLess(np.abs(place[..., :2]).max(), scenes.DICE["tray"])
        self.assertGreater(place[..., 2].min(), 0)
        if not INSTRUMENTED:
            energy = total_energy(r)
            self.assertLess(energy[-1], 0.2 * energy[0])

    def test_a_ball_leaves_another_where_it_must(self):
        """After leaving, its speed along x is constant: the speed of a ball that leaves at cos = 2/3 + v^2 / (3 g (R + r))."""
        r = run("slide_off_ball")
        reach, start = scenes.SLIDE["fixed"] + scenes.SLIDE["sliding"], scenes.SLIDE["speed"]
        cosine = 2 / 3 + start**2 / (3 * GRAVITY * reach)
        (ball,) = r.dynamic
        middle = np.array([0, 0, scenes.SLIDE["fixed"]])
        touching = np.array([("ball", "top") in found for found in self.forces("slide_off_ball")])
        apart = np.linalg.norm(r.pose[:, ball, :3] - middle, axis=1) - reach
        self.assertLess(np.abs(apart[touching]).max(), 1e-6 * scenes.SLIDE["sliding"])
        self.assertGreater(touching.sum(), 30)
        self.assertAlmostEqual(r.velocity[-1, ball, 0], math.sqrt(GRAVITY * reach * cosine) * cosine, delta=1e-6)

    def test_a_stack_of_balls_bears_its_weight(self):
        r = run("ball_stack")
        bodies = ["floor", *(f"ball_{i + 1}" for i in range(10))]
        weight = GRAVITY * 900 * 4 / 3 * math.pi
        frames = list(self.forces("ball_stack"))
        for found in frames[1:]:
            self.assertEqual(sorted(found), sorted(zip(bodies, bodies[1:])))
            for i, pair in enumerate(zip(bodies, bodies[1:])):
                self.assertAlmostEqual(found[pair] / weight, 10 - i, delta=1e-9)
        self.assertLess(np.abs(r.pose[-1] - r.pose[0]).max(), 1e-9)

    def test_an_ellipsoid_rocks_at_its_period(self):
        """The times at which the rotation about y crosses zero upwards, by linear interpolation between frames; the curve is nearly straight there."""
        r = run("rocking_ellipsoid")
        (egg,) = r.dynamic
        angle = 2 * np.arcsin(r.pose[:, egg, 4])
        self.assertAlmostEqual(np.abs(angle).max(), scenes.ROCKING["angle"], delta=1e-3)
        up = [i for i in range(len(angle) - 1) if angle[i] < 0 <= angle[i + 1]]
        crossings = [r.time[i] - angle[i] * (r.time[i + 1] - r.time[i]) / (angle[i + 1] - angle[i]) for i in up]
        self.assertGreaterEqual(len(crossings), 1 if INSTRUMENTED else 3)  # those runs are short
        for period in np.diff(crossings):
            self.assertAlmostEqual(period, scenes.ROCKING["period"], delta=2e-4)
        energy = total_energy(r)
        self.assertLess(np.abs(energy / energy[0] - 1).max(), 1e-6)

    def test_an_ellipsoid_stays_in_its_bowl(self):
        r = run("ellipsoid_in_a_bowl")
        # When it begins to slide it closes a gap that counts as touching. This costs about 1e-7 of its energy, once.
        self.assert_baraff(r, 2 * min(scenes.BOWL["half"]), seconds=1, searches=True)
        (egg,) = r.dynamic
        from_middle = np.linalg.norm(r.pose[:, egg, :3] - [0, 0, scenes.BOWL["outer"]], axis=1)
        self.assertLess(from_middle.max(), scenes.BOWL["inner"] - min(scenes.BOWL["half"]))
        self.assertLess(r.pose[:, egg, 2].max(), scenes.BOWL["outer"])
        if not INSTRUMENTED:
            self.assertGreater(from_middle.max(), scenes.BOWL["inner"] - max(scenes.BOWL["half"]))

    def test_superquadrics_pile_up(self):
        r = run("superquadric_pile")
        place = r.pose[:, r.dynamic, :3]
        self.assertGreater(place[..., 2].min(), 0.1)
        energy = total_energy(r)
        self.assertLess(np.diff(energy).max(), 1e-6 * energy[0])
        if not INSTRUMENTED:
            self.assertLess(energy[-1], 0.3 * energy[0])

    def test_a_pyramid_of_balls_parts(self):
        """While the upper ball rests on the others, its height h over them follows from energy conservation: s^2 + h^2 = 4, s s' = -h h'."""
        r = run("ball_pyramid")
        left, right, top = (r.names.index(name) for name in ("left", "right", "top"))
        held = [("right", "top") in found and found["right", "top"] > 0 for found in self.forces("ball_pyramid")]
        last = held.index(False, 1)
        self.assertGreater(last, 10)
        for i in range(1, last):
            side, h = r.pose[i, right, 0], r.pose[i, top, 2] - r.pose[i, right, 2]
            self.assertAlmostEqual(math.hypot(side, h), 2, delta=2e-6)
            self.assertAlmostEqual(r.pose[i, left, 0], -side, delta=1e-9)
            speed = -math.sqrt(GRAVITY * (math.sqrt(3) - h) / (0.5 + (h / side) ** 2))
            self.assertAlmostEqual(r.velocity[i, top, 2], speed, delta=1e-6 * (1 - speed))


def small_packing():
    """About four hundred balls of the scene's material, poured on a floor without side walls."""
    scene = scenes.sphere_packing()
    side = 14 * scenes.PACKING["radius"]
    scene["stepper"]["periodic"] = {"x": [0, side], "y": [0, side]}
    floor, ball = scene["bodies"][0], scene["bodies"][-1]
    ball["fill"] = {**ball["fill"], "count": 420, "lower": [0, 0, 0], "upper": [side, side, 0.2]}
    return {**scene, "bodies": [floor, ball]}


class Dem(unittest.TestCase):
    def test_a_packing_comes_to_rest_as_dense_as_random_packings_are(self):
        """Porosities of random packings of balls with friction are 0.36 to 0.42; near a floor and a surface, up to 0.44."""
        scene, result = SCRATCH / "small_packing.json", SCRATCH / "small_packing.h5"
        scene.write_text(json.dumps(small_packing()))
        subprocess.run([COMMAND, "run", str(scene), "-q", "-j", "1", "-e", "1000", "-o", str(result)] + (["-n", "20"] if INSTRUMENTED else []), check=True)
        r = recording.Recording(result)
        if INSTRUMENTED:
            return
        self.assertLess(len(r.steps["time"]), 401)
        self.assertLessEqual(r.steps["dem_residual"][-1], 1e-3)
        self.assertLess(r.steps["kinetic_energy"][-1], 1e-4 * r.steps["dem_elastic_energy"][-1])
        # The floor carries all of them, as far as the packing is at rest.
        found = recording.contacts(result)
        on_floor = (found["a"] == 0) | (found["b"] == 0)
        with h5py.File(result) as file:
            weight = 9.81 * file["bodies/mass"][:].sum()
        self.assertAlmostEqual(found["normal_force"][on_floor].sum() / weight, 1, delta=1e-3)
        script = [sys.executable, str(ROOT / "scripts" / "measure" / "packing_figures.py"), str(result), "--json"]
        figures = json.loads(subprocess.run(script, check=True, capture_output=True, text=True).stdout)
        self.assertGreater(figures["bodies"], 100)
        self.assertGreater(figures["porosity"], 0.36)
        self.assertLess(figures["porosity"], 0.44)
        self.assertGreater(figures["coordination_number"], 4)
        self.assertLess(figures["coordination_number"], 6.5)

    def test_a_ball_is_pressed_on_a_plane_by_hertz(self):
        """Each contact has the force of its own overlap, and both together that of half the displacement of the press, in both directions."""
        r = run("ball_on_plane")
        material = scenes.ball_on_plane()["materials"]["rubber"]
        modulus = material["young"] / (1 - material["poisson"] ** 2) / 2
        press = r.names.index("press")
        largest = 0.0
        for frame in range(1, len(r.time) - 1):
            found = recording.contacts(SCRATCH / "ball_on_plane.h5", frame)
            self.assertEqual(len(found["gap"]), 2)
            moved = (r.pose[0, press, 2] - r.pose[frame, press, 2]) / 2
            for gap, force in zip(found["gap"], found["normal_force"]):
                self.assertAlmostEqual(-gap / moved, 1, delta=1e-6)
                for overlap, delta in ((-gap, 1e-9), (moved, 1e-6)):
                    hertz = 4 / 3 * modulus * math.sqrt(scenes.PRESS["radius"]) * overlap**1.5
                    self.assertAlmostEqual(force / hertz, 1, delta=delta)
                largest = max(largest, force)
        if not INSTRUMENTED:
            self.assertGreater(largest, 2.8)


def run_small(name, scene, *options, steps=4):
    """A smaller variant of a scene, which still finds the files beside the scenes."""
    path, result = SCRATCH / f"small_{name}.json", SCRATCH / f"small_{name}.h5"
    text = json.dumps(scene)
    for folder in ("meshes", "tables"):
        text = text.replace(f'"{folder}/', f'"{ROOT / "scenes" / folder}/')
    path.write_text(text, encoding="utf-8")
    shorter = ["-n", str(steps)] if INSTRUMENTED else []
    subprocess.run([COMMAND, "run", str(path), "-q", "-j", "1", "-o", str(result), *options, *shorter], check=True)
    return recording.Recording(result), result


class Grains(unittest.TestCase):
    def test_pears_come_to_rest(self):
        """Ten grains in a narrow box. The floor then carries their weight, except for the friction forces at the walls."""
        scene = scenes.grain_packing("Ten pears", "", 10, "pear", 0.013, 0.25, "fruit", scenes.FRUIT)
        scene["until"] = {"residual": 0.02}
        r, result = run_small("pears", scene)
        if INSTRUMENTED:
            return
        self.assertLess(r.steps["dem_residual"][-1], 0.02)
        self.assertLess(r.steps["kinetic_energy"][-1], 1e-4 * r.steps["dem_elastic_energy"][-1])
        found = recording.contacts(result)
        up = np.zeros(len(r.names))
        for a, b, normal, size, friction in zip(found["a"], found["b"], found["normal"], found["normal_force"], found["friction_force"]):
            up[a] += size * normal[2] + friction[2]
            up[b] -= size * normal[2] + friction[2]
        with h5py.File(result) as file:
            mass = file["bodies/mass"][:]
        self.assertAlmostEqual(up[r.is_static].sum() / (-9.81 * mass.sum()), 1, delta=0.02)
        self.assertTrue((np.abs(up[r.dynamic] / (9.81 * mass[r.dynamic]) - 1) < 0.05).all())
        lowest = r.pose[-1, r.dynamic, 2].min()
        self.assertGreater(lowest, 0.003)

    def test_a_hopper_holds_until_its_gate_goes(self):
        """No grain is below the gate while the gate exists, no grain crosses the walls, and all grains leave through the outlet only."""
        sizes = {**scenes.HOPPER, "balls": 40, "pears": 4, "opens": 0.25}
        scene = scenes.hopper(sizes)
        scene["duration"] = 0.6
        r, _ = run_small("hopper", scene)
        place = r.pose[:, r.dynamic, :3] - [0, 0, sizes["height"]]
        away = np.hypot(place[:, :, 0], place[:, :, 1])
        held = r.time <= sizes["opens"]
        self.assertGreater(place[held, :, 2].min(), 0)
        within = (place[:, :, 2] > 0) & (place[:, :, 2] < grains.HOPPER["cone"])
        cone = grains.HOPPER["outlet"] + (grains.HOPPER["top"] - grains.HOPPER["outlet"]) * place[:, :, 2] / grains.HOPPER["cone"]
        self.assertTrue((away < cone)[within].all())
        if INSTRUMENTED:
            return
        self.assertTrue((place[-1, :, 2] < 0).all())
        leaving = (place[:, :, 2] < 0) & (place[:, :, 2] > -0.01)
        self.assertGreater(leaving.sum(), 40)
        self.assertLess(away[leaving].max(), grains.HOPPER["outlet"])

    def test_a_silo_from_a_drawing_runs_out(self):
        """A tenth of the gravel, and an early gate. What has passed the plane below the outlet is what the outlet of the scene takes in the end."""
        scene = scenes.silo({**scenes.SILO, "seconds": 0.2})
        scene["duration"] = 0.7
        scene["bodies"][2]["inlet"]["mass"] = 0.06
        r, result = run_small("silo", scene, steps=4)
        with h5py.File(result) as file:
            names = [name.decode() for name in file["series/name"][:]]
            values = dict(zip(names, file["series/value"][:].T))
        flow, mass, taken = values["discharge.mass_rate"], values["discharge.mass"], values["ground.mass"]
        self.assertTrue((flow[: int(0.2 / scene["dt"])] == 0).all())
        if INSTRUMENTED:
            return
        self.assertAlmostEqual(flow.sum() * scene["dt"], mass[-1], delta=1e-9)
        self.assertAlmostEqual(mass[-1], values["gravel.mass"][-1], delta=1e-12)
        self.assertAlmostEqual(taken[-1], mass[-1], delta=1e-12)
        self.assertGreater(flow.max(), 0.5)
        self.assertGreater(mass[-1], 0.058)

    def test_two_cells_are_pressed_together(self):
        """The contact carries the force. Between the deformed cells, one dented and one flattened, it is larger than between the original balls."""
        r, result = run_small("cells", scenes.two_cells(), steps=20)
        lower, upper = r.names.index("lower"), r.names.index("upper")
        with h5py.File(result) as file:
            rows = set(zip(file["deformed/frame"][:].tolist(), file["deformed/body"][:].tolist()))
        self.assertTrue({(0, lower), (0, upper), (10, lower)} <= rows)
        self.assertFalse((10, upper) in rows)
        if INSTRUMENTED:
            return
        areas = {}
        for time in (0.15, 0.65):
            found = recording.contacts(result, at(r, time))
            force = (found["normal_force"][:, None] * found["normal"] + found["friction_force"]).sum(axis=0)
            self.assertAlmostEqual(np.linalg.norm(force), 0.02, delta=0.001)
            areas[time] = found["area"].sum()
        self.assertGreater(areas[0.65], 2 * areas[0.15])
        self.assertLess(r.pose[at(r, 0.65), upper, 2], r.pose[at(r, 0.15), upper, 2] - 0.001)
        self.assertLess(np.abs(r.pose[:, upper, :2]).max(), 1e-5)


if __name__ == "__main__":
    unittest.main()
