"""Questions about pairs of shapes: contacts, distance, overlap, growth distance, rays, casts, rates and derivatives.

Every function takes one pair or many. A pose is (x, y, z, qx, qy, qz, qw), a 4 x 4 matrix, a position, or None for the identity; an array of poses (n, 7) or
(n, 4, 4) makes a batch. A side of a batch with one shape or one pose uses it for all. World frame; normals point from B into A; gaps are negative where bodies
overlap.
"""

from __future__ import annotations

from typing import Any, Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _arrays, _core
from ._arrays import Floats
from ._core import Cache, Shape, Shapes
from ._errors import Status
from ._records import Column, Growths, Hits, Rates, Records, Separations, _Sides, numbers, view
from .shapes import ShapeLike


class Settings(_core.Settings):
    """Settings of contacts. ``normal`` is "minimum" (the least depth) or "growth" (the paper's normal); see include/abut/collide.h for the others."""

    def __init__(self, *, margin: float = 0.0, feature_angle: float = 0.03490658503988659, normal: str = "minimum", contraction: str = "core",
                 refine_normal: bool = True, previous_normal: ArrayLike = (0.0, 0.0, 0.0), weld: float = 1e-6) -> None:
        previous = _arrays.vector(previous_normal, "previous_normal")
        super().__init__(float(margin), float(feature_angle), normal, contraction, bool(refine_normal), previous, float(weld))
        self._given = {"margin": float(margin), "feature_angle": float(feature_angle), "normal": normal, "contraction": contraction,
                       "refine_normal": bool(refine_normal), "previous_normal": tuple(map(float, previous)), "weld": float(weld)}  # fmt: skip

    def __reduce__(self) -> tuple[Any, ...]:
        return _settings_of, (self._given,)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Settings) and self._given == other._given

    def __hash__(self) -> int:
        return hash(tuple(self._given.values()))

    def __repr__(self) -> str:
        return f"abut.Settings({', '.join(f'{name}={value!r}' for name, value in self._given.items())})"


def _settings_of(given: dict[str, Any]) -> Settings:
    return Settings(**given)


class Contacts(_Sides):
    """Contacts of one pair or of a batch, packed. The contacts of pair i are those from ``first[i]`` to ``first[i + 1]``."""

    __slots__ = ("_first", "_status")
    on_a = Column[np.float64]("Points on A, world frame.")
    on_b = Column[np.float64]("Points on B, world frame.")
    normal = Column[np.float64]("Unit, from B into A.")
    gap = Column[np.float64]("dot(normal, on_a - on_b); negative when penetrating.")
    area = Column[np.float64]("Share of the contact in the area of its patch.")
    id = Column[np.uint64]("Key of the contact: the same at the next step.")
    patch = Column[np.int32]("Index of the patch within its pair; contacts of a patch share a normal and are counter-clockwise about it.")
    flags = Column[np.uint32]("1 the normal was chosen by rule, 2 a witness.")

    def __init__(self, raw: NDArray[Any], first: NDArray[np.int64] | None = None, status: NDArray[np.int32] | None = None) -> None:
        self._raw = raw
        self._first = first
        self._status = status

    @property
    def first(self) -> NDArray[np.int64]:
        """(n + 1,) index of the first contact of each pair, and the number of all contacts."""
        return np.array([0, self._raw.size]) if self._first is None else self._first

    @property
    def status(self) -> NDArray[np.int32]:
        """(n,) status of each pair; all are ``Status.OK`` unless the call was not strict."""
        return np.zeros(len(self.first) - 1, dtype=np.int32) if self._status is None else self._status

    @property
    def count(self) -> NDArray[np.int64]:
        """(n,) number of contacts of each pair."""
        return np.diff(self.first)

    @property
    def pair(self) -> NDArray[np.int64]:
        """For each contact the index of its pair."""
        return np.repeat(np.arange(len(self.first) - 1), self.count)

    def of(self, pair: int) -> Contacts:
        """The contacts of one pair."""
        first = self.first
        if not 0 <= pair < len(first) - 1:
            raise IndexError(f"there is no pair {pair}: the batch has {len(first) - 1}")
        return Contacts(self._raw[first[pair] : first[pair + 1]])


def _side(shapes: ShapeLike) -> tuple[Shape | Shapes, bool]:
    if isinstance(shapes, Shape):
        return shapes, True
    return (shapes if isinstance(shapes, Shapes) else _core.shapes(list(shapes))), False


