"""Batches of pairs and a sweep of scenes on processes of Dask, with the bits of one process. Needs dask; the sweep needs the command and h5py."""

import numpy as np
from dask.base import compute
from dask.delayed import delayed
from work import COLUMNS, FRICTIONS, gaps, pairs, slide

import abut

PARTS = 8

if __name__ == "__main__":
    a, poses_a, b, poses_b = pairs(20_000)
    parts = [delayed(gaps)(a, one, b, other) for one, other in zip(np.array_split(poses_a, PARTS), np.array_split(poses_b, PARTS))]
    found = np.concatenate(compute(*parts, scheduler="processes", num_workers=2))
    assert found.tobytes() == abut.distance(a, poses_a, b, poses_b).gap.tobytes()
    print(f"{len(found)} gaps from {PARTS} parts, with the bits of one call")
    try:
        abut.find_command()
        rows = compute(*[delayed(slide)(friction) for friction in FRICTIONS], scheduler="processes", num_workers=2)
        table = np.array(list(rows), dtype=COLUMNS)
        assert table.tobytes() == np.array([slide(friction) for friction in FRICTIONS], dtype=COLUMNS).tobytes()
        print(table)
    except (ImportError, abut.CommandMissingError) as missing:
        print(missing)
