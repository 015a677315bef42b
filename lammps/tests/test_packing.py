"""A packing: the same trajectory on any number of ranks, through a restart file, and as the library's own stepper moves the same grains."""

import numpy as np
import pytest

from common import LIBRARY_RUN, SET_UP, TURN, columns, dumped, ellipsoid_mesh, lattice, library_run, places, run_lammps, state_dump, thermo

STEPS, STEP = 2000, 4e-5
SIZE = 0.005  # about the radius of a grain
DAMPING = "damping 2 3"
MATERIALS = ("density 2500 young 2e6 poisson 0.25 friction 0.4 restitution 0.5", "density 1200 young 1e6 poisson 0.35 friction 0.6 restitution 0.3")
FLOOR = "friction 0.5 restitution 0.4 young 5e6 poisson 0.3"
# Grains fall onto a floor between walls.
BED = dict(count=(3, 3, 3), spacing=2.4 * SIZE, seed=5, speed=0.1, spin=30.0, types=2, margin=0.02, floor=0.0)
WALLS = {"floor": "0 0 1 0", "left": "1 0 0 0", "right": f"-1 0 0 {-7.2 * SIZE!r}", "front": "0 1 0 0", "back": f"0 -1 0 {-7.2 * SIZE!r}"}


def meshes(folder):
    """Two ellipsoids, one of which has its centre of mass away from the origin of its file."""
    return (ellipsoid_mesh(folder / "pebble.obj", (SIZE, 0.8 * SIZE, 0.7 * SIZE), centre=(0.3 * SIZE, 0.1 * SIZE, -0.2 * SIZE)),
            ellipsoid_mesh(folder / "egg.obj", (1.1 * SIZE, 0.9 * SIZE, 0.9 * SIZE)))


def physics(folder):
    pebble, egg = meshes(folder)
    lines = [f"pair_style abut/facetmesh", f"pair_coeff 1 1 mesh {pebble} {MATERIALS[0]}", f"pair_coeff 2 2 mesh {egg} {MATERIALS[1]}",
             "neighbor 0.002 bin", "fix move all abut/nve " + DAMPING, "fix weight all gravity 9.81 vector 0 0 -1"]
    lines += [f"fix {name} all abut/wall plane {plane} {FLOOR}" for name, plane in WALLS.items()]
    lines += [f"timestep {STEP!r}", "compute pair all pair abut/facetmesh",
              "thermo_style custom step ke pe f_move[1] f_move[2] f_move[3] f_move[4] f_move[5] f_move[6] f_move[7] f_move[8] c_pair[1] c_pair[3] c_pair[4] "
              "c_pair[5] f_floor f_left f_right f_front f_back f_floor[3] f_floor[7] f_left[7] f_right[7] f_front[7] f_back[7] "
              + " ".join(f"f_{wall}[{k}]" for wall in WALLS for k in (9, 10)),
              "thermo_modify format float %.16g norm no"]
    return "\n".join(lines) + "\n"


def script(folder, ranks, steps=STEPS, layout=""):
    bed = lattice(**BED)
    bed.write(folder / "bed.data")
    return (SET_UP + "boundary f f f\n" + (f"processors {layout}\n" if layout else "") + "read_data bed.data\n" + bed.rotate_commands() + TURN +
            physics(folder) + "run 0\n" + state_dump("start.dump") + f"run {steps}\n" + state_dump())


RUNS = {}


def packed(factory, ranks, layout=""):
    """(states at the begin and at the end, thermo output) of a run, which is made once."""
    if (ranks, layout) not in RUNS:
        folder = factory.mktemp(f"ranks{ranks}")
        out = run_lammps(folder, script(folder, ranks, layout=layout), ranks)
        RUNS[ranks, layout] = dumped(folder / "start.dump"), dumped(folder / "end.dump"), thermo(out)
    return RUNS[ranks, layout]


def numbers(state):
    """All columns but those of names, each in its own unit."""
    units = {"x": SIZE, "v": 0.1, "o": 0.1 / SIZE, "c": 1.0}
    return np.stack([state[name] / units[{"y": "x", "z": "x"}.get(name, name[0])] for name in state if name not in ("id", "type")], axis=1)


