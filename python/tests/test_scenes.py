"""Scenes from Python, runs by the command, and recordings. Runs are skipped without the command or h5py."""

from __future__ import annotations

import gc
import importlib.util
import json
import os
import pickle
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

import abut
from common import TETRAHEDRON, all_shapes

COMMAND = shutil.which(os.environ.get("ABUT_COMMAND") or "abut")
needs_command = pytest.mark.skipif(COMMAND is None, reason="the command abut is not on PATH, and ABUT_COMMAND does not name it")
needs_h5py = pytest.mark.skipif(importlib.util.find_spec("h5py") is None, reason="h5py is not installed: abut[scene]")


def fall() -> abut.Scene:
    scene = abut.Scene(0.5, dt=1 / 120, title="A fall")
    scene.add_body("floor", abut.plane(), kind="static")
    scene.add_body("ball", abut.sphere(0.5), (0, 0, 0.8), mass=2.0)
    return scene


def pendulum() -> abut.Scene:
    scene = abut.Scene(0.2, dt=0.01, gravity=(0, 0, -9.81))
    scene.add_body("post", abut.box((0.1, 0.1, 0.1)), kind="static")
    scene.add_body("arm", abut.box((0.5, 0.05, 0.05)), (0.5, 0, 0))
    scene.add_joint("revolute", "post", "arm", (0, 0, 0, np.sqrt(0.5), 0, 0, np.sqrt(0.5)), lower=-0.1, upper=2.0)
    return scene


def test_a_scene_survives_its_json() -> None:
    scene = pendulum()
    again = abut.Scene.from_dict(json.loads(scene.to_json()))
    assert again.data == scene.data
    assert again.bodies == ["post", "arm"]
    scene.data["dt"] = float("nan")
    with pytest.raises(ValueError):
        scene.to_json()


def test_saving_keeps_mesh_files_in_reach(tmp_path: Path) -> None:
    (tmp_path / "meshes").mkdir()
    (tmp_path / "out").mkdir()
    scene = abut.Scene(1.0, folder=tmp_path, shapes={"rock": {"mesh": {"file": "meshes/rock.obj"}}})
    scene.add_body("rock", "rock")
    scene.save(tmp_path / "out" / "scene.json")
    saved = abut.Scene.load(tmp_path / "out" / "scene.json")
    assert saved.data["shapes"]["rock"]["mesh"]["file"] == "../meshes/rock.obj"
    assert scene.data["shapes"]["rock"]["mesh"]["file"] == "meshes/rock.obj"
    assert saved.folder == tmp_path / "out"


@needs_command
def test_tables_in_files_stay_in_reach(tmp_path: Path) -> None:
    """A sieve curve and a motion from CSV files, in millimetres and percentages."""
    (tmp_path / "tables").mkdir()
    (tmp_path / "out").mkdir()
    (tmp_path / "tables" / "sieve.csv").write_text("sieve [mm];passing [%]\n12;100\n8;40\n6;0\n")
    (tmp_path / "tables" / "lift.csv").write_text("0,0,0,0\n1,0,0,0.1\n")
    scene = abut.Scene(0.1, dt=0.01, folder=tmp_path, stepper={"kind": "dem"})
    scene.add_body("lid", abut.box((0.1, 0.1, 0.01)), kind="kinematic", motion=[{"table": "tables/lift.csv"}])
    scene.add_body("gravel", abut.sphere(0.005), inlet={"mass_rate": 0.5, "lower": (-0.05, -0.05, 0.3), "upper": (0.05, 0.05, 0.34),
                                                        "sizes": {"by": "mass", "curve": "tables/sieve.csv", "scale": 0.001}})
    said = scene.check()
    scene.save(tmp_path / "out" / "scene.json")
    saved = abut.Scene.load(tmp_path / "out" / "scene.json")
    assert saved.data["bodies"][0]["motion"] == [{"table": "../tables/lift.csv"}]
    assert saved.data["bodies"][1]["inlet"]["sizes"]["curve"] == "../tables/sieve.csv"
    assert saved.check() == said and scene.data["bodies"][0]["motion"] == [{"table": "tables/lift.csv"}]


