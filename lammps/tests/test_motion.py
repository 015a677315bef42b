"""Rotation with the true inertia, momentum, and walls."""

import math

import numpy as np
import pytest

from common import (LIBRARY_RUN, MESHES, SET_UP, TURN, Bed, ball_mesh, box_mesh, columns, dumped, ellipsoid_mesh, lattice, library_run,
                    places, polyhedron_volume, run_lammps, state_dump, thermo)

MOVE = "f_move[1] f_move[2] f_move[3] f_move[4] f_move[5] f_move[6] f_move[7] f_move[8]"


def one(folder, mesh, place, velocity, spin, commands, steps, step=1e-5, rest="", rotation=(1, 0, 0, 0), density="density 1000", ranks=1, columns_too=""):
    """A run of one grain. (its last state, thermo output)."""
    bed = Bed(np.array([place], float), np.array([velocity], float), np.array([rotation], float), np.array([spin], float), np.array([1]), [(-0.1, 0.1)] * 3)
    bed.write(folder / "bed.data")
    out = run_lammps(folder, SET_UP + "boundary f f f\nread_data bed.data\n" + bed.rotate_commands() + TURN +
                     f"pair_style abut/facetmesh\npair_coeff 1 1 {mesh} {density} young 1e6 poisson 0.3 {rest}\nneighbor 0.001 bin\nfix move all abut/nve\n" +
                     commands + f"timestep {step!r}\nthermo_style custom step {MOVE} {columns_too}\nthermo_modify format float %.17g norm no\n"
                     f"thermo {max(1, steps // 50)}\nrun {steps}\n" + state_dump(), ranks)
    return dumped(folder / "end.dump"), thermo(out)


# ---- free rotation


def test_a_free_body_keeps_energy_and_angular_momentum(tmp_path):
    """A tumbling ellipsoid with three moments. Rotation about the middle axis is unstable: it turns over, and keeps both all the same."""
    mesh = ellipsoid_mesh(tmp_path / "grain.obj", (0.006, 0.004, 0.002), centre=(0.001, -0.002, 0.0005))
    state, table = one(tmp_path, f"mesh {mesh}", (0, 0, 0), (0.01, 0.02, 0), (5.0, 300.0, -2.0), "", 4500)
    spin = np.stack([table[f"f_move[{k}]"] for k in (6, 7, 8)], axis=1)
    assert np.abs(spin - spin[0]).max() < 1e-13 * np.linalg.norm(spin[0])
    assert np.abs(table["f_move[2]"] / table["f_move[2]"][0] - 1).max() < 1e-12
    # It has turned over: about its own middle axis it turns the other way.
    w, x, y, z = [state[f"c_turn[{k}]"][0] for k in (1, 2, 3, 4)]
    axis = np.array([2 * (x * y - w * z), 1 - 2 * (x * x + z * z), 2 * (y * z + w * x)])
    omega = columns(state, "omegax", "omegay", "omegaz")[0]
    print("turning about its middle axis", omega @ axis)
    assert omega @ axis < -200
    assert np.abs(places(state)[0] - 0.045 * np.array([0.01, 0.02, 0.0])).max() < 1e-15


def test_inertia_of_a_box(tmp_path):
    """A torque-free spin about a principal axis of a box 2a x 2b x 2c: I = m (b^2 + c^2) / 3, and the kinetic energy I w^2 / 2."""
    half, w = (0.001, 0.002, 0.004), 20.0
    mesh = box_mesh(tmp_path / "box.obj", half)
    _, table = one(tmp_path, f"mesh {mesh} radius flat", (0, 0, 0), (0, 0, 0), (w, 0, 0), "", 10)
    mass = 1000 * 8 * half[0] * half[1] * half[2]
    moment = mass * (half[1] ** 2 + half[2] ** 2) / 3
    assert abs(table["f_move[2]"][-1] / (0.5 * moment * w * w) - 1) < 1e-13
    assert abs(table["f_move[6]"][-1] / (moment * w) - 1) < 1e-13


