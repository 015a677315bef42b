#!/usr/bin/env python3
"""Runs the scenes of scenes/calibration and variants of them, compares what comes out with closed forms and with the literature, and writes
docs/use/dem-calibration.md with its figures in docs/figures.

    scripts/measure/dem_calibration.py [CASE...]      all cases, or some: the page keeps the others

The results are the same to the last bit on every machine, so test/assets/test_calibration.py finds each section on the page as it stands.
Needs numpy and h5py; ABUT_COMMAND names the command (build/release/abut).
"""

import json
import math
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import textwrap

import h5py
import numpy as np

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "scripts" / "make"), str(ROOT / "scripts" / "draw")]
import calibration  # noqa: E402
import figure  # noqa: E402

COMMAND = os.environ.get("ABUT_COMMAND") or os.environ.get("ABUT_TEST_COMMAND") or str(ROOT / "build" / "release" / "abut")
PAGE = ROOT / "docs" / "use" / "dem-calibration.md"
FIGURES = ROOT / "docs" / "figures"
GRAVITY = 9.81


# ---- running ----


class Run:
    """A recording, read as a whole."""

    def __init__(self, path):
        with h5py.File(path) as file:
            self.names = [name.decode() for name in file["bodies/name"]]
            self.mass, self.time = file["bodies/mass"][:], file["frames/time"][:]
            self.pose, self.velocity = file["frames/pose"][:], file["frames/velocity"][:]
            self.step_time = file["steps/time"][:]
            series = "series" in file
            self.series = {name.decode(): file["series/value"][:, i] for i, name in enumerate(file["series/name"])} if series else {}

    def body(self, name):
        return self.names.index(name)

    def grains(self):
        return np.array([i for i, name in enumerate(self.names) if name.startswith("grain.")])


def run(folder, scene, name="run", every=None):
    """Runs a scene in the folder, where earlier recordings are. Without `every`, the last step has a frame and few others have."""
    every = every or round(scene["duration"] / scene["dt"])
    path = pathlib.Path(folder, f"{name}.json")
    path.write_text(json.dumps(scene), encoding="utf-8")
    subprocess.run([COMMAND, "run", str(path), "-o", str(path.with_suffix(".h5")), "--quiet", "--threads", "1", "--every", str(every)], check=True,
                   stderr=subprocess.DEVNULL)
    return Run(path.with_suffix(".h5"))


# ---- drawing ----


class Plot:
    """A plot with linear axes from 0 or below: points of the simulation, lines of the reference."""

    LEFT, TOP, WIDTH, HEIGHT = 74, 44, 470, 250

    def __init__(self, title, x_label, y_label, x_range, y_range, ticks=(5, 5)):
        style = "".join(f".{name}{{fill:none;stroke:{colour};stroke-width:1.8}}" for name, colour in (("sim", "#2f6bb0"), ("simb", "#b96a12")))
        dark = ".sim{stroke:#74aef0}.simb{stroke:#f0ac5a}"
        self.picture = figure.Picture(640, 362, title, style, dark)
        self.x_range, self.y_range = x_range, y_range
        p, right, bottom = self.picture, self.LEFT + self.WIDTH, self.TOP + self.HEIGHT
        p.text(self.LEFT, 26, title, "title")
        for axis, count in ((0, ticks[0]), (1, ticks[1])):
            for k in range(count + 1):
                low, high = (x_range, y_range)[axis]
                value = low + (high - low) * k / count
                at = self.place((value, y_range[0]) if axis == 0 else (x_range[0], value))
                label = f"{value:.6g}".replace("-", "\u2212")
                if axis == 0:
                    p.polyline([at, (at[0], at[1] + 5)], "line")
                    p.text(at[0], at[1] + 20, label, "small mid")
                else:
                    p.polyline([(at[0] - 5, at[1]), at], "line")
                    p.text(at[0] - 9, at[1] + 4, label, "small end")
        p.polyline([(self.LEFT, self.TOP), (self.LEFT, bottom), (right, bottom)], "line")
        p.text((self.LEFT + right) / 2, bottom + 42, x_label, "mid")
        p.text(self.LEFT + 8, self.TOP - 2, y_label, "small")

    def place(self, point):
        x = self.LEFT + self.WIDTH * (point[0] - self.x_range[0]) / (self.x_range[1] - self.x_range[0])
        y = self.TOP + self.HEIGHT * (1 - (point[1] - self.y_range[0]) / (self.y_range[1] - self.y_range[0]))
        return x, y

    def line(self, points, style):
        self.picture.polyline([self.place(point) for point in points], style)

    def points(self, points, style):
        for point in points:
            self.picture.circle(self.place(point), 4, style)

    def label(self, at, text, style="small"):
        self.picture.text(*self.place(at), text, style)

    def save(self, folder, name):
        self.picture.write(pathlib.Path(folder, f"calibration_{name}.svg"))


