"""Deformable penetration depth of tetrahedra and of tetrahedral meshes, and linear complementarity problems."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _arrays, _core
from ._arrays import Floats
from ._errors import Status
from ._records import Depths, numbers, view


def _tetrahedra(values: ArrayLike, name: str) -> tuple[Floats, bool]:
    array = _arrays.floats(values)
    if array.shape[-2:] != (4, 3) or array.ndim not in (2, 3):
        raise ValueError(f"{name}: shape (4, 3) or (n, 4, 3) is expected, not {array.shape}")
    return array.reshape(-1, 4, 3), array.ndim == 2


class DepthSettings(NamedTuple):
    """Settings of deformable depth: see include/abut/tetra.h."""

    mode: str = "exact44"
    best_k: int = 6
    weight_a: float = 1.0
    weight_b: float = 1.0
    volume_ratio: float = -np.inf


def depth(a: ArrayLike, b: ArrayLike, settings: DepthSettings = DepthSettings(), *, threads: int = 0) -> Depths:
    """Deformable depth of tetrahedra (4, 3), or of many pairs (n, 4, 3)."""
    of_a, one_a = _tetrahedra(a, "a")
    of_b, one_b = _tetrahedra(b, "b")
    return Depths(view(_core.depth(of_a, of_b, *settings, threads), "depth", one_a and one_b))


def depth_gradient(depths: Depths, a: ArrayLike, b: ArrayLike, settings: DepthSettings = DepthSettings()) -> tuple[Floats, Floats]:
    """Derivatives of depths by the vertices of A and of B, with the shapes of these."""
    of_a, one_a = _tetrahedra(a, "a")
    of_b, one_b = _tetrahedra(b, "b")
    by_a, by_b = (numbers(raw, np.float64).reshape(-1, 4, 3) for raw in _core.depth_gradient(of_a, of_b, np.atleast_1d(depths.to_structured()).tobytes(), *settings))
    return (by_a[0], by_b[0]) if one_a and one_b else (by_a, by_b)


class Mesh(NamedTuple):
    """A tetrahedral mesh: vertices (n, 3) and elements (m, 4)."""

    vertices: ArrayLike
    elements: ArrayLike


def _mesh(mesh: Mesh | tuple[ArrayLike, ArrayLike] | None, name: str) -> tuple[Any, Any]:
    if mesh is None:
        return None, None
    return _arrays.vectors(mesh[0], f"{name}.vertices")[0], _arrays.indices(mesh[1], f"{name}.elements", 4)


def intersections(a: Mesh | tuple[ArrayLike, ArrayLike], b: Mesh | tuple[ArrayLike, ArrayLike] | None = None, *, threads: int = 0) -> NDArray[np.int32]:
    """Pairs of elements (n, 2) of two meshes that intersect; without b, of a with itself."""
    found: NDArray[np.int32] = numbers(_core.intersections(*_mesh(a, "a"), *_mesh(b, "b"), threads), np.int32).reshape(-1, 2)
    return found


class Resolved(NamedTuple):
    """Separated meshes."""

    status: Status
    vertices_a: Floats
    vertices_b: Floats
    pairs_begin: int
    pairs_remaining: int
    displacement_max: float
    displacement_rms: float
    inverted: int


def resolve(a: Mesh | tuple[ArrayLike, ArrayLike], b: Mesh | tuple[ArrayLike, ArrayLike] | None = None, *, mass_a: ArrayLike | None = None,
            mass_b: ArrayLike | None = None, volume_ratio: float = -np.inf, threads: int = 0) -> Resolved:
    """Move vertices as little as possible until no elements intersect. The status is OK, or names why pairs remain."""
    status, moved_a, moved_b, *counts = _core.resolve(*_mesh(a, "a"), *_mesh(b, "b"), None if mass_a is None else _arrays.floats(mass_a),
                                                       None if mass_b is None else _arrays.floats(mass_b), float(volume_ratio), threads)
    return Resolved(Status(status), numbers(moved_a, np.float64).reshape(-1, 3), numbers(moved_b, np.float64).reshape(-1, 3), *counts)


class LcpSolution(NamedTuple):
    """Solution of a linear complementarity problem."""

    z: Floats
    w: Floats
    residual: float
    pivots: int


def lcp_solve(matrix: ArrayLike, q: ArrayLike, *, method: str = "active-set", tolerance: float = 1e-9) -> LcpSolution:
    """z >= 0 and w = A z + q >= 0 with z . w = 0, for a symmetric positive semidefinite matrix A (n, n)."""
    z, w, residual, pivots = _core.lcp_solve(_arrays.floats(matrix), _arrays.floats(q), method, float(tolerance))
    return LcpSolution(numbers(z, np.float64), numbers(w, np.float64), residual, pivots)
