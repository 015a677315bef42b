"""Robots from URDF files: an extra, ``pip install abut[urdf]`` (yourdfpy and trimesh)."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any, Mapping

import numpy as np

from . import _arrays, shapes
from ._robots import Floats, Link, Triangles, add_link, check_meshes, exclude, frame_along, refuse, turned
from .scenes import Scene

_FREE = {"floating"}
_HELD = {"revolute": "revolute", "continuous": "revolute", "prismatic": "prismatic"}


def _file(name: str, path: Path, packages: Mapping[str, Any]) -> Path:
    """The file that a URDF names: package://NAME/rest, file://, absolute, or beside the URDF."""
    if name.startswith(("package://", "model://")):
        package, _, rest = name.split("://", 1)[1].partition("/")
        if package in packages:
            return Path(os.fspath(packages[package]), rest)
        for folder in path.parents:
            for candidate in (folder / package / rest, folder / rest):
                if candidate.is_file():
                    return candidate
        raise refuse("missing_file", f"{name} is not in a folder above {path}; packages={{{package!r}: FOLDER}} names its place")
    name = name[len("file://") :] if name.startswith("file://") else name
    return path.parent / name


def _triangles(mesh: Any, pose: Floats, path: Path, packages: Mapping[str, Any]) -> Triangles:
    import trimesh

    file = _file(mesh.filename, path, packages)
    if not file.is_file():
        raise refuse("missing_file", f"{file} does not exist")
    try:
        loaded: Any = trimesh.load(file, force="mesh")
    except Exception as error:  # trimesh has no common exception
        raise refuse("unreadable_mesh", f"{file}: {error}") from error
    if not hasattr(loaded, "faces") or len(loaded.faces) == 0:
        raise refuse("unreadable_mesh", f"{file} has no triangles")
    scale = np.broadcast_to(1.0 if mesh.scale is None else np.asarray(mesh.scale, dtype=np.float64), 3)
    faces = loaded.faces[:, ::-1] if np.prod(scale) < 0 else loaded.faces
    points = (np.asarray(loaded.vertices) * scale) @ pose[:3, :3].T + pose[:3, 3]
    return Triangles(points, np.asarray(faces), file.name)


def _geometry(link: Link, collision: Any, pose: Floats, path: Path, packages: Mapping[str, Any]) -> None:
    geometry = collision.geometry
    if geometry.box is not None:
        link.parts.append((shapes.box(np.asarray(geometry.box.size) / 2), pose))
    elif geometry.cylinder is not None:
        link.parts.append((shapes.cylinder(geometry.cylinder.radius, geometry.cylinder.length / 2), pose))
    elif geometry.sphere is not None:
        link.parts.append((shapes.sphere(geometry.sphere.radius), pose))
    elif geometry.mesh is not None:
        link.meshes.append(_triangles(geometry.mesh, pose, path, packages))
    else:
        raise refuse("geometry", f"link {link.name!r} has a collision geometry of an unknown kind")


def _matrix(origin: Any) -> Floats:
    return np.eye(4) if origin is None else np.asarray(origin, dtype=np.float64)


def _moved(joint: Any, value: float) -> Floats:
    """The motion of a joint at a value of its coordinate."""
    matrix = np.eye(4)
    if joint.type not in _HELD:
        return matrix
    axis = np.asarray(joint.axis if joint.axis is not None else (1.0, 0.0, 0.0), dtype=np.float64)
    length = float(np.linalg.norm(axis))
    if not length > 0.0:
        raise refuse("axis", f"the axis of joint {joint.name!r} has no length")
    axis = axis / length
    if joint.type == "prismatic":
        matrix[:3, 3] = axis * value
    else:
        matrix = turned((*(np.sin(value / 2) * axis), np.cos(value / 2)))
    return matrix


