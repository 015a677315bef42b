"""The WebAssembly module, without and with SIMD, simulates exactly like the native library: every scene that pages take has the same state after 300 steps, or
after fewer if the scene is shorter or its steps are slow (all 300 with ABUT_TEST_SAMPLES=full)."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

SOURCE = Path(os.environ["ABUT_TEST_SOURCE_DIR"])
BUILD = Path(os.environ["ABUT_TEST_BUILD_DIR"])
MODULE = SOURCE / "build" / "viewer-module"
VARIANTS = ("abut", "abut-simd")
STEPS = 300

# In the module, a step of these scenes takes a tenth of a second to three seconds: beds of grains with many small steps inside a step, and hard contacts.
FEWER = {"egg_in_a_shell": 100, "fractured_block": 60, "gummy_bears": 10, "hopper": 20, "pear_packing": 4, "sphere_packing": 60}

# Pages have no inlets, and say so.
WITH_INLETS = {"silo"}
if os.environ.get("ABUT_TEST_SAMPLES") == "full":
    FEWER = {}


def skip(why):
    print("skipped:", why)
    sys.exit(77)


def newest_source():
    files = [f for room in ("include", "src", "io", "tool", "viewer/module") for f in (SOURCE / room).rglob("*") if f.suffix in (".c", ".h")]
    return max(f.stat().st_mtime for f in files)


def check_prerequisites():
    if "-fsanitize" in (BUILD / "CMakeCache.txt").read_text():
        skip("the module is compared with the build that is not instrumented")
    if not shutil.which("node"):
        skip("there is no node (scripts/dev/setup.sh viewer installs it)")
    if not (MODULE / "made").exists():
        skip("the module is not built: make module")
    if (MODULE / "made").stat().st_mtime < newest_source():
        skip("the module is older than the sources: make module")


def main():
    check_prerequisites()
    names = sorted(path.stem for path in (SOURCE / "scenes").glob("*.json"))
    questions = [word for name in names for word in (str(FEWER.get(name, STEPS)), f"scenes/{name}.json")]
    commands = {"native": [BUILD / "test" / "state_hash"]}
    commands |= {variant: ["node", SOURCE / "test" / "viewer" / "state_hash.mjs", MODULE, variant] for variant in VARIANTS}
    answers = {}
    for who, command in commands.items():
        answer = subprocess.run([*command, *questions], cwd=SOURCE, check=True, stdout=subprocess.PIPE, text=True).stdout.splitlines()
        assert len(answer) == len(names), f"{who} gives {len(answer)} answers for {len(names)} scenes"
        answers[who] = dict(zip(names, answer, strict=True))
    different = 0
    for name in names:
        said = {who: answers[who][name] for who in answers}
        if name in WITH_INLETS:
            same = all("'inlet'" in said[variant] for variant in VARIANTS)
        else:
            same = len(set(said.values())) == 1
        different += not same
        print(f"{name}: {said['native']}" if same else f"{name} DIFFERS: {said}")
    print(f"{len(names)} scenes, {different} differ")
    sys.exit(1 if different else 0)


if __name__ == "__main__":
    main()
