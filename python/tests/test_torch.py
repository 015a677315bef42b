"""Distances and depths in PyTorch. Skipped without PyTorch, which is an extra."""

from __future__ import annotations

import numpy as np
import pytest

import abut
from common import overlapping_tetrahedra, random_poses

torch = pytest.importorskip("torch", reason="PyTorch is not installed: abut[torch]")


def numbers(values, grad=False):  # type: ignore[no-untyped-def]
    return torch.tensor(np.asarray(values), dtype=torch.float64, requires_grad=grad)


def unit(pose):  # type: ignore[no-untyped-def]
    """The check moves the numbers of a quaternion freely; the library wants a unit one."""
    return torch.cat((pose[..., :3], pose[..., 3:] / pose[..., 3:].norm(dim=-1, keepdim=True)), -1)


def test_gradients() -> None:
    import abut.torch

    a, b = abut.ellipsoid((0.3, 0.4, 0.5)), abut.hull(np.random.default_rng(1).normal(size=(20, 3)) * 0.3)
    gap = abut.torch.distance(a, b)
    pose_a, pose_b = random_poses(np.random.default_rng(2), 20), random_poses(np.random.default_rng(3), 20) + [2, 0, 0, 0, 0, 0, 0]
    np.testing.assert_array_equal(gap(numbers(pose_a), numbers(pose_b)).numpy(), abut.distance(a, pose_a, b, pose_b).gap)
    assert gap(numbers(pose_a[0]), numbers(pose_b[0])).shape == ()
    for p, q in zip(pose_a, pose_b):
        assert torch.autograd.gradcheck(lambda p, q: gap(unit(p), unit(q)), (numbers(p, True), numbers(q, True)), eps=1e-6, atol=1e-6, rtol=1e-5)


def test_gradients_of_depth() -> None:
    import abut.torch

    depth = abut.torch.depth()
    a, b = overlapping_tetrahedra(20)
    np.testing.assert_array_equal(depth(numbers(a), numbers(b)).numpy(), abut.depth(a, b).depth)
    for p, q in zip(a, b):
        assert torch.autograd.gradcheck(depth, (numbers(p, True), numbers(q, True)), eps=1e-6, atol=1e-6, rtol=1e-5)


def test_batches() -> None:
    import abut.torch

    gap = abut.torch.distance(abut.box((0.3, 0.4, 0.5)), abut.sphere(0.4))
    pose_a, pose_b = numbers(random_poses(np.random.default_rng(4), 50)), numbers(random_poses(np.random.default_rng(5), 50))
    expected = gap(pose_a, pose_b)
    assert torch.equal(torch.func.vmap(gap)(pose_a, pose_b), expected)
    assert torch.equal(torch.func.vmap(gap, in_dims=(None, 1))(pose_a[0], pose_b.T), gap(pose_a[0], pose_b))
    # A table of all pairs, by leading axes and by vmap within vmap.
    table = gap(pose_a[:, None], pose_b[None])
    assert table.shape == (50, 50) and torch.equal(table.diagonal(), expected)
    nested = torch.func.vmap(lambda p: torch.func.vmap(lambda q: gap(p, q))(pose_b))(pose_a)
    assert torch.equal(nested, table)
    # Slopes of one pose against many: summed by backward, apart by vmap.
    by = torch.func.vmap(torch.func.grad(gap, argnums=(0, 1)), in_dims=(None, 0))(pose_a[0], pose_b)
    moved, others = pose_a[0].clone().requires_grad_(), pose_b.clone().requires_grad_()
    gap(moved, others).sum().backward()
    assert torch.allclose(moved.grad, by[0].sum(0), atol=1e-13) and torch.equal(others.grad, by[1])
    # A vmapped axis before axes that only one of both has.
    assert torch.equal(torch.func.vmap(gap, in_dims=(0, None))(pose_a, pose_b), table)


def test_an_optimisation_converges() -> None:
    """A ball is drawn to a gap of 0.25 from a box by steps along the gradient, in single precision."""
    import abut.torch

    gap = abut.torch.distance(abut.box((0.3, 0.4, 0.5)), abut.sphere(0.4))
    fixed = torch.tensor([0, 0, 0, 0, 0, 0, 1.0])
    position = torch.tensor([2.0, 1.5, 1.0], requires_grad=True)
    for _ in range(60):
        value = gap(fixed, torch.cat((position, fixed[3:])))
        assert value.dtype == torch.float32
        (by,) = torch.autograd.grad(0.5 * (value - 0.25) ** 2, position)
        position = (position - 0.5 * by).detach().requires_grad_()
    assert abs(float(value.detach()) - 0.25) < 1e-5


def test_refusals() -> None:
    import abut.torch

    gap = abut.torch.distance(abut.sphere(0.3), abut.sphere(0.4))
    pose = numbers([0, 0, 2, 0, 0, 0, 1], True)
    (by,) = torch.autograd.grad(gap(pose * 1, pose.detach() * numbers([1, 1, 0, 1, 1, 1, 1])), pose, create_graph=True)
    with pytest.raises(NotImplementedError, match="first derivatives"):
        by.sum().backward()
    with pytest.raises(NotImplementedError, match="first derivatives"):
        torch.func.jacrev(torch.func.grad(gap))(pose.detach(), numbers([0, 0, 0, 0, 0, 0, 1]))
    with pytest.raises(TypeError, match="tensors"):
        gap([0, 0, 2, 0, 0, 0, 1], pose)
    with pytest.raises(TypeError, match="floating-point"):
        gap(torch.zeros(7, dtype=torch.int64), pose)
    with pytest.raises(ValueError, match="7"):
        gap(pose[:6], pose[:6])
    with pytest.raises(ValueError, match="4, 3"):
        abut.torch.depth()(pose, pose)