def _with_margin(settings: Settings | None, margin: float | None) -> Settings | None:
    if margin is None:
        return settings
    if settings is not None:
        raise TypeError("give the margin within the settings, or alone")
    return Settings(margin=margin)


def collide(a: ShapeLike, pose_a: ArrayLike | None, b: ShapeLike, pose_b: ArrayLike | None, *, margin: float | None = None, settings: Settings | None = None,
            cache: Cache | None = None, threads: int = 0, strict: bool = True) -> Contacts:
    """All contacts of A and B, or of many pairs.

    ``margin``: contacts with gaps up to it are found, too. ``cache``: a ``Cache(n)`` that is kept between calls for the same n pairs; it changes the time, never
    the result. ``threads``: below 1 for one per processor. ``strict=False``: a pair that fails has no contacts and its status in ``Contacts.status``, and does
    not raise.
    """
    of_a, _ = _side(a)
    of_b, _ = _side(b)
    raw, first, status = _core.collide(of_a, _arrays.poses(pose_a, "pose_a")[0], of_b, _arrays.poses(pose_b, "pose_b")[0], _with_margin(settings, margin), cache,
                                       threads, strict)
    return Contacts(view(raw, "contact"), first, status)


class FacetContacts(Records):
    """Contacts of rounded triangles, one for each pair of facets that touch. Those of pair i of a batch are from ``first[i]`` to ``first[i + 1]``."""

    __slots__ = ("first",)
    facet_a = Column[np.int32]("Facet of A, or of its skin; -1 for a sphere or a plane.")
    facet_b = Column[np.int32]("The same of B.")
    normal = Column[np.float64]("Unit, from B into A.")
    gap = Column[np.float64]("Gap of the surfaces at the point; negative.")
    point = Column[np.float64]("Where the overlap is largest; of two flat facets the centre of the overlap.")
    sphere_gap = Column[np.float64]("Gap of the two spheres, negative; of two flat facets the least gap.")
    radius = Column[np.float64]("Effective radius 1 / (1 / R_a + 1 / R_b); inf for two flat facets.")
    centre = Column[np.float64]("Centre of the contact circle.")
    circle_radius = Column[np.float64]("Radius of the contact circle; 0 for two flat facets.")
    area = Column[np.float64]("Area of the polygon in which the facets face each other.")
    area_in_circle = Column[np.float64]("Area of the part of it in the circle; of two flat facets of the overlap.")
    corner_count = Column[np.int32]("Number of corners of the polygon.")
    corner = Column[np.float64]("Corners, (6, 3) for each contact, counter-clockwise about the normal; the first corner_count count.")

    def __init__(self, raw: NDArray[Any], first: NDArray[np.int64] | None = None) -> None:
        self._raw = raw
        self.first: NDArray[np.int64] = np.array([0, raw.size]) if first is None else first


def facet_contacts(a: ShapeLike, pose_a: ArrayLike | None, b: ShapeLike, pose_b: ArrayLike | None, *, threads: int = 0) -> FacetContacts:
    """Contacts of two bodies as bodies of rounded triangles, facet by facet, or of many pairs: what the forces of granular matter are made of. Shapes of other
    kinds have a skin of such triangles. ``collide`` gives the same contacts as ``Contacts``."""
    raw, first = _core.collide_facets(_side(a)[0], _arrays.poses(pose_a, "pose_a")[0], _side(b)[0], _arrays.poses(pose_b, "pose_b")[0], threads)
    return FacetContacts(view(raw, "facet_contact"), first)


def distance(a: ShapeLike, pose_a: ArrayLike | None, b: ShapeLike, pose_b: ArrayLike | None, *, settings: Settings | None = None, cache: Cache | None = None,
             threads: int = 0) -> Separations:
    """Distance of A and B, or minus the depth of their overlap."""
    of_a, one_a = _side(a)
    of_b, one_b = _side(b)
    place_a, single_a = _arrays.poses(pose_a, "pose_a")
    place_b, single_b = _arrays.poses(pose_b, "pose_b")
    raw = _core.distance(of_a, place_a, of_b, place_b, settings, cache, threads)
    return Separations(view(raw, "separation", one_a and one_b and single_a and single_b))