def _values(robot: Any, configuration: Mapping[str, float]) -> dict[str, float]:
    """The coordinate of each joint at the start: as given, or the one nearest to 0 within its limits; mimics follow."""
    unknown = set(configuration) - {joint.name for joint in robot.joints}
    if unknown:
        raise ValueError(f"configuration: there is no joint {sorted(unknown)[0]!r}")
    values = {}
    for joint in robot.joints:
        limits = joint.limit if joint.type in ("revolute", "prismatic") else None
        nearest = 0.0
        if limits is not None and limits.lower is not None and limits.upper is not None and limits.lower <= limits.upper:
            nearest = float(np.clip(0.0, limits.lower, limits.upper))
        values[joint.name] = float(configuration.get(joint.name, nearest))
    for joint in robot.joints:
        if joint.mimic is not None and joint.mimic.joint in values and joint.name not in configuration:
            factor = 1.0 if joint.mimic.multiplier is None else float(joint.mimic.multiplier)
            values[joint.name] = factor * values[joint.mimic.joint] + float(joint.mimic.offset or 0.0)
    return values


def from_urdf(path: str | os.PathLike[str], *, duration: float = 1.0, pose: Any = None, fixed_base: bool = True,
              configuration: Mapping[str, float] | None = None, self_collision: bool = False, meshes: str = "keep",
              packages: Mapping[str, str | os.PathLike[str]] | None = None, **settings: Any) -> Scene:
    """A scene with the robot of a URDF file.

    Links that fixed joints hold together become one body. Meshes stay meshes (``meshes="keep"``); one of a moving link must be closed, or the robot is
    refused with ``open_mesh``. "hull_open" takes hulls of those that are not, "hull" of all. ``pose``: of the base. ``configuration``: coordinates of joints at
    the start; coordinates in a recording count from there, and limits are moved accordingly. ``packages``: folders for ``package://NAME``; else they are
    searched above the file. ``self_collision``: links touch each other unless a joint connects them. Settings are those of ``Scene``.

    A body has the mass, the centre of mass and the inertia of its links. ``notes`` of the scene names inertias that no body can have: there the collision
    geometry at uniform density counts. It also names what else was not carried over: planar joints are refused; a mimic becomes a gear where both joints turn beside the same fixed body.
    """
    try:
        import yourdfpy  # type: ignore[import-untyped, import-not-found, unused-ignore]
    except ImportError as missing:
        raise ImportError('from_urdf needs yourdfpy and trimesh: pip install "abut[urdf]"') from missing
    check_meshes(meshes)
    place = Path(path).absolute()
    if not place.is_file():
        raise FileNotFoundError(f"{place} does not exist")
    try:
        loaded = yourdfpy.URDF.load(str(place), load_meshes=False, load_collision_meshes=False, build_scene_graph=False, build_collision_scene_graph=False)
        robot = loaded.robot
    except Exception as error:  # whatever the XML makes yourdfpy raise
        raise refuse("unreadable_urdf", f"{place}: {error}") from error
    return _Import(robot, place, packages or {}, _values(robot, configuration or {})).scene(duration, pose, fixed_base, self_collision, meshes, settings)


