"""Elastic cells: the law of Laplace, momentum, saved states, nodes as arrays, and every way to fail."""

from __future__ import annotations

import numpy as np
import pytest

import abut
from common import TETRAHEDRON


def ball(level: int = 1) -> tuple[np.ndarray, np.ndarray]:
    """Vertices and triangles of a ball of the radius 1: an icosahedron whose triangles are divided into four."""
    g = (1 + np.sqrt(5)) / 2
    points = np.array([(0, y, z) for y in (-1, 1) for z in (-g, g)] + [(x, y, 0) for x in (-1, 1) for y in (-g, g)] + [(x, 0, z) for x in (-g, g) for z in (-1, 1)])
    points /= np.linalg.norm(points, axis=1, keepdims=True)
    side = np.linalg.norm(points[:, None] - points[None], axis=2)
    near = side < 1.1 * np.min(side[side > 1e-9])
    faces = [f for f in np.argwhere(np.ones((12, 12, 12), dtype=bool)) if f[0] < f[1] < f[2] and near[f[0], f[1]] and near[f[1], f[2]] and near[f[0], f[2]]]
    triangles = [f if np.linalg.det(points[f]) > 0 else f[::-1] for f in faces]
    rows = [tuple(p) for p in points]
    for _ in range(level):
        middle: dict[tuple[int, int], int] = {}

        def between(i: int, j: int) -> int:
            key = (min(i, j), max(i, j))
            if key not in middle:
                point = np.add(rows[i], rows[j])
                rows.append(tuple(point / np.linalg.norm(point)))
                middle[key] = len(rows) - 1
            return middle[key]

        triangles = [t for a, b, c in triangles for x, y, z in [(between(a, b), between(b, c), between(c, a))] for t in ((a, x, z), (x, b, y), (z, y, c), (x, y, z))]
    return np.array(rows), np.array(triangles)


def soft(world: abut.World, place: tuple[float, float, float] = (0, 0, 0), level: int = 1, **options: float) -> int:
    points, triangles = ball(level)
    shape = abut.facetmesh(points, triangles, np.ones(len(triangles)))
    return world.add_body(shape, place, mass=1.0, friction=0.0, restitution=1.0, young=1e4, poisson=0.3, **options)


def free_world(threads: int = 0) -> abut.World:
    return abut.World(stepper="dem", gravity=(0, 0, 0), dem_step_share=0.3, threads=threads)


@pytest.mark.parametrize("level, error", [(1, 0.08), (2, 0.03)])
def test_laplace(level: int, error: float) -> None:
    """At rest the pressure in a ball is twice its tension over its radius, and the springs bear it on any mesh."""
    world = free_world()
    cell = soft(world, (3, -2, 1), level, angular_damping=3.0)
    world.make_cell(cell, 100.0, rest_ratio=0.5, pressure=150.0, bulk_modulus=300.0, damping=2.0)
    while world.step(0.25).kinetic_energy > 1e-18:
        pass
    state, nodes = world.cell_state(cell), world.cell_nodes(cell)
    assert state.shape == () and int(state.nodes) == len(nodes) == len(ball(level)[0]) and nodes.position.shape == (len(nodes), 3)
    assert nodes.mass.sum() == pytest.approx(1.0) and world.report().residual < 1e-6
    radius = np.linalg.norm(nodes.position - (3, -2, 1), axis=1).mean()
    assert 2 * state.tension / radius == pytest.approx(float(state.pressure), rel=error)
    points, triangles = ball(level)
    edges = np.unique(np.sort(np.concatenate([triangles[:, [0, 1]], triangles[:, [1, 2]], triangles[:, [2, 0]]]), axis=1), axis=0)
    was, now = (np.linalg.norm(p[edges[:, 0]] - p[edges[:, 1]], axis=1) for p in (points, nodes.position))
    assert (100.0 * (now - 0.5 * was) * now).sum() == pytest.approx(3 * float(state.pressure) * float(state.volume), rel=1e-6)