def overlap(a: ShapeLike, pose_a: ArrayLike | None, b: ShapeLike, pose_b: ArrayLike | None, *, cache: Cache | None = None, threads: int = 0) -> NDArray[np.bool_]:
    """Whether A and B have a common point, touching included: one boolean, or (n,)."""
    of_a, one_a = _side(a)
    of_b, one_b = _side(b)
    place_a, single_a = _arrays.poses(pose_a, "pose_a")
    place_b, single_b = _arrays.poses(pose_b, "pose_b")
    found: NDArray[np.bool_] = numbers(_core.overlap(of_a, place_a, of_b, place_b, cache, threads), np.bool_)
    return found[0] if one_a and one_b and single_a and single_b else found


def growth_distance(a: ShapeLike, pose_a: ArrayLike | None, b: ShapeLike, pose_b: ArrayLike | None, *, settings: Settings | None = None,
                    threads: int = 0) -> Growths:
    """Growth distance of two bounded convex shapes."""
    of_a, one_a = _side(a)
    of_b, one_b = _side(b)
    place_a, single_a = _arrays.poses(pose_a, "pose_a")
    place_b, single_b = _arrays.poses(pose_b, "pose_b")
    raw = _core.growth(of_a, place_a, of_b, place_b, settings, threads)
    return Growths(view(raw, "growth", one_a and one_b and single_a and single_b))


def ray_cast(shape: ShapeLike, pose: ArrayLike | None, origin: ArrayLike, translation: ArrayLike, *, threads: int = 0) -> Hits:
    """First point of a shape on the segment from ``origin`` to ``origin + translation``; (3,) or (n, 3)."""
    of, one = _side(shape)
    place, single = _arrays.poses(pose, "pose")
    start, start_one = _arrays.vectors(origin, "origin")
    way, way_one = _arrays.vectors(translation, "translation")
    raw = _core.ray_cast(of, place, start, way, threads)
    return Hits(view(raw, "hit", one and single and start_one and way_one))


def shape_cast(a: ShapeLike, pose_a: ArrayLike | None, b: ShapeLike, pose_b: ArrayLike | None, *, linear_a: ArrayLike | None = None,
               angular_a: ArrayLike | None = None, linear_b: ArrayLike | None = None, angular_b: ArrayLike | None = None, tolerance: float = 0.0,
               threads: int = 0) -> Hits:
    """First touch of two moving shapes. In the whole motion a frame moves by ``linear`` and turns by the rotation vector ``angular``."""
    of_a, one_a = _side(a)
    of_b, one_b = _side(b)
    place_a, single_a = _arrays.poses(pose_a, "pose_a")
    place_b, single_b = _arrays.poses(pose_b, "pose_b")
    motion_a, moves_a = _arrays.motions(linear_a, angular_a, "linear_a")
    motion_b, moves_b = _arrays.motions(linear_b, angular_b, "linear_b")
    raw = _core.shape_cast(of_a, place_a, motion_a, of_b, place_b, motion_b, float(tolerance), threads)
    return Hits(view(raw, "hit", one_a and one_b and single_a and single_b and moves_a and moves_b))


def contact_rates(contacts: Contacts, a: Shape, pose_a: ArrayLike | None, b: Shape, pose_b: ArrayLike | None, *, linear_a: ArrayLike | None = None,
                  angular_a: ArrayLike | None = None, linear_b: ArrayLike | None = None, angular_b: ArrayLike | None = None) -> Rates:
    """Time derivatives of the contacts of one pair, while the origins of the frames move at the velocities ``linear`` and the bodies turn at ``angular``."""
    raw = _core.rates(a, _arrays.poses(pose_a, "pose_a")[0], _arrays.motions(linear_a, angular_a, "linear_a")[0], b, _arrays.poses(pose_b, "pose_b")[0],
                      _arrays.motions(linear_b, angular_b, "linear_b")[0], np.atleast_1d(contacts.to_structured()).tobytes())
    return Rates(view(raw, "rates"))


class Derivatives:
    """Derivatives of contacts by the motions of both bodies. The last axis has 12 elements: the linear velocity of A's frame and its angular velocity, then those
    of B, world frame."""

    __slots__ = ("gap", "normal", "on_a", "on_b", "flags")

    def __init__(self, gap: Floats, normal: Floats, on_a: Floats, on_b: Floats, flags: NDArray[np.uint32]) -> None:
        self.gap = gap
        """(n, 12) derivatives of the gaps."""
        self.normal = normal
        """(n, 3, 12) derivatives of the normals."""
        self.on_a = on_a
        """(n, 3, 12) derivatives of the points on A."""
        self.on_b = on_b
        """(n, 3, 12) derivatives of the points on B."""
        self.flags = flags
        """(n,) 0 where the contact is smooth; else the side that was taken, as in ``Rates.flags``."""


