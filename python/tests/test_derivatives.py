"""Derivatives of contacts against differences of the contacts themselves."""

from __future__ import annotations

import numpy as np
import pytest

import abut
from common import all_shapes, convex_shapes, random_poses, turned


def moved(pose: np.ndarray, coordinate: int, way: float) -> np.ndarray:
    if coordinate < 3:
        result = pose.copy()
        result[coordinate] += way
        return result
    return turned(pose, coordinate - 3, way)


def features(record: np.ndarray) -> tuple[int, ...]:
    return tuple(int(record[side][field]) for side in ("feature_a", "feature_b") for field in ("kind", "index", "part"))


PAIRS = [("sphere", "ellipsoid"), ("ellipsoid", "superquadric"), ("box", "sphere"), ("hull", "ellipsoid"), ("capsule", "sphere"), ("box", "hull"), ("cone", "sphere"),
         ("implicit", "ellipsoid")]


@pytest.mark.parametrize("names", PAIRS)
def test_derivatives_are_differences(names: tuple[str, str]) -> None:
    shapes, random = convex_shapes(), np.random.default_rng(11)
    a, b = shapes[names[0]], shapes[names[1]]
    h, checked = 1e-5, 0
    for _ in range(150):
        pose_a, pose_b = random_poses(random, 1, 0.4)[0], random_poses(random, 1, 0.4)[0]
        contacts = abut.collide(a, pose_a, b, pose_b, margin=0.1)
        if len(contacts) != 1 or contacts.gap[0] < -0.1:  # deeper than a radius of curvature there is no derivative
            continue
        found = abut.derivatives(contacts, a, pose_a, b, pose_b)
        if found.flags[0] != 0:
            continue
        for k in range(12):
            both = []
            for way in (-h, h):
                at_a = moved(pose_a, k, way) if k < 6 else pose_a
                at_b = moved(pose_b, k - 6, way) if k >= 6 else pose_b
                both.append(abut.collide(a, at_a, b, at_b, margin=0.1))
            if any(len(one) != 1 or features(one.to_structured()[0]) != features(contacts.to_structured()[0]) for one in both):
                continue
            checked += 1
            for name in ("gap", "normal", "on_a", "on_b"):
                low, high = (getattr(one, name)[0] for one in both)
                expected, got = (high - low) / (2 * h), getattr(found, name)[0][..., k]
                scale = 1 + np.abs(expected).max()
                np.testing.assert_allclose(got, expected, atol=3e-6 * scale**3, err_msg=f"{names} {name} by coordinate {k}")
    assert checked > 40


def test_rates_are_the_sum_of_derivatives() -> None:
    a, b = abut.ellipsoid((0.3, 0.4, 0.5)), abut.sphere(0.4)
    contacts = abut.collide(a, None, b, (0.1, 0.2, 0.7))
    found = abut.derivatives(contacts, a, None, b, (0.1, 0.2, 0.7))
    motion = np.random.default_rng(3).normal(size=12)
    rates = abut.contact_rates(contacts, a, None, b, (0.1, 0.2, 0.7), linear_a=motion[:3], angular_a=motion[3:6], linear_b=motion[6:9], angular_b=motion[9:])
    np.testing.assert_allclose(rates.gap_rate, found.gap @ motion, atol=1e-13)
    np.testing.assert_allclose(rates.normal_rate, found.normal @ motion, atol=1e-12)
    np.testing.assert_allclose(rates.on_b_rate, found.on_b @ motion, atol=1e-12)


def test_a_gradient_descends() -> None:
    """A ball is moved until its gap to an ellipsoid is 0.25, by Newton's method along the gradient."""
    ball, egg = abut.sphere(0.3), abut.ellipsoid((1.0, 0.6, 0.4))
    pose = np.array([1.5, 0.9, 0.7, 0, 0, 0, 1.0])
    for _ in range(20):
        contact = abut.collide(ball, pose, egg, None, margin=10.0)
        gradient = abut.derivatives(contact, ball, pose, egg, None).gap[0, :3]
        pose[:3] -= (contact.gap[0] - 0.25) * gradient / (gradient @ gradient)
    assert abut.distance(ball, pose, egg, None).gap == pytest.approx(0.25, abs=1e-9)


