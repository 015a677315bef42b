"""Dumps of grains as recordings of abut: python -m abut_lammps.recording packing.dump --mesh 1 pear.obj --sphere 2 0.005 --time-step 2e-5

Writes FILE.h5, which `abut view` turns into a page and `abut export` into other formats. The dump has the columns that abut_lammps.vtk needs, and the same
atoms in every snapshot. The command `abut` makes the recording of a scene in which the grains stand; their places and velocities are then those of the
dump. There are no contacts in it. Needs NumPy, h5py, and the command: --abut, or ABUT_COMMAND, or on the path.
"""

from __future__ import annotations

import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile

import h5py
import numpy as np

from .vtk import Problem, rotations, snapshots


def shape_of(kind: int, meshes: dict[int, str], spheres: dict[int, float], scale: float) -> dict[str, object]:
    if kind in meshes:
        return {"facetmesh": {"file": str(pathlib.Path(meshes[kind]).resolve()), "scale": scale}}
    if kind in spheres:
        return {"sphere": {"radius": spheres[kind]}}
    raise Problem(f"an atom has the type {kind}, which has no shape: add --mesh {kind} FILE or --sphere {kind} RADIUS")


def read(dump: str) -> list[tuple[int, dict[str, np.ndarray]]]:
    """The snapshots, each ordered by atom."""
    result = [(step, {name: column[np.argsort(columns["id"])] for name, column in columns.items()}) for step, columns in snapshots(dump)]
    if len(result) < 2:
        raise Problem(f"{dump}: a recording needs two snapshots, and there {'is one' if result else 'is none'}")
    for step, columns in result:
        if not np.array_equal(columns["id"], result[0][1]["id"]):
            raise Problem(f"{dump}: step {step} has other atoms than step {result[0][0]}; a recording has the same bodies in all frames")
    gaps = np.diff([step for step, _ in result])
    if not (gaps == gaps[0]).all():
        raise Problem(f"{dump}: the steps of its snapshots are not equally far apart")
    return result


def scene_of(frames: list[tuple[int, dict[str, np.ndarray]]], shapes: dict[int, dict[str, object]], time_step: float) -> dict[str, object]:
    """A scene in which the grains stand still for as many steps as there are snapshots."""
    dt = (frames[1][0] - frames[0][0]) * time_step
    ids, kinds = frames[0][1]["id"].astype(int), frames[0][1]["type"].astype(int)
    bodies = [{"name": f"grain {i}", "kind": "kinematic", "shape": shapes[k]} for i, k in zip(ids.tolist(), kinds.tolist())]
    return {"abut_scene": 1, "title": "Grains of LAMMPS", "dt": dt, "duration": dt * (len(frames) - 1), "bodies": bodies}


def fill(path: str, frames: list[tuple[int, dict[str, np.ndarray]]]) -> None:
    """Replaces the places and velocities of a recording by those of the snapshots."""
    with h5py.File(path, "r+") as file:
        centre = file["bodies/centre"][:]
        pose, velocity = file["frames/pose"], file["frames/velocity"]
        if pose.shape[0] != len(frames):
            raise Problem(f"{path}: it has {pose.shape[0]} frames for {len(frames)} snapshots")
        for k, (_, columns) in enumerate(frames):
            w, x, y, z = [columns[f"quat{name}"] for name in "wijk"]
            places = np.stack([columns[name] for name in "xyz"], axis=1)
            origin = places - np.einsum("nij,nj->ni", rotations(w, x, y, z), centre)
            pose[k] = np.column_stack([origin, x, y, z, w])
            motion = [columns.get(name, np.zeros(len(x))) for name in ("vx", "vy", "vz", "omegax", "omegay", "omegaz")]
            velocity[k] = np.column_stack(motion)


def convert(dump: str, meshes: dict[int, str], spheres: dict[int, float], out: str, time_step: float, scale: float, command: str) -> int:
    """Writes the recording. Gives the number of its frames."""
    frames = read(dump)
    kinds = sorted(set(frames[0][1]["type"].astype(int).tolist()))
    shapes = {kind: shape_of(kind, meshes, spheres, scale) for kind in kinds}
    with tempfile.TemporaryDirectory() as folder:
        scene, recording = os.path.join(folder, "grains.json"), os.path.join(folder, "grains.h5")
        pathlib.Path(scene).write_text(json.dumps(scene_of(frames, shapes, time_step)))
        try:
            done = subprocess.run([command, "run", scene, "-o", recording], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        except OSError as error:
            raise Problem(f"the command {command} does not run ({error.strerror}); name it with --abut") from error
        if done.returncode != 0:
            raise Problem(f"{command} run: {done.stderr.strip()}")
        fill(recording, frames)
        pathlib.Path(out).write_bytes(pathlib.Path(recording).read_bytes())
    return len(frames)


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m abut_lammps.recording", description="Grains of a LAMMPS dump as a recording of abut")
    parser.add_argument("dump", help="a text dump (dump custom)")
    parser.add_argument("--mesh", nargs=2, action="append", default=[], metavar=("TYPE", "FILE"), help="the mesh of a type")
    parser.add_argument("--sphere", nargs=2, action="append", default=[], metavar=("TYPE", "RADIUS"), help="the radius of a type of balls")
    parser.add_argument("--scale", type=float, default=1.0, help="factor of the meshes, as 'scale' of pair_coeff")
    parser.add_argument("--time-step", type=float, default=1.0, help="time of a step")
    parser.add_argument("--abut", default=os.environ.get("ABUT_COMMAND") or "abut", help="the command")
    parser.add_argument("-o", "--output", help="default: the name of the dump with the ending .h5")
    options = parser.parse_args()
    out = options.output or str(pathlib.Path(options.dump).with_suffix(".h5"))
    try:
        meshes, spheres = {int(kind): path for kind, path in options.mesh}, {int(kind): float(radius) for kind, radius in options.sphere}
        count = convert(options.dump, meshes, spheres, out, options.time_step, options.scale, options.abut)
    except (Problem, OSError, ValueError) as problem:
        print(f"abut_lammps.recording: {problem}", file=sys.stderr)
        return 1
    print(f"{count} frames in {out}; see them: {options.abut} view {out}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
