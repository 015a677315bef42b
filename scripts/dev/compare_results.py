#!/usr/bin/python3
"""Record the answers of a build of abut, and compare another build with them, bit for bit.

A change that moves or renames code must not change a result. This script asks a build several thousand questions:

* the hash of every scene's state after some steps (the program state_hash),
* every dataset and attribute of every scene's recording (abut run),
* contacts of all kinds of shapes in many poses, with all options (abut collide --json),
* depths of tetrahedral meshes (abut depth --json).

The name of a question is its command line. Its answer is a dictionary of items. Each item is a text: the printed output, or a digest of many bytes. All
commands run in a scratch folder where `scenes` links to the scenes of the build's own sources, so that a question names the same files for every build.
"""

import argparse
import concurrent.futures
import difflib
import hashlib
import itertools
import json
import math
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile

try:
    import h5py
    import numpy as np
except ImportError as missing:
    sys.exit(f"this script needs {missing.name}: on Debian and Ubuntu, apt install python3-numpy python3-h5py, then use /usr/bin/python3")

FORMAT = "abut results 1"

# A scene's state is hashed after this many steps, or at its end, and earlier where steps are slow.
HASHED_STEPS = 300
HASHED_FEWER = {"gummy_bears": 10, "hopper": 20, "pear_packing": 4}
# Scenes are recorded from beginning to end, except these, which would take minutes.
RECORDED_FEWER = {"hopper": 60, "pear_packing": 12}

# These datasets are wall times, which differ between runs.
WALL_TIMES = {"steps/seconds_broad", "steps/seconds_narrow", "steps/seconds_solve", "steps/seconds_total"}
# This attribute says which version wrote the file. A recording has no time of creation and no command line.
VERSIONS = {"/@abut_version"}
# This key of the output of `abut depth --json` holds wall times.
DEPTH_TIMES = "seconds"

# A command that takes longer than this counts as hanging, also on a busy machine [s].
TIMEOUT = 1800


class Failure(Exception):
    """One line that describes the failure."""


# ---- the build ----


class Build:
    """The programs of a build, its sources, and the scratch folder for its questions."""

    def __init__(self, folder, scratch, threads):
        self.folder = folder.resolve()
        self.source = source_of(self.folder)
        self.abut = find_program(self.folder, "abut")
        self.state_hash = find_program(self.folder, "state_hash")
        self.scratch = scratch.resolve()
        self.threads = threads
        (self.scratch / "scenes").symlink_to(self.source / "scenes")

    def run(self, *command):
        """(exit status, standard output, standard error) of a command."""
        words = [str(word) for word in command]
        options = {"cwd": self.scratch, "stdin": subprocess.DEVNULL, "capture_output": True, "timeout": TIMEOUT}
        try:
            done = subprocess.run(words, **options, check=False)
        except subprocess.TimeoutExpired:
            return "timeout", "", ""
        return str(done.returncode), self.plain(done.stdout), self.plain(done.stderr)

    def plain(self, text):
        """Text (bytes) without the paths of the sources and of the scratch folder."""
        text = text.decode("utf-8", "surrogateescape")
        return text.replace(str(self.source), "SOURCE").replace(str(self.scratch), "SCRATCH")

    def scenes(self):
        names = sorted(path.stem for path in (self.source / "scenes").glob("*.json"))
        if not names:
            raise Failure(f"{self.source}/scenes: there are no scenes")
        return names


def source_of(build):
    """The folder of the sources, from the CMake cache of the build."""
    cache = build / "CMakeCache.txt"
    try:
        found = re.search(r"^CMAKE_HOME_DIRECTORY:INTERNAL=(.*)$", cache.read_text(), re.MULTILINE)
    except OSError as error:
        raise Failure(f"{cache}: cannot be read: {error.strerror}; is this a build folder?") from error
    if not found:
        raise Failure(f"{cache}: there is no CMAKE_HOME_DIRECTORY")
    return pathlib.Path(found[1]).resolve()


def find_program(build, name):
    """The newest executable of this name anywhere in the build folder, except below `scratch`, where tests install."""
    found = [p for p in build.rglob(name) if p.is_file() and os.access(p, os.X_OK) and "scratch" not in p.relative_to(build).parts]
    if not found:
        raise Failure(f"{build}: there is no program {name}; build it first")
    return max(found, key=lambda path: path.stat().st_mtime)


# ---- answers ----


def digest(data):
    return "sha256 " + hashlib.sha256(data).hexdigest()


def file_digest(path):
    return digest(path.read_bytes()) if path.is_file() else "no file"


def ask_hash(build, scene):
    steps = HASHED_FEWER.get(scene, HASHED_STEPS)
    status, state, said = build.run(build.state_hash, steps, f"scenes/{scene}.json")
    return {"status": status, "state": state, "stderr": said}


def ask_run(build, scene):
    """Items of a recording have the names of their paths; attributes are `path@name`."""
    path = build.scratch / f"{scene}.h5"
    steps = ["--steps", RECORDED_FEWER[scene]] if scene in RECORDED_FEWER else []
    status, printed, said = build.run(build.abut, "run", f"scenes/{scene}.json", *steps, "--threads", build.threads, "--quiet", "--output", path.name)
    answer = {"status": status, "stdout": printed, "stderr": said}
    if path.exists():
        answer |= recording_items(build, path)
        path.unlink()
    return answer


