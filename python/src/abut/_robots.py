"""What the importers of robots share: links with geometry become bodies of a scene, and their connections joints."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from . import _arrays, shapes
from ._core import Shape
from ._errors import ArgumentError, Error, Status
from .scenes import Json, Scene

Floats = NDArray[np.float64]

MESHES = ("keep", "hull_open", "hull")


def refuse(reason: str, text: str) -> ArgumentError:
    """The exception of a robot that cannot be imported. The text begins with the reason's name."""
    return ArgumentError(Status.UNSUPPORTED, f"{reason}: {text}")


class Triangles(NamedTuple):
    """A mesh in the frame of its link."""

    vertices: Floats
    faces: Any
    name: str


class Link:
    """Parts that move together. ``pose`` is its frame in the world at the start, as a matrix; a ghost needs no geometry."""

    def __init__(self, name: str, pose: Floats, mass: float, fixed: bool = False, ghost: bool = False) -> None:
        self.name, self.pose, self.mass, self.fixed, self.ghost = name, pose, mass, fixed, ghost
        # Of all parts in the frame of the link, once one was weighed: mass times centre, and the inertia about the origin; None when one of them is unknown.
        # Without these, centre and inertia are those of the geometry.
        self.weighed = False
        self.moment: Floats = np.zeros(3)
        self.about_origin: Floats | None = np.zeros((3, 3))
        self.parts: list[tuple[Shape, Floats]] = []
        self.meshes: list[Triangles] = []
        self.options: Json = {}

    @property
    def heavy(self) -> bool:
        """Whether forces move it, so that it needs a mass."""
        return not self.fixed and "kind" not in self.options

    def weigh(self, mass: float, centre: Any, inertia: Any) -> None:
        """Adds the mass of a part. ``centre``: its centre of mass; ``inertia``: about that, with the axes of the link, or None."""
        c = np.asarray(centre, dtype=np.float64)
        self.weighed = True
        self.mass += mass
        self.moment = self.moment + mass * c
        if inertia is None or self.about_origin is None:
            self.about_origin = None
        else:
            self.about_origin = self.about_origin + np.asarray(inertia, dtype=np.float64) + mass * (c @ c * np.eye(3) - np.outer(c, c))

    def weigh_like(self, other: Link, share: float) -> None:
        """Gives a link with the same frame a share of another one's mass, spread as it is there."""
        self.weighed, self.mass, self.moment = other.weighed, share * other.mass, share * other.moment
        self.about_origin = None if other.about_origin is None else share * other.about_origin

    def distribution(self, notes: list[str]) -> tuple[Floats, Floats | None]:
        """Centre of mass, and inertia about it with the axes of the link; None where it is unknown or no body can have it."""
        centre: Floats = self.moment / self.mass
        if self.about_origin is None:
            return centre, None
        inertia = self.about_origin - self.mass * (centre @ centre * np.eye(3) - np.outer(centre, centre))
        moments = np.linalg.eigvalsh(inertia)
        if moments[0] > 1e-12 * moments[2] and moments[2] <= (1.0 + 1e-6) * (moments[0] + moments[1]):
            return centre, inertia
        notes.append(f"link {self.name!r}: no body has its inertia; that of its geometry at uniform density stands for it")
        return centre, None


def row(matrix: Floats) -> Floats:
    """The pose (7,) of a matrix, whose rotation is made orthonormal first: files round it."""
    left, _, right = np.linalg.svd(matrix[:3, :3])
    exact = np.eye(4)
    exact[:3, :3] = left @ np.diag([1.0, 1.0, np.linalg.det(left @ right)]) @ right
    exact[:3, 3] = matrix[:3, 3]
    pose: Floats = _arrays.poses(exact, "pose")[0].reshape(7)
    return pose


def turned(quaternion: Any) -> Floats:
    """The matrix (4, 4) of a rotation (x, y, z, w) of any length but zero."""
    x, y, z, w = np.asarray(quaternion, dtype=np.float64) / np.linalg.norm(quaternion)
    matrix = np.eye(4)
    matrix[:3, :3] = [[1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)], [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
                      [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)]]
    return matrix


def frame_along(axis: Any, origin: Any) -> Floats:
    """The pose of a joint: its z axis along an axis of the world."""
    z = np.asarray(axis, dtype=np.float64)
    length = float(np.linalg.norm(z))
    if not length > 0.0:
        raise refuse("axis", "the axis of a joint has no length")
    z = z / length
    x = np.cross(z, np.eye(3)[int(np.argmin(np.abs(z)))])
    matrix = np.eye(4)
    matrix[:3, 0] = x / np.linalg.norm(x)
    matrix[:3, 1] = np.cross(z, matrix[:3, 0])
    matrix[:3, 2] = z
    matrix[:3, 3] = origin
    return row(matrix)


