"""Scenes: a world, its bodies, joints and actions over time, as the JSON files that the command ``abut`` runs.

``docs/formats/scenes.md`` describes every key. ``run`` is the command's: the wheel holds the contact library alone, without HDF5.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any, Callable, Mapping, Sequence

import numpy as np
from numpy.typing import ArrayLike

from . import _arrays
from ._core import Shape

Json = dict[str, Any]


def _plain(value: Any) -> Any:
    """The value as JSON has it. Numbers keep all their bits."""
    if isinstance(value, Shape):
        return shape_to_json(value)
    if isinstance(value, (np.ndarray, np.generic)):
        return value.tolist()
    if isinstance(value, Mapping):
        return {str(key): _plain(one) for key, one in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(one) for one in value]
    return value


def _turn(quaternion: Any) -> Json:
    return {} if tuple(quaternion) == (0.0, 0.0, 0.0, 1.0) else {"rotation": {"quaternion": [float(q) for q in quaternion]}}


def _placed(pose: ArrayLike | None, name: str) -> Json:
    """A pose as the keys of a scene: position and rotation."""
    row = _arrays.poses(pose, name)[0].reshape(-1, 7)
    if len(row) != 1:
        raise ValueError(f"{name}: one pose is expected, not {len(row)}")
    return {"position": row[0, :3].tolist(), **_turn(row[0, 3:].tolist())}


def _round(kind: str, *keys: str) -> Callable[..., Json]:
    return lambda *values: {kind: dict(zip(keys, _plain(values)))}


def _polytope(points: Any, sizes: Any, corners: Any, tolerance: float) -> Json:
    ends = np.cumsum(sizes)
    return {"polytope": {"vertices": points.tolist(), "faces": [corners[end - size : end].tolist() for size, end in zip(sizes, ends)]}}


def _compound(parts: Sequence[Shape], poses: Any) -> Json:
    rows = poses.reshape(-1, 7)
    return {"compound": [{"shape": shape_to_json(part), **_placed(row, "poses")} for part, row in zip(parts, rows)]}


def _implicit(formula: str, lower: Any, upper: Any, inside: Any, named: Any, convex: bool) -> Json:
    keys = {"formula": formula, "lower": _plain(lower), "upper": _plain(upper), "inside": _plain(inside), "convex": convex}
    return {"implicit": {**keys, **({"parameters": dict(named)} if named else {})}}


def _parametric(surface: Any, u: Any, v: Any, u_periodic: bool, v_periodic: bool, named: Any, convex: bool) -> Json:
    keys = {**dict(zip("xyz", surface)), "u": list(u), "v": list(v), "u_periodic": u_periodic, "v_periodic": v_periodic, "convex": convex}
    return {"parametric": {**keys, **({"parameters": dict(named)} if named else {})}}


def _trimesh(points: Any, triangles: Any, scale: Any, two_sided: bool, angle: float) -> Json:
    keys = {"vertices": points.tolist(), "triangles": triangles.tolist(), "scale": scale.tolist(), "two_sided": two_sided}
    return {"trimesh": {**keys, "smooth_angle_degrees": float(np.degrees(angle))}}


def _heightfield(heights: Any, x: float, y: float, two_sided: bool) -> Json:
    return {"heightfield": {"heights": heights.tolist(), "spacing": [x, y], "two_sided": two_sided}}


def _facetmesh(points: Any, triangles: Any, radii: Any, cross_radii: Any, directions: Any, lip_radius: float, principal: bool) -> Json:
    keys = {"vertices": points.tolist(), "triangles": triangles.tolist()}
    if radii is not None:
        keys["radii"] = ["flat" if np.isinf(r) else "estimated" if r == 0 else float(r) for r in radii]
    if cross_radii is not None:
        keys["cross_radii"] = ["flat" if np.isinf(r) else float(r) for r in cross_radii]
        keys["directions"] = directions.tolist()
    if lip_radius:
        keys["lip_radius"] = lip_radius
    if principal:
        keys["principal_curvatures"] = True
    return {"facetmesh": keys}


def _superquadric(half: Any, e1: float, e2: float) -> Json:
    return {"superquadric": {"half": half.tolist(), "exponents": [e1, e2]}}


_WRITERS: dict[str, Callable[..., Json]] = {
    "sphere": _round("sphere", "radius"), "capsule": _round("capsule", "radius", "half_length"), "box": _round("box", "half"), "polytope": _polytope,
    "hull": _round("hull", "points"), "cylinder": _round("cylinder", "radius", "half_height"), "cone": _round("cone", "radius", "height"),
    "frustum": _round("cone", "radius", "top_radius", "height"), "prism": _round("prism", "radius", "half_height", "sides"),
    "pyramid": _round("pyramid", "radius", "height", "sides"), "plane": _round("plane", "normal", "offset"), "compound": _compound,
    "ellipsoid": _round("ellipsoid", "half"), "superquadric": _superquadric, "torus": _round("torus", "ring_radius", "tube_radius"),
    "implicit": _implicit, "parametric": _parametric, "trimesh": _trimesh, "heightfield": _heightfield, "facetmesh": _facetmesh,
    "with_contraction": lambda shape, point: {**shape_to_json(shape), "contraction": point.tolist()},
    "with_mass": lambda shape, *own: shape_to_json(shape),
}  # fmt: skip


def shape_to_json(shape: Shape) -> Json:
    """The shape as a scene has it. Angles are written in degrees, and may differ in the last bit; polytopes lose their tolerance. A mass distribution of the
    caller is no part of a scene's shape: ``Scene.add_body`` writes it as keys of the body."""
    definition: Any = shape.definition
    maker, arguments = definition
    return _WRITERS[maker](*arguments)


