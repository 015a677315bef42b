"""Distances of a hundred thousand random pairs of hulls in one call, and the pair that is closest without touching."""

import time

import numpy as np
from numpy.typing import NDArray

import abut

random = np.random.default_rng(1)
shapes = abut.shapes(abut.hull(random.normal(size=(32, 3))) for _ in range(50))
count = 100_000
a = shapes.take(random.integers(50, size=count).astype(np.int32))
b = shapes.take(random.integers(50, size=count).astype(np.int32))


def poses() -> NDArray[np.float64]:
    rows = np.empty((count, 7))
    rows[:, :3] = random.uniform(-4, 4, (count, 3))
    turns = random.normal(size=(count, 4))
    rows[:, 3:] = turns / np.linalg.norm(turns, axis=1, keepdims=True)
    return rows


start = time.perf_counter()
found = abut.distance(a, poses(), b, poses())
took = time.perf_counter() - start
apart = found[found.gap > 0]
nearest = apart[int(np.argmin(apart.gap))]
print(f"{count} pairs in {took:.2f} s; {len(apart)} are apart")
print(f"the nearest have a gap of {nearest.gap:.2e}: {nearest.on_a} and {nearest.on_b}")
