"""Distances and depths in JAX. Skipped without JAX, which is an extra."""

from __future__ import annotations

import numpy as np
import pytest

import abut
from common import overlapping_tetrahedra, random_poses

jax = pytest.importorskip("jax")
jax.config.update("jax_enable_x64", True)


def test_gradients() -> None:
    import abut.jax
    from jax.test_util import check_grads

    a, b = abut.ellipsoid((0.3, 0.4, 0.5)), abut.hull(np.random.default_rng(1).normal(size=(20, 3)) * 0.3)
    gap = abut.jax.distance(a, b)

    def of_any(pose):  # type: ignore[no-untyped-def]
        """The check moves the numbers of a quaternion freely; the library wants a unit one."""
        return jax.numpy.concatenate((pose[:3], pose[3:] / jax.numpy.linalg.norm(pose[3:])))

    for pose_a, pose_b in zip(random_poses(np.random.default_rng(2), 20), random_poses(np.random.default_rng(3), 20) + [2, 0, 0, 0, 0, 0, 0]):
        assert float(gap(pose_a, pose_b)) == float(abut.distance(a, pose_a, b, pose_b).gap)
        check_grads(lambda p, q: gap(of_any(p), of_any(q)), (pose_a, pose_b), order=1, modes=["rev"], eps=1e-5, atol=1e-5, rtol=1e-5)


def test_batches_and_programs() -> None:
    import abut.jax

    a, b = abut.box((0.3, 0.4, 0.5)), abut.sphere(0.4)
    gap = abut.jax.distance(a, b)
    pose_a, pose_b = random_poses(np.random.default_rng(4), 50), random_poses(np.random.default_rng(5), 50)
    expected = abut.distance(a, pose_a, b, pose_b).gap
    np.testing.assert_array_equal(jax.jit(jax.vmap(gap))(pose_a, pose_b), expected)
    by = jax.vmap(jax.grad(gap, argnums=1), in_axes=(None, 0))(pose_a[0], pose_b)
    assert by.shape == (50, 7)
    np.testing.assert_array_equal(by[7], jax.grad(gap, argnums=1)(pose_a[0], pose_b[7]))


def test_gradients_of_depth() -> None:
    import abut.jax
    from jax.test_util import check_grads

    depth = abut.jax.depth()
    a, b = overlapping_tetrahedra(20)
    np.testing.assert_array_equal(jax.vmap(depth)(a, b), abut.depth(a, b).depth)
    for p, q in zip(a, b):
        check_grads(depth, (p, q), order=1, modes=["rev"], eps=1e-6, atol=1e-5, rtol=1e-5)
