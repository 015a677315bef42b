#!/usr/bin/env python3
"""Files of tetrahedra that meshio and gmsh write, and .vtu files that meshio reads; tet_dump.c reads and writes them."""

import os
import pathlib
import shutil
import subprocess
import sys
import unittest
import warnings

import numpy as np

try:
    import meshio
except ImportError:
    print("meshio is needed (Debian: python3-meshio)")
    sys.exit(77)

FOLDER = pathlib.Path(os.environ["ABUT_TEST_SCRATCH_DIR"])
DUMP = pathlib.Path(os.environ["ABUT_TEST_BUILD_DIR"]) / "test" / "tet_dump"
GMSH = shutil.which("gmsh")


class Read:
    """The output of tet_dump for a file."""

    def __init__(self, path, vtu=None):
        lines = subprocess.run([DUMP, path] + [vtu] * (vtu is not None), check=True, capture_output=True, text=True).stdout.splitlines()
        counts = [int(word) for word in lines[0].split()[1:]]
        self.inverted, self.flat, self.unused, self.other = counts[2:]
        rows = [line.split() for line in lines[1:]]
        vertices, elements = rows[: counts[0]], rows[counts[0]:]
        self.points = np.array([[float.fromhex(word) for word in row[1:]] for row in vertices])
        self.tags = np.array([int(row[0]) for row in vertices])
        numbers = np.array(elements, dtype=np.int64)
        self.element_tags, self.cells, self.regions = numbers[:, 0], numbers[:, 1:5], numbers[:, 5]


def random_mesh(seed, points=200, cells=300, dtype=float):
    """Random tetrahedra of all sizes and windings, with triangles and unused vertices."""
    generator = np.random.default_rng(seed)
    vertices = generator.normal(size=(points, 3)) * 10.0 ** generator.integers(-12, 12, size=(points, 1))
    tetrahedra = np.array([generator.choice(points - 20, 4, replace=False) for _ in range(cells)])
    triangles = np.array([generator.choice(points, 3, replace=False) for _ in range(50)])
    return meshio.Mesh(vertices.astype(dtype), [("triangle", triangles), ("tetra", tetrahedra)])


