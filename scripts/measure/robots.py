#!/usr/bin/env python3
"""Imports all robots of PyPI packages into scenes, checks each with the command, runs a few steps, and counts.

Needs the Python package with its extras urdf, mujoco and scene, and robots: pip install example-robot-data dm_control. Writes docs/results/robots.md.
"""

import argparse
import collections
import importlib.metadata
import pathlib
import sys
import time

import abut

ROOT = pathlib.Path(__file__).resolve().parents[2]
STEPS = 10
SETS = {"example-robot-data": (".urdf", abut.from_urdf), "dm_control": (".xml", abut.from_mujoco)}
MEANINGS = {
    "open_mesh": "a mesh of a moving link is not closed",
    "unreadable_model": "MuJoCo does not read the file, which is a fragment or names missing files",
    "unreadable_urdf": "yourdfpy does not read the file",
    "unreadable_mesh": "trimesh does not read a mesh",
    "missing_file": "a file that the robot names is not in the package",
    "tree": "there is no root, or several",
    "joint": "a joint is of a kind that is not taken",
    "mass": "a moving body has no mass",
}


def files(package, ending):
    """Model files of an installed package."""
    found = [pathlib.Path(one.locate()).resolve() for one in importlib.metadata.files(package) or [] if str(one).endswith(ending)]
    return sorted({path for path in found if path.is_file()})


def one(path, load, meshes):
    """What becomes of a model: its reason if it is refused, else what the command and ten steps say."""
    begun = time.perf_counter()
    try:
        scene = load(path, meshes=meshes)
    except abut.ArgumentError as error:
        return str(error).partition(":")[0], ""
    seconds = time.perf_counter() - begun
    try:
        scene.check()
        recording = abut.run(scene, steps=STEPS, progress=False)
    except abut.Error as error:
        return "command", str(error)[:300]
    if len(recording) != STEPS + 1:
        return "short", f"{len(recording)} frames"
    return "loads", f"{len(scene.bodies)} bodies, {len(scene.data.get('joints', []))} joints, {seconds:.1f} s"


def main():
    parser = argparse.ArgumentParser(prog="robots.py", description=__doc__)
    parser.add_argument("-o", "--output", type=pathlib.Path, default=ROOT / "docs" / "results" / "robots.md")
    output = parser.parse_args().output
    rows, reasons = [], collections.Counter()
    for package, (ending, load) in SETS.items():
        models, words = files(package, ending), {}
        for meshes in "keep", "hull_open":
            for path in models:
                # Hulls change only what was refused for an open mesh.
                if words.get(path, "open_mesh") != "open_mesh":
                    continue
                words[path], more = one(path, load, meshes)
                word = words[path]
                print(f"{package} {meshes} {path.name}: {word} {more}", file=sys.stderr, flush=True)
            counts = collections.Counter(words.values())
            reasons.update(set(counts) - {"loads"})
            refused = ", ".join(f"{count} {word}" for word, count in sorted(counts.items()) if word != "loads")
            name = f"{package} {importlib.metadata.version(package)}"
            rows.append(f"| {name} | `{ending}` | {meshes} | {len(models)} | {counts['loads']} | {refused or 'none'} |")
    lines = [
        "# Robots that load", "",
        "Written by `scripts/measure/robots.py`; do not edit. All model files of the packages from PyPI. A model loads when the importer takes it,",
        f"`abut check` takes the scene, and `abut run` makes {STEPS} steps of it. The importers: [python.md](../use/python.md#robots).", "",
        "| package | files | meshes | models | load | refused |", "|---|---|---|--:|--:|---|", *rows, "",
    ]  # fmt: skip
    lines += [f"* {word}: {MEANINGS[word]}." for word in sorted(reasons) if word in MEANINGS]
    output.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
