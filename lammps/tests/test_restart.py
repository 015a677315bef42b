"""A run that goes on from a restart file, or in two parts, gives what one run gives: with the springs of friction, at places of grains and of walls."""

import numpy as np
import pytest

from common import SET_UP, TURN, ball_mesh, box_mesh, dumped, lattice, run_lammps, state_dump, thermo
from test_packing import SIZE, STEPS, numbers, packed, physics, script

HALF = STEPS // 2


def difference(state, other):
    return np.abs(numbers(state) - numbers(other)).max()


def check(tmp_path_factory, state, out):
    _, whole, whole_thermo = packed(tmp_path_factory, 1)
    # A run begins with the forces that the last step ended with, so not a bit differs.
    assert difference(state, whole) == 0.0
    table = thermo(out)
    # Works of damping and of friction go on from where they were.
    for name in ("c_pair[3]", "c_pair[4]", "f_floor[9]", "f_floor[10]"):
        assert whole_thermo[name][-1] > 0 and abs(table[name][-1] / whole_thermo[name][-1] - 1) < 1e-9, name


@pytest.mark.parametrize("ranks, again", [(1, 1), (2, 4)])
def test_restart_in_the_middle(tmp_path_factory, tmp_path, ranks, again):
    run_lammps(tmp_path, script(tmp_path, ranks, steps=HALF) + "write_restart half.restart\n", ranks, name="first")
    out = run_lammps(tmp_path, SET_UP.replace("atom_style bpm/sphere\n", "") + "read_restart half.restart\n" + TURN + physics(tmp_path) +
                     f"run {HALF}\n" + state_dump("again.dump"), again, name="second")
    check(tmp_path_factory, dumped(tmp_path / "again.dump"), out)


def test_a_restart_file_that_a_run_wrote(tmp_path_factory, tmp_path):
    text = script(tmp_path, 1, steps=STEPS).replace("run 0\n", f"restart {HALF} step.*.restart\nrun 0\n")
    run_lammps(tmp_path, text, name="first")
    out = run_lammps(tmp_path, SET_UP.replace("atom_style bpm/sphere\n", "") + f"read_restart step.{HALF}.restart\n" + TURN + physics(tmp_path) +
                     f"run {HALF}\n" + state_dump("again.dump"), name="second")
    check(tmp_path_factory, dumped(tmp_path / "again.dump"), out)


def test_two_runs_are_one(tmp_path_factory, tmp_path):
    out = run_lammps(tmp_path, script(tmp_path, 1, steps=HALF) + f"run {HALF}\n" + state_dump())
    check(tmp_path_factory, dumped(tmp_path / "end.dump"), out)


def test_a_moving_wall_goes_on_from_where_it_was(tmp_path):
    """A turntable of triangles that also moves along: its place after a restart follows from the step at which it was defined."""
    ball, table = ball_mesh(tmp_path / "ball.obj", SIZE, 1), box_mesh(tmp_path / "table.obj", (0.06, 0.06, 0.01))
    bed = lattice((2, 2, 1), 2.5 * SIZE, seed=4, speed=0.02, margin=0.05, floor=-0.25 * SIZE)
    bed.write(tmp_path / "bed.data")
    physics = TURN + f"""
pair_style abut/facetmesh
pair_coeff 1 1 mesh {ball} radius {SIZE} density 1000 young 1e6 friction 0.5 restitution 0.3
fix move all abut/nve
fix weight all gravity 9.81 vector 0 0 -1
fix table all abut/wall mesh {table} radius flat position 0 0 -0.01 young 1e6 velocity 0.1 0 0 rotate 0.01 0 0 0 0 1 5
neighbor 0.002 bin
timestep 2e-5
thermo_style custom step f_table[1] f_table[8]
thermo_modify format float %.17g
"""
    head = SET_UP + "boundary f f f\nread_data bed.data\n" + bed.rotate_commands() + physics
    out = run_lammps(tmp_path, head + "run 1200\n" + state_dump("whole.dump"), name="whole")
    run_lammps(tmp_path, head + "run 700\nwrite_restart half.restart\n", name="first")
    text = SET_UP.replace("atom_style bpm/sphere\n", "") + "read_restart half.restart\n" + physics + "run 500\n" + state_dump("again.dump")
    again = run_lammps(tmp_path, text, 2, name="second")
    assert thermo(out)["f_table[8]"][-1] >= 2 and thermo(out)["f_table[1]"][-1] != 0
    assert difference(dumped(tmp_path / "again.dump"), dumped(tmp_path / "whole.dump")) == 0.0
    assert abs(thermo(again)["f_table[1]"][-1] / thermo(out)["f_table[1]"][-1] - 1) < 1e-12


def test_a_wall_by_another_id_is_another_wall(tmp_path_factory, tmp_path):
    """What the tests above see: without the springs of friction of one wall, the bed goes another way."""
    run_lammps(tmp_path, script(tmp_path, 1, steps=HALF) + "write_restart half.restart\n", name="first")
    run_lammps(tmp_path, SET_UP.replace("atom_style bpm/sphere\n", "") + "read_restart half.restart\n" + TURN + physics(tmp_path).replace("floor", "ground") +
               f"run {HALF}\n" + state_dump("again.dump"), name="second")
    _, whole, _ = packed(tmp_path_factory, 1)
    assert difference(dumped(tmp_path / "again.dump"), whole) > 1e-8