def test_a_missing_command_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(abut.CommandMissingError, match="ABUT_COMMAND") as caught:
        abut.run(fall(), command="no-such-command")
    assert caught.value.status == abut.Status.FILE
    assert isinstance(pickle.loads(pickle.dumps(caught.value)), abut.CommandMissingError)
    monkeypatch.setenv("ABUT_COMMAND", "no-such-command")
    with pytest.raises(FileNotFoundError, match="no-such-command"):
        fall().check()


@needs_command
def test_the_command_takes_every_kind_of_shape_and_finds_its_mass() -> None:
    kinds = set()
    for name, shape in all_shapes().items():
        scene = abut.Scene(1.0)
        bounded = name not in ("plane", "heightfield")
        scene.add_body(name, shape, kind="dynamic" if bounded else "static", **({"mass": 3.0} if name == "own mass" else {}))
        kinds |= set(abut.shape_to_json(shape))
        assert "1 bodies" in scene.check(), name
    assert len(kinds) >= 18, kinds


def test_a_mass_of_the_caller_is_in_the_keys_of_the_body() -> None:
    shape, scene = abut.with_mass(abut.box((1, 2, 3)), 2.0, (0, 0, -0.5), (1, 2, 2.5)), abut.Scene(1.0)
    with pytest.raises(ValueError, match="'top'.*needs the option mass"):
        scene.add_body("top", shape)
    scene.add_body("top", abut.with_contraction(shape, (0.5, 0, 0)), mass=4.0)
    scene.add_body("wall", shape, kind="static")
    scene.add_body("other", shape, mass=2.0, mass_centre=(0, 0, 1))
    top, wall, other = scene.data["bodies"]
    assert top["mass_centre"] == [0, 0, -0.5] and top["inertia"] == [[2, 0, 0], [0, 4, 0], [0, 0, 5]] and "contraction" in top["shape"]
    assert "inertia" not in wall and wall["shape"] == other["shape"] == abut.shape_to_json(shape) == {"box": {"half": [1, 2, 3]}}
    assert other["mass_centre"] == [0, 0, 1] and other["inertia"] == [[1, 0, 0], [0, 2, 0], [0, 0, 2.5]]


@needs_command
@needs_h5py
def test_a_body_of_its_own_mass_moves_as_in_the_world(tmp_path: Path) -> None:
    shape, scene, world = abut.with_mass(abut.box((0.3, 0.2, 0.1)), 2.0, (0.1, 0, -0.05), (0.05, 0.08, 0.1)), abut.Scene(0.5, dt=1 / 120), abut.World()
    for adds in (scene, world):
        name = ("floor",) if adds is scene else ()
        adds.add_body(*name, abut.plane(), kind="static")
        adds.add_body(*(("box",) if adds is scene else ()), shape, (0, 0, 0.3), mass=2.0, velocity=(1, 0, 0), angular_velocity=(3, 0, 0))
    recording = abut.run(scene, tmp_path / "own.h5", progress=False)
    for _ in range(60):
        world.step(1 / 120)
    assert recording.poses[60].tobytes() == world.poses.tobytes()