def test_damping(tmp_path):
    mesh = ellipsoid_mesh(tmp_path / "grain.obj", (0.003, 0.003, 0.003))
    script_damping = "unfix move\nfix move all abut/nve damping 4 7\n"
    state, _ = one(tmp_path, f"mesh {mesh}", (0, 0, 0), (0.1, 0, 0), (0, 0, 5.0), script_damping, 10000)
    assert abs(state["vx"][0] / (0.1 * math.exp(-0.4)) - 1) < 1e-4
    assert abs(state["omegaz"][0] / (5.0 * math.exp(-0.7)) - 1) < 1e-4


# ---- a cloud


@pytest.mark.parametrize("ranks, friction", [(1, 0.0), (1, 0.5), (2, 0.5)])
def test_a_cloud_keeps_its_momentum(tmp_path, ranks, friction):
    """Colliding bodies without damping: momentum and angular momentum stay. Ellipsoids lose energy by friction alone, meshed balls without friction none."""
    mesh = f"{ellipsoid_mesh(tmp_path / 'grain.obj', (0.006, 0.005, 0.004))}" if friction > 0 else f"{ball_mesh(tmp_path / 'ball.obj', 0.005, 1)} radius 0.005"
    bed = lattice((3, 3, 3), 0.0125, seed=3, speed=0.3, spin=20.0, margin=0.05)
    bed.write(tmp_path / "bed.data")
    out = run_lammps(tmp_path, SET_UP + "boundary f f f\nread_data bed.data\n" + bed.rotate_commands() + TURN + f"""
pair_style abut/facetmesh
pair_coeff 1 1 mesh {mesh} density 2000 young 1e6 poisson 0.3 friction {friction} restitution 1
fix move all abut/nve
neighbor 0.002 bin
timestep 1e-5
compute pair all pair abut/facetmesh
thermo_style custom step pe {MOVE} c_pair[1] c_pair[3] c_pair[4] c_pair[5]
thermo_modify format float %.17g norm no
thermo 200
run 2000
""", ranks)
    table = thermo(out)
    kinetic = table["f_move[1]"] + table["f_move[2]"]
    momentum = np.stack([table[f"f_move[{k}]"] for k in (3, 4, 5)], axis=1)
    spin = np.stack([table[f"f_move[{k}]"] for k in (6, 7, 8)], axis=1)
    mass = 2000 * 4 / 3 * math.pi * 0.006 * 0.005 * 0.004 * 27
    assert np.abs(momentum - momentum[0]).max() < 1e-13 * mass * 0.3
    assert np.abs(spin - spin[0]).max() < 1e-13 * mass * 0.3 * 0.02
    assert table["c_pair[5]"].max() >= 3
    rubbed = table["c_pair[4]"][-1]
    balance = kinetic + table["PotEng"] + table["c_pair[1]"] + table["c_pair[3]"] + table["c_pair[4]"]
    error = abs(balance[-1] - balance[0])
    print("friction", friction, "work of friction", rubbed / kinetic[0], "energy", error / kinetic[0])
    if friction > 0:  # the dem stepper's own figure: docs/methods/dem.md
        assert rubbed > 0.05 * kinetic[0] and error < 0.05 * rubbed
    else:
        assert rubbed == 0 and error < 1e-6 * kinetic[0]


# ---- inlets