def recording_items(build, path):
    """{path of a group, dataset or attribute: its digest}, except wall times and versions."""
    items = {}

    def visit(name, thing):
        is_dataset = isinstance(thing, h5py.Dataset)
        if is_dataset and name not in WALL_TIMES:
            items[name] = cells_digest(build, thing.dtype, thing.shape, thing[()])
        elif not is_dataset:
            items[name] = "group"
        for key in thing.attrs:
            attribute = thing.attrs.get_id(key)
            if f"{name}@{key}" not in VERSIONS:
                items[f"{name}@{key}"] = cells_digest(build, attribute.dtype, attribute.shape, thing.attrs[key])

    with h5py.File(path, "r") as file:
        visit("/", file)
        file.visititems(visit)
    return items


def cells_digest(build, dtype, shape, cells):
    """Type, shape and digest of the bytes. Numbers that are NaN are equal if their bits are."""
    if isinstance(cells, h5py.Empty):
        return f"{type_name(dtype)} empty"
    if h5py.check_string_dtype(dtype):
        data = text_bytes(cells)
        plain = build.plain(data).encode("utf-8", "surrogateescape")
        # The length of a fixed text depends on a path inside it.
        kind = type_name(dtype) if plain == data else "text"
        return f"{kind} {shape} {digest(plain)}"
    return f"{type_name(dtype)} {shape} {digest(np.ascontiguousarray(cells, dtype).tobytes())}"


def text_bytes(cells):
    """Texts, separated by zeros."""
    texts = np.asarray(cells).ravel().tolist()
    return b"\0".join(text if isinstance(text, bytes) else str(text).encode("utf-8", "surrogateescape") for text in texts)


def type_name(dtype):
    """`<f8`, for example; of an enumeration also the names of its numbers."""
    names = h5py.check_enum_dtype(dtype)
    return dtype.str + (" " + json.dumps(names, sort_keys=True).replace(" ", "") if names else "")


def ask_collide(build, words):
    status, printed, said = build.run(build.abut, "collide", *words, "--json")
    return {"status": status, "stdout": printed, "stderr": said}


def ask_depth(build, words):
    """Items are the keys of the printed JSON. The pairs have one digest for each of their keys."""
    output = build.scratch / words[words.index("--output") + 1] if "--output" in words else None
    status, printed, said = build.run(build.abut, "depth", *words, "--threads", build.threads, "--json")
    answer = {"status": status, "stderr": said}
    if output:
        answer["output"] = file_digest(output)
        output.unlink(missing_ok=True)
    try:
        return answer | depth_items(json.loads(printed))
    except ValueError:
        return answer | {"stdout": printed}


def depth_items(printed):
    items = {key: json.dumps(value) for key, value in printed.items() if key not in (DEPTH_TIMES, "pairs")}
    pairs = printed["pairs"]
    for key in sorted({key for pair in pairs for key in pair}):
        items[f"pairs/{key}"] = f"{len(pairs)} {digest(json.dumps([pair.get(key) for pair in pairs]).encode())}"
    return items


# ---- the shapes and files of the questions ----


class Specimen:
    """A shape on the command line, and approximately its bounding box."""

    def __init__(self, words, low, high):
        self.words, self.low, self.high = words, low, high

    def named(self, words):
        """The same extent under another name."""
        return Specimen(words, self.low, self.high)

    def scaled(self, factor, words):
        return Specimen(words, [x * factor for x in self.low], [x * factor for x in self.high])


def centred(words, x, y, z):
    return Specimen(words, (-x, -y, -z), (x, y, z))


def of_file(folder, name, words=None):
    """A mesh file as it is, with the extent of its vertices."""
    rows = [line.split()[1:4] for line in (folder / name).read_text().splitlines() if line.startswith("v ")]
    vertices = [[float(x) for x in row] for row in rows]
    return Specimen(words or name, [min(column) for column in zip(*vertices)], [max(column) for column in zip(*vertices)])


def write_obj(path, groups):
    """groups: {name: (vertices, faces)}, faces by indices from 0."""
    lines, before = [], 0
    for name, (vertices, faces) in groups.items():
        lines.append(f"g {name}")
        lines += ["v " + " ".join(repr(float(x)) for x in vertex) for vertex in vertices]
        lines += ["f " + " ".join(str(corner + before + 1) for corner in face) for face in faces]
        before += len(vertices)
    path.write_text("\n".join(lines) + "\n")


CUBE_FACES = [(0, 2, 3, 1), (4, 5, 7, 6), (0, 1, 5, 4), (2, 6, 7, 3), (0, 4, 6, 2), (1, 3, 7, 5)]


def cube(middle=(0, 0, 0), half=0.5):
    return [tuple(m + half * s for m, s in zip(middle, signs[::-1])) for signs in itertools.product((-1, 1), repeat=3)], CUBE_FACES


def cube_triangles():
    vertices, faces = cube()
    return vertices, [triangle for a, b, c, d in faces for triangle in ((a, b, c), (a, c, d))]


def cloud(seed, count):
    """Points in an ellipsoid. They represent their hull; the triangles only refer to them."""
    source = random.Random(seed)
    points = []
    while len(points) < count:
        p = [source.uniform(-1, 1) for _ in range(3)]
        if sum(x * x for x in p) < 1:
            points.append((p[0], 0.8 * p[1], 0.6 * p[2]))
    return points, [(i, (i + 1) % count, (i + 2) % count) for i in range(count)]


