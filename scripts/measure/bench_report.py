#!/usr/bin/env python3
"""Write what a benchmark measured into docs/methods/benchmarks.md: its JSON as Markdown tables, between the two markers that name it."""

import argparse
import json
import math
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]


class Failure(Exception):
    """One line that says what went wrong."""


def parse_arguments(arguments):
    parser = argparse.ArgumentParser(
        prog="bench_report.py",
        description="Write the JSON of bench_narrow, bench_depth, bench_facet, bench_dem or bench_grains into the document as tables. What stood between the "
        "markers <!-- narrow: begin --> and <!-- narrow: end --> (or depth, facet, dem, grains) goes; the rest of the document stays.",
        epilog="Example: build/release/bench/bench_narrow --json narrow.json && python3 scripts/measure/bench_report.py narrow.json",
    )
    parser.add_argument("results", type=pathlib.Path, metavar="FILE.json", help="what the benchmark wrote")
    parser.add_argument(
        "-o", "--document", type=pathlib.Path, default=ROOT / "docs" / "benchmarks.md", metavar="FILE.md", help="default: docs/methods/benchmarks.md"
    )
    return parser.parse_args(arguments)


def microseconds(nanoseconds):
    """Three digits that count."""
    value = nanoseconds / 1000.0
    return f"{value:.{max(0, 2 - math.floor(math.log10(value)))}f}" if value > 0.0 else "0"


def table(head, rows):
    """Markdown; all columns but the first are numbers, set to the right."""
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
        default = f"{goal['default_ratio']:.2f}" if "default_ratio" in goal else ""
        rows.append([goal["goal"], f"{goal['ratio']:.2f}", f"{goal['limit']:g}", default, goal["reference"], verdict])
    return table(["goal", "ratio", "at most", "default normal", "against", ""], rows)


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
        parts += ["### Goals", goals(run)]
    shapes = None
    for measured in run["sets"]:
        if measured["shapes"] != shapes:
            shapes = measured["shapes"]
            parts.append(f"### {shapes[0].upper()}{shapes[1:]}")
        parts.append(figures(measured))
    return "\n\n".join(parts)


def percent(mean, deviation=None):
    """A mean, with its standard deviation in brackets; nothing where there is none."""
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
    shares.append(["accelerated is deeper than the best, on average", percent(excess["mean"]), "< 5", "5.53"])
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
    unfair = [] if run["fair"] else ["**Two programs did not have the same bed at rest: the comparison is not fair.**"]
    return "\n\n".join([f"abut {run['version']}.", *unfair, table(head, rows), goal_rows(run)])


REPORTS = {"narrow": narrow, "depth": depth, "facet": facet, "grains": grains, "dem": dem}


def insert(document, name, text):
    """The document with the text between its markers for the benchmark of this name."""
    pattern = re.compile(rf"(<!-- {name}: begin -->\n).*?(<!-- {name}: end -->)", re.DOTALL)
    changed, count = pattern.subn(lambda found: f"{found[1]}\n{text}\n\n{found[2]}", document)
    if count != 1:
        raise Failure(f"the document must have the markers <!-- {name}: begin --> and <!-- {name}: end --> once, it has them {count} times")
    return changed


def main(arguments):
    options = parse_arguments(arguments)
    try:
        run = json.loads(options.results.read_text())
        name = run.get("benchmark")
        if name not in REPORTS:
            raise Failure(f"{options.results}: benchmark {name!r}; known: {', '.join(REPORTS)}")
        options.document.write_text(insert(options.document.read_text(), name, REPORTS[name](run)))
    except (OSError, ValueError, Failure) as error:
        print(f"bench_report.py: {error}", file=sys.stderr)
        return 1
    print(f"{options.document}: figures of {name} written")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
