"""Worlds: closed forms, the same bits for any number of threads, saved states, joints, events, queries, and many worlds at once."""

from __future__ import annotations

import numpy as np
import pytest

import abut
from common import random_poses

DT = 1 / 240


def pile(threads: int = 0, **settings: object) -> abut.World:
    world = abut.World(events="all", threads=threads, **settings)  # type: ignore[arg-type]
    world.add_body(abut.plane(), kind="static", friction=0.6)
    world.add_bodies(abut.box((0.2, 0.2, 0.2)), random_poses(np.random.default_rng(1), 30, 1.0) + np.array([0, 0, 2, 0, 0, 0, 0]), friction=0.4, user=7)
    return world


def test_a_ball_falls_and_bounces() -> None:
    world = abut.World(gravity=(0, 0, -10))
    world.add_body(abut.plane(), kind="static", restitution=0.5)
    ball = world.add_body(abut.sphere(0.1), (0, 0, 1), restitution=0.5, mass=2.0)
    report = world.step(DT, 60)
    assert report.time == pytest.approx(0.25) and report.step == 60
    assert world.state(ball).motion[2] == pytest.approx(-2.5)
    speeds = []
    for _ in range(120):
        world.step(DT)
        speeds.append(float(world.state(ball).motion[2]))
    assert max(speeds) == pytest.approx(0.5 * np.sqrt(2 * 10 * 0.9), rel=0.02)


def test_bits_are_those_of_any_number_of_threads() -> None:
    worlds = [pile(threads) for threads in (1, 2, 3)]
    for world in worlds:
        world.step(1 / 60, 60)
    assert len({world.hash() for world in worlds}) == 1


def test_bodies_are_arrays() -> None:
    world = pile()
    ids = world.ids
    assert ids.shape == (31,) and world.poses.shape == (31, 7) and world.velocities.shape == (31, 6)
    some = ids[[3, 5]]
    world.set_velocity(some, [[1, 2, 3], [4, 5, 6]], (0, 0, 1))
    assert world.state(some).motion.tolist() == [[1, 2, 3, 0, 0, 1], [4, 5, 6, 0, 0, 1]]
    world.set_pose(some, [[9, 9, 9, 0, 0, 0, 1], [8, 8, 8, 0, 0, 0, 1]])
    assert world.state(int(some[0])).pose.tolist() == [9, 9, 9, 0, 0, 0, 1]
    world.remove(some)
    assert len(world.ids) == 29
    with pytest.raises(KeyError, match="."):
        world.state(some)
    with pytest.raises(ValueError, match="rows"):
        world.set_velocity(ids[:1], [[1, 2, 3], [4, 5, 6]])
    with pytest.raises(TypeError, match="friction"):
        world.add_body(abut.sphere(1), frction=1.0)
    with pytest.raises(TypeError, match="effort"):
        abut.World(effrt=1)
    with pytest.raises(TypeError, match="friction cannot be 'high'"):
        world.add_body(abut.sphere(1), friction="high")
    with pytest.raises(TypeError, match="user cannot be -1"):
        world.add_body(abut.sphere(1), user=-1)
    with pytest.raises(TypeError, match="effort cannot be 1.5"):
        abut.World(effort=1.5)
    for wrong, said in ((1.5, "integers"), (-1, "-1 is none"), ("a", "integers"), ([True], "integers")):
        with pytest.raises(ValueError, match=said):
            world.state(wrong)  # type: ignore[arg-type]
    assert len(world.state([])) == 0
    with pytest.raises(ValueError, match="dynamic, static, kinematic"):
        world.add_body(abut.sphere(1), kind="fixed")
    count = len(world.ids)
    with pytest.raises(ValueError):
        world.add_bodies(abut.sphere(1), [[0, 0, 0, 0, 0, 0, 1], [0, 0, 0, 0, 0, 0, 9]])
    assert len(world.ids) == count


def test_forces_and_impulses() -> None:
    world = abut.World(gravity=(0, 0, 0))
    body = world.add_body(abut.box((0.5, 0.5, 0.5)), mass=2.0)
    world.apply_force(body, (4, 0, 0), (0, 0, 0))
    world.step(0.5)
    np.testing.assert_allclose(world.state(body).motion[:3], (1, 0, 0))
    at = world.state(body).centre
    world.apply_impulse(body, (-2, 0, 0), at)
    np.testing.assert_allclose(world.state(body).motion, 0, atol=1e-15)
    world.apply_torque(body, (0, 0, 1))
    world.step(0.1)
    np.testing.assert_allclose(world.state(body).motion[5], 0.1 / (2 / 6), rtol=1e-9)
    world.set_gravity((0, 0, -1))
    world.step(1.0)
    assert world.state(body).motion[2] == pytest.approx(-1)