@needs_command
@needs_h5py
def test_elastic_cells_move_as_in_the_world(tmp_path: Path) -> None:
    cell, soft = abut.facetmesh(*TETRAHEDRON, [2.0] * 4), {"mass": 1.0, "friction": 0.1, "young": 1e4, "poisson": 0.3}
    cortex, dt = {"stiffness": 50.0, "damping": 0.2, "pressure": 3.0, "bulk_modulus": 5.0}, 0.02
    scene = abut.Scene(0.5, dt=dt, stepper={"kind": "dem"}, gravity=(0, 0, 0), materials={"skin": {key: soft[key] for key in ("friction", "young", "poisson")}})
    world = abut.World(stepper="dem", gravity=(0, 0, 0))
    places = [(0, 0, 0), (1.1, 0.1, 0.1)]
    for i, place in enumerate(places):
        scene.add_body(f"cell {i}", cell, place, velocity=(0.5 - i, 0, 0), cell=cortex, material="skin", mass=1.0)
        world.make_cell(world.add_body(cell, place, velocity=(0.5 - i, 0, 0), **soft), **cortex)
    scene.add_body("stone", abut.sphere(0.1), (9, 9, 9))
    world.add_body(abut.sphere(0.1), (9, 9, 9))
    recording = abut.run(scene, tmp_path / "cells.h5", progress=False)
    for frame in range(1, len(recording)):
        world.step(dt)
        for i, body in enumerate(map(int, world.ids[:2])):
            found = recording.vertices(f"cell {i}", frame) + recording.poses[frame, i, :3]
            np.testing.assert_allclose(found, world.cell_nodes(body).position, atol=1e-14)
    assert np.abs(found - recording.vertices(1, 1) - recording.poses[1, 1, :3]).max() > 0.01
    with pytest.raises(KeyError, match="stone"):
        recording.vertices("stone")


@needs_command
@needs_h5py
def test_time_series_and_a_scene_that_goes_on(tmp_path: Path) -> None:
    scene = fall()
    scene.data["measures"] = [{"name": "box", "average_in": {"lower": [-5, -5, -5], "upper": [5, 5, 5]}}]
    recording = abut.run(scene, tmp_path / "first.h5", progress=False)
    assert recording.series["box.count"].tolist() == [1.0] * len(recording.steps["time"])
    np.testing.assert_allclose(recording.series["box.velocity_z"], recording.velocities[:, recording.body("ball"), 2], rtol=0, atol=1e-12)
    assert abut.run(fall(), tmp_path / "plain.h5", progress=False).series == {}

    (tmp_path / "next").mkdir()
    scene.folder, scene.data["start"] = tmp_path, {"recording": "first.h5"}
    scene.save(tmp_path / "next" / "scene.json")
    saved = abut.Scene.load(tmp_path / "next" / "scene.json")
    assert saved.data["start"]["recording"] == "../first.h5"
    following = abut.run(saved, tmp_path / "second.h5", progress=False)
    assert following.times[0] == 0.0
    np.testing.assert_allclose(following.poses[0], recording.poses[-1], rtol=0, atol=1e-15)
    assert (following.velocities[0] == recording.velocities[-1]).all()
    with pytest.raises(abut.ArgumentError, match="first.h5"):
        saved.folder = tmp_path / "next" / "elsewhere"
        saved.folder.mkdir()
        abut.run(saved)


@needs_command
def test_mistakes_in_a_scene_are_told() -> None:
    scene = fall()
    scene.add_body("ball", abut.sphere(1.0))
    with pytest.raises(abut.ArgumentError, match="ball") as caught:
        scene.check()
    assert caught.value.status == abut.Status.FORMAT
    if importlib.util.find_spec("h5py"):
        with pytest.raises(abut.ArgumentError, match="ball"):
            abut.run(scene)
        with pytest.raises(abut.ArgumentError, match="ball"):
            abut.run(scene, progress=lambda share: None)


