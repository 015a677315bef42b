"""Peers of bench_narrow that come as Python packages: MuJoCo and Coal. `bench_narrow --python PYTHON` starts this with that interpreter.

Standard input has requests, standard output the answers, a line each; numbers are separated by spaces.

    (at the start)                      -> VERSION VERSION, of mujoco and coal; - for a package that is missing
    prepare ENGINE PAIRS STEPS          -> for each question the number of contact points and the separation
        then 2 PAIRS bodies: box X Y Z (half sides), sphere R, capsule R H (half length), or hull N and 3 N coordinates
        then PAIRS STEPS questions: position and quaternion (x y z w) of A and of B
    time                                -> nanoseconds of processor time for one question, in one pass over all of the last preparation

MuJoCo answers contacts of all pairs of a step in one call (`mj_collision` on a model of the pairs, each of them a <pair>), so its time has nothing of Python.
The others are called pair by pair, and their time contains the call from Python.
"""

import sys
import time

try:
    import numpy as np
except ImportError:
    print("- -")
    sys.exit(1)


def version(name):
    try:
        return getattr(__import__(name), "__version__", "?")
    except ImportError:
        return "-"


class Questions:
    def __init__(self, pairs, steps):
        self.pairs, self.steps = pairs, steps
        self.bodies = [self.read_body(sys.stdin.readline().split()) for _ in range(2 * pairs)]
        rows = [np.array(sys.stdin.readline().split(), dtype=float) for _ in range(pairs * steps)]
        self.poses = np.array(rows).reshape(steps, pairs, 2, 7)

    @staticmethod
    def read_body(words):
        numbers = np.array(words[1:], dtype=float)
        return words[0], numbers[1:].reshape(-1, 3) if words[0] == "hull" else numbers


# ---- MuJoCo


class MujocoModel:
    """All pairs of a set. Poses are set before a step is asked, and do not count."""

    def __init__(self, questions):
        import mujoco

        self.mujoco, self.questions = mujoco, questions
        spec = mujoco.MjSpec()
        spec.memory = 1 << 30
        kinds = {"box": mujoco.mjtGeom.mjGEOM_BOX, "sphere": mujoco.mjtGeom.mjGEOM_SPHERE, "capsule": mujoco.mjtGeom.mjGEOM_CAPSULE}
        for i, (kind, numbers) in enumerate(questions.bodies):
            body = spec.worldbody.add_body(name=f"body{i}", mocap=True)
            if kind == "hull":
                spec.add_mesh(name=f"mesh{i}", uservert=numbers.ravel().tolist())
                geom = body.add_geom(name=f"geom{i}", type=mujoco.mjtGeom.mjGEOM_MESH, meshname=f"mesh{i}")
            else:
                geom = body.add_geom(name=f"geom{i}", type=kinds[kind], size=[*numbers, 0.0, 0.0][:3])
            geom.contype = geom.conaffinity = 0
        for i in range(questions.pairs):
            spec.add_pair(geomname1=f"geom{2 * i}", geomname2=f"geom{2 * i + 1}")
        self.model = spec.compile()
        self.data = mujoco.MjData(self.model)

    def place(self, step):
        poses = self.questions.poses[step].reshape(-1, 7)
        self.data.mocap_pos[:] = poses[:, :3]
        self.data.mocap_quat[:] = poses[:, [6, 3, 4, 5]]
        self.mujoco.mj_kinematics(self.model, self.data)


class MujocoCollision(MujocoModel):
    def answers(self, step):
        self.place(step)
        self.mujoco.mj_collision(self.model, self.data)
        found = [(0, 0.0)] * self.questions.pairs
        for contact in self.data.contact[: self.data.ncon]:
            pair = int(contact.geom[0]) // 2
            points, least = found[pair]
            found[pair] = points + 1, min(least, float(contact.dist)) if points else float(contact.dist)
        return found

    def pass_ns(self):
        total, mujoco, model, data = 0, self.mujoco, self.model, self.data
        for step in range(self.questions.steps):
            self.place(step)
            start = time.process_time_ns()
            mujoco.mj_collision(model, data)
            total += time.process_time_ns() - start
        return total


