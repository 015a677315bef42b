"""Deformable depth: how little two tetrahedra must deform so that they no longer overlap, beside how far they must move as rigid bodies."""

import sys
from itertools import combinations
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
from numpy.typing import NDArray

import abut

a = np.array([(0, 0, 0), (1.0, 0.1, 0), (0.2, 1.0, 0.1), (0.4, 0.3, 1.1)])
b = np.array([(0.3, 0.3, 0.8), (1.2, 0.5, 1.2), (0.2, 1.0, 1.4), (0.6, 0.5, 2.0)])
found = abut.depth(a, b)
moved_a, moved_b = a + found.displacement_a, b + found.displacement_b

# Random pairs: the deformable depth is at most the rigid one over the root of two.
random = np.random.default_rng(5)
many = abut.depth(random.uniform(-1, 1, (4000, 4, 3)), random.uniform(-1, 1, (4000, 4, 3)))
overlap = many.relation == 3
rigid, soft = -many.rigid_gap[overlap], many.depth[overlap]


def draw(axes: Any, corners: NDArray[np.float64], color: str) -> None:
    for i, j in combinations(range(4), 2):
        axes.plot(*corners[[i, j]].T, color=color, linewidth=1.2)
    faces = [corners[list(face)] for face in combinations(range(4), 3)]
    axes.add_collection3d(Poly3DCollection(faces, facecolor=color, alpha=0.15))


from mpl_toolkits.mplot3d.art3d import Poly3DCollection  # noqa: E402

figure = plt.figure(figsize=(10, 3.6), layout="constrained")
for place, (title, one, other) in enumerate([("Before", a, b), ("After", moved_a, moved_b)]):
    axes: Any = figure.add_subplot(1, 3, place + 1, projection="3d")
    draw(axes, one, "#30507a")
    draw(axes, other, "#b05020")
    axes.view_init(12, -70)
    axes.set(title=title, box_aspect=(1, 1, 1.4), xticklabels=[], yticklabels=[], zticklabels=[])
right = figure.add_subplot(1, 3, 3)
right.plot(rigid, soft, ".", markersize=2, color="#406020")
right.plot([0, rigid.max()], [0, rigid.max() / np.sqrt(2)], color="#b05020", label="rigid depth / √2")
right.set(xlabel="rigid depth", ylabel="deformable depth", title=f"{len(soft)} random pairs")
right.legend(fontsize=8)
figure.savefig(sys.argv[1] if len(sys.argv) > 1 else "soft.png", dpi=90)
print(f"rigid depth {-found.rigid_gap:.4f}, deformable depth {found.depth:.4f}")
