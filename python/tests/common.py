"""What the tests share: random poses, shapes of every kind, and rotations."""

from __future__ import annotations

import numpy as np

import abut


def unit(rows: np.ndarray) -> np.ndarray:
    return rows / np.linalg.norm(rows, axis=-1, keepdims=True)


def random_poses(random: np.random.Generator, count: int, spread: float = 1.0) -> np.ndarray:
    poses = np.empty((count, 7))
    poses[:, :3] = random.uniform(-spread, spread, (count, 3))
    poses[:, 3:] = unit(random.normal(size=(count, 4)))
    return poses


def rotation(quaternion: np.ndarray) -> np.ndarray:
    x, y, z, w = quaternion
    return np.array([[1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
                     [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
                     [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)]])


def matrix(pose: np.ndarray) -> np.ndarray:
    result = np.eye(4)
    result[:3, :3] = rotation(pose[3:])
    result[:3, 3] = pose[:3]
    return result


def turned(pose: np.ndarray, axis: int, angle: float) -> np.ndarray:
    """The pose turned about an axis of the world through its own origin."""
    half = np.zeros(4)
    half[axis] = np.sin(angle / 2)
    half[3] = np.cos(angle / 2)
    (a, b, c, d), (x, y, z, w) = half, pose[3:]
    result = pose.copy()
    result[3:] = [d * x + a * w + b * z - c * y, d * y - a * z + b * w + c * x, d * z + a * y - b * x + c * w, d * w - a * x - b * y - c * z]
    return result


def overlapping_tetrahedra(count: int) -> tuple[np.ndarray, np.ndarray]:
    """Pairs of random tetrahedra (count, 4, 3) that overlap."""
    random = np.random.default_rng(6)
    a, b = random.uniform(-1, 1, (20 * count, 4, 3)), random.uniform(-1, 1, (20 * count, 4, 3))
    chosen = np.flatnonzero(abut.depth(a, b).relation == 3)[:count]
    assert len(chosen) == count
    return a[chosen], b[chosen]


TETRAHEDRON = ([(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)], [(0, 2, 1), (0, 1, 3), (0, 3, 2), (1, 2, 3)])


def convex_shapes() -> dict[str, abut.Shape]:
    points = np.random.default_rng(3).normal(size=(30, 3))
    return {
        "sphere": abut.sphere(0.4), "capsule": abut.capsule(0.2, 0.4), "box": abut.box((0.3, 0.4, 0.5)), "polytope": abut.polytope(*TETRAHEDRON),
        "hull": abut.hull(0.5 * unit(points)), "cylinder": abut.cylinder(0.3, 0.4), "cone": abut.cone(0.4, 0.6), "frustum": abut.frustum(0.4, 0.2, 0.6),
        "prism": abut.prism(0.3, 0.4, 7), "pyramid": abut.pyramid(0.4, 0.6, 5), "ellipsoid": abut.ellipsoid((0.3, 0.4, 0.5)),
        "superquadric": abut.superquadric((0.3, 0.4, 0.5), 0.7, 1.2), "contraction": abut.with_contraction(abut.box((0.3, 0.4, 0.5)), (0.1, 0, 0)),
        "own mass": abut.with_mass(abut.box((0.3, 0.4, 0.5)), 2.0, (0, 0, -0.2), (0.3, 0.2, 0.25)),
        "implicit": abut.implicit("x^2/a^2 + y^2 + z^2 - 0.16", (-0.9, -0.5, -0.5), (0.9, 0.5, 0.5), (0, 0, 0), {"a": 2.0}),
    }  # fmt: skip


def all_shapes() -> dict[str, abut.Shape]:
    box = abut.box((0.2, 0.2, 0.2))
    vertices, faces = TETRAHEDRON
    return {
        **convex_shapes(), "plane": abut.plane((0, 0, 2), 0.1), "compound": abut.compound([box, abut.sphere(0.2)], [[-0.3, 0, 0, 0, 0, 0, 1], [0.3, 0, 0, 0, 0, 0, 1]]),
        "trimesh": abut.trimesh(vertices, faces), "heightfield": abut.heightfield([[0, 0.1, 0], [0.1, 0.2, 0.1], [0, 0, 0]], (0.5, 0.5)),
        "facetmesh": abut.facetmesh(vertices, faces), "torus": abut.torus(0.5, 0.2),
        "parametric": abut.parametric(("cos(u)*cos(v)", "sin(u)*cos(v)", "0.5*sin(v)"), (0, 2 * np.pi), (-np.pi / 2, np.pi / 2), u_periodic=True),
    }  # fmt: skip
