"""Scenes from USD files with UsdPhysics: an extra, ``pip install abut[usd]`` (usd-core)."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any, Mapping

import numpy as np

from . import shapes
from ._core import Shape
from ._robots import Floats, Link, Triangles, add_link, check_meshes, exclude, frame_along, refuse, row, turned
from .scenes import Scene

_DENSITY = 1000.0
"""Of bodies that name neither mass nor density [kg/m^3], as UsdPhysics says."""

_TO_Z = {"X": np.array([[0.0, 0, 1], [1, 0, 0], [0, 1, 0]]), "Y": np.array([[1.0, 0, 0], [0, 0, 1], [0, -1, 0]]), "Z": np.eye(3)}
"""Rotations that turn z into an axis."""


def from_usd(path: Any, *, duration: float = 1.0, meshes: str = "keep", self_collision: bool = True, **settings: Any) -> Scene:
    """A scene with the rigid bodies, colliders and joints of a USD file, or of a ``Usd.Stage``.

    Lengths and masses become metres and kilograms, by ``metersPerUnit`` and ``kilogramsPerUnit``. Names are paths. Colliders without a body stand
    still. Meshes stay meshes unless the file asks for their hull (``convexHull``), box or ball; one of a moving body must be closed, or the file is refused
    with ``open_mesh``; ``meshes="hull_open"`` takes hulls of those that are not, "hull" of all. Joints have their limits and the springs of their drives. A
    joint's coordinate in a recording counts from the start. Bodies that a joint connects do not touch unless the joint says so; with
    ``self_collision=False`` nor do bodies that a chain of joints connects.

    A body has its mass, or its density or that of its material times its volume; its centre and inertia are those of the file, or else of its collision geometry
    at uniform density. ``notes`` of the scene names what was not carried over.
    """
    try:
        from pxr import Usd  # type: ignore[import-untyped, import-not-found, unused-ignore]
    except ImportError as missing:
        raise ImportError('from_usd needs usd-core: pip install "abut[usd]"') from missing
    check_meshes(meshes)
    stage = path
    if not isinstance(path, Usd.Stage):
        place = Path(os.fspath(path)).absolute()
        if not place.is_file():
            raise FileNotFoundError(f"{place} does not exist")
        try:
            stage = Usd.Stage.Open(str(place))
        except Exception as error:  # pxr.Tf.ErrorException, which is no class of its own in all versions
            raise refuse("unreadable_usd", f"{place}: {error}") from error
    return _Import(stage).scene(duration, meshes, self_collision, settings)


def _matrix(value: Any) -> Floats:
    """A matrix of USD, which has rows for columns."""
    return np.array(value, dtype=np.float64).T


def _quaternion(value: Any) -> Floats:
    """The matrix of a rotation of USD; one of no length is the identity."""
    numbers = (*value.GetImaginary(), value.GetReal())
    return turned(numbers) if np.linalg.norm(numbers) > 0.0 else np.eye(4)


def _rigid(matrix: Floats) -> Floats:
    """A placement without its scale."""
    left, _, right = np.linalg.svd(matrix[:3, :3])
    place = np.eye(4)
    place[:3, :3] = left @ np.diag([1.0, 1.0, np.linalg.det(left @ right)]) @ right
    place[:3, 3] = matrix[:3, 3]
    return place


def _scaled(matrix: Floats, name: str) -> tuple[Floats, Floats]:
    """A placement and the scale along its axes. Shapes are symmetrical, so that a reflection is one along x."""
    scale = np.linalg.norm(matrix[:3, :3], axis=0)
    if not scale.min() > 0.0:
        raise refuse("scale", f"{name} is flat: its scale is {scale}")
    place = matrix.copy()
    place[:3, :3] = matrix[:3, :3] / scale
    if np.abs(place[:3, :3].T @ place[:3, :3] - np.eye(3)).max() > 1e-6:
        raise refuse("scale", f"{name} is sheared by the scales above it")
    if np.linalg.det(place[:3, :3]) < 0.0:
        place[:3, 0] = -place[:3, 0]
    return place, scale


def _fan(points: Floats, corners: list[int], name: str) -> list[tuple[int, int, int]]:
    """Triangles of a polygon around one of its corners that sees all others."""
    arms = points[corners[1:]] - points[corners[0]]
    total = np.cross(arms[:-1], arms[1:]).sum(0)
    for first in range(len(corners)):
        turn = corners[first:] + corners[:first]
        found = [(turn[0], turn[i], turn[i + 1]) for i in range(1, len(turn) - 1)]
        if all(np.cross(points[b] - points[a], points[c] - points[a]) @ total >= 0.0 for a, b, c in found):
            return found
    raise refuse("polygon", f"{name} has a face that no corner of it sees whole: triangulate it")


class _Import:
    def __init__(self, stage: Any) -> None:
        from pxr import Usd, UsdGeom, UsdPhysics, UsdShade

        self.stage, self.usd, self.geom, self.physics, self.shade = stage, Usd, UsdGeom, UsdPhysics, UsdShade
        self.cache = UsdGeom.XformCache()
        self.metre = float(UsdGeom.GetStageMetersPerUnit(stage))
        self.kilogram = float(UsdPhysics.GetStageKilogramsPerUnit(stage))
        self.notes: list[str] = []
        self.world = Link("world", np.eye(4), 0.0, fixed=True, ghost=True)

    def _world(self, prim: Any) -> Floats:
        """The placement of a prim in metres, scales included."""
        matrix = _matrix(self.cache.GetLocalToWorldTransform(prim))
        if not np.isfinite(matrix).all():
            raise refuse("not_finite", f"the transform of {prim.GetPath()} has numbers that are not finite")
        matrix[:3, :] *= self.metre
        return matrix

    def _value(self, prim: Any, name: str, default: Any = None) -> Any:
        """An attribute's value, or the default without the attribute or with infinity, by which UsdPhysics means none."""
        value = prim.GetAttribute(name).Get() if prim.HasAttribute(name) else None
        if value is None or (isinstance(value, float) and np.isinf(value)):
            return default
        return value

    # ---- colliders

    def _axis(self, prim: Any, place: Floats, scale: Floats) -> tuple[Floats, float, float]:
        """The placement of a round shape whose axis becomes z, its scale across and along."""
        turn = _TO_Z[str(self._value(prim, "axis", "Z"))]
        place = place.copy()
        place[:3, :3] = place[:3, :3] @ turn
        across, other, along = np.abs(turn.T) @ scale
        if abs(across - other) > 1e-6 * across:
            raise refuse("scale", f"{prim.GetPath()} is round, and scaled to an ellipse")
        return place, float(across), float(along)

    def _triangles(self, prim: Any, matrix: Floats) -> Triangles:
        name = str(prim.GetPath())
        mesh = self.geom.Mesh(prim)
        points = np.array(mesh.GetPointsAttr().Get() or [], dtype=np.float64).reshape(-1, 3)
        counts, indices = list(mesh.GetFaceVertexCountsAttr().Get() or []), list(mesh.GetFaceVertexIndicesAttr().Get() or [])
        if not counts or min(counts) < 3 or sum(counts) != len(indices) or min(indices) < 0 or max(indices) >= len(points) or not np.isfinite(points).all():
            raise refuse("unreadable_mesh", f"{name} has no valid faces")
        points = points @ matrix[:3, :3].T + matrix[:3, 3]
        ends, holes = np.cumsum(counts), set(mesh.GetHoleIndicesAttr().Get() or [])
        polygons = [list(map(int, indices[end - count : end])) for i, (end, count) in enumerate(zip(ends, counts)) if i not in holes]
        faces = np.array([triangle for corners in polygons for triangle in _fan(points, corners, name)])
        if (np.linalg.det(matrix[:3, :3]) < 0.0) != (mesh.GetOrientationAttr().Get() == self.geom.Tokens.leftHanded):
            faces = faces[:, ::-1]
        return Triangles(points, faces, name)

    def _mesh(self, link: Link, prim: Any, local: Floats) -> None:
        """A mesh as the file wants it: as it is, or its hull, box or ball."""
        wanted = str(self._value(prim, "physics:approximation", "none")) if prim.HasAPI(self.physics.MeshCollisionAPI) else "none"
        mesh = self._triangles(prim, local)
        lower, upper = mesh.vertices.min(0), mesh.vertices.max(0)
        middle = np.eye(4)
        middle[:3, 3] = (lower + upper) / 2
        if wanted == "convexHull":
            link.parts.append((shapes.hull(mesh.vertices), np.eye(4)))
        elif wanted == "boundingCube":
            link.parts.append((shapes.box((upper - lower) / 2), middle))
        elif wanted == "boundingSphere":
            link.parts.append((shapes.sphere(float(np.linalg.norm(mesh.vertices - middle[:3, 3], axis=1).max())), middle))
        else:
            if wanted != "none":
                self.notes.append(f"{prim.GetPath()}: the mesh itself, where the file asks for {wanted}")
            link.meshes.append(mesh)

    def _collider(self, link: Link, prim: Any) -> None:
        """Gives the geometry of a prim to the link that it belongs to."""
        name, kind = str(prim.GetPath()), str(prim.GetTypeName())
        local = np.linalg.inv(link.pose) @ self._world(prim)
        if kind == "Mesh":
            self._mesh(link, prim, local)
            return
        place, scale = _scaled(local, name)
        shape: Shape
        if kind == "Cube":
            shape = shapes.box(float(self._value(prim, "size", 2.0)) / 2 * scale)
        elif kind == "Sphere":
            half = float(self._value(prim, "radius", 1.0)) * scale
            shape = shapes.sphere(float(half[0])) if np.ptp(half) <= 1e-6 * half.max() else shapes.ellipsoid(half)
        elif kind in ("Cylinder", "Cone", "Capsule"):
            place, across, along = self._axis(prim, place, scale)
            radius, height = float(self._value(prim, "radius")) * across, float(self._value(prim, "height")) * along
            if kind == "Capsule" and abs(across - along) > 1e-6 * across:
                raise refuse("scale", f"{name} is a capsule, and scaled so that its ends are no balls")
            if kind == "Cylinder":
                shape = shapes.cylinder(radius, height / 2)
            else:
                shape = shapes.cone(radius, height) if kind == "Cone" else shapes.capsule(radius, height / 2)
            if kind == "Cone":  # that of USD has its middle at the origin, ours its centre of mass
                place[:3, 3] -= place[:3, 2] * height / 4
        elif kind == "Plane":
            place[:3, :3] = place[:3, :3] @ _TO_Z[str(self._value(prim, "axis", "Z"))]
            shape = shapes.plane()
        else:
            raise refuse("geometry", f"{name} is a collider of type {kind or 'none'}, which is not taken")
        link.parts.append((shape, place))

    # ---- bodies

    def _material(self, prim: Any) -> Any:
        bound = self.shade.MaterialBindingAPI(prim).ComputeBoundMaterial("physics")[0]
        return bound.GetPrim() if bound and bound.GetPrim().HasAPI(self.physics.MaterialAPI) else None

    def _surface(self, link: Link, materials: list[Any]) -> None:
        """Friction and restitution of a body: of its colliders the largest."""
        for key, name in ("friction", "physics:dynamicFriction"), ("restitution", "physics:restitution"):
            values = {float(self._value(one, name, 0.0)) if one is not None else 0.0 for one in materials}
            if len(values) > 1:
                self.notes.append(f"{link.name}: its colliders differ in {key}; the largest is taken")
            if values and any(one is not None for one in materials):
                link.options[key] = max(values)

    def _mass(self, link: Link, prim: Any, colliders: list[Any], materials: list[Any]) -> float:
        """The mass of a body: its own, that of its density, or those of its colliders."""
        own = float(self._value(prim, "physics:mass", 0.0))
        if own > 0.0:
            return own * self.kilogram
        density = float(self._value(prim, "physics:density", 0.0))
        unit, total = self.kilogram / self.metre**3, 0.0
        for collider, material in zip(colliders, materials):
            given = float(self._value(collider, "physics:mass", 0.0)) if collider != prim else 0.0
            if given > 0.0 and not density > 0.0:
                total += given * self.kilogram
                continue
            alone = Link(link.name, link.pose, 0.0)
            self._collider(alone, collider)
            of_collider = float(self._value(collider, "physics:density", 0.0))
            of_material = float(self._value(material, "physics:density", 0.0)) if material is not None else 0.0
            chosen = next((one * unit for one in (density, of_collider, of_material) if one > 0.0), _DENSITY)
            total += chosen * self._volume(alone)
        return total

    def _volume(self, link: Link) -> float:
        found = sum(shapes.mass(shape).volume for shape, _ in link.parts)
        for mesh in link.meshes:
            a, b, c = (mesh.vertices[np.asarray(mesh.faces)[:, k]] for k in range(3))
            found += abs(float((a * np.cross(b, c)).sum() / 6.0))
        return float(found)

    def _motion(self, link: Link, prim: Any) -> None:
        """The velocities at the start, which USD has in the frame of the body's parent [distance/s, degrees/s]."""
        linear, angular = self._value(prim, "physics:velocity"), self._value(prim, "physics:angularVelocity")
        parent = self._world(prim.GetParent()) if prim.GetParent() else np.eye(4) * self.metre
        if linear is not None and any(linear):
            link.options["velocity"] = (parent[:3, :3] @ np.array(linear, dtype=np.float64)).tolist()
        if angular is not None and any(angular):
            link.options["angular_velocity"] = np.radians(_rigid(parent)[:3, :3] @ np.array(angular, dtype=np.float64)).tolist()

    def _weigh(self, link: Link, prim: Any, mass: float) -> None:
        """Gives a link its mass, with the centre and the inertia of the file, which are in the prim's frame; else those of the geometry count."""
        link.mass = mass
        centre = np.array(self._value(prim, "physics:centerOfMass", (np.inf,) * 3), dtype=np.float64)
        diagonal = np.array(self._value(prim, "physics:diagonalInertia", (0.0,) * 3), dtype=np.float64)
        has_inertia = bool(np.isfinite(diagonal).all() and diagonal.any())
        if not np.isfinite(centre).all():
            if has_inertia:
                self.notes.append(f"{link.name}: its inertia is not carried over, since the file names no centre of mass")
            return
        inertia = None
        if has_inertia:
            axes = self._value(prim, "physics:principalAxes")
            turn = _quaternion(axes)[:3, :3] if axes is not None else np.eye(3)
            inertia = turn @ np.diag(diagonal) @ turn.T * self.kilogram * self.metre**2
        link.mass = 0.0
        link.weigh(mass, (np.linalg.inv(link.pose) @ self._world(prim) @ np.array([*centre, 1.0]))[:3], inertia)

    def _body_of(self, prim: Any) -> Any:
        """The rigid body that a prim belongs to, or None."""
        while prim and not prim.IsPseudoRoot():
            if prim.HasAPI(self.physics.RigidBodyAPI) and self._value(prim, "physics:rigidBodyEnabled", True):
                return prim
            prim = prim.GetParent()
        return None

    def _links(self) -> tuple[dict[str, Link], list[Link], list[Any]]:
        """Moving links by the paths of their prims, still ones, and the prims of joints."""
        bodies: dict[str, tuple[Any, list[Any]]] = {}
        still: list[Any] = []
        joints: list[Any] = []
        for prim in self.stage.Traverse(self.usd.TraverseInstanceProxies()):
            if prim.IsA(self.physics.Joint):
                joints.append(prim)
            if prim.HasAPI(self.physics.RigidBodyAPI) and self._body_of(prim) == prim:
                bodies.setdefault(str(prim.GetPath()), (prim, []))
            if prim.HasAPI(self.physics.CollisionAPI) and self._value(prim, "physics:collisionEnabled", True):
                owner = self._body_of(prim)
                if owner is None:
                    still.append(prim)
                else:
                    bodies.setdefault(str(owner.GetPath()), (owner, []))[1].append(prim)
            if prim.IsA(self.physics.CollisionGroup):
                self.notes.append(f"{prim.GetPath()}: collision groups are not carried over")
        links = {}
        for name, (prim, colliders) in bodies.items():
            links[name] = self._moving(name, prim, colliders)
        fixed = []
        for prim in still:
            link = Link(str(prim.GetPath()), _rigid(self._world(prim)), 0.0, fixed=True)
            self._collider(link, prim)
            self._surface(link, [self._material(prim)])
            fixed.append(link)
        return links, fixed, joints

    def _moving(self, name: str, prim: Any, colliders: list[Any]) -> Link:
        link = Link(name, _rigid(self._world(prim)), 0.0)
        materials = [self._material(one) for one in colliders]
        for one in colliders:
            self._collider(link, one)
        self._surface(link, materials)
        self._motion(link, prim)
        self._weigh(link, prim, self._mass(link, prim, colliders, materials))
        if self._value(prim, "physics:kinematicEnabled", False):
            link.options["kind"] = "kinematic"
        if self._value(prim, "physics:startsAsleep", False):
            self.notes.append(f"{name}: starts awake")
        if not link.mass > 0.0:
            raise refuse("mass", f"{name} moves and has neither mass nor colliders")
        return link

    # ---- joints

    def _end(self, prim: Any, side: int) -> tuple[str, Floats]:
        """The body at one end of a joint ("" for the world) and the joint's frame in the world."""
        targets = prim.GetRelationship(f"physics:body{side}").GetTargets() if prim.HasRelationship(f"physics:body{side}") else []
        target = self.stage.GetPrimAtPath(targets[0]) if targets else None
        if targets and not target:
            raise refuse("joint", f"{prim.GetPath()} names {targets[0]}, which does not exist")
        matrix = self._world(target) if target else np.diag([self.metre] * 3 + [1.0])
        frame = _rigid(matrix) @ _quaternion(self._value(prim, f"physics:localRot{side}"))
        frame[:3, 3] = (matrix @ np.array([*self._value(prim, f"physics:localPos{side}", (0, 0, 0)), 1.0]))[:3]
        owner = self._body_of(target) if target else None
        return (str(owner.GetPath()) if owner else ""), frame

    def _spring(self, prim: Any, kind: str, scale: float, now: float) -> dict[str, float]:
        """The drive of a joint as a spring; a turning drive has its numbers per degree."""
        stiffness, damping, target = (float(self._value(prim, f"drive:{kind}:physics:{key}", 0.0)) for key in ("stiffness", "damping", "targetPosition"))
        if self._value(prim, f"drive:{kind}:physics:targetVelocity", 0.0):
            self.notes.append(f"{prim.GetPath()}: the target velocity of its drive is not carried over")
        force = self.kilogram if kind == "linear" else self.kilogram * self.metre**2 / np.radians(1.0)
        found = {"stiffness": stiffness * force, "rest": target * scale - now} if stiffness > 0.0 else {}
        return {**found, **({"damping": damping * force} if damping > 0.0 else {})}

    def _coordinate(self, prim: Any, kind: str, first: Floats, second: Floats, z: Floats) -> float:
        """Where a joint with one coordinate is at the start."""
        if kind == "prismatic":
            return float((second[:3, 3] - first[:3, 3]) @ first[:3, :3] @ z)
        between = first[:3, :3].T @ second[:3, :3]
        x = np.eye(3)[int(np.argmin(np.abs(z)))]
        return float(np.arctan2(np.cross(x, between @ x) @ z, x @ between @ x))

    def _join(self, scene: Scene, prim: Any, made: dict[str, list[str]]) -> tuple[str, str] | None:
        name, kind = str(prim.GetPath()), str(prim.GetTypeName())
        words = {"PhysicsRevoluteJoint": "revolute", "PhysicsPrismaticJoint": "prismatic", "PhysicsSphericalJoint": "spherical", "PhysicsFixedJoint": "weld",
                 "PhysicsDistanceJoint": "distance"}
        if not self._value(prim, "physics:jointEnabled", True):
            return None
        (a, first), (b, second) = self._end(prim, 0), self._end(prim, 1)
        if a == b:
            self.notes.append(f"{name}: both its ends are on one body, or on none that moves")
            return None
        if kind not in words:
            raise refuse("joint", f"{name} is a {kind}; revolute, prismatic, spherical, fixed and distance joints can be taken")
        word = words[kind]
        z = _TO_Z[str(self._value(prim, "physics:axis", "X"))][:, 2]
        options: dict[str, Any] = {"collide": True} if self._value(prim, "physics:collisionEnabled", False) else {}
        apart = second[:3, 3] - first[:3, 3]
        if word == "prismatic":
            axis = first[:3, :3] @ z
            apart = apart - axis * (axis @ apart)
        if word in ("revolute", "prismatic"):
            now, scale = self._coordinate(prim, word, first, second, z), self.metre if word == "prismatic" else np.radians(1.0)
            low, high = self._value(prim, "physics:lowerLimit"), self._value(prim, "physics:upperLimit")
            if low is not None and high is not None and low > high:
                raise refuse("limits", f"{name} has limits from {low} to {high}")
            options |= {key: float(limit) * scale - now for key, limit in (("lower", low), ("upper", high)) if limit is not None}
            options |= self._spring(prim, "linear" if word == "prismatic" else "angular", scale, now)
        if word == "spherical" and max(float(self._value(prim, f"physics:coneAngle{i}Limit", -1.0)) for i in (0, 1)) >= 0.0:
            self.notes.append(f"{name}: the limit of its cone is not carried over")
        if word == "distance":
            low, high = (float(self._value(prim, f"physics:{key}Distance", -1.0)) * self.metre for key in ("min", "max"))
            options |= {"position_b": second[:3, 3].tolist(), **({"lower": low} if low >= 0.0 else {}), **({"upper": high} if high >= 0.0 else {})}
        elif np.linalg.norm(apart) > 1e-4 * max(1.0, float(np.linalg.norm(second[:3, 3]))):
            raise refuse("frames", f"{name}: its frames on both bodies are {np.linalg.norm(apart):g} m apart at the start")
        for side, end in ("0", a), ("1", b):
            if end and end not in made:
                raise refuse("joint", f"{name}: body{side} is {end}, which is no rigid body")
        frame = row(first) if word == "spherical" else frame_along(first[:3, :3] @ z, second[:3, 3] if word not in ("distance", "prismatic") else first[:3, 3])
        scene.add_joint(word, made[a][0], made[b][0], frame, **options)
        if "collide" not in options and (len(made[a]) > 1 or len(made[b]) > 1):
            exclude(scene, made[a], made[b])
        return a, b

    # ---- the scene

    def _gravity(self) -> list[float]:
        up = np.array([0.0, 1.0, 0.0] if self.geom.GetStageUpAxis(self.stage) == self.geom.Tokens.y else [0.0, 0.0, 1.0])
        found = [prim for prim in self.stage.Traverse() if prim.IsA(self.physics.Scene)]
        if len(found) > 1:
            self.notes.append(f"{found[0].GetPath()}: the first of {len(found)} physics scenes gives the gravity")
        direction = np.array(self._value(found[0], "physics:gravityDirection", (0, 0, 0)) if found else (0, 0, 0), dtype=np.float64)
        magnitude = self._value(found[0], "physics:gravityMagnitude") if found else None
        length = float(np.linalg.norm(direction))
        strength = 9.81 if magnitude is None else float(magnitude) * self.metre
        gravity: list[float] = ((-up if not length > 0.0 else direction / length) * strength).tolist()
        return gravity

    def _filtered(self, scene: Scene, made: dict[str, list[str]]) -> None:
        """Pairs that the file filters out."""
        for prim in self.stage.Traverse(self.usd.TraverseInstanceProxies()):
            if not prim.HasAPI(self.physics.FilteredPairsAPI):
                continue
            owner = self._body_of(prim) or prim
            for target in prim.GetRelationship("physics:filteredPairs").GetTargets():
                other = self._body_of(self.stage.GetPrimAtPath(target)) or self.stage.GetPrimAtPath(target)
                exclude(scene, made.get(str(owner.GetPath()), []), made.get(str(other.GetPath()), []) if other else [])

    def scene(self, duration: float, meshes: str, self_collision: bool, settings: Mapping[str, Any]) -> Scene:
        title = str(self.stage.GetRootLayer().GetDisplayName() or "USD")
        scene = Scene(duration, **{"title": title, "gravity": self._gravity(), **settings})
        links, fixed, joints = self._links()
        made = {link.name: add_link(scene, link, meshes) for link in [*fixed, *links.values()]}
        if any(not self._end(prim, side)[0] for prim in joints for side in (0, 1)):
            made[""] = add_link(scene, self.world, meshes)
        ends = [found for found in (self._join(scene, prim, made) for prim in joints) if found is not None]
        if not self_collision:
            self._group(scene, made, [pair for pair in ends if "" not in pair])
        self._filtered(scene, made)
        scene.notes += dict.fromkeys(self.notes)
        return scene

    def _group(self, scene: Scene, made: dict[str, list[str]], ends: list[tuple[str, str]]) -> None:
        """Gives bodies that chains of joints connect a group whose members do not touch."""
        group: dict[str, int] = {}
        for a, b in ends:
            keep, drop = group.setdefault(a, -1 - len(group)), group.setdefault(b, -1 - len(group))
            group = {name: keep if one == drop else one for name, one in group.items()}
        for name, number in group.items():
            for body in scene.data["bodies"]:
                if body["name"] in made[name]:
                    body["group"] = number


__all__ = ["from_usd"]
