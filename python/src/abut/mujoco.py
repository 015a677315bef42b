"""Models of MuJoCo: an extra, ``pip install abut[mujoco]``."""

from __future__ import annotations

import os
from typing import Any, Mapping

import numpy as np

from . import shapes
from ._robots import Floats, Link, Triangles, add_link, check_meshes, exclude, frame_along, refuse
from .scenes import Scene

_CARRIER = 0.1
"""The share of a body's mass that each body between its joints gets."""


def _rigid(position: Any, rotation: Any) -> Floats:
    matrix = np.eye(4)
    matrix[:3, :3] = np.asarray(rotation, dtype=np.float64).reshape(3, 3)
    matrix[:3, 3] = position
    return matrix


def from_mujoco(model: Any, *, duration: float = 1.0, configuration: Any = None, meshes: str = "keep", self_collision: bool = True, **settings: Any) -> Scene:
    """A scene with the bodies of a MuJoCo model: the path of an MJCF file, or a ``mujoco.MjModel``.

    MuJoCo reads the file, with its includes and defaults. Bodies without joints belong to their parents. Geoms that can touch nothing are left out. Meshes stay
    the meshes that the file names, not the hulls that MuJoCo makes of them; one of a moving body must be closed, or the model is refused with ``open_mesh``;
    "hull_open" takes hulls of those that are not, "hull" of all. ``configuration``: qpos at the start. A body with several joints gets a chain of small bodies
    between them, which take a tenth of its mass each. ``self_collision=False``: bodies of one tree do not touch each other.

    A body has the mass, the centre of mass and the inertia that MuJoCo gives it. ``notes`` of the scene names what was not carried over, such as actuators,
    tendons, and equality constraints.
    """
    try:
        import mujoco  # type: ignore[import-untyped, import-not-found, unused-ignore]
    except ImportError as missing:
        raise ImportError('from_mujoco needs mujoco: pip install "abut[mujoco]"') from missing
    check_meshes(meshes)
    if isinstance(model, (str, os.PathLike)):
        if not os.path.isfile(model):
            raise FileNotFoundError(f"{os.fspath(model)} does not exist")
        try:
            model = mujoco.MjModel.from_xml_path(os.fspath(model))
        except ValueError as error:
            raise refuse("unreadable_model", str(error)) from error
    data = mujoco.MjData(model)
    if configuration is not None:
        data.qpos[:] = configuration
    mujoco.mj_kinematics(model, data)
    return _Import(mujoco, model, data).scene(duration, meshes, self_collision, settings)


