#!/usr/bin/env python3
"""Run the tasks of hand.py with whole patches and with contact tracking, judge them, and write docs/results/hand.md and its figures."""

import argparse
import concurrent.futures
import json
import os
import pathlib
import subprocess
import sys
import tempfile

import hand
from command import ROOT, Failure, find_command

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "draw"))

METHODS = ("patch", "tracking")
REFERENCE = "fine"  # patches with half the step, where the outcome is in doubt
REFERRED = ("wall_any",)
TASKS = {"wall": hand.wall, "wall_any": hand.wall_any, "tower": hand.tower, "drop": hand.drop}
OUT, FALLEN = 0.15, 0.5  # a brick is out [m]; a brick has fallen: in its heights
TIPPING = "pressed hard"  # the last stage of the tower
ASIDE, SUNK, TILTED = 0.03, 0.01, 0.1  # an object is in its place; the topmost one has come down [m]


def parse_arguments(arguments):
    parser = argparse.ArgumentParser(
        prog="hand_tasks.py",
        description="Let recorded hands carry out the tasks of the poster of Silcowitz, Niebe and Erleben, with whole patches and with contact tracking: "
        "pull bricks out of a wall (wall; wall_any: any bricks), build a tower and press on it (tower), drop a box (drop). Both methods get the same "
        "records and the exact solver. The report counts the tasks that were done, and compares penetration, alignment error and oscillation.",
        epilog="Example: hand_tasks.py --seeds 20 -j 2 (needs python3-numpy and python3-h5py)",
    )
    parser.add_argument("--seeds", type=int, default=20, metavar="N", help="records of each task (default 20)")
    parser.add_argument("--task", choices=sorted(TASKS), action="append", help="only this task; may be repeated")
    parser.add_argument("-j", "--jobs", type=int, default=1, metavar="N", help="runs at a time (default 1)")
    parser.add_argument("--abut", default=None, metavar="FILE", help="the abut command (default: build/release/abut, else the one in PATH)")
    parser.add_argument("--markdown", type=pathlib.Path, metavar="FILE.md", help="write the report there")
    parser.add_argument("--figures", type=pathlib.Path, metavar="FOLDER", help="write the figures there")
    parser.add_argument("--json", type=pathlib.Path, metavar="FILE", help="keep the measures there")
    parser.add_argument("--from-json", type=pathlib.Path, nargs="+", metavar="FILE", help="report measures that --json kept, without running anything")
    return parser.parse_args(arguments)


# ---- running ----


