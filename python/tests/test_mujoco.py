"""Models of MuJoCo. Skipped without mujoco, which is an extra; MuJoCo itself is what motions are compared with."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import abut
from test_scenes import COMMAND

mujoco = pytest.importorskip("mujoco", reason="mujoco is not installed: abut[mujoco]")

ARM = """<mujoco><option timestep="0.001" integrator="RK4"><flag contact="disable"/></option><worldbody><body name="arm" pos="0.3 0 1">
<joint name="swing" type="hinge" axis="0 1 0" pos="-0.3 0 0"/>{0}<geom type="box" size="0.3 0.05 0.04" density="700"/><body name="bob" pos="0.3 0 0">
<joint name="tilt" type="hinge" axis="0.6 0.8 0"/><geom type="ellipsoid" size="0.1 0.05 0.2" pos="0 0 -0.2" density="900"/></body></body>
</worldbody></mujoco>"""


def body(scene: abut.Scene, name: str) -> Any:
    return scene.data["bodies"][scene.bodies.index(name)]


@pytest.mark.skipif(COMMAND is None, reason="the command abut is missing")
@pytest.mark.parametrize("start", [(0.0, 0.0), (0.4, -0.7)])
def test_a_double_pendulum_moves_as_in_mujoco(start: tuple[float, float]) -> None:
    pytest.importorskip("h5py")
    model = mujoco.MjModel.from_xml_string(ARM.format(""))
    recording = abut.run(abut.from_mujoco(model, configuration=start, duration=0.3), progress=False, every=100)
    data = mujoco.MjData(model)
    data.qpos[:] = start
    mujoco.mj_step(model, data, 300)
    mujoco.mj_kinematics(model, data)
    for geom, name in enumerate(("arm", "bob")):
        assert np.allclose(recording.poses[-1, recording.body(name), :3], data.geom_xpos[geom], atol=2e-5), name
    assert np.allclose(recording.joints["coordinate"][-1, :, 0], data.qpos - np.array(start), atol=1e-4)


@pytest.mark.skipif(COMMAND is None, reason="the command abut is missing")
def test_masses_that_are_not_those_of_the_geometry_move_as_in_mujoco() -> None:
    pytest.importorskip("h5py")
    text = ARM.format('<inertial pos="0.1 0.02 -0.05" quat="0.8 0.2 0.4 0.4" mass="3" diaginertia="0.2 0.3 0.35"/>')
    text = text.replace('<joint name="tilt"', '<inertial pos="0.05 0 -0.3" mass="2" diaginertia="0.02 0.03 0.04"/><joint name="tilt"')
    model = mujoco.MjModel.from_xml_string(text)
    recording = abut.run(abut.from_mujoco(model, configuration=(0.4, -0.7), duration=0.3), progress=False, every=100)
    data = mujoco.MjData(model)
    data.qpos[:] = (0.4, -0.7)
    mujoco.mj_step(model, data, 300)
    assert np.allclose(recording.joints["coordinate"][-1, :, 0], data.qpos - np.array([0.4, -0.7]), atol=1e-4)


def test_bodies_of_several_pieces_have_the_inertia_of_the_model() -> None:
    more = '<joint name="lift" type="slide" axis="0 0 2"/><inertial pos="0.1 0.02 -0.05" quat="0.8 0.2 0.4 0.4" mass="3" diaginertia="0.2 0.3 0.35"/>'
    model = mujoco.MjModel.from_xml_string(ARM.format(more))
    scene = abut.from_mujoco(model)
    data = mujoco.MjData(model)
    mujoco.mj_kinematics(model, data)
    whole, centres = np.zeros((3, 3)), []
    for name in "arm", "arm.between_1":
        entry = body(scene, name)
        x, y, z, w = entry.get("rotation", {"quaternion": [0, 0, 0, 1]})["quaternion"]
        turn = abut_rotation(x, y, z, w)
        whole += turn @ np.array(entry["inertia"]) @ turn.T
        centres.append(np.array(entry["position"]) + turn @ np.array(entry["mass_centre"]))
    frame = data.ximat[1].reshape(3, 3)
    assert np.allclose(whole, frame @ np.diag(model.body_inertia[1]) @ frame.T, atol=1e-12)
    assert np.allclose(centres, data.xipos[1], atol=1e-12)


def abut_rotation(x: float, y: float, z: float, w: float) -> np.ndarray:
    return np.array([[1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)], [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
                     [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)]])


def test_limits_springs_and_chains_of_joints() -> None:
    more = '<joint name="lift" type="slide" axis="0 0 2" limited="true" range="-0.1 0.2" stiffness="5" damping="2" springref="0.05"/>'
    model = mujoco.MjModel.from_xml_string(ARM.format(more))
    scene = abut.from_mujoco(model, configuration=(0.0, 0.1, 0.0))
    assert scene.bodies[:3] == ["world", "arm", "bob"] and scene.bodies[3:] == ["arm.between_1"]
    swing, lift, tilt = scene.data["joints"]
    assert (swing["a"], swing["b"], lift["a"], lift["b"], tilt["a"]) == ("world", "arm.between_1", "arm.between_1", "arm", "arm")
    assert np.allclose([lift["lower"], lift["upper"], lift["rest"], lift["stiffness"], lift["damping"]], [-0.2, 0.1, -0.05, 5, 2])
    assert lift["kind"] == "prismatic" and np.allclose(swing["position"], [0, 0, 1]) and np.allclose(tilt["position"], [0.6, 0, 1.1])
    mass = float(model.body_mass[1])
    assert np.isclose(body(scene, "arm")["mass"], 0.9 * mass) and np.isclose(body(scene, "arm.between_1")["mass"], 0.1 * mass)


def test_meshes_are_not_hulls_and_open_ones_are_refused(tmp_path: Path) -> None:
    # An L of six corners over 0 <= z <= 1: volume 3 of a square of 4.
    corners = np.array([(0, 0), (2, 0), (2, 1), (1, 1), (1, 2), (0, 2)], dtype=float)
    points = np.array([(x, y, z) for z in (0, 1) for x, y in corners])
    flat = [(0, 1, 3), (1, 2, 3), (0, 3, 5), (3, 4, 5)]
    faces = [(c, b, a) for a, b, c in flat] + [(a + 6, b + 6, c + 6) for a, b, c in flat]
    faces += [face for i in range(6) for j in [(i + 1) % 6] for face in ((i, j, j + 6), (i, j + 6, i + 6))]

    def model(triangles: Any) -> Path:
        text = "".join(f"v {x} {y} {z}\n" for x, y, z in points) + "".join(f"f {a + 1} {b + 1} {c + 1}\n" for a, b, c in triangles)
        name = f"corner_{len(triangles)}"  # MuJoCo keeps files by their names
        (tmp_path / f"{name}.obj").write_text(text)
        path = tmp_path / "model.xml"
        path.write_text(f'<mujoco><asset><mesh name="corner" file="{name}.obj" inertia="shell"/></asset><worldbody><geom type="plane" size="1 1 1"/>'
                        '<body name="thing" pos="0 0 3"><freejoint/><geom type="mesh" mesh="corner"/></body></worldbody></mujoco>')
        return path

    surface = body(abut.from_mujoco(model(faces)), "thing")["shape"]["trimesh"]
    assert np.isclose(abut.mass(abut.trimesh(surface["vertices"], surface["triangles"])).volume, 3)
    with pytest.raises(abut.ArgumentError, match="^open_mesh: link 'thing'.*corner"):
        abut.from_mujoco(model(faces[:-1]))
    scene = abut.from_mujoco(model(faces[:-1]), meshes="hull_open")
    part = body(scene, "thing")["shape"]["compound"][0]["shape"]["hull"]
    assert np.isclose(abut.mass(abut.hull(part["points"])).volume, 3.5) and "corner" in scene.notes[0]
    assert body(scene, "world")["kind"] == "static" and "plane" in body(scene, "world")["shape"]


def test_what_is_left_out_is_told(tmp_path: Path) -> None:
    text = ARM.format("").replace("</worldbody>", '</worldbody><actuator><motor joint="swing"/></actuator>')
    assert abut.from_mujoco(mujoco.MjModel.from_xml_string(text)).notes == ["1 actuators are not carried over"]
    bodies = "".join(f'<body name="{name}" pos="0 0 {i}"><freejoint/><geom size="0.1"/></body>' for i, name in enumerate("abc"))
    apart = f'<mujoco><worldbody>{bodies}</worldbody><contact><exclude body1="a" body2="c"/></contact></mujoco>'
    assert [sorted(pair) for pair in abut.from_mujoco(mujoco.MjModel.from_xml_string(apart)).data["never_touch"]] == [["a", "c"]]
    (tmp_path / "broken.xml").write_text("<mujoco><worldbody><thing/></worldbody></mujoco>")
    with pytest.raises(abut.ArgumentError, match="^unreadable_model: "):
        abut.from_mujoco(tmp_path / "broken.xml")
    with pytest.raises(FileNotFoundError):
        abut.from_mujoco(tmp_path / "none.xml")
