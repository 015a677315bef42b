#!/usr/bin/env python3
"""Move a mechanism of each kind of joint with abut and with SciPy, and write the differences into docs/methods/joints.md."""

import argparse
import json
import pathlib
import subprocess
import sys
import tempfile

import numpy as np
from document_table import DocumentTable
from scipy.integrate import solve_ivp

from command import ROOT, Failure, find_command

DURATION, GRAVITY = 1.0, np.array([0.0, 0.0, -9.81])
STEPS = (60, 120, 240)  # in a second

# ---- rotations ----


def cross(p, q):
    """numpy.cross() is ten times slower."""
    (a, b, c), (d, e, f) = p.tolist(), q.tolist()
    return np.array((b * f - c * e, c * d - a * f, a * e - b * d))


def rotated(q, v):
    """v turned by the quaternion (x, y, z, w)."""
    t = 2.0 * cross(q[:3], v)
    return v + q[3] * t + cross(q[:3], t)


def about(axis, degrees):
    half = np.radians(degrees) / 2.0
    axis = np.asarray(axis, float)
    return np.append(np.sin(half) * axis / np.linalg.norm(axis), np.cos(half))


def conjugate(q):
    return np.array([-q[0], -q[1], -q[2], q[3]])


def product(p, q):
    return np.append(p[3] * q[:3] + q[3] * p[:3] + cross(p[:3], q[:3]), p[3] * q[3] - p[:3] @ q[:3])


# ---- mechanisms: bodies and joints in the words of a scene ----


class Box:
    """A box of a mechanism; the base, which does not move, has no mass."""

    def __init__(self, half, place, turn=(0, 0, 0, 1), mass=1.0, velocity=(0, 0, 0), spin=(0, 0, 0)):
        self.half, self.place, self.turn = np.asarray(half, float), np.asarray(place, float), np.asarray(turn, float)
        self.velocity, self.spin, self.mass = np.asarray(velocity, float), np.asarray(spin, float), mass
        squares = self.half**2
        self.moments = mass / 3.0 * (squares.sum() - squares)


class Joint:
    """A joint between two boxes, the first of which may be None for the base. Frame and ends are placed in the world, at the start."""

    def __init__(self, kind, a, b, position, turn=(0, 0, 0, 1), **more):
        self.kind, self.a, self.b, self.more = kind, a, b, more
        self.position, self.turn = np.asarray(position, float), np.asarray(turn, float)
        self.end = np.asarray(more.get("position_b", position), float)


def mechanisms():
    """{name: (boxes, joints)}. Nothing is parallel to an axis, and all bodies spin where they can."""
    tilted, turned = about((1, 2, 0.5), 50), about((2, -1, 1), 110)
    upper = Box((0.4, 0.1, 0.2), (0.5, 0.1, -0.2), tilted)
    lower = Box((0.3, 0.2, 0.1), (1.1, 0.3, -0.5), turned, 1.5)
    slider, bob = Box((0.2, 0.3, 0.1), (0.3, 0, 0), tilted, 2.0), Box((0.1, 0.1, 0.4), (0.3, 0.2, -0.8), turned, 1.0, spin=(1, -2, 3))
    gears = Box((0.3, 0.2, 0.1), (0.2, 0.1, 0), tilted, 1.0), Box((0.4, 0.1, 0.1), (1.3, -0.1, 0.2), turned, 2.0)
    axis = about((1, 0, 0), 70)
    return {
        "weld": ([Box((0.4, 0.1, 0.2), (0, 0, 0), tilted, 1.0, (1, 2, 4), (3, -2, 4)), Box((0.2, 0.3, 0.1), (0.5, 0.3, 0.4), turned, 2.0)],
                 [("weld", 0, 1, (0.3, 0.1, 0.2), tilted, {})]),
        "spherical": ([Box((0.4, 0.1, 0.2), (0.5, 0.1, -0.2), tilted, 1.0, spin=(2, 1, -4))], [("spherical", None, 0, (0, 0, 0), tilted, {})]),
        "revolute": ([upper, lower], [("revolute", None, 0, (0, 0, 0), turned, {}), ("revolute", 0, 1, (0.8, 0.2, -0.4), tilted, {})]),
        "prismatic": ([slider, bob], [("prismatic", None, 0, (0, 0, 0), about((1, 1, 0), 60), {}), ("spherical", 0, 1, (0.3, 0.1, -0.3), tilted, {})]),
        "universal": ([Box((0.4, 0.1, 0.2), (0.5, 0.1, -0.2), turned, 1.0, spin=(1, 2, 0))], [("universal", None, 0, (0, 0, 0), tilted, {})]),
        "distance": ([Box((0.4, 0.1, 0.2), (0, 0, 0), tilted, 1.0, (0, 0, 4), (3, -2, 4)), Box((0.2, 0.3, 0.1), (1, 0.3, 0.4), turned, 2.0, (1, 2, 4))],
                     [("distance", 0, 1, (0.2, 0.1, 0), (0, 0, 0, 1), {"position_b": (0.9, 0.2, 0.3)})]),
        "wheel": ([Box((0.3, 0.2, 0.1), (0.1, 0.05, 0), tilted, 1.0, spin=(1, 2, 3))],
                  [("wheel", None, 0, (0, 0, 0), about((1, 0, 1), 80), {"stiffness": 60.0, "damping": 2.0})]),
        "gear": (list(gears), [("revolute", None, 0, (0, 0, 0), axis, {}), ("revolute", None, 1, (1.2, 0, 0), axis, {}), ("gear", 0, 1, (0, 0, 0), axis, {"ratio": -1.5})]),
    }