def record(command, task, seed, method, folder):
    """Run one record with a method. Returns (recording, what the judge must know)."""
    import recording

    scene, known = TASKS[task](seed)
    scene["stepper"] = {**scene.get("stepper", {}), "sleeping": False}
    if method != "tracking":  # which is always solved exactly
        scene["stepper"]["exact"] = True
    if method == REFERENCE:
        scene["dt"] = 1.0 / 120.0
    path = pathlib.Path(folder, f"{task}_{seed}_{method}.json")
    result = path.with_suffix(".h5")
    path.write_text(json.dumps(scene))
    contacts = "tracking" if method == "tracking" else "patch"
    done = subprocess.run([command, "run", str(path), "--method", contacts, "--quiet", "-o", str(result)], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise Failure(f"{task} {seed} with {method}: {done.stderr.strip() or f'exit status {done.returncode}'}")
    run = recording.Recording(result)
    result.unlink()
    return run, known


# ---- judging ----


def frame_at(run, time):
    """The last frame that is not later."""
    return max(0, int((run.time <= time + run.dt / 2).sum()) - 1)


def judge_wall(run, known):
    """[(name, end, passed)] of all stages, [(begin, end)] of the rests, bodies that stay."""
    height = hand.scenes.BRICK[2]
    pulled = {pull["name"] for pull in known["pulls"]}
    staying = [body for body in run.dynamic if run.names[body] not in pulled]
    stages, rests = [], []
    for pull in known["pulls"]:
        body = run.names.index(pull["name"])
        last, after = frame_at(run, pull["to"] - 2 * run.dt), frame_at(run, pull["rest"] - run.dt)
        out = run.pose[0, body, 1] - run.pose[last, body, 1] >= OUT
        left = [b for b in run.dynamic if run.present[after, b]]
        fallen = (run.pose[0, left, 2] - run.pose[after, left, 2]).max() > FALLEN * height
        stages.append((pull["name"], pull["rest"], bool(out and not fallen)))
        rests.append((pull["rest"] - 0.4, pull["rest"] - run.dt))
    return stages, rests, staying


def is_placed(run, frame, places):
    place = [(run.pose[frame, run.names.index(name), :3], goal) for name, goal in places]
    return all(abs(p[2] - goal[2]) <= SUNK and max(abs(p[0] - goal[0]), abs(p[1] - goal[1])) <= ASIDE for p, goal in place)


def judge_tower(run, known):
    places, stages, rests = list(known["places"].items()), [], []
    for count, (name, time) in enumerate(known["released"], 1):
        stages.append((name, time, is_placed(run, frame_at(run, time), places[:count])))
        rests.append((time - 0.3, time))
    stages.append(("built", known["built"], is_placed(run, frame_at(run, known["built"]), places)))
    rests.append((known["built"] - 0.5, known["built"]))
    stages.append(("pressed gently", known["held"], is_placed(run, frame_at(run, known["held"]), places)))
    lid = run.names.index("lid")
    stages.append((TIPPING, run.time[-1], bool(run.pose[frame_at(run, known["held"]), lid, 2] - run.pose[-1, lid, 2] > TILTED)))
    return stages, rests, [run.names.index("gear_large")]


def judge_drop(run, known):
    return [], [(run.time[-1] - 2.0, run.time[-1])], list(run.dynamic)


JUDGES = {"wall": judge_wall, "wall_any": judge_wall, "tower": judge_tower, "drop": judge_drop}


def lasting(stages):
    """Whether each stage and all before it passed."""
    passed, all_before = [], True
    for _, _, fine in stages:
        all_before = all_before and fine
        passed.append(all_before)
    return passed


def measure(run, stages, rests, bodies):
    """The measures of a run, up to the stage that fails. The press that shall tip a tower, and the fall after it, do not count."""
    import numpy as np
    import recording

    stages = [stage for stage in stages if stage[0] != TIPPING]
    passed = lasting(stages)
    failed = passed.index(False) if False in passed else len(passed)
    end = run.time[-1] if not stages else stages[failed - 1][1] if failed > 0 else 0.0
    rests = [(begin, until) for begin, until in rests if until <= end + run.dt]
    whole = run.steps["time"] <= end + run.dt / 2
    step_rest, frame_rest = np.zeros(len(run.steps["time"]), bool), np.zeros(len(run.time), bool)
    for begin, until in rests:
        step_rest |= (run.steps["time"] >= begin) & (run.steps["time"] <= until + run.dt / 2)
        frame_rest |= (run.time >= begin) & (run.time <= until + run.dt / 2)
    tilts = np.array([recording.tilt(run, body) for body in bodies])
    swings = [float(np.ptp(tilts[:, frame_rest & (run.time >= b) & (run.time <= u + run.dt / 2)], axis=1).max()) for b, u in rests]
    measures = {"penetration": float(run.steps["max_penetration"][whole].max())}
    if rests:
        measures["rest_penetration"] = float(run.steps["max_penetration"][step_rest].max())
        measures["rest_alignment"] = float(tilts[:, frame_rest].max())
        measures["rest_swing"] = max(swings)
        measures["rest_energy"] = float(run.steps["kinetic_energy"][step_rest].mean())
    return measures


def series(run):
    """Curves of a dropped box."""
    import recording

    return {
        "time": [float(t) for t in run.steps["time"][1:]],
        "penetration": [float(x) for x in run.steps["max_penetration"][1:]],
        "alignment": [float(x) for x in recording.worst_tilt(run)[1:]],
        "energy": [float(x) for x in run.steps["kinetic_energy"][1:]],
    }


def carry_out(command, task, seed, method, folder):
    run, known = record(command, task, seed, method, folder)
    stages, rests, bodies = JUDGES[task](run, known)
    passed = lasting(stages)
    result = {"task": task, "seed": seed, "method": method, "stages": [name for name, _, _ in stages], "passed": passed, "done": all(passed)}
    result.update(measure(run, stages, rests, bodies))
    if task == "drop":
        result["series"] = series(run)
    return result


def methods_of(task):
    return (*METHODS, REFERENCE) if task in REFERRED else METHODS


def seeds_of(task, seeds):
    """Half of the records where runs with short steps, which take long, join."""
    return (seeds + 1) // 2 if task in REFERRED else seeds


def run_all(options):
    command = find_command(options.abut)
    results = []
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        pathlib.Path(folder, "meshes").symlink_to(ROOT / "scenes" / "meshes")
        jobs = [
            pool.submit(carry_out, command, task, seed, method, folder)
            for task in options.task or TASKS
            for seed in range(1, seeds_of(task, options.seeds) + 1)
            for method in methods_of(task)
        ]
        for job in jobs:
            results.append(job.result())
            if sys.stderr.isatty():
                last = results[-1]
                print(f"{last['task']} {last['seed']} {last['method']}: {'done' if last['done'] else 'not done'}", file=sys.stderr)
    return results


# ---- the report ----

TITLES = {
    "wall": "Bricks out of a wall",
    "wall_any": "Any bricks out of a wall",
    "tower": "A tower that is built and pressed",
    "drop": "A box that is dropped",
}
ABOUT = {
    "wall": f"A hand pulls up to {hand.PULLS} bricks, one by one, out of a wall of {hand.COURSES} courses. It takes none whose absence leaves the bricks above "
    "without hold. Done: every brick is out, and no other one has fallen by half its height.",
    "wall_any": f"A hand pulls {hand.LOW_PULLS} bricks out of a wall of {hand.LOW_COURSES} courses. It takes any bricks of the upper half, also those that the "
    "wall needs. So this task need not be possible. Runs with patches and half the step tell what the wall does when time is resolved better.",
    "tower": "A hand piles nine objects and two gears on each other, each set down within some millimetres of the middle, and presses on the edge of the "
    f"topmost with {hand.GENTLE} N, then with {hand.HARD} N. By statics the tower tips at 190 N, less where it is off centre. Done: all objects are in their "
    f"places (within {ASIDE * 100:g} cm aside and {SUNK * 100:g} cm in height) when built and under the gentle press, and the hard press tips the tower.",
    "drop": "A box of 1 m falls from 0.4 to 0.8 m, turned by up to 15 degrees. The rest is the last two seconds.",
}
COLUMNS = {"patch": "patch", "tracking": "tracking", REFERENCE: "patch, half steps"}
ROWS = [
    ("penetration", "largest penetration, up to a failure [m]"),
    ("rest_penetration", "largest penetration at rest [m]"),
    ("rest_alignment", "largest alignment error at rest [rad]"),
    ("rest_swing", "its oscillation at rest [rad]"),
    ("rest_energy", "mean kinetic energy at rest [J]"),
]


def median(values):
    ordered = sorted(values)
    middle = len(ordered) // 2
    return None if not ordered else ordered[middle] if len(ordered) % 2 else 0.5 * (ordered[middle - 1] + ordered[middle])


def cell(values):
    return "" if not values else f"{median(values):.2g} ({min(values):.2g} to {max(values):.2g})"


def table(results, task):
    methods = [m for m in methods_of(task) if any(r["task"] == task and r["method"] == m for r in results)]
    of = {method: [r for r in results if r["task"] == task and r["method"] == method] for method in methods}
    lines = ["|  | " + " | ".join(COLUMNS[m] for m in methods) + " |", "| --- |" + " --: |" * len(methods)]
    if task != "drop":
        lines.append("| tasks done | " + " | ".join(f"{sum(r['done'] for r in of[m])} of {len(of[m])}" for m in methods) + " |")
        lines.append("| first failures, and in how many records | " + " | ".join(failures(of[m]) for m in methods) + " |")
    for key, label in ROWS:
        lines.append(f"| {label} | " + " | ".join(cell([r[key] for r in of[m] if key in r]) for m in methods) + " |")
    return "\n".join(lines)


def failures(results):
    """The stages at which runs failed first, with their counts. Pulls are numbered: every seed takes other bricks."""
    counts = {}
    for result in results:
        if not result["done"]:
            at = result["passed"].index(False)
            name = result["stages"][at] if not result["stages"][at].startswith("brick") else f"pull {at + 1}"
            counts[name] = counts.get(name, 0) + 1
    return ", ".join(f"{name}: {count}" for name, count in sorted(counts.items(), key=lambda item: (-item[1], item[0]))) or "none"


def write_markdown(path, results):
    seeds = max(r["seed"] for r in results)
    parts = [
        "# A hand that pulls, builds and drops",
        f"Written by `/usr/bin/python3 scripts/measure/hand_tasks.py --seeds {seeds} --markdown docs/results/hand.md --figures docs/figures`; do not edit.",
        "The poster of Silcowitz, Niebe and Erleben reports interactive tests: with contact tracking their users could not take bricks out of a wall one by "
        f"one. Here recorded hands do such tasks, {seeds} records a task (half as many for any bricks), with whole patches and with "
        "[contact tracking](tracking.md). Both methods get the same record and the exact solver, and no body sleeps. A hand is the spring of the "
        f"[sandbox](../use/sandbox.md): {hand.FREQUENCY} Hz, at most {hand.STRENGTH} weights of what it holds. It does not look, so it does not react to what "
        "happens, as a user would. Entries are the median over the records; the least and the largest value stand in brackets. Rests are the last tenths "
        "of a second before the hand moves again. Measures of a record end with its first failure.",
        "![How many records still stood after each stage, with patches and with tracking](../figures/hand_tasks.svg)",
    ]
    for task in TASKS:
        if any(r["task"] == task for r in results):
            parts.append(f"## {TITLES[task]}\n\n{ABOUT[task]}\n\n{table(results, task)}")
    parts.append(
        "![Penetration, alignment error and kinetic energy of a dropped box over time, with patches and with tracking](../figures/hand_drop.svg)\n\n"
        "Lines are medians over the records, bands reach from the least to the largest. This is the comparison of the poster's figure 9."
    )
    path.write_text("\n\n".join(parts) + "\n")


def main(arguments=None):
    options = parse_arguments(arguments)
    try:
        results = [r for path in options.from_json for r in json.loads(path.read_text())] if options.from_json else run_all(options)
        if options.json:
            options.json.write_text(json.dumps(results))
        if options.markdown:
            write_markdown(options.markdown, results)
        if options.figures:
            import hand_figures

            os.makedirs(options.figures, exist_ok=True)
            hand_figures.draw(results, options.figures)
    except (Failure, OSError, ValueError) as error:
        print(f"hand_tasks.py: {error}", file=sys.stderr)
        return 2
    for task in options.task or TASKS:
        if any(r["task"] == task for r in results):
            print(f"{TITLES[task]}\n{table(results, task)}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