def table(head, rows):
    lines = ["| " + " | ".join(head) + " |", "|" + "|".join("--:" for _ in head) + "|"]
    return "\n".join(lines + ["| " + " | ".join(row) + " |" for row in rows])


def number(value, digits):
    return f"{value:.{digits}f}".replace("-", "\u2212")


def wrapped(text):
    """Paragraphs in lines of at most 160 columns; headings, tables and pictures stay."""
    parts = re.split(r"\n\n", text.strip("\n"))
    prose = [part if part[0] in "#|!" else textwrap.fill(" ".join(part.split()), 160, break_long_words=False, break_on_hyphens=False) for part in parts]
    return "\n\n".join(prose) + "\n"


# ---- cases: each returns its section of the page ----


def first_top(made, e):
    height = made.pose[:, made.body(f"ball_{e}"), 2] - 0.01
    return height, [height[i] for i in range(1, len(height) - 1) if height[i - 1] <= height[i] > height[i + 1] and height[i] > 0.01][:3]


def bounce(folder, figures):
    scene = calibration.variant("bounce")
    made = run(folder, scene, every=1)
    scene["stepper"]["step_share"] = 0.02
    finer = run(folder, {**scene, "duration": 0.6}, every=1)
    rows, plot = [], Plot("Three balls that bounce", "time [s]", "height of the gap below [m]", (0, 1.5), (0, 0.35), (6, 7))
    for e in calibration.RESTITUTIONS:
        height, tops = first_top(made, e)
        cells = [f"{number(1000 * top, 2)} ({number(300 * e ** (2 * k), 2)})" for k, top in enumerate(tops, 1)]
        rows.append([f"{e}", *(cells + [""])[:3], number(math.sqrt(tops[0] / 0.3), 4), number(math.sqrt(first_top(finer, e)[1][0] / 0.3), 4)])
        plot.line(list(zip(made.time[::4].tolist(), height[::4].tolist())), "sim")
        start, speed = math.sqrt(2 * 0.3 / GRAVITY), math.sqrt(2 * 0.3 * GRAVITY)
        for _ in range(3):
            speed *= e
            if start + speed / GRAVITY < 1.5:
                plot.points([(start + speed / GRAVITY, speed**2 / (2 * GRAVITY))], "gt")
            start += 2 * speed / GRAVITY
        plot.label((0.3 + 0.22 * e, 0.3 * e * e + 0.012), f"e = {e}")
    plot.save(figures, "bounce")
    return f"""## Bouncing

Scene: `bounce`. A ball with the coefficient of restitution e that falls from the height h rises to e² h, then to e⁴ h and so on (a formula). Radius 10 mm,
h = 300 mm, Young's modulus 1e9 Pa. The heights of the first rises in mm, in brackets the formula; and e from the first rise, also with a fifth of the step:

{table(["e", "first", "second", "third", "e found", "with finer steps"], rows)}

A strong damper needs finer steps than a weak one. The rest of the difference is gravity during the contact, which the formula leaves out.

![Heights of three balls over time: curves, and points at the tops by the formula](../figures/calibration_bounce.svg)
"""


