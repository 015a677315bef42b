"""Deformable depth, separated meshes, complementarity problems."""

from __future__ import annotations

import numpy as np
import pytest

import abut

UNIT = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1.0]])


def test_depth_is_never_more_than_the_rigid_one() -> None:
    random = np.random.default_rng(1)
    a, b = random.uniform(-1, 1, (500, 4, 3)), random.uniform(-1, 1, (500, 4, 3))
    depths = abut.depth(a, b)
    overlapping = depths.relation == 3
    assert overlapping.sum() > 100
    assert (depths.depth[overlapping] <= -depths.rigid_gap[overlapping] / np.sqrt(2) + 1e-12).all()
    free = abut.depth(a, b, abut.DepthSettings(mode="free"))
    assert (free.depth <= depths.depth + 1e-9).all()
    for i in range(0, 500, 50):
        assert abut.depth(a[i], b[i]) == depths[i]
    assert abut.depth(a, b, threads=1) == abut.depth(a, b, threads=2)


def test_displaced_tetrahedra_are_apart() -> None:
    depth = abut.depth(UNIT, UNIT + 0.1)
    a, b = UNIT + depth.displacement_a, UNIT + 0.1 + depth.displacement_b
    assert (a @ depth.normal >= depth.offset - 1e-12).all() and (b @ depth.normal <= depth.offset + 1e-12).all()


def test_failures() -> None:
    with pytest.raises(ValueError, match="a: shape"):
        abut.depth(np.zeros((3, 3)), UNIT)
    with pytest.raises(ValueError, match="mode"):
        abut.depth(UNIT, UNIT, abut.DepthSettings(mode="fast"))
    with pytest.raises(ValueError):
        abut.depth(UNIT, UNIT * np.nan)
    with pytest.raises(ValueError, match="elements"):
        abut.intersections((UNIT, [[0, 1, 2]]))
    with pytest.raises(ValueError):
        abut.intersections((UNIT, [[0, 1, 2, 9]]))


def test_meshes_are_separated() -> None:
    mesh, other = (UNIT, [[0, 1, 2, 3]]), (UNIT + 0.1, [[0, 1, 2, 3]])
    assert abut.intersections(mesh, other).tolist() == [[0, 0]] and abut.intersections(mesh).shape == (0, 2)
    resolved = abut.resolve(mesh, other)
    assert resolved.status == abut.Status.OK and resolved.pairs_begin == 1 and resolved.pairs_remaining == 0
    assert len(abut.intersections((resolved.vertices_a, mesh[1]), (resolved.vertices_b, other[1]))) == 0
    fixed = abut.resolve(mesh, other, mass_a=[np.inf] * 4)
    assert (fixed.vertices_a == UNIT).all() and fixed.pairs_remaining == 0
    with pytest.raises(ValueError, match="mass"):
        abut.resolve(mesh, other, mass_a=[1.0])


@pytest.mark.parametrize("method", ["active-set", "lemke"])
def test_lcp(method: str) -> None:
    random = np.random.default_rng(2)
    for n in (0, 1, 3, 12):
        root = random.normal(size=(n, n))
        matrix, q = root @ root.T + np.eye(n), random.normal(size=n)
        solution = abut.lcp_solve(matrix, q, method=method)
        assert (solution.z >= 0).all() and (solution.w >= -1e-9).all() and abs(solution.z @ solution.w) < 1e-9
        np.testing.assert_allclose(matrix @ solution.z + q, solution.w, atol=1e-9)
    with pytest.raises(abut.ArgumentError) as caught:
        abut.lcp_solve([[-1.0]], [1.0], method=method)
    assert caught.value.status == abut.Status.INDEFINITE
    with pytest.raises(ValueError, match="method"):
        abut.lcp_solve([[1.0]], [1.0], method="newton")
    with pytest.raises(ValueError, match="rows"):
        abut.lcp_solve([[1.0, 2.0]], [1.0])
