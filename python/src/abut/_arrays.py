"""Arrays that go in: anything that NumPy can read becomes contiguous numbers of the right shape, or an error that names the argument."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _core

Floats = NDArray[np.float64]

_IDENTITY = np.array([[0.0, 0, 0, 0, 0, 0, 1]])
_REST = np.zeros((1, 6))


def floats(values: ArrayLike) -> Floats:
    """Contiguous double-precision numbers."""
    return np.ascontiguousarray(values, dtype=np.float64)


def vector(values: ArrayLike, name: str) -> Floats:
    """Three numbers."""
    array = floats(values)
    if array.shape != (3,):
        raise ValueError(f"{name}: three numbers are expected, not an array of shape {array.shape}")
    return array


def vectors(values: ArrayLike, name: str) -> tuple[Floats, bool]:
    """Rows of three numbers, and whether a single one was given."""
    array = floats(values)
    if array.ndim == 1 and array.shape[0] == 3:
        return array.reshape(1, 3), True
    if array.ndim == 2 and array.shape[1] == 3:
        return array, False
    raise ValueError(f"{name}: shape (3,) or (n, 3) is expected, not {array.shape}")


def poses(values: ArrayLike | None, name: str) -> tuple[Floats, bool]:
    """Rows (x, y, z, qx, qy, qz, qw), and whether a single pose was given. None is the identity. Matrices (4, 4) are converted."""
    if values is None:
        return _IDENTITY, True
    array = floats(values)
    if array.shape == (7,):
        return array, True
    if array.ndim == 2 and array.shape[1] == 7:
        return array, False
    if array.ndim in (2, 3) and array.shape[-2:] == (4, 4):
        flat, wrong = _core.poses_of_matrices(array.reshape(-1, 4, 4))
        if wrong >= 0:
            raise ValueError(f"{name}: matrix {wrong} is no rigid placement: its rotation is not orthonormal and right-handed to 1e-6, or its last row is not 0 0 0 1")
        return flat.reshape(-1, 7), array.ndim == 2
    if array.ndim == 1 and array.shape[0] == 3:
        pose = np.zeros((1, 7))
        pose[0, :3] = array
        pose[0, 6] = 1.0
        return pose, True
    raise ValueError(f"{name}: shape (7,), (n, 7), (4, 4), (n, 4, 4) or a position (3,) is expected, not {array.shape}")


def motions(linear: ArrayLike | None, angular: ArrayLike | None, name: str) -> tuple[Floats, bool]:
    """Rows of linear and angular velocity, and whether single ones were given. None is rest."""
    if linear is None and angular is None:
        return _REST, True
    first, one = vectors((0.0, 0.0, 0.0) if linear is None else linear, name)
    second, other = vectors((0.0, 0.0, 0.0) if angular is None else angular, name + " (angular)")
    rows = max(len(first), len(second))
    result = np.empty((rows, 6))
    result[:, :3] = first
    result[:, 3:] = second
    return result, one and other


def indices(values: ArrayLike, name: str, columns: int | None = None) -> NDArray[np.int32]:
    """Contiguous indices of 32 bits. Numbers that do not fit, or that are no integers, are refused."""
    array: NDArray[Any] = np.asarray(values)
    if array.size and array.dtype.kind not in "iu":
        raise ValueError(f"{name}: integers are expected, not {array.dtype}")
    if array.size and (array.max() > 2**31 - 1 or array.min() < -(2**31)):
        raise ValueError(f"{name}: an index does not fit into 32 bits")
    if columns is not None and (array.ndim != 2 or array.shape[1] != columns):
        raise ValueError(f"{name}: shape (n, {columns}) is expected, not {array.shape}")
    return np.ascontiguousarray(array, dtype=np.int32)


def ids(values: ArrayLike) -> NDArray[np.uint64]:
    """Ids as an array of 64 bits. What is no integer, or negative, is refused."""
    array: NDArray[Any] = np.asarray(values)
    if array.dtype != np.uint64 and array.size:
        if array.dtype.kind not in "iu":
            raise ValueError(f"ids: integers are expected, not {array.dtype}")
        if array.min() < 0:
            raise ValueError(f"ids: {array.min()} is none")
    return np.ascontiguousarray(array, dtype=np.uint64).reshape(-1)