def test_properties_of_bodies() -> None:
    world = abut.World(gravity=(0, 0, -10), sleeping=False)
    ids = world.add_bodies(abut.box((0.5, 0.5, 0.5)), [[3.0 * i, 0, 0, 0, 0, 0, 1] for i in range(3)], mass=2.0, user=5)
    floor = world.add_body(abut.plane(offset=-9), kind="static", friction=0.7)
    world.set_mass(ids, [1.0, 2.0, 3.0])
    world.set_friction(ids, 0.25)
    world.set_restitution(ids[:2], [0.5, 1.0])
    world.set_damping(ids, 0.1, [0.2, 0.3, 0.4])
    world.set_gravity_scale(ids, [1.0, 0.0, -1.0])
    world.set_filter(ids[1], category=2, mask=4, group=-3)
    info = world.info(ids)
    assert info.mass.tolist() == [1, 2, 3] and info.friction.tolist() == [0.25] * 3 and info.restitution.tolist() == [0.5, 1, 0]
    assert info.angular_damping.tolist() == [0.2, 0.3, 0.4] and info.gravity_scale.tolist() == [1, 0, -1] and info.user.tolist() == [5] * 3
    assert (info.category[1], info.mask[1], info.group[1]) == (2, 4, -3) and info.mask[0] == abut.ALL_BODIES
    np.testing.assert_allclose(info.inertia[2], 0.5 * np.eye(3), atol=1e-15)
    assert int(world.info(floor).kind) == 1 and float(world.info(floor).friction) == 0.7 and info.to_structured()["contact_angle"].shape == (3,)
    world.step(0.1)
    fallen = (1 - np.exp(-0.01)) / 0.01
    np.testing.assert_allclose(world.state(ids).motion[:, 2], [-fallen, 0, fallen], rtol=2e-3)
    world.apply_angular_impulse(ids[0], (0, 0, 1))
    assert world.state(ids[0]).motion[5] == pytest.approx(6.0)
    world.set_shape(ids[0], abut.box((1.0, 1.0, 1.0)))
    np.testing.assert_allclose(world.info(ids[0]).inertia, 2 / 3 * np.eye(3), atol=1e-15)
    world.sleep(ids)
    assert not world.state(ids).awake.any()
    world.wake(ids[1:])
    assert world.state(ids).awake.tolist() == [False, True, True]
    world.exclude_pair(int(ids[0]), int(ids[1]))
    assert world.is_pair_excluded(int(ids[1]), int(ids[0])) and not world.is_pair_excluded(int(ids[1]), int(ids[2]))
    with pytest.raises(ValueError, match="rows"):
        world.set_mass(ids, [1.0, 2.0])
    with pytest.raises(ValueError, match="mass"):
        world.set_mass(ids, -1.0)
    with pytest.raises(ValueError, match="number of shapes"):
        world.set_shape(ids, [abut.box((1, 1, 1))] * 2)
    with pytest.raises(ValueError, match="shape"):
        world.set_shape(ids[0], abut.sphere(1.0))
    with pytest.raises(abut.Error):
        abut.World(stepper="dem").sleep(world.ids)


def test_parts_have_surfaces_of_their_own() -> None:
    """A box slides on the smooth half of a floor and stays on the rough one."""
    world, tile = abut.World(), abut.box((5, 5, 0.5))
    floor = abut.compound([tile, tile], [[0, -5, -0.5, 0, 0, 0, 1], [0, 5, -0.5, 0, 0, 0, 1]])
    surfaces = [{"friction": 0.0}, {"friction": 1.0, "restitution": 0.0}]
    world.add_body(floor, kind="static", surfaces=surfaces)
    boxes = world.add_bodies(abut.box((0.2, 0.2, 0.2)), [[0, -5, 0.2, 0, 0, 0, 1], [0, 5, 0.2, 0, 0, 0, 1]], velocity=(1, 0, 0), friction=1.0)
    world.step(1 / 120, 120)
    np.testing.assert_allclose(world.state(boxes).motion[:, 0], (1, 0), atol=1e-6)
    with pytest.raises(ValueError, match="surface"):
        world.add_body(floor, kind="static", surfaces=surfaces[:1])
    with pytest.raises(TypeError, match="spinning_friction"):
        world.add_body(floor, kind="static", surfaces=[{"frction": 0.0}] * 2)
    with pytest.raises(TypeError, match="surfaces cannot be 3"):
        world.add_body(floor, kind="static", surfaces=3)


