"""Shapes: what they are made from, what they tell, and that they can be pickled, compared and hashed."""

from __future__ import annotations

import importlib.util
import pickle
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

import abut
from common import TETRAHEDRON, all_shapes, convex_shapes


@pytest.mark.parametrize("name", all_shapes())
def test_a_pickled_shape_is_equal(name: str) -> None:
    shape, again = all_shapes()[name], all_shapes()[name]
    copy = pickle.loads(pickle.dumps(shape))
    assert copy == shape == again and hash(copy) == hash(shape) == hash(again)
    assert copy.kind == shape.kind
    assert {shape: 1}[copy] == 1
    assert repr(shape).startswith("abut.")


def test_other_numbers_make_another_shape() -> None:
    shapes = list(all_shapes().values())
    for i, one in enumerate(shapes):
        assert [other == one for other in shapes] == [i == j for j in range(len(shapes))]
    assert abut.box((1, 1, 1)) != abut.box((1, 1, 1 + 1e-15)) and abut.box((1, 1, 1)) != 1


def test_a_shape_keeps_its_numbers() -> None:
    points = np.random.default_rng(1).normal(size=(20, 3))
    shape = abut.hull(points)
    copy = pickle.dumps(shape)
    points[:] = 0
    assert pickle.dumps(shape) == copy


def test_mass_bounds_and_support_are_closed_forms() -> None:
    mass = abut.mass(abut.box((1, 2, 3)), density=2.0)
    assert mass.mass == pytest.approx(96) and mass.volume == pytest.approx(48)
    np.testing.assert_allclose(mass.inertia, np.diag([96 / 3 * (4 + 9), 96 / 3 * (1 + 9), 96 / 3 * (1 + 4)]))
    np.testing.assert_allclose(abut.mass(abut.sphere(2.0)).volume, 4 / 3 * np.pi * 8)
    lower, upper = abut.bounds(abut.box((1, 2, 3)), (10, 0, 0))
    np.testing.assert_allclose((lower, upper), ((9, -2, -3), (11, 2, 3)))
    np.testing.assert_allclose(abut.support(abut.box((1, 2, 3)), (1, -1, 1)), (1, -2, 3))
    vertices, faces = abut.surface(abut.box((1, 2, 3)))
    assert vertices.shape == (8, 3) and sorted(map(len, faces)) == [4] * 6


def test_a_mass_of_the_caller_replaces_the_uniform_one() -> None:
    box, turned = abut.box((1, 2, 3)), np.array([[1.0, 0.2, 0.1], [0.2, 1.5, 0.0], [0.1, 0.0, 1.25]])
    low = abut.with_mass(box, 4.0, (0, 0, -2.5), turned)
    told = abut.mass(low, density=2.0)
    assert told.mass == pytest.approx(96) and told.volume == pytest.approx(48) and told.centre.tolist() == [0, 0, -2.5]
    np.testing.assert_allclose(told.inertia, turned * 96 / 4, rtol=1e-14)
    assert low == abut.with_mass(box, 4, [0, 0, -2.5], turned.tolist()) and low != abut.with_mass(box, 4.0, (0, 0, -2.5), 1.001 * turned) != box
    assert abut.with_mass(box, 4.0, (0, 0, 0), (1, 2, 2)) == abut.with_mass(box, 4.0, (0, 0, 0), np.diag([1.0, 2.0, 2.0]))

    aside = abut.mass(abut.with_mass(box, 4.0, (0, 1, 0)), density=1.0)  # the inertia of the box about its own centre
    np.testing.assert_allclose(aside.inertia, abut.mass(box).inertia, rtol=1e-14)
    again = abut.mass(abut.with_mass(low, 8.0, inertia=(1, 1, 1)), density=2.0)  # replaces; the centre stays
    assert again.centre.tolist() == [0, 0, -2.5] and np.allclose(again.inertia, np.eye(3) * 96 / 8)
    assert abut.mass(abut.with_contraction(low, (0.5, 0, 0))).centre.tolist() == [0, 0, -2.5]
    np.testing.assert_array_equal(abut.collide(low, None, box, (0, 0, 5.9)).gap, abut.collide(box, None, box, (0, 0, 5.9)).gap)


