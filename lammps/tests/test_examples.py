"""The examples run as they stand, and the guide's words about them hold."""

import math
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
    command = [sys.executable, "-m", "abut_lammps.vtk", "grains.dump", "--mesh", "1", mesh, "--sphere", "2", "0.005", "--time-step", "0.001"]
    done = subprocess.run(command, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
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
        done = subprocess.run([sys.executable, "-m", "abut_lammps.vtk", f"{name}.dump"], cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        assert done.returncode == 1 and message in done.stderr, (name, done.stderr)
