"""What the tests share: meshes and beds of grains as files, runs of LAMMPS on any number of ranks, and its output as arrays."""

import math
import os
import pathlib
import shutil
import subprocess
import sys

import numpy as np

# The folder of the environment's programs: lmp and mpirun of the wheels.
PROGRAMS = pathlib.Path(sys.executable).parent
# The project's meshes; the tests also run outside of the source tree (scripts/dev/lammps.sh).
MESHES = pathlib.Path(os.environ.get("ABUT_MESHES", pathlib.Path(__file__).resolve().parents[2] / "scenes" / "meshes"))
# The program that moves the same grains by the library's own stepper (library_run.cpp).
LIBRARY_RUN = os.environ.get("ABUT_LIBRARY_RUN")

SET_UP = """units si
atom_style bpm/sphere
newton off
comm_modify vel yes
"""

STATE = "id type x y z vx vy vz omegax omegay omegaz c_turn[1] c_turn[2] c_turn[3] c_turn[4]"

TURN = "compute turn all property/atom quatw quati quatj quatk\n"


# ---- meshes


def icosphere(level=0):
    """(vertices on the unit sphere, triangles): an icosahedron, each triangle split into four, `level` times."""
    t = (1 + math.sqrt(5)) / 2
    points = [np.array(p, float) for p in [(-1, t, 0), (1, t, 0), (-1, -t, 0), (1, -t, 0), (0, -1, t), (0, 1, t), (0, -1, -t), (0, 1, -t),
                                           (t, 0, -1), (t, 0, 1), (-t, 0, -1), (-t, 0, 1)]]
    points = [p / np.linalg.norm(p) for p in points]
    triangles = [(0, 11, 5), (0, 5, 1), (0, 1, 7), (0, 7, 10), (0, 10, 11), (1, 5, 9), (5, 11, 4), (11, 10, 2), (10, 7, 6), (7, 1, 8),
                 (3, 9, 4), (3, 4, 2), (3, 2, 6), (3, 6, 8), (3, 8, 9), (4, 9, 5), (2, 4, 11), (6, 2, 10), (8, 6, 7), (9, 8, 1)]
    for _ in range(level):
        middles, finer = {}, []

        def middle(a, b):
            key = (min(a, b), max(a, b))
            if key not in middles:
                middles[key] = len(points)
                points.append((points[a] + points[b]) / np.linalg.norm(points[a] + points[b]))
            return middles[key]

        for a, b, c in triangles:
            ab, bc, ca = middle(a, b), middle(b, c), middle(c, a)
            finer += [(a, ab, ca), (b, bc, ab), (c, ca, bc), (ab, bc, ca)]
        triangles = finer
    return np.array(points), np.array(triangles)


def write_obj(path, vertices, triangles):
    lines = ["v " + " ".join(repr(float(x)) for x in p) for p in vertices] + ["f " + " ".join(str(i + 1) for i in t) for t in triangles]
    pathlib.Path(path).write_text("\n".join(lines) + "\n")
    return str(path)


def ball_mesh(path, radius, level=0):
    vertices, triangles = icosphere(level)
    return write_obj(path, radius * vertices, triangles)


def ellipsoid_mesh(path, half_axes, level=1, centre=(0.0, 0.0, 0.0)):
    vertices, triangles = icosphere(level)
    return write_obj(path, np.array(centre) + np.array(half_axes) * vertices, triangles)


def box_mesh(path, half):
    """A box of twelve triangles, outward."""
    corners = np.array([(x, y, z) for z in (-1, 1) for y in (-1, 1) for x in (-1, 1)], float) * np.array(half)
    faces = [(0, 2, 3, 1), (4, 5, 7, 6), (0, 1, 5, 4), (2, 6, 7, 3), (0, 4, 6, 2), (1, 3, 7, 5)]
    triangles = [t for a, b, c, d in faces for t in ((a, b, c), (a, c, d))]
    return write_obj(path, corners, triangles)


def polyhedron_volume(path):
    vertices = [[float(w) for w in line.split()[1:]] for line in open(path) if line.startswith("v")]
    faces = [[int(w) - 1 for w in line.split()[1:]] for line in open(path) if line.startswith("f")]
    v = np.array(vertices)
    return float(sum(np.dot(v[a], np.cross(v[b], v[c])) for a, b, c in faces)) / 6


# ---- beds


class Bed:
    """Grains at places, with velocities and orientations."""

    def __init__(self, places, velocities, rotations, spins, types, box):
        self.places, self.velocities, self.rotations, self.spins, self.types, self.box = places, velocities, rotations, spins, types, box

    def __len__(self):
        return len(self.places)

    def write(self, path, types=None):
        """A data file. The diameters are those of nothing: the pair style sets them."""
        lines = ["grains of abut", "", f"{len(self)} atoms", f"{types or int(self.types.max())} atom types"]
        for axis, (lower, upper) in zip("xyz", self.box):
            lines.append(f"{lower!r} {upper!r} {axis}lo {axis}hi")
        lines += ["", "Atoms # bpm/sphere", ""]
        lines += [f"{i + 1} 0 {t} 1.0 1000.0 " + " ".join(repr(float(x)) for x in p) for i, (t, p) in enumerate(zip(self.types, self.places))]
        lines += ["", "Velocities", ""]
        lines += [f"{i + 1} " + " ".join(repr(float(x)) for x in (*v, *w)) for i, (v, w) in enumerate(zip(self.velocities, self.spins))]
        pathlib.Path(path).write_text("\n".join(lines) + "\n")

    def rotate_commands(self):
        """Commands that give the atoms their orientations: a data file has no quaternions."""
        lines = []
        for i, q in enumerate(self.rotations):
            axis, angle = q[1:], 2 * math.degrees(math.atan2(np.linalg.norm(q[1:]), q[0]))
            lines.append(f"set atom {i + 1} quat " + " ".join(repr(float(x)) for x in axis) + f" {angle!r}")
        return "\n".join(lines) + "\n"