def test_a_body_swings_about_the_mass_centre_of_its_shape() -> None:
    """A physical pendulum: a ball on a pivot, its mass centre at a distance d, has the period 2 pi sqrt((I + m d^2) / (m g d))."""
    d, inertia, dt, frame = 0.5, 0.2, 1 / 1000, (0, 0, 0, np.sqrt(0.5), 0, 0, np.sqrt(0.5))
    shape = abut.with_mass(abut.sphere(0.1), 1.0, (d * np.sin(0.01), 0, -d * np.cos(0.01)), (inertia,) * 3)
    world = abut.World(gravity=(0, 0, -9.81))
    post, ball = world.add_body(abut.sphere(0.01), kind="static"), world.add_body(shape, mass=3.0)
    world.add_joint("revolute", post, ball, frame, frame)
    spin = []
    for _ in range(2000):
        world.step(dt)
        spin.append(world.velocities[1, 4])
    turns = np.flatnonzero(np.diff(np.sign(spin[10:]))) + 10
    expected = 2 * np.pi * np.sqrt((inertia + d * d) / (9.81 * d))
    assert len(turns) >= 2 and 2 * dt * (turns[1] - turns[0]) == pytest.approx(expected, rel=2e-3)


def test_meshes_of_other_libraries() -> None:
    vertices, faces = TETRAHEDRON
    as_trimesh = SimpleNamespace(vertices=np.array(vertices), faces=np.array(faces))
    as_meshio = SimpleNamespace(points=np.array(vertices), cells_dict={"triangle": np.array(faces, dtype=np.int64)})
    assert abut.trimesh(as_trimesh) == abut.trimesh(as_meshio) == abut.trimesh(vertices, faces)
    assert abut.facetmesh(as_trimesh) == abut.facetmesh(vertices, faces)
    with pytest.raises(ValueError, match="no triangles"):
        abut.trimesh(SimpleNamespace(points=vertices, cells_dict={"quad": []}))
    with pytest.raises(TypeError, match="triangles are missing"):
        abut.trimesh(vertices)


def test_meshes_come_from_files(tmp_path: Path) -> None:
    vertices, faces = TETRAHEDRON
    lines = [f"v {x} {y} {z}" for x, y, z in vertices] + [f"f {i + 1} {j + 1} {k + 1}" for i, j, k in faces]
    (tmp_path / "a.obj").write_text("\n".join(lines) + "\n")
    if importlib.util.find_spec("trimesh") is None:
        with pytest.raises(ImportError, match="pip install trimesh"):
            abut.trimesh(tmp_path / "a.obj")
        return
    of_file = abut.trimesh(str(tmp_path / "a.obj"))
    assert abut.distance(of_file, None, abut.sphere(0.1), (0, 0, 3)).gap == pytest.approx(1.9) and abut.mass(of_file).volume == pytest.approx(1 / 6)
    assert abut.hull(tmp_path / "a.obj").kind == "polytope" and len(abut.surface(abut.hull(SimpleNamespace(vertices=vertices, faces=faces)))[0]) == 4
    assert abut.mass(abut.facetmesh(tmp_path / "a.obj")).volume == pytest.approx(1 / 6)
    with pytest.raises(FileNotFoundError, match="b.obj"):
        abut.trimesh(tmp_path / "b.obj")


