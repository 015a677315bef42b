"""The examples run as they stand, and the guide's words about them hold."""

import pathlib
import re

import numpy as np
import pytest

from common import MESHES, columns, dumped, run_lammps, thermo

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
    assert np.abs(np.square(columns(grains, *[f"c_turn[{k}]" for k in (1, 2, 3, 4)])).sum(axis=1) - 1).max() < 1e-8
    # Nothing is below the floor, which the grains press on.
    assert grains["z"].min() > 0.002 and table["f_floor[3]"].min() < 0
    assert (tmp_path / "packing.1.restart").exists()
