"""Batches of pairs and a sweep of scenes on workers of Ray, with the bits of one process. Needs ray; the sweep needs the command and h5py."""

import os
from pathlib import Path

import numpy as np
import ray
from work import COLUMNS, FRICTIONS, gaps, pairs, slide

import abut

PARTS = 8

if __name__ == "__main__":
    here = {"PYTHONPATH": str(Path(__file__).parent), "ABUT_COMMAND": os.environ.get("ABUT_COMMAND", "")}
    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False, runtime_env={"env_vars": here})
    a, poses_a, b, poses_b = pairs(20_000)
    remote_gaps, remote_slide = ray.remote(gaps), ray.remote(slide)
    parts = zip(np.array_split(poses_a, PARTS), np.array_split(poses_b, PARTS))
    found = np.concatenate(ray.get([remote_gaps.remote(a, one, b, other) for one, other in parts]))
    assert found.tobytes() == abut.distance(a, poses_a, b, poses_b).gap.tobytes()
    print(f"{len(found)} gaps from {PARTS} parts, with the bits of one call")
    try:
        abut.find_command()
        table = np.array(ray.get([remote_slide.remote(friction) for friction in FRICTIONS]), dtype=float)
        assert table.tobytes() == np.array([slide(friction) for friction in FRICTIONS]).tobytes()
        print(np.array([tuple(row) for row in table], dtype=COLUMNS))
    except (ImportError, abut.CommandMissingError) as missing:
        print(missing)
    ray.shutdown()
