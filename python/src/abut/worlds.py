"""Worlds: bodies that move. Bodies are ids of 64 bits in arrays; a world of the library in ``include/abut/world.h`` explains every setting."""

from __future__ import annotations

from typing import Any, Iterable, Mapping, Sequence, Union

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _arrays, _core
from ._arrays import Floats
from ._core import Shape
from ._records import Column, Features, Records, Separations, _Sides, view
from .pairs import Settings, _side
from .shapes import ShapeLike

Ids = NDArray[np.uint64]
IdLike = Union[int, np.uint64, Ids, Sequence[int]]

ALL_BODIES = 2**64 - 1
EVENTS = {"touch_begin": 1, "touch_persist": 2, "touch_end": 4, "hit": 8, "sensor_begin": 16, "sensor_end": 32, "sleep": 64, "wake": 128,
          "joint_broken": 256}
"""Kinds of events by their names."""


def _numbers(values: ArrayLike) -> Floats:
    return _arrays.floats(values).reshape(-1)


class BodyStates(Records):
    """Poses and motions of bodies."""

    __slots__ = ()
    pose = Column[np.float64]("Pose of the shape's frame: x, y, z, qx, qy, qz, qw.")
    centre = Column[np.float64]("Centre of mass.")
    motion = Column[np.float64]("Velocity of the centre of mass, then angular velocity.")
    awake = Column[np.bool_]("False for sleeping and for static bodies.")


class Report(Records):
    """The state of a world after a step, and the work of the step."""

    __slots__ = ()
    step = Column[np.int64]("Steps so far.")
    time = Column[np.float64]("Simulated time so far.")
    bodies = Column[np.int32]("Number of bodies.")
    awake = Column[np.int32]("Number of dynamic bodies that are awake.")
    touching = Column[np.int32]("Number of pairs with a contact.")
    contacts = Column[np.int32]("Number of contacts.")
    max_penetration = Column[np.float64]("Largest depth of a contact.")
    kinetic_energy = Column[np.float64]("Kinetic energy of all dynamic bodies.")
    potential_energy = Column[np.float64]("Potential energy of gravity.")
    spring_energy = Column[np.float64]("Elastic energy of the springs.")
    sunk = Column[np.int32]("Bodies with a contact deeper than half of their inner radius.")
    engulfed = Column[np.int32]("Sunk bodies that another one has taken in.")
    left = Column[np.int32]("Bodies that went through a static or kinematic one in this step.")
    seconds_total = Column[np.float64]("Wall time of the step.")
    steps = Column[np.int64]("Integration steps of the dem stepper in this step; it alone sets this and the next five fields.")
    elastic_energy = Column[np.float64]("Elastic energy of the contacts.")
    inner_energy = Column[np.float64]("Elastic energy of friction and rolling, of bonds and of elastic cells.")
    damping_work = Column[np.float64]("Energy that damping took in this step.")
    friction_work = Column[np.float64]("Energy that friction and rolling took in this step.")
    residual = Column[np.float64]("Largest net force of a body over its weight; without gravity the largest net force.")


class BodyInfos(Records):
    """Properties of bodies, by the names of the options of ``World.add_body``."""

    __slots__ = ()
    kind = Column[np.int32]("0 dynamic, 1 static, 2 kinematic.")
    mass = Column[np.float64]("0 for static and kinematic bodies.")
    centre = Column[np.float64]("Centre of mass, shape frame.")
    inertia = Column[np.float64]("Inertia tensor about the centre of mass, shape frame.")
    friction = Column[np.float64]("Coefficient of friction.")
    restitution = Column[np.float64]("Coefficient of restitution.")
    young = Column[np.float64]("Young's modulus.")
    poisson = Column[np.float64]("Poisson's ratio.")
    linear_damping = Column[np.float64]("Rate at which the velocity decays.")
    angular_damping = Column[np.float64]("Rate at which the angular velocity decays.")
    gravity_scale = Column[np.float64]("Factor of the world's gravity.")
    category = Column[np.uint64]("What the body is, as bits.")
    mask = Column[np.uint64]("Categories that it can touch, as bits.")
    group = Column[np.int32]("Group of the filter.")
    substance = Column[np.int32]("What it is made of, for the pairs of the world.")
    sensor = Column[np.bool_]("Whether it is a sensor.")
    user = Column[np.uint64]("The caller's number.")


