"""Scenes from USD files that usd-core writes. Skipped without usd-core, which is an extra."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import abut
from test_scenes import COMMAND

pytest.importorskip("pxr", reason="usd-core is not installed: abut[usd]")
from pxr import Gf, Usd, UsdGeom, UsdPhysics, UsdShade  # noqa: E402

CUBE = ([(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0), (0, 0, 1), (1, 0, 1), (1, 1, 1), (0, 1, 1)],
        [(0, 3, 2, 1), (4, 5, 6, 7), (0, 1, 5, 4), (1, 2, 6, 5), (2, 3, 7, 6), (3, 0, 4, 7)])  # fmt: skip


def stage(metre: float = 1.0, up: str = "Z") -> Any:
    made = Usd.Stage.CreateInMemory()
    UsdGeom.SetStageMetersPerUnit(made, metre)
    UsdGeom.SetStageUpAxis(made, up)
    return made


def solid(where: Any, path: str, kind: str = "Cube", at: Any = (0, 0, 0), body: bool = True, mass: float | None = 1.0, scale: Any = (1, 1, 1),
          **attributes: Any) -> Any:
    """A collider, which is a rigid body of its own unless told otherwise."""
    prim = getattr(UsdGeom, kind).Define(where, path)
    prim.AddTranslateOp().Set(Gf.Vec3d(*at))
    prim.AddScaleOp().Set(Gf.Vec3f(*scale))
    for name, value in attributes.items():
        prim.GetPrim().GetAttribute(name).Set(value)
    UsdPhysics.CollisionAPI.Apply(prim.GetPrim())
    if body:
        UsdPhysics.RigidBodyAPI.Apply(prim.GetPrim())
    if mass is not None:
        UsdPhysics.MassAPI.Apply(prim.GetPrim()).CreateMassAttr(mass)
    return prim.GetPrim()


def mesh(where: Any, path: str, faces: Any, approximation: str | None = None, **options: Any) -> Any:
    prim = solid(where, path, "Mesh", **options)
    made = UsdGeom.Mesh(prim)
    made.CreatePointsAttr([Gf.Vec3f(*point) for point in CUBE[0]])
    made.CreateFaceVertexCountsAttr([len(face) for face in faces])
    made.CreateFaceVertexIndicesAttr([corner for face in faces for corner in face])
    if approximation is not None:
        UsdPhysics.MeshCollisionAPI.Apply(prim).CreateApproximationAttr(approximation)
    return prim


def joint(where: Any, kind: str, a: str | None, b: str, first: Any = (0, 0, 0), second: Any = (0, 0, 0), **attributes: Any) -> Any:
    made = getattr(UsdPhysics, kind).Define(where, f"/joints/{kind}_{b[1:].replace('/', '_')}")
    if a:
        made.CreateBody0Rel().SetTargets([a])
    made.CreateBody1Rel().SetTargets([b])
    made.CreateLocalPos0Attr(Gf.Vec3f(*first))
    made.CreateLocalPos1Attr(Gf.Vec3f(*second))
    for name, value in attributes.items():
        made.GetPrim().GetAttribute(f"physics:{name}").Set(value)
    return made.GetPrim()


def body(scene: abut.Scene, name: str) -> Any:
    return scene.data["bodies"][scene.bodies.index(name)]


def test_shapes_are_where_the_stage_says() -> None:
    made = stage()
    solid(made, "/cube", at=(1, 2, 3), scale=(1, 2, 3), size=0.5)
    solid(made, "/ball", "Sphere", radius=0.25)
    solid(made, "/egg", "Sphere", scale=(1, 2, 3), radius=0.1)
    solid(made, "/can", "Cylinder", radius=0.3, height=2.0, axis="X")
    solid(made, "/pill", "Capsule", radius=0.3, height=2.0, axis="Y")
    solid(made, "/tip", "Cone", radius=0.3, height=2.0, axis="Z")
    solid(made, "/ground", "Plane", body=False, mass=None, axis="Y", at=(0, -1, 0))
    scene = abut.from_usd(made)
    assert body(scene, "/cube")["shape"]["box"]["half"] == [0.25, 0.5, 0.75] and body(scene, "/cube")["position"] == [1, 2, 3]
    assert body(scene, "/ball")["shape"]["sphere"]["radius"] == 0.25
    assert np.allclose(body(scene, "/egg")["shape"]["ellipsoid"]["half"], [0.1, 0.2, 0.3])
    assert body(scene, "/ground")["kind"] == "static" and body(scene, "/ground")["position"] == [0, -1, 0]

    def top(name: str, direction: Any) -> float:
        """How far a body reaches along a direction of the world."""
        one = body(scene, name)
        kind, keys = next(iter(one["shape"].items()))
        makers = {"cylinder": lambda k: abut.cylinder(k["radius"], k["half_height"]), "capsule": lambda k: abut.capsule(k["radius"], k["half_length"]),
                  "cone": lambda k: abut.cone(k["radius"], k["height"])}  # fmt: skip
        shape = makers[kind](keys)
        pose = [*one["position"], *one.get("rotation", {"quaternion": [0, 0, 0, 1]})["quaternion"]]
        along = np.array(direction, dtype=float)
        return float(abut.ray_cast(shape, pose, 9 * along, -9 * along).point @ along)

    assert np.isclose(top("/can", (1, 0, 0)), 1) and np.isclose(top("/can", (0, 0, 1)), 0.3) and np.isclose(top("/pill", (0, 1, 0)), 1.3)
    assert np.isclose(top("/tip", (0, 0, 1)), 1) and np.isclose(top("/tip", (0, 0, -1)), 1)


def test_units_gravity_and_masses() -> None:
    made = stage(0.01, "Y")
    UsdPhysics.SetStageKilogramsPerUnit(made, 0.001)
    UsdPhysics.Scene.Define(made, "/scene")
    solid(made, "/given", size=10.0, mass=500.0, at=(0, 100, 0))
    solid(made, "/assumed", size=10.0, mass=None)
    heavy = solid(made, "/dense", size=10.0, mass=None)
    material = UsdShade.Material.Define(made, "/steel")
    steel = UsdPhysics.MaterialAPI.Apply(material.GetPrim())
    steel.CreateDensityAttr(7.8)
    steel.CreateDynamicFrictionAttr(0.4)
    steel.CreateRestitutionAttr(0.2)
    UsdShade.MaterialBindingAPI.Apply(heavy).Bind(material, materialPurpose="physics")
    scene = abut.from_usd(made)
    assert np.allclose(scene.data["gravity"], [0, -9.81, 0]) and np.allclose(body(scene, "/given")["position"], [0, 1, 0])
    assert np.allclose(body(scene, "/given")["shape"]["box"]["half"], 0.05)
    assert np.allclose([body(scene, f"/{name}")["mass"] for name in ("given", "assumed", "dense")], [0.5, 1.0, 7.8])
    assert np.allclose([body(scene, "/dense")[key] for key in ("friction", "restitution")], [0.4, 0.2]) and "friction" not in body(scene, "/given")
    UsdPhysics.Scene(made.GetPrimAtPath("/scene")).CreateGravityMagnitudeAttr(162.0)
    UsdPhysics.Scene(made.GetPrimAtPath("/scene")).CreateGravityDirectionAttr(Gf.Vec3f(0, 0, 2))
    assert np.allclose(abut.from_usd(made).data["gravity"], [0, 0, 1.62])


def test_several_colliders_and_velocities() -> None:
    made = stage()
    frame = UsdGeom.Xform.Define(made, "/turned")
    frame.AddRotateZOp().Set(90.0)
    thing = UsdGeom.Xform.Define(made, "/turned/thing")
    thing.AddTranslateOp().Set(Gf.Vec3d(1, 0, 0))
    rigid = UsdPhysics.RigidBodyAPI.Apply(thing.GetPrim())
    rigid.CreateVelocityAttr(Gf.Vec3f(2, 0, 0))
    rigid.CreateAngularVelocityAttr(Gf.Vec3f(180, 0, 0))
    solid(made, "/turned/thing/a", "Sphere", body=False, mass=2.0, radius=0.1)
    solid(made, "/turned/thing/b", "Cube", body=False, mass=3.0, size=1.0, at=(0, 0, 1))
    off = solid(made, "/turned/thing/off", "Cube", body=False, mass=3.0)
    UsdPhysics.CollisionAPI(off).CreateCollisionEnabledAttr(False)
    scene = abut.from_usd(made)
    assert scene.bodies == ["/turned/thing"]
    one = body(scene, "/turned/thing")
    assert len(one["shape"]["compound"]) == 2 and one["mass"] == 5 and np.allclose(one["position"], [0, 1, 0])
    assert np.allclose(one["velocity"], [0, 2, 0]) and np.allclose(one["angular_velocity"], [0, np.pi, 0])


def test_meshes_are_what_the_file_wants() -> None:
    made = stage()
    mesh(made, "/kept", CUBE[1], scale=(1, 2, -3))
    mesh(made, "/hull", CUBE[1], "convexHull")
    mesh(made, "/box", CUBE[1][1:], "boundingCube")
    mesh(made, "/ball", CUBE[1], "boundingSphere")
    mesh(made, "/pieces", CUBE[1], "convexDecomposition", mass=None)
    mesh(made, "/open", CUBE[1][1:], body=False, mass=None)
    scene = abut.from_usd(made)
    kept = body(scene, "/kept")["shape"]["trimesh"]
    assert np.isclose(abut.mass(abut.trimesh(kept["vertices"], kept["triangles"])).volume, 6)
    assert len(body(scene, "/hull")["shape"]["hull"]["points"]) == 8 and body(scene, "/box")["shape"]["box"]["half"] == [0.5, 0.5, 0.5]
    assert np.isclose(body(scene, "/ball")["shape"]["sphere"]["radius"], np.sqrt(0.75)) and np.allclose(body(scene, "/ball")["position"], 0.5)
    assert "trimesh" in body(scene, "/pieces")["shape"] and body(scene, "/pieces")["mass"] == 1000
    assert len(scene.notes) == 1 and "convexDecomposition" in scene.notes[0] and "trimesh" in body(scene, "/open")["shape"]
    mesh(made, "/falls", CUBE[1][1:])
    with pytest.raises(abut.ArgumentError, match="^open_mesh: link '/falls'"):
        abut.from_usd(made)
    assert "hull" in body(abut.from_usd(made, meshes="hull_open"), "/falls")["shape"]["compound"][0]["shape"]


def test_concave_faces_keep_their_area() -> None:
    from abut.usd import _fan

    arrow = np.array([(0, 0, 0), (2, 1, 0), (0, 2, 0), (1, 1, 0)], dtype=float)
    for first in range(4):
        corners = [(first + i) % 4 for i in range(4)]
        areas = [np.cross(arrow[b] - arrow[a], arrow[c] - arrow[a])[2] / 2 for a, b, c in _fan(arrow, corners, "arrow")]
        assert np.isclose(sum(areas), 1) and min(areas) > 0


def arm(where: Any) -> Any:
    """A base, a part that turns about y by 30 degrees at the start, and one that slides along its x."""
    solid(where, "/base", body=False, mass=None, size=0.2)
    solid(where, "/turns", size=0.2, at=(1, 0, 0))
    UsdGeom.Xformable(where.GetPrimAtPath("/turns")).AddRotateYOp().Set(30.0)
    solid(where, "/slides", size=0.2, at=(1, 1, 0))
    UsdGeom.Xformable(where.GetPrimAtPath("/slides")).AddRotateYOp().Set(30.0)
    return joint(where, "RevoluteJoint", "/base", "/turns", (1, 0, 0), axis="Y", lowerLimit=-10.0, upperLimit=90.0), joint(
        where, "PrismaticJoint", "/turns", "/slides", (-0.5, 1, 0), axis="X", lowerLimit=0.0, upperLimit=2.0)


def test_joints_are_where_the_stage_says() -> None:
    made = stage()
    turn, _ = arm(made)
    drive = UsdPhysics.DriveAPI.Apply(turn, "angular")
    drive.CreateStiffnessAttr(2.0)
    drive.CreateDampingAttr(1.0)
    drive.CreateTargetPositionAttr(45.0)
    scene = abut.from_usd(made)
    turns, slides = scene.data["joints"]
    assert [(one["kind"], one["a"], one["b"]) for one in (turns, slides)] == [("revolute", "world", "/turns"), ("prismatic", "/turns", "/slides")]
    assert np.allclose([turns["lower"], turns["upper"], turns["rest"]], np.radians([-40, 60, 15]))
    assert np.allclose([slides["lower"], slides["upper"]], [-0.5, 1.5])
    assert np.allclose([turns["stiffness"], turns["damping"]], np.degrees([2.0, 1.0])) and np.allclose(turns["position"], [1, 0, 0])
    for one, along in (turns, (0, 1, 0)), (slides, (np.cos(np.pi / 6), 0, -0.5)):
        x, y, z, w = one["rotation"]["quaternion"]
        assert np.allclose([2 * (x * z + y * w), 2 * (y * z - x * w), 1 - 2 * (x * x + y * y)], along)


@pytest.mark.skipif(COMMAND is None, reason="the command abut is missing")
def test_the_command_takes_the_scene(tmp_path: Path) -> None:
    made = stage()
    arm(made)
    solid(made, "/hangs", "Sphere", radius=0.1, at=(1, 1, -1))
    joint(made, "SphericalJoint", "/slides", "/hangs", (0, 0, 0), (0, 0, 1))
    solid(made, "/stuck", "Sphere", radius=0.1, at=(5, 0, 0))
    joint(made, "FixedJoint", None, "/stuck", (5, 0, 0))
    solid(made, "/rope", "Sphere", radius=0.1, at=(5, 0, -1))
    joint(made, "DistanceJoint", "/stuck", "/rope", maxDistance=1.5)
    UsdPhysics.RigidBodyAPI(solid(made, "/carried", at=(9, 0, 0))).CreateKinematicEnabledAttr(True)
    made.GetRootLayer().Export(str(tmp_path / "arm.usda"))
    made.GetRootLayer().Export(str(tmp_path / "arm.usdc"))
    made.GetPrimAtPath("/joints/SphericalJoint_hangs").GetAttribute("physics:localPos1").Set(Gf.Vec3f(0.5, 0, 1))
    with pytest.raises(abut.ArgumentError, match="^frames: /joints/SphericalJoint_hangs"):
        abut.from_usd(made)
    scenes = [abut.from_usd(tmp_path / name) for name in ("arm.usda", "arm.usdc")]
    assert scenes[0].data["bodies"] == scenes[1].data["bodies"] and len(scenes[0].data["joints"]) == 5
    assert "8 bodies" in scenes[0].check() and "warning" not in scenes[0].check()
    pytest.importorskip("h5py")
    recording = abut.run(scenes[0], steps=30, progress=False)
    assert np.max(recording.joints["error"]) < 1e-3


@pytest.mark.skipif(COMMAND is None, reason="the command abut is missing")
def test_a_pendulum_swings(tmp_path: Path) -> None:
    """A ball on an arm without mass: the period of small swings is 2 pi sqrt((l^2 + 2/5 r^2) / (g l))."""
    pytest.importorskip("h5py")
    made = stage()
    solid(made, "/ball", "Sphere", radius=0.1, at=(0.01, 0, -1))
    joint(made, "RevoluteJoint", None, "/ball", (0, 0, 0), (-0.01, 0, 1), axis="Y")
    made.GetRootLayer().Export(str(tmp_path / "pendulum.usda"))
    scene = abut.from_usd(tmp_path / "pendulum.usda", duration=3.0, dt=1e-3)
    assert "warning" not in scene.check()
    recording = abut.run(scene, progress=False)
    x = recording.poses[:, recording.body("/ball"), 0]
    down = recording.times[1:][(x[:-1] > 0) & (x[1:] <= 0)]
    assert np.isclose(np.diff(down)[0], 2 * np.pi * np.sqrt((1 + 0.4 * 0.01) / 9.81), atol=5e-3)


def test_centres_and_inertias_of_the_file() -> None:
    made = stage(0.1)
    mass = UsdPhysics.MassAPI(solid(made, "/thing", mass=2.0, scale=(2, 1, 1), at=(5, 0, 0)))
    mass.CreateCenterOfMassAttr(Gf.Vec3f(0.5, 0, 0))
    mass.CreateDiagonalInertiaAttr(Gf.Vec3f(100, 200, 250))
    mass.CreatePrincipalAxesAttr(Gf.Quatf(np.sqrt(0.5), 0, 0, np.sqrt(0.5)))
    one = body(abut.from_usd(made), "/thing")
    assert np.allclose(one["mass_centre"], [0.1, 0, 0]) and np.allclose(one["inertia"], np.diag([2, 1, 2.5]))
    mass.GetDiagonalInertiaAttr().Set(Gf.Vec3f(0, 0, 0))
    assert "inertia" not in body(abut.from_usd(made), "/thing") and "mass_centre" in body(abut.from_usd(made), "/thing")
    mass.GetCenterOfMassAttr().Set(Gf.Vec3f(-np.inf))
    assert "mass_centre" not in body(abut.from_usd(made), "/thing")
    mass.GetDiagonalInertiaAttr().Set(Gf.Vec3f(100, 200, 250))
    assert "inertia is not carried over" in abut.from_usd(made).notes[0]


def test_what_is_refused_or_left_out(tmp_path: Path) -> None:
    made = stage()
    solid(made, "/a")
    solid(made, "/b")
    UsdPhysics.FilteredPairsAPI.Apply(made.GetPrimAtPath("/a")).CreateFilteredPairsRel().SetTargets(["/b"])
    UsdPhysics.CollisionGroup.Define(made, "/group")
    scene = abut.from_usd(made)
    assert scene.data["never_touch"] == [["/a", "/b"]] and "collision groups" in scene.notes[0]
    joint(made, "FixedJoint", "/a", "/b")
    grouped = abut.from_usd(made, self_collision=False)
    assert body(grouped, "/a")["group"] == body(grouped, "/b")["group"] < 0
    refusals = {
        "joint": lambda one: joint(one, "Joint", None, "/x"),
        "limits": lambda one: joint(one, "RevoluteJoint", None, "/x", lowerLimit=2.0, upperLimit=1.0),
        "frames": lambda one: joint(one, "SphericalJoint", None, "/x", (1, 0, 0)),
        "scale": lambda one: solid(one, "/y", "Cylinder", scale=(1, 2, 1)),
        "mass": lambda one: UsdPhysics.RigidBodyAPI.Apply(UsdGeom.Xform.Define(one, "/y").GetPrim()),
        "unreadable_mesh": lambda one: mesh(one, "/y", [(0, 1, 9)]),
    }  # fmt: skip
    for reason, spoil in refusals.items():
        made = stage()
        solid(made, "/x")
        spoil(made)
        with pytest.raises(abut.ArgumentError, match=f"^{reason}: ") as caught:
            abut.from_usd(made)
        assert caught.value.status == abut.Status.UNSUPPORTED
    (tmp_path / "broken.usda").write_text("#usda 1.0\ndef {")
    with pytest.raises(abut.ArgumentError, match="^unreadable_usd: "):
        abut.from_usd(tmp_path / "broken.usda")
    with pytest.raises(FileNotFoundError):
        abut.from_usd(tmp_path / "none.usda")
    with pytest.raises(ValueError, match="hull_open"):
        abut.from_usd(stage(), meshes="convex")
