"""What the custom functions of frameworks share: values with their gradients, over any number of leading axes."""

from __future__ import annotations

from typing import Any

import numpy as np

from . import depths, pairs
from ._arrays import Floats
from .shapes import ShapeLike


def distances(a: ShapeLike, pose_a: Any, b: ShapeLike, pose_b: Any, settings: pairs.Settings | None) -> tuple[Floats, Floats, Floats]:
    """Gaps of poses (..., 7), which are broadcast, and their gradients (..., 7) by the numbers of both poses."""
    place_a, place_b = np.broadcast_arrays(np.asarray(pose_a, dtype=np.float64), np.asarray(pose_b, dtype=np.float64))
    if place_a.shape[-1:] != (7,):
        raise ValueError(f"poses: shape (..., 7) is expected, not {place_a.shape}")
    shape = place_a.shape[:-1]
    found, by = pairs.distance_derivatives(a, place_a.reshape(-1, 7), b, place_b.reshape(-1, 7), settings=settings)
    gap: Floats = np.ascontiguousarray(found.gap).reshape(shape)
    return gap, pairs.pose_gradient(by[:, :6].reshape(*shape, 6), place_a), pairs.pose_gradient(by[:, 6:].reshape(*shape, 6), place_b)


def deformable_depths(a: Any, b: Any, settings: depths.DepthSettings) -> tuple[Floats, Floats, Floats]:
    """Depths of tetrahedra (..., 4, 3), which are broadcast, and their gradients (..., 4, 3) by the vertices of both."""
    of_a, of_b = np.broadcast_arrays(np.asarray(a, dtype=np.float64), np.asarray(b, dtype=np.float64))
    if of_a.shape[-2:] != (4, 3):
        raise ValueError(f"tetrahedra: shape (..., 4, 3) is expected, not {of_a.shape}")
    shape = of_a.shape
    flat_a, flat_b = of_a.reshape(-1, 4, 3), of_b.reshape(-1, 4, 3)
    found = depths.depth(flat_a, flat_b, settings)
    by_a, by_b = depths.depth_gradient(found, flat_a, flat_b, settings)
    value: Floats = np.ascontiguousarray(found.depth).reshape(shape[:-2])
    return value, by_a.reshape(shape), by_b.reshape(shape)
