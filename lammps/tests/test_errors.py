"""Every wrong argument is named, with its value and with what to do."""

import os
import subprocess
import sys

import pytest

from common import PROGRAMS, SET_UP, ball_mesh, run_lammps, write_obj

HEAD = SET_UP + """boundary f f f
region box block -0.1 0.1 -0.1 0.1 -0.1 0.1
create_box 2 box
create_atoms 1 single 0 0 0
create_atoms 2 single 0.05 0 0
"""
STYLE = "pair_style abut/facetmesh\n"
BALL = "sphere 0.005 density 1000"
GOOD = STYLE + f"pair_coeff * * {BALL}\n"
MOVE = "fix move all abut/nve\nneighbor 0.001 bin\n"

COEFF = [
    ("pair_coeff 1 1", "needs two types and more"),
    ("pair_coeff 1 1 ball 1", "begins with 'ball'"),
    ("pair_coeff 1 1 mesh", "the file after 'mesh' is missing"),
    ("pair_coeff 1 1 mesh absent.obj density 1", "absent.obj"),
    ("pair_coeff 1 1 mesh open.obj density 1", "open.obj"),
    ("pair_coeff 1 1 mesh ball.obj scale 0 density 1", "scale must be > 0, and is 0"),
    ("pair_coeff 1 1 mesh ball.obj radius round density 1", "radius (a length, flat or estimated) must be a finite number, and is 'round'"),
    ("pair_coeff 1 1 mesh ball.obj radii lips 0.1 density 1", "lips"),
    ("pair_coeff 1 1 sphere -1", "the radius after 'sphere' must be > 0, and is -1"),
    ("pair_coeff 1 1 sphere 1e300 density 1", "sphere 1e+300"),
    ("pair_coeff 1 1 sphere 0.005", "'density D' is missing"),
    ("pair_coeff 1 1 sphere 0.005 density", "density is missing at the end"),
    ("pair_coeff 1 1 sphere 0.005 density heavy", "density must be a finite number, and is 'heavy'"),
    ("pair_coeff 1 1 sphere 0.005 density nan", "density must be a finite number, and is 'nan'"),
    ("pair_coeff 1 1 sphere 0.005 density 0", "density must be > 0, and is 0"),
    (f"pair_coeff 1 1 {BALL} young -3", "young (Young's modulus) must be > 0, and is -3"),
    (f"pair_coeff 1 1 {BALL} poisson 0.6", "poisson (Poisson's ratio) must be from -0.999 to 0.5, and is 0.6"),
    (f"pair_coeff 1 1 {BALL} friction -0.1", "friction must be >= 0, and is -0.1"),
    (f"pair_coeff 1 1 {BALL} restitution 2", "restitution must be from 0 to 1, and is 2"),
    (f"pair_coeff 1 1 {BALL} colour red", "'colour' is no keyword here; after the shape come density"),
    ("pair_coeff 1 2", "needs two types and more"),
    ("pair_coeff 1 2 sphere 0.005", "'sphere' is no keyword for two different types"),
    ("pair_coeff 1 2 friction", "friction is missing at the end"),
    ("pair_coeff 1 2 restitution 1.5", "restitution must be from 0 to 1, and is 1.5"),
]

WALL = [
    ("", "the wall must be 'plane NX NY NZ OFFSET', 'mesh FILE' or 'surface FILE', and begins with ''"),
    ("sphere 1", "begins with 'sphere'"),
    ("plane 0 0", "the z component of the plane's normal is missing"),
    ("plane 0 0 0 1", "the plane's normal 0 0 0"),
    ("plane 0 0 1 low", "the offset of the plane must be a finite number, and is 'low'"),
    ("plane 0 0 1 0 density 3", "'density' is no keyword here"),
    ("plane 0 0 1 0 position 0 0 0", "position (of meshes and surfaces)"),
    ("plane 0 0 1 0 velocity 1 2", "the z component of velocity is missing"),
    ("plane 0 0 1 0 rotate 0 0 0 0 0 0 1", "the axis after 'rotate' must not be 0 0 0"),
    ("mesh absent.obj", "absent.obj"),
    ("surface", "the file after 'surface' is missing"),
    ("surface absent.obj", "absent.obj"),
    ("surface open.obj sides 3", "sides must be 1 or 2, and is 3"),
    ("surface open.obj scale -1", "scale must be > 0, and is -1"),
    ("surface line.obj", "line.obj: no triangle has an area"),
    ("mesh ball.obj friction -1", "friction must be >= 0, and is -1"),
]