def test_two_cells_meet() -> None:
    """Momentum stays; the bits are those of any number of threads and of a restored world."""
    def meeting(threads: int) -> tuple[abut.World, np.ndarray]:
        world = free_world(threads)
        pair = np.array([soft(world, (0, 0, 0)), soft(world, (2.3, 0.4, 0.2))])
        world.make_cell(pair, 200.0, damping=0.5)
        world.set_velocity(pair, [[1, 0, 0], [-1, 0.5, 0]])
        return world, pair

    world, pair = meeting(1)
    saved = world.save()
    report = world.step(0.02, 30)
    momentum = sum((nodes.mass[:, None] * nodes.velocity).sum(0) for nodes in map(world.cell_nodes, pair.tolist()))
    np.testing.assert_allclose(momentum, (0, 0.5, 0), atol=1e-12)
    states = world.cell_state(pair)
    assert states.shape == (2,) and (states.kinetic_energy > 1e-3).all() and report.inner_energy > 0 and report.steps > 1
    again, _ = meeting(2)
    again.restore(saved)
    again.step(0.02, 30)
    assert again.hash() == world.hash() and again.cell_nodes(int(pair[1])) == world.cell_nodes(int(pair[1]))


def test_nodes_are_placed() -> None:
    world = free_world()
    cell = soft(world)
    world.make_cell(cell, 100.0)
    points = world.cell_nodes(cell).position * (1.1, 1.0, 1.0) + (5, 0, 0)
    spin = np.cross((0, 0, 2.0), points - (5, 0, 0))
    world.set_cell_nodes(cell, points, spin)
    nodes = world.cell_nodes(cell)
    np.testing.assert_allclose(nodes.position, points, atol=1e-14)
    np.testing.assert_allclose(nodes.velocity, spin, atol=1e-14)
    np.testing.assert_allclose(world.state(cell).motion, (0, 0, 0, 0, 0, 2), atol=1e-12)
    np.testing.assert_allclose(world.state(cell).centre, (5, 0, 0), atol=1e-12)
    assert world.cell_state(cell).volume == pytest.approx(1.1 * abut.mass(abut.facetmesh(*ball())).volume) and world.cell_state(cell).kinetic_energy < 1e-20
    world.set_cell_nodes(cell, points)
    assert np.abs(world.cell_nodes(cell).velocity).max() == 0


def test_failures() -> None:
    world = free_world()
    cell, box = soft(world), world.add_body(abut.box((1, 1, 1)), (9, 0, 0))
    with pytest.raises(ValueError, match="facetmesh"):
        world.make_cell(box, 1.0)
    with pytest.raises(ValueError, match="stiffness"):
        world.make_cell(cell, -1.0)
    with pytest.raises(TypeError, match="bulk_modulus"):
        world.make_cell(cell, 1.0, bulk=3.0)
    for ask in (world.cell_state, world.cell_nodes):
        with pytest.raises(ValueError):
            ask(cell)
    world.make_cell(cell, 1.0)
    with pytest.raises(ValueError):
        world.make_cell(cell, 1.0)
    points = world.cell_nodes(cell).position
    with pytest.raises(ValueError):
        world.set_cell_nodes(cell, points[:-1])
    with pytest.raises(ValueError):
        world.set_cell_nodes(cell, points * (1, 1, -1))
    with pytest.raises(ValueError, match="differ"):
        world.set_cell_nodes(cell, points, points[:3])
    with pytest.raises(abut.Error) as caught:
        world.set_mass(cell, 2.0)
    assert caught.value.status == abut.Status.UNSUPPORTED
    np.testing.assert_array_equal(world.cell_nodes(cell).position, points)
    world.remove(cell)
    with pytest.raises(KeyError):
        world.cell_state(cell)
    fixed = abut.World()
    with pytest.raises(abut.Error) as caught:
        fixed.make_cell(fixed.add_body(abut.facetmesh(*TETRAHEDRON)), 1.0)
    assert caught.value.status == abut.Status.UNSUPPORTED