@pytest.mark.parametrize("ranks", [1, 2])
def test_inserted_grains_have_the_masses_of_their_shapes(tmp_path, ranks):
    """LAMMPS's own fix deposit as an inlet: grains that it inserts in a run fall with g, and touch each other and the floor."""
    mesh = ellipsoid_mesh(tmp_path / "grain.obj", (0.006, 0.005, 0.004))
    out = run_lammps(tmp_path, SET_UP + f"""
boundary f f f
region box block -0.03 0.03 -0.03 0.03 -0.01 0.2
create_box 1 box
region inlet block -0.015 0.015 -0.015 0.015 0.03 0.09
pair_style abut/facetmesh
pair_coeff 1 1 mesh {mesh} density 2000 young 1e6 poisson 0.3 friction 0.5 restitution 0.3
fix weight all gravity 9.81 vector 0 0 -1
fix inlet all deposit 12 1 200 4711 region inlet near 0.0125 attempt 100 vz -0.5 -0.5
fix move all abut/nve
fix floor all abut/wall plane 0 0 1 0
neighbor 0.002 bin
timestep 4e-5
compute pair all pair abut/facetmesh
compute energy all ke
thermo_style custom step atoms c_energy {MOVE} c_pair[3] f_floor[9]
thermo_modify format float %.17g norm no lost error
thermo 100
run 3000
""", ranks)
    table = thermo(out)
    mass = 2000 * polyhedron_volume(mesh)
    # The first grain alone, inserted in step 1 and in free fall: momentum m (v0 + g t). LAMMPS's kinetic energy and its gravity are those of the same mass.
    first = list(table["Atoms"]).index(1)
    assert abs(table["f_move[5]"][first] / mass + 0.5 + 9.81 * (table["Step"][first] - 0.5) * 4e-5) < 1e-9
    assert np.allclose(table["c_energy"], table["f_move[1]"], rtol=1e-12, atol=0)
    assert table["Atoms"][-1] == 12 and table["f_floor[9]"][-1] > 0 and table["c_pair[3]"][-1] > 0


# ---- walls


def test_a_ball_on_a_plane_bounces_as_its_restitution_says(tmp_path):
    mesh = ball_mesh(tmp_path / "ball.obj", 0.005, 1)
    state, _ = one(tmp_path, f"mesh {mesh} radius 0.005", (0, 0, 0.0052), (0, 0, -0.5), (0, 0, 0),
                   "fix floor all abut/wall plane 0 0 2 0 young 1e6 restitution 0.6 friction 0\n", 3000, rest="friction 0 restitution 0.3")
    assert abs(state["vz"][0] / 0.5 - 0.6) < 0.002


def test_a_sliding_ball_ends_up_rolling(tmp_path):
    """A sphere that slides with v rolls with 5/7 v in the end, whatever the friction; a meshed one is only a sphere outside, so its inertia decides."""
    mesh = ball_mesh(tmp_path / "ball.obj", 0.005, 2)
    state, table = one(tmp_path, f"mesh {mesh} radius 0.005", (0, 0, 0.004999), (0.3, 0, 0), (0, 0, 0),
                       "fix floor all abut/wall plane 0 0 1 0 young 1e6 friction 0.5\nfix weight all gravity 9.81 vector 0 0 -1\n", 12000,
                       rest="friction 0.5 restitution 0.1")
    radius = places(state)[0, 2]
    moment = 2 * table["f_move[2]"][-1] / columns(state, "omegax", "omegay", "omegaz")[0, 1] ** 2
    mass = 2 * table["f_move[1]"][-1] / np.square(columns(state, "vx", "vy", "vz")[0]).sum()
    expected = 0.3 / (1 + moment / (mass * radius**2))
    print("rolling", state["vx"][0], expected, "of a sphere", 0.3 * 5 / 7)
    assert abs(state["vx"][0] / expected - 1) < 2e-3
    assert abs(state["vx"][0] - state["omegay"][0] * radius) < 1e-3 * expected