def oblique_impact(folder, figures):
    made, friction, speed = run(folder, calibration.variant("oblique_impact")), 0.092, 3.9
    rows, points = [], []
    for angle in calibration.ANGLES:
        t, v = math.radians(angle), made.velocity[-1, made.body(f"angle_{angle}")]
        normal, along = v[2] / (speed * math.cos(t)), v[0] / (speed * math.sin(t))
        slides = 1 - friction * (1 + normal) / math.tan(t)
        spin = 2.5 * friction * (1 + normal) * speed * math.cos(t) / 0.0025
        in_slip = slides >= 1 - 2 / 7
        points.append((angle, along, v[4], slides, spin))
        told = angle >= 30
        rows.append([str(angle), number(normal, 4), number(along, 4), number(slides, 4) if told else "", number(v[4], 1), number(spin, 1) if told else ""])
        assert told == (slides > 0.65), (angle, in_slip)
    plot = Plot("Rebound of a sphere from an anvil", "angle of incidence, from the normal [degrees]", "tangential restitution", (0, 90), (0.5, 1), (9, 5))
    plot.line([(a, 1 - friction * 1.98 / math.tan(math.radians(a))) for a in np.arange(21, 90, 0.5).tolist()], "g")
    plot.points([(p[0], p[1]) for p in points], "at")
    plot.label((52, 0.72), "line: slip during the whole contact")
    plot.label((52, 0.68), "points: simulated")
    plot.save(figures, "oblique_impact")
    return f"""## Oblique impact

Scene: `oblique_impact`. A sphere of aluminium oxide of 5 mm strikes a thick plate of soda-lime glass at 3.9 m/s: the experiment of A. H. Kharaz, D. A. Gorham, A. D.
Salman, *An experimental study of the elastic rebound of spheres*, 2001, and a benchmark of Y. C. Chung, J. Y. Ooi, *Benchmark tests for verifying discrete element
modelling codes at particle impact level*, 2011. Measured there, and given here: coefficient of friction 0.092, restitution 0.98. Young's moduli 380 and 70 GPa,
Poisson's ratios 0.23 and 0.25, density 4000 kg/m³.

Where the sphere slips during the whole contact, the impulse along the plate is friction times the normal one. So the tangential restitution is
1 − μ (1 + e) / tan θ and the spin 5 μ (1 + e) v cos θ / (2 R), with the angle θ from the normal (formulas). It holds here from 30° on:

{table(["angle", "normal restitution", "tangential", "formula", "spin [rad/s]", "formula"], rows)}

At smaller angles the contact sticks and springs back; the tangential restitution has its least value near 20°, as in the measurements of the paper and in Mindlin's
theory. Below 10° it is nearer to 1 than a rigid sphere's 5/7: the spring of the contact gives energy back. The friction spring has Mindlin's stiffness without his
micro-slip. The spin is a little below the formula because the force acts in the middle of the overlap,
which is nearer to the centre than the radius.

![Tangential restitution over the angle of incidence: points on the curve of the formula from 30 degrees on, a minimum of 0.62 at 20 degrees](../figures/calibration_oblique_impact.svg)
"""