# ---- the equations of motion, with the forces of the joints from the second derivatives of what they hold ----


class System:
    """State of each box: place, turn, velocity, spin (13 numbers)."""

    def __init__(self, boxes, joints):
        self.boxes = boxes
        self.rows = [row for kind, a, b, position, turn, more in joints for row in self.rows_of(kind, a, b, np.asarray(position, float), turn, more)]

    def local(self, box, point=None, way=None):
        if box is None:
            return point if way is None else way
        of = self.boxes[box]
        return rotated(conjugate(of.turn), point - of.place) if way is None else rotated(conjugate(of.turn), way)

    def rows_of(self, kind, a, b, position, turn, more):
        axes = [rotated(np.asarray(turn, float), e) for e in np.eye(3)]
        end = np.asarray(more.get("position_b", position), float)
        on_a, on_b = self.local(a, position), self.local(b, end)
        of_a, of_b = [self.local(a, way=e) for e in axes], [self.local(b, way=e) for e in axes]
        point = [("along", a, b, on_a, on_b, self.local(None, way=e), None) for e in np.eye(3)]
        hinge = [("right", a, b, of_a[i], of_b[2]) for i in (0, 1)]
        turns = [("right", a, b, of_a[i], of_b[k]) for i, k in ((0, 1), (1, 2), (2, 0))]
        off = [("along", a, b, on_a, on_b, of_a[i], a) for i in range(3)]
        self.spring = ("spring", a, b, on_a, on_b, of_a[0], a, more.get("stiffness", 0.0), more.get("damping", 0.0))
        return {
            "weld": point + turns,
            "spherical": point,
            "revolute": point + hinge,
            "prismatic": turns + off[:2],
            "universal": point + [("right", a, b, of_a[2], of_b[0])],
            "distance": [("length", a, b, on_a, on_b)],
            "wheel": off[1:] + hinge + [self.spring],
            "gear": [("gear", a, b, axes[2], more.get("ratio", 1.0))],
        }[kind]

    def at(self, state, box):
        """Place, turn, velocity and spin of a box or the base."""
        if box is None:
            return np.zeros(3), np.array([0.0, 0.0, 0.0, 1.0]), np.zeros(3), np.zeros(3)
        s = state[13 * box : 13 * box + 13]
        return s[:3], s[3:7], s[7:10], s[10:]

    def row(self, state, row):
        """Value, gradient by velocities [6 boxes], and the part of the second derivative that accelerations do not cause."""
        gradient = np.zeros(6 * len(self.boxes))

        def add(box, linear, angular):
            if box is not None:
                gradient[6 * box : 6 * box + 3] += linear
                gradient[6 * box + 3 : 6 * box + 6] += angular

        kind, a, b = row[:3]
        (pa, qa, va, wa), (pb, qb, vb, wb) = self.at(state, a), self.at(state, b)
        if kind == "gear":
            add(a, 0.0, row[3])
            add(b, 0.0, row[4] * row[3])
            return 0.0, gradient, 0.0
        if kind == "right":
            ua, ub = rotated(qa, row[3]), rotated(qb, row[4])
            add(a, 0.0, cross(ua, ub))
            add(b, 0.0, -cross(ua, ub))
            da, db = cross(wa, ua), cross(wb, ub)
            return ua @ ub, gradient, cross(wa, da) @ ub + ua @ cross(wb, db) + 2.0 * da @ db
        ra, rb = rotated(qa, row[3]), rotated(qb, row[4])
        apart = pb + rb - pa - ra
        rate = vb + cross(wb, rb) - va - cross(wa, ra)
        bend = cross(wb, cross(wb, rb)) - cross(wa, cross(wa, ra))
        if kind == "length":
            add(a, -apart, -cross(ra, apart))
            add(b, apart, cross(rb, apart))
            return 0.5 * apart @ apart, gradient, rate @ rate + apart @ bend
        _, q, _, w = self.at(state, row[6])
        u = rotated(q, row[5])
        add(a, -u, -cross(ra, u))
        add(b, u, cross(rb, u))
        add(row[6], 0.0, cross(u, apart))
        du = cross(w, u)
        return u @ apart, gradient, cross(w, du) @ apart + 2.0 * du @ rate + u @ bend

    def masses(self, state):
        """The inverse mass matrix, and the forces."""
        n = len(self.boxes)
        inverse, force = np.zeros((6 * n, 6 * n)), np.zeros(6 * n)
        for i, box in enumerate(self.boxes):
            _, q, _, w = self.at(state, i)
            axes = np.stack([rotated(q, e) for e in np.eye(3)], axis=1)
            at = slice(6 * i, 6 * i + 3), slice(6 * i + 3, 6 * i + 6)
            inverse[at[0], at[0]] = np.eye(3) / box.mass
            inverse[at[1], at[1]] = axes / box.moments @ axes.T
            force[at[0]] = box.mass * GRAVITY
            force[at[1]] = -cross(w, axes * box.moments @ axes.T @ w)
        return inverse, force

    def velocities(self, state):
        return state.reshape(-1, 13)[:, 7:].ravel()

    def derivative(self, _, state):
        inverse, force = self.masses(state)
        velocities, held, bends = self.velocities(state), [], []
        for row in self.rows:
            value, gradient, bend = self.row(state, row)
            if row[0] == "spring":
                force = force - gradient * (row[7] * value + row[8] * (gradient @ velocities))
            else:
                held.append(gradient)
                bends.append(bend)
        g = np.array(held)
        load = np.linalg.solve(g @ inverse @ g.T, -np.array(bends) - g @ (inverse @ force))
        acceleration = inverse @ (force + g.T @ load)
        rates = np.empty((len(self.boxes), 13))
        for i in range(len(self.boxes)):
            _, q, v, w = self.at(state, i)
            rates[i] = np.concatenate((v, 0.5 * product(np.append(w, 0.0), q), acceleration[6 * i : 6 * i + 6]))
        return rates.ravel()

    def start(self):
        """The state at the start, with the velocities nearest to those given that the joints allow."""
        state = np.concatenate([np.concatenate((b.place, b.turn, b.velocity, b.spin)) for b in self.boxes])
        inverse, _ = self.masses(state)
        g = np.array([self.row(state, row)[1] for row in self.rows if row[0] != "spring"])
        velocities = self.velocities(state)
        velocities = velocities - inverse @ g.T @ np.linalg.solve(g @ inverse @ g.T, g @ velocities)
        state.reshape(-1, 13)[:, 7:] = velocities.reshape(-1, 6)
        return state

    def end(self, start):
        solved = solve_ivp(self.derivative, (0.0, DURATION), start, method="DOP853", rtol=1e-9, atol=1e-9)
        if not solved.success:
            raise Failure(solved.message)
        state = solved.y[:, -1]
        worst = max(abs(self.row(state, row)[0] - self.row(start, row)[0]) for row in self.rows if row[0] != "spring")
        if worst > 1e-7:
            raise Failure(f"the joints of SciPy's solution are off by {worst:.1e}")
        return state


