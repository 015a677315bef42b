"""Questions about pairs: closed forms, a batch equals its single calls to the last bit, and every way to fail."""

from __future__ import annotations

import multiprocessing
import os
import pickle
import threading

import numpy as np
import pytest

import abut
from common import TETRAHEDRON, all_shapes, convex_shapes, matrix, random_poses, unit

THREADS = (1, 2, 0)


def test_closed_forms() -> None:
    ball, box = abut.sphere(0.5), abut.box((0.5, 0.5, 0.5))
    contact = abut.collide(box, None, ball, (0, 0, 0.9))
    assert len(contact) == 1 and contact.gap[0] == pytest.approx(-0.1, abs=1e-15)
    np.testing.assert_allclose(contact.normal, [[0, 0, -1]], atol=1e-15)
    np.testing.assert_allclose(contact.on_a, [[0, 0, 0.5]], atol=1e-15)
    assert contact.feature_a.kind.tolist() == [1] and contact.feature_b.kind.tolist() == [4]
    stack = abut.collide(box, (0, 0, 0.9), box, None)
    assert len(stack) == 4 and stack.area.sum() == pytest.approx(1.0)
    apart = abut.distance(box, None, ball, (0, 0, 2))
    assert apart.gap == pytest.approx(1.0) and apart.shape == ()
    assert not abut.overlap(box, None, ball, (0, 0, 2)) and abut.overlap(box, None, ball, (0, 0, 0.9))
    assert abut.growth_distance(ball, (0, 0, 2), ball, None).alpha == pytest.approx(2.0)
    hit = abut.ray_cast(box, None, (0, 0, 5), (0, 0, -10))
    assert hit.hit and hit.fraction == pytest.approx(0.45)
    cast = abut.shape_cast(ball, (0, 0, 5), box, None, linear_a=(0, 0, -10))
    assert cast.fraction == pytest.approx(0.4, abs=1e-5)
    assert len(abut.collide(box, (0, 0, 1.05), box, None)) == 0 and len(abut.collide(box, (0, 0, 1.05), box, None, margin=0.1)) == 4


@pytest.mark.parametrize("threads", THREADS)
def test_a_batch_equals_its_single_calls(threads: int) -> None:
    random = np.random.default_rng(5)
    shapes = [shape for name, shape in all_shapes().items() if name not in ("plane", "torus", "facetmesh", "parametric")]
    count = 300
    a = [shapes[i] for i in random.integers(len(shapes), size=count)]
    b = [shapes[i] for i in random.integers(len(shapes), size=count)]
    pose_a, pose_b = random_poses(random, count, 0.5), random_poses(random, count, 0.5)
    batch = abut.collide(a, pose_a, b, pose_b, threads=threads)
    distances = abut.distance(a, pose_a, b, pose_b, threads=threads)
    overlaps = abut.overlap(a, pose_a, b, pose_b, threads=threads)
    assert len(batch.first) == count + 1 and batch.count.sum() == len(batch) > count / 4
    assert (batch.pair == np.repeat(np.arange(count), batch.count)).all() and (batch.status == 0).all()
    for i in range(count):
        single = abut.collide(a[i], pose_a[i], b[i], pose_b[i])
        assert batch.of(i) == single
        assert distances[i] == abut.distance(a[i], pose_a[i], b[i], pose_b[i])
        assert overlaps[i] == abut.overlap(a[i], pose_a[i], b[i], pose_b[i]) == (len(single) > 0)


