"""Helpers of the Python tests of recordings and exports: a small scene with every kind of shape, and calls of the command."""

import json
import os
import pathlib
import shutil
import subprocess
import sys

SCRATCH = pathlib.Path(os.environ["ABUT_TEST_SCRATCH_DIR"])
SOURCE = pathlib.Path(os.environ["ABUT_TEST_SOURCE_DIR"])

if "ABUT_TEST_COMMAND" not in os.environ:
    print("skipped: the abut command was not built")
    sys.exit(77)
COMMAND = os.environ["ABUT_TEST_COMMAND"]

SCENE = {
    "abut_scene": 1,
    "title": "Démo",
    "dt": 1 / 60,
    "duration": 1,
    "stepper": {"kind": "fixed", "sleep_time": 0.1},
    "bodies": [
        {"name": "floor", "kind": "static", "shape": {"plane": {"normal": [0, 0, 1], "offset": 0.25}}, "position": [0, 0, -0.25]},
        {"name": "box", "shape": {"box": {"half": [0.5, 0.4, 0.3]}}, "position": [0, 0, 0.3]},
        {"name": "ball, small", "shape": {"sphere": {"radius": 0.2}}, "position": [2, 0, 0.2]},
        {"name": "capsule", "shape": {"capsule": {"radius": 0.2, "half_length": 0.3}}, "position": [0, 2, 0.9],
         "angular_velocity": [0.5, 1, -2], "velocity": [0.25, 0, 0]},
        {"name": "dumbbell", "position": [-2, 0, 0.5], "shape": {"compound": [
            {"shape": {"box": {"half": [0.2, 0.2, 0.2]}}, "position": [-0.4, 0, 0]},
            {"shape": {"sphere": {"radius": 0.25}}, "position": [0.4, 0, 0]}]}},
        {"name": "twin", "shape": {"box": {"half": [0.2, 0.2, 0.2]}}, "position": [3, 3, 1],
         "rotation": {"axis": [1, 2, 3], "degrees": 40}},
        {"name": "lift", "kind": "kinematic", "position": [4, 0, 1], "velocity": [0, 0, 0.5],
         "shape": {"prism": {"radius": 0.5, "half_height": 0.1, "sides": 6}}},
    ],
    "actions": [{"at": 0.49166, "remove": "ball, small"}],
}
# Every kind of joint: the rope breaks when its ball has fallen, the ball joint goes with a body that is removed.
JOINTS = {
    "abut_scene": 1,
    "dt": 1 / 60,
    "duration": 1,
    "bodies": [
        {"name": "post", "kind": "static", "shape": {"box": {"half": [0.1, 0.1, 1]}}},
        {"name": "arm", "shape": {"box": {"half": [0.5, 0.05, 0.05]}}, "position": [0.6, 0, 1]},
        {"name": "bob", "shape": {"sphere": {"radius": 0.1}}, "position": [1.1, 0, 0.5]},
        {"name": "roped", "shape": {"sphere": {"radius": 0.1}}, "position": [0.6, 1, 0.9], "mass": 1},
        {"name": "sled", "shape": {"box": {"half": [0.1, 0.1, 0.1]}}, "position": [0, 2, 0]},
        {"name": "wheel", "shape": {"sphere": {"radius": 0.2}}, "position": [0, 3, 0]},
        {"name": "twin", "shape": {"sphere": {"radius": 0.2}}, "position": [0, 4, 0]},
        {"name": "cross", "shape": {"box": {"half": [0.2, 0.1, 0.1]}}, "position": [-1, 0, 0]},
        {"name": "gone", "shape": {"sphere": {"radius": 0.1}}, "position": [-2, 0, 0]},
        {"name": "plate", "shape": {"box": {"half": [0.1, 0.1, 0.1]}}, "position": [0, -2, 0], "rotation": {"axis": [1, 2, 3], "degrees": 40}},
    ],
    "joints": [
        {"kind": "revolute", "a": "post", "b": "arm", "position": [0, 0, 1], "rotation": {"axis": [1, 0, 0], "degrees": 90}, "motor": {"speed": 1, "max_force": 3}},
        {"kind": "distance", "a": "arm", "b": "bob", "position": [1.1, 0, 1], "position_b": [1.1, 0, 0.6]},
        {"kind": "distance", "a": "post", "b": "roped", "position": [0.6, 1, 1], "position_b": [0.6, 1, 0.9], "lower": 0, "upper": 0.2, "break_force": 20},
        {"kind": "prismatic", "a": "post", "b": "sled", "rotation": {"axis": [0, 1, 0], "degrees": 30}, "stiffness": 50, "damping": 1, "rest": 0.25},
        {"kind": "wheel", "a": "post", "b": "wheel", "rotation": {"axis": [0, 1, 0], "degrees": -90}, "stiffness": 900, "motor": {"speed": 9, "max_force": 2}},
        {"kind": "wheel", "a": "post", "b": "twin", "rotation": {"axis": [0, 1, 0], "degrees": -90}, "stiffness": 900},
        {"kind": "gear", "a": "wheel", "b": "twin", "rotation": {"axis": [0, 1, 0], "degrees": -90}},
        {"kind": "universal", "a": "post", "b": "cross", "position": [-0.8, 0, 0]},
        {"kind": "spherical", "a": "cross", "b": "gone", "position": [-1.5, 0, 0]},
        {"kind": "weld", "a": "post", "b": "plate", "position": [0, -1.5, 0]},
    ],
    "actions": [{"at": 0.49166, "remove": "gone"}],
}
# A lump of balls that falls on a slope; some of its bonds break, in several steps.
LUMP = {
    "abut_scene": 1, "dt": 0.002, "duration": 0.05, "stepper": {"kind": "dem", "step_share": 0.2},
    "materials": {"stone": {"density": 2500, "young": 5e6, "restitution": 0.3, "friction": 0.5}},
    "bodies": [{"name": "floor", "kind": "static", "material": "stone", "shape": {"plane": {"normal": [0, 0, 1]}}, "rotation": {"axis": [0, 1, 0], "degrees": 20}}] + [
        {"name": f"ball_{i}{j}{k}", "material": "stone", "shape": {"sphere": {"radius": 0.01}}, "position": [0.02 * i, 0.02 * j, 0.02 + 0.02 * k], "velocity": [0, 0, -2]}
        for i in range(4) for j in range(3) for k in range(3)],
    "actions": [{"at": 0, "bond": {"gap": 1e-4, "young": 1e7, "tensile_strength": 5e3, "shear_strength": 5e3, "damping_ratio": 0.1}}],
}
STEPS = 60
REMOVED_FROM = 30  # the ball is gone in this frame and the later ones


def abut(*arguments, **options):
    """Runs the command; its result with text output."""
    return subprocess.run([COMMAND, *map(str, arguments)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=300,
                          **options)


def abut_well(*arguments):
    """Runs the command, which must succeed without output on stderr; returns its output."""
    result = abut(*arguments)
    assert result.returncode == 0 and result.stderr == "", (arguments, result)
    return result.stdout


def fresh_folder(name):
    """An empty folder in the scratch folder."""
    folder = SCRATCH / name
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    return folder


def write_scene(path, scene=SCENE):
    path.write_text(json.dumps(scene))
    return path


def tetrahedron(x, number=7):
    """A Gmsh file with one tetrahedron, a corner of a cube moved along x."""
    corners = "".join(f"{i + 1} {p[0] + x} {p[1]} {p[2]}\n" for i, p in enumerate(((0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1))))
    return f"$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n4\n{corners}$EndNodes\n$Elements\n1\n{number} 4 2 3 1 1 2 3 4\n$EndElements\n"


def record(folder, *options):
    """The demo scene, run and recorded: the path of the recording."""
    scene, recording = write_scene(folder / "demo.json"), folder / "demo.h5"
    abut_well("run", scene, "-o", recording, *options)
    return recording