@pytest.mark.parametrize("wall", ["mesh", "plane"])
def test_a_belt_carries_a_ball_along(tmp_path, wall):
    """A floor that moves along itself takes a ball with it at once; the force on it is the opposite of the ball's."""
    mesh = ball_mesh(tmp_path / "ball.obj", 0.005, 1)
    floor = box_mesh(tmp_path / "floor.obj", (0.05, 0.05, 0.01))
    words = f"mesh {floor} radius flat position 0 0 -0.01" if wall == "mesh" else "plane 0 0 1 0"
    state, table = one(tmp_path, f"mesh {mesh} radius 0.005", (0, 0, 0.00499), (0, 0, 0), (0, 0, 0),
                       f"fix belt all abut/wall {words} young 1e6 friction 0.3 velocity 0.2 0 0\nfix weight all gravity 9.81 vector 0 0 -1\n", 4000,
                       rest="friction 0.3 restitution 0.1", columns_too="f_belt[1] f_belt[2] f_belt[3]")
    late = slice(5, 20)  # while the ball slides
    force = np.stack([table[f"f_belt[{k}]"] for k in (1, 2, 3)], axis=1)[late]
    assert np.all(force[:, 2] < 0) and np.abs(force[:, 0] / force[:, 2] - 0.3).max() < 0.02
    assert state["vx"][0] > 0.05 and state["omegay"][0] < 0


def test_a_turning_wall_of_triangles(tmp_path):
    """A drum's wall: a box that turns about z brings a ball on it along the circle, and its angular velocity is that of the wall's motion."""
    mesh = ball_mesh(tmp_path / "ball.obj", 0.005, 1)
    table_top = box_mesh(tmp_path / "table.obj", (0.06, 0.06, 0.01))
    state, table = one(tmp_path, f"mesh {mesh} radius 0.005", (0.03, 0, 0.00499), (0, 0.06, 0), (0, 0, 0),
                       f"fix top all abut/wall mesh {table_top} radius flat position 0 0 -0.01 young 1e6 friction 0.9 rotate 0 0 0 0 0 1 2.0\n"
                       "fix weight all gravity 9.81 vector 0 0 -1\n", 2000, rest="friction 0.9 restitution 0.1", columns_too="f_top[1] f_top[2] f_top[6]")
    # The surface under the ball moves as the ball does, so it hardly slides: its force stays far below the friction limit.
    force = np.hypot(table["f_top[1]"], table["f_top[2]"])[5:]
    assert force.max() < 0.2 * 0.9 * 1000 * 4 / 3 * math.pi * 0.005**3 * 9.81
    assert abs(state["vy"][0] - 0.06) < 0.003


HELD = """boundary f f f
region box block -0.1 0.1 -0.1 0.1 -0.1 0.1
create_box 1 box
create_atoms 1 single 0 0 0.005
"""
# A ball that no fix moves: what a wall does at it follows from the wall's place alone.
BALL = """
pair_style abut/facetmesh
pair_coeff 1 1 sphere 0.005 density 1000 young 1e6 poisson 0.3 friction 0.5
neighbor 0.001 bin
"""
WALL_THERMO = "thermo_style custom step f_wall f_wall[7]\nthermo_modify format float %.17g\nthermo 1\n"


def wall_at(height, rest=""):
    return f"fix wall all abut/wall plane 0 0 1 {height!r} young 1e6 friction 0.5 {rest}\n" + WALL_THERMO


def energy_at(folder, height):
    """The elastic energy of the ball on a plane at rest."""
    return thermo(run_lammps(folder, SET_UP + HELD + BALL + wall_at(height) + "run 0\n", name="still"))["f_wall"][-1]


def test_a_wall_keeps_its_place_when_the_time_step_changes(tmp_path):
    """A rising plane has come its velocity times the sum of the steps: with two time steps in a script, and a third one after a restart."""
    rising = BALL + wall_at(0.0, "velocity 0 0 0.1")
    out = thermo(run_lammps(tmp_path, SET_UP + HELD + rising + "timestep 1e-5\nrun 100\ntimestep 4e-5\nrun 50\nwrite_restart half.restart\n", name="first"))
    height = 0.1 * (100 * 1e-5 + 50 * 4e-5)
    assert abs(out["f_wall"][0] / energy_at(tmp_path, 0.1 * 100 * 1e-5) - 1) < 1e-9
    assert abs(out["f_wall"][-1] / energy_at(tmp_path, height) - 1) < 1e-9
    again = SET_UP.replace("atom_style bpm/sphere\n", "") + "read_restart half.restart\n" + rising + "timestep 2e-5\nrun 50\n"
    out = thermo(run_lammps(tmp_path, again, name="second"))
    assert abs(out["f_wall"][0] / energy_at(tmp_path, height) - 1) < 1e-9
    assert abs(out["f_wall"][-1] / energy_at(tmp_path, height + 0.1 * 50 * 2e-5) - 1) < 1e-9


