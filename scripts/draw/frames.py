#!/usr/bin/env python3
"""Draw frames of a recording as a picture: solid bodies by parallel projection and a depth buffer. Needs only NumPy and h5py."""

import argparse
import math
import pathlib
import struct
import sys
import zlib

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "measure"))

# Bodies have these colours in turn; static ones are grey. Colour-blind people can tell them apart.
COLOURS = (
    (0.85, 0.37, 0.22),
    (0.92, 0.66, 0.26),
    (0.36, 0.60, 0.78),
    (0.47, 0.71, 0.45),
    (0.76, 0.53, 0.66),
    (0.62, 0.47, 0.36),
    (0.93, 0.83, 0.52),
)
GREY, GROUND, SKY = (0.62, 0.63, 0.65), (0.80, 0.79, 0.76), (0.96, 0.97, 0.98)
FINER = 2  # samples per pixel and side


def parse_arguments(arguments):
    parser = argparse.ArgumentParser(
        prog="frames.py",
        description="Draw frames of a recording of `abut run` as a picture (PNG), side by side.",
        epilog="Example: frames.py out/wall.h5 --at 0 30 60 -o out/wall.png (needs python3-numpy and python3-h5py)",
    )
    parser.add_argument("recording", type=pathlib.Path, metavar="RUN.h5")
    parser.add_argument(
        "--at",
        type=float,
        nargs="+",
        default=None,
        metavar="SECONDS",
        help="times to draw (default: the beginning, the middle and the end)",
    )
    parser.add_argument("-o", "--output", type=pathlib.Path, metavar="FILE.png", help="default: the recording's name with .png")
    parser.add_argument(
        "--from",
        dest="azimuth",
        type=float,
        default=-60,
        metavar="DEGREES",
        help="azimuth of the eye, about the z axis from +x (default -60)",
    )
    parser.add_argument("--above", type=float, default=20, metavar="DEGREES", help="elevation of the eye above the horizon (default 20)")
    parser.add_argument(
        "--focus", type=float, nargs=4, metavar=("X", "Y", "Z", "RADIUS"), help="fit this ball into the picture (default: all bodies that move)"
    )
    parser.add_argument("--size", type=int, nargs=2, default=[480, 400], metavar=("W", "H"), help="pixels of one frame (default 480 400)")
    return parser.parse_args(arguments)


def ball_faces(radius, half_length):
    """A ball or a capsule about z as flat faces."""
    import numpy as np

    rings = []
    for i in range(9):
        angle = math.pi * (i / 8 - 0.5)
        turn = np.arange(17) * math.pi / 8
        shift = half_length * (1 if i > 4 else -1)
        rings.append(
            np.stack(
                [
                    radius * math.cos(angle) * np.cos(turn),
                    radius * math.cos(angle) * np.sin(turn),
                    np.full(17, radius * math.sin(angle) + shift),
                ],
                axis=1,
            )
        )
    return [np.array([low[k], low[k + 1], high[k + 1], high[k]]) for low, high in zip(rings, rings[1:]) for k in range(16)]


def outline(run, body):
    """All faces of a body in its own frame."""
    from recording import rotate

    result = list(run.faces(body))
    for pose, radius, half_length in run.round_parts(body):
        result += [pose[:3] + rotate(pose[None, 3:], ring) for ring in ball_faces(radius, half_length)]
    return result


