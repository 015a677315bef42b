"""Work for many processes: a batch of pairs, and one scene of a sweep. Shapes, scenes and results can be pickled, and results do not depend on the process."""

import numpy as np
from numpy.typing import NDArray

import abut


def pairs(count: int) -> tuple[abut.Shape, NDArray[np.float64], abut.Shape, NDArray[np.float64]]:
    """Two hulls, and many places of both."""
    random = np.random.default_rng(1)
    poses = random.uniform(-2, 2, (2, count, 7))
    poses[..., 3:] /= np.linalg.norm(poses[..., 3:], axis=-1, keepdims=True)
    a, b = (abut.hull(random.normal(size=(32, 3))) for _ in range(2))
    return a, poses[0], b, poses[1]


def gaps(a: abut.Shape, poses_a: NDArray[np.float64], b: abut.Shape, poses_b: NDArray[np.float64]) -> NDArray[np.float64]:
    """Gaps of a part of the pairs. A process is one of many, so that it takes one thread."""
    return np.asarray(abut.distance(a, poses_a, b, poses_b, threads=1).gap)


def slide(friction: float) -> tuple[float, float, float]:
    """A block on a slope of 30 degrees: a row of friction, way and energy lost after a second."""
    slope = {"quaternion": [0.0, float(np.sin(np.pi / 12)), 0.0, float(np.cos(np.pi / 12))]}
    scene = abut.Scene(1.0, dt=1 / 240, materials={"slope": {"friction": friction}})
    scene.add_body("slope", abut.plane(), kind="static", material="slope", rotation=slope)
    scene.add_body("block", abut.box((0.1, 0.1, 0.05)), (0.05 * np.sin(np.pi / 6), 0, 0.05 * np.cos(np.pi / 6)), mass=1.0, material="slope", rotation=slope)
    recording = abut.run(scene, progress=False)
    place, energy = recording.poses[:, recording.body("block"), :3], recording.energies["total"]
    return friction, float(np.linalg.norm(place[-1] - place[0])), float(energy[0] - energy[-1])


FRICTIONS = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6]
COLUMNS = [("friction", float), ("way", float), ("lost", float)]