# ---- the same in a scene ----


def scene_of(systems, steps):
    """All mechanisms in one scene, side by side. Nothing collides."""
    bodies = [{"name": "base", "kind": "static", "shape": {"sphere": {"radius": 0.1}}, "position": [0, 0, -50], "category": ["base"]}]
    joints = []
    for m, (name, (_, made, system, start)) in enumerate(systems.items()):
        shift = np.array([5.0 * m, 0.0, 0.0])
        for i, box in enumerate(system.boxes):
            place, turn, velocity, spin = system.at(start, i)
            bodies.append({
                "name": f"{name}_{i}", "shape": {"box": {"half": list(box.half)}}, "mass": box.mass, "position": list(place + shift),
                "rotation": {"quaternion": list(turn)}, "velocity": list(velocity), "angular_velocity": list(spin), "category": ["free"], "touches": ["base"],
            })
        for kind, a, b, position, turn, more in made:
            more = {k: list(np.asarray(v) + shift) if k == "position_b" else v for k, v in more.items()}
            joints.append({
                "kind": kind, "a": "base" if a is None else f"{name}_{a}", "b": f"{name}_{b}", "position": list(np.asarray(position, float) + shift),
                "rotation": {"quaternion": list(np.asarray(turn, float))}, **more,
            })
    return {"abut_scene": 1, "dt": 1.0 / steps, "duration": DURATION, "gravity": list(GRAVITY), "bodies": bodies, "joints": joints}