def _own_mass(shape: Any, name: str, options: Mapping[str, Any]) -> Json:
    """The keys of a body whose shape has a mass distribution of the caller. Bodies that do not move have none."""
    if not isinstance(shape, Shape) or options.get("kind", "dynamic") != "dynamic":
        return {}
    definition: Any = shape.definition
    maker, arguments = definition
    if maker != "with_mass":
        return _own_mass(arguments[0], name, options) if maker == "with_contraction" else {}
    _, mass, centre, inertia = arguments
    if "mass" not in options:
        raise ValueError(f"body '{name}': a shape with a mass distribution of its own needs the option mass")
    return {"mass_centre": centre.tolist(), "inertia": (inertia * (float(options["mass"]) / mass)).reshape(3, 3).tolist()}


def _named_files(value: Any) -> list[tuple[Json, str]]:
    """All places of a scene that name a file beside it: the object and the key."""
    found: list[tuple[Json, str]] = []
    if isinstance(value, dict):
        found += [(one, "file") for kind, one in value.items() if kind in ("mesh", "trimesh", "facetmesh") and isinstance(one, dict) and "file" in one]
        found += [(value, key) for key in ("curve", "table") if isinstance(value.get(key), str)]
        start = value.get("start")
        if "abut_scene" in value and isinstance(start, dict) and "recording" in start:
            found.append((start, "recording"))
        value = list(value.values())
    if isinstance(value, list):
        for one in value:
            found += _named_files(one)
    return found


class Scene:
    """A scene: ``Scene(duration=2.0)`` and ``add_body``, or ``Scene.load(path)``, or ``Scene.from_dict(data)``.

    ``data`` is the scene as JSON has it; change it freely. ``folder`` is where mesh files with relative names are. ``notes`` has what an importer could not
    carry over. Settings by their names in ``docs/formats/scenes.md``: gravity, dt, stepper, until, start, contact, materials, shapes, title, description.
    """

    def __init__(self, duration: float = 1.0, *, folder: str | os.PathLike[str] = ".", **settings: Any) -> None:
        self.data: Json = {"abut_scene": 1, **_plain(settings), "duration": float(duration), "bodies": []}
        self.folder = Path(folder).absolute()
        self.notes: list[str] = []

    @classmethod
    def from_dict(cls, data: Mapping[str, Any], folder: str | os.PathLike[str] = ".") -> Scene:
        """A scene from its JSON, as Python's ``json`` reads it. The data are copied."""
        scene = cls(folder=folder)
        scene.data = _plain(data)
        return scene

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Scene:
        """Read a scene file. ``abut.run`` and ``check`` tell about mistakes in it."""
        data = json.loads(Path(path).read_text(encoding="utf-8"))
        if not isinstance(data, dict):
            raise ValueError(f"{os.fspath(path)}: a scene is a JSON object")
        return cls.from_dict(data, Path(path).absolute().parent)

    def add_body(self, name: str, shape: Shape | str | Mapping[str, Any], pose: ArrayLike | None = None, **options: Any) -> str:
        """Add a body and return its name. ``shape`` is a shape, the name of one in ``shapes``, or its JSON. Options are the keys of a body: kind, velocity,
        angular_velocity, material, density, mass, friction, restitution, sensor, group ... A shape ``with_mass`` needs the option mass."""
        body = {"name": name, "shape": _plain(shape), **_placed(pose, "pose"), **_own_mass(shape, name, options), **_plain(options)}
        if "fill" in body or "inlet" in body:
            del body["position"]  # of bodies that come later, or of many
        self.data.setdefault("bodies", []).append(body)
        return name

    def add_joint(self, kind: str, a: str, b: str, pose: ArrayLike | None = None, **options: Any) -> None:
        """Join two bodies by their names. ``pose`` is the joint's frame in the world; its z axis is the axis. None: at body b. Options are the keys of a
        joint: lower, upper, motor, stiffness, damping, rest, ratio, collide, break_force ..."""
        place = {} if pose is None else _placed(pose, "pose")
        self.data.setdefault("joints", []).append({"kind": kind, "a": a, "b": b, **place, **_plain(options)})

    def add_action(self, at: float, **action: Any) -> None:
        """Add an action: ``remove``, ``spring``, ``force`` or ``velocity``; springs and forces with ``until``."""
        self.data.setdefault("actions", []).append({"at": float(at), **_plain(action)})

    @property
    def bodies(self) -> list[str]:
        """Names of the bodies in the scene's list. A body with a ``fill`` is one of them, and many in a run."""
        return [body["name"] for body in self.data.get("bodies", [])]

    def to_json(self) -> str:
        """The text of the scene. Numbers keep all their bits; a number that is not finite is a ValueError, because JSON has none."""
        return json.dumps(self.data, allow_nan=False)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write a scene file. Names of meshes, of tables and of a recording to start from are made relative to its folder."""
        target = Path(path).absolute()
        data = json.loads(self.to_json())
        for named, key in _named_files(data):
            named[key] = Path(os.path.relpath(self.folder / named[key], target.parent)).as_posix()
        target.write_text(json.dumps(data, indent=1, allow_nan=False) + "\n", encoding="utf-8")

    def check(self, *, command: str | os.PathLike[str] | None = None) -> str:
        """Load the scene as ``run`` does and return what the command says; its warnings are in it. Mistakes are an ``ArgumentError``."""
        from . import runs

        return runs.check(self, command=command)

    def __repr__(self) -> str:
        data = self.data
        return f"<abut.Scene {data.get('title', '')!r}: {len(data.get('bodies', []))} bodies, {len(data.get('joints', []))} joints, {data.get('duration')} s>"


__all__ = ["Scene", "shape_to_json"]