class _Import:
    def __init__(self, robot: Any, path: Path, packages: Mapping[str, Any], values: dict[str, float]) -> None:
        self.robot, self.path, self.packages, self.values = robot, path, packages, values
        self.owner: dict[str, Link] = {}
        self.pose: dict[str, Floats] = {}

    def _root(self) -> str:
        children = {joint.child for joint in self.robot.joints}
        roots = [link.name for link in self.robot.links if link.name not in children]
        if len(roots) != 1:
            raise refuse("tree", f"one link without a parent is expected, not {len(roots)}")
        return str(roots[0])

    def _add(self, link: Any, owner: Link) -> None:
        """Gives the geometry and mass of a link to the body that it belongs to."""
        self.owner[link.name] = owner
        local = np.linalg.inv(owner.pose) @ self.pose[link.name]
        for collision in link.collisions or []:
            _geometry(owner, collision, local @ _matrix(collision.origin), self.path, self.packages)
        if link.inertial is not None and link.inertial.mass is not None:
            place, inertia = local @ _matrix(link.inertial.origin), link.inertial.inertia
            turn = place[:3, :3]
            owner.weigh(float(link.inertial.mass), place[:3, 3], None if inertia is None else turn @ np.asarray(inertia, dtype=np.float64) @ turn.T)

    def _walk(self, base: Floats, fixed_base: bool) -> list[tuple[Link, Any]]:
        """Links with the joints that move them, parents first."""
        by_name = {link.name: link for link in self.robot.links}
        root = self._root()
        self.pose[root] = base
        first = Link(root, base, 0.0, fixed=fixed_base)
        found: list[tuple[Link, Any]] = [(first, None)]
        self._add(by_name[root], first)
        queue = [root]
        while queue:
            parent = queue.pop(0)
            for joint in (one for one in self.robot.joints if one.parent == parent):
                if joint.child in self.pose or joint.child not in by_name:
                    raise refuse("tree", f"joint {joint.name!r} closes a loop or names an unknown link")
                if joint.type not in {"fixed"} | _FREE | set(_HELD):
                    raise refuse("joint", f"joint {joint.name!r} is {joint.type}; revolute, continuous, prismatic, fixed and floating ones can be taken")
                self.pose[joint.child] = self.pose[parent] @ _matrix(joint.origin) @ _moved(joint, self.values[joint.name])
                owner = self.owner[parent]
                if joint.type != "fixed":
                    owner = Link(joint.child, self.pose[joint.child], 0.0)
                    found.append((owner, joint))
                self._add(by_name[joint.child], owner)
                queue.append(joint.child)
        return found

    def scene(self, duration: float, pose: Any, fixed_base: bool, self_collision: bool, meshes: str, settings: Mapping[str, Any]) -> Scene:
        given = _arrays.poses(pose, "pose")[0].reshape(-1, 7)[0]
        base = turned(given[3:])
        base[:3, 3] = given[:3]
        scene = Scene(duration, **{"title": str(self.robot.name or self.path.stem), **settings})
        links = self._walk(base, fixed_base)
        made: dict[str, list[str]] = {}
        for link, _ in links:
            if not link.fixed and not link.mass > 0.0:
                link.weigh(1e-3, np.zeros(3), None)
                scene.notes.append(f"link {link.name!r} has no mass: 0.001 stands for it")
            if not self_collision:
                link.options["group"] = -1
            made[link.name] = add_link(scene, link, meshes)
        for link, joint in links:
            if joint is not None:
                self._join(scene, link, joint, made, self_collision)
        self._mimics(scene, {joint.name: (link, joint) for link, joint in links if joint is not None})
        return scene

    def _axis(self, link: Link, joint: Any) -> Floats:
        axis = np.asarray(joint.axis if joint.axis is not None else (1.0, 0.0, 0.0), dtype=np.float64)
        turned: Floats = link.pose[:3, :3] @ axis
        return turned

    def _join(self, scene: Scene, link: Link, joint: Any, made: dict[str, list[str]], self_collision: bool) -> None:
        parent = self.owner[joint.parent]
        if self_collision:
            exclude(scene, made[parent.name], made[link.name])
        if joint.type in _FREE:
            return
        options: dict[str, Any] = {}
        if joint.type != "continuous" and joint.limit is not None and joint.limit.lower is not None and joint.limit.upper is not None:
            low, high = joint.limit.lower - self.values[joint.name], joint.limit.upper - self.values[joint.name]
            if low > high:
                raise refuse("limits", f"joint {joint.name!r} has limits from {joint.limit.lower} to {joint.limit.upper}")
            options |= {"lower": float(low), "upper": float(high)}
        if joint.dynamics is not None and joint.dynamics.damping:
            options["damping"] = float(joint.dynamics.damping)
        scene.add_joint(_HELD[joint.type], made[parent.name][0], made[link.name][0], frame_along(self._axis(link, joint), link.pose[:3, 3]), **options)

    def _mimics(self, scene: Scene, joints: dict[str, tuple[Link, Any]]) -> None:
        for link, joint in joints.values():
            if joint.mimic is None:
                continue
            source, first = joints.get(joint.mimic.joint, (link, None))
            ratio = 1.0 if joint.mimic.multiplier is None else float(joint.mimic.multiplier)
            turning = first is not None and _HELD.get(joint.type) == "revolute" == _HELD.get(first.type)
            beside = first is not None and turning and self.owner[joint.parent].fixed and self.owner[first.parent].fixed
            axis, along = self._axis(link, joint), self._axis(source, first) if beside else np.zeros(3)
            if not beside or ratio == 0.0 or np.linalg.norm(np.cross(axis, along)) > 1e-6:
                scene.notes.append(f"joint {joint.name!r}: its mimic of {joint.mimic.joint!r} is not carried over")
                continue
            scene.add_joint("gear", link.name, source.name, frame_along(axis, link.pose[:3, 3]), ratio=-ratio * float(np.sign(axis @ along)))


__all__ = ["from_urdf"]
