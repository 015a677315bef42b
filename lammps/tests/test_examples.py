"""The examples run as they stand, and the guide's words about them hold."""

import math
import os
import pathlib
import re
import subprocess
import sys
import xml.etree.ElementTree

import numpy as np
import pytest

from common import MESHES, columns, dumped, ellipsoid_mesh, run_lammps, thermo

EXAMPLES = pathlib.Path(__file__).resolve().parents[1] / "examples"


@pytest.mark.parametrize("ranks", [1, 2])
def test_packing(tmp_path, ranks):
    text = (EXAMPLES / "packing.in").read_text()
    out = run_lammps(tmp_path, text.replace("../../scenes/meshes", str(MESHES)), ranks, name="packing")
    assert not re.search("^(WARNING|ERROR)", out, re.M), out
    table = thermo(out)
    grains = dumped(tmp_path / "packing.dump")
    assert table["Step"][-1] == 2000 and table["c_contacts[5]"][-1] > 30
    assert len(grains["id"]) > 60 and set(grains["type"]) == {1, 2}
    assert np.abs(np.square(columns(grains, "quatw", "quati", "quatj", "quatk")).sum(axis=1) - 1).max() < 1e-8
    # Nothing is below the floor, which the grains press on.
    assert grains["z"].min() > 0.002 and table["f_floor[3]"].min() < 0
    assert (tmp_path / "packing.1.restart").exists()


