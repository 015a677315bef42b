"""Drops ten boxes on a floor, and prints where they come to rest and what the floor bears."""

import numpy as np

import abut

world = abut.World()
floor = world.add_body(abut.plane(), kind="static", friction=0.6)
poses = np.array([[0.0, 0.0, 0.6 + 1.1 * i, 0.0, 0.0, 0.0, 1.0] for i in range(10)])
boxes = world.add_bodies(abut.box((0.5, 0.5, 0.5)), poses, mass=1.0, friction=0.6)

report = world.step(1 / 60, 300)
contacts = world.contacts()
on_floor = (contacts.a == floor) | (contacts.b == floor)
print(f"after {report.time:.1f} s: {report.contacts} contacts, {1e3 * report.max_penetration:.3f} mm deep at most")
print("heights:", np.round(world.state(boxes).centre[:, 2], 3))
print(f"the floor bears {contacts.normal_force[on_floor].sum():.1f} N of {10 * 9.81:.1f} N")
