"""The distance field of a gear: signed distances of a grid of points to a closed mesh, by two calls."""

import sys

import matplotlib.pyplot as plt
import numpy as np
from numpy.typing import NDArray

import abut

TEETH, ROOT, TIP, THICKNESS = 12, 0.8, 1.0, 1.5


def gear() -> tuple[NDArray[np.float64], NDArray[np.int64], NDArray[np.float64]]:
    """A closed mesh of a gear about the z axis, and its outline."""
    step = 2 * np.pi / TEETH
    corners = [(ROOT, -0.32), (TIP, -0.16), (TIP, 0.16), (ROOT, 0.32)]
    rim = [(r * np.cos((k + a) * step), r * np.sin((k + a) * step)) for k in range(TEETH) for r, a in corners]
    n = len(rim)
    points = np.array([(x, y, z) for z in (-THICKNESS, THICKNESS) for x, y in rim] + [(0, 0, -THICKNESS), (0, 0, THICKNESS)])
    faces = []
    for i in range(n):
        j = (i + 1) % n
        faces += [(i, j, j + n), (i, j + n, i + n), (2 * n, j, i), (2 * n + 1, i + n, j + n)]
    return points, np.array(faces), np.array([*rim, rim[0]])


vertices, triangles, outline = gear()
shape = abut.trimesh(vertices, triangles)
side = np.linspace(-1.4, 1.4, 240)
x, y = np.meshgrid(side, side)
poses = np.zeros((x.size, 7))
poses[:, 0], poses[:, 1], poses[:, 6] = x.ravel(), y.ravel(), 1.0

far = abut.distance(abut.sphere(1e-9), poses, shape, None).gap
# A mesh is a surface for a small ball, so that its distances have no sign. Rays from above tell which points are below its top.
inside = abut.ray_cast(shape, None, poses[:, :3] + [0, 0, 2 * THICKNESS], np.tile([0, 0, -2 * THICKNESS], (len(poses), 1))).hit
field = np.where(inside, -far, far).reshape(x.shape)

figure, axes = plt.subplots(figsize=(5.6, 4.6), layout="constrained")
levels = np.linspace(-0.9, 0.6, 31)
shown = axes.contourf(x, y, np.clip(field, -0.9, 0.6), levels=levels, cmap="RdBu", vmin=-0.9, vmax=0.9)
axes.contour(x, y, field, levels=levels, colors="k", linewidths=0.3)
axes.plot(outline[:, 0], outline[:, 1], "k", linewidth=1.2)
axes.set(aspect="equal", title="Signed distance to a gear", xlabel="x [m]", ylabel="y [m]")
figure.colorbar(shown, label="distance [m]", ticks=[-0.9, -0.6, -0.3, 0, 0.3, 0.6])
figure.savefig(sys.argv[1] if len(sys.argv) > 1 else "gear.png", dpi=90)
print(f"{field.size} signed distances, from {field.min():.3f} to {field.max():.3f}")