def test_large_batches_equal_their_parts() -> None:
    """Batches are answered in parts of some thousand pairs, and get more room for contacts when pairs have many."""
    random = np.random.default_rng(15)
    box, plane, count = abut.box((0.5, 0.5, 0.5)), abut.plane(), 20_000
    poses = random_poses(random, count, 0.4)
    poses[: count // 2, :3], poses[: count // 2, 3:] = (0, 0, 0.9), (0, 0, 0, 1)
    caches = abut.Cache(count)
    for threads in THREADS:
        whole = abut.collide(box, poses, box, None, threads=threads, cache=caches)
        assert len(whole) > 2.5 * count and whole.first[0] == 0 and whole.first[-1] == len(whole)
        parts = [abut.collide(box, poses[i : i + 3000], box, None) for i in range(0, count, 3000)]
        assert whole.tobytes() == b"".join(part.tobytes() for part in parts)
        assert (whole.count == np.concatenate([part.count for part in parts])).all() and (whole.status == 0).all()
        assert abut.distance(box, poses, box, None, threads=threads).tobytes() == b"".join(
            abut.distance(box, poses[i : i + 3000], box, None).tobytes() for i in range(0, count, 3000))  # fmt: skip
    bad = [box] * count
    for i in (9_000, 15_000, 19_999):
        bad[i] = plane
    many = abut.shapes(bad)
    with pytest.raises(abut.ArgumentError, match="pair 9000:"):
        abut.collide(many, poses, plane, None)
    with pytest.raises(abut.ArgumentError, match="element 9000:"):
        abut.distance(many, poses, plane, None)
    loose = abut.collide(many, poses, plane, None, strict=False)
    assert np.flatnonzero(loose.status).tolist() == [9_000, 15_000, 19_999] and loose.count[9_000] == 0 and loose.first[-1] == len(loose)


def test_one_shape_or_pose_serves_all() -> None:
    random = np.random.default_rng(6)
    box, poses = abut.box((0.5, 0.5, 0.5)), random_poses(random, 50)
    same = abut.collide([box] * 50, poses, box, np.tile([0, 0, 0, 0, 0, 0, 1.0], (50, 1)))
    assert abut.collide(box, poses, box, None) == same == abut.collide(abut.shapes([box] * 50), poses, [box], None)
    assert len(abut.collide(box, np.empty((0, 7)), box, None)) == 0 and abut.distance(box, np.empty((0, 7)), box, None).shape == (0,)


def test_matrices_are_poses() -> None:
    random = np.random.default_rng(7)
    box, poses = abut.box((0.5, 0.4, 0.3)), random_poses(random, 200)
    matrices = np.array([matrix(pose) for pose in poses])
    by_poses, by_matrices = abut.distance(box, poses, box, None), abut.distance(box, matrices, box, None)
    np.testing.assert_allclose(by_matrices.gap, by_poses.gap, atol=1e-12)
    assert abut.distance(box, matrices[0], box, np.eye(4)).shape == ()
    wrong = matrices[:3].copy()
    wrong[2, 0, 0] += 1e-3
    with pytest.raises(ValueError, match="pose_a: matrix 2"):
        abut.distance(box, wrong, box, None)
    with pytest.raises(ValueError, match="pose_b: shape"):
        abut.distance(box, None, box, np.zeros(6))
    with pytest.raises(ValueError, match="matrix 0"):
        abut.distance(box, np.diag([1.0, 1, -1, 1]), box, None)


def test_caches_change_no_bit() -> None:
    random = np.random.default_rng(8)
    shapes = list(convex_shapes().values())
    a, b = [shapes[i] for i in random.integers(len(shapes), size=100)], [shapes[i] for i in random.integers(len(shapes), size=100)]
    pose_a, pose_b = random_poses(random, 100, 0.6), random_poses(random, 100, 0.6)
    cache = abut.Cache(100)
    for step in range(5):
        pose_a[:, :3] += 0.01
        assert abut.collide(a, pose_a, b, pose_b, cache=cache) == abut.collide(a, pose_a, b, pose_b)
        assert abut.distance(a, pose_a, b, pose_b, cache=cache) == abut.distance(a, pose_a, b, pose_b)
    with pytest.raises(ValueError, match="cache"):
        abut.collide(a[:3], pose_a[:3], b[:3], pose_b[:3], cache=cache)


def test_contacts_of_facets() -> None:
    """A ball of 20 rounded triangles on another ball, whose surfaces meet in a circle; a batch equals its single calls."""
    g = (1 + np.sqrt(5)) / 2
    points = unit(np.array([(0, y, z) for y in (-1, 1) for z in (-g, g)] + [(x, y, 0) for x in (-1, 1) for y in (-g, g)] + [(x, 0, z) for x in (-g, g) for z in (-1, 1)]))
    solid = abut.surface(abut.hull(points))
    ball = abut.facetmesh(*solid, np.ones(len(solid[1])))
    top = unit(solid[0][solid[1][0]].mean(axis=0))
    found = abut.facet_contacts(ball, 1.99 * top, abut.sphere(1.0), None)
    assert len(found) == 1 and found.gap[0] == pytest.approx(-0.01) and found.radius[0] == pytest.approx(0.5) and found.facet_b.tolist() == [-1]
    np.testing.assert_allclose(found.normal[0], top, atol=1e-12)
    assert found.circle_radius[0] == pytest.approx(np.sqrt(1 - 0.995**2)) and found.area_in_circle[0] <= found.area[0] and 3 <= found.corner_count[0] <= 6
    random = np.random.default_rng(17)
    poses = random_poses(random, 40, 1.1)
    batch = abut.facet_contacts(ball, poses, ball, None)
    assert len(batch.first) == 41 and batch.first[-1] == len(batch) > 40
    for i in range(40):
        one, same = abut.facet_contacts(ball, poses[i], ball, None), abut.collide(ball, poses[i], ball, None)
        assert one.tobytes() == batch[int(batch.first[i]) : int(batch.first[i + 1])].tobytes() and len(one) == len(same)
        np.testing.assert_array_equal(np.sort(one.gap), np.sort(same.gap))
    with pytest.raises(abut.ArgumentError, match="sphere"):
        abut.facet_contacts(abut.sphere(1.0), None, abut.sphere(1.0), None)
    with pytest.raises(ValueError, match="element 1"):
        abut.facet_contacts(ball, np.array([[0, 0, 0, 0, 0, 0, 1], [np.nan] * 7, [0, 0, 0, 0, 0, 0, 1]]), ball, None)


def test_settings_are_values() -> None:
    one = abut.Settings(margin=0.1, previous_normal=(0, 0, 1), normal="growth")
    again = pickle.loads(pickle.dumps(one))
    assert again == one and hash(again) == hash(one) and one != abut.Settings(margin=0.1) and "margin=0.1" in repr(one)
    box = abut.box((0.5, 0.5, 0.5))
    assert abut.collide(box, (0, 0, 1.05), box, None, settings=again) == abut.collide(box, (0, 0, 1.05), box, None, settings=one) and len(again.__dict__) == 1


def test_failures() -> None:
    plane, box = abut.plane(), abut.box((1, 1, 1))
    with pytest.raises(abut.ArgumentError, match="plane") as caught:
        abut.collide(plane, None, plane, None)
    assert caught.value.status == abut.Status.UNSUPPORTED_PAIR and isinstance(caught.value, ValueError)
    again = pickle.loads(pickle.dumps(caught.value))
    assert again.status == caught.value.status and str(again) == str(caught.value)
    poses = np.tile([0, 0, 0, 0, 0, 0, 1.0], (3, 1))
    with pytest.raises(abut.ArgumentError, match="pair 1"):
        abut.collide([box, plane, box], poses, plane, poses)
    loose = abut.collide([box, plane, box], poses, plane, poses, strict=False)
    assert loose.status.tolist() == [0, int(abut.Status.UNSUPPORTED_PAIR), 0] and loose.count.tolist() == [4, 0, 4]
    bad = poses.copy()
    bad[2, 0] = np.nan
    with pytest.raises(ValueError, match="pair 2|finite"):
        abut.collide(box, bad, box, poses)
    with pytest.raises(ValueError, match="element 2"):
        abut.distance(box, bad, box, poses)
    bad[2] = [0, 0, 0, 0, 0, 0, 2]
    with pytest.raises(ValueError):
        abut.overlap(box, bad, box, poses)
    with pytest.raises(ValueError, match="number of shapes"):
        abut.collide([box] * 2, poses, box, None)
    with pytest.raises(ValueError, match="number of poses"):
        abut.collide([box] * 3, None, box, poses[:2])
    with pytest.raises(ValueError):
        abut.ray_cast(box, None, (0, 0, 0), (0, 0, 0))
    with pytest.raises(ValueError, match="normal is"):
        abut.Settings(normal="deepest")
    with pytest.raises(ValueError, match="margin"):
        abut.collide(box, None, box, None, margin=-1.0)
    with pytest.raises(TypeError, match="margin"):
        abut.collide(box, None, box, None, margin=0.1, settings=abut.Settings())
    with pytest.raises(TypeError):
        abut.collide("box", None, box, None)  # type: ignore[arg-type]


def test_rays_are_those_of_a_sphere() -> None:
    random = np.random.default_rng(9)
    origins = 3 * unit(random.normal(size=(500, 3)))
    ways = random.uniform(-1.2, 1.2, (500, 3)) - random.uniform(0.5, 2, (500, 1)) * origins
    hits = abut.ray_cast(abut.sphere(1.0), None, origins, ways)
    a, b, c = (ways**2).sum(1), (origins * ways).sum(1), (origins**2).sum(1) - 1
    root = np.sqrt(np.maximum(b * b - a * c, 0))
    first = (-b - root) / a
    expected = (b * b > a * c) & (first >= 0) & (first <= 1)
    assert (hits.hit == expected).all() and 20 < expected.sum() < 480
    np.testing.assert_allclose(hits.fraction[expected], first[expected], atol=1e-12)


def test_records_are_arrays() -> None:
    box = abut.box((0.5, 0.5, 0.5))
    contacts = abut.collide(box, (0, 0, 0.9), box, None)
    raw = contacts.to_structured()
    assert raw["gap"].base is not None and (raw["gap"] == contacts.gap).all() and (contacts[contacts.gap < 0].gap == contacts.gap).all()
    assert [one.gap.shape for one in contacts] == [()] * 4 and "gap" in repr(contacts) and "gap=" in repr(contacts[0])
    with pytest.raises(IndexError):
        contacts.of(1)


def _gaps(seed: int) -> bytes:
    poses = random_poses(np.random.default_rng(seed), 500)
    box = abut.box((0.5, 0.4, 0.3))
    return abut.collide(box, poses, box, None, threads=2).to_structured().tobytes()


def test_a_forked_process_answers() -> None:
    expected = _gaps(1)
    with multiprocessing.get_context("fork").Pool(2) as pool:
        assert pool.map(_gaps, [1, 1, 2], chunksize=1)[:2] == [expected, expected]


@pytest.mark.parametrize("method", ["spawn"])
def test_work_can_be_sent_to_processes(method: str) -> None:
    box, poses = abut.box((0.5, 0.5, 0.5)), random_poses(np.random.default_rng(2), 20)
    with multiprocessing.get_context(method).Pool(1) as pool:
        there = pool.apply(abut.distance, (box, poses, box, None))
    assert there == abut.distance(box, poses, box, None)


def test_other_threads_go_on() -> None:
    box, poses = abut.box((0.5, 0.5, 0.5)), random_poses(np.random.default_rng(2), 200000)
    results: list[abut.Contacts] = []
    workers = [threading.Thread(target=lambda: results.append(abut.collide(box, poses, box, None, threads=1))) for _ in range(2)]
    for worker in workers:
        worker.start()
    turns = 0
    while any(worker.is_alive() for worker in workers):
        turns += 1
        os.sched_yield()
    for worker in workers:
        worker.join()
    assert turns > 10 and results[0] == results[1]


def test_statuses_are_those_of_the_library() -> None:
    from abut import _core

    assert {f"ABUT_{'' if s == 0 else 'ERROR_'}{s.name}": s.value for s in abut.Status} == _core.STATUSES
    assert _core.version() == abut.__version__
    assert all(_core.status_message(s) for s in abut.Status)
    assert TETRAHEDRON
