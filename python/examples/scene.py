"""Builds a scene, runs it by the command abut, and prints the energy that a bouncing ball loses. Needs the command and h5py."""

import importlib.util

import abut

scene = abut.Scene(2.0, dt=1 / 240, title="A bouncing ball")
scene.add_body("floor", abut.plane(), kind="static")
scene.add_body("ball", abut.sphere(0.1), (0, 0, 1.1), mass=1.0, restitution=0.8)

try:
    command = abut.find_command()
except abut.CommandMissingError as missing:
    print(missing)
else:
    if importlib.util.find_spec("h5py") is None:
        print('recordings need h5py: pip install "abut[scene]"')
    else:
        recording = abut.run(scene)
        height = recording.poses[:, recording.body("ball"), 2]
        total = recording.energies["total"]
        print(f"{len(recording)} frames; lowest at {height.min():.4f} m; energy from {total[0]:.2f} J to {total[-1]:.2f} J")
