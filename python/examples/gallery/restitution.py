"""Calibrates a restitution: a bouncing ball is simulated, and gradient descent finds the value whose bounces are those of a measured one."""

import sys

import matplotlib.pyplot as plt
import numpy as np
from numpy.typing import NDArray

import abut

DT, STEPS, TRUE = 1 / 500, 900, 0.72


def drop(restitution: float) -> abut.World:
    world = abut.World()
    world.add_body(abut.plane(), kind="static")
    world.add_body(abut.sphere(0.05), (0, 0, 1.0), mass=0.1, restitution=restitution)
    return world


def heights(values: list[float]) -> NDArray[np.float64]:
    """Heights (values, steps) of balls with these restitutions; all worlds are stepped in one call."""
    worlds = abut.Worlds(drop(value) for value in values)
    rows = []
    for _ in range(STEPS):
        worlds.step(DT)
        rows.append(worlds.poses[:, 1, 2])
    return np.array(rows).T


measured = heights([TRUE])[0] + np.random.default_rng(1).normal(scale=0.01, size=STEPS)
time = DT * np.arange(1, STEPS + 1)
value, rate, width = 0.5, 0.25, 0.02
history: list[tuple[float, float]] = []
curves: list[NDArray[np.float64]] = []
for iteration in range(20):
    here, up, down = heights([value, value + width, value - width])
    loss = [float(((curve - measured) ** 2).mean()) for curve in (here, up, down)]
    history.append((value, loss[0]))
    curves.append(here)
    slope = (loss[1] - loss[2]) / (2 * width)
    value -= float(np.clip(rate * slope, -0.03, 0.03))
    rate *= 0.95

figure, (left, right) = plt.subplots(1, 2, figsize=(9, 3.6), layout="constrained")
left.plot(time, measured, ".", color="#b0b0b0", markersize=2, label="measured")
for index, color in (0, "#d04030"), (4, "#e0a030"), (-1, "#30507a"):
    left.plot(time, curves[index], color=color, label=f"restitution {history[index][0]:.3f}")
left.set(xlabel="time [s]", ylabel="height [m]", title="A ball that bounces")
left.legend(loc="upper right", fontsize=8)
right.axhline(TRUE, color="#b0b0b0", linestyle="--", label="true value")
right.plot([one for one, _ in history], color="#30507a", label="estimate")
right.set(xlabel="iteration", ylabel="restitution", title="Gradient descent")
right.legend(fontsize=8)
figure.savefig(sys.argv[1] if len(sys.argv) > 1 else "restitution.png", dpi=90)
print(f"found {history[-1][0]:.4f}; the ball was made with {TRUE}")
assert abs(history[-1][0] - TRUE) < 0.01