@pytest.mark.parametrize("commands", ["unfix wall\n{wall}", "{wall}", "unfix wall\nrun 0\n{wall}", "group held clear\nrun 1\ngroup held type 1\n"])
def test_a_wall_that_is_gone_leaves_no_springs(tmp_path, commands):
    """A belt that has stretched its spring of friction for 100 steps is removed, or loses the ball. What comes then begins as its first step did."""
    wall = wall_at(1e-4, "velocity 0.001 0 0").replace("fix wall all", "fix wall held")
    commands = commands.replace("{wall}", wall).replace("unfix wall\n", "thermo_style one\nunfix wall\n")
    out = run_lammps(tmp_path, SET_UP + HELD + BALL + "group held type 1\n" + wall + "timestep 1e-5\nrun 1\nrun 99\n" + commands + "run 1\n")
    runs = [thermo("Step" + part)["f_wall[7]"] for part in out.split("Step")[1:] if "f_wall[7]" in part.splitlines()[0]]
    first, stretched, last = runs[0], runs[1], runs[-1]
    assert stretched[-1] > 5000 * first[-1] > 0
    assert last[0] == first[0] and abs(last[-1] / first[-1] - 1) < 1e-6


@pytest.mark.skipif(LIBRARY_RUN is None, reason="ABUT_LIBRARY_RUN names no program")
def test_pears_in_the_hopper_as_the_library_moves_them(tmp_path):
    """The project's own pears and balls fall into its hopper: a wall with three groups of radii."""
    hopper = f"mesh {MESHES / 'hopper.obj'} radii walls flat radii outlet 0.006 radii rim 0.012"
    steel, fruit = "young 1e7 poisson 0.3 friction 0.3 restitution 0.4", "density 1000 young 1e6 poisson 0.3 friction 0.4 restitution 0.3"
    bed = lattice((2, 2, 2), 0.0125, seed=8, speed=0.05, spin=10.0, types=2, margin=0.2)
    bed.places += np.array([0.02, -0.0125, 0.04])
    bed.velocities[:, 2] -= 1.0
    bed.write(tmp_path / "bed.data")
    pear, ball = f"mesh {MESHES / 'pear.obj'} {fruit}", f"sphere 0.005 {fruit}"
    out = run_lammps(tmp_path, SET_UP + "boundary f f f\nread_data bed.data\n" + bed.rotate_commands() + TURN + f"""
pair_style abut/facetmesh
pair_coeff 1 1 {pear}
pair_coeff 2 2 {ball}
fix move all abut/nve
fix weight all gravity 9.81 vector 0 0 -1
fix hopper all abut/wall {hopper} {steel}
neighbor 0.002 bin
timestep 2e-5
compute pair all pair abut/facetmesh
thermo_style custom step {MOVE} c_pair[5] f_hopper[1] f_hopper[2] f_hopper[3] f_hopper[8] f_hopper[9]
thermo_modify format float %.17g norm no
thermo 100
run 0
""" + state_dump("start.dump") + "run 2000\n" + state_dump())
    table = thermo(out)
    assert table["f_hopper[8]"].max() >= 2 and table["f_hopper[9]"][-1] > 0
    end = dumped(tmp_path / "end.dump")
    energies, states = library_run(tmp_path, f"gravity 0 0 -9.81\nstep 2e-5\nsteps 2000\ntype {pear}\ntype {ball}\nwall {hopper} {steel}\n",
                                   dumped(tmp_path / "start.dump"))
    place = np.abs(places(end) - states[:, :3]).max() / 0.005
    kinetic = table["f_move[1]"][-1] + table["f_move[2]"][-1]
    print("places", place, "kinetic", kinetic / energies["kinetic"] - 1, "touching", table["f_hopper[8]"], table["c_pair[5]"])
    assert place < 1e-10 and abs(kinetic / energies["kinetic"] - 1) < 1e-10


