"""Two polytopes: their growth distance beside their distance, and the patch in which they touch."""

import sys

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.patches import Polygon
from numpy.typing import NDArray

import abut


def prism(sides: int, radius: float, turn: float) -> tuple[abut.Shape, NDArray[np.float64]]:
    """A prism about z of half height 0.5, and its outline."""
    angle = turn + 2 * np.pi * np.arange(sides) / sides
    outline = radius * np.stack([np.cos(angle), np.sin(angle)], axis=1)
    return abut.hull([(x, y, z) for x, y in outline for z in (-0.5, 0.5)]), outline


lower, lower_outline = prism(5, 0.9, 0.3)
upper, upper_outline = prism(4, 0.8, 0.1)
offset = np.array([0.55, 0.35])

# The patch, when the upper one stands on the lower one and has sunk in by a hundredth.
contacts = abut.collide(upper, (*offset, 0.99), lower, None)
corners = contacts.on_a[contacts.patch == 0][:, :2]

# Growth distance and gap on a way sideways. Both bodies grow about their centres by the same factor until they touch.
ways = np.linspace(0.0, 3.0, 400)
poses = np.zeros((len(ways), 7))
poses[:, 0], poses[:, 1], poses[:, 2], poses[:, 6] = ways, offset[1], 0.8, 1.0
growth = abut.growth_distance(upper, poses, lower, None)
gap = abut.distance(upper, poses, lower, None).gap
touch = ways[int(np.argmin(np.abs(gap)))]

figure, (left, right) = plt.subplots(1, 2, figsize=(9, 4), layout="constrained")
left.add_patch(Polygon(lower_outline, closed=True, facecolor="#cfe0f3", edgecolor="#30507a", label="lower body"))
left.add_patch(Polygon(upper_outline + offset, closed=True, facecolor="none", edgecolor="#b05020", linewidth=1.5, label="upper body"))
left.add_patch(Polygon(corners, closed=True, facecolor="#70a040", alpha=0.5, label="patch"))
left.plot(corners[:, 0], corners[:, 1], "k.", label="contacts")
left.set(xlim=(-1.1, 1.6), ylim=(-1.1, 1.4), aspect="equal", title="Seen from above", xlabel="x [m]", ylabel="y [m]")
left.legend(loc="upper left", fontsize=8)
right.plot(ways, gap, color="#30507a", label="gap [m]")
right.plot(ways, growth.alpha, color="#b05020", label="growth distance")
right.axvline(touch, color="#b0b0b0", linewidth=0.8)
right.axhline(0.0, color="#b0b0b0", linewidth=0.8)
right.axhline(1.0, color="#b0b0b0", linewidth=0.8)
right.set(xlabel="x of the upper centre, 0.8 m above the lower one [m]", title="They touch at a gap of 0 and a growth distance of 1")
right.title.set_fontsize(10)
right.legend(fontsize=8)
figure.savefig(sys.argv[1] if len(sys.argv) > 1 else "patch.png", dpi=90)
print(f"{len(corners)} contacts; the patch has an area of {contacts.area.sum():.4f} m^2")