class Meshio(unittest.TestCase):
    """Random meshes through each of meshio's formats."""

    def check(self, path, mesh, first=0, regions=None):
        read = Read(path)
        cells = mesh.cells_dict["tetra"]
        used = np.unique(cells)
        np.testing.assert_array_equal(read.points, mesh.points[used].astype(float))
        np.testing.assert_array_equal(read.tags, used + first)
        np.testing.assert_array_equal(used[read.cells], cells)
        self.assertEqual(read.unused, len(mesh.points) - len(used))
        a, b, c, d = (mesh.points[cells[:, i]] for i in range(4))
        volumes = np.einsum("ij,ij->i", np.cross(b - a, c - a), d - a)
        self.assertLessEqual(abs(read.inverted - np.sum(volumes < 0)), read.flat)
        if regions is not None:
            np.testing.assert_array_equal(read.regions, regions)
        return read

    def test_gmsh(self):
        for seed, (version, binary) in enumerate((v, b) for v in ("gmsh22", "gmsh") for b in (False, True)):
            with self.subTest(version=version, binary=binary):
                mesh = random_mesh(seed)
                groups = np.random.default_rng(seed).integers(1, 9, size=300)
                mesh.cell_data = {"gmsh:physical": [np.ones(50, np.int32), groups.astype(np.int32)],
                                  "gmsh:geometrical": [np.ones(50, np.int32), groups.astype(np.int32) + 10]}
                if version == "gmsh":  # of this version meshio writes one kind of cells, and no groups
                    groups = np.full(300, 4)
                    mesh = meshio.Mesh(mesh.points, mesh.cells[1:], cell_data={"gmsh:geometrical": [groups]})
                path = FOLDER / f"{version}{binary}.msh"
                meshio.write(path, mesh, file_format=version, binary=binary)
                read = self.check(path, mesh, first=1, regions=groups)
                self.assertEqual(read.other, 50 if version == "gmsh22" else 0)

    def test_tetgen(self):
        for attributes in (False, True):
            mesh = random_mesh(7)
            regions = None
            if attributes:
                regions = np.random.default_rng(3).integers(-5, 9, size=300)
                mesh = meshio.Mesh(mesh.points, mesh.cells[1:], cell_data={"tetgen:ref": [regions]},
                                   point_data={"tetgen:ref": np.arange(200), "heat": np.linspace(0, 1, 200)})
            for ending in ("node", "ele"):
                path = FOLDER / f"tetgen.{ending}"
                meshio.write(path, mesh, file_format="tetgen")
                self.check(path, mesh, regions=regions)

    def test_vtk(self):
        for version in ("vtk42", "vtk51"):
            for binary in (False, True):
                for dtype in ("f8", "f4"):
                    with self.subTest(version=version, binary=binary, dtype=dtype):
                        mesh = random_mesh(11, dtype=dtype)
                        mesh.point_data = {"heat": np.linspace(0, 1, 200)}
                        path = FOLDER / "mesh.vtk"
                        meshio.write(path, mesh, file_format=version, binary=binary)
                        read = self.check(path, mesh)
                        np.testing.assert_array_equal(read.element_tags, np.arange(50, 350))

    def test_medit(self):
        mesh = random_mesh(13)
        parts = np.random.default_rng(13).integers(1, 9, size=300)
        mesh.cell_data = {"medit:ref": [np.zeros(50, int), parts]}
        path = FOLDER / "mesh.mesh"
        meshio.write(path, mesh)
        read = self.check(path, mesh, first=1, regions=parts)
        np.testing.assert_array_equal(read.element_tags, np.arange(1, 301))
        self.assertEqual(read.other, 50)

    def test_abaqus(self):
        mesh = random_mesh(17)
        path = FOLDER / "mesh.inp"
        meshio.write(path, mesh, float_fmt=".17g")
        read = self.check(path, mesh, first=1)
        self.assertEqual(read.other, 50)

    def test_vtu(self):
        """Text, base64, and base64 of several compressed blocks."""
        for seed, (points, options) in enumerate([(200, {"binary": False}), (200, {"compression": None}), (200, {"compression": "zlib"}),
                                                  (6000, {"compression": "zlib"}), (200, {"compression": "zlib", "header_type": "UInt64"})]):
            with self.subTest(points=points, **options):
                mesh = random_mesh(seed + 30, points=points)
                mesh.point_data = {"heat": np.linspace(0, 1, points)}
                path = FOLDER / "mesh.vtu"
                meshio.write(path, mesh, **options)
                if options.get("binary", True):
                    read = self.check(path, mesh)
                else:  # meshio writes 11 digits
                    mesh.points = meshio.read(path).points
                    read = self.check(path, mesh)
                np.testing.assert_array_equal(read.element_tags, np.arange(50, 350))

    def test_vtu_is_read_back(self):
        for seed in range(3):
            mesh = random_mesh(seed + 20)
            meshio.write(FOLDER / "in.vtk", mesh)
            read = Read(FOLDER / "in.vtk", FOLDER / "out.vtu")
            back = meshio.read(FOLDER / "out.vtu")
            mirrored = read.points * [-1, 1, 1]
            count = len(read.points)
            np.testing.assert_array_equal(back.points, np.concatenate([read.points, mirrored]))
            np.testing.assert_array_equal(back.point_data["mirrored"], np.concatenate([mirrored, read.points]))
            self.assertEqual([block.type for block in back.cells], ["tetra"])
            np.testing.assert_array_equal(back.cells[0].data, np.concatenate([read.cells, read.cells + count]))
            np.testing.assert_array_equal(back.cell_data["tag"][0], np.tile(read.element_tags, 2))
            np.testing.assert_array_equal(back.cell_data["body"][0], np.repeat([0, 1], 300))
            np.testing.assert_array_equal(back.cell_data["share <&>"][0], np.concatenate([1 / (1 + np.arange(300)), np.zeros(300)]))
            self.assertEqual(back.cell_data["body"][0].dtype, np.int32)
            own = Read(FOLDER / "out.vtu")
            np.testing.assert_array_equal(own.points, np.concatenate([read.points, mirrored]))
            np.testing.assert_array_equal(own.cells, np.concatenate([read.cells, read.cells + count]))


BALL = """SetFactory("OpenCASCADE");
Sphere(1) = {0.5, 0, 0, 1};
Mesh.MeshSizeMax = 0.8;
"""
BLOCKS = """SetFactory("OpenCASCADE");
Box(1) = {0, 0, 0, 1, 1, 1};
Box(2) = {1, 0, 0, 1, 1, 1};
Coherence;
Mesh.MeshSizeMax = 0.5;
Physical Volume("left", 7) = {1};
Physical Volume("right", 8) = {2};
"""


