"""A sweep of a hopper: how many balls run out through openings of several widths, in worlds that are stepped together."""

import sys

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.patches import Circle
from numpy.typing import NDArray

import abut

RADIUS, BALLS, SECONDS, DT = 0.01, 160, 1.2, 1 / 200
LENGTH, WIDTHS = 0.5, [3.0, 4.0, 6.0, 8.0, 10.0]  # of a slope, and of the openings in radii


def turned(x: float, z: float, angle: float) -> tuple[float, ...]:
    return (x, 0.0, z, 0.0, float(np.sin(angle / 2)), 0.0, float(np.cos(angle / 2)))


def hopper(width: float) -> abut.World:
    """Two slopes of 45 degrees that leave an opening at z = 0, between panes of glass that let one layer of balls move."""
    world, half, length = abut.World(), width * RADIUS / 2, LENGTH
    wall = abut.box((length / 2, 0.02, 0.005))
    reach = length / 2 * np.sqrt(0.5) + 0.005 * np.sqrt(0.5)
    for side in (1, -1):
        world.add_body(wall, turned(side * (half + reach), reach - 0.01 * np.sqrt(0.5), -side * np.pi / 4), kind="static", friction=0.5)
        world.add_body(abut.plane((0, side, 0), -1.02 * RADIUS), kind="static", friction=0.0)
    random = np.random.default_rng(3)
    poses = np.zeros((BALLS, 7))
    poses[:, 6] = 1.0
    poses[:, 0] = (np.arange(BALLS) % 16 - 7.5) * 2.3 * RADIUS + random.uniform(-0.1, 0.1, BALLS) * RADIUS
    poses[:, 2] = 0.19 + (np.arange(BALLS) // 16) * 2.2 * RADIUS
    world.add_bodies(abut.sphere(RADIUS), poses, density=2500.0, friction=0.5)
    return world


worlds = abut.Worlds(hopper(width) for width in WIDTHS)
times, out = [], []
for step in range(int(SECONDS / DT)):
    worlds.step(DT)
    if step % 5 == 0:
        times.append(step * DT)
        out.append((worlds.poses[:, 4:, 2] < -0.02).sum(1))
counts: NDArray[np.int64] = np.array(out)

figure, (left, right) = plt.subplots(1, 2, figsize=(9, 4), layout="constrained")
for index, width in enumerate(WIDTHS):
    left.plot(times, counts[:, index], label=f"{width:g} radii")
left.set(xlabel="time [s]", ylabel=f"balls out, of {BALLS}", title="Openings of several widths")
left.legend(fontsize=8)
chosen = worlds[1]
for ball in chosen.poses[4:]:
    right.add_patch(Circle((ball[0], ball[2]), RADIUS, facecolor="#e0a030", edgecolor="#805010", linewidth=0.4))
half, span = WIDTHS[1] * RADIUS / 2, LENGTH * np.sqrt(0.5)
for side in (1, -1):
    right.plot([side * half, side * (half + span)], [0, span], color="#30507a", linewidth=3)
right.set(xlim=(-0.22, 0.22), ylim=(-0.06, 0.24), aspect="equal", title=f"{WIDTHS[1]:g} radii, after {SECONDS} s", xlabel="x [m]", ylabel="z [m]")
figure.savefig(sys.argv[1] if len(sys.argv) > 1 else "hopper.png", dpi=90)
for width, number in zip(WIDTHS, counts[-1]):
    print(f"opening of {width:4.1f} radii: {number:3d} balls out after {SECONDS} s")