def test_facets_with_two_radii_and_lips_reach_scenes_unchanged() -> None:
    radii, across, along = np.full(4, 2.0), np.array([3.0, 2.0, -9.0, np.inf]), np.array([(1, 2, 3)] * 4)
    shapes = [
        abut.facetmesh(*TETRAHEDRON, radii, cross_radii=across, directions=along), abut.facetmesh(*TETRAHEDRON, principal=True),
        abut.facetmesh(*TETRAHEDRON, np.full(4, np.inf), lip_radius=0.05),
    ]  # fmt: skip
    keys = [abut.shape_to_json(shape)["facetmesh"] for shape in shapes]
    assert keys[0]["cross_radii"] == [3.0, 2.0, -9.0, "flat"] and keys[0]["directions"][2] == [1.0, 2.0, 3.0]
    assert keys[1]["principal_curvatures"] and "lip_radius" not in keys[1] and keys[2]["lip_radius"] == 0.05
    plain = abut.facetmesh(*TETRAHEDRON)
    assert all(shape != plain for shape in shapes)


def test_many_shapes_are_taken_by_index() -> None:
    shapes = abut.shapes(convex_shapes().values())
    assert len(shapes) == len(convex_shapes()) and len(shapes.take(np.array([0, 0, 1], dtype=np.int32))) == 3
    with pytest.raises(IndexError):
        shapes.take(np.array([99], dtype=np.int32))
    with pytest.raises(TypeError, match="pickle the list"):
        pickle.dumps(shapes)


@pytest.mark.parametrize("make, words", [
    (lambda: abut.box((1, -1, 1)), "half.y is -1"), (lambda: abut.sphere(float("nan")), "radius"), (lambda: abut.box((1, 1)), "half: three numbers"),
    (lambda: abut.hull([[0, 0, 0]] * 4), "volume|points"), (lambda: abut.hull(np.zeros((3, 2))), "points: shape"),
    (lambda: abut.trimesh([[0, 0, 0]], [[0, 1, 2]]), "vert"), (lambda: abut.trimesh(np.eye(3), [[0, 1, 2.5]]), "triangles: integers"),
    (lambda: abut.trimesh(np.eye(3), [[0, 1, 2**40]]), "32 bits"), (lambda: abut.heightfield([1, 2]), "heights: shape"),
    (lambda: abut.polytope(TETRAHEDRON[0], [(0, 1, 2)]), "faces|face_count"), (lambda: abut.facetmesh(*TETRAHEDRON, [1.0]), "one radius"),
    (lambda: abut.facetmesh(*TETRAHEDRON, np.ones(4), cross_radii=np.ones(4)), "directions is NULL"),
    (lambda: abut.facetmesh(*TETRAHEDRON, np.ones(4), cross_radii=np.ones(3), directions=np.ones((4, 3))), "one radius"),
    (lambda: abut.facetmesh(*TETRAHEDRON, np.full(4, np.inf), lip_radius=9.0), "lip_radius is 9"),
    (lambda: abut.implicit("x +", (-1, -1, -1), (1, 1, 1), (0, 0, 0)), "column"), (lambda: abut.compound([abut.sphere(1)], np.zeros((2, 7))), "one pose"),
    (lambda: abut.with_contraction(abut.sphere(1), (2, 0, 0)), "point"), (lambda: abut.with_mass(abut.sphere(1), -1.0), "mass is -1"),
    (lambda: abut.with_mass(abut.sphere(1), 1.0, (0, 0), (1, 1, 1)), "centre: three"), (lambda: abut.with_mass(abut.sphere(1), float("nan")), "mass is NaN"),
    (lambda: abut.with_mass(abut.sphere(1), 1.0, None, (1, 1)), "three moments"), (lambda: abut.with_mass(abut.sphere(1), 1.0, None, (1, 1, 3)), "no body"),
    (lambda: abut.with_mass(abut.plane(), 1.0), "unbounded"), (lambda: abut.with_mass(abut.plane(), 1.0, (0, 0, 0), (1, 1, 1)), "plane"),
    (lambda: abut.with_mass(abut.facetmesh(*TETRAHEDRON), 1.0), "facetmesh"),
])  # fmt: skip
def test_a_refusal_says_what_was_wrong(make, words: str) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(ValueError, match=words):
        make()