class CellStates(Records):
    """States of elastic cells."""

    __slots__ = ()
    nodes = Column[np.int32]("Number of vertices of the shape.")
    volume = Column[np.float64]("Volume within the triangles.")
    pressure = Column[np.float64]("Inside minus outside.")
    tension = Column[np.float64]("Mean tension of the surface, force by length.")
    spring_energy = Column[np.float64]("Elastic energy of the springs and of the pressure.")
    kinetic_energy = Column[np.float64]("Of the nodes against each other, beside the motion as a rigid body.")


class CellNodes(Records):
    """Nodes of an elastic cell, in the order of the vertices of its shape; world frame."""

    __slots__ = ()
    mass = Column[np.float64]("0 for a vertex without triangles, and for further vertices at the same place.")
    position = Column[np.float64]("Position.")
    velocity = Column[np.float64]("Velocity.")


class _Touching(Records):
    __slots__ = ()
    a = Column[np.uint64]("Body A.")
    b = Column[np.uint64]("Body B.")
    user_a = Column[np.uint64]("The caller's number of body A.")
    user_b = Column[np.uint64]("The caller's number of body B.")

    def _contact(self, field: str) -> NDArray[Any]:
        return self._raw["contact"][field][()]

    @property
    def on_a(self) -> Floats:
        """Points on A, world frame."""
        return self._contact("on_a")

    @property
    def on_b(self) -> Floats:
        """Points on B, world frame."""
        return self._contact("on_b")

    @property
    def normal(self) -> Floats:
        """Unit, from B into A."""
        return self._contact("normal")

    @property
    def gap(self) -> Floats:
        """Negative when penetrating."""
        return self._contact("gap")


class WorldContacts(_Touching):
    """Contacts of the last step with their forces."""

    __slots__ = ()
    normal_force = Column[np.float64]("Mean normal force over the step, on A along the normal.")
    friction_force = Column[np.float64]("Mean friction force over the step, on A.")


class Events(_Touching):
    """Events of the last step."""

    __slots__ = ()
    kind = Column[np.int32]("One bit: see EVENTS.")
    impulse = Column[np.float64]("Sum of the normal impulses of a pair that touches.")
    speed = Column[np.float64]("Speed of approach of a hit.")
    joint = Column[np.uint64]("The joint that broke; else 0.")

    def only(self, kind: str) -> Events:
        """The events of one kind, by its name in EVENTS."""
        if kind not in EVENTS:
            raise ValueError(f"there is no event {kind!r}; there are: {', '.join(EVENTS)}")
        return self[self._raw["kind"] == EVENTS[kind]]


class JointStates(Records):
    """States of joints."""

    __slots__ = ()
    broken = Column[np.bool_]("It broke and holds nothing any more.")
    coordinate = Column[np.float64]("Angle, way or distance.")
    spin = Column[np.float64]("Angle of a wheel about its axis.")
    error = Column[np.float64]("Distance of the origins as far as the joint forbids it.")
    turn_error = Column[np.float64]("The same for angles.")
    force = Column[np.float64]("Mean force of the last step on body b.")
    torque = Column[np.float64]("Mean torque of the last step on body b about the origin of its frame.")


class BondStates(Records):
    """States of bonds."""

    __slots__ = ()
    a = Column[np.uint64]("Body A.")
    b = Column[np.uint64]("Body B.")
    broken = Column[np.bool_]("It broke and holds nothing any more; the other numbers are those at which it broke.")
    force = Column[np.float64]("Force on body a in the last step.")
    moment = Column[np.float64]("Moment on body a about the middle of the bond.")
    tension = Column[np.float64]("Largest tension.")
    shear = Column[np.float64]("Largest shear.")


