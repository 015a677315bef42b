#!/usr/bin/env python3
"""Measure how the LAMMPS plugin scales over ranks, and write docs/results/lammps.md. Runs in the environment of `make lammps`, which has NumPy and the plugin:

    build/lammps/environment/bin/python scripts/measure/lammps_scaling.py

A cube of meshed balls, a little pressed into each other, flies apart for some steps. Times are the least of several runs: the machine does other work, too. The
counts of pairs and ghosts do not depend on the machine. --quick writes nothing and checks only that everything runs.
"""

import argparse
import os
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
RESULT = ROOT / "docs" / "results" / "lammps.md"
MESH = ROOT / "scenes" / "meshes" / "grain_ball.obj"
SPACING = 0.00995
GRAIN_NUMBERS = 13  # of a ghost in each step: position, velocity, angular velocity, quaternion

SCRIPT = """units si
atom_style bpm/sphere
newton off
comm_modify vel yes
boundary f f f
processors {layout}
region box block -0.02 {x!r} -0.02 {y!r} -0.02 {z!r} units box
create_box 1 box
lattice sc {spacing!r} origin 0.5 0.5 0.5
region fill block 0 {fx!r} 0 {fy!r} 0 {fz!r} units box
create_atoms 1 region fill
set group all quat/random 4711
pair_style abut/facetmesh
pair_coeff 1 1 mesh {mesh} radius 0.005 density 1000 young 1e6 poisson 0.3 friction 0.4 restitution 0.3
fix move all abut/nve
neighbor 0.001 bin
timestep 1e-5
compute contacts all pair abut/facetmesh
thermo_style custom step c_contacts[5]
thermo {steps}
run 20
run {steps}
"""


