"""A recording of `abut run` as NumPy arrays, and measures that the scripts share. The file's layout is in docs/formats/recording.md."""

import json
import sys

try:
    import h5py
    import numpy as np
except ImportError as missing:
    sys.exit(f"this script needs {missing.name}: on Debian and Ubuntu, apt install python3-numpy python3-h5py, then use /usr/bin/python3")

DYNAMIC = 0
REMOVED = 0


class Recording:
    """The data of a recording that the scripts need. Frames and steps count from 0, the initial state."""

    def __init__(self, path):
        with h5py.File(path, "r") as file:
            self.title = str(file.attrs["title"])
            self.dt = float(file.attrs["dt"])
            self.steps = {name: column[()] for name, column in file["steps"].items()}
            self.time = file["frames/time"][()]
            self.pose = file["frames/pose"][()]
            self.velocity = file["frames/velocity"][()]
            self.present = file["frames/presence"][()] != REMOVED
            self.names = [name.decode() if isinstance(name, bytes) else str(name) for name in file["bodies/name"][()]]
            self.dynamic = np.flatnonzero(file["bodies/kind"][()] == DYNAMIC)
            self.is_static = file["bodies/kind"][()] != DYNAMIC
            self.shape = file["bodies/shape"][()]
            self.scene = json.loads(file["scene"].asstr()[()]) if "scene" in file else {}
            self._shapes = {name: column[()] for name, column in file["shapes"].items()}
            self._kinds = {number: name for name, number in h5py.check_enum_dtype(file["shapes/kind"].dtype).items()}

    def faces(self, body):
        """The faces of a body, in its own frame: [corners, 3] each, counter-clockwise from outside. Balls and capsules have none."""
        return self._faces_of(int(self.shape[body]))

    def _faces_of(self, shape):
        s = self._shapes
        points = s["vertices"][s["vertex_first"][shape] : s["vertex_first"][shape + 1]]
        ends = s["corner_first"][s["face_first"][shape] : s["face_first"][shape + 1] + 1]
        result = [points[s["corners"][first:end]] for first, end in zip(ends, ends[1:])]
        for part in range(s["part_first"][shape], s["part_first"][shape + 1]):
            pose = s["part_pose"][part]
            result += [pose[:3] + rotate(pose[None, 3:], ring) for ring in self._faces_of(int(s["part_shape"][part]))]
        return result

    def face_radii(self, body):
        """Radii of curvature of the faces of a body of rounded triangles, infinite for flat ones; None for other bodies, and if the recording has no radii."""
        s, shape = self._shapes, int(self.shape[body])
        if "radii" not in s or "radius_first" not in s or self._kinds[s["kind"][shape]] != "facetmesh":
            return None
        return s["radii"][s["radius_first"][shape] : s["radius_first"][shape + 1]]

    def face_normals(self, body):
        """Outward unit normals of a body's faces, in its own frame [faces, 3]."""
        return np.array([face_normal(ring) for ring in self.faces(body)]).reshape(-1, 3)

    def round_parts(self, body):
        """Balls and capsules of a body, in its own frame: [(pose, radius, half length)]."""
        s, shape = self._shapes, int(self.shape[body])
        here = [(np.array([0, 0, 0, 0, 0, 0, 1.0]), shape)]
        here += [(s["part_pose"][part], int(s["part_shape"][part])) for part in range(s["part_first"][shape], s["part_first"][shape + 1])]
        return [(pose, *s["parameters"][index][:2]) for pose, index in here if self._kinds[s["kind"][index]] in ("sphere", "capsule")]

    def plane(self, body):
        """(normal, offset) of a body that is a plane, in its own frame; else None."""
        s, shape = self._shapes, int(self.shape[body])
        return (s["parameters"][shape][:3], s["parameters"][shape][3]) if self._kinds[s["kind"][shape]] == "plane" else None


def contacts(path, frame=-1):
    """The contacts of a frame: {name of the dataset: its rows}."""
    with h5py.File(path, "r") as file:
        first, count = file["frames/contact_first"][frame], file["frames/contact_count"][frame]
        return {name: column[first : first + count] for name, column in file["contacts"].items()}


def face_normal(ring):
    """Outward unit normal of a flat polygon [corners, 3]."""
    spokes = ring - ring[0]
    normal = np.cross(spokes, np.roll(spokes, -1, axis=0)).sum(axis=0)
    return normal / np.linalg.norm(normal)


def rotate(quaternions, vectors):
    """Vectors [n, 3] turned by quaternions [n, 4] or [1, 4], (x, y, z, w)."""
    q, w = quaternions[..., :3], quaternions[..., 3:]
    t = 2 * np.cross(q, vectors)
    return vectors + w * t + np.cross(q, t)


def tilt(run, body):
    """The angle between the vertical and a body's nearest face normal, frame by frame [rad]; 0 for a body that lies flat."""
    normals = run.face_normals(body)
    if len(normals) == 0:
        return np.zeros(len(run.time))
    turned_back = run.pose[:, body, 3:] * np.array([-1, -1, -1, 1])
    down = rotate(turned_back, np.broadcast_to([0.0, 0.0, -1.0], (len(run.time), 3)))
    down /= np.linalg.norm(down, axis=1)[:, None]
    nearest = normals[np.argmax(np.nan_to_num(down) @ normals.T, axis=1)]
    return np.arctan2(np.linalg.norm(np.cross(down, nearest), axis=1), (down * nearest).sum(axis=1))


def worst_tilt(run, bodies=None):
    """The largest tilt of all present dynamic bodies (or of those given), frame by frame [rad]."""
    bodies = run.dynamic if bodies is None else bodies
    worst = np.zeros(len(run.time))
    for body in bodies:
        worst = np.fmax(worst, tilt(run, body))
    return worst


def drift(run, first, last, bodies=None):
    """The largest distance of any body from its position in frame `first`, over the frames up to `last` [length]."""
    bodies = run.dynamic if bodies is None else bodies
    position = run.pose[first : last + 1][:, bodies, :3]
    moved = np.linalg.norm(position - position[0], axis=2)
    moved = moved[np.isfinite(moved)]
    return float(moved.max()) if moved.size else 0.0