class MujocoDistance(MujocoModel):
    MOST = 100.0

    def answers(self, step):
        self.place(step)
        return [(1, self.mujoco.mj_geomDistance(self.model, self.data, 2 * i, 2 * i + 1, self.MOST, None)) for i in range(self.questions.pairs)]

    def pass_ns(self):
        total, ask, model, data = 0, self.mujoco.mj_geomDistance, self.model, self.data
        fromto = np.empty(6)
        for step in range(self.questions.steps):
            self.place(step)
            start = time.process_time_ns()
            for i in range(0, 2 * self.questions.pairs, 2):
                ask(model, data, i, i + 1, self.MOST, fromto)
            total += time.process_time_ns() - start
        return total


# ---- Coal


class CoalCalls:
    """Shapes and transforms are made before."""

    def __init__(self, questions):
        import coal

        self.coal, self.questions = coal, questions
        shapes = [self.shape(*body) for body in questions.bodies]
        places = [coal.Transform3s(self.matrix(pose), pose[:3]) for pose in questions.poses.reshape(-1, 7)]
        self.calls = []
        for q in range(questions.pairs * questions.steps):
            pair = q % questions.pairs
            self.calls.append((shapes[2 * pair], places[2 * q], shapes[2 * pair + 1], places[2 * q + 1]))

    @staticmethod
    def matrix(pose):
        x, y, z, w = pose[3:]
        return np.array(
            [
                [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
                [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
                [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
            ]
        )

    def shape(self, kind, numbers):
        coal = self.coal
        if kind == "hull":
            points = coal.StdVec_Vec3s()
            points.extend(list(numbers))
            return coal.Convex.convexHull(points, False, "Qt")
        if kind == "box":
            return coal.Box(*(2 * numbers))
        return coal.Sphere(numbers[0]) if kind == "sphere" else coal.Capsule(numbers[0], 2 * numbers[1])

    def pass_ns(self):
        ask, request, result = self.function, self.request, self.result
        start = time.process_time_ns()
        for one, at, other, there in self.calls:
            result.clear()
            ask(one, at, other, there, request, result)
        return time.process_time_ns() - start

    def answers(self, step):
        found = []
        for call in self.calls[step * self.questions.pairs : (step + 1) * self.questions.pairs]:
            self.result.clear()
            self.function(*call, self.request, self.result)
            found.append(self.answer())
        return found


class CoalCollide(CoalCalls):
    def __init__(self, questions):
        super().__init__(questions)
        self.function, self.result, self.request = self.coal.collide, self.coal.CollisionResult(), self.coal.CollisionRequest()
        self.request.num_max_contacts = 64

    def answer(self):
        count = self.result.numContacts()
        return count, min((self.result.getContact(i).penetration_depth for i in range(count)), default=0.0)


class CoalDistance(CoalCalls):
    def __init__(self, questions):
        super().__init__(questions)
        self.function, self.result, self.request = self.coal.distance, self.coal.DistanceResult(), self.coal.DistanceRequest()

    def answer(self):
        return 1, self.result.min_distance


ENGINES = {"mujoco-collision": MujocoCollision, "mujoco-distance": MujocoDistance, "coal-collide": CoalCollide, "coal-distance": CoalDistance}


def main():
    print(version("mujoco"), version("coal"), flush=True)
    engine = None
    for line in iter(sys.stdin.readline, ""):
        words = line.split()
        if words[0] == "prepare":
            engine = ENGINES[words[1]](Questions(int(words[2]), int(words[3])))
            found = [answer for step in range(engine.questions.steps) for answer in engine.answers(step)]
            sys.stdout.write("".join(f"{points} {separation:.17g}\n" for points, separation in found))
        else:
            print(engine.pass_ns() / (engine.questions.pairs * engine.questions.steps))
        sys.stdout.flush()


if __name__ == "__main__":
    main()