def test_distance_derivatives_are_differences() -> None:
    """All convex shapes, a compound and a mesh against each other, apart and overlapping."""
    shapes, random, h = all_shapes(), np.random.default_rng(21), 1e-6
    names = [name for name in shapes if name not in ("plane", "torus", "facetmesh", "heightfield")]
    count = 400
    a, b = ([shapes[names[i]] for i in random.integers(len(names), size=count)] for _ in range(2))
    pose_a, pose_b = random_poses(random, count, 0.8), random_poses(random, count, 0.8)
    found, by = abut.distance_derivatives(a, pose_a, b, pose_b)
    assert found == abut.distance(a, pose_a, b, pose_b) and by.shape == (count, 12)
    single, one = abut.distance_derivatives(a[0], pose_a[0], b[0], pose_b[0])
    assert single == found[0] and (one == by[0]).all()
    fine = 0
    for k in range(12):
        gaps = []
        for way in (-h, h):
            at_a = np.array([moved(pose, k, way) for pose in pose_a]) if k < 6 else pose_a
            at_b = np.array([moved(pose, k - 6, way) for pose in pose_b]) if k >= 6 else pose_b
            gaps.append(abut.distance(a, at_a, b, at_b).gap)
        error = np.abs((gaps[1] - gaps[0]) / (2 * h) - by[:, k])
        fine += int((error < 1e-4).sum())
    assert fine > 0.985 * 12 * count  # the others have a kink: another pair of features is as deep


def test_growth_derivatives_are_differences() -> None:
    """Of 2,000 pairs of all convex shapes, apart and overlapping: Richardson's extrapolation of central differences."""
    shapes, random, h, count = list(convex_shapes().values()), np.random.default_rng(23), 1e-4, 2000
    settings = abut.Settings(contraction="centroid")
    a, b = (abut.shapes(shapes[i] for i in random.integers(len(shapes), size=count)) for _ in range(2))
    pose_a, pose_b = random_poses(random, count, 0.8), random_poses(random, count, 0.8)
    found, by = abut.growth_derivatives(a, pose_a, b, pose_b)
    assert found == abut.growth_distance(a, pose_a, b, pose_b, settings=settings) and by.shape == (count, 12) and 0.2 < (found.alpha < 1).mean() < 0.9
    single, one = abut.growth_derivatives(shapes[0], pose_a[0], shapes[2], (0.1, 0.2, 0.3))
    assert one.shape == (12,) and single.shape == () and abut.growth_derivatives(shapes[0], pose_a[:3], shapes[2], None)[1].shape == (3, 12)
    with pytest.raises(ValueError, match="centroid"):
        abut.growth_derivatives(a, pose_a, b, pose_b, settings=abut.Settings())
    fine = 0
    for k in range(12):
        alpha = {}
        for way in (-2 * h, -h, h, 2 * h):
            at_a = np.array([moved(pose, k, way) for pose in pose_a]) if k < 6 else pose_a
            at_b = np.array([moved(pose, k - 6, way) for pose in pose_b]) if k >= 6 else pose_b
            alpha[way] = abut.growth_distance(a, at_a, b, at_b, settings=settings).alpha
        expected = (8 * (alpha[h] - alpha[-h]) - (alpha[2 * h] - alpha[-2 * h])) / (12 * h)
        fine += int((np.abs(expected - by[:, k]) < 1e-6 * (1 + np.abs(by).max(axis=1))).sum())
    assert fine > 0.998 * 12 * count  # the others have a kink within the difference


def test_pose_gradient_is_a_difference() -> None:
    a, b = abut.ellipsoid((0.3, 0.4, 0.5)), abut.superquadric((0.3, 0.4, 0.5), 0.7, 1.2)
    pose_a, pose_b = random_poses(np.random.default_rng(3), 2, 1.0)
    by = abut.pose_gradient(abut.distance_derivatives(a, pose_a, b, pose_b)[1][:6], pose_a)
    for k in range(7):
        gaps = []
        for way in (-1e-6, 1e-6):
            pose = pose_a.copy()
            pose[k] += way
            pose[3:] /= np.linalg.norm(pose[3:])
            gaps.append(abut.distance(a, pose, b, pose_b).gap)
        assert by[k] == pytest.approx((gaps[1] - gaps[0]) / 2e-6, abs=1e-7)


def test_depth_gradient_is_a_difference() -> None:
    random, h, checked = np.random.default_rng(4), 1e-6, 0
    a, b = random.uniform(-1, 1, (200, 4, 3)), random.uniform(-1, 1, (200, 4, 3))
    settings = abut.DepthSettings(mode="exact44", weight_a=2.0)
    depths = abut.depth(a, b, settings)
    by_a, by_b = abut.depth_gradient(depths, a, b, settings)
    for vertex in range(4):
        for axis in range(3):
            for given, gradient in ((a, by_a), (b, by_b)):
                both = []
                for way in (-h, h):
                    given[:, vertex, axis] += way
                    both.append(abut.depth(a, b, settings))
                    given[:, vertex, axis] -= way
                same = (both[0].direction == both[1].direction) & (depths.relation == 3) & (both[0].relation == 3) & (both[1].relation == 3)
                same &= (both[0].to_structured()["feature_a"] == both[1].to_structured()["feature_a"]) & (both[0].to_structured()["feature_b"] == both[1].to_structured()["feature_b"])
                expected = (both[1].depth - both[0].depth) / (2 * h)
                fine = np.abs(gradient[:, vertex, axis] - expected) < 1e-5
                checked += int(same.sum())
                assert (fine | ~same).mean() > 0.99  # a vertex at the border of two cases has a kink
    assert checked > 500