def measure(programs, counts, layout, steps):
    """Figures of one run by name."""
    ranks = layout[0] * layout[1] * layout[2]
    fill = [n * SPACING for n in counts]
    text = SCRIPT.format(layout=" ".join(map(str, layout)), x=fill[0] + 0.02, y=fill[1] + 0.02, z=fill[2] + 0.02, fx=fill[0], fy=fill[1], fz=fill[2],
                         spacing=SPACING, mesh=MESH, steps=steps)
    with tempfile.TemporaryDirectory() as folder:
        (pathlib.Path(folder) / "run.in").write_text(text)
        command = [str(programs / "mpirun"), "-np", str(ranks), str(programs / "lmp"), "-in", "run.in", "-nocite"]
        environment = dict(os.environ, OMP_NUM_THREADS="1", MPIR_CVAR_POLLS_BEFORE_YIELD="1", MPIR_CVAR_POSIX_POLL_FREQUENCY="1")
        done = subprocess.run(command, cwd=folder, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode != 0:
        sys.exit(done.stdout)
    last = done.stdout[done.stdout.rindex("Loop time"):]

    def number(pattern):
        return float(re.search(pattern, last).group(1))

    seconds = {name: number(rf"{name} +\| *[\d.e+-]+ *\| ([\d.e+-]+)") for name in ("Pair", "Neigh", "Comm", "Modify")}
    return {"ranks": ranks, "grains": counts[0] * counts[1] * counts[2], "step": number(r"Loop time of ([\d.e+-]+)") / steps,
            **{name: value / steps for name, value in seconds.items()}, "pairs": number(r"Total # of neighbors = (\d+)"),
            "most pairs": number(r"Neighs: +[\d.]+ ave +(\d+) max"), "ghosts": number(r"Nghost: +[\d.]+ ave +(\d+) max"),
            "contacts": float(re.findall(r"^ +\d+ +(\d+) *$", done.stdout, re.M)[-1])}


def best(programs, counts, layout, steps, repeats):
    runs = [measure(programs, counts, layout, steps) for _ in range(repeats)]
    return min(runs, key=lambda run: run["step"])


def table(rows, first):
    """A table of runs; `first` is the run on one rank that they are compared with, for each row."""
    text = ["| ranks | grains | pairs computed | of these twice | most on a rank | ghosts of a rank | bytes to a rank in a step | ms a step "
            "| of it pairs | comm | efficiency |", "| --: | --: | --: | --: | --: | --: | --: | --: | --: | --: | --: |"]
    for row, one in zip(rows, first):
        pairs_once = row["once"]
        twice = 2 * (row["pairs"] - pairs_once) / row["pairs"]
        efficiency = one["step"] / row["step"] * (row["grains"] / one["grains"]) / row["ranks"]
        text.append(f"| {row['ranks']} | {row['grains']} | {row['pairs']:.0f} | {100 * twice:.1f} % | {row['most pairs']:.0f} | {row['ghosts']:.0f} "
                    f"| {8 * GRAIN_NUMBERS * row['ghosts']:,.0f} | {1e3 * row['step']:.2f} | {1e3 * row['Pair']:.2f} | {1e3 * row['Comm']:.2f} "
                    f"| {100 * efficiency:.0f} % |")
    return "\n".join(text)


def projection(pair_seconds, pairs_a_grain, latency=2e-6, bandwidth=10e9):
    """Rows of (grains of a rank, times): a cube of n grains on each of 1,000 ranks, with six neighbours and one layer of ghosts."""
    text = ["| grains of a rank | grains | pairs, ms a step | twice computed | messages, ms a step | efficiency |", "| --: | --: | --: | --: | --: | --: |"]
    for side in (5, 10, 20, 40):
        n = side**3
        ghosts = (side + 2) ** 3 - n
        crossing = 6 * side**2 * pairs_a_grain / 3  # a third of a grain's pairs along each axis, counted at both sides of a cut
        inside = pairs_a_grain * n - crossing / 2
        compute = (inside + crossing) * pair_seconds
        messages = 6 * latency + 8 * GRAIN_NUMBERS * ghosts / bandwidth
        ideal = pairs_a_grain * n * pair_seconds
        text.append(f"| {n:,} | {1000 * n:,} | {1e3 * compute:.2f} | {100 * crossing / (inside + crossing):.0f} % | {1e3 * messages:.3f} "
                    f"| {100 * ideal / (compute + messages):.0f} % |")
    return "\n".join(text)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--programs", type=pathlib.Path, default=pathlib.Path(sys.executable).parent, help="folder with lmp and mpirun")
    parser.add_argument("--quick", action="store_true", help="small runs; write nothing")
    options = parser.parse_args()
    side, steps, repeats = (3, 5, 1) if options.quick else (8, 100, 3)
    layouts = [(1, 1, 1), (1, 1, 2), (1, 2, 2)]
    strong = [best(options.programs, (side, side, side), layout, steps, repeats) for layout in layouts]
    weak_counts = [(side, side, side // 2), (side, side, side), (side, 2 * side, side)]
    weak = [best(options.programs, counts, layout, steps, repeats) for counts, layout in zip(weak_counts, layouts)]
    for rows, shapes in ((strong, [(side, side, side)] * 3), (weak, weak_counts)):
        for row, shape in zip(rows, shapes):
            row["once"] = strong[0]["pairs"] if shape == (side, side, side) else \
                weak[0]["pairs"] if shape == weak_counts[0] else measure(options.programs, shape, (1, 1, 1), 1)["pairs"]
    pair_seconds = strong[0]["Pair"] / strong[0]["pairs"]
    pairs_a_grain = strong[0]["pairs"] / strong[0]["grains"] / (1 - 1 / side)
    text = f"""# Results of the LAMMPS plugin on several ranks

Written by `build/lammps/environment/bin/python scripts/measure/lammps_scaling.py` (`SCALING=1 make lammps`); do not edit. The plugin:
[lammps.md](../use/lammps.md).

A cube of meshed balls of 320 rounded triangles on a lattice, turned at random, {steps} steps, on a machine with {os.cpu_count()} processors that does other
work, too. Times are the least of {repeats} runs. More ranks than processors wait for each other: only the counts of those rows say something.

A pair of grains on two ranks is computed on both, and no force is sent back. So a step has one exchange: {GRAIN_NUMBERS} numbers of each ghost.

## One problem on more ranks

{table(strong, [strong[0]] * 3)}

## A problem that grows with the ranks

{table(weak, [weak[0]] * 3)}

## A projection to 1,000 ranks

On paper: a cube of grains on each rank, {pairs_a_grain:.2f} pairs of neighbours a grain, {1e6 * pair_seconds:.1f} µs a pair as above, one layer of ghosts, six
messages of 2 µs and 10 GB/s in a step. What is computed twice costs more than what is sent.

{projection(pair_seconds, pairs_a_grain)}
"""
    if options.quick:
        print(text)
    else:
        RESULT.write_text(text)
        print(f"written: {RESULT}")


if __name__ == "__main__":
    main()
