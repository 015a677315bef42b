#!/usr/bin/env python3
"""Render docs/figures/depth_meshes.png and depth_cut.png: two meshes of 50,000 tetrahedra each, before and after `abut depth --resolve`.

The outside and a cut, coloured by the depth of each element. The script makes the meshes first (make/tet_meshes.py), and prints the output of the command.
Needs gmsh and numpy (Debian: gmsh, python3-numpy).
"""

import argparse
import os
import pathlib
import re
import subprocess
import sys
import zlib

import numpy as np

from figure import ROOT

SMOOTH = 3  # samples of a pixel, each way
GROUND = np.array([251, 250, 247.0])
BODIES = np.array([[126, 164, 208.0], [226, 178, 118.0]])
LINE = 0.72
# From zero to the greatest depth.
RAMP = np.array([[255, 236, 140], [250, 165, 60], [222, 73, 60], [140, 20, 90], [50, 8, 75]], float)


# ---- what the command answers ----


class Grid:
    """A .vtu file of the command: arrays by name."""

    TYPES = {"Float64": "f8", "Int64": "i8", "Int32": "i4", "UInt8": "u1"}

    def __init__(self, path):
        data = path.read_bytes()
        start = data.index(b"_", data.index(b"<AppendedData")) + 1
        self.arrays = {}
        for kind, name, width, offset in re.findall(rb'<DataArray type="(\w+)" Name="(\w+)"(?: NumberOfComponents="(\d)")?[^>]*offset="(\d+)"', data[:start]):
            at = start + int(offset)
            values = np.frombuffer(data, self.TYPES[kind.decode()], offset=at + 8, count=-1 if not kind else
                                   int.from_bytes(data[at:at + 8], sys.byteorder) // np.dtype(self.TYPES[kind.decode()]).itemsize)
            self.arrays[name.decode()] = values.reshape(-1, int(width)) if width else values
        self.points, self.cells = self.arrays["Points"], self.arrays["connectivity"].reshape(-1, 4)
        self.depth, self.body = self.arrays["depth"], self.arrays["body"]

    def boundary(self):
        """Triangles of only one element, and the index of this element."""
        faces = np.concatenate([self.cells[:, [i for i in range(4) if i != skip]] for skip in range(4)])
        owner = np.tile(np.arange(len(self.cells)), 4)
        _, first, count = np.unique(np.sort(faces, axis=1), axis=0, return_index=True, return_counts=True)
        return faces[first[count == 1]], owner[first[count == 1]]


# ---- pixels ----


class Image:
    """Samples with depths; x to the right, y up, in the picture's own lengths."""

    def __init__(self, width, height, middle, scale):
        self.shape = (height * SMOOTH, width * SMOOTH)
        self.colour = np.tile(GROUND, (*self.shape, 1))
        self.near = np.full(self.shape, -np.inf)
        self.middle, self.scale = np.asarray(middle, float), scale * SMOOTH

    def place(self, points):
        x = (points[..., 0] - self.middle[0]) * self.scale + self.shape[1] / 2
        y = self.shape[0] / 2 - (points[..., 1] - self.middle[1]) * self.scale
        return np.stack([x, y], axis=-1)

    def window(self, corners):
        """Samples that a polygon may cover: slices, and their positions."""
        low = np.clip(np.floor(corners.min(axis=0)).astype(int), 0, self.shape[::-1])
        high = np.clip(np.ceil(corners.max(axis=0)).astype(int) + 1, 0, self.shape[::-1])
        y, x = np.mgrid[low[1]:high[1], low[0]:high[0]]
        return (slice(low[1], high[1]), slice(low[0], high[0])), x + 0.5, y + 0.5

    def polygon(self, corners, colour, heights=None, opacity=1.0, line=0.8):
        """Draws a convex polygon; with heights, only samples nearer than before. Its sides are darker, `line` pixels wide."""
        area = sum(a[0] * b[1] - a[1] * b[0] for a, b in zip(corners, np.roll(corners, -1, axis=0)))
        if abs(area) < 1e-6:
            return
        corners = corners if area > 0 else corners[::-1]
        heights = heights if heights is None or area > 0 else heights[::-1]
        where, x, y = self.window(corners)
        inside, edge = np.ones(x.shape, bool), np.full(x.shape, np.inf)
        for p, q in zip(corners, np.roll(corners, -1, axis=0)):
            length = np.hypot(*(q - p))
            if length > 0:
                distance = ((q[0] - p[0]) * (y - p[1]) - (q[1] - p[1]) * (x - p[0])) / length
                inside &= distance >= 0
                edge = np.minimum(edge, distance)
        if heights is not None:
            a = np.linalg.lstsq(np.c_[corners, np.ones(len(corners))], heights, rcond=None)[0]
            z = a[0] * x + a[1] * y + a[2]
            inside &= z > self.near[where]
            self.near[where] = np.where(inside, z, self.near[where])
        shade = np.where(edge < line * SMOOTH / 2, LINE, 1.0)[..., None]
        mixed = (1 - opacity) * self.colour[where] + opacity * shade * colour
        self.colour[where] = np.where(inside[..., None], mixed, self.colour[where])

    def pixels(self):
        height, width = (n // SMOOTH for n in self.shape)
        return self.colour.reshape(height, SMOOTH, width, SMOOTH, 3).mean(axis=(1, 3))


def write_png(path, pixels):
    """Writes 256 colours: the set of colours is split where this reduces the error most."""
    flat = np.round(pixels).astype(np.uint8).reshape(-1, 3)
    colours, index = np.unique(flat, axis=0, return_inverse=True)
    colours, counts = colours.astype(float), np.bincount(index.ravel()).astype(float)

    def measured(box):
        mean = np.average(colours[box], axis=0, weights=counts[box])
        errors = ((colours[box] - mean) ** 2 * counts[box][:, None]).sum(axis=0)
        return errors.max(), box, mean, int(errors.argmax())
    boxes = [measured(np.arange(len(colours)))]
    while len(boxes) < 256 and max(box[0] for box in boxes) > 0:
        _, box, mean, axis = boxes.pop(max(range(len(boxes)), key=lambda i: boxes[i][0]))
        below = colours[box][:, axis] <= mean[axis]
        boxes += [measured(box[below]), measured(box[~below])]
    palette = np.array([box[2] for box in boxes]).round().astype(np.uint8)
    number = np.zeros(len(colours), np.uint8)
    for i, box in enumerate(boxes):
        number[box[1]] = i
    rows = number[index.ravel()].reshape(pixels.shape[:2])

    def chunk(kind, data):
        return len(data).to_bytes(4, "big") + kind + data + zlib.crc32(kind + data).to_bytes(4, "big")
    header = pixels.shape[1].to_bytes(4, "big") + pixels.shape[0].to_bytes(4, "big") + bytes((8, 3, 0, 0, 0))
    body = b"".join(b"\0" + row.tobytes() for row in rows)
    path.write_bytes(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"PLTE", palette.tobytes()) +
                     chunk(b"IDAT", zlib.compress(body, 9)) + chunk(b"IEND", b""))


# ---- pictures ----


def colours_of(grid, greatest):
    """Colours by depth; an element without overlap has the colour of its body."""
    place = np.clip(grid.depth / greatest, 0, 1)[:, None] * (len(RAMP) - 1)
    low = np.minimum(place.astype(int), len(RAMP) - 2)
    ramp = RAMP[low[:, 0]] + (place - low) * (RAMP[low[:, 0] + 1] - RAMP[low[:, 0]])
    return np.where(grid.depth[:, None] > 0, ramp, BODIES[grid.body])


def outside(grid, greatest, width, height, middle, scale, aside=0.0):
    """Draws the second body moved along x by the given distance."""
    toward = np.array([0.7, -1.0, 0.5])
    toward /= np.linalg.norm(toward)
    right = np.cross([0, 0, 1], toward)
    right /= np.linalg.norm(right)
    axes = np.array([right, np.cross(toward, right), toward])
    light = np.array([-0.5, -0.6, 0.9])
    light /= np.linalg.norm(light)
    image = Image(width, height, middle, scale)
    triangles, owner = grid.boundary()
    corners = grid.points[triangles] + np.array([aside, 0.0, 0.0]) * grid.body[owner][:, None, None]
    normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    normals /= np.maximum(np.linalg.norm(normals, axis=1), 1e-300)[:, None]
    shade = 0.55 + 0.45 * np.abs(normals @ light)
    colours = colours_of(grid, greatest)[owner] * shade[:, None]
    seen = corners @ axes.T
    placed = image.place(seen)
    for at, z, colour in zip(placed, seen[..., 2], colours):
        image.polygon(at, colour, z, line=0.5)
    return image.pixels()


def cut(grid, greatest, width, height, middle, scale, opacity):
    """The plane y = 0, seen from the side where x points to the right and z up."""
    image = Image(width, height, middle, scale)
    level = grid.points[:, 1] - 1e-7
    colours = colours_of(grid, greatest)
    sides = level[grid.cells] > 0
    for e in np.flatnonzero(sides.any(axis=1) & ~sides.all(axis=1)):
        above, below = grid.cells[e][sides[e]], grid.cells[e][~sides[e]]
        section = np.array([grid.points[p] + (grid.points[q] - grid.points[p]) * level[p] / (level[p] - level[q]) for p in above for q in below])
        section = image.place(section[:, [0, 2]])
        if len(section) == 4:
            section = section[[0, 1, 3, 2]]
        image.polygon(section, colours[e], opacity=1.0 if grid.body[e] == 0 else opacity)
    return image.pixels()


def legend(pixels, width):
    """The ramp, at the lower left."""
    height = pixels.shape[0]
    for x in range(width):
        place = x / (width - 1) * (len(RAMP) - 1)
        low = min(int(place), len(RAMP) - 2)
        pixels[height - 22:height - 12, 14 + x] = RAMP[low] + (place - low) * (RAMP[low + 1] - RAMP[low])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("-o", "--output", type=pathlib.Path, default=ROOT / "docs" / "figures", metavar="FOLDER", help="default: docs/figures")
    parser.add_argument("--command", type=pathlib.Path, default=ROOT / "build" / "release" / "abut", metavar="ABUT", help="default: build/release/abut")
    parser.add_argument("--meshes", type=pathlib.Path, default=ROOT / "build" / "meshes", metavar="FOLDER", help="where meshes are kept (default: build/meshes)")
    parser.add_argument("--pose", default="1.95,0,0", help="where the torus is (default 1.95,0,0)")
    options = parser.parse_args()
    if not options.command.exists():
        sys.exit(f"depth_meshes.py: there is no command {options.command}: build it first, or name it with --command")
    subprocess.run([sys.executable, ROOT / "scripts" / "make" / "tet_meshes.py", "--elements", "50000", "--shape", "ball", "--shape", "torus",
                    "--output", options.meshes], check=True, stdout=subprocess.DEVNULL)
    os.makedirs(options.output, exist_ok=True)
    meshes = [str(options.meshes / f"{name}_50000.msh") for name in ("ball", "torus")]
    grids = []
    for resolve in ([], ["--resolve"]):
        path = options.meshes / "depth_meshes.vtu"
        done = subprocess.run([str(options.command), "depth", *meshes, "--pose", options.pose, *resolve, "-o", str(path)], check=True,
                              stdout=subprocess.PIPE, text=True)
        grids.append(Grid(path))
        path.unlink()
    print(done.stdout, end="")
    greatest = grids[0].depth.max()
    view, plane = (560, 380, (1.22, -0.33), 104), (560, 380, (0.88, 0.0), 400)
    rows = {
        "depth_meshes": [outside(grids[0], greatest, *view), outside(grids[1], greatest, *view, aside=0.75)],
        "depth_cut": [cut(grids[0], greatest, *plane, opacity=0.6), cut(grids[1], greatest, *plane, opacity=1.0)],
    }
    for name, panels in rows.items():
        picture = np.concatenate([panels[0], np.tile(GROUND * 0.93, (380, 4, 1)), panels[1]], axis=1)
        legend(picture, 120)
        write_png(options.output / f"{name}.png", picture)


if __name__ == "__main__":
    main()