class WorldHits(Records):
    """What rays or moving shapes hit in a world."""

    __slots__ = ()
    body = Column[np.uint64]("The body; 0 when nothing was hit.")
    user = Column[np.uint64]("The caller's number of the body.")

    def _of(self, field: str) -> NDArray[Any]:
        return self._raw["hit"][field][()]

    @property
    def hit(self) -> NDArray[np.bool_]:
        """False: nothing was hit."""
        return self._of("hit")

    @property
    def fraction(self) -> Floats:
        """Fraction of the way; 1 when nothing was hit."""
        return self._of("fraction")

    @property
    def point(self) -> Floats:
        """Point of the hit, world frame."""
        return self._of("point")

    @property
    def normal(self) -> Floats:
        """Unit, out of the body that was hit."""
        return self._of("normal")


class World:
    """Bodies that move by forces and contacts.

    ``stepper``: "fixed" (impulses, for games, robots and piles), "event" (exact forces and times of collision) or "dem" (granular matter).
    ``exact=True``: the fixed stepper's exact solver. ``events``: names of the kinds to list, or "all". Other settings by their names in
    ``abut_fixed_settings``: effort, substeps, iterations, contact_frequency, contact_damping, max_push_speed, restitution_speed, margin, contacts_per_patch,
    sleeping, sleep_speed, sleep_time; of the event stepper event_tolerance, event_touching, event_longest_step, event_limit, impulses,
    event_friction, event_resting_speed, event_restitution_speed, event_drift_rate; of the dem stepper dem_step, dem_step_share, dem_skin, dem_mode ("area" or
    "point"); and hit_speed. ``pairs``: what pairs of substances do to each other, such as
    ``{"a": 1, "b": 2, "friction": 0.1}``; the other keys are restitution, rolling_friction, spinning_friction, rolling_resistance and twisting_resistance.
    """

    def __init__(self, *, gravity: ArrayLike = (0.0, 0.0, -9.81), stepper: str = "fixed", events: Iterable[str] | str = (), threads: int = 0,
                 collide: Settings | None = None, pairs: Iterable[Mapping[str, float]] = (), **settings: Any) -> None:
        if isinstance(events, str):
            events = EVENTS if events == "all" else (events,)
        unknown = [name for name in events if name not in EVENTS]
        if unknown:
            raise ValueError(f"there is no event {unknown[0]!r}; there are: {', '.join(EVENTS)}")
        options = {"gravity": list(map(float, np.asarray(gravity))), "stepper": stepper, "events": sum({EVENTS[name] for name in events}), **settings}
        self._world = _core.world(options, threads, collide, [dict(pair) for pair in pairs])

    # ---- bodies
    def add_body(self, shape: Shape, pose: ArrayLike | None = None, *, velocity: ArrayLike | None = None, angular_velocity: ArrayLike | None = None,
                 kind: str = "dynamic", **options: Any) -> int:
        """Add one body and return its id.

        Options: density, mass, friction, restitution, rolling_friction, spinning_friction, rolling_resistance, twisting_resistance, substance,
        surface_velocity (linear and angular, six numbers, shape frame), young, poisson, adhesion_work, adhesion_strength, contact_stiffness, liquid_volume, surface_tension,
        contact_angle, linear_damping, angular_damping, continuous, sensor, gravity_scale, category, mask, group, user; and surfaces, a list with one mapping for each part of a compound or
        each triangle of a mesh: friction, restitution, rolling_friction, spinning_friction, substance.
        """
        return int(self.add_bodies(shape, pose, velocity=velocity, angular_velocity=angular_velocity, kind=kind, **options)[0])

    def add_bodies(self, shape: ShapeLike, poses: ArrayLike | None = None, *, velocity: ArrayLike | None = None, angular_velocity: ArrayLike | None = None,
                   kind: str = "dynamic", **options: Any) -> Ids:
        """Add a body for each pose (n, 7) or (n, 4, 4), with one shape for all or one for each; the options are those of all. Returns ids (n,). After an error no
        body is added."""
        found: Ids = self._world.add_bodies(_side(shape)[0], _arrays.poses(poses, "poses")[0], _arrays.motions(velocity, angular_velocity, "velocity")[0],
                                            {"kind": kind, **options})
        return found

    def remove(self, bodies: IdLike) -> None:
        """Remove bodies, with their contacts, springs and joints."""
        self._world.remove_bodies(_arrays.ids(bodies))

    @property
    def ids(self) -> Ids:
        """Ids of all bodies (n,), in the order of all other arrays of bodies."""
        found: Ids = self._world.ids()
        return found

    @property
    def states(self) -> BodyStates:
        """States of all bodies."""
        return BodyStates(view(self._world.states(), "body_state"))

    def state(self, bodies: IdLike) -> BodyStates:
        """States of these bodies; of a single id one state."""
        return BodyStates(view(self._world.states_of(_arrays.ids(bodies)), "body_state", np.ndim(bodies) == 0))

    @property
    def poses(self) -> Floats:
        """Poses of all bodies (n, 7)."""
        return self.states.pose

    @property
    def velocities(self) -> Floats:
        """Linear and angular velocities of all bodies (n, 6)."""
        return self.states.motion

    def set_pose(self, bodies: IdLike, pose: ArrayLike) -> None:
        """Place bodies: one pose for all or one for each."""
        self._world.set_poses(_arrays.ids(bodies), _arrays.poses(pose, "pose")[0])

    def set_velocity(self, bodies: IdLike, velocity: ArrayLike | None = None, angular_velocity: ArrayLike | None = None) -> None:
        """Set velocities: one for all bodies or one for each; what is not given becomes 0."""
        self._world.set_motions(_arrays.ids(bodies), _arrays.motions(velocity, angular_velocity, "velocity")[0])

    def apply_force(self, bodies: IdLike, force: ArrayLike, point: ArrayLike) -> None:
        """A force at a point of the world during the next step."""
        self._world.apply_forces(_arrays.ids(bodies), _arrays.vectors(force, "force")[0], _arrays.vectors(point, "point")[0])

    def apply_torque(self, bodies: IdLike, torque: ArrayLike) -> None:
        """A torque during the next step."""
        self._world.apply_torques(_arrays.ids(bodies), _arrays.vectors(torque, "torque")[0])

    def apply_impulse(self, bodies: IdLike, impulse: ArrayLike, point: ArrayLike) -> None:
        """Change the velocities of dynamic bodies at once."""
        self._world.apply_impulses(_arrays.ids(bodies), _arrays.vectors(impulse, "impulse")[0], _arrays.vectors(point, "point")[0])

    def set_gravity(self, gravity: ArrayLike) -> None:
        """Set the gravity of the world."""
        self._world.set_gravity(_arrays.vector(gravity, "gravity"))

    def set_surface_velocity(self, bodies: IdLike, linear: ArrayLike | None = None, angular: ArrayLike | None = None) -> None:
        """Set the motion of bodies' surfaces along themselves, as of belts; shape frame."""
        self._world.set_surface_velocity(_arrays.ids(bodies), _arrays.motions(linear, angular, "linear")[0])

    def set_mass(self, bodies: IdLike, mass: ArrayLike) -> None:
        """Give dynamic bodies other masses: one for all or one for each, here and below. Inertias are scaled with them."""
        self._world.set_masses(_arrays.ids(bodies), _numbers(mass))

    def set_friction(self, bodies: IdLike, friction: ArrayLike) -> None:
        """Set coefficients of friction."""
        self._world.set_frictions(_arrays.ids(bodies), _numbers(friction))

    def set_restitution(self, bodies: IdLike, restitution: ArrayLike) -> None:
        """Set coefficients of restitution."""
        self._world.set_restitutions(_arrays.ids(bodies), _numbers(restitution))

    def set_gravity_scale(self, bodies: IdLike, scale: ArrayLike) -> None:
        """Set the factors that multiply the world's gravity."""
        self._world.set_gravity_scales(_arrays.ids(bodies), _numbers(scale))

    def set_damping(self, bodies: IdLike, linear: ArrayLike, angular: ArrayLike) -> None:
        """Set the rates at which velocities and angular velocities decay."""
        self._world.set_damping(_arrays.ids(bodies), _numbers(linear), _numbers(angular))

    def set_filter(self, bodies: IdLike, *, category: int = 1, mask: int = ALL_BODIES, group: int = 0) -> None:
        """Set which other bodies these can touch; what is not given becomes the default."""
        self._world.set_filter(_arrays.ids(bodies), category, mask, group)

    def set_shape(self, bodies: IdLike, shape: ShapeLike) -> None:
        """Replace the shapes of bodies that deform, by shapes of the same kinds. Masses, poses and motions stay."""
        self._world.set_shapes(_arrays.ids(bodies), _side(shape)[0])

    def apply_angular_impulse(self, bodies: IdLike, impulse: ArrayLike) -> None:
        """Change the angular velocities of dynamic bodies at once."""
        self._world.apply_angular_impulses(_arrays.ids(bodies), _arrays.vectors(impulse, "impulse")[0])

    def wake(self, bodies: IdLike) -> None:
        """Wake sleeping bodies."""
        self._world.wake(_arrays.ids(bodies))

    def sleep(self, bodies: IdLike) -> None:
        """Put dynamic bodies to sleep where they are, until something wakes them."""
        self._world.sleep(_arrays.ids(bodies))

    def info(self, bodies: IdLike) -> BodyInfos:
        """Properties of bodies; of a single id those of one. ``to_structured()`` has further ones."""
        return BodyInfos(view(self._world.infos(_arrays.ids(bodies)), "body_info", np.ndim(bodies) == 0))

    def is_pair_excluded(self, a: int, b: int) -> bool:
        """Whether two bodies are kept from touching by ``exclude_pair``."""
        return bool(self._world.is_pair_excluded(int(a), int(b)))

    def exclude_pair(self, a: int, b: int) -> None:
        """Let two bodies not touch."""
        self._world.exclude_pair(int(a), int(b))

    def include_pair(self, a: int, b: int) -> None:
        """Let a pair touch again that was excluded."""
        self._world.include_pair(int(a), int(b))

    # ---- joints and bonds
    def add_joint(self, kind: str, a: int, b: int, frame_a: ArrayLike | None = None, frame_b: ArrayLike | None = None, **options: Any) -> int:
        """Join two bodies and return the id of the joint.

        ``kind``: weld, spherical, revolute, prismatic, universal, distance, wheel or gear. The frames are poses in the shape frames; the axis of a joint is their
        z axis. Options: collide, lower, upper, motor ("off", "speed", "position"), target, speed, max_force, stiffness, damping, rest, ratio, break_force,
        break_torque.
        """
        return int(self._world.add_joint(int(a), int(b), _arrays.poses(frame_a, "frame_a")[0], _arrays.poses(frame_b, "frame_b")[0], {"kind": kind, **options}))

    def remove_joint(self, joint: int) -> None:
        """Remove a joint."""
        self._world.remove_joint(int(joint))

    def set_motor(self, joint: int, motor: str, **options: float) -> None:
        """Set the motor of a joint: "off", "speed" or "position", with target, speed and max_force."""
        self._world.set_motor(int(joint), {"motor": motor, **options})

    def joint_state(self, joints: IdLike) -> JointStates:
        """States of joints; of a single id one state."""
        return JointStates(view(self._world.joint_states(_arrays.ids(joints)), "joint_state", np.ndim(joints) == 0))

    def add_bond(self, a: int, b: int, point: ArrayLike, axis: ArrayLike, length: float, radius: float, young: float, **options: float) -> int:
        """A parallel bond between two bodies of a world with the dem stepper, without stress as they are now; returns its id.

        The point and the axis are in the world. Options: stiffness_ratio, tensile_strength, shear_strength, damping_ratio.
        """
        given = {"radius": float(radius), "young": float(young), **options}
        return int(self._world.add_bond(int(a), int(b), _arrays.vector(point, "point"), _arrays.vector(axis, "axis"), float(length), given))

    def bond_near(self, gap: float, young: float, bodies: IdLike | None = None, **options: float) -> int:
        """Bonds between all balls, or those of ``bodies``, whose gap is at most this and that have none yet; returns their number.

        Options: radius (a share of that of the smaller ball), stiffness_ratio, tensile_strength, shear_strength, damping_ratio.
        """
        ids = None if bodies is None else _arrays.ids(bodies)
        return int(self._world.bond_near(ids, float(gap), {"young": float(young), **options}))

    def bond_ids(self) -> NDArray[np.uint64]:
        """The ids of all bonds, broken ones too."""
        return np.array(self._world.bond_ids(), dtype=np.uint64)

    def bond_state(self, bonds: IdLike) -> BondStates:
        """States of bonds in the last step; of a single id one state."""
        return BondStates(view(self._world.bond_states(_arrays.ids(bonds)), "bond_state", np.ndim(bonds) == 0))

    def remove_bond(self, bond: int) -> None:
        """Remove a bond."""
        self._world.remove_bond(int(bond))

    # ---- elastic cells
    def make_cell(self, bodies: IdLike, stiffness: float, **options: float) -> None:
        """Make dynamic facetmeshes of a world with the dem stepper elastic cells: their vertices move by springs along the edges and by the pressure inside.

        ``stiffness`` is that of the spring of each edge. Options: damping of the dampers beside them, rest_ratio (length of the springs without force over that
        of the edges), pressure inside at the volume of the shape, bulk_modulus (the pressure falls by this times the relative growth of the volume).
        """
        self._world.make_cells(_arrays.ids(bodies), {"stiffness": float(stiffness), **options})

    def cell_state(self, bodies: IdLike) -> CellStates:
        """States of elastic cells; of a single id one state."""
        return CellStates(view(self._world.cell_states(_arrays.ids(bodies)), "cell_state", np.ndim(bodies) == 0))

    def cell_nodes(self, body: int) -> CellNodes:
        """The nodes of an elastic cell: masses, positions and velocities."""
        return CellNodes(view(self._world.cell_nodes(int(body)), "cell_node"))

    def set_cell_nodes(self, body: int, position: ArrayLike, velocity: ArrayLike | None = None) -> None:
        """Put the nodes of an elastic cell elsewhere (n, 3) and give them velocities, (n, 3) or one for all; None is rest."""
        self._world.set_cell_nodes(int(body), _arrays.vectors(position, "position")[0],
                                   _arrays.vectors((0.0, 0.0, 0.0) if velocity is None else velocity, "velocity")[0])

    # ---- springs
    def add_spring(self, body: int, anchor: ArrayLike, target: ArrayLike, **options: float) -> int:
        """A damped spring between a point of a body (shape frame) and a point of the world. Options: frequency, damping_ratio, max_force."""
        return int(self._world.add_spring(int(body), _arrays.vector(anchor, "anchor"), _arrays.vector(target, "target"), dict(options)))

    def set_spring_target(self, spring: int, target: ArrayLike) -> None:
        """Move the target of a spring."""
        self._world.set_spring_target(int(spring), _arrays.vector(target, "target"))

    def remove_spring(self, spring: int) -> None:
        """Remove a spring."""
        self._world.remove_spring(int(spring))

    # ---- time
    def step(self, dt: float, n: int = 1) -> Report:
        """Make n steps of length dt, and report on the last one."""
        if n < 1:
            raise ValueError("n: at least one step is expected")
        return Report(view(self._world.step(float(dt), int(n)), "report", True))

    def report(self) -> Report:
        """Report on the world as it is now."""
        return Report(view(self._world.step(0.0, 0), "report", True))

    def contacts(self) -> WorldContacts:
        """Contacts of the last step, with forces."""
        return WorldContacts(view(self._world.contacts(), "world_contact"))

    def events(self) -> Events:
        """Events of the last step, of the kinds that the world was made to list."""
        return Events(view(self._world.events(), "world_event"))

    def save(self) -> bytes:
        """The whole state. ``restore`` continues from it to the last bit, in a world that was built alike."""
        return bytes(self._world.save())

    def restore(self, saved: bytes) -> None:
        """Restore a saved state; on an error the world does not change."""
        self._world.restore(saved)

    def hash(self) -> int:
        """A hash of all bits of the states of all bodies."""
        return int(self._world.hash())

    # ---- queries
    def ray_cast(self, origin: ArrayLike, translation: ArrayLike, *, mask: int = ALL_BODIES) -> WorldHits:
        """First body on a ray, or on each of many rays (n, 3). ``mask``: only bodies whose category has a bit of it."""
        start, one = _arrays.vectors(origin, "origin")
        way, way_one = _arrays.vectors(translation, "translation")
        if len(start) == 1 and len(way) > 1:
            start = np.repeat(start, len(way), axis=0)
        return WorldHits(view(self._world.ray_casts(start, way, mask), "world_hit", one and way_one))

    def ray_cast_all(self, origin: ArrayLike, translation: ArrayLike, *, mask: int = ALL_BODIES) -> WorldHits:
        """All bodies on a ray, ordered by the fraction."""
        return WorldHits(view(self._world.ray_cast_all(_arrays.vector(origin, "origin"), _arrays.vector(translation, "translation"), mask), "world_hit"))

    def shape_cast(self, shape: ShapeLike, pose: ArrayLike | None, *, linear: ArrayLike | None = None, angular: ArrayLike | None = None, tolerance: float = 0.0,
                   mask: int = ALL_BODIES) -> WorldHits:
        """First body that a moving shape touches, or each of many."""
        of, one = _side(shape)
        place, single = _arrays.poses(pose, "pose")
        place = place.reshape(-1, 7)
        way, way_one = _arrays.motions(linear, angular, "linear")
        rows = max(len(place), len(way), 1 if isinstance(of, Shape) else len(of))
        place = np.repeat(place, rows, axis=0) if len(place) == 1 and rows > 1 else place
        return WorldHits(view(self._world.shape_casts(of, place, way, float(tolerance), mask), "world_hit", one and single and way_one))

    def overlap_box(self, lower: ArrayLike, upper: ArrayLike, *, mask: int = ALL_BODIES) -> Ids:
        """Bodies whose bounds meet a box."""
        found: Ids = self._world.overlap_box(_arrays.vector(lower, "lower"), _arrays.vector(upper, "upper"), mask)
        return found

    def overlap(self, shape: Shape, pose: ArrayLike | None = None, *, mask: int = ALL_BODIES) -> Ids:
        """Bodies that have a point in common with a shape."""
        found: Ids = self._world.overlap_shape(shape, _arrays.poses(pose, "pose")[0], mask)
        return found

    def closest(self, shape: Shape | None, pose: ArrayLike | None, *, farthest: float = np.inf, mask: int = ALL_BODIES) -> tuple[int, Separations]:
        """The body with the least gap to a shape, or with None to the position of the pose: its id (0 for none) and the separation."""
        raw = view(self._world.closest(shape, _arrays.poses(pose, "pose")[0], float(farthest), mask), "world_near", True)
        return int(raw["body"]), Separations(np.asarray(raw["separation"]))


class Worlds:
    """Many worlds that are stepped in one call, each on one thread at a time."""

    def __init__(self, worlds: Iterable[World]) -> None:
        self._worlds = list(worlds)

    def __len__(self) -> int:
        return len(self._worlds)

    def __getitem__(self, index: int) -> World:
        return self._worlds[index]

    def step(self, dt: float, n: int = 1, *, threads: int = 0) -> list[Report]:
        """Make n steps in every world. Results are those of stepping each alone, to the last bit."""
        if n < 1:
            raise ValueError("n: at least one step is expected")
        raw = _core.step_many([world._world for world in self._worlds], float(dt), int(n), threads)
        return [Report(view(one, "report", True)) for one in raw]

    @property
    def poses(self) -> Floats:
        """Poses (worlds, n, 7), for worlds with equally many bodies."""
        return np.stack([world.poses for world in self._worlds])


__all__ = [
    "ALL_BODIES", "BodyInfos", "BodyStates", "BondStates", "CellNodes", "CellStates", "EVENTS", "Events", "Features", "JointStates", "Report", "World", "WorldContacts", "WorldHits", "Worlds", "_Sides",
]  # fmt: skip
