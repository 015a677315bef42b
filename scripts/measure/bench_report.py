#!/usr/bin/env python3
"""Write the JSON of a benchmark as Markdown tables into docs/results/NAME.md. The file is written whole; the method is in docs/methods/benchmarks.md."""

import argparse
import json
import math
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
RESULTS = ROOT / "docs" / "results"


class Failure(Exception):
    """One line that describes the failure."""


def parse_arguments(arguments):
    parser = argparse.ArgumentParser(
        prog="bench_report.py",
        description="Write the JSON of a benchmark of bench/ as Markdown tables into docs/results/NAME.md, where NAME is the benchmark's name. "
        "The file is replaced.",
        epilog="Example: build/release/bench/bench_narrow --json narrow.json && python3 scripts/measure/bench_report.py narrow.json",
    )
    parser.add_argument("results", type=pathlib.Path, metavar="FILE.json", help="the JSON of the benchmark")
    parser.add_argument("-o", "--output", type=pathlib.Path, metavar="FILE.md", help="default: docs/results/NAME.md")
    return parser.parse_args(arguments)


def microseconds(nanoseconds):
    """Three significant digits."""
    value = nanoseconds / 1000.0
    return f"{value:.{max(0, 2 - math.floor(math.log10(value)))}f}" if value > 0.0 else "0"