# What the input script has to say beside the styles.
SETTINGS = [
    (HEAD.replace("newton off", "newton on"), "use 'newton off'"),
    (HEAD.replace("comm_modify vel yes\n", ""), "use 'comm_modify vel yes'"),
    (HEAD.replace("units si", "units real"), "'real' are not"),
    (HEAD.replace("bpm/sphere", "sphere"), "use 'atom_style bpm/sphere'"),
    (HEAD.replace("boundary f f f", "boundary p f f").replace("-0.1 0.1 -0.1", "-0.006 0.006 -0.1").replace("0.05 0 0", "0 0.05 0"),
     "the box is periodic and 0.012 long along x; it must be at least four times 0.005"),
]


def refused(folder, script, message):
    ball_mesh(folder / "ball.obj", 0.005)
    write_obj(folder / "open.obj", [(0, 0, 0), (1, 0, 0), (0, 1, 0)], [(0, 1, 2)])
    write_obj(folder / "line.obj", [(0, 0, 0), (1, 0, 0), (2, 0, 0)], [(0, 1, 2)])
    out = run_lammps(folder, script, fails=True)
    errors = [line for line in out.splitlines() if line.startswith("ERROR")]
    assert errors and message in errors[0], out


@pytest.mark.parametrize("command, message", COEFF)
def test_pair_coeff(tmp_path, command, message):
    refused(tmp_path, HEAD + STYLE + command + "\n", message)


@pytest.mark.parametrize("words, message", WALL)
def test_wall(tmp_path, words, message):
    refused(tmp_path, HEAD + GOOD + f"fix wall all abut/wall {words}\n", "fix wall abut/wall: ")
    refused(tmp_path, HEAD + GOOD + f"fix wall all abut/wall {words}\n", message)


@pytest.mark.parametrize("script, message", SETTINGS)
def test_settings(tmp_path, script, message):
    refused(tmp_path, script + GOOD + MOVE + "run 0\n", message)


@pytest.mark.parametrize("commands, message", [
    ("pair_style abut/facetmesh mode line\n", "'mode line' is given"),
    ("pair_style abut/facetmesh skin 3\n", "'skin' is given"),
    (STYLE + f"pair_coeff 1 1 {BALL}\n" + MOVE + "run 0\n", "type 2 has no shape: give one with 'pair_coeff 2 2 mesh FILE density D ...'"),
    (GOOD + "fix move all abut/nve damping 1\n", "the angular rate of damping is missing"),
    (GOOD + "fix move all abut/nve damping -1 0\n", "the linear rate of damping must be >= 0, and is -1"),
    (GOOD + "fix move all abut/nve gravity 9\n", "'gravity' is given"),
    ("pair_style zero 0.01\npair_coeff * *\n" + MOVE + "run 0\n", "use 'pair_style abut/facetmesh'"),
    ("pair_style zero 0.01\npair_coeff * *\nfix wall all abut/wall plane 0 0 1 0\nrun 0\n", "use 'pair_style abut/facetmesh'"),
    (GOOD + MOVE + "run_style respa 2 2\nrun 0\n", "use run_style verlet"),
])
def test_other_commands(tmp_path, commands, message):
    refused(tmp_path, HEAD + commands, message)


def test_settings_that_are_right(tmp_path):
    """The head of the scripts above is none of the reasons."""
    run_lammps(tmp_path, HEAD + GOOD + "pair_coeff 1 2 friction 0.2 restitution 0.1\n" + MOVE + "run 1\n")


AFTER_A_REFUSAL = """
import numpy, lammps
run = lammps.lammps(cmdargs=["-log", "none", "-screen", "none"])
run.commands_string(open("balls.in").read())
first, spins = run.numpy.extract_atom("f").copy(), run.numpy.extract_atom("omega")
spins[2] = numpy.nan
try:
    run.command("run 0")
except Exception as problem:
    print(problem)
spins[2] = 0.0
run.command("run 0")
print("force", abs(first).max() > 0, "change", abs(run.numpy.extract_atom("f") - first).max())
"""


def test_a_refused_step_leaves_no_forces(tmp_path):
    """Three balls in contact, in a program that catches errors: a spin of the third one that is no number is refused. Mended, it gives the forces as before."""
    balls = HEAD + "create_atoms 1 single 0.0095 0 0\ncreate_atoms 1 single 0 0.0095 0\ndelete_atoms group two\n" + GOOD + "neighbor 0.001 bin\nrun 0\n"
    (tmp_path / "balls.in").write_text(balls.replace("delete_atoms", "group two type 2\ndelete_atoms"))
    environment = dict(os.environ, LD_LIBRARY_PATH=f"{PROGRAMS.parent / 'lib'}:{os.environ.get('LD_LIBRARY_PATH', '')}")
    done = subprocess.run([sys.executable, "-c", AFTER_A_REFUSAL], cwd=tmp_path, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert done.returncode == 0, done.stderr
    assert "forces of two bodies: a number is infinite or not a number" in done.stdout
    assert "force True change 0.0" in done.stdout, done.stdout