class _Import:
    def __init__(self, mujoco: Any, model: Any, data: Any) -> None:
        self.mujoco, self.model, self.data = mujoco, model, data
        self.names: list[str] = []
        for i in range(model.nbody):
            name = model.body(i).name or f"body_{i}"
            self.names.append(name if name not in self.names else f"{name}_{i}")

    def _pose(self, body: int) -> Floats:
        return _rigid(self.data.xpos[body], self.data.xmat[body])

    def _mesh(self, geom: int, local: Floats) -> Triangles:
        model, mesh = self.model, int(self.model.geom_dataid[geom])
        first, count = int(model.mesh_vertadr[mesh]), int(model.mesh_vertnum[mesh])
        start, faces = int(model.mesh_faceadr[mesh]), int(model.mesh_facenum[mesh])
        points = np.asarray(model.mesh_vert[first : first + count], dtype=np.float64)
        return Triangles(points @ local[:3, :3].T + local[:3, 3], np.array(model.mesh_face[start : start + faces]), model.mesh(mesh).name or f"mesh_{mesh}")

    def _field(self, geom: int, local: Floats) -> Triangles:
        """The top of a height field as a mesh."""
        model, field = self.model, int(self.model.geom_dataid[geom])
        rows, columns, start = int(model.hfield_nrow[field]), int(model.hfield_ncol[field]), int(model.hfield_adr[field])
        x, y, top, _ = model.hfield_size[field]
        heights = np.asarray(model.hfield_data[start : start + rows * columns], dtype=np.float64) * top
        grid_y, grid_x = np.meshgrid(np.linspace(-y, y, rows), np.linspace(-x, x, columns), indexing="ij")
        points = np.stack([grid_x.ravel(), grid_y.ravel(), heights], axis=1)
        corner = (np.arange(rows - 1)[:, None] * columns + np.arange(columns - 1)).ravel()
        faces = np.concatenate([np.stack([corner, corner + 1, corner + columns + 1], 1), np.stack([corner, corner + columns + 1, corner + columns], 1)])
        return Triangles(points @ local[:3, :3].T + local[:3, 3], faces, "height field")

    def _geom(self, link: Link, geom: int) -> None:
        """Gives a geom to the link that it belongs to."""
        kinds, kind, size = self.mujoco.mjtGeom, int(self.model.geom_type[geom]), self.model.geom_size[geom]
        local = np.linalg.inv(link.pose) @ _rigid(self.data.geom_xpos[geom], self.data.geom_xmat[geom])
        if kind == int(kinds.mjGEOM_MESH):
            link.meshes.append(self._mesh(geom, local))
        elif kind == int(kinds.mjGEOM_HFIELD):
            link.meshes.append(self._field(geom, local))
        elif kind == int(kinds.mjGEOM_PLANE):
            link.parts.append((shapes.plane(), local))
        elif kind == int(kinds.mjGEOM_SPHERE):
            link.parts.append((shapes.sphere(size[0]), local))
        elif kind == int(kinds.mjGEOM_CAPSULE):
            link.parts.append((shapes.capsule(size[0], size[1]), local))
        elif kind == int(kinds.mjGEOM_CYLINDER):
            link.parts.append((shapes.cylinder(size[0], size[1]), local))
        elif kind == int(kinds.mjGEOM_ELLIPSOID):
            link.parts.append((shapes.ellipsoid(size), local))
        elif kind == int(kinds.mjGEOM_BOX):
            link.parts.append((shapes.box(size), local))
        else:
            raise refuse("geometry", f"body {link.name!r} has a geom of kind {kind}, which is not taken")

    def _links(self) -> dict[int, Link]:
        """A link for each group of bodies that no joint moves against each other, by the first body of the group."""
        model, links = self.model, {}
        for body in range(model.nbody):
            root = int(model.body_weldid[body])
            if root not in links:
                links[root] = Link("world" if root == 0 else self.names[root], self._pose(root), 0.0, fixed=root == 0, ghost=root == 0)
            place = np.linalg.inv(links[root].pose) @ _rigid(self.data.xipos[body], self.data.ximat[body])
            turn = place[:3, :3]
            links[root].weigh(float(model.body_mass[body]), place[:3, 3], turn @ np.diag(model.body_inertia[body]) @ turn.T)
        frictions: dict[int, float] = {}
        for geom in range(model.ngeom):
            if model.geom_contype[geom] or model.geom_conaffinity[geom]:
                root = int(model.body_weldid[model.geom_bodyid[geom]])
                self._geom(links[root], geom)
                frictions[root] = max(frictions.get(root, 0.0), float(model.geom_friction[geom][0]))
        for root, friction in frictions.items():
            links[root].options["friction"] = friction
        return links

    def _join(self, scene: Scene, root: int, links: dict[int, Link], made: dict[int, list[str]]) -> None:
        """The joints of a body, with bodies between them when there are several."""
        model, kinds = self.model, self.mujoco.mjtJoint
        first, count = int(model.body_jntadr[root]), int(model.body_jntnum[root])
        joints = [j for j in range(first, first + count) if int(model.jnt_type[j]) != int(kinds.mjJNT_FREE)]
        parent = int(model.body_weldid[model.body_parentid[root]])
        before = made[parent][0]
        for position, joint in enumerate(joints):
            after = made[root][0]
            if position < len(joints) - 1:
                between = Link(f"{links[root].name}.between_{position + 1}", links[root].pose, 0.0, ghost=True)
                between.weigh_like(links[root], _CARRIER)
                between.options = {key: value for key, value in links[root].options.items() if key == "group"}
                after = add_link(scene, between, "keep")[0]
            kind = int(model.jnt_type[joint])
            options: dict[str, Any] = {}
            if kind != int(kinds.mjJNT_BALL):
                now = float(self.data.qpos[model.jnt_qposadr[joint]] - model.qpos0[model.jnt_qposadr[joint]])
                if model.jnt_limited[joint]:
                    low, high = model.jnt_range[joint] - float(model.qpos0[model.jnt_qposadr[joint]]) - now
                    options |= {"lower": float(low), "upper": float(high)}
                options |= self._spring(joint, now)
            elif model.jnt_limited[joint]:
                scene.notes.append(f"joint {model.joint(joint).name!r}: the limit of a ball joint is not carried over")
            word = "spherical" if kind == int(kinds.mjJNT_BALL) else "prismatic" if kind == int(kinds.mjJNT_SLIDE) else "revolute"
            scene.add_joint(word, before, after, frame_along(self.data.xaxis[joint], self.data.xanchor[joint]), **options)
            before = after
        if joints and (len(joints) > 1 or len(made[parent]) > 1 or len(made[root]) > 1):
            exclude(scene, made[parent], made[root])

    def _spring(self, joint: int, now: float) -> dict[str, float]:
        model = self.model
        found = {}
        stiffness, damping = (float(np.ravel(values[joint])[0]) for values in (model.jnt_stiffness, model.dof_damping[model.jnt_dofadr]))
        if stiffness > 0.0:
            address = model.jnt_qposadr[joint]
            found = {"stiffness": stiffness, "rest": float(model.qpos_spring[address] - model.qpos0[address]) - now}
        return {**found, **({"damping": damping} if damping > 0.0 else {})}

    def _between(self, root: int) -> int:
        """How many bodies are needed between the joints of a body."""
        return max(0, int(self.model.body_jntnum[root]) - 1) if root else 0

    def scene(self, duration: float, meshes: str, self_collision: bool, settings: Mapping[str, Any]) -> Scene:
        model = self.model
        scene = Scene(duration, **{"gravity": model.opt.gravity.tolist(), **settings})
        if abs(float(model.opt.timestep)) > 0.0 and "dt" not in settings:
            scene.data["dt"] = float(model.opt.timestep)
        links, made = self._links(), {}
        for root, link in links.items():
            share = _CARRIER * self._between(root)
            if not link.fixed and not link.mass > 0.0:
                raise refuse("mass", f"body {link.name!r} moves and has no mass")
            if not self_collision and not link.fixed:
                link.options["group"] = -1 - int(model.body_rootid[root])
            if share >= 1.0:
                raise refuse("joint", f"body {link.name!r} has {self._between(root) + 1} joints")
            rest = Link(link.name, link.pose, 0.0, link.fixed, link.ghost)
            rest.parts, rest.meshes, rest.options = link.parts, link.meshes, link.options
            rest.weigh_like(link, 1.0 - share)
            made[root] = add_link(scene, rest, meshes)
        for root in links:
            if root:
                self._join(scene, root, links, made)
        for pair in range(model.nexclude):
            a, b = (int(model.body_weldid[int(model.exclude_signature[pair]) >> shift & 0xFFFF]) for shift in (16, 0))
            if a != b:
                exclude(scene, made[a], made[b])
        self._left_out(scene)
        return scene

    def _left_out(self, scene: Scene) -> None:
        model = self.model
        for count, word in (model.nu, "actuators"), (model.neq, "equality constraints"), (model.ntendon, "tendons"), (model.npair, "explicit pairs of geoms"):
            if count:
                scene.notes.append(f"{count} {word} are not carried over")


__all__ = ["from_mujoco"]