def surface(made, length, d):
    """The angle of the slope of a heap: a line through its surface between two diameters above the floor and 85 % of its height."""
    place = made.pose[-1, made.grains()]
    x, z = place[:, 0], place[:, 2]
    tops = []
    for k in range(length // 2):
        here = z[(x >= 2 * k * d) & (x < 2 * (k + 1) * d)]
        if len(here) >= 3:
            tops.append(((2 * k + 1) * d, float(np.sort(here)[-3:].mean() + d / 2)))
    most = max(top for _, top in tops)
    slope = [(at, top) for at, top in tops if 2 * d < top < 0.85 * most]
    tilt, level = np.polyfit([at for at, _ in slope], [top for _, top in slope], 1)
    return math.degrees(math.atan(-tilt)), tops, (tilt, level), slope


def repose(folder, figures):
    d, rows, found = 0.01, [], {}
    for friction, rolling, young in ((0.2, 0.1, 2e6), (0.5, 0, 2e6), (0.5, 0.1, 2e6), (0.5, 0.1, 8e6), (0.5, 0.3, 2e6), (0.8, 0.1, 2e6)):
        made = run(folder, calibration.variant("repose", grain={"friction": friction, "rolling_resistance": rolling, "young": young}))
        angle, tops, line, slope = surface(made, 18, d)
        left = int(np.isfinite(made.pose[-1, made.grains(), 0]).sum())
        found[friction, rolling, young] = (angle, tops, line, slope)
        rows.append([f"{friction}", f"{rolling}", f"{young:.0e}".replace("e+06", "e6"), number(angle, 1), str(left)])
    plot = Plot("Slopes of the heaps", "distance from the wall [mm]", "height of the surface [mm]", (0, 180), (0, 120), (6, 6))
    for key, style in (((0.5, 0, 2e6), "bt"), ((0.5, 0.1, 2e6), "at"), ((0.5, 0.3, 2e6), "gt")):
        _, tops, line, slope = found[key]
        plot.points([(1000 * x, 1000 * z) for x, z in tops], style)
        plot.line([(1000 * x, 1000 * (line[0] * x + line[1])) for x in (slope[0][0], slope[-1][0])], {"bt": "simb", "at": "sim", "gt": "g"}[style])
        plot.label((176, 1000 * tops[-1][1] - 2), f"resistance {key[1]}")
    plot.save(figures, "repose")
    return f"""## Angle of repose

Scene: `repose`. 900 balls of 10 mm rest between four walls; the front wall goes, and grains fall over the edge of the table until the rest stays. The side walls are smooth, the
table and the back wall are as rough as the balls. The angle is that of a line through the surface:

{table(["friction", "rolling resistance", "Young's modulus [Pa]", "angle [degrees]", "grains left of 900"], rows)}

There is no formula. Y. C. Zhou, B. H. Xu, A. B. Yu, P. Zulli, *Numerical investigation of the angle of repose of monosized spheres*, 2001, found by simulations that sliding and
rolling friction decide on the angle and increase it, and that Young's modulus has little effect. So it is here: calibrate friction by another test, such as the
shear box, and then rolling resistance by the angle. The angles carry an uncertainty of three or four degrees: a slope is a dozen grains long, and one run has one heap.

![Surfaces of three heaps, with lines through their slopes](../figures/calibration_repose.svg)
"""


def drum(folder, figures):
    rows, points = [], []
    radius = calibration.DRUM["radius"]
    for speed in (5, 15, 45):
        scene = calibration.variant("drum")
        turn = scene["bodies"][0]["motion"][0]["rotate"]
        turn["degrees_per_second"] = 6 * speed
        made = run(folder, scene, every=2)
        grains, mass = made.grains(), made.mass[made.grains()]
        late = made.time > 1.5
        centre = (made.pose[late][:, grains, :3] * mass[None, :, None]).sum(1).mean(0) / mass.sum()
        torque = made.series["load.torque_y"][made.step_time > 1.5].mean()
        weight = mass.sum() * GRAVITY
        froude = (speed * 2 * math.pi / 60) ** 2 * radius / GRAVITY
        places = made.pose[late][:, grains, :]
        x, z = places[:, :, 0].ravel(), places[:, :, 2].ravel()
        tops = [(at, float(np.percentile(z[np.abs(x - at) < 0.005], 98))) for at in (-0.02, -0.01, 0.0, 0.01, 0.02)]
        angle = math.degrees(math.atan(-np.polyfit([a for a, _ in tops], [t for _, t in tops], 1)[0]))
        moment = weight * centre[0]
        points.append((froude, angle))
        rows.append([str(speed), f"{froude:.1e}", number(angle, 1), number(1000 * torque, 3), number(1000 * moment, 3)])
    return f"""## Rotating drum

Scene: `drum`. A drum of 100 mm by 20 mm, a quarter full of beads of 5 mm, with smooth end walls. Over the last 1.5 s:

{table(["turns a minute", "Froude number", "angle of the surface [degrees]", "torque on the drum [mN m]", "moment of the weight [mN m]"], rows)}

In a steady state the torque on the drum is the weight times the horizontal offset of the centre of mass (a formula), and the table compares both. The Froude number is
ω² R / g. J. Mellmann, *The transverse motion of solids in rotating cylinders*, 2001, gives 1e-4 to 1e-2 for rolling beds, with a flat surface, and 1e-3 to 0.1 for cascading
ones, where the surface bends and steepens with the speed. So the first speed is for the angle, and the others are not.
"""


def beverloo(rates, density):
    """C and k of W = C rho sqrt(g) (D - k d)^2.5 by a line through W^0.4 over D."""
    d = calibration.HOPPER["grain"]
    slope, offset = np.polyfit([d * hole for hole in rates], [rate**0.4 for rate in rates.values()], 1)
    return slope**2.5 / (density * math.sqrt(GRAVITY)), -offset / slope / d


def discharge(folder, hole, friction):
    """The mass flow through a hole of so many diameters."""
    scene = calibration.variant("hopper", grain={"friction": friction})
    scene["bodies"][0]["shape"] = calibration.annulus(1.5 * calibration.HOPPER["half"], hole * calibration.HOPPER["grain"] / 2)
    made = run(folder, scene)
    passed = made.series["flow.mass"]
    window = (passed >= 0.02) & (passed <= calibration.HOPPER["stop"])
    return float(np.polyfit(made.step_time[window], passed[window], 1)[0])


def hopper(folder, figures):
    d = calibration.HOPPER["grain"]
    fill = run(folder, calibration.variant("hopper_fill"), "hopper_fill")
    density = fill.series["low.mass"][-1] / (0.08 * 0.08 * 0.02)
    rates, rows = {}, []
    for hole in calibration.HOPPER["holes"]:
        rates[hole] = discharge(folder, hole, 0.5)
        formula = 0.58 * density * math.sqrt(GRAVITY) * (d * (hole - 1.4)) ** 2.5
        rows.append([str(hole), number(1000 * rates[hole], 1), number(1000 * formula, 1), number(rates[hole] / formula, 2)])
    smoother = discharge(folder, 6, 0.2)
    c, k = beverloo(rates, density)
    plot = Plot("Discharge of a bin", "diameter of the hole, in diameters of a grain", "(mass flow [kg/s]) to the power 0.4", (0, 10), (0, 1), (10, 5))
    scale = 0.58 * density * math.sqrt(GRAVITY) * d**2.5
    plot.line([(1.4, 0), (9.5, (scale * 8.1**2.5) ** 0.4)], "g")
    slope = (c * density * math.sqrt(GRAVITY)) ** 0.4 * d
    plot.line([(k, 0), (9.5, slope * (9.5 - k))], "sim")
    plot.points([(hole, rate**0.4) for hole, rate in rates.items()], "at")
    plot.label((0.6, 0.9), "upper line: Beverloo, C = 0.58, k = 1.4")
    plot.label((0.6, 0.83), f"points and line: simulated, C = {number(c, 2)}, k = {number(k, 2)}")
    plot.save(figures, "hopper")
    return f"""## Discharge of a hopper

Scenes: `hopper_fill`, then `hopper`, which [goes on](../formats/scenes.md#start) from the last frame of the first with another bottom. A bin of 90 mm by 90 mm holds 3000 beads of 5 mm; the
hole in its flat bottom is 5 to 8 beads wide. W. A. Beverloo, H. A. Leniger, J. van de Velde, *The flow of granular solids through orifices*, 1961, fitted
W = C ρ √g (D − k d)^2.5 to their measurements of the mass flow W, with the bulk density ρ ({number(density, 0)} kg/m³ here), C = 0.58 and k = 1.4 (fitted constants):

{table(["hole over bead", "simulated [g/s]", "Beverloo [g/s]", "ratio"], rows)}

The flow follows the power 2.5: the least-squares line through W^0.4 gives C = {number(c, 2)} and k = {number(k, 2)}. Beverloo's constants are a mean of seeds and sand in larger
bins. Friction matters little: with 0.2 instead of 0.5 the hole of six diameters lets {number(1000 * smoother, 1)} g/s pass. Flow is that of 20 to 100 g of the 490 g in the bin, through a plane 6 mm below the bottom.

![Mass flow to the power 0.4 over the diameter of the hole: points on a straight line that lies below Beverloo's](../figures/calibration_hopper.svg)
"""


def shear(folder, figures):
    settings, rows, points = calibration.SHEAR, [], []
    area = settings["length"] * settings["width"] * settings["grain"] ** 2
    half_way = settings["begin"] + 0.5 * (settings["end"] - settings["begin"])
    for load in (4, 8, 16):
        scene = calibration.variant("shear")
        next(body for body in scene["bodies"] if body["name"] == "lid")["servo"]["force"] = load
        made = run(folder, scene, every=20)
        grains, late = made.grains(), made.step_time > half_way
        # What the lower half bears beside its own grains comes through the plane.
        below = float(((made.pose[made.time > half_way][:, grains, 2] < 0) @ made.mass[grains]).mean()) * GRAVITY
        sigma = (-made.series["below.force_z"][late].mean() - below) / area
        tau = made.series["above.force_x"][late].mean() / area
        points.append((sigma, tau))
        rows.append([str(load), number(sigma, 0), number(tau, 0), number(tau / sigma, 3)])
    slope = sum(s * t for s, t in points) / sum(s * s for s, _ in points)
    angle = math.degrees(math.atan(slope))
    most = 1000 * math.ceil(max(s for s, _ in points) / 1000)
    plot = Plot("Shear box", "normal stress [Pa]", "shear stress [Pa]", (0, most), (0, most), (most // 1000, most // 1000))
    plot.line([(0, 0), (most, 0.38 * most)], "g")
    plot.line([(0, 0), (most, 0.64 * most)], "g")
    plot.line([(0, 0), (most, slope * most)], "sim")
    plot.points(points, "at")
    plot.label((0.55 * most, 0.64 * 0.55 * most + 0.07 * most), "0.64, rapid flow", "small end")
    plot.label((0.7 * most, 0.38 * 0.7 * most - 0.07 * most), "0.38, slow flow")
    plot.save(figures, "shear")
    return angle, f"""## Shear box

Scene: `shear`. A box in two halves, 14 by 6 beads wide, holds {settings["count"]} beads of 6 mm with friction 0.5; a lid with a [servo](../formats/scenes.md#servo) presses, and the lower half
slides by two diameters in 0.6 s. Stresses in the plane between the halves, means over the second half of the way:

{table(["load [N]", "normal stress [Pa]", "shear stress [Pa]", "ratio"], rows)}

A line through the origin has the slope {number(slope, 3)}: an angle of internal friction of {number(angle, 1)}°. P. Jop, Y. Forterre, O. Pouliquen, *A constitutive law for dense granular
flows*, 2006, measured for glass beads ratios from 0.38 in slow flow to 0.64 in rapid flow (fitted constants). The inertial number here is some 0.004, which is slow. A box gives
more than a long layer: its end walls press on the beads, and the sample, which was poured, dilates while it shears. So compare a box with a box.

![Shear stress over normal stress: three points on a line between two lines of the literature](../figures/calibration_shear.svg)
"""


def oedometer(folder, angle):
    half, lid_half = calibration.CELL["size"] * calibration.CELL["grain"] / 2, 0.006
    run(folder, calibration.variant("oedometer_fill"), "oedometer_fill")
    made = run(folder, calibration.variant("oedometer"), every=1)
    lid, side, base = made.series["vertical.force_z"], -made.series["side.force_x"], -made.series["base.force_z"]
    height = made.pose[:, made.body("lid"), 2] - lid_half
    vertical = 0.5 * (lid + base) / (2 * half) ** 2
    across = side / (2 * half * height)
    strain = (height[0] - height) / height[0]
    rows = [[number(100 * strain[k], 2), number(vertical[k], 0), number(across[k], 0), number(across[k] / vertical[k], 3)] for k in (50, 100, 150, 200, 250)]
    first, last = 50, 250
    growth = (across[last] - across[first]) / (vertical[last] - vertical[first])
    jaky = 1 - math.sin(math.radians(angle))
    return f"""## Uniaxial compression

Scenes: `oedometer_fill`, then `oedometer`, which goes on from it. 600 beads of 6 mm lie between smooth walls 48 mm apart. A servo has pressed them with 2 N; now the lid goes down by 2 mm in 0.5 s:

{table(["strain [%]", "vertical stress [Pa]", "stress on the walls [Pa]", "ratio"], rows)}

The vertical stress is the mean of those at the lid and at the floor. J. Jaky's rule for the pressure at rest, 1 − sin φ (1944, an empirical formula for soil), is {number(jaky, 2)} with the
angle of the [shear box](#shear-box); the increments of both stresses have the ratio {number(growth, 2)}. The ratio is below that of the rule, which was
made for soils, and falls while the bed is pressed. Stress grows faster than strain, as with Hertz's law.
"""


INTRODUCTION = """# Calibrating a granular material

The standard tests of bulk solids as [scenes](../../scenes/calibration), each with a reference. `scripts/make/calibration.py` writes the scenes, `scripts/measure/dem_calibration.py` runs
them and writes this page. Each run takes seconds. `test/assets/test_calibration.py` repeats the first two of them, and all with `ABUT_TEST_SAMPLES=full`.

How to calibrate: take density and restitution from the material, choose a Young's modulus that is low enough for long steps and high enough that overlaps stay below two or three
hundredths of a diameter, find the friction by a shear box, and the rolling resistance by the angle of repose. Then compare the discharge of a hopper as a check.

References are of three kinds, and each section says which: a *formula* follows from mechanics; a *fitted constant* or *empirical formula* comes from experiments with other materials;
a *measured* value belongs to that experiment. [dem.md](../methods/dem.md) describes the laws of contact.
"""

CASES = ("bounce", "oblique_impact", "repose", "drum", "hopper", "shear", "oedometer")
TITLES = {"bounce": "Bouncing", "oblique_impact": "Oblique impact", "repose": "Angle of repose", "drum": "Rotating drum", "hopper": "Discharge of a hopper",
          "shear": "Shear box", "oedometer": "Uniaxial compression"}


def sections(chosen, folder, figures):
    """The sections of the chosen cases by their names. The oedometer needs the angle of the shear box."""
    made, angle = {}, None
    for case in CASES:
        if case == "shear" and ("shear" in chosen or "oedometer" in chosen):
            angle, made[case] = shear(folder, figures)
        elif case == "oedometer" and case in chosen:
            made[case] = oedometer(folder, angle)
        elif case in chosen and case != "shear":
            made[case] = globals()[case](folder, figures)
    return {case: wrapped(text) for case, text in made.items()}


def page_sections(text):
    """The sections of the page as it stands."""
    parts = re.split(r"(?m)^(?=## )", text)[1:]
    return {case: part.rstrip("\n") + "\n" for part in parts for case, title in TITLES.items() if part.startswith(f"## {title}\n")}


def main():
    chosen = sys.argv[1:] or list(CASES)
    unknown = [case for case in chosen if case not in CASES]
    if unknown:
        sys.exit(f"unknown case {unknown[0]}; there are {', '.join(CASES)}")
    old = page_sections(PAGE.read_text(encoding="utf-8")) if PAGE.exists() else {}
    with tempfile.TemporaryDirectory() as folder:
        new = {**old, **sections(chosen, folder, FIGURES)}
    PAGE.write_text("\n".join([wrapped(INTRODUCTION), *(new[case] for case in CASES if case in new)]), encoding="utf-8")


if __name__ == "__main__":
    main()
