"""Nearest points of two robots that move: all pairs of their links at all times are one batch."""

import sys

import matplotlib.pyplot as plt
import numpy as np
from numpy.typing import NDArray

import abut

LINKS, TIMES = 10, 200
lengths = np.full(LINKS, 0.22)
links = [abut.capsule(0.05, length / 2) if i % 2 else abut.box((0.05, 0.04, length / 2)) for i, length in enumerate(lengths)]


def arm(base: tuple[float, float], angles: NDArray[np.float64]) -> NDArray[np.float64]:
    """Poses (times, links, 7) of an arm in the plane x, z, from the angles (times, links) of its joints; links are along their z axes."""
    total = np.cumsum(angles, axis=1)
    along = np.stack([np.sin(total), np.zeros_like(total), np.cos(total)], axis=2) * lengths[:, None]
    ends = np.cumsum(along, axis=1) + [base[0], 0.0, base[1]]
    poses = np.zeros((*angles.shape, 7))
    poses[..., :3] = ends - along / 2
    poses[..., 4], poses[..., 6] = np.sin(total / 2), np.cos(total / 2)
    return poses


moment = np.linspace(0, 1, TIMES)[:, None]
bend = np.linspace(1.0, 0.2, LINKS)
first = arm((-1.7, 0.0), 0.15 * bend * np.sin(2 * np.pi * moment) + 0.06)
second = arm((1.7, 0.0), 0.12 * bend * np.cos(3 * np.pi * moment + 1.0) - 0.10)

one, other = (np.repeat(np.arange(LINKS), LINKS), np.tile(np.arange(LINKS), LINKS))  # all pairs of links
a, b = abut.shapes([links[i] for i in one] * TIMES), abut.shapes([links[i] for i in other] * TIMES)
found = abut.distance(a, first[:, one].reshape(-1, 7), b, second[:, other].reshape(-1, 7))
gaps = found.gap.reshape(TIMES, LINKS * LINKS)
nearest = gaps.argmin(1)
least = gaps.min(1)

figure, (left, right) = plt.subplots(1, 2, figsize=(9, 4), layout="constrained")
chosen = int(least.argmin())
for poses, color in (first, "#30507a"), (second, "#b05020"):
    for index, pose in enumerate(poses[chosen]):
        way = np.array([2 * pose[4] * pose[6], 1 - 2 * pose[4] ** 2]) * lengths[index] / 2
        middle = pose[[0, 2]]
        left.plot(*np.stack([middle - way, middle + way], axis=1), color=color, linewidth=14, alpha=0.35, solid_capstyle="round")
pair = found[chosen * LINKS * LINKS + int(nearest[chosen])]
left.plot([pair.on_a[0], pair.on_b[0]], [pair.on_a[2], pair.on_b[2]], "k.-", linewidth=1.5)
left.set(aspect="equal", title=f"Nearest: {1e3 * least[chosen]:.0f} mm at time {moment[chosen, 0]:.2f}", xlabel="x [m]", ylabel="z [m]")
right.plot(moment, least, color="#30507a")
right.plot(moment[chosen], least[chosen], "ko")
right.set(xlabel="time", ylabel="least distance [m]", title=f"All {LINKS * LINKS} pairs of links at {TIMES} times")
right.set_ylim(bottom=min(0.0, float(least.min())))
figure.savefig(sys.argv[1] if len(sys.argv) > 1 else "robots.png", dpi=90)
print(f"{gaps.size} distances; the least is {least[chosen]:.4f} m")