@unittest.skipUnless(GMSH, "gmsh is needed (Debian: gmsh)")
class Gmsh(unittest.TestCase):
    """Files from gmsh, in every version and with everything that it adds."""

    def mesh(self, name, geometry, *options):
        source, path = FOLDER / f"{name}.geo", FOLDER / name
        source.write_text(geometry)
        subprocess.run([GMSH, "-3", "-v", "1", "-nt", "1", *options, "-o", path, source], check=True)
        return path

    def volume(self, read):
        a, b, c, d = (read.points[read.cells[:, i]] for i in range(4))
        volumes = np.einsum("ij,ij->i", np.cross(b - a, c - a), d - a) / 6
        self.assertTrue((volumes > 0).all())
        return volumes

    def test_versions_agree(self):
        variants = [(f, o) for f in ("msh22", "msh41", "vtk") for o in ([], ["-bin"])] + [("inp", []), ("mesh", [])]
        reads = []
        for form, options in variants:
            path = self.mesh(f"ball-{form}{len(options)}.{form.rstrip('0123456789')}", BALL, "-format", form, *options)
            reads.append(Read(path))
            self.assertEqual((reads[-1].inverted, reads[-1].flat), (0, 0))
            theirs = meshio.read(path)
            np.testing.assert_array_equal(theirs.points[theirs.cells_dict["tetra"]], reads[-1].points[reads[-1].cells])
        for read in reads[1:]:
            np.testing.assert_array_equal(read.cells, reads[0].cells)
            # Gmsh writes 14 digits to Abaqus and Medit files, the last two.
            few = any(read is other for other in reads[-2:])
            np.testing.assert_allclose(read.points, reads[0].points, rtol=0, atol=1e-13 if few else 1e-15)
        self.assertTrue(3.0 < self.volume(reads[0]).sum() < 4 / 3 * np.pi)

    def test_groups(self):
        for form in ("msh22", "msh41"):
            for options in ([], ["-bin"]):
                read = Read(self.mesh("groups.msh", BLOCKS, "-format", form, *options))
                centres = read.points[read.cells].mean(axis=1)
                np.testing.assert_array_equal(read.regions, np.where(centres[:, 0] < 1, 7, 8))
                self.assertAlmostEqual(self.volume(read).sum(), 2.0, places=12)

    def test_partitions_parameters_and_curved_elements(self):
        for options in ([], ["-bin"]):
            parts = Read(self.mesh("parts.msh", BLOCKS, "-format", "msh41", "-part", "3", "-part_ghosts", *options))
            self.assertEqual(set(parts.regions), {7, 8})
            old = Read(self.mesh("parts.msh", BLOCKS, "-format", "msh22", "-part", "3", *options))
            self.assertEqual(set(old.regions), {7, 8})
            parameters = Read(self.mesh("parameters.msh", BALL + "Mesh.SaveParametric = 1;", "-format", "msh41", *options))
            np.testing.assert_array_equal(parameters.cells, Read(self.mesh("flat.msh", BALL, "-format", "msh41", *options)).cells)
            for order in ("2", "3"):
                curved = Read(self.mesh("curved.msh", BLOCKS, "-format", "msh41", "-order", order, *options))
                self.assertAlmostEqual(self.volume(curved).sum(), 2.0, places=12)
                self.assertGreater(curved.unused, len(curved.points))

    def test_made_meshes(self):
        """scripts/make/tet_meshes.py: the requested number of elements, and the documented figures."""
        script = pathlib.Path(os.environ["ABUT_TEST_SOURCE_DIR"]) / "scripts" / "make" / "tet_meshes.py"
        expected = {"ball": (4.19, [1, 1, 1]), "torus": (3.16, [1.4, 1.4, 0.4]), "block": (3.0, [1, 0.75, 0.5])}
        for options in ([], ["--text", "--centre", "5", "-2", "0.25"]):
            command = [sys.executable, script, "--elements", "1000", "--output", FOLDER / "made", *options]
            lines = subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()
            self.assertEqual(lines, subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines())
            self.assertEqual([line.split()[0] for line in lines], list(expected))
            for line in lines:
                name, count, path = line.split(maxsplit=2)
                read = Read(path)
                self.assertEqual(len(read.cells), int(count))
                self.assertTrue(1000 <= int(count) <= 2000 and read.other == 0)
                volume, half = expected[name]
                self.assertTrue(0.85 * volume < self.volume(read).sum() <= volume + 1e-9)
                centre = [5, -2, 0.25] if options else [0, 0, 0]
                np.testing.assert_allclose(np.abs(read.points - centre).max(axis=0), half, atol=0.05)


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    unittest.main(verbosity=2)
