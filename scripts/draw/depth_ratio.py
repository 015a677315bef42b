#!/usr/bin/env python3
"""Draw docs/figures/depth_ratio.svg: deformable over rigid depth of random pairs, as in figure 6 of the paper, and its distribution."""

import argparse
import json
import pathlib
import sys

from figure import Picture, ROOT

# key in the JSON, words, class
SERIES = [
    ("static_paper", "static and deforming", "ss"),
    ("accelerated", "accelerated", "bs"),
    ("paper", "both deforming, as printed", "as"),
    ("free", "both, any normal", "fs"),
]
STYLE = """
.as{stroke:#2f6bb0}.bs{stroke:#c9761a}.ss{stroke:#9aa0aa}.fs{stroke:#1c8a54}
.grid{fill:none;stroke:#e2dfd8;stroke-width:1}
.curve{fill:none;stroke-width:1.8}.mean{fill:none;stroke-width:1.4;stroke-dasharray:5 3}
"""
DARK = """
.as{stroke:#74aef0}.bs{stroke:#f0ac5a}.ss{stroke:#7d8590}.fs{stroke:#47c489}
.grid{stroke:#343a43}
"""
LEFT, TOP, HEIGHT, WIDTH, GAP, SIDE, HIGHEST = 52, 40, 300, 420, 36, 250, 80


def y_of(percent):
    return TOP + HEIGHT * (1 - percent / HIGHEST)


def draw_axes(picture, shown, pairs):
    for percent in range(0, HIGHEST + 1, 10):
        y = y_of(percent)
        picture.polyline([(LEFT, y), (LEFT + WIDTH, y)], "grid")
        picture.polyline([(LEFT + WIDTH + GAP, y), (LEFT + WIDTH + GAP + SIDE, y)], "grid")
        picture.text(LEFT - 8, y + 4, f"{percent} %", "end small quiet")
    picture.text(LEFT, 24, "deformable depth over rigid depth", "title")
    picture.text(LEFT + WIDTH / 2, TOP + HEIGHT + 20, f"the first {shown} pairs, one after another", "mid small quiet")
    picture.text(LEFT + WIDTH + GAP + SIDE / 2, TOP + HEIGHT + 20, f"share of {pairs:,} pairs that stay below, 0 to 100 %", "mid small quiet")


def cumulative(histogram, bin_percent):
    """The cumulative distribution: the ratio over the share of pairs below it, from none at the left to all at the right."""
    points, whole, below = [], sum(histogram), 0
    for i, count in enumerate(histogram):
        if 0 < below + count and below < whole and (i + 1) * bin_percent <= HIGHEST:
            points.append((LEFT + WIDTH + GAP + SIDE * below / whole, y_of(i * bin_percent)))
        below += count
    return points


def draw_key(picture, variants):
    """The key: names, with our mean and the paper's."""
    for x, (key, words, line) in zip((70, 252, 432, 622), SERIES):
        y = y_of(0) - 34
        mean, paper = variants[key]["mean"], variants[key]["paper_mean"]
        picture.polyline([(x - 16, y - 4), (x - 4, y - 4)], f"line {line} wide")
        picture.text(x + 3, y, words, "small")
        picture.text(x + 3, y + 16, f"mean {mean:.1f} %" + (f" (paper {paper:.1f} %)" if paper is not None else ""), "small quiet")


def draw(run, path):
    ratios = run["ratios"]
    variants = {variant["key"]: variant for variant in ratios["variants"]}
    shown = len(variants["paper"]["first_pairs"])
    picture = Picture(800, TOP + HEIGHT + 36, "Deformable depth over rigid depth of random pairs", STYLE, DARK)
    draw_axes(picture, shown, ratios["pairs"])
    for key, _, line in SERIES:
        values = variants[key]["first_pairs"]
        step = WIDTH / len(values)
        picture.dots([(LEFT + (i + 0.5) * step, y_of(v)) for i, v in enumerate(values) if v <= HIGHEST], 3.6, line)
        picture.polyline(cumulative(variants[key]["histogram"], ratios["bin_percent"]), f"curve {line}")
        mean = y_of(variants[key]["mean"])
        picture.polyline([(LEFT, mean), (LEFT + WIDTH, mean)], f"mean {line}")
    draw_key(picture, variants)
    picture.write(path)


def parse_arguments(arguments):
    parser = argparse.ArgumentParser(
        prog="depth_ratio.py",
        description="Draw docs/figures/depth_ratio.svg from the output of bench_depth. Its pairs and depths are the same on every machine.",
        epilog="Example: build/release/bench/bench_depth --json depth.json && python3 scripts/draw/depth_ratio.py depth.json",
    )
    parser.add_argument("results", type=pathlib.Path, metavar="FILE.json", help="the JSON of the benchmark")
    parser.add_argument(
        "-o", "--output", type=pathlib.Path, default=ROOT / "docs" / "figures" / "depth_ratio.svg", metavar="FILE.svg",
        help="default: docs/figures/depth_ratio.svg",
    )
    return parser.parse_args(arguments)


def main(arguments):
    options = parse_arguments(arguments)
    try:
        run = json.loads(options.results.read_text(encoding="utf-8"))
        if run.get("benchmark") != "depth" or "ratios" not in run:
            raise ValueError("these are not the ratios of bench_depth")
    except (OSError, ValueError) as error:
        print(f"depth_ratio.py: {options.results}: {error}", file=sys.stderr)
        return 1
    draw(run, options.output)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