@pytest.mark.skipif(LIBRARY_RUN is None, reason="ABUT_LIBRARY_RUN names no program")
@pytest.mark.parametrize("sides", [1, 2])
def test_an_open_stl_in_millimetres_as_the_library_takes_it(tmp_path, sides):
    """A V of two sheets, four triangles in a text STL: ellipsoids and balls slide into it."""
    a, b, c = [(x, -40.0, z) for x, z in ((-40.0, 25.0), (0.0, 0.0), (40.0, 25.0))]
    d, e, f = [(x, 40.0, z) for x, _, z in (a, b, c)]
    facets = "".join("facet normal 0 0 0\nouter loop\n" + "".join("vertex {} {} {}\n".format(*p) for p in t) + "endloop\nendfacet\n"
                     for t in ((a, b, e), (a, e, d), (b, c, f), (b, f, e)))
    (tmp_path / "chute.stl").write_text("solid chute\n" + facets + "endsolid chute\n")
    wall = f"surface {tmp_path / 'chute.stl'} scale 0.001 sides {sides} young 1e7 friction 0.3 restitution 0.4"
    material = "density 1000 young 1e6 poisson 0.3 friction 0.4 restitution 0.3"
    grain, ball = f"mesh {ellipsoid_mesh(tmp_path / 'grain.obj', (0.006, 0.005, 0.004))} {material}", f"sphere 0.005 {material}"
    bed = lattice((3, 2, 2), 0.0125, seed=6, speed=0.05, spin=10.0, types=2, margin=0.2)
    bed.places += np.array([-0.019, -0.0125, 0.018])
    bed.velocities[:, 2] -= 0.5
    bed.write(tmp_path / "bed.data")
    out = run_lammps(tmp_path, SET_UP + "boundary f f f\nread_data bed.data\n" + bed.rotate_commands() + TURN + f"""
pair_style abut/facetmesh
pair_coeff 1 1 {grain}
pair_coeff 2 2 {ball}
fix move all abut/nve
fix weight all gravity 9.81 vector 0 0 -1
fix chute all abut/wall {wall}
neighbor 0.002 bin
timestep 2e-5
thermo_style custom step {MOVE} f_chute[3] f_chute[8]
thermo_modify format float %.17g norm no
thermo 100
run 0
""" + state_dump("start.dump") + "run 2000\n" + state_dump())
    table = thermo(out)
    assert table["f_chute[8]"].max() >= 3 and table["f_chute[3]"].min() < 0
    _, states = library_run(tmp_path, f"gravity 0 0 -9.81\nstep 2e-5\nsteps 2000\ntype {grain}\ntype {ball}\nwall {wall}\n", dumped(tmp_path / "start.dump"))
    place = np.abs(places(dumped(tmp_path / "end.dump")) - states[:, :3]).max() / 0.005
    print("places", place, table["f_chute[8]"])
    assert place < 1e-10


