"""A run that goes on from a restart file, or in two parts, gives what one run gives: with the springs of friction, at places of grains and of walls."""

import numpy as np
import pytest

from common import SET_UP, TURN, dumped, run_lammps, state_dump, thermo
from test_packing import STEPS, numbers, packed, physics, script

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


def test_a_wall_by_another_id_is_another_wall(tmp_path_factory, tmp_path):
    """What the tests above see: without the springs of friction of one wall, the bed goes another way."""
    run_lammps(tmp_path, script(tmp_path, 1, steps=HALF) + "write_restart half.restart\n", name="first")
    run_lammps(tmp_path, SET_UP.replace("atom_style bpm/sphere\n", "") + "read_restart half.restart\n" + TURN + physics(tmp_path).replace("floor", "ground") +
               f"run {HALF}\n" + state_dump("again.dump"), name="second")
    _, whole, _ = packed(tmp_path_factory, 1)
    assert difference(dumped(tmp_path / "again.dump"), whole) > 1e-8
