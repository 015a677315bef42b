"""Imports an arm from a URDF file, lets it fall on its joints, and prints where its elbow is. Needs the command abut, yourdfpy and h5py."""

import tempfile
from pathlib import Path

import abut

LINK = '<link name="{0}"><inertial><mass value="1"/></inertial><collision><origin xyz="0.2 0 0"/><geometry>{1}</geometry></collision></link>'
BOX = '<box size="0.4 0.05 0.05"/>'
JOINT = """<joint name="{0}" type="revolute"><parent link="{1}"/><child link="{2}"/><origin xyz="0.45 0 {3}"/><axis xyz="0 1 0"/>
<limit lower="-1" upper="0.6" effort="0" velocity="0"/></joint>"""

with tempfile.TemporaryDirectory() as folder:
    file = Path(folder, "arm.urdf")
    links = "".join(LINK.format(name, BOX) for name in ("base", "upper", "lower"))
    file.write_text(f'<robot name="arm">{links}{JOINT.format("shoulder", "base", "upper", 0)}{JOINT.format("elbow", "upper", "lower", 0)}</robot>')
    try:
        scene = abut.from_urdf(file, duration=2.0, pose=(0, 0, 2))
        print(scene)
        recording = abut.run(scene)
        print("the elbow is at", recording.poses[-1, recording.body("lower"), :3].round(3))
        print("angles:", recording.joints["coordinate"][-1, :, 0].round(3))
    except (ImportError, abut.CommandMissingError) as missing:
        print(missing)