@pytest.mark.skipif(LIBRARY_RUN is None, reason="ABUT_LIBRARY_RUN names no program")
def test_boxes_with_flat_faces_as_the_library_moves_them(tmp_path):
    """Polytopes: boxes of flat triangles tumble onto a plane and onto each other."""
    box = f"mesh {box_mesh(tmp_path / 'box.obj', (0.005, 0.004, 0.003))} radius flat density 1000 young 1e6 poisson 0.3 friction 0.4 restitution 0.3"
    bed = lattice((2, 2, 2), 0.0145, seed=2, speed=0.05, spin=10.0, margin=0.05)
    bed.velocities[:, 2] -= 0.5
    bed.write(tmp_path / "bed.data")
    out = run_lammps(tmp_path, SET_UP + "boundary f f f\nread_data bed.data\n" + bed.rotate_commands() + TURN + f"""
pair_style abut/facetmesh
pair_coeff 1 1 {box}
fix move all abut/nve
fix weight all gravity 9.81 vector 0 0 -1
fix floor all abut/wall plane 0 0 1 0 friction 0.4
neighbor 0.002 bin
timestep 2e-5
compute pair all pair abut/facetmesh
thermo_style custom step {MOVE} c_pair[5] f_floor[8]
thermo_modify format float %.17g norm no
thermo 100
run 0
""" + state_dump("start.dump") + "run 2000\n" + state_dump())
    table = thermo(out)
    assert table["f_floor[8]"].max() >= 2 and table["c_pair[5]"].max() >= 1
    energies, states = library_run(tmp_path, f"gravity 0 0 -9.81\nstep 2e-5\nsteps 2000\ntype {box}\nwall plane 0 0 1 0 friction 0.4\n",
                                   dumped(tmp_path / "start.dump"))
    place = np.abs(places(dumped(tmp_path / "end.dump")) - states[:, :3]).max() / 0.005
    kinetic = (table["f_move[1]"][-1] + table["f_move[2]"][-1]) / energies["kinetic"] - 1
    print("boxes", place, kinetic)
    assert place < 1e-10 and abs(kinetic) < 1e-10


@pytest.mark.parametrize("override, spin, friction, restitution", [("", 0.0, 0.3, 0.6), ("pair_coeff 1 2 restitution 0.8\n", 0.0, 0.3, 0.8),
                                                                   ("", 500.0, 0.3, None), ("pair_coeff 2 1 friction 0.15\n", 500.0, 0.15, None),
                                                                   ("pair_coeff 2 1 friction 0\n", 500.0, 0.0, 0.6)])
def test_what_two_types_have_in_common(tmp_path, override, spin, friction, restitution):
    """Two balls, one of each type, meet head-on: their speeds have the ratio of the restitution. When one spins so fast that it slides all the time, the
    sideways momentum is friction times the momentum of the impact."""
    mesh = ball_mesh(tmp_path / "ball.obj", 0.005, 1)
    bed = Bed(np.array([[-0.0055, 0, 0], [0.0055, 0, 0]]), np.array([[0.3, 0, 0], [-0.3, 0, 0]]), np.array([[1.0, 0, 0, 0], [0.6, 0, 0.8, 0]]),
              np.array([[0, 0, 0], [0, 0, spin]]), np.array([1, 2]), [(-0.1, 0.1)] * 3)
    bed.write(tmp_path / "bed.data")
    material = "density 1000 young 1e6 poisson 0.3"
    out = run_lammps(tmp_path, SET_UP + "boundary f f f\nread_data bed.data\n" + bed.rotate_commands() + TURN + f"""
pair_style abut/facetmesh
pair_coeff 1 1 mesh {mesh} radius 0.005 {material} friction 0.1 restitution 0.6
pair_coeff 2 2 mesh {mesh} radius 0.005 {material} friction 0.9 restitution 0.2
{override}fix move all abut/nve
neighbor 0.002 bin
timestep 1e-5
compute pair all pair abut/facetmesh
thermo_style custom step {MOVE} c_pair[3] c_pair[4]
thermo_modify format float %.17g norm no
run 2000
""" + state_dump())
    end, table = dumped(tmp_path / "end.dump"), thermo(out)
    if restitution is not None:
        assert abs((end["vx"][1] - end["vx"][0]) / 0.6 / restitution - 1) < 0.004
    if spin > 0:
        # The line of centres turns by a degree or two in the impact.
        ratio = abs(end["vy"][0] / (end["vx"][0] - 0.3))
        print("friction", friction, ratio)
        assert abs(ratio - friction) < 0.04 * friction + 1e-9
        assert (table["c_pair[4]"][-1] > 0) == (friction > 0)
