"""Meshed balls beside LAMMPS's own Hertzian balls."""

import numpy as np

from common import SET_UP, TURN, ball_mesh, columns, dumped, lattice, places, polyhedron_volume, run_lammps, state_dump, thermo

RADIUS, YOUNG, POISSON, MASS = 0.005, 1e6, 0.3, 5e-4


def bed():
    return lattice((4, 4, 4), 2.02 * RADIUS, seed=1, speed=0.2)


def own_hertz(folder, steps, ranks=1):
    stiffness = 2 * YOUNG / (3 * (1 - POISSON**2))
    grains = bed()
    grains.write(folder / "bed.data")
    out = run_lammps(folder, SET_UP + f"""
read_data bed.data
set type 1 diameter {2 * RADIUS!r}
set type 1 mass {MASS!r}
pair_style gran/hertz/history {stiffness!r} NULL 0 0 0 0
pair_coeff * *
neighbor 0.001 bin
fix move all nve/sphere
timestep 1e-5
thermo_style custom step ke
thermo_modify format float %.16g
run {steps}
write_dump all custom hertz.dump id x y z vx vy vz modify sort id format float %.17g
""", name="hertz")
    return dumped(folder / "hertz.dump"), thermo(out)["KinEng"][-1]


def meshed(folder, steps, ranks, level, mode):
    mesh = ball_mesh(folder / "ball.obj", RADIUS, level)
    grains = bed()
    grains.write(folder / "bed.data")
    # Masses come from density and volume: the density gives the mesh, whose volume is below the ball's, the mass.
    run_lammps(folder, SET_UP + "read_data bed.data\n" + TURN + grains.rotate_commands() + f"""
pair_style abut/facetmesh mode {mode}
pair_coeff 1 1 mesh {mesh} radius {RADIUS!r} density {MASS / polyhedron_volume(mesh)!r} young {YOUNG!r} poisson {POISSON!r} friction 0 restitution 1
neighbor 0.001 bin
fix move all abut/nve
timestep 1e-5
thermo_style custom step ke pe press
thermo_modify format float %.16g
run {steps}
{state_dump()}""", ranks)
    return dumped(folder / "end.dump")


def compare(folder, ranks, level, mode="area"):
    steps = 300
    own, energy = own_hertz(folder, steps)
    mesh = meshed(folder, steps, ranks, level, mode)
    # The bed is a cloud in full motion: lengths are measured in diameters, velocities in the fastest one.
    assert np.abs(places(mesh) - places(own)).max() < 1e-12 * 2 * RADIUS
    velocity = columns(own, "vx", "vy", "vz")
    assert np.abs(columns(mesh, "vx", "vy", "vz") - velocity).max() < 1e-12 * np.abs(velocity).max()
    kinetic = 0.5 * MASS * (columns(mesh, "vx", "vy", "vz") ** 2).sum()
    assert abs(kinetic - energy) < 1e-12 * energy
    print("places", np.abs(places(mesh) - places(own)).max() / (2 * RADIUS), "velocities",
          np.abs(columns(mesh, "vx", "vy", "vz") - velocity).max() / np.abs(velocity).max(), "energy", abs(kinetic / energy - 1))


def test_icosahedra_move_as_balls(tmp_path):
    compare(tmp_path, 1, 0)


def test_forces_at_points(tmp_path):
    compare(tmp_path, 1, 1, "point")


def test_finer_balls_on_two_ranks(tmp_path):
    compare(tmp_path, 2, 1)