def table(head, rows):
    """Markdown; all columns except the first are numbers, aligned to the right."""
    lines = [head, ["---"] + ["--:"] * (len(head) - 1), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def conditions(run):
    core = f"bound to core {run['core']}" if run["core"] >= 0 else "not bound to a core"
    peers = ", ".join(run["peers"]) or "no other library"
    quick = " **A quick run, whose figures say little.**" if run["quick"] else ""
    return (
        f"abut {run['version']}, {run['compiler']}, on {run['processor']}, {core}; {peers}; seed {run['seed']}, medians of {run['rounds']} rounds.{quick}"
    )


def goals(run):
    rows = []
    for goal in run["goals"]:
        verdict = "pass" if goal["pass"] else "miss" if goal["right"] else "miss (not all answers are right)"
        growth = f"{goal['growth_ratio']:.2f}" if "growth_ratio" in goal else ""
        rows.append([goal["goal"], f"{goal['ratio']:.2f}", f"{goal['limit']:g}", growth, goal["reference"], verdict])
    return table(["goal", "ratio", "at most", "growth normal", "against", ""], rows)


def figures(measured):
    pairs, steps = measured["pairs"], measured["steps"]
    asked = f"{pairs} pairs, {steps} steps" if steps > 1 else f"{pairs} pairs"
    rows = [
        [
            engine["engine"],
            microseconds(engine["ns"]),
            f"{microseconds(engine['p10'])} to {microseconds(engine['p90'])}",
            f"{engine['points']:.2f}",
            *(str(engine[kind]) for kind in ("missed", "wrong", "false")),
            f"{engine['worst_error']:.1g}",
        ]
        for engine in measured["engines"]
    ]
    head = [f"{measured['set']} ({asked})", "µs", "80 % of rounds", "points", "missed", "wrong", "false", "worst error"]
    return table(head, rows)


def narrow(run):
    parts = [conditions(run)]
    if run["goals"]:
        parts += ["## Goals", goals(run)]
    shapes = None
    for measured in run["sets"]:
        if measured["shapes"] != shapes:
            shapes = measured["shapes"]
            parts.append(f"## {shapes[0].upper()}{shapes[1:]}")
        parts.append(figures(measured))
    return "\n\n".join(parts)


def percent(mean, deviation=None):
    """A mean, with its standard deviation in brackets if there is one."""
    if mean is None:
        return ""
    return f"{mean:.2f}" if deviation is None else f"{mean:.2f} ({deviation:.2f})"


def depth_ratios(ratios):
    rows = [
        [v["name"], percent(v["mean"], v["deviation"]), *(percent(v[f"{who}_mean"], v[f"{who}_deviation"]) for who in ("paper", "known"))]
        + [percent(v["least"]), percent(v["most"])]
        for v in ratios["variants"]
    ]
    head = [f"depth over rigid depth, {ratios['pairs']:,} pairs", "abut", "paper", "reference", "least", "most"]
    first, excess = ratios["first"], ratios["accelerated_excess"]
    shares = [["the accelerated direction is the best of the 44", percent(ratios["coincide"]), percent(ratios["paper_coincide"]), percent(ratios["known_coincide"])]]
    for k, at in enumerate(first):
        shares.append([f"the best is among the {k + 1} of least overlap", percent(at["share"]), "> 90" if k + 1 == len(first) else "", f"{at['known']:.1f}"])
    shares.append(["free local finds the least of all normals", percent(ratios["local_is_least"]), "", "96.0"])
    shares.append(["some normal is better than all 44", percent(ratios["free_below_paper"]), "", "100.0"])
    shares.append(["accelerated is deeper than as printed, on average", percent(excess["mean"]), "< 5", "5.53"])
    shares.append(["accelerated is deeper than as printed, at most", percent(excess["most"]), "", ""])
    shares.append(["accelerated is deeper than the default, on average", percent(ratios["accelerated_over_default"]["mean"]), "", ""])
    shares.append(["accelerated is deeper than the default, at most", percent(ratios["accelerated_over_default"]["most"]), "", ""])
    return [table(head, rows), table(["percent", "abut", "paper", "reference"], shares)]


def depth_speed(run):
    rows = [[e["engine"], f"{e['us']:.2f}", f"{e['p10']:.2f} to {e['p90']:.2f}"] for e in run["speed"]["engines"]]
    beside = [
        [b["engine"], f"{b['us']:.2f}", f"{b['programs']}", f"{b['programs_us']:,.1f}", f"{b['ratio']:,.0f}", f"{b['paper_us']:,}" if "paper_us" in b else ""]
        for b in run["speed"]["beside"]
    ]
    goals_met = [
        [g["goal"], f"{g['value']:.2f}", f"at most {g['at_most']:g}" if "at_most" in g else f"at least {g['at_least']:g}", "pass" if g["pass"] else "miss"]
        for g in run["goals"]
    ]
    return [
        table([f"a pair, medians of {run['speed']['rounds']} rounds", "µs", "80 % of rounds"], rows),
        table(["", "µs", "programs", "these [µs]", "ratio", "paper [µs]"], beside),
        table(["goal", "", "", ""], goals_met),
    ]


def depth(run):
    return "\n\n".join((depth_ratios(run["ratios"]) if "ratios" in run else []) + depth_speed(run))


def goal_rows(run):
    def limit(goal):
        return f"at most {goal['at_most']:,g}" if "at_most" in goal else f"at least {goal['at_least']:,g}"

    return table(["goal", "", "", ""], [[g["goal"], f"{g['value']:,.2f}", limit(g), "pass" if g["pass"] else "miss"] for g in run["goals"]])


def facet(run):
    pairs, bodies, pressure = run["pairs"], run["bodies"], run["pressure"]
    sets = [s["set"] for s in pairs["ways"][0]["ns"]]
    ways = [
        [w["way"], *(f"{s['median']:,.0f}" for s in w["ns"]), f"{w['million_per_second']:.2f}", f"{w['gain']:.2f}" if w["threads"] == 2 else "", "same" if w["same"] else "**others**"]
        for w in pairs["ways"]
    ]
    depths = [d["depth"] for d in bodies["rows"][0]["depths"]]
    meets, makes = [], []
    for row in bodies["rows"]:
        cells = [f"{row['triangles']:,}"]
        for at in row["depths"]:
            force = at["contact_us"]["median"] + at["force_us"]["median"]
            cells += [f"{at['pairs']:.1f}", f"{at['contact_us']['median']:.1f}", f"{force:.1f}"]
        meets.append(cells)
        makes.append([cells[0], *(f"{row[key]['median']:.0f}" for key in ("build_ns", "move_ns")), *(f"{row[f'bytes_{key}']:.0f}" for key in ("said", "held", "moved"))])
    meet_head = ["triangles of a ball"] + [f"{what}, depth {depth:g}" for depth in depths for what in ("pairs in contact", "contact [µs]", "and force [µs]")]
    return "\n\n".join(
        [
            f"abut {run['version']}; medians of {pairs['rounds']} rounds over {pairs['pairs']:,} pairs, and of {bodies['rounds']} rounds over {bodies['poses']} poses.",
            table(["a pair [ns]", *sets, "million pairs of the mix in a second", "times the rate of one thread", "bytes"], ways),
            f"Pressure of one contact alone, with damping and friction: {pressure['ns']:.0f} ns (80 % of rounds {pressure['p10']:.0f} to {pressure['p90']:.0f}).",
            table(meet_head, meets),
            table(["triangles of a ball", "building [ns a triangle]", "moving [ns a triangle]", "bytes a triangle, as reported", "as allocated", "of one more, moved"], makes),
        ]
    )


def grains(run):
    rows = [
        [f"{r['program']}: {r['are']}" + (", a shape each" if r["own"] else ""), f"{r['bodies']:,}", f"{r['triangles']:,}" if r["triangles"] else "", f"{r['threads']}"]
        + [f"{r['per_second']:,.0f}", f"{r['per_wall_second']:,.0f}", f"{1e6 / r['per_second']:,.1f}", f"{r['neighbours']:.2f}"]
        + [f"{r['contacts']:.1f}" if r["contacts"] else "", f"{r['kinetic']:.0e}", f"{r['bytes']:,.0f}" if r["bytes"] else ""]
        for r in run["rows"]
    ]
    head = ["", "bodies", "triangles", "threads", "steps of a body in a second of processor time", "of the clock", "µs", "Z", "contacts", "kinetic", "bytes"]
    return "\n\n".join([f"abut {run['version']}."] + [table(head, rows)] + ([goal_rows(run)] if run["goals"] else []))


def dem(run):
    rows = [
        [r["program"], f"{r['balls']:,}", f"{r['threads']}", f"{r['million_per_second']:.2f}", f"{r['million_per_wall_second']:.2f}"]
        + [f"{r['neighbours']:.2f}", f"{r['kinetic']:.0e}", f"{r['bytes']:,.0f}", f"{r['lists']}"]
        for r in run["rows"]
    ]
    head = ["", "balls", "threads", "million steps of a ball in a second of processor time", "of the clock", "Z", "kinetic", "bytes", "lists"]
    unfair = [] if run["fair"] else ["**Two programs did not have the same bed: the comparison is not fair.**"]
    return "\n\n".join([f"abut {run['version']}.", *unfair, table(head, rows), goal_rows(run)])


def mesh(run):
    rows = [
        [s["set"], e["engine"], f"{e['ns']:,.0f}", f"{e['contacts']:.2f}", "" if e["wrong"] < 0 else str(e["wrong"])]
        + ["" if e["engine"] == "abut" else f"{e['abut_over']:.2f}"]
        for s in run["sets"]
        for e in s["engines"]
    ]
    grown = [[f"{g['triangles']:,}", f"{g['build_ms']:.1f}", f"{g['ns']:.0f}"] for g in run["growth"]]
    questions = run["sets"][0]["questions"]
    return "\n\n".join(
        [
            table(["set", "engine", "ns", "contacts", f"wrong of {questions:,}", "abut's time over it"], rows),
            "A sphere on flat meshes of other sizes:",
            table(["triangles", "build [ms]", "ask [ns]"], grown),
        ]
    )


def many(run):
    meshes = list(dict.fromkeys(r["mesh"] for r in run["rows"]))
    bodies = list(dict.fromkeys(r["body"] for r in run["rows"]))
    cell = {(r["body"], r["mesh"]): r for r in run["rows"]}
    triangles = max(r["triangles"] for r in run["rows"])

    def rows(show):
        return [[body, *(show(cell[body, mesh]) for mesh in meshes)] for body in bodies]

    head = ["", *meshes]
    return "\n\n".join(
        [
            f"abut {run['version']}, medians of {run['rounds']} rounds, or of fewer that took 0.4 s; about {triangles:,} triangles in reach. Processor time [ms]:",
            table(head, rows(lambda r: f"{r['ms']:,.0f}")),
            "The power with which the time grows from a quarter of the triangles; 1 is linear:",
            table(head, rows(lambda r: f"{r['power']:.2f}")),
            "Contacts:",
            table(head, rows(lambda r: f"{r['contacts']:,}")),
        ]
    )


def queries(run):
    head = ["", "bodies", "a ray [µs]", "Bullet", "abut over Bullet", "tree after all moved [ms]", "Bullet", "rays that hit", "other hit with Bullet"]
    rows = [
        [r["bodies"], f"{r['count']:,}", f"{r['us']:.2f}", f"{r['bullet_us']:.2f}", f"{r['ratio']:.2f}", f"{r['update_ms']:.2f}", f"{r['bullet_update_ms']:.2f}",
         f"{r['hits']:,}", f"{r['differ']:,}"]
        for r in run["rows"]
    ]
    return f"abut {run['version']}, {run['rays']:,} rays, medians of {run['rounds']} rounds, one thread:\n\n" + table(head, rows)


def rays(run):
    peers = ["Bullet", "Embree"]
    head = ["", "a ray [ns]", *(part for peer in peers for part in (peer, f"abut over {peer}")), "rays that hit", "answers that differ"]
    rows = []
    for r in run["rows"]:
        others = [part for peer in peers for part in ([f"{r[peer + '_ns']:,.0f}", f"{r[peer + '_ratio']:.2f}"] if peer + "_ns" in r else ["", ""])]
        rows.append([r["shape"], f"{r['ns']:,.0f}", *others, f"{r['hits']:,}", f"{sum(r.get(peer + '_differ', 0) for peer in peers):,}"])
    making = run["making"]
    times = [["abut", f"{making['s']:.2f}"], *([peer, f"{making[peer + '_s']:.2f}"] for peer in peers if peer + "_s" in making)]
    return "\n\n".join(
        [
            f"abut {run['version']}, {run['rays']:,} rays, medians of {run['rounds']} rounds, one thread:",
            table(head, rows),
            table([f"making the mesh of {making['triangles']:,} triangles [s]", ""], times),
        ]
    )


def smooth(run):
    rows = {}
    for r in run["rows"]:
        if "median_us" not in r:
            continue
        name = {"cold": r["set"], "warm": r["set"], "rates": f"rates: {r['set']}"}.get(r["how"], f"{r['set']}, {r['how']}")
        time = r["median_us"]
        rows.setdefault(name, ["", ""])[r["how"] == "warm"] = f"{time:.1f}" if time >= 1.5 else f"{time:.2f}"
    return table(["pair", "cold [µs]", "warm [µs]"], [[name, *times] for name, times in rows.items()])


def lcp(run):
    engines = list(dict.fromkeys(e["engine"] for s in run["sets"] for e in s["engines"]))

    def cell(engine):
        if engine is None:
            return ""
        verdict = " ✗" if not engine["claimed"] else " **wrong**" if engine["residual"] > 1e-6 else ""
        time = engine["us"]
        return (f"{time:,.0f}" if time >= 100 else f"{time:.1f}" if time >= 10 else f"{time:.2f}") + verdict

    times = [[s["set"], *(cell(next((e for e in s["engines"] if e["engine"] == name), None)) for name in engines)] for s in run["sets"]]
    answers = [[s["set"], e["engine"], *(f"{e[key]:,}" for key in ("solved", "inexact", "given_up", "wrong"))] for s in run["answers"] for e in s["engines"]]
    goals = [[g["goal"], cell({**g, "claimed": True, "residual": 0.0}), cell({"us": g["at_most"], "claimed": True, "residual": 0.0}), "pass" if g["pass"] else "miss"] for g in run["goals"]]
    return "\n\n".join(
        [
            table(["[µs]", *engines], times),
            table([f"{run['answers'][0]['problems']:,} problems each", "", "solved", "inexact", "given up", "wrong"], answers),
            table(["goal [µs]", "", "at most", ""], goals),
        ]
    )


def tetmesh(run):
    separation = {(r["scene"], *r["elements"], r["threads"]): r["ms"] for r in run["resolve"] if r["mode"] == "zones"}

    def milliseconds(value):
        return f"{value:,.0f}" if value >= 10 else f"{value:.1f}"

    rows = [
        [p["scene"].removeprefix("balls, "), f"{p['elements'][0]:,}", f"{p['candidates']:,}", f"{p['intersecting']:,}", f"{p['threads']}"]
        + [milliseconds(p[key]["median"]) for key in ("boxes_ms", "intersections_ms", "depths_ms")]
        + [milliseconds(separation[p["scene"], *p["elements"], p["threads"]])]
        for p in run["pairs"]
    ]
    scenes = {}
    for r in run["resolve"]:
        if r["threads"] == 1 and (r["scene"], *r["elements"]) not in {(p["scene"], *p["elements"]) for p in run["pairs"]}:
            outcome = f"{r['rms']:.3g}; {r['flat']:,}; {r['inverted']:,}; " + (f"**{r['remaining']:,}**" if r["remaining"] else "0")
            scenes.setdefault((r["scene"], f"{r['elements'][0]:,} and {r['elements'][1]:,}"), {})[r["mode"]] = outcome
    return "\n\n".join(
        [
            table(["balls [ms]", "elements each", "boxes that meet", "pairs", "threads", "boxes", "and intersections", "depths", "separation"], rows),
            "RMS of the displacement; elements made flat; elements turned inside out; pairs that remain:",
            table(["scene", "elements", "zones", "sweeps, 50 at most"], [[*key, modes["zones"], modes["sweeps"]] for key, modes in scenes.items()]),
        ]
    )


WORLD_SCENES = {
    "boxes": "boxes falling",
    "hulls": "hulls falling",
    "wall": "brick wall",
    "columns": "columns of ten",
    "pyramid": "pyramid",
    "tower": "tower",
    "ratio": "heavy on light",
    "slope": "slope",
}
# Time of the default solver over Bullet's, at most, by scene and bodies.
WORLD_GOALS = {
    "columns": {100: 0.4, 1000: 0.36, 10000: 0.38},
    "pyramid": {990: 0.4},
    "wall": {1000: 0.5, 10000: 0.8},
    "boxes": {1000: 0.3, 10000: 0.38},
}


def world(run):
    rows = {}
    for r in run["results"]:
        rows.setdefault((r["scene"], r["bodies"]), {})[r["engine"], r["threads"]] = r
    quick, exact, bullet = ("quick", 1), ("abut", 1), ("bullet", 1)

    def time(found, key):
        ms = found[key]["ms"]["median"] if key in found else None
        return "" if ms is None else f"{ms:,.0f}" if ms >= 100 else f"{ms:.3g}"

    def ratio(found):
        return f"{found[quick]['ms']['median'] / found[bullet]['ms']['median']:.2f}" if quick in found and bullet in found else ""

    def lengths(found, key, *names):
        return " / ".join(f"{1e3 * found[key][name]:.2g}" for name in names) if key in found else ""

    def energy(found, key):
        return f"{found[key]['kinetic_j_per_kg']:.1g}" if key in found else ""

    times, ends = [], []
    for (scene, bodies), found in rows.items():
        name = [WORLD_SCENES.get(scene, scene), f"{bodies:,}"]
        goal = WORLD_GOALS.get(scene, {}).get(bodies)
        share = f"{100 * found[quick]['share']['solve']:.0f} %" if quick in found else ""
        growth = f"{found[quick]['growth']:.2f}" if "growth" in found.get(quick, {}) else ""
        times.append(
            [*name, *(time(found, key) for key in (quick, ("quick", 2), exact, bullet)), ratio(found), "" if goal is None else f"{goal:g}", share, growth]
        )
        deep, way = ("deep_m", "deepest_m"), ("drift_m", "farthest_m")
        ends.append([*name, *(f(found, key, *names) for f, names in ((lengths, deep), (lengths, way), (energy, ())) for key in (quick, exact, bullet))])
    head = ["median of a step [ms]", "bodies", "abut", "two threads", "exact", "Bullet", "abut over Bullet", "goal", "solver's share", "growth"]
    end_head = ["at the end", "bodies", *(f"{what}, {who}" for what in ("depth 99 % / most [mm]", "drift median / most [mm]", "J/kg") for who in ("abut", "exact", "Bullet"))]
    gains = [
        [WORLD_SCENES.get(g["name"], g["name"]), f"{g['count']:,}", f"{g['quiet_ms']:.3g}", f"{g['gain']:.2f}", f"{g['limit']:.2f}", f"{g['beside_ms']:.3g}", f"{g['cost']:.2f}"]
        for g in run.get("gains", [])
    ]
    gain_head = ["two threads", "bodies or pairs", "one thread [ms]", "gain", "gain of two copies", "one thread beside other programs [ms]", "time of two over time of one"]
    return "\n\n".join(([table(head, times), table(end_head, ends)] if times else []) + ([table(gain_head, gains), goal_rows(run)] if gains else []))


def joints(run):
    def millimetres(metres):
        return f"{1e3 * metres:.2g}"

    times, ends = [], []
    for scene in dict.fromkeys(r["scene"] for r in run["rows"]):
        rows = [r for r in run["rows"] if r["scene"] == scene]
        by = {r["engine"]: r for r in rows}
        first, bullet = by["abut"], by.get("Bullet")
        times.append(
            [scene, f"{first['bodies']:,}", f"{first['joints']:,}", *(f"{r['ms']:.3g}" for r in rows), f"{first['ms'] / bullet['ms']:.2f}" if bullet else "", first["hash"]]
        )
        for r in rows:
            ends.append(
                [scene, r["engine"], millimetres(r["apart_m"]), millimetres(r["most_apart_m"]), millimetres(r["whole_run_m"]), f"{r['askew_rad']:.2g}",
                 f"{millimetres(r['drift_m'])} / {millimetres(r['farthest_m'])}", f"{r['j_per_kg']:.2g}"]
            )
    engines = list(dict.fromkeys(r["engine"] for r in run["rows"]))
    head = ["median of a step [ms]", "bodies", "joints", *engines, "abut over Bullet", "hash of abut's last state"]
    end_head = ["the last second", "", "joints apart, 99 % [mm]", "most", "in the whole run", "hinges askew, 99 % [rad]", "bodies move, median / most [mm]", "J/kg"]
    return f"abut {run['version']}, {run['steps']} steps of 1/60 s:\n\n" + table(head, times) + "\n\n" + table(end_head, ends)


REPORTS = {
    "narrow": narrow, "mesh": mesh, "many": many, "queries": queries, "rays": rays, "joints": joints, "smooth": smooth, "lcp": lcp, "depth": depth, "tetmesh": tetmesh, "facet": facet, "dem": dem, "grains": grains, "world": world
}


def page(name, text, option=""):
    """The whole file for the benchmark of this name."""
    return (
        f"# Results of `bench_{name}{option}`\n\nWritten by `build/release/bench/bench_{name}{option} --json {name}.json` and "
        f"`python3 scripts/measure/bench_report.py {name}.json`; do not edit. The method: [benchmarks](../methods/benchmarks.md#bench_{name}).\n\n{text}\n"
    )


def main(arguments):
    options = parse_arguments(arguments)
    try:
        run = json.loads(options.results.read_text())
        name = run.get("benchmark")
        if name not in REPORTS:
            raise Failure(f"{options.results}: benchmark {name!r}; known: {', '.join(REPORTS)}")
        loose = run.get("loose", False)
        output = options.output or RESULTS / (f"{name}_loose.md" if loose else f"{name}.md")
        output.write_text(page(name, REPORTS[name](run), " --loose" if loose else ""))
    except (OSError, ValueError, Failure) as error:
        print(f"bench_report.py: {error}", file=sys.stderr)
        return 1
    print(f"{output}: results of {name} written")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