def run(command, systems, steps, folder):
    """{mechanism: [(place, turn) of each box]} at the end."""
    import h5py

    scene, result = pathlib.Path(folder, f"joints_{steps}.json"), pathlib.Path(folder, f"joints_{steps}.h5")
    scene.write_text(json.dumps(scene_of(systems, steps), default=float))
    done = subprocess.run([command, "run", str(scene), "--quiet", "--every", str(steps), "-o", str(result)], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise Failure(f"{scene}: {done.stderr.strip() or f'exit status {done.returncode}'}")
    with h5py.File(result) as file:
        poses = file["frames/pose"][-1]
    found, at = {}, 1
    for m, (name, (_, _, system, _)) in enumerate(systems.items()):
        count = len(system.boxes)
        found[name] = [(pose[:3] - np.array([5.0 * m, 0.0, 0.0]), pose[3:]) for pose in poses[at : at + count]]
        at += count
    return found


def differences(found, system, end):
    """Of places [m] and turns [rad], the largest over the boxes."""
    places, turns = [], []
    for i, (place, turn) in enumerate(found):
        expected, q, _, _ = system.at(end, i)
        places.append(np.linalg.norm(place - expected))
        turns.append(2.0 * np.linalg.norm(product(turn, conjugate(q / np.linalg.norm(q)))[:3]))
    return max(places), max(turns)


def measure(command, names=None):
    """{mechanism: [(place, turn) for each of STEPS]}"""
    systems = {}
    for name, (boxes, joints) in mechanisms().items():
        if names is None or name in names:
            system = System(boxes, joints)
            systems[name] = (boxes, joints, system, system.start())
    ends = {name: system.end(start) for name, (_, _, system, start) in systems.items()}
    with tempfile.TemporaryDirectory() as folder:
        runs = [run(command, systems, steps, folder) for steps in STEPS]
    return {name: [differences(found[name], systems[name][2], ends[name]) for found in runs] for name in systems}


WORDS = {
    "weld": "two boxes thrown in one piece",
    "spherical": "a box that hangs from its side and spins",
    "revolute": "two boxes on hinges askew",
    "prismatic": "a box on a sloping rail with another below it",
    "universal": "a box that hangs from its side",
    "distance": "two boxes thrown, held at a distance",
    "wheel": "a box off the axis of a damped suspension",
    "gear": "two boxes off their axes",
}


def table(measured):
    lines = ["| joint | mechanism | place after 1 s [m] | turn [rad] | error falls by |", "|---|---|--:|--:|--:|"]
    for name, errors in measured.items():
        total = [place + turn for place, turn in errors]
        lines.append(f"| {name} | {WORDS[name]} | {errors[-1][0]:.1e} | {errors[-1][1]:.1e} | {total[0] / total[1]:.2f}, {total[1] / total[2]:.2f} |")
    return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser(prog="joint_motion.py", description=__doc__, epilog="Needs python3-scipy and python3-h5py.")
    parser.add_argument("--abut", default=None, metavar="FILE", help="the abut command (default: build/release/abut, else the one in PATH)")
    parser.add_argument("--print", action="store_true", dest="only", help="print the table instead of writing it")
    given = parser.parse_args()
    place = DocumentTable("joint_motion.py", ROOT / "docs" / "methods" / "joints.md")
    try:
        made = table(measure(find_command(given.abut)))
    except Failure as failure:
        print(f"joint_motion.py: {failure}", file=sys.stderr)
        return 1
    if given.only:
        print(made)
    elif place.is_there():
        place.write(made)
    return 0


if __name__ == "__main__":
    sys.exit(main())
