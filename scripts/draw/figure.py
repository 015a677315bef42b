"""Shared by the scripts that draw figures: calls of `abut collide` and `abut depth`, lines and labels as SVG, the command line."""

import argparse
import json
import math
import os
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]

# Light and dark: the picture has its own background, so that it is legible on any page.
STYLE = """
.ground{fill:#fbfaf7;stroke:#e2dfd8}
text{font:13px 'DejaVu Sans',Verdana,Helvetica,Arial,sans-serif;fill:#2b2f36}
.small{font-size:11.5px}.quiet{fill:#6a6f78}.title{font-weight:bold}
.end{text-anchor:end}.mid{text-anchor:middle}
.a{fill:#3f7fc8;fill-opacity:.2;stroke:#2f6bb0;stroke-width:1.6}
.b{fill:#dd8a2e;fill-opacity:.22;stroke:#b96a12;stroke-width:1.6}
.c{fill:#8a8f98;fill-opacity:.16;stroke:#70757e;stroke-width:1.6}
.at{fill:#2f6bb0}.bt{fill:#a85f0d}.gt{fill:#a8327f}.lt{fill:#1c7a4c}
.aline{stroke:#2f6bb0}.bline{stroke:#b96a12}
.line{fill:none;stroke:#70757e;stroke-width:1.2}.dash{stroke-dasharray:4 3}.faint{stroke-opacity:.55}
.g{fill:none;stroke:#a8327f;stroke-width:2.2}.l{fill:none;stroke:#1c8a54;stroke-width:2.2}
.thin{fill:none;stroke-width:1.3;stroke-dasharray:4 3}
.gh{fill:#a8327f}.lh{fill:#1c8a54}
.arc{fill:none;stroke:#2b2f36;stroke-width:1.3}
.patch{fill:#35b877;fill-opacity:.3;stroke:#1c8a54;stroke-width:2}
.dot{fill:#2b2f36}.ring{fill:#fbfaf7;stroke:#2b2f36;stroke-width:1.5}
.face{stroke:#1c8a54}.edge{stroke:#c77f1a}.vertex{stroke:#6d7fa8}
.dots{fill:none;stroke-linecap:round}
.wide{stroke-width:4.5;stroke-linecap:round}.out{stroke:#aab0b9}
"""
DARK = """
.ground{fill:#1d2127;stroke:#343a43}
text{fill:#e4e6ea}.quiet{fill:#9aa3af}
.a{stroke:#74aef0}.b{stroke:#f0ac5a}.c{stroke:#a0a7b1}
.at{fill:#8abaf2}.bt{fill:#f2b872}.gt{fill:#f08cca}.lt{fill:#5fd39b}
.aline{stroke:#74aef0}.bline{stroke:#f0ac5a}.line{stroke:#a0a7b1}
.g{stroke:#e777bb}.l{stroke:#47c489}.gh{fill:#e777bb}.lh{fill:#47c489}
.arc{stroke:#e4e6ea}.patch{stroke:#47c489}.dot{fill:#e4e6ea}.ring{fill:#1d2127;stroke:#e4e6ea}
.face{stroke:#47c489}.edge{stroke:#eba843}.vertex{stroke:#8396c4}.out{stroke:#59616c}
"""


# ---- asking ----


class Library:
    """The command, and a folder for its meshes."""

    def __init__(self, command, folder):
        self.command, self.folder = command, pathlib.Path(folder)

    def collide(self, a, b, *options):
        done = subprocess.run([str(self.command), "collide", a, b, *options, "--json"], stdout=subprocess.PIPE, text=True, check=True)
        return json.loads(done.stdout)

    def depth(self, pairs, *options):
        """The depth of pairs of tetrahedra, each a pair of four points."""
        path = self.folder / "pairs.csv"
        rows = [",".join(repr(float(x)) for body in pair for p in body for x in p) for pair in pairs]
        path.write_text("\n".join(rows) + "\n", encoding="ascii")
        done = subprocess.run([str(self.command), "depth", "--pairs", str(path), *options, "--json"], stdout=subprocess.PIPE, text=True, check=True)
        return json.loads(done.stdout)["pairs"]

    def mesh(self, name, vertices, faces):
        """A mesh file; faces are corners from 0, counter-clockwise seen from outside."""
        lines = ["v " + " ".join(repr(float(c)) for c in v) for v in vertices]
        lines += ["f " + " ".join(str(i + 1) for i in face) for face in faces]
        path = self.folder / f"{name}.obj"
        path.write_text("\n".join(lines) + "\n", encoding="ascii")
        return str(path)


def pose(position, rotation=(0, 0, 0, 1)):
    return ",".join(repr(float(x)) for x in (*position, *rotation))


def turn(axis, angle):
    """A quaternion: x, y, z, w."""
    return (*(x * math.sin(angle / 2) for x in axis), math.cos(angle / 2))


def rotate(q, v):
    x, y, z, w = q
    t = [2 * (y * v[2] - z * v[1]), 2 * (z * v[0] - x * v[2]), 2 * (x * v[1] - y * v[0])]
    return [v[0] + w * t[0] + y * t[2] - z * t[1], v[1] + w * t[1] + z * t[0] - x * t[2], v[2] + w * t[2] + x * t[1] - y * t[0]]


def product(p, q):
    """The rotation q followed by p."""
    x, y, z, w = p
    return (
        w * q[0] + x * q[3] + y * q[2] - z * q[1],
        w * q[1] + y * q[3] + z * q[0] - x * q[2],
        w * q[2] + z * q[3] + x * q[1] - y * q[0],
        w * q[3] - x * q[0] - y * q[1] - z * q[2],
    )