def derivatives(contacts: Contacts, a: Shape, pose_a: ArrayLike | None, b: Shape, pose_b: ArrayLike | None) -> Derivatives:
    """Derivatives of gap, normal and points of the contacts of one pair by small motions of both bodies."""
    found = _core.derivatives(a, _arrays.poses(pose_a, "pose_a")[0], b, _arrays.poses(pose_b, "pose_b")[0],
                              np.atleast_1d(contacts.to_structured()).tobytes())
    return Derivatives(*found)


def distance_derivatives(a: ShapeLike, pose_a: ArrayLike | None, b: ShapeLike, pose_b: ArrayLike | None, *, settings: Settings | None = None,
                         threads: int = 0) -> tuple[Separations, Floats]:
    """Distances, as ``distance`` has them, and the derivatives (12,) or (n, 12) of their gaps by the motions of both bodies, in the order of ``Derivatives``.

    Shapes of every kind that ``distance`` takes. Where several normals are equally deep or points are not unique, the gap has a kink: the derivative is that of
    the side that the separation names.
    """
    of_a, one_a = _side(a)
    of_b, one_b = _side(b)
    place_a, single_a = _arrays.poses(pose_a, "pose_a")
    place_b, single_b = _arrays.poses(pose_b, "pose_b")
    raw, gaps = _core.distance_derivatives(of_a, place_a, of_b, place_b, settings, threads)
    single = one_a and one_b and single_a and single_b
    return Separations(view(raw, "separation", single)), gaps[0] if single else gaps


def growth_derivatives(a: ShapeLike, pose_a: ArrayLike | None, b: ShapeLike, pose_b: ArrayLike | None, *, settings: Settings | None = None,
                       threads: int = 0) -> tuple[Growths, Floats]:
    """Growth distances about centroids, or about points ``with_contraction``, and the derivatives (12,) or (n, 12) of ``alpha`` by the motions of both
    bodies, in the order of ``Derivatives``.

    Contraction points are fixed in the bodies: settings with ``contraction="core"``, whose points depend on both poses, are refused. ``normal_chosen`` tells
    where several normals are equally valid: there ``alpha`` may have a kink, and the derivative is that of the side of ``normal``.
    """
    if settings is not None and settings._given["contraction"] != "centroid":
        raise ValueError('settings: contraction "centroid" is expected')
    found = growth_distance(a, pose_a, b, pose_b, settings=settings or Settings(contraction="centroid"), threads=threads)
    # alpha is the largest ratio n . (c_a - c_b) / (h_a(-n) + h_b(n)) over all directions n, so to first order the normal and the support points count as fixed.
    normal, touch = found.normal, found.touch
    extent = (normal * ((found.contraction_a - found.on_a) - (found.contraction_b - found.on_b))).sum(-1, keepdims=True)
    arms = [np.cross(touch - _arrays.poses(pose, name)[0][..., :3].reshape(np.shape(touch) if np.ndim(touch) == 1 else (-1, 3)), normal)
            for pose, name in ((pose_a, "pose_a"), (pose_b, "pose_b"))]  # fmt: skip
    return found, np.concatenate((normal, arms[0], -normal, -arms[1]), axis=-1) / extent


def pose_gradient(motion_gradient: ArrayLike, pose: ArrayLike) -> Floats:
    """The gradient (7,) or (n, 7) by the numbers of a pose, from that by a motion (6,) or (n, 6): of what does not depend on the length of the quaternion."""
    by_motion, place = _arrays.floats(motion_gradient), _arrays.floats(pose)
    x, y, z, w = np.moveaxis(place[..., 3:], -1, 0)
    p, q, r = np.moveaxis(by_motion[..., 3:], -1, 0)
    # A change dq of the quaternion turns the body by the vector part of 2 dq q*.
    by_quaternion = 2.0 * np.stack((w * p + z * q - y * r, w * q + x * r - z * p, w * r + y * p - x * q, -(x * p + y * q + z * r)), axis=-1)
    squared = (place[..., 3:] ** 2).sum(-1, keepdims=True)
    return np.concatenate((by_motion[..., :3], by_quaternion / squared), axis=-1)


__all__ = [
    "Cache", "Contacts", "Derivatives", "FacetContacts", "Settings", "Status", "collide", "contact_rates", "derivatives", "distance", "distance_derivatives",
    "facet_contacts", "growth_derivatives", "growth_distance", "overlap", "pose_gradient", "ray_cast", "shape_cast",
]  # fmt: skip
