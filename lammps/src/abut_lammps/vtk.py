"""Dumps of grains as surfaces for ParaView: python -m abut_lammps.vtk packing.dump --mesh 1 pear.obj --sphere 2 0.005

Reads a text dump (dump custom) with the columns id, type, x, y, z, quatw, quati, quatj and quatk, and writes FILE.STEP.vtp for each snapshot and FILE.pvd,
which ParaView opens. The meshes are those of pair_coeff: OBJ files, scaled as there. Needs NumPy.
"""

from __future__ import annotations

import argparse
import math
import pathlib
import sys
from collections.abc import Iterator

import numpy as np

NEEDED = ("id", "type", "x", "y", "z", "quatw", "quati", "quatj", "quatk")


class Problem(Exception):
    """What is wrong with a file, for people."""


def read_obj(path: str, scale: float = 1.0) -> tuple[np.ndarray, np.ndarray]:
    """(vertices with the centre of mass of the solid at the origin, triangles)."""
    vertices, triangles = [], []
    for number, line in enumerate(pathlib.Path(path).read_text().splitlines(), 1):
        words = line.split()
        try:
            if words[:1] == ["v"]:
                if len(words) < 4:
                    raise ValueError("a vertex needs three coordinates")
                vertices.append([scale * float(word) for word in words[1:4]])
            elif words[:1] == ["f"]:
                corners = [int(word.split("/")[0]) for word in words[1:]]
                corners = [c - 1 if c > 0 else len(vertices) + c for c in corners]
                if len(corners) < 3:
                    raise ValueError("a face needs three vertices")
                triangles += [(corners[0], b, c) for b, c in zip(corners[1:], corners[2:])]
        except ValueError as error:
            raise Problem(f"{path}:{number}: {error}") from error
    if not triangles:
        raise Problem(f"{path}: no faces; the mesh must be an OBJ file")
    p, t = np.array(vertices, float).reshape(-1, 3), np.array(triangles)
    if t.min() < 0 or t.max() >= len(p):
        raise Problem(f"{path}: a face names a vertex that is not among its {len(p)}")
    a, b, c = p[t[:, 0]], p[t[:, 1]], p[t[:, 2]]
    volumes = np.einsum("ij,ij->i", a, np.cross(b, c)) / 6
    if not volumes.sum() > 0:
        raise Problem(f"{path}: its volume is not positive; the surface must be closed, with its triangles outward")
    return p - (volumes[:, None] * (a + b + c) / 4).sum(axis=0) / volumes.sum(), t


def sphere(radius: float, around: int = 24) -> tuple[np.ndarray, np.ndarray]:
    """A ball as triangles, for drawing."""
    rings = around // 2
    points = [(0.0, 0.0, 1.0)]
    for i in range(1, rings):
        s, z = math.sin(math.pi * i / rings), math.cos(math.pi * i / rings)
        points += [(s * math.cos(2 * math.pi * k / around), s * math.sin(2 * math.pi * k / around), z) for k in range(around)]
    points.append((0.0, 0.0, -1.0))
    triangles = []
    for k in range(around):
        n = (k + 1) % around
        triangles += [(0, 1 + k, 1 + n), (len(points) - 1, 1 + (rings - 2) * around + n, 1 + (rings - 2) * around + k)]
        for i in range(rings - 2):
            p, q = 1 + i * around, 1 + (i + 1) * around
            triangles += [(p + k, q + k, q + n), (p + k, q + n, p + n)]
    return radius * np.array(points), np.array(triangles)


def count_after(file: Iterator[str], what: str) -> int:
    """The whole number, not negative, in the line that follows in a dump. `what`: what is wrong with another line."""
    line = next(file, None)
    if line is None or not line.endswith("\n"):
        raise Problem(f"{what} is missing: the file ends there")
    try:
        number = int(line)
    except ValueError:
        number = -1
    if number < 0:
        raise Problem(f"{what} must be a whole number, and is '{line.strip()}'")
    return number


def table_of(file: Iterator[str], rows: int, width: int, where: str) -> np.ndarray:
    """The rows of a snapshot. A row without its end may lack digits, so it counts as cut off. `where`: the file and the step."""
    table = np.empty((rows, width))
    for k in range(rows):
        line = next(file, "")
        if not line.endswith("\n"):
            raise Problem(f"{where} is cut off: it has {k} whole rows of {rows}")
        words = line.split()
        if len(words) != width:
            raise Problem(f"{where}, row {k + 1}: it has {len(words)} numbers for {width} columns")
        try:
            table[k] = [float(word) for word in words]
        except ValueError as error:
            raise Problem(f"{where}, row {k + 1}: {error}") from error
    return table


def snapshots(path: str) -> Iterator[tuple[int, dict[str, np.ndarray]]]:
    """(step, columns by name) of each snapshot. A file that ends within one is a Problem."""
    with open(path, errors="replace") as file:
        step, count, begun = -1, 0, False
        for line in file:
            if not line.endswith("\n"):
                raise Problem(f"{path}: cut off {f'in or after step {step}' if step >= 0 else 'before the first step'}: its last line has no end")
            if line.startswith("ITEM: TIMESTEP"):
                step, begun = count_after(file, f"{path}: the step after step {step}" if step >= 0 else f"{path}: the first step"), True
            elif line.startswith("ITEM: NUMBER OF ATOMS"):
                count = count_after(file, f"{path}: the number of atoms of step {step}")
            elif line.startswith("ITEM: ATOMS"):
                names = line.split()[2:]
                missing = [name for name in NEEDED if name not in names]
                if missing:
                    raise Problem(f"{path}: step {step} has no column {missing[0]}; write the dump with the commands of docs/use/lammps.md")
                table = table_of(file, count, len(names), f"{path}: step {step}")
                begun = False
                yield step, {name: table[:, i] for i, name in enumerate(names)}
        if begun:
            raise Problem(f"{path}: step {step} is cut off: it has no atoms")


