"""Writes a long recording, to measure how `abut view` and the page that it writes cope with one.

    python3 bench/view/make_run.py OUT.h5 --frames 100000 --bodies 100

No simulation is needed for that: the file is written directly, in the layout of docs/formats/recording.md and in the chunks that `abut run` makes. Boxes of six
sizes swing about their places and tumble, smoothly, with a little noise on top, so that nothing compresses better than a simulation would; velocities are
those of the motion. Contacts come in patches of four that slide along, some of which come and go. Equal arguments make equal files.
"""

import argparse
import json

import h5py
import numpy as np

DT = 1 / 60
SIDES = (0.1, 0.12, 0.15, 0.2, 0.25, 0.3)  # half sizes of the boxes
CHUNK_BYTES = 1 << 17  # as io/record/h5write.c
BLOCK = 500  # frames in memory at a time
STEP_COLUMNS = {"step": "i8", "time": "f8", "bodies": "i4", "awake": "i4", "candidates": "i4", "touching": "i4", "contacts": "i4", "max_penetration": "f8",
                "kinetic_energy": "f8", "potential_energy": "f8", "spring_energy": "f8", "seconds_broad": "f8", "seconds_narrow": "f8",
                "seconds_solve": "f8", "seconds_total": "f8"}
CONTACT_COLUMNS = {"a": ("i4", ()), "b": ("i4", ()), "on_a": ("f8", (3,)), "on_b": ("f8", (3,)), "normal": ("f8", (3,)), "gap": ("f8", ()),
                   "area": ("f8", ()), "feature_a": ("i4", (3,)), "feature_b": ("i4", (3,)), "id": ("u8", ()), "patch": ("i4", ()), "flags": ("u4", ()),
                   "normal_force": ("f8", ()), "friction_force": ("f8", (3,))}
FACES = ((0, 2, 3, 1), (4, 5, 7, 6), (0, 1, 5, 4), (2, 6, 7, 3), (0, 4, 6, 2), (1, 3, 7, 5))  # of a box whose corner i has the signs of i's bits


class Motion:
    """Where bodies are, and how fast, at any times."""

    def __init__(self, bodies, noise, generator):
        side = int(np.ceil(bodies ** (1 / 3)))
        grid = np.stack(np.meshgrid(*[np.arange(side)] * 3, indexing="ij"), -1).reshape(-1, 3)[:bodies]
        self.place = grid + [0.0, 0.0, 1.0]
        self.swing = generator.uniform(0.1, 0.4, (bodies, 3))
        self.speed = generator.uniform(0.5, 3.0, (bodies, 3))
        self.phase = generator.uniform(0, 2 * np.pi, (bodies, 3))
        self.turning = generator.uniform(-2.0, 2.0, (bodies, 3))  # of the three angles z, x, z
        self.noise, self.generator = noise, generator

    def shake(self, shape):
        return self.noise * self.generator.standard_normal(shape)

    def poses(self, time):
        """[frames][bodies][7]"""
        angle = self.speed * time[:, None, None] + self.phase
        position = self.place + self.swing * np.sin(angle)
        half = 0.5 * (self.turning * time[:, None, None] + self.phase + 0.2 * np.sin(angle)).transpose(2, 0, 1)
        c, s = np.cos(half), np.sin(half)
        rotation = np.stack([s[1] * np.cos(half[0] - half[2]), s[1] * np.sin(half[0] - half[2]),
                             c[1] * (s[0] * c[2] + c[0] * s[2]), c[1] * (c[0] * c[2] - s[0] * s[2])], -1)
        pose = np.concatenate([position, rotation], -1)
        pose += self.shake(pose.shape)
        pose[..., 3:] /= np.linalg.norm(pose[..., 3:], axis=-1, keepdims=True)
        return pose

    def velocities(self, time):
        """[frames][bodies][6]; the angular one has the right size and smoothness, no more."""
        angle = self.speed * time[:, None, None] + self.phase
        linear = self.swing * self.speed * np.cos(angle)
        angular = self.turning + 0.2 * self.speed * np.cos(angle)
        velocity = np.concatenate([linear, angular], -1)
        return velocity + self.shake(velocity.shape)


