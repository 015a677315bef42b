"""MuJoCo takes the convex hulls of meshes, abut the meshes: a ball above a bowl falls in, or lies on the lid that a hull has. Needs mujoco and the command."""

import sys
import tempfile
from pathlib import Path

import matplotlib.pyplot as plt
import mujoco
import numpy as np

import abut

SIDES, STEPS = 24, 500


def bowl() -> str:
    """The OBJ text of a bowl: rings of corners inside and outside of a hollow cone, and a bottom."""
    rings = [(0.10, 0.0), (0.25, 0.2), (0.22, 0.2), (0.08, 0.03)]  # radius and height, from the bottom over the rim to the inside
    angle = 2 * np.pi * np.arange(SIDES) / SIDES
    points = [(r * np.cos(a), r * np.sin(a), z) for r, z in rings for a in angle] + [(0, 0, 0.0), (0, 0, 0.03)]
    faces = []
    for i in range(SIDES):
        j = (i + 1) % SIDES
        for ring in range(3):
            low, high = ring * SIDES, (ring + 1) * SIDES
            faces += [(low + i, low + j, high + j), (low + i, high + j, high + i)]
        faces += [(4 * SIDES, j, i), (4 * SIDES + 1, 3 * SIDES + i, 3 * SIDES + j)]
    return "".join(f"v {x:.6f} {y:.6f} {z:.6f}\n" for x, y, z in points) + "".join(f"f {a + 1} {b + 1} {c + 1}\n" for a, b, c in faces)


MODEL = """<mujoco><option timestep="0.002"/><asset><mesh name="bowl" file="{0}"/></asset><worldbody><geom type="mesh" mesh="bowl"/>
<body name="ball" pos="0.02 0 0.35"><freejoint/><geom type="sphere" size="0.04" density="500"/></body></worldbody></mujoco>"""

with tempfile.TemporaryDirectory() as folder:
    Path(folder, "bowl.obj").write_text(bowl())
    Path(folder, "model.xml").write_text(MODEL.format("bowl.obj"))
    model = mujoco.MjModel.from_xml_path(str(Path(folder, "model.xml")))
data = mujoco.MjData(model)
there = []
for _ in range(STEPS):
    mujoco.mj_step(model, data)
    there.append(float(data.qpos[2]))
scene = abut.from_mujoco(model, duration=STEPS * 0.002)
try:
    recording = abut.run(scene, progress=False)
except (ImportError, abut.CommandMissingError) as missing:
    print(missing)
    sys.exit(0)
here = recording.poses[:, recording.body("ball"), 2]

figure, axes = plt.subplots(figsize=(5.6, 3.8), layout="constrained")
axes.plot(0.002 * np.arange(1, STEPS + 1), there, color="#b05020", label="MuJoCo: the hull of the bowl")
axes.plot(recording.times, here, color="#30507a", label="abut: the bowl")
axes.axhspan(0.2, 0.205, color="#b0b0b0", label="rim")
axes.set(xlabel="time [s]", ylabel="height of the ball's centre [m]", title="A ball falls into a bowl", ylim=(0, 0.4))
axes.legend(fontsize=8)
figure.savefig(sys.argv[1] if len(sys.argv) > 1 else "hulls.png", dpi=90)
print(f"after {STEPS * 0.002} s the ball's centre is at {there[-1]:.3f} m in MuJoCo, on the hull's lid, and at {here[-1]:.3f} m in the bowl")