def convert(folder, *words, module="recording", dump="grains.dump"):
    command = [sys.executable, "-m", f"abut_lammps.{module}", dump, *words]
    return subprocess.run(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def read_vtp(path):
    """(points, triangles, atoms) by VTK's own words."""
    root = xml.etree.ElementTree.parse(path).getroot()
    arrays = {array.get("Name"): np.array([float(word) for word in (array.text or "").split()]) for array in root.iter("DataArray")}
    return arrays["points"].reshape(-1, 3), arrays["connectivity"].astype(int).reshape(-1, 3), arrays["atom"].astype(int)


def test_surfaces_for_paraview(tmp_path):
    """A grain whose file has its centre of mass elsewhere: in the surfaces it stands where the atom stands, turned as the atom is."""
    mesh = ellipsoid_mesh(tmp_path / "grain.obj", (0.006, 0.004, 0.002), centre=(0.5, -0.2, 0.1))
    turn, place = math.radians(90), (0.01, 0.02, 0.03)
    (tmp_path / "grains.dump").write_text(f"""ITEM: TIMESTEP
40
ITEM: NUMBER OF ATOMS
2
ITEM: BOX BOUNDS ff ff ff
-1 1
-1 1
-1 1
ITEM: ATOMS id type x y z quatw quati quatj quatk
1 1 {place[0]} {place[1]} {place[2]} {math.cos(turn / 2)} 0 0 {math.sin(turn / 2)}
2 2 0.1 0.1 0.1 1 0 0 0
""")
    words = ["--mesh", "1", mesh, "--sphere", "2", "0.005", "--time-step", "0.001"]
    done = convert(tmp_path, *words, module="vtk")
    assert done.returncode == 0 and "1 snapshots; open grains.pvd" in done.stdout, done.stderr
    points, triangles, atoms = read_vtp(tmp_path / "grains.40.vtp")
    assert 'timestep="0.04" file="grains.40.vtp"' in (tmp_path / "grains.pvd").read_text()
    grain, ball = (points[np.unique(triangles[atoms == atom])] - centre for atom, centre in ((1, place), (2, (0.1, 0.1, 0.1))))
    # A quarter turn about z: the long axis, x in the file, lies along y.
    extent = np.abs(grain).max(axis=0)
    assert extent[1] > extent[0] > extent[2] and abs(grain.mean(axis=0)).max() < 1e-7
    assert abs(np.linalg.norm(ball, axis=1) - 0.005).max() < 1e-8


def test_surfaces_name_what_is_missing(tmp_path):
    (tmp_path / "a.dump").write_text("ITEM: TIMESTEP\n0\nITEM: NUMBER OF ATOMS\n1\nITEM: ATOMS id type x y z\n1 1 0 0 0\n")
    (tmp_path / "b.dump").write_text("ITEM: TIMESTEP\n0\nITEM: NUMBER OF ATOMS\n1\nITEM: ATOMS id type x y z quatw quati quatj quatk\n1 3 0 0 0 1 0 0 0\n")
    (tmp_path / "c.dump").write_text("")
    for name, message in (("a", "step 0 has no column quatw"), ("b", "add --mesh 3 FILE"), ("c", "no snapshot"), ("d", "d.dump")):
        done = convert(tmp_path, module="vtk", dump=f"{name}.dump")
        assert done.returncode == 1 and message in done.stderr, (name, done.stderr)


WHOLE = """ITEM: TIMESTEP
0
ITEM: NUMBER OF ATOMS
1
ITEM: ATOMS id type x y z quatw quati quatj quatk
1 1 0 0 0 1 0 0 0
ITEM: TIMESTEP
500
ITEM: NUMBER OF ATOMS
2
ITEM: BOX BOUNDS ff ff ff
-1 1
-1 1
-1 1
ITEM: ATOMS id type x y z quatw quati quatj quatk
1 1 0 0 0 1 0 0 0
2 1 0 0 0.25 1 0 0 0
"""


def refused_dump(folder, module, text, message):
    if module == "recording":
        pytest.importorskip("h5py")
    (folder / "cut.dump").write_bytes(text.encode() if isinstance(text, str) else text)
    done = convert(folder, "--sphere", "1", "0.1", module=module, dump="cut.dump")
    assert done.returncode == 1 and done.stderr.startswith(f"abut_lammps.{module}: cut.dump: ") and message in done.stderr, (text[-60:], done.stderr)
    assert len(done.stderr.splitlines()) == 1 and not (folder / "cut.pvd").exists() and not (folder / "cut.h5").exists()


@pytest.mark.parametrize("module", ["vtk", "recording"])
@pytest.mark.parametrize("end, message", [
    ("IT", "in or after step 0: its last line has no end"), ("ITEM: TIMESTEP\n", "the step after step 0 is missing"),
    ("ITEM: TIMESTEP\n50", "the step after step 0 is missing"), ("500\n", "step 500 is cut off: it has no atoms"),
    ("ATOMS\n", "the number of atoms of step 500 is missing"), ("2\n", "step 500 is cut off: it has no atoms"),
    ("-1 1\n", "step 500 is cut off: it has no atoms"), ("ATOMS id ty", "in or after step 500: its last line has no end"),
    ("quatk\n", "step 500 is cut off: it has 0 whole rows of 2"), ("1 1 0 0 0 1 0 0 0\n", "step 500 is cut off: it has 1 whole rows of 2"),
    ("2 1 0 0 0.2", "step 500 is cut off: it has 1 whole rows of 2"), ("2 1 0 0 0.25 1 0 0 0", "step 500 is cut off: it has 1 whole rows of 2"),
])
def test_a_dump_that_is_cut_off(tmp_path, module, end, message):
    """As a run that is killed leaves it: every place where a dump can end names the file and the step."""
    second = WHOLE.index("ITEM: TIMESTEP", 1)
    refused_dump(tmp_path, module, WHOLE[:WHOLE.index(end, second) + len(end)], message)


@pytest.mark.parametrize("module", ["vtk", "recording"])
@pytest.mark.parametrize("old, new, message", [
    ("2 1 0 0 0.25 1 0 0 0", "2 1 0 0 0.25", "step 500, row 2: it has 5 numbers for 9 columns"),
    ("2 1 0 0 0.25 1 0 0 0", "2 1 0 0 deep 1 0 0 0", "step 500, row 2: could not convert string to float: 'deep'"),
    ("\n500\n", "\nlate\n", "the step after step 0 must be a whole number, and is 'late'"),
    ("\n2\n", "\n-2\n", "the number of atoms of step 500 must be a whole number, and is '-2'"),
    ("\n0\n", "\n\n", "the first step must be a whole number, and is ''"),
])
def test_a_dump_with_a_wrong_line(tmp_path, module, old, new, message):
    assert WHOLE.count(old) == 1
    refused_dump(tmp_path, module, WHOLE.replace(old, new), message)


def test_a_dump_that_is_no_text(tmp_path):
    refused_dump(tmp_path, "vtk", b"\xff\xfe\x00\n", "no snapshot; it must be a text dump")


@pytest.mark.parametrize("text, message", [("v 0 0\n", "mesh.obj:1: a vertex needs three coordinates"),
                                           ("v 0 0 0\nf 1 1\n", "mesh.obj:2: a face needs three vertices"),
                                           ("v 0 0 0\nf 1 1 2\n", "mesh.obj: a face names a vertex that is not among its 1"),
                                           ("f 1 2 3\n", "mesh.obj: a face names a vertex that is not among its 0")])
def test_surfaces_name_the_wrong_mesh(tmp_path, text, message):
    (tmp_path / "whole.dump").write_text(WHOLE)
    (tmp_path / "mesh.obj").write_text(text)
    done = convert(tmp_path, "--mesh", "1", "mesh.obj", module="vtk", dump="whole.dump")
    assert done.returncode == 1 and message in done.stderr and "Traceback" not in done.stderr, done.stderr


def test_the_dump_of_these_tests_is_right(tmp_path):
    (tmp_path / "whole.dump").write_text(WHOLE)
    done = convert(tmp_path, "--sphere", "1", "0.1", module="vtk", dump="whole.dump")
    assert done.returncode == 0 and "2 snapshots" in done.stdout, done.stderr


COMMAND = os.environ.get("ABUT_COMMAND")


def write_dump(path, snapshots):
    """snapshots: (step, rows of id type x y z vx vy vz quatw quati quatj quatk)."""
    text = ""
    for step, rows in snapshots:
        text += f"ITEM: TIMESTEP\n{step}\nITEM: NUMBER OF ATOMS\n{len(rows)}\nITEM: BOX BOUNDS ff ff ff\n-1 1\n-1 1\n-1 1\n"
        text += "ITEM: ATOMS id type x y z vx vy vz quatw quati quatj quatk\n" + "".join(" ".join(map(repr, row)) + "\n" for row in rows)
    path.write_text(text)


@pytest.mark.skipif(not COMMAND, reason="ABUT_COMMAND names no command")
def test_recordings(tmp_path):
    h5py = pytest.importorskip("h5py")
    offset = np.array([0.02, -0.01, 0.005])
    mesh = ellipsoid_mesh(tmp_path / "grain.obj", (0.006, 0.004, 0.002), centre=offset)
    half = math.sqrt(0.5)
    grain, ball = (7, 1, 0.1, 0.2, 0.3, 1.0, 0.0, 0.0, half, 0.0, 0.0, half), (3, 2, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0)
    moved = (7, 1, 0.11, *grain[3:])
    write_dump(tmp_path / "grains.dump", [(0, [grain, ball]), (500, [ball, moved])])
    done = convert(tmp_path, "--mesh", "1", mesh, "--sphere", "2", "0.005", "--time-step", "2e-5")
    assert done.returncode == 0 and "2 frames in grains.h5" in done.stdout, done.stderr
    with h5py.File(tmp_path / "grains.h5") as file:
        assert [name.decode().rstrip("\0") for name in file["bodies/name"][:]] == ["grain 3", "grain 7"]
        assert np.allclose(file["frames/time"][:], [0, 0.01])
        pose, velocity = file["frames/pose"][:], file["frames/velocity"][:]
    # A quarter turn about z takes (x, y) to (-y, x): the origin of the file is there, seen from the centre of mass.
    for k, x in enumerate((0.1, 0.11)):
        assert np.abs(pose[k, 1, :3] - [x + offset[1], 0.2 - offset[0], 0.3 - offset[2]]).max() < 1e-12
        assert np.allclose(pose[k, 1, 3:], [0, 0, half, half]) and np.allclose(velocity[k, 1], [1, 0, 0, 0, 0, 0])
    for name in ("grains.csv", "grains.glb"):
        subprocess.run([COMMAND, "export", "grains.h5", name], cwd=tmp_path, check=True)
        assert (tmp_path / name).exists()


@pytest.mark.skipif(not COMMAND, reason="ABUT_COMMAND names no command")
def test_recordings_name_what_is_wrong(tmp_path):
    pytest.importorskip("h5py")
    ball = (1, 1, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0)
    other = (2, *ball[1:])
    ok = [(0, [ball]), (5, [ball])]
    for snapshots, words, message in (([(0, [ball])], ["--sphere", "1", "1"], "needs two snapshots, and there is one"),
                                      ([(0, [ball]), (5, [other])], ["--sphere", "1", "1"], "step 5 has other atoms than step 0"),
                                      ([(0, [ball]), (5, [ball]), (7, [ball])], ["--sphere", "1", "1"], "not equally far apart"),
                                      (ok, [], "add --mesh 1 FILE"), (ok, ["--mesh", "1", "absent.obj"], "absent.obj"),
                                      (ok, ["--sphere", "1", "1", "--abut", "/no/abut"],
                                       "/no/abut does not run (No such file or directory); name it with --abut")):
        write_dump(tmp_path / "grains.dump", snapshots)
        done = convert(tmp_path, *words)
        assert done.returncode == 1 and message in done.stderr, (message, done.stderr)
        assert not (tmp_path / "grains.h5").exists()