def _mesh(link: Link, meshes: str, notes: list[str]) -> Shape | None:
    """The meshes of a link as one shape: the surface, or its hull when that was asked for."""
    if not link.meshes:
        return None
    offsets = np.cumsum([0] + [len(one.vertices) for one in link.meshes[:-1]])
    points = np.concatenate([one.vertices for one in link.meshes])
    names = ", ".join(one.name for one in link.meshes)
    if meshes == "hull":
        return shapes.compound([shapes.hull(one.vertices) for one in link.meshes], np.tile([0, 0, 0, 0, 0, 0, 1.0], (len(link.meshes), 1)))
    surface = shapes.trimesh(points, np.concatenate([np.asarray(one.faces) + first for one, first in zip(link.meshes, offsets)]))
    if not link.heavy:
        return surface
    try:
        shapes.mass(surface)
    except Error as error:
        if meshes == "keep":
            raise refuse("open_mesh", f"link {link.name!r} moves, so that its meshes ({names}) must be closed and outward: {error}. "
                                      "meshes='hull_open' takes the hulls of such meshes") from error
        notes.append(f"link {link.name!r}: {names}: hulls stand for meshes that are not closed")
        return shapes.compound([shapes.hull(one.vertices) for one in link.meshes], np.tile([0, 0, 0, 0, 0, 0, 1.0], (len(link.meshes), 1)))
    return surface


def _own_mass(link: Link, pose: Floats, centre: Floats, inertia: Floats | None, share: float) -> Json:
    """The keys of a piece of a link: every piece has its share of the mass about the centre of the whole, so that together they have the inertia of the whole."""
    local = np.linalg.inv(pose) @ link.pose
    turn = local[:3, :3]
    own: Json = {"mass_centre": (turn @ centre + local[:3, 3]).tolist()}
    if inertia is not None:
        matrix = share * turn @ inertia @ turn.T
        own["inertia"] = (0.5 * (matrix + matrix.T)).tolist()
    return own


def add_link(scene: Scene, link: Link, meshes: str) -> list[str]:
    """Adds the bodies of a link: one for its primitives, and one for its meshes, welded to it. Returns their names."""
    pieces: list[tuple[str, Shape, Floats]] = []
    if len(link.parts) == 1:
        pieces.append((link.name, link.parts[0][0], link.pose @ link.parts[0][1]))
    elif link.parts and any("plane" in repr(shape) or "heightfield" in repr(shape) for shape, _ in link.parts):
        pieces += [(f"{link.name}.{i}" if i else link.name, shape, link.pose @ pose) for i, (shape, pose) in enumerate(link.parts)]
    elif link.parts:
        union = shapes.compound([shape for shape, _ in link.parts], np.array([row(pose) for _, pose in link.parts]))
        pieces.append((link.name, union, link.pose))
    surface = _mesh(link, meshes, scene.notes)
    if surface is not None:
        pieces.append((f"{link.name}.mesh" if pieces else link.name, surface, link.pose))
    options = dict(link.options)
    if not pieces:
        pieces.append((link.name, shapes.sphere(0.02), link.pose))
        options["touches"] = []
        if not link.ghost:
            scene.notes.append(f"link {link.name!r} has no collision geometry: a ball of 0.02 that touches nothing stands for it")
    volumes = [shapes.mass(shape).volume if link.heavy else 1.0 for _, shape, _ in pieces]
    centre, inertia = link.distribution(scene.notes) if link.heavy and link.weighed else (np.zeros(3), None)
    for (name, shape, pose), volume in zip(pieces, volumes):
        share = volume / sum(volumes)
        kind: Json = {"mass": link.mass * share} if link.heavy else {"kind": "static"} if link.fixed else {}
        if link.heavy and link.weighed:
            kind |= _own_mass(link, pose, centre, inertia, share)
        scene.add_body(name, shape, row(pose), **kind, **options)
        if name != pieces[0][0] and link.heavy:
            scene.add_joint("weld", pieces[0][0], name)
    return [name for name, _, _ in pieces]


def exclude(scene: Scene, a: list[str], b: list[str]) -> None:
    """Lets no body of one link touch one of another."""
    pairs = scene.data.setdefault("never_touch", [])
    pairs += [[one, other] for one in a for other in b if [one, other] not in pairs]


def check_meshes(meshes: str) -> None:
    """Refuses an unknown word."""
    if meshes not in MESHES:
        raise ValueError(f"meshes: one of {', '.join(MESHES)} is expected, not {meshes!r}")
