#!/usr/bin/env python3
"""Make tetrahedral meshes of a ball, a torus and a block with gmsh, each of at least the given number of elements.

    scripts/make/tet_meshes.py --elements 50000 --output build/meshes

prints one line for each: name, elements, file. The ball has the radius 1; the torus the radii 1 and 0.4, its axis along z; the block the half
sizes 1, 0.75, 0.5. All have the origin in their middle, so that any two of them overlap; --centre moves them. An existing file is kept if it
has the given number of elements and the same settings. Needs gmsh (Debian: gmsh); the same gmsh gives the same meshes.
"""

import argparse
import math
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

# Geometry by OpenCASCADE, and volume: a regular tetrahedron of edge s has s^3 / (6 sqrt 2), which gives the first guess of the size.
SHAPES = {
    "ball": ("Sphere(1) = {0, 0, 0, 1};", 4 / 3 * math.pi),
    "torus": ("Torus(1) = {0, 0, 0, 1, 0.4};", 2 * math.pi**2 * 0.4**2),
    "block": ("Box(1) = {-1, -0.75, -0.5, 2, 1.5, 1};", 3.0),
}

# The search ends when the number of elements is within this factor of the given one.
EXCESS = 1.1
ATTEMPTS = 12


class MeshError(Exception):
    """A mesh cannot be made."""


def run_gmsh(gmsh, name, size, centre, path, binary):
    """One mesh with elements of that size."""
    geometry, _ = SHAPES[name]
    x, y, z = centre
    text = f"""SetFactory("OpenCASCADE");
{geometry}
Translate {{{x!r}, {y!r}, {z!r}}} {{ Volume{{1}}; }}
Mesh.MeshSizeMin = {size!r};
Mesh.MeshSizeMax = {size!r};
Physical Volume("{name}", 1) = {{1}};
"""
    with tempfile.TemporaryDirectory() as folder:
        source = pathlib.Path(folder, "shape.geo")
        source.write_text(text)
        command = [gmsh, "-3", "-v", "1", "-nt", "1", "-format", "msh41", *(["-bin"] if binary else []), "-o", str(path), str(source)]
        result = subprocess.run(command, capture_output=True, text=True, check=False)
    if result.returncode != 0:
        raise MeshError(f"gmsh failed on the {name}: {(result.stdout + result.stderr).strip()}")


def count_elements(path):
    """Tetrahedra in a file of version 4.1, text or binary, that run_gmsh made: all of its elements are in one block."""
    data = path.read_bytes()
    binary = data.split(b"\n", 2)[1].split()[1] == b"1"
    start = data.index(b"\n$Elements\n") + len(b"\n$Elements\n")
    if binary:
        return int.from_bytes(data[start + 8:start + 16], sys.byteorder)
    return int(data[start:start + 100].split()[1])


def make(gmsh, name, wanted, centre, path, binary):
    """Makes a mesh of at least `wanted` elements, the smallest of those tried; returns the number."""
    size = (SHAPES[name][1] / wanted * 6 * math.sqrt(2)) ** (1 / 3)
    best, too_fine, too_coarse = math.inf, 0.0, math.inf
    temporary = path.with_name(f".{path.name}.{os.getpid()}.msh")
    try:
        for _ in range(ATTEMPTS):
            run_gmsh(gmsh, name, size, centre, temporary, binary)
            count = count_elements(temporary)
            if wanted <= count < best:
                best = count
                os.replace(temporary, path)
            if best <= wanted * EXCESS:
                break
            # The number of elements grows with the inverse cube of the size, but in steps; once both sides are known, bisect.
            too_fine, too_coarse = (size, too_coarse) if count > wanted else (too_fine, size)
            bracketed = too_fine > 0.0 and too_coarse < math.inf
            size = math.sqrt(too_fine * too_coarse) if bracketed else size * (count / (wanted * (1 + EXCESS) / 2)) ** (1 / 3)
    finally:
        temporary.unlink(missing_ok=True)
    if best == math.inf:
        raise MeshError(f"no size of elements was found that gives the {name} {wanted} of them; ask for another number")
    return best


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--elements", type=int, default=50000, help="tetrahedra of each mesh, at least (default 50000)")
    parser.add_argument("--output", type=pathlib.Path, default=pathlib.Path("build/meshes"), help="folder (default build/meshes)")
    parser.add_argument("--shape", choices=sorted(SHAPES), action="append", help="make only this shape; may be repeated")
    parser.add_argument("--centre", type=float, nargs=3, default=[0.0, 0.0, 0.0], metavar=("X", "Y", "Z"), help="position of their middle")
    parser.add_argument("--text", action="store_true", help="text files instead of binary ones")
    options = parser.parse_args()
    gmsh = shutil.which("gmsh")
    if not gmsh:
        sys.exit("make_tet_meshes: gmsh is needed (Debian: apt-get install gmsh)")
    if options.elements < 100:
        parser.error("--elements must be 100 or more")
    options.output.mkdir(parents=True, exist_ok=True)
    # The name contains all settings that differ from the defaults, so that a file with this name has these settings.
    moved = "" if not any(options.centre) else "_at_" + "_".join(f"{x:g}" for x in options.centre)
    for name in options.shape or SHAPES:
        path = options.output / f"{name}_{options.elements}{moved}{'_text' if options.text else ''}.msh"
        try:
            count = count_elements(path) if path.exists() else make(gmsh, name, options.elements, options.centre, path, not options.text)
        except MeshError as problem:
            sys.exit(f"make_tet_meshes: {problem}")
        print(name, count, path)


if __name__ == "__main__":
    main()