def bumps(cells=8):
    """A floor of triangles that is not flat."""
    source = random.Random(7)
    side = range(cells + 1)
    vertices = [(x / 2 - cells / 4, y / 2 - cells / 4, source.uniform(-0.15, 0.15)) for x in side for y in side]
    squares = [(x * (cells + 1) + y, (x + 1) * (cells + 1) + y) for x in range(cells) for y in range(cells)]
    return vertices, [triangle for a, b in squares for triangle in ((a, b, b + 1), (a, b + 1, a + 1))]


def strip(outline, half=3):
    """The surface over a line in the plane of x and z: two triangles for each segment."""
    vertices = [(x, y, z) for x, z in outline for y in (-half, half)]
    pieces = [(2 * i, 2 * i + 2, 2 * i + 3, 2 * i + 1) for i in range(len(outline) - 1)]
    return vertices, [triangle for a, b, c, d in pieces for triangle in ((a, b, c), (a, c, d))]


FLAT = [(-2, -2, 0), (2, -2, 0), (2, 2, 0), (-2, 2, 0), (0, 0, 0)]
HEXAGON = [(0, 0, 0), *((math.cos(math.radians(60 * i)), math.sin(math.radians(60 * i)), 0) for i in range(6))]
# Surfaces for balls near their joints: flat ones cut in several ways, and profiles.
SURFACES = {
    "floor": (FLAT, [(0, 1, 4), (1, 2, 4), (2, 3, 4), (3, 0, 4)]),
    "t_joint": ([*FLAT, (0, 2, 0), (0, -2, 0)], [(0, 6, 5), (0, 5, 3), (6, 1, 4), (1, 2, 4), (2, 5, 4)]),
    "corner": ([(-1.5, 0.6, 0), (-1.4, -0.9, 0), (0, 0, 0), (0.8, -1.2, 0), (1.7, 0, 0)], [(2, 3, 4), (0, 1, 2)]),
    "fan": (HEXAGON, [(0, i, i % 6 + 1) for i in range(1, 7)]),
    "ridge": strip([(-2, -1), (0, 0), (2, -1)]),
    "valley": strip([(-2, 1), (0, 0), (2, 1)]),
    "cliff": strip([(-2, 0), (0, 0), (0, -1.3)]),
    "step": strip([(-2, 0), (0, 0), (0, 0.3), (2, 0.3)]),
    "bumps": bumps(),
}


def write_meshes(folder):
    """Mesh files for the questions that are not part of the project."""
    for name, surface in SURFACES.items():
        write_obj(folder / f"{name}.obj", {name: surface})
    write_obj(folder / "two.obj", {"left": cube((-0.6, 0, 0)), "right": cube((0.5, 0, 0.1))})
    write_obj(folder / "halves.obj", {"low": (FLAT[:4], [(0, 1, 2)]), "high": (FLAT[:4], [(0, 2, 3)])})
    write_obj(folder / "open.obj", {"open": ([(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)], [(0, 2, 1), (0, 1, 3), (0, 3, 2)])})
    for count in (8, 24, 96):
        write_obj(folder / f"cloud_{count}.obj", {"cloud": cloud(count, count)})
    write_cubes(folder)


