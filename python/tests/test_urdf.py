"""Robots from URDF files. Skipped without yourdfpy and trimesh, which are an extra."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import abut
from test_scenes import COMMAND

pytest.importorskip("yourdfpy", reason="yourdfpy is not installed: abut[urdf]")
trimesh = pytest.importorskip("trimesh", reason="trimesh is not installed: abut[urdf]")

LINK = '<link name="{0}"><inertial><mass value="{1}"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>{2}</link>'
BOX = '<collision><origin xyz="{0}"/><geometry><box size="0.1 0.2 0.4"/></geometry></collision>'
BALL = '<collision><origin xyz="{0}"/><geometry><sphere radius="0.1"/></geometry></collision>'
MESH = '<collision><geometry><mesh filename="{0}" scale="{1}"/></geometry></collision>'
JOINT = '<joint name="{0}" type="{1}"><parent link="{2}"/><child link="{3}"/><origin xyz="{4}" rpy="{5}"/><axis xyz="{6}"/>{7}</joint>'


def link(name: str, mass: float = 1.0, shapes: str = "") -> str:
    return LINK.format(name, mass, shapes)


def joint(name: str, kind: str, parent: str, child: str, at: str = "0 0 0", rpy: str = "0 0 0", axis: str = "0 0 1", more: str = "") -> str:
    return JOINT.format(name, kind, parent, child, at, rpy, axis, more)


def limit(lower: float, upper: float) -> str:
    return f'<limit lower="{lower}" upper="{upper}" effort="1" velocity="1"/>'


def write(folder: Path, *parts: str) -> Path:
    path = folder / "robot.urdf"
    path.write_text('<robot name="robot">' + "".join(parts) + "</robot>")
    return path


def body(scene: abut.Scene, name: str) -> Any:
    return scene.data["bodies"][scene.bodies.index(name)]


def arm(folder: Path) -> Path:
    return write(
        folder, link("base", 5, BOX.format("0 0 0")), link("upper", 2, BOX.format("0 0 0.2") + BALL.format("0 0 0.4")), link("tool", 0.5, BALL.format("0 0 0")),
        link("slide", 1, BALL.format("0 0 0")), joint("turn", "revolute", "base", "upper", "0 0 1", f"{np.pi / 2} 0 0", "0 0 2", limit(0.5, 2)),
        joint("hold", "fixed", "upper", "tool", "0 0 1", axis="0 0 0"), joint("push", "prismatic", "tool", "slide", "0 0 1", axis="1 0 0", more=limit(-1, 1)),
    )  # fmt: skip


def test_links_and_joints_are_where_the_file_says(tmp_path: Path) -> None:
    scene = abut.from_urdf(arm(tmp_path), configuration={"turn": 0.75})
    assert scene.bodies == ["base", "upper", "slide"] and scene.notes == []
    assert body(scene, "base")["kind"] == "static" and body(scene, "upper")["mass"] == 2.5
    assert len(body(scene, "upper")["shape"]["compound"]) == 3
    # By hand: the joint's frame turns z to -y; the link turns about it, here the world's -y, by 0.75; its own z axis stays along it.
    turn, push = scene.data["joints"]
    axis = np.array([0, -1, 0])
    assert np.allclose(turn["position"], [0, 0, 1]) and np.allclose(push["position"], np.array([0, 0, 1]) + 2 * axis)
    assert np.isclose(turn["lower"], -0.25) and np.isclose(turn["upper"], 1.25) and (push["lower"], push["upper"]) == (-1, 1)
    for one, along in (turn, axis), (push, [np.cos(0.75), 0, np.sin(0.75)]):
        x, y, z, w = one["rotation"]["quaternion"]
        assert np.allclose([2 * (x * z + y * w), 2 * (y * z - x * w), 1 - 2 * (x * x + y * y)], along)
    assert [one["kind"] for one in (turn, push)] == ["revolute", "prismatic"] and push["a"] == "upper"


def test_bodies_have_the_mass_centre_and_inertia_of_their_links(tmp_path: Path) -> None:
    """Two links that are fixed to each other, whose masses are beside their geometry: sums of point masses, by hand."""
    one = '<link name="one"><inertial><origin xyz="0 0 1" rpy="0 0 {0}"/><mass value="2"/><inertia ixx="1" iyy="2" izz="2.5" ixy="0" ixz="0" iyz="0"/></inertial>{1}</link>'
    path = write(tmp_path, link("base", 5, BOX.format("0 0 0")), one.format(np.pi / 2, BOX.format("0 0 0.5")), link("two", 1, BALL.format("0 0 0")),
                 joint("turn", "revolute", "base", "one", "0 0 1", more=limit(-1, 1)), joint("hold", "fixed", "one", "two", "3 0 1"))
    scene = abut.from_urdf(path)
    entry = body(scene, "one")
    assert scene.notes == [] and entry["mass"] == 3
    # Masses 2 and 1 at (0, 0, 1) and (3, 0, 1), so the centre is (1, 0, 1); the first inertia is turned by a right angle about z. Distances 1 and 2 along x.
    assert np.allclose(entry["mass_centre"], [1, 0, 1])
    assert np.allclose(entry["inertia"], np.diag([2, 1, 2.5]) + np.eye(3) + np.diag([0, 2 * 1 + 1 * 4, 2 * 1 + 1 * 4]))
    assert "mass_centre" not in body(scene, "base")


def test_an_inertia_that_no_body_has_is_named(tmp_path: Path) -> None:
    flat = '<link name="flat"><inertial><mass value="2"/><inertia ixx="1" iyy="1" izz="5" ixy="0" ixz="0" iyz="0"/></inertial>{0}</link>'
    path = write(tmp_path, link("base", 5), flat.format(BOX.format("0 0 0.5")), joint("turn", "revolute", "base", "flat", more=limit(-1, 1)))
    scene = abut.from_urdf(path)
    assert any("'flat'" in note and "inertia" in note for note in scene.notes)
    assert body(scene, "flat")["mass_centre"] == [0, 0, -0.5] and "inertia" not in body(scene, "flat")


def test_joints_start_within_their_limits(tmp_path: Path) -> None:
    turn = abut.from_urdf(arm(tmp_path)).data["joints"][0]
    assert turn["lower"] == 0.0 and np.isclose(turn["upper"], 1.5)
    with pytest.raises(ValueError, match="nothing"):
        abut.from_urdf(arm(tmp_path), configuration={"nothing": 1.0})


@pytest.mark.skipif(COMMAND is None, reason="the command abut is missing")
def test_the_command_takes_the_scene(tmp_path: Path) -> None:
    for options in {}, {"self_collision": True, "fixed_base": False, "pose": (0, 0, 3)}:
        scene = abut.from_urdf(arm(tmp_path), **options)
        assert "3 bodies" in scene.check() and "warning" not in scene.check()
    pytest.importorskip("h5py")
    recording = abut.run(scene, steps=10, progress=False)
    assert np.max(recording.joints["error"]) < 1e-3 and np.isclose(recording.poses[0, 0, 2], 3)


def test_meshes_stay_meshes_and_open_ones_are_refused(tmp_path: Path) -> None:
    (tmp_path / "things" / "meshes").mkdir(parents=True)
    box = trimesh.creation.box((1, 1, 1))
    box.export(tmp_path / "things" / "meshes" / "closed.stl")
    trimesh.Trimesh(box.vertices, box.faces[2:]).export(tmp_path / "things" / "meshes" / "open.stl")
    closed, opened = (MESH.format(f"package://things/meshes/{name}.stl", "1 2 -3") for name in ("closed", "open"))

    def robot(on_base: str, on_link: str) -> Path:
        return write(tmp_path, link("base", 1, on_base), link("arm", 6, on_link), joint("turn", "continuous", "base", "arm"))

    scene = abut.from_urdf(robot(opened, closed + BALL.format("3 0 0")))
    surface = body(scene, "arm.mesh")["shape"]["trimesh"]
    shape = abut.trimesh(surface["vertices"], surface["triangles"])
    assert np.isclose(abut.mass(shape).volume, 6) and np.allclose(np.ptp(surface["vertices"], axis=0), [1, 2, 3])
    assert np.isclose(body(scene, "arm")["mass"] + body(scene, "arm.mesh")["mass"], 6) and scene.data["joints"][0]["kind"] == "weld"
    with pytest.raises(abut.ArgumentError, match="open_mesh: link 'arm'.*open.stl") as caught:
        abut.from_urdf(robot(closed, opened))
    assert caught.value.status == abut.Status.UNSUPPORTED
    hulls = abut.from_urdf(robot(closed, opened), meshes="hull_open")
    assert "open.stl" in hulls.notes[0] and "hull" in body(hulls, "arm")["shape"]["compound"][0]["shape"]
    elsewhere = tmp_path / "robots"
    elsewhere.mkdir()
    moved = write(elsewhere, link("base", 1, MESH.format("package://stuff/closed.stl", "1 1 1")))
    assert abut.from_urdf(moved, packages={"stuff": tmp_path / "things" / "meshes"}).bodies == ["base"]
    with pytest.raises(abut.ArgumentError, match="missing_file"):
        abut.from_urdf(moved)


def test_what_cannot_be_carried_over_is_told(tmp_path: Path) -> None:
    links = link("base", 1, BALL.format("0 0 0")) + link("a", 1, BALL.format("1 0 0")) + link("b", 1, BALL.format("2 0 0")) + link("c", 0)
    first, follows = joint("one", "continuous", "base", "a"), '<mimic joint="one" multiplier="2"/>'
    second = joint("two", "continuous", "base", "b", axis="0 0 -1", more=follows)
    beside = abut.from_urdf(write(tmp_path, links, first, second, joint("x", "floating", "b", "c")))
    gear = beside.data["joints"][-1]
    assert (gear["kind"], gear["a"], gear["b"], gear["ratio"]) == ("gear", "b", "a", 2.0) and len(beside.data["joints"]) == 3
    assert any("'c'" in note and "mass" in note for note in beside.notes) and body(beside, "c")["touches"] == []
    behind = abut.from_urdf(write(tmp_path, links, first, joint("two", "continuous", "a", "b", more=follows), joint("x", "fixed", "b", "c")))
    assert any("mimic" in note for note in behind.notes)
    refusals = {
        "joint": joint("one", "planar", "base", "a") + joint("two", "fixed", "a", "b") + joint("x", "fixed", "b", "c"),
        "tree": joint("one", "fixed", "base", "a"),
        "axis": joint("one", "continuous", "base", "a", axis="0 0 0") + joint("two", "fixed", "a", "b") + joint("x", "fixed", "b", "c"),
        "limits": joint("one", "revolute", "base", "a", more=limit(2, 1)) + joint("two", "fixed", "a", "b") + joint("x", "fixed", "b", "c"),
    }  # fmt: skip
    for reason, joints in refusals.items():
        with pytest.raises(abut.ArgumentError, match=f"^{reason}: "):
            abut.from_urdf(write(tmp_path, links, joints))
    (tmp_path / "robot.urdf").write_text("<robot")
    with pytest.raises(abut.ArgumentError, match="^unreadable_urdf: "):
        abut.from_urdf(tmp_path / "robot.urdf")
    with pytest.raises(FileNotFoundError):
        abut.from_urdf(tmp_path / "none.urdf")
    with pytest.raises(ValueError, match="hull_open"):
        abut.from_urdf(arm(tmp_path), meshes="convex")
