"""The recipes for Dask and Ray give the bits of one process: each asserts so itself. Skipped without these packages, which are extras."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from pathlib import Path

import pytest

from test_scenes import COMMAND

RECIPES = Path(__file__).parent.parent / "examples" / "cluster"


@pytest.mark.parametrize("package", ["dask", "ray"])
def test_recipe(package: str) -> None:
    if importlib.util.find_spec(package) is None:
        pytest.skip(f"{package} is not installed: abut[{package}]")
    for _ in range(3):  # Ray gives its own start half a minute, which a busy machine may not keep
        done = subprocess.run([sys.executable, RECIPES / f"with_{package}.py"], capture_output=True, text=True, timeout=600)
        if "timed out during startup" not in done.stderr:
            break
    else:
        pytest.skip("Ray did not start in three tries: this machine is too busy")
    assert done.returncode == 0, done.stderr
    assert "20000 gaps from 8 parts" in done.stdout
    if COMMAND is not None and importlib.util.find_spec("h5py") is not None:
        # By hand: tan 30 degrees is 0.577, so that a friction of 0.6 holds the block, and one of 0.1 lets it slide g (sin - 0.1 cos) / 2.
        rows = [[float(number) for number in line.strip(" []()\n").replace(")]", "").split(",")] for line in done.stdout.splitlines() if "(" in line]
        ways = {row[0]: row[1] for row in rows}
        assert ways[0.6] < 1e-3 and abs(ways[0.1] - 9.81 * (0.5 - 0.1 * 0.75**0.5) / 2) < 0.02