def test_a_state_is_saved_and_restored() -> None:
    world, other = pile(), pile()
    world.step(1 / 60, 30)
    saved = world.save()
    world.step(1 / 60, 30)
    other.restore(saved)
    other.step(1 / 60, 30)
    assert other.hash() == world.hash() and other.contacts() == world.contacts()
    with pytest.raises(abut.Error) as caught:
        abut.World().restore(saved)
    assert caught.value.status == abut.Status.FOREIGN
    with pytest.raises(ValueError):
        other.restore(saved[:-1])
    assert other.hash() == world.hash()


def test_contacts_bear_the_weight() -> None:
    world = abut.World()
    world.add_body(abut.plane(), kind="static")
    world.add_body(abut.box((0.5, 0.5, 0.5)), (0, 0, 0.5), mass=3.0)
    world.step(1 / 60, 20)
    contacts = world.contacts()
    assert len(contacts) == 4 and contacts.normal_force.sum() == pytest.approx(3 * 9.81, rel=1e-6)
    assert np.abs(contacts.gap).max() < 1e-3 and np.abs(np.abs(contacts.normal[:, 2]) - 1).max() < 1e-12


def test_belts_and_excluded_pairs() -> None:
    world = abut.World(gravity=(0, 0, -10), sleeping=False)
    belt = world.add_body(abut.box((5, 1, 0.1)), (0, 0, -0.1), kind="static", friction=0.5, surface_velocity=[1, 0, 0, 0, 0, 0])
    box = world.add_body(abut.box((0.1, 0.1, 0.1)), (0, 0, 0.1), friction=0.5)
    world.step(DT, 24)
    assert world.state(box).motion[0] == pytest.approx(0.5, rel=1e-6)  # 0.1 s at 5 m/s^2
    world.step(DT, 60)
    assert world.state(box).motion[0] == pytest.approx(1.0, rel=1e-9)
    world.set_surface_velocity(belt, (0, 0, 0))
    world.step(DT, 120)
    assert abs(world.state(box).motion[0]) < 1e-9
    world.exclude_pair(belt, box)
    world.step(DT, 24)
    assert world.state(box).motion[2] == pytest.approx(-1.0)
    world.include_pair(box, belt)
    with pytest.raises(ValueError, match="one body"):
        world.exclude_pair(box, box)
    with pytest.raises(ValueError, match="six numbers"):
        world.add_body(abut.sphere(1), surface_velocity=[1, 0, 0])


def test_pairs_of_substances() -> None:
    """A box slides with the friction of its pair, and of both bodies where the table has none."""
    for floor, friction in ((2, 0.05), (3, 0.3)):
        world = abut.World(pairs=[{"a": 1, "b": 2, "friction": 0.05}])
        world.add_body(abut.plane(), kind="static", friction=0.36, substance=floor)
        box = world.add_body(abut.box((0.2, 0.2, 0.05)), (0, 0, 0.05), velocity=(4, 0, 0), friction=0.25, substance=1)
        world.step(1e-3, 100)
        assert world.state(box).motion[0] == pytest.approx(4 - 0.1 * 9.81 * friction, abs=5e-3)
    with pytest.raises(ValueError, match="twice"):
        abut.World(pairs=[{"a": 1, "b": 2}, {"a": 2, "b": 1}])