def rotations(w: np.ndarray, x: np.ndarray, y: np.ndarray, z: np.ndarray) -> np.ndarray:
    """Matrices (n, 3, 3) of unit quaternions."""
    return np.stack([1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y), 2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x),
                     2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)], axis=-1).reshape(-1, 3, 3)


def surface(columns: dict[str, np.ndarray], shapes: dict[int, tuple[np.ndarray, np.ndarray]]) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """(points, triangles, the atom of each triangle, its speed) of a snapshot."""
    places = np.stack([columns[name] for name in "xyz"], axis=1)
    turns = rotations(*[columns[f"quat{k}"] for k in "wijk"])
    speed = np.sqrt(sum(columns[name] ** 2 for name in ("vx", "vy", "vz"))) if {"vx", "vy", "vz"} <= set(columns) else np.zeros(len(places))
    points, triangles, atoms, speeds, first = [np.zeros((0, 3))], [np.zeros((0, 3), int)], [np.zeros(0)], [np.zeros(0)], 0
    for i in range(len(places)):
        kind = int(columns["type"][i])
        if kind not in shapes:
            raise Problem(f"atom {columns['id'][i]:.0f} has the type {kind}, which has no shape: add --mesh {kind} FILE or --sphere {kind} RADIUS")
        own, faces = shapes[kind]
        points.append(places[i] + own @ turns[i].T)
        triangles.append(faces + first)
        atoms.append(np.full(len(faces), columns["id"][i]))
        speeds.append(np.full(len(faces), speed[i]))
        first += len(own)
    return np.concatenate(points), np.concatenate(triangles), np.concatenate(atoms), np.concatenate(speeds)


def write_vtp(path: pathlib.Path, points: np.ndarray, triangles: np.ndarray, atoms: np.ndarray, speeds: np.ndarray) -> None:
    def array(name: str, kind: str, values: np.ndarray, components: int = 1) -> str:
        text = " ".join(f"{v:.9g}" if kind == "Float32" else str(int(v)) for v in values.ravel())
        return f'<DataArray type="{kind}" Name="{name}" NumberOfComponents="{components}" format="ascii">{text}</DataArray>'

    ends = 3 * (1 + np.arange(len(triangles)))
    path.write_text(f"""<?xml version="1.0"?>
<VTKFile type="PolyData" version="1.0" byte_order="LittleEndian"><PolyData>
<Piece NumberOfPoints="{len(points)}" NumberOfPolys="{len(triangles)}">
<Points>{array("points", "Float32", points, 3)}</Points>
<Polys>{array("connectivity", "Int32", triangles)}{array("offsets", "Int32", ends)}</Polys>
<CellData>{array("atom", "Int32", atoms)}{array("speed", "Float32", speeds)}</CellData>
</Piece></PolyData></VTKFile>
""")


def convert(dump: str, shapes: dict[int, tuple[np.ndarray, np.ndarray]], out: str, time_step: float = 1.0) -> list[pathlib.Path]:
    """Writes OUT.STEP.vtp for each snapshot and OUT.pvd. Gives the paths, that of the collection last."""
    written, rows = [], []
    for step, columns in snapshots(dump):
        path = pathlib.Path(f"{out}.{step}.vtp")
        write_vtp(path, *surface(columns, shapes))
        written.append(path)
        rows.append(f'<DataSet timestep="{step * time_step!r}" file="{path.name}"/>')
    if not written:
        raise Problem(f"{dump}: no snapshot; it must be a text dump of the style custom")
    collection = pathlib.Path(f"{out}.pvd")
    collection.write_text('<?xml version="1.0"?>\n<VTKFile type="Collection" version="1.0"><Collection>\n' + "\n".join(rows) + "\n</Collection></VTKFile>\n")
    return [*written, collection]


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m abut_lammps.vtk", description="Grains of a LAMMPS dump as surfaces for ParaView")
    parser.add_argument("dump", help="a text dump (dump custom)")
    parser.add_argument("--mesh", nargs=2, action="append", default=[], metavar=("TYPE", "FILE"), help="the OBJ file of a type")
    parser.add_argument("--sphere", nargs=2, action="append", default=[], metavar=("TYPE", "RADIUS"), help="the radius of a type of balls")
    parser.add_argument("--scale", type=float, default=1.0, help="factor of the meshes, as 'scale' of pair_coeff")
    parser.add_argument("--time-step", type=float, default=1.0, help="time of a step, for the time axis")
    parser.add_argument("-o", "--output", help="begin of the names of the files; default: that of the dump")
    options = parser.parse_args()
    try:
        shapes = {int(kind): read_obj(path, options.scale) for kind, path in options.mesh} | {int(kind): sphere(float(r)) for kind, r in options.sphere}
        written = convert(options.dump, shapes, options.output or str(pathlib.Path(options.dump).with_suffix("")), options.time_step)
    except (Problem, OSError, ValueError) as problem:
        print(f"abut_lammps.vtk: {problem}", file=sys.stderr)
        return 1
    print(f"{len(written) - 1} snapshots; open {written[-1]}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