def contacts_of(first, pose, count, motion):
    """Rows of the contacts of some frames, and how many each has: patches of four between neighbours in the list of bodies."""
    frames, bodies = pose.shape[:2]
    patches = min(count // 4, bodies)
    a = np.repeat(np.arange(patches), 4)
    b = (a + 1) % max(bodies, 1)
    corner = np.tile(np.arange(4), patches)
    frame = first + np.arange(frames)[:, None]
    present = (frame // (20 + a) + a) % 10 != 0  # now and then a patch is gone
    on_b = pose[:, a, :3] + 0.1 * np.stack([corner % 2, corner // 2, 0 * corner], -1)
    gap = -1e-4 * (1.5 + np.sin(0.05 * frame + a)) + motion.shake(frame.shape)
    normal = np.broadcast_to([0.0, 0.0, 1.0], on_b.shape) + 0.1 * pose[:, a, 3:6]
    normal = normal / np.linalg.norm(normal, axis=-1, keepdims=True)
    force = 5 + np.sin(0.03 * frame + corner) + motion.shake(gap.shape)
    zero = np.zeros_like(gap)
    values = {"a": a + zero, "b": b + zero, "on_a": on_b + gap[..., None] * normal, "on_b": on_b, "normal": normal, "gap": gap, "area": 0.0025 + zero,
              "feature_a": np.stack([3 + zero, corner + zero, zero], -1), "feature_b": np.stack([1 + zero, 1 + zero, zero], -1),
              "id": (a * 1000003 + corner * 17).astype("u8") + np.zeros(gap.shape, "u8"), "patch": zero, "flags": zero,
              "normal_force": force, "friction_force": 0.2 * force[..., None] * pose[:, a, 3:6]}
    rows = {name: values[name][present].astype(cell) for name, (cell, _) in CONTACT_COLUMNS.items()}
    return rows, present.sum(axis=1).astype("i4")


def growing(group, name, cell, inner, most_rows):
    row_bytes = np.dtype(cell).itemsize * int(np.prod(inner, dtype=int))
    rows = max(1, min(most_rows, CHUNK_BYTES // max(row_bytes, 1)))
    return group.create_dataset(name, (0, *inner), cell, maxshape=(None, *inner), chunks=(rows, *(max(n, 1) for n in inner)), shuffle=True,
                                compression="gzip", compression_opts=2)


def append(dataset, rows):
    dataset.resize(len(dataset) + len(rows), axis=0)
    dataset[len(dataset) - len(rows):] = rows


def write_head(file, bodies):
    scene = {"abut_scene": 1, "title": "A long run", "duration": 1, "bodies": []}
    for name, value in (("format", "abut recording"), ("abut_version", "0.1.0"), ("title", scene["title"])):
        file.attrs[name] = value
    file.attrs.create("format_version", 1, dtype="i4")
    file.attrs.create("dt", DT, dtype="f8")
    file.attrs.create("gravity", [0, 0, -9.81], dtype="f8")
    file.attrs.create("every", 1, dtype="i4")
    file.attrs.create("complete", 1, dtype="i1")
    text = json.dumps(scene).encode()
    file.create_dataset("scene", data=np.array(text, f"S{len(text)}"))

    corners = np.array([[(-1, 1)[i >> axis & 1] for axis in range(3)] for i in range(8)], "f8")
    shapes, count = file.create_group("shapes"), len(SIDES)
    shapes["kind"] = np.array([3] * count + [5], "i1")
    shapes["parameters"] = np.array([[0, 0, 0, 0]] * count + [[0, 0, 1, 0]], "f8")
    shapes["vertices"] = np.concatenate([side * corners for side in SIDES])
    shapes["vertex_first"] = np.array([8 * i for i in range(count + 1)] + [8 * count], "i8")
    shapes["face_first"] = np.array([6 * i for i in range(count + 1)] + [6 * count], "i8")
    shapes["corner_first"] = np.arange(0, 24 * count + 1, 4, dtype="i8")
    shapes["corners"] = np.tile(np.array(FACES, "i4").ravel(), count)
    shapes["part_first"] = np.zeros(count + 2, "i8")
    shapes["part_shape"] = np.zeros(0, "i4")
    shapes["part_pose"] = np.zeros((0, 7), "f8")

    table, n = file.create_group("bodies"), bodies + 1  # the last is the floor
    table["name"] = np.array([f"box {i + 1}" for i in range(bodies)] + ["floor"], "S16")
    table["kind"] = np.array([0] * bodies + [1], "i1")
    table["shape"] = np.array([i % count for i in range(bodies)] + [count], "i4")
    table["mass"] = np.array([1.0] * bodies + [0.0])
    table["friction"], table["restitution"] = np.full(n, 0.5), np.zeros(n)
    table["centre"] = np.zeros((n, 3))
    table["inertia"] = np.tile(np.eye(3), (n, 1, 1))


def make(path, frames, bodies, contacts, noise, seed):
    generator = np.random.default_rng(seed)
    motion = Motion(bodies, noise, generator)
    with h5py.File(path, "w") as file:
        write_head(file, bodies)
        steps = {name: growing(file.require_group("steps"), name, cell, (), 1024) for name, cell in STEP_COLUMNS.items()}
        columns = {"step": ("i8", (), 1024), "time": ("f8", (), 1024), "contact_first": ("i8", (), 1024), "contact_count": ("i4", (), 1024),
                   "pose": ("f8", (bodies + 1, 7), 256), "velocity": ("f8", (bodies + 1, 6), 256), "presence": ("i1", (bodies + 1,), 256)}
        table = {name: growing(file.require_group("frames"), name, *column) for name, column in columns.items()}
        touching = {name: growing(file.require_group("contacts"), name, *column, 4096) for name, column in CONTACT_COLUMNS.items()}
        stored = 0
        for first in range(0, frames, BLOCK):
            step = np.arange(first, min(first + BLOCK, frames))
            time = DT * step
            pose, velocity = np.zeros((len(step), bodies + 1, 7)), np.zeros((len(step), bodies + 1, 6))
            pose[:, :bodies], velocity[:, :bodies] = motion.poses(time), motion.velocities(time)
            pose[:, bodies, 6] = 1
            presence = np.full((len(step), bodies + 1), 2, "i1")
            presence[:, bodies] = 1
            rows, count = contacts_of(first, pose[:, :bodies], contacts, motion)
            if first == 0:  # the beginning has no contacts
                rows = {name: cells[count[0]:] for name, cells in rows.items()}
                count[0] = 0
            for name, cells in rows.items():
                append(touching[name], cells)
            ends = stored + np.cumsum(count, dtype="i8")
            for name, cells in (("step", step), ("time", time), ("contact_first", ends - count), ("contact_count", count), ("pose", pose),
                                ("velocity", velocity), ("presence", presence)):
                append(table[name], cells)
            stored = ends[-1]
            kinetic = 0.5 * (velocity[..., :3] ** 2).sum(axis=(1, 2))
            known = {"step": step, "time": time, "bodies": bodies + 1 + 0 * step, "awake": bodies + 0 * step, "touching": count // 4, "contacts": count,
                     "candidates": count // 4 + 10, "max_penetration": 2.5e-4 + motion.shake(len(step)), "kinetic_energy": kinetic,
                     "potential_energy": 9.81 * pose[..., 2].sum(axis=1), "seconds_total": generator.uniform(1e-3, 2e-3, len(step))}
            for name, column in steps.items():
                append(column, known.get(name, 0 * time))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("output", metavar="OUT.h5")
    parser.add_argument("--frames", type=int, default=100000)
    parser.add_argument("--bodies", type=int, default=100)
    parser.add_argument("--contacts", type=int, default=20, help="in a frame, at most (default 20)")
    parser.add_argument("--noise", type=float, default=1e-6, help="standard deviation, in metres and metres per second (default 1e-6)")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    make(options.output, options.frames, options.bodies, options.contacts, options.noise, options.seed)


if __name__ == "__main__":
    main()
