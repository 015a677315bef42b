"""Which loads can three fingers hold? Contacts give points and normals; friction cones and a limit of each finger's force give all wrenches."""

import sys

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.patches import Circle, Polygon
from numpy.typing import NDArray

import abut

FRICTION, TIP = 0.4, 0.06
angle = np.arange(6) * np.pi / 3
outline = np.stack([0.5 * np.cos(angle), 0.35 * np.sin(angle)], axis=1)
part = abut.hull([(x, y, z) for x, y in outline for z in (-0.1, 0.1)])
finger = abut.sphere(TIP)
starts = np.array([[0.9, 0.25, 0], [-0.9, 0.25, 0], [-0.05, -0.9, 0]])
aims = np.array([[0.2, 0.05, 0], [-0.2, 0.05, 0], [-0.05, 0.0, 0]])


def pose(position: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.concatenate([position, [0, 0, 0, 1.0]])


# Each finger moves towards its aim until it touches. Its contact is a point and a normal that points out of the part.
hits = abut.shape_cast(finger, np.array([pose(start) for start in starts]), part, None, linear_a=aims - starts)
tips = starts + hits.fraction[:, None] * (aims - starts)
contacts = abut.collide(finger, np.array([pose(tip) for tip in tips]), part, None, margin=1e-6)
points, normals = contacts.on_b[:, :2], contacts.normal[:, :2]

# Edges of the friction cones, for a normal force of 1: the wrench (force, torque about the origin) of each.
tangents = np.stack([-normals[:, 1], normals[:, 0]], axis=1)
forces = np.stack([-normals + FRICTION * tangents, -normals - FRICTION * tangents], axis=1)
torques = points[:, None, 0] * forces[..., 1] - points[:, None, 1] * forces[..., 0]
wrenches = np.concatenate([forces, torques[..., None]], axis=2)  # (fingers, 2 edges, 3)


def reach(directions: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The farthest wrench along each direction, and how far: each finger uses the better edge of its cone, or does not press at all."""
    along = np.einsum("nk,fek->nfe", directions, wrenches)
    best = np.take_along_axis(wrenches[None], along.argmax(2)[:, :, None, None], axis=2)[:, :, 0]
    return (best * (along.max(2) > 0)[..., None]).sum(1), np.maximum(along.max(2), 0).sum(1)


sphere = np.random.default_rng(0).normal(size=(20000, 3))
weakest = reach(sphere / np.linalg.norm(sphere, axis=1, keepdims=True))[1].min()
around = np.linspace(0, 2 * np.pi, 721)
rim = reach(np.stack([np.cos(around), np.sin(around), 0 * around], axis=1))[0]

figure, (left, right) = plt.subplots(1, 2, figsize=(9, 4), layout="constrained")
left.add_patch(Polygon(outline, closed=True, facecolor="#cfe0f3", edgecolor="#30507a"))
for tip, point, pair in zip(tips, points, forces):
    left.add_patch(Circle((tip[0], tip[1]), TIP, color="#e0a030"))
    left.add_patch(Polygon([point, point + 0.3 * pair[0], point + 0.3 * pair[1]], closed=True, facecolor="#70a040", alpha=0.5))
left.set(xlim=(-0.8, 0.8), ylim=(-0.7, 0.6), aspect="equal", title="Contacts and friction cones", xlabel="x [m]", ylabel="y [m]")
right.fill(rim[:, 0], rim[:, 1], facecolor="#70a040", alpha=0.4, edgecolor="#406020")
right.plot(0, 0, "k+")
right.set(aspect="equal", title="Forces of the fingers on the part", xlabel="x [N]", ylabel="y [N]")
figure.savefig(sys.argv[1] if len(sys.argv) > 1 else "grasp.png", dpi=90)
print(f"{len(contacts)} contacts; any wrench up to {weakest:.3f} can be resisted with forces up to 1 N a finger")