@needs_command
@needs_h5py
def test_a_recording_is_the_motion_of_the_world(tmp_path: Path) -> None:
    out = tmp_path / "fall.h5"
    recording = abut.run(fall(), out, progress=False)
    assert out.exists() and recording.complete and len(recording) == 61 and recording.bodies == ["floor", "ball"]
    world = abut.World()
    world.add_body(abut.plane(), kind="static")
    world.add_body(abut.sphere(0.5), (0, 0, 0.8), mass=2.0)
    ball = recording.body("ball")
    for frame in range(1, 61):
        world.step(1 / 120)
        assert recording.poses[frame].tobytes() == world.poses.tobytes(), frame
        assert recording.velocities[frame].tobytes() == world.velocities.tobytes(), frame
        mine, its = recording.contacts(frame), world.contacts()
        assert mine.gap.tobytes() == its.gap.tobytes() and mine.normal_force.tobytes() == its.normal_force.tobytes()
    assert recording.masses[ball] == 2.0 and np.isclose(recording.times[-1], 0.5)
    energies = recording.energies
    assert np.isclose(energies["total"][0], 2 * 9.81 * 0.8) and energies["total"][-1] < energies["total"][0]
    assert len(recording.contacts(-1)) == 1 and np.isclose(recording.contacts(-1)["normal_force"][0], 2 * 9.81, rtol=0.05)
    assert recording.joints == {} and recording.scene.data == fall().data


@needs_command
@needs_h5py
def test_joints_are_in_the_recording() -> None:
    recording = abut.run(pendulum(), steps=10, every=2, progress=False)
    joints = recording.joints
    kept = recording.path.parent
    assert kept.exists()
    assert len(recording) == 6 and joints["coordinate"].shape == (6, 1, 2) and joints["kind"].tolist() == [2]
    assert np.all(np.diff(joints["coordinate"][:, 0, 0]) < 0)  # its axis points along -y, and the arm falls about +y
    assert np.max(joints["error"]) < 1e-3
    assert joints["lower"].tolist() == [-0.1]
    del recording
    gc.collect()
    assert not kept.exists()


@needs_command
@needs_h5py
def test_progress_and_the_page(tmp_path: Path) -> None:
    shares: list[float] = []
    scene = fall()
    scene.data["duration"] = 20.0
    scene.data["stepper"] = {"sleeping": False}
    recording = abut.run(scene, every=100, progress=shares.append)
    assert shares == sorted(shares) and all(0 <= share <= 1 for share in shares)
    assert 'height="300"' in abut.Page('<p class="x">', 300)._repr_html_() and "&lt;p class=&quot;x" in abut.Page('<p class="x">')._repr_html_()
    with pytest.raises(abut.Error):
        recording.page(tmp_path / "none" / "page.html")
    try:
        page = recording.show(height=300)
    except abut.Error as error:
        if "template is missing" in str(error):
            pytest.skip("this build of the command has no viewer")
        raise
    assert "<html" in page.html.lower() and "<iframe" in page._repr_html_()
    assert recording.page(tmp_path / "page.html").stat().st_size > 1000


@needs_command
@needs_h5py
@pytest.mark.skipif(os.name == "nt", reason="signals of POSIX")
def test_an_interrupted_run_keeps_its_steps(tmp_path: Path) -> None:
    program = (
        "import abut, signal, sys\n"
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"  # a shell's background ignores it
        "scene = abut.Scene(1e5, dt=1 / 120, stepper={'sleeping': False})\n"
        "scene.add_body('floor', abut.plane(), kind='static')\n"
        "scene.add_body('ball', abut.sphere(0.5), (0, 0, 0.8))\n"
        "print('ready', flush=True)\n"
        "abut.run(scene, sys.argv[1], every=1000, progress=False)\n"
    )
    child = subprocess.Popen([sys.executable, "-c", program, str(tmp_path / "run.h5")], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert child.stdout is not None and child.stdout.readline() == "ready\n"
    for _ in range(500):
        if list(tmp_path.iterdir()):
            break
        time.sleep(0.01)
    time.sleep(0.1)
    child.send_signal(signal.SIGINT)
    _, text = child.communicate(timeout=30)
    assert "KeyboardInterrupt" in text
    recording = abut.Recording(tmp_path / "run.h5")
    assert not recording.complete and len(recording) >= 1


@needs_h5py
def test_other_files_are_no_recordings(tmp_path: Path) -> None:
    import h5py

    with h5py.File(tmp_path / "other.h5", "w") as file:
        file["x"] = 1.0
    with pytest.raises(abut.ArgumentError, match="no recording"):
        abut.Recording(tmp_path / "other.h5")