def lattice(count, spacing, seed, speed, spin=0.0, jitter=0.05, types=1, margin=0.0, floor=0.0):
    """count = (nx, ny, nz) grains on a lattice from the origin on, a little out of place, with random velocities and orientations."""
    random = np.random.default_rng(seed)
    n = int(np.prod(count))
    grid = np.stack(np.meshgrid(*[np.arange(c) for c in count], indexing="ij"), axis=-1).reshape(-1, 3)
    places = (grid + 0.5) * spacing + random.uniform(-jitter, jitter, (n, 3)) * spacing + np.array([0, 0, floor])
    rotations = random.normal(size=(n, 4))
    rotations /= np.linalg.norm(rotations, axis=1)[:, None]
    box = [(-margin, c * spacing + margin) for c in count[:2]] + [(-margin, count[2] * spacing + margin + floor)]
    return Bed(places, random.normal(0, speed, (n, 3)), rotations, random.normal(0, 1, (n, 3)) * spin, 1 + np.arange(n) % types, box)


# ---- runs


def run_lammps(folder, script, ranks=1, fails=False, name="run"):
    """Runs a script in a folder. Gives what LAMMPS printed."""
    folder = pathlib.Path(folder)
    (folder / f"{name}.in").write_text(script)
    command = [str(PROGRAMS / "lmp"), "-in", f"{name}.in", "-log", f"{name}.log", "-nocite"]
    if ranks > 1:
        command = [str(PROGRAMS / "mpirun"), "-np", str(ranks), *command]
    # Ranks that wait sleep for a moment: there may be more ranks than cores.
    waits = {"MPIR_CVAR_CH4_PROGRESS_THROTTLE": "1", "MPIR_CVAR_CH4_PROGRESS_THROTTLE_NO_PROGRESS_COUNT": "64", "MPIR_CVAR_POSIX_POLL_FREQUENCY": "1"}
    environment = dict(os.environ, OMP_NUM_THREADS="1", **waits)
    done = subprocess.run(command, cwd=folder, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=1800)
    if (done.returncode != 0) != fails:
        raise AssertionError(f"{' '.join(command)} gave {done.returncode}:\n{done.stdout}")
    return done.stdout


def dumped(path):
    """The last snapshot of a dump: a column for each name, ordered by atom."""
    lines = pathlib.Path(path).read_text().splitlines()
    start = max(i for i, line in enumerate(lines) if line.startswith("ITEM: ATOMS"))
    names = lines[start].split()[2:]
    table = np.array([[float(word) for word in line.split()] for line in lines[start + 1:]])
    table = table[np.argsort(table[:, names.index("id")])]
    return {name: table[:, i] for i, name in enumerate(names)}


def columns(state, *names):
    return np.stack([state[name] for name in names], axis=1)


def places(state):
    return columns(state, "x", "y", "z")


def thermo(output):
    """The last thermo table that was printed: name to column."""
    lines = output.splitlines()
    start = max(i for i, line in enumerate(lines) if line.split()[:1] == ["Step"])
    names, rows = lines[start].split(), []
    for line in lines[start + 1:]:
        words = line.split()
        try:
            rows.append([float(word) for word in words])
        except ValueError:
            break
        if len(words) != len(names):
            rows.pop()
            break
    return {name: np.array(column) for name, column in zip(names, zip(*rows))}


def state_dump(file="end.dump"):
    """After a run. The compute `turn` of TURN has to be defined before it."""
    return f"write_dump all custom {file} {STATE} modify sort id format float %.17g\n"


def have(program):
    return shutil.which(str(PROGRAMS / program)) is not None


# ---- the library's own stepper


def library_run(folder, lines, start):
    """Moves the grains of a dumped state by the library's stepper. `lines`: the other words of library_run.cpp. (energies by name, table of states)."""
    names = ("type", "x", "y", "z", "vx", "vy", "vz", "omegax", "omegay", "omegaz", *(f"c_turn[{k}]" for k in (1, 2, 3, 4)))
    grains = "".join("grain " + " ".join(repr(float(x)) for x in row) + "\n" for row in columns(start, *names))
    path = pathlib.Path(folder) / "library.txt"
    path.write_text(lines + grains)
    done = subprocess.run([LIBRARY_RUN, str(path)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=1800)
    assert done.returncode == 0, done.stderr
    first, *rest = done.stdout.splitlines()
    energies = dict(zip(("kinetic", "elastic", "springs", "damping", "friction", "steps", "places"), map(float, first.split()[1:])))
    return energies, np.array([[float(w) for w in line.split()] for line in rest])