def write_cubes(folder):
    """One cube in every format of mesh files."""
    vertices, triangles = cube_triangles()
    write_obj(folder / "cube.obj", {"cube": cube()})
    corners = [[vertices[i] for i in triangle] for triangle in triangles]
    loops = ["outer loop\n" + "".join("vertex {} {} {}\n".format(*p) for p in three) + "endloop" for three in corners]
    (folder / "cube.stl").write_text("solid cube\n" + "".join(f"facet normal 0 0 0\n{loop}\nendfacet\n" for loop in loops) + "endsolid cube\n")
    cells = np.zeros(len(triangles), [("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("none", "<u2")])
    cells["corners"] = corners
    (folder / "binary.stl").write_bytes(bytes(80) + np.uint32(len(triangles)).tobytes() + cells.tobytes())
    write_ply(folder / "cube.ply", vertices, triangles)
    write_gltf(folder, vertices, triangles)


def write_ply(path, vertices, triangles):
    head = ["ply", "format ascii 1.0", f"element vertex {len(vertices)}", *(f"property double {axis}" for axis in "xyz")]
    head += [f"element face {len(triangles)}", "property list uchar int vertex_indices", "end_header"]
    rows = [" ".join(map(str, row)) for row in vertices] + [" ".join(map(str, (3, *row))) for row in triangles]
    path.write_text("\n".join(head + rows) + "\n")


def write_gltf(folder, vertices, triangles):
    """cube.gltf, and cube.bin in the same folder."""
    points, corners = np.array(vertices, "<f4"), np.array(triangles, "<u2").ravel()
    (folder / "cube.bin").write_bytes(points.tobytes() + corners.tobytes())
    sizes = (points.nbytes, corners.nbytes)
    views = [{"buffer": 0, "byteOffset": 0, "byteLength": sizes[0]}, {"buffer": 0, "byteOffset": sizes[0], "byteLength": sizes[1]}]
    places = {"bufferView": 0, "componentType": 5126, "count": len(points), "type": "VEC3", "min": [-0.5] * 3, "max": [0.5] * 3}
    numbers = {"bufferView": 1, "componentType": 5123, "count": len(corners), "type": "SCALAR"}
    mesh = {"primitives": [{"attributes": {"POSITION": 0}, "indices": 1}]}
    whole = {"asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0]}], "nodes": [{"mesh": 0}], "meshes": [mesh]}
    whole |= {"buffers": [{"uri": "cube.bin", "byteLength": sum(sizes)}], "bufferViews": views, "accessors": [places, numbers]}
    (folder / "cube.gltf").write_text(json.dumps(whole))


def write_tetrahedra(path, count=200):
    """Pairs of tetrahedra of all shapes, a row each: apart, touching or overlapping."""
    source = random.Random(11)
    rows = []
    for i in range(count):
        shift = 0.004 * i
        rows.append(",".join(repr(source.uniform(-0.5, 0.5) + (shift if k >= 12 and k % 3 == 0 else 0)) for k in range(24)))
    path.write_text("\n".join(rows) + "\n")


# ---- poses ----

TILTED = (0.18, -0.35, 0.41, 0.82)
TURNED = (0.53, 0.12, -0.64, 0.54)
EIGHTH = (0, 0, 0.38268343236508977, 0.92387953251128674)
UPSET = (0.70710678118654752, 0, 0, 0.70710678118654752)
LYING = (0, 0.70710678118654752, 0, 0.70710678118654752)


def pose(position, rotation=()):
    return ",".join(repr(float(x)) for x in (*position, *rotation))


def turn_about(axis, degrees):
    half = math.radians(degrees) / 2
    return (*(x * math.sin(half) for x in axis), math.cos(half))


class Room:
    """The distances, upward and sideways, from A to B at which their boxes touch, and the range of additional displacements of B."""

    def __init__(self, a, b):
        self.up = a.high[2] - b.low[2]
        self.aside = a.high[0] - b.low[0]
        self.shift_x = 0.3 * min(a.high[0] - a.low[0], b.high[0] - b.low[0])
        self.shift_y = 0.2 * min(a.high[1] - a.low[1], b.high[1] - b.low[1])

    def above(self, share, rotation=(), shifted=True):
        """B above A, at this share of the height where both touch."""
        shift = (self.shift_x, self.shift_y) if shifted else (0, 0)
        return ("--pose", pose((*shift, share * self.up), rotation))

    def beside(self, share, rotation=()):
        return ("--pose", pose((share * self.aside, self.shift_y / 2, 0), rotation))


def apart(room):
    return (*room.above(1.25), "--margin", repr(0.6 * room.up))


def far_from_origin(room):
    """Both bodies rotated, a thousand sizes from the origin."""
    away = (1024.25 * room.up, -2048.5 * room.up, 512.125 * room.up)
    return ("--pose-a", pose(away, TILTED), "--pose", pose((away[0] + 0.3 * room.up, away[1], away[2] + 0.7 * room.up), TURNED))


def all_poses(a, b):
    room = Room(a, b)
    yield room.above(1.25)
    yield apart(room)
    yield room.above(1.0, shifted=False)
    yield room.above(0.99)
    yield room.above(0.99, EIGHTH, shifted=False)
    yield room.above(0.6)
    yield room.above(0.85, TILTED)
    yield room.above(0.4, TURNED)
    yield room.above(0.97, UPSET)
    yield room.beside(1.0)
    yield room.beside(0.95, LYING)
    yield room.above(0.0, shifted=False)
    yield far_from_origin(room)


def some_poses(a, b):
    """Poses for questions in many variants: shallow, deep, rotated and shallow, rotated and deep."""
    room = Room(a, b)
    return [room.above(0.98), room.above(0.6), room.above(0.85, TILTED), room.above(0.45, TURNED)]


# ---- questions to abut collide ----


def simple_solids():
    return [
        centred("sphere:0.8", 0.8, 0.8, 0.8),
        centred("capsule:0.4,0.6", 0.4, 0.4, 1.0),
        centred("box:1,0.7,0.5", 1, 0.7, 0.5),
        centred("prism:0.6,0.7", 0.6, 0.6, 0.7),
        centred("prism:1,0.3,5", 1, 1, 0.3),
        Specimen("pyramid:0.8,1.2,9", (-0.8, -0.8, -0.3), (0.8, 0.8, 0.9)),
        centred("ellipsoid:0.5,0.7,0.9", 0.5, 0.7, 0.9),
        centred("superquadric:0.6,0.8,0.7,0.5,1.3", 0.6, 0.8, 0.7),
        centred("superquadric:0.9,0.5,0.6,0.2,1.8", 0.9, 0.5, 0.6),
        centred("cylinder:0.6,0.7", 0.6, 0.6, 0.7),
        Specimen("cone:0.8,1.2", (-0.8, -0.8, -0.3), (0.8, 0.8, 0.9)),
    ]


def planes():
    return [centred("plane:0,0,1,0", 1, 1, 0), centred("plane:0.1,0.2,1,0.3", 1, 1, 0.3)]


def hull(build, count):
    return of_file(build.scratch, f"cloud_{count}.obj")


def pair_questions(build):
    """Every kind of solid with every other, in both orders. Point clouds are replaced by their hulls."""
    solids = [*simple_solids(), *planes(), hull(build, 24), of_file(build.scratch, "two.obj")]
    for a, b in itertools.product(solids, repeat=2):
        option = ["--hull"] if "cloud" in a.words + b.words else []
        for at in all_poses(a, b):
            yield [a.words, b.words, *at, *option]


def normal_questions(build):
    """All methods for the normal, and all methods for the growth distance."""
    box, _, five, pyramid = simple_solids()[2:6]
    few, many = hull(build, 8), hull(build, 96)
    two, ellipsoid, capsule = of_file(build.scratch, "two.obj"), simple_solids()[6], simple_solids()[1]
    pairs = [(box, box), (box, five), (pyramid, five), (few, many), (many, box), (two, box), (ellipsoid, box), (capsule, pyramid), (ellipsoid, ellipsoid)]
    choices = itertools.product(("growth", "minimum"), ("expansion", "ray-cast"), ("core", "centroid"), ([], ["--no-refine"]))
    for normal, method, contraction, refine in choices:
        options = ["--normal", normal, "--method", method, "--contraction", contraction, *refine, "--hull"]
        for a, b in pairs:
            for at in some_poses(a, b):
                yield [a.words, b.words, *at, *options]


def angle_questions(build):
    """Bodies that lie on each other, with different tilts."""
    box, prism, five = simple_solids()[2:5]
    for a, b in ((box, box), (box, prism), (five, prism), (box, of_file(build.scratch, "two.obj")), (planes()[0], box)):
        for tilt in (0.5, 1.9, 4, 30):
            at = Room(a, b).above(0.99, turn_about((0.6, 0.8, 0), tilt))
            for angle in ("0", "1", "10", "45"):
                yield [a.words, b.words, *at, "--feature-angle", angle, "--margin", "0.1"]


def margin_questions():
    """Bodies slightly apart, within the margin and beyond it."""
    solids = [*simple_solids(), planes()[0]]
    for a, b in itertools.combinations(solids, 2):
        for rotation in ((), TILTED):
            for margin in ("0.01", "0.05", "1"):
                yield [a.words, b.words, *Room(a, b).above(1.02, rotation), "--margin", margin]


def reduce_questions(build):
    box, prism = simple_solids()[2:4]
    slab, round_slab = centred("box:3,3,1", 3, 3, 1), centred("prism:1,1,12", 1, 1, 1)
    two = of_file(build.scratch, "two.obj")
    for a, b in ((round_slab, slab), (prism, prism), (box, box), (two, two)):
        for count in (1, 2, 3, 4, 5, 8):
            for rotation in ((), EIGHTH):
                yield [a.words, b.words, *Room(a, b).above(0.97, rotation), "--reduce", str(count)]


def mesh_file(build, name, words=None):
    path = f"scenes/meshes/{name}.obj"
    return of_file(build.scratch, path, words.format(path) if words else None)


def solid_file_questions(build):
    """Mesh files as solids: convex pieces, or their hulls."""
    names = ("gear", "gear_small", "gear_18", "grain_ball", "pebble", "pear", "gummy_bear", "hopper", "stairs", "block")
    meshes = {name: mesh_file(build, name) for name in names}
    pairs = [("gear", "gear_small"), ("gear_18", "gear"), ("grain_ball", "pebble"), ("pear", "gummy_bear"), ("pebble", "pear")]
    for a, b in pairs:
        for at in all_poses(meshes[a], meshes[b]):
            yield [meshes[a].words, meshes[b].words, *at, "--hull"]
    yield from gear_questions(meshes["gear"], meshes["gear_small"])
    for name, at in itertools.product(("hopper", "stairs", "block", "gear"), range(4)):
        size = meshes[name].high[0] / 4
        for body in (centred(f"box:{size},{size},{size}", size, size, size), centred(f"sphere:{size}", size, size, size)):
            yield [meshes[name].words, body.words, *some_poses(meshes[name], body)[at], "--hull"]
    for mesh in meshes.values():
        yield [mesh.words, "sphere:0.001"]


def gear_questions(gear, small):
    """Teeth in teeth."""
    for share, degrees in itertools.product((0.88, 0.92, 0.98), (0, 6, 13)):
        at = (share * (gear.high[0] + small.high[0]), 0, 0.01)
        yield [gear.words, small.words, "--pose", pose(at, turn_about((0, 0, 1), degrees))]


def format_questions():
    """One cube in every format, as a solid and as a surface."""
    for name, kind in itertools.product(("cube.obj", "cube.stl", "binary.stl", "cube.ply", "cube.gltf"), ("", "trimesh:")):
        for at in ("0.2,0.1,0.95", "0.3,0.2,0.8,0.1,0.2,0.3,0.9"):
            yield [kind + name, "box:0.5,0.5,0.5", "--pose", at]


def mesh_rule_questions():
    """Balls near the joints of surfaces, by every rule."""
    rules = ("surface", "published", "closest", "triangles", "three-passes", "smoothed", "voronoi")
    choices = list(itertools.product(rules, ("place", "index", "position")))
    places = ((0.5, -0.3, 0.9), (-0.2, 0.1, 0.6), (0, 0, 1), (0.35, 0.4, 0.97), (0.1, -0.6, -0.5))
    for name, place, (rule, identity) in itertools.product(SURFACES, places, choices):
        option = ["--mesh-rule", rule, "--mesh-identity", identity, "--margin", "0.1"]
        yield ["sphere:1", f"trimesh:{name}.obj", "--pose-a", pose(place), *option]
    for rule, identity in choices:
        option = ["--mesh-rule", rule, "--mesh-identity", identity, "--margin", "0.1"]
        yield ["sphere:1", "trimesh:piece=low:halves.obj", "trimesh:piece=high:halves.obj", "--pose-a", "1.5,0.7,0.9", *option]


def surfaces(build):
    """Meshes as surfaces, about as large as the solids."""
    scaled = {"gear": 5, "gear_small": 5, "pear": 120, "gummy_bear": 120, "hopper": 12}
    result = [mesh_file(build, name).scaled(factor, f"trimesh:scale={factor}:scenes/meshes/{name}.obj") for name, factor in scaled.items()]
    result += [mesh_file(build, "stairs", "trimesh:{}"), mesh_file(build, "stairs", "trimesh:two-sided:{}")]
    result += [of_file(build.scratch, f"{name}.obj", f"trimesh:{name}.obj") for name in ("bumps", "ridge", "valley", "step")]
    return result


def surface_questions(build):
    """Surfaces with every kind of solid, and with each other. The first pose is of bodies far apart; the last is far from the origin."""
    meshes = surfaces(build)
    solids = [*simple_solids(), planes()[0], hull(build, 24), of_file(build.scratch, "two.obj")]
    for mesh, solid in itertools.product(meshes, solids):
        for at in all_poses(mesh, solid):
            yield [mesh.words, solid.words, *at, "--hull"]
    for solid in solids[:4]:
        for at in some_poses(solid, meshes[0]):
            yield [solid.words, meshes[0].words, *at]
    for a, b in itertools.combinations(meshes, 2):
        for at in some_poses(a, b):
            yield [a.words, b.words, *at, "--margin", "0.01"]


def surface_option_questions(build):
    """Scales, mirrors, poses, sides and pieces of surfaces; several of them as one."""
    options = ("", "scale=2:", "scale=-1,1,1:", "scale=1,-2,0.5:", "two-sided:", "at=0.3,0.2,0.1:", "at=0,0,0.5,1,0,0,0:two-sided:", "piece=low:")
    for option, body, height in itertools.product(options, ("sphere:0.5", "box:0.4,0.3,0.5"), (0.45, -0.45)):
        name = "halves.obj" if option == "piece=low:" else "floor.obj"
        yield [body, f"trimesh:{option}{name}", "--pose-a", pose((0.6, -0.4, height)), "--margin", "0.02"]
    places = ("", "at=4,0,0:", "at=0,4,0:scale=-1,1,1:", "at=4,4,0,0,0,0.70710678118654752,0.70710678118654752:")
    tiles = [f"trimesh:{place}floor.obj" for place in places]
    hill = "trimesh:at=2,2,0.05:bumps.obj"
    for solid in [*simple_solids(), hull(build, 24)]:
        for rotation, sunk in itertools.product(((), TILTED), (0.02, 0.3)):
            at = ("--pose-a", pose((2.1, 1.9, -solid.low[2] - sunk), rotation))
            yield [solid.words, *tiles, *at, "--hull"]
            yield [solid.words, *tiles, hill, *at, "--hull", "--margin", "0.05"]
            yield [solid.words, *tiles, *at, "--hull", "--reduce", "2"]


def facet_questions(build):
    """Bodies of rounded triangles with each other, and with spheres and planes."""
    words = {"pear": "facetmesh:{}", "grain_ball": "facetmesh:{}", "pebble": "facetmesh:radius=0.006:{}", "gummy_bear": "facetmesh:radius=0.002:{}"}
    bodies = [mesh_file(build, name, text) for name, text in words.items()]
    bodies.append(mesh_file(build, "grain_ball", "facetmesh:radius=flat:{}"))
    others = [centred("sphere:0.004", 0.004, 0.004, 0.004), centred("plane:0,0,1,0", 0.01, 0.01, 0)]
    for a, b in [*itertools.product(bodies, others), *itertools.product(others, bodies[:2]), *itertools.combinations_with_replacement(bodies, 2)]:
        room = Room(a, b)
        poses = [room.above(1.25), room.above(0.99, shifted=False), room.above(0.93), room.above(0.9, TILTED), room.beside(0.96)]
        for at in (*poses, far_from_origin(room)):
            yield [a.words, b.words, *at]
        yield [a.words, b.words, *room.above(1.01, shifted=False), "--margin", repr(0.03 * room.up)]
    ball = "scenes/meshes/grain_ball.obj"
    for option in ("scale=200:", "scale=200:radius=flat:", "scale=100,150,200:", "scale=-200,200,200:", "at=0.1,0,0:scale=200:radius=1.1:"):
        yield [f"facetmesh:{option}{ball}", "plane:0,0,1,-0.9"]


def refused_questions():
    """Questions without an answer are refused with the same message."""
    yield ["plane:0,0,1,0", "plane:0,0,1,0"]
    yield ["plane:0,0,1,1", "trimesh:floor.obj", "trimesh:floor.obj"]
    yield ["open.obj", "box:1,1,1"]
    yield ["open.obj", "box:1,1,1", "--hull"]
    yield ["scenes/meshes/pear.obj", "box:1,1,1"]
    yield ["nowhere.obj", "box:1,1,1"]
    yield ["facetmesh:open.obj", "sphere:1"]
    yield ["facetmesh:cube.obj", "box:1,1,1"]
    yield ["trimesh:piece=none:halves.obj", "sphere:1"]


def collide_questions(build):
    yield from pair_questions(build)
    yield from normal_questions(build)
    yield from angle_questions(build)
    yield from margin_questions()
    yield from reduce_questions(build)
    yield from solid_file_questions(build)
    yield from format_questions()
    yield from mesh_rule_questions()
    yield from surface_questions(build)
    yield from surface_option_questions(build)
    yield from facet_questions(build)
    yield from refused_questions()


# ---- questions to abut depth ----

BALL, TORUS = "scenes/meshes/tet_ball.msh", "scenes/meshes/tet_torus.msh"
MODES = ("exact44", "paper", "accelerated", "best-k", "free-local", "free")


def depth_questions():
    places = ("5,0,0", "1.9,0,0", "1.5,0.3,0.2,0.18,-0.35,0.41,0.82", "1.2,0,0", "0,0,0")
    for place, mode in itertools.product(places, MODES):
        yield [BALL, TORUS, "--pose", place, "--mode", mode]
    for count in ("1", "3", "88"):
        yield [BALL, TORUS, "--pose", "1.5,0,0", "--mode", "best-k", "--best-k", count]
    for mode, share in itertools.product(("exact44", "accelerated", "best-k"), ("0", "0.5", "0.9")):
        yield [BALL, TORUS, "--pose", "1.7,0.1,0", "--mode", mode, "--volume-ratio", share]
    for weights in (["--weight-a", "3"], ["--weight-b", "static"], ["--weight-a", "0.5", "--weight-b", "7"]):
        yield [BALL, TORUS, "--pose", "1.6,0,0.1", *weights]
        yield [BALL, TORUS, "--pose", "1.6,0,0.1", *weights, "--resolve", "--output", "-".join(w.strip("-") for w in weights) + ".vtu"]
    for number, place in enumerate(places):
        yield [BALL, TORUS, "--pose-a", "0.1,0,0", "--pose", place, "--resolve", "--output", f"resolved_{number}.vtu"]
        yield [BALL, TORUS, "--pose", place, "--output", f"table_{number}.csv"]
    for mesh in (BALL, TORUS):
        yield [mesh]
        yield [mesh, mesh, "--pose", "0.7,0.2,0.1", "--mode", "free"]
    for mode in MODES:
        yield ["--pairs", "tetrahedra.csv", "--mode", mode]


# ---- all questions ----


def all_questions(build, only):
    """{question: a function without arguments that asks it}"""
    write_meshes(build.scratch)
    write_tetrahedra(build.scratch / "tetrahedra.csv")
    questions = {}
    for scene in build.scenes():
        questions[f"run {scene}"] = lambda scene=scene: ask_run(build, scene)
        questions[f"state_hash {scene}"] = lambda scene=scene: ask_hash(build, scene)
    for words in depth_questions():
        questions["depth " + " ".join(words)] = lambda words=words: ask_depth(build, words)
    for words in collide_questions(build):
        questions["collide " + " ".join(words)] = lambda words=words: ask_collide(build, words)
    return {question: ask for question, ask in questions.items() if only.search(question)}


def ask_all(build, options):
    """{question: its answer}; several questions run at a time."""
    questions = all_questions(build, options.only)
    if not questions:
        raise Failure(f"no question matches '{options.only.pattern}'")
    print(f"{len(questions)} questions to {build.abut} and {build.state_hash}", file=sys.stderr)
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        pending = {pool.submit(ask): question for question, ask in questions.items()}
        try:
            answers = {}
            for done in concurrent.futures.as_completed(pending):
                answers[pending[done]] = done.result()
                tell_progress(len(answers), len(questions), pending[done])
        except BaseException:
            pool.shutdown(cancel_futures=True)
            raise
    return {question: answers[question] for question in questions}


def tell_progress(done, whole, question):
    """Reports each slow question, and some of the many fast ones."""
    if question.startswith("run ") or done % 500 == 0 or done == whole:
        print(f"{done} of {whole}: {question if done < whole else 'done'}", file=sys.stderr, flush=True)


# ---- recording and comparing ----


def write_results(path, build, answers):
    """The file appears whole or not at all."""
    results = {"format": FORMAT, "source": str(build.source), "build": str(build.folder), "answers": answers}
    temporary = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        temporary.write_text(json.dumps(results, indent=1) + "\n")
        temporary.replace(path)
    except OSError as error:
        raise Failure(f"{path}: cannot be written: {error.strerror}") from error
    finally:
        temporary.unlink(missing_ok=True)


def read_results(path):
    try:
        results = json.loads(path.read_text())
    except OSError as error:
        raise Failure(f"{path}: cannot be read: {error.strerror}") from error
    except ValueError as error:
        raise Failure(f"{path}: this is not what 'record' writes: {error}") from error
    if not isinstance(results, dict) or results.get("format") != FORMAT:
        raise Failure(f"{path}: this is not what 'record' writes: its format is not '{FORMAT}'")
    return results["answers"]


def tell_difference(item, old, new, lines):
    """Prints short texts one below the other, and the differing lines of longer ones."""
    if "\n" not in old.strip() and "\n" not in new.strip():
        print(f"  {item}: was {old.strip()}\n  {' ' * len(item)}   is {new.strip()}")
        return
    changes = list(difflib.unified_diff(old.splitlines(), new.splitlines(), "was", "is", lineterm="", n=2))
    print(f"  {item}:", *(f"    {line}" for line in changes[:lines]), sep="\n")
    if len(changes) > lines:
        print(f"    ... and {len(changes) - lines} lines more")


def tell_missing(what, items):
    if items:
        print(f"  {what}: {', '.join(items)}")


def tell_differences(before, now, lines):
    """Prints the differences and returns the number of differing questions."""
    questions = [*before, *(question for question in now if question not in before)]
    different = [question for question in questions if before.get(question) != now.get(question)]
    for question in different:
        print(f"{question}:")
        if question not in before or question not in now:
            print("  was not asked when the answers were recorded" if question in now else "  was asked, and is no longer")
            continue
        old, new = before[question], now[question]
        for item in old:
            if item in new and old[item] != new[item]:
                tell_difference(item, old[item], new[item], lines)
        tell_missing("no longer there", [item for item in old if item not in new])
        tell_missing("new", [item for item in new if item not in old])
    return len(different)


def tell_counts(answers):
    """Prints the number of questions for each command."""
    for command in ("state_hash", "run", "collide", "depth"):
        asked = [answer for question, answer in answers.items() if question.split()[0] == command]
        failed = sum(answer["status"] != "0" for answer in asked)
        print(f"{command}: {len(asked)} questions, {sum(map(len, asked))} items, {failed} with an exit status other than 0")


def record(build, options):
    if not options.file.resolve().parent.is_dir():
        raise Failure(f"{options.file}: there is no such folder")
    answers = ask_all(build, options)
    write_results(options.file, build, answers)
    tell_counts(answers)
    print(f"written to {options.file}")
    return 0


def compare(build, options):
    before = {question: answer for question, answer in read_results(options.file).items() if options.only.search(question)}
    now = ask_all(build, options)
    different = tell_differences(before, now, options.lines)
    tell_counts(now)
    print(f"{len(before.keys() | now.keys())} questions, {different} differ")
    return 1 if different else 0


# ---- the command line ----


def positive(text):
    number = int(text)
    if number < 1:
        raise ValueError
    return number


def expression(text):
    try:
        return re.compile(text)
    except re.error as error:
        raise argparse.ArgumentTypeError(f"'{text}' is not a regular expression: {error}") from error


def parse_arguments(arguments):
    parser = argparse.ArgumentParser(
        prog="compare_results.py",
        description="Record the answers of a build of abut, or compare a build with recorded answers, bit for bit: states and recordings "
        "of all scenes, contacts of all kinds of shapes, depths of tetrahedral meshes. Wall times and the version of abut in recordings do not count.",
        epilog="Exit status: 0 when nothing differs, 1 when something does, 2 when the questions could not be asked. "
        "Example: compare_results.py record ../before/build/release before.json && compare_results.py compare build/release before.json "
        "(needs python3-numpy and python3-h5py)",
    )
    commands = parser.add_subparsers(dest="command", required=True, metavar="record | compare")
    for name, action, file_name, text in (
        ("record", record, "OUT_FILE", "ask a build, and write its answers as JSON"),
        ("compare", compare, "RECORDED_FILE", "ask a build, and report differences from recorded answers"),
    ):
        command = commands.add_parser(name, help=text, description=text[0].upper() + text[1:] + ".")
        command.set_defaults(action=action)
        command.add_argument(
            "build",
            type=pathlib.Path,
            metavar="BUILD_DIR",
            help="a build folder of CMake with the programs abut and state_hash; scenes are those of the sources that its CMakeCache.txt names",
        )
        command.add_argument("file", type=pathlib.Path, metavar=file_name, help="the file that 'record' writes")
        command.add_argument(
            "-j", "--jobs", type=positive, default=os.cpu_count(), metavar="N", help="questions that run at a time (default: one per processor)"
        )
        command.add_argument(
            "--threads", type=positive, default=1, metavar="N", help="threads of each run and each depth; they must not change a result (default 1)"
        )
        command.add_argument(
            "--only", type=expression, default=re.compile(""), metavar="REGEX", help="ask only questions that match, for example '^run wall'"
        )
        command.add_argument(
            "--scratch", type=pathlib.Path, metavar="FOLDER", help="an empty or new folder, which is kept, so that questions can be repeated in it by hand"
        )
        if name == "compare":
            command.add_argument("--lines", type=positive, default=20, metavar="N", help="number of lines to print for each text that differs (default 20)")
    return parser.parse_args(arguments)


def make_scratch(folder):
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if any(folder.iterdir()):
            raise Failure(f"{folder}: the folder is not empty")
    except OSError as error:
        raise Failure(f"{folder}: cannot be used: {error.strerror}") from error
    return folder


def main(arguments):
    options = parse_arguments(arguments)
    try:
        with tempfile.TemporaryDirectory(prefix="abut-results-") as temporary:
            scratch = make_scratch(options.scratch or pathlib.Path(temporary))
            return options.action(Build(options.build, scratch, options.threads), options)
    except Failure as failure:
        print(f"compare_results.py: {failure}", file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