def test_bonds() -> None:
    """A ball hangs on a bond and breaks off under a larger load; two wet balls stick together."""
    world = abut.World(stepper="dem", gravity=(0, 0, -10))
    world.add_body(abut.sphere(0.1), kind="static")
    ball = world.add_body(abut.sphere(0.1), (0, 0, -0.201), mass=2)
    assert world.bond_near(1e-4, 1e8) == 0
    assert world.bond_near(2e-3, 1e8, bodies=[ball]) == 0
    assert world.bond_near(2e-3, 1e8, tensile_strength=1e4, damping_ratio=0.7) == 1
    world.step(1e-3, 500)
    bond = world.bond_ids()[0]
    state = world.bond_state(bond)
    assert not state.broken and state.force[2] == pytest.approx(-20, rel=1e-3)
    assert state.tension == pytest.approx(20 / (np.pi * 0.01), rel=1e-3)
    world.apply_force(ball, (0, 0, -600), (0, 0, -0.2))
    world.step(1e-2)
    assert world.bond_state(world.bond_ids()).broken[0]
    world.remove_bond(bond)
    assert len(world.bond_ids()) == 0
    world.add_bond(int(world.ids[0]), ball, (0, 0, -0.1), (0, 0, 1), 0.2, 0.05, 1e8, stiffness_ratio=1)
    with pytest.raises(ValueError, match="young"):
        world.bond_near(1e-3, -1.0)
    assert not world.bond_state(world.bond_ids()).broken[0]


def test_bridges() -> None:
    """Two wet balls that meet slowly stay together."""
    world = abut.World(stepper="dem", gravity=(0, 0, 0))
    wet = {"liquid_volume": 1e-12, "surface_tension": 0.07, "contact_angle": 0.2, "restitution": 0.9}
    world.add_body(abut.sphere(1e-3), velocity=(0.01, 0, 0), **wet)
    world.add_body(abut.sphere(1e-3), (2.001e-3, 0, 0), **wet)
    world.step(1e-4, 100)
    assert world.report().contacts == 1


def test_events() -> None:
    world = abut.World(events=("touch_begin", "touch_end", "hit", "sensor_begin"))
    world.add_body(abut.plane(), kind="static")
    ball = world.add_body(abut.sphere(0.1), (0, 0, 2))
    world.add_body(abut.box((1, 1, 0.1)), (0, 0, 1), kind="static", sensor=True)
    seen: list[int] = []
    for _ in range(120):
        world.step(1 / 120)
        events = world.events()
        seen += events.kind.tolist()
        for hit in events.only("hit"):
            assert hit.speed == pytest.approx(np.sqrt(2 * 9.81 * 1.9), rel=0.02) and ball in (int(hit.a), int(hit.b))
    assert [kind for kind in seen if kind != abut.EVENTS["touch_end"]][:3] == [abut.EVENTS[k] for k in ("sensor_begin", "touch_begin", "hit")]
    bits = 0
    for bit in abut.EVENTS.values():
        bits |= bit
    assert bits == 511 and len(abut.EVENTS) == 9
    with pytest.raises(ValueError, match="there is no event"):
        abut.World(events=("bang",))
    with pytest.raises(ValueError, match="there is no event"):
        world.events().only("bang")


def test_joints() -> None:
    world = abut.World(gravity=(0, 0, -10), exact=True)
    anchor = world.add_body(abut.sphere(0.1), kind="static")
    length, angle = 1.0, 0.1
    bob = world.add_body(abut.sphere(0.01), (length * np.sin(angle), 0, -length * np.cos(angle)), mass=1.0)
    joint = world.add_joint("revolute", anchor, bob, frame_a=[0, 0, 0, np.sqrt(0.5), 0, 0, np.sqrt(0.5)],
                            frame_b=[-length * np.sin(angle), 0, length * np.cos(angle), np.sqrt(0.5), 0, 0, np.sqrt(0.5)])
    quarter = 2 * np.pi * np.sqrt(length / 10) * (1 + angle**2 / 16) / 4
    steps = round(quarter / DT)
    world.step(quarter / steps, steps)
    assert world.state(bob).centre[0] == pytest.approx(0, abs=2e-3) and world.joint_state(joint).error < 1e-6
    assert np.linalg.norm(world.joint_state(joint).force) == pytest.approx(10 * (3 - 2 * np.cos(angle)), rel=0.02)
    with pytest.raises(ValueError, match="weld, spherical"):
        world.add_joint("hinge", anchor, bob)
    breaking = abut.World(events=("joint_broken",))
    ends = [breaking.add_body(abut.sphere(0.1), kind="static"), breaking.add_body(abut.sphere(0.1), (0, 0, -1), mass=1.0)]
    weak = breaking.add_joint("weld", *ends, frame_b=(0, 0, 1), break_force=1.0)
    breaking.step(1 / 60)
    assert breaking.events().joint.tolist() == [weak] and breaking.joint_state(weak).broken
    world.remove_joint(joint)
    with pytest.raises(KeyError):
        world.joint_state(joint)
    motor = world.add_joint("prismatic", anchor, bob, frame_b=(0, 0, 0), motor="speed", target=0.5, collide=False)
    world.set_motor(motor, "off")
    spring = world.add_spring(bob, (0, 0, 0), (0, 0, 1), frequency=2.0)
    world.set_spring_target(spring, (0, 0, 2))
    world.remove_spring(spring)