class Canvas:
    """Colour, depth and visible face of each sample; larger depth is nearer."""

    def __init__(self, width, height):
        import numpy as np

        self.colour = np.empty((height, width, 3))
        self.colour[:] = SKY
        self.depth = np.full((height, width), -np.inf)
        self.face = np.zeros((height, width), dtype=np.int64)

    def fill(self, ring, colour, face):
        """A convex polygon [corners, 3]: x to the right and y up in samples, z the depth."""
        import numpy as np

        height, width = self.depth.shape
        low = np.maximum(np.floor(ring[:, :2].min(axis=0)).astype(int), 0)
        high = np.minimum(np.ceil(ring[:, :2].max(axis=0)).astype(int) + 1, [width, height])
        if (low >= high).any():
            return
        x, y = np.meshgrid(np.arange(low[0], high[0]) + 0.5, np.arange(low[1], high[1]) + 0.5)
        inside = np.ones(x.shape, dtype=bool)
        for a, b in zip(ring, np.roll(ring, -1, axis=0)):
            inside &= (b[0] - a[0]) * (y - a[1]) - (b[1] - a[1]) * (x - a[0]) >= 0
        # The polygon's plane as depth over x and y, from its normal.
        spokes = ring - ring[0]
        normal = np.cross(spokes, np.roll(spokes, -1, axis=0)).sum(axis=0)
        depth = ring[0, 2] - (normal[0] * (x - ring[0, 0]) + normal[1] * (y - ring[0, 1])) / normal[2]
        rows, columns = slice(low[1], high[1]), slice(low[0], high[0])
        inside &= depth > self.depth[rows, columns]
        self.depth[rows, columns][inside] = depth[inside]
        self.colour[rows, columns][inside] = colour
        self.face[rows, columns][inside] = face

    def picture(self):
        """[height, width, 3] bytes: edges between faces darkened, samples averaged, the first row on top."""
        import numpy as np

        edge = np.zeros(self.face.shape, dtype=bool)
        edge[:, 1:] |= self.face[:, 1:] != self.face[:, :-1]
        edge[1:, :] |= self.face[1:, :] != self.face[:-1, :]
        colour = np.where(edge[..., None], 0.35 * self.colour, self.colour)
        height, width = (n // FINER for n in self.face.shape)
        mean = colour[::-1].reshape(height, FINER, width, FINER, 3).mean(axis=(1, 3))
        return (255 * np.clip(mean, 0, 1) + 0.5).astype(np.uint8)


def view_of(options):
    """Rows: to the right, up, towards the eye."""
    import numpy as np

    azimuth, above = math.radians(options.azimuth), math.radians(options.above)
    towards = np.array([math.cos(above) * math.cos(azimuth), math.cos(above) * math.sin(azimuth), math.sin(above)])
    right = np.array([-math.sin(azimuth), math.cos(azimuth), 0])
    return np.stack([right, np.cross(towards, right), towards])


def draw(run, outlines, frame, view, middle, scale, size):
    """One frame, by parallel projection."""
    import numpy as np
    from recording import face_normal, rotate

    canvas = Canvas(size[0] * FINER, size[1] * FINER)
    centre = np.array([size[0] * FINER / 2, size[1] * FINER / 2, 0])
    light = np.array([0.35, -0.5, 0.8]) / np.linalg.norm([0.35, -0.5, 0.8])
    count = 1
    for body, faces in enumerate(outlines):
        pose = run.pose[frame, body]
        if not run.present[frame, body]:
            continue
        plane = run.plane(body)
        if plane is not None:
            normal = rotate(pose[None, 3:], plane[0][None])[0]
            side = np.cross(normal, [0, 1, 0] if abs(normal[1]) < 0.9 else [1, 0, 0])
            side /= np.linalg.norm(side)
            on = pose[:3] + normal * plane[1]
            on = on + (middle - on) - normal * np.dot(normal, middle - on)
            reach = 2.5 * max(size) * FINER / scale
            other = np.cross(normal, side)
            placed = [on + reach * (a * side + b * other) for a, b in ((-1, -1), (1, -1), (1, 1), (-1, 1))]
            faces, base = [np.array(placed)], GROUND
        else:
            faces = [pose[:3] + rotate(pose[None, 3:], ring) for ring in faces]
            base = GREY if run.is_static[body] else COLOURS[body % len(COLOURS)]
        for ring in faces:
            count += 1
            normal = face_normal(ring) if np.ptp(ring, axis=0).any() else view[2]
            if normal @ view[2] <= 1e-9 or not np.isfinite(normal).all():
                continue
            shade = 0.55 + 0.45 * max(0.0, float(normal @ light))
            canvas.fill((ring - middle) @ view.T * scale + centre, np.array(base) * shade, count)
    return canvas.picture()


def png(picture):
    """The bytes of a PNG file."""
    height, width, _ = picture.shape
    rows = b"".join(b"\0" + picture[y].tobytes() for y in range(height))

    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    return (
        b"\x89PNG\r\n\x1a\n"
        + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0))
        + chunk(b"IDAT", zlib.compress(rows, 9))
        + chunk(b"IEND", b"")
    )


def fit(run, outlines, frames, view, size):
    """Middle and scale that fit all moving bodies in all frames into the picture, except a few that flew far."""
    import numpy as np

    bodies = run.dynamic if len(run.dynamic) else np.arange(len(outlines))
    reach = max((float(np.linalg.norm(ring, axis=1).max()) for body in bodies for ring in outlines[body]), default=1.0)
    places = run.pose[frames][:, bodies, :3].reshape(-1, 3) @ view.T
    places = places[np.isfinite(places).all(axis=1)]
    low, high = np.percentile(places, [0.5, 99.5], axis=0) + np.array([[-reach], [reach]])
    return view.T @ ((low + high) / 2), float((np.array(size) / (high - low)[:2]).min()) * FINER * 0.95


def main(arguments=None):
    options = parse_arguments(arguments)
    from recording import Recording, np

    try:
        run = Recording(options.recording)
    except (OSError, KeyError) as error:
        print(f"frames.py: not a readable recording: {error}", file=sys.stderr)
        return 2
    times = options.at if options.at else [run.time[0], run.time[len(run.time) // 2], run.time[-1]]
    frames = [int(np.argmin(np.abs(run.time - t))) for t in times]
    outlines = [outline(run, body) for body in range(len(run.names))]
    view = view_of(options)
    if options.focus:
        middle, scale = np.array(options.focus[:3]), min(options.size) * FINER / (2 * options.focus[3])
    else:
        middle, scale = fit(run, outlines, frames, view, options.size)
    pictures = [draw(run, outlines, frame, view, middle, scale, options.size) for frame in frames]
    output = options.output or options.recording.with_suffix(".png")
    try:
        output.write_bytes(png(np.concatenate(pictures, axis=1)))
    except OSError as error:
        print(f"frames.py: cannot write {output}: {error}", file=sys.stderr)
        return 2
    print(output)
    return 0


if __name__ == "__main__":
    sys.exit(main())