# ---- drawing ----


def number(x):
    """A length in the picture, whose width is some 800 units."""
    text = f"{x:.1f}"
    text = text[:-2] if text.endswith(".0") else text
    return "0" if text == "-0" else text


def amount(x):
    """A number in a label, with a true minus sign."""
    text = f"{x:.3f}"
    return ("0.000" if text == "-0.000" else text).replace("-", "\u2212")


class Picture:
    """style, dark: the styles of additional classes, besides STYLE and DARK."""

    def __init__(self, width, height, about, style="", dark=""):
        self.width, self.height, self.about, self.parts = width, height, about, []
        self.style, self.dark = STYLE + style, DARK + dark

    def add(self, text):
        self.parts.append(text)

    def polygon(self, points, style):
        self.add(f'<path class="{style}" d="M{self.path(points)}Z"/>')

    def polyline(self, points, style):
        self.add(f'<path class="{style}" d="M{self.path(points)}"/>')

    @staticmethod
    def path(points):
        return "L".join(f"{number(x)} {number(y)}" for x, y in points)

    def circle(self, at, radius, style):
        self.add(f'<circle class="{style}" cx="{number(at[0])}" cy="{number(at[1])}" r="{number(radius)}"/>')

    def text(self, x, y, words, style=""):
        words = words.replace("&", "&amp;").replace("<", "&lt;")
        self.add(f'<text x="{number(x)}" y="{number(y)}"' + (f' class="{style}"' if style else "") + f">{words}</text>")

    def arrow(self, start, end, line, head):
        dx, dy = end[0] - start[0], end[1] - start[1]
        length = math.hypot(dx, dy)
        ux, uy = dx / length, dy / length
        size = min(9.0, 0.6 * length)
        neck = (end[0] - size * ux, end[1] - size * uy)
        self.polyline([start, neck], line)
        side = (-0.45 * size * uy, 0.45 * size * ux)
        self.polygon([end, (neck[0] + side[0], neck[1] + side[1]), (neck[0] - side[0], neck[1] - side[1])], head)

    def dots(self, points, width, style):
        if points:
            path = "".join(f"M{number(x)} {number(y)}h0" for x, y in points)
            self.add(f'<path class="dots {style}" stroke-width="{number(width)}" d="{path}"/>')

    def write(self, path):
        style = self.style.strip() + "\n@media (prefers-color-scheme:dark){\n" + self.dark.strip() + "\n}"
        size = f'width="{self.width}" height="{self.height}" viewBox="0 0 {self.width} {self.height}"'
        head = f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img">'
        ground = f'<rect class="ground" x=".5" y=".5" width="{self.width - 1}" height="{self.height - 1}" rx="8"/>'
        body = "\n".join([head, f"<title>{self.about}</title>", f"<style>\n{style}\n</style>", ground, *self.parts, "</svg>\n"])
        path.write_text(body, encoding="utf-8")


class View:
    """Maps lengths in the plane of the drawing to the picture; up stays up."""

    def __init__(self, x, y, scale, origin=(0.0, 0.0)):
        self.x, self.y, self.scale, self.origin = x, y, scale, origin

    def __call__(self, p):
        return self.x + self.scale * (p[0] - self.origin[0]), self.y - self.scale * (p[1] - self.origin[1])

    def all(self, points):
        return [self(p) for p in points]


def moved(points, by):
    return [(x + by[0], y + by[1]) for x, y in points]


def scaled(points, about, factor):
    return [(about[0] + factor * (x - about[0]), about[1] + factor * (y - about[1])) for x, y in points]


def along(p, direction, length):
    return p[0] + length * direction[0], p[1] + length * direction[1]


def hull(points):
    """Convex outline, counter-clockwise."""
    points = sorted(set(points))

    def chain(points):
        kept = []
        for p in points:
            while len(kept) > 1 and cross(kept[-2], kept[-1], p) <= 1e-12:
                kept.pop()
            kept.append(p)
        return kept[:-1]

    return chain(points) + chain(points[::-1])


def cross(o, p, q):
    return (p[0] - o[0]) * (q[1] - o[1]) - (p[1] - o[1]) * (q[0] - o[0])


def outward(p, q):
    length = math.hypot(q[0] - p[0], q[1] - p[1])
    return (q[1] - p[1]) / length, -(q[0] - p[0]) / length


# ---- the command line ----


def draw_all(figures, program, page, arguments):
    """figures: {name: function of the library and the path of the picture}; program draws those of a page of docs/."""
    parser = argparse.ArgumentParser(
        prog=program,
        description=f"Draw the figures of docs/methods/{page} (SVG) from the command's answers.",
        epilog=f"Example: python3 scripts/draw/{program}, after make; the figures in docs/figures are then those of this build.",
    )
    folder = ROOT / "docs" / "figures"
    parser.add_argument("-o", "--output", type=pathlib.Path, default=folder, metavar="FOLDER", help="default: docs/figures")
    parser.add_argument(
        "--command",
        type=pathlib.Path,
        default=pathlib.Path(os.environ.get("ABUT_TEST_COMMAND", ROOT / "build" / "release" / "abut")),
        metavar="ABUT",
        help="the command (default: build/release/abut)",
    )
    parser.add_argument("--only", choices=sorted(figures), action="append", help="draw this one; may be repeated")
    options = parser.parse_args(arguments)
    if not options.command.exists():
        sys.exit(f"{program}: there is no command {options.command}: build it first, or name it with --command")
    options.output.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        library = Library(options.command, folder)
        for name in options.only or figures:
            figures[name](library, options.output / f"{name}.svg")