def test_queries() -> None:
    world = abut.World()
    boxes = world.add_bodies(abut.box((0.5, 0.5, 0.5)), [[2.0 * i, 0, 0, 0, 0, 0, 1] for i in range(5)], kind="static", category=2)
    first = world.ray_cast((-5, 0, 0), (20, 0, 0))
    assert first.hit and int(first.body) == int(boxes[0]) and first.point[0] == pytest.approx(-0.5)
    assert world.ray_cast_all((-5, 0, 0), (20, 0, 0)).body.tolist() == boxes.tolist()
    assert not world.ray_cast((-5, 0, 0), (20, 0, 0), mask=1).hit
    many = world.ray_cast([[2.0 * i, 0, 5] for i in range(5)], (0, 0, -10))
    assert many.body.tolist() == boxes.tolist() and many.hit.all()
    cast = world.shape_cast(abut.sphere(0.5), (-5, 0, 0), linear=(20, 0, 0))
    assert cast.point[0] == pytest.approx(-0.5, abs=1e-5)
    assert world.overlap_box((-1, -1, -1), (1, 1, 1)).tolist() == [boxes[0]]
    assert world.overlap(abut.sphere(1.6), (1, 0, 0)).tolist() == boxes[:2].tolist()
    body, gap = world.closest(abut.sphere(0.1), (4, 0, 3))
    assert body == boxes[2] and gap.gap == pytest.approx(2.4)
    assert world.closest(None, (4, 0, 3))[1].gap == pytest.approx(2.5) and world.closest(None, (4, 0, 3), farthest=1.0)[0] == 0


def test_many_worlds_are_stepped_at_once() -> None:
    alone, together = [pile() for _ in range(4)], abut.Worlds(pile() for _ in range(4))
    for i, world in enumerate(alone):
        for one in (world, together[i]):
            one.set_velocity(one.ids[1:], (0.1 * i, 0, 0))
        world.step(1 / 60, 30)
    reports = together.step(1 / 60, 30)
    assert [together[i].hash() for i in range(len(together))] == [world.hash() for world in alone]
    assert len({world.hash() for world in alone}) == 4 and reports[3].step == 30 and together.poses.shape == (4, 31, 7)
    with pytest.raises(ValueError, match="twice"):
        abut.Worlds([alone[0], alone[0]]).step(1 / 60)


def test_settings_of_steppers() -> None:
    abut.World(stepper="event", event_resting_speed=1e-4, event_restitution_speed=1e-2, event_drift_rate=10.0)
    abut.World(stepper="dem", dem_mode="point")
    with pytest.raises(ValueError, match="area, point"):
        abut.World(stepper="dem", dem_mode="line")
    with pytest.raises(ValueError, match="drift_rate"):
        abut.World(stepper="event", event_drift_rate=-1.0)


@pytest.mark.parametrize("stepper", ["event", "dem"])
def test_other_steppers(stepper: str) -> None:
    world = abut.World(stepper=stepper)
    world.add_body(abut.plane(), kind="static")
    world.add_body(abut.sphere(0.1), (0, 0, 0.5), young=1e6)
    world.step(1 / 60, 10)
    assert world.velocities[1, 2] == pytest.approx(-9.81 / 6, rel=1e-6)
    pair = list(map(int, world.ids))
    if stepper == "dem":
        with pytest.raises(abut.Error):
            world.add_joint("weld", *pair)
        return
    with pytest.raises(abut.Error):
        world.add_joint("revolute", *pair, motor="speed", target=1.0)
    world.add_joint("weld", *pair, frame_a=world.poses[1])
    world.step(1 / 60, 10)
    assert np.abs(world.velocities[1]).max() < 1e-9