@pytest.mark.parametrize("ranks, layout", [(2, "2 1 1"), (4, "2 2 1"), (4, "1 1 4")])
def test_ranks_do_not_matter(tmp_path_factory, ranks, layout):
    _, one, one_thermo = packed(tmp_path_factory, 1)
    _, many, many_thermo = packed(tmp_path_factory, ranks, layout)
    difference = np.abs(numbers(many) - numbers(one)).max()
    print("difference", difference)
    # Sums run in an order that the ranks do not change, so not a bit differs; only totals over all atoms are added rank by rank.
    assert difference == 0.0
    for name in one_thermo:
        assert abs(many_thermo[name][-1] - one_thermo[name][-1]) <= 1e-12 * max(1e-6, abs(one_thermo[name][-1])), name
    # The bed is packed: grains touch each other and the floor, and springs of friction hold.
    assert one_thermo["c_pair[5]"][-1] > 10 and one_thermo["f_floor[3]"][-1] < 0 and one_thermo["c_pair[1]"][-1] > 0


def test_ranks_do_not_matter_in_periodic_space(tmp_path):
    """Grains that cross the sides of a periodic box, in which each pair across a side is computed at both ends."""
    mesh = ellipsoid_mesh(tmp_path / "grain.obj", (SIZE, 0.8 * SIZE, 0.7 * SIZE))
    bed = lattice((4, 4, 4), 1.9 * SIZE, seed=9, speed=0.3, spin=20.0)
    bed.write(tmp_path / "bed.data")
    states = []
    for ranks in (1, 2, 4):
        run_lammps(tmp_path, SET_UP + "read_data bed.data\n" + bed.rotate_commands() + TURN + f"""
pair_style abut/facetmesh
pair_coeff 1 1 mesh {mesh} {MATERIALS[0]}
fix move all abut/nve
neighbor 0.001 bin
timestep {STEP!r}
run 500
""" + state_dump(), ranks)
        states.append(dumped(tmp_path / "end.dump"))
    assert np.abs(places(states[0]) - bed.places).max() > SIZE
    assert [np.abs(numbers(state) - numbers(states[0])).max() for state in states[1:]] == [0.0, 0.0]


@pytest.mark.skipif(LIBRARY_RUN is None, reason="ABUT_LIBRARY_RUN names no program")
def test_as_the_library_moves_them(tmp_path_factory, tmp_path):
    start, end, table = packed(tmp_path_factory, 1)
    pebble, egg = meshes(tmp_path)
    lines = [f"gravity 0 0 -9.81", f"step {STEP!r}", f"steps {STEPS}", DAMPING, f"type mesh {pebble} {MATERIALS[0]}", f"type mesh {egg} {MATERIALS[1]}"]
    lines += [f"wall plane {plane} {FLOOR}" for plane in WALLS.values()]
    energies, states = library_run(tmp_path, "\n".join(lines) + "\n", start)
    assert energies["steps"] == STEPS
    ours = columns(end, *[name for name in end if name not in ("id", "type")])
    place, velocity = np.abs(ours[:, :3] - states[:, :3]).max() / SIZE, np.abs(ours[:, 3:6] - states[:, 3:6]).max()
    print("places", place, "velocities", velocity, "spins", np.abs(ours[:, 6:9] - states[:, 6:9]).max())
    last = {name: column[-1] for name, column in table.items()}
    springs = last["c_pair[1]"] + sum(last[f"f_{wall}[7]"] for wall in WALLS)
    elastic = last["PotEng"] + sum(last[f"f_{wall}"] for wall in WALLS)
    works = [last[f"c_pair[{k}]"] + sum(last[f"f_{wall}[{k + 6}]"] for wall in WALLS) for k in (3, 4)]
    mine = {"kinetic": last["f_move[1]"] + last["f_move[2]"], "elastic": elastic, "springs": springs, "damping": works[0], "friction": works[1]}
    for name, value in mine.items():
        print(name, value, energies[name], value / energies[name] - 1)
    assert place < 1e-10 and velocity < 1e-10
    for name, value in mine.items():
        assert abs(value - energies[name]) < 1e-9 * energies[name], name
