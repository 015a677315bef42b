"""The figures of docs/results/hand.md: how many records stood after each stage of a task, and what a dropped box did. scripts/measure/hand_tasks.py calls
this file."""

import math

from figure import Picture

METHODS = ("patch", "tracking")
STYLE = """
.patch_line{stroke:#2f6bb0}.track_line{stroke:#b96a12}.fine_line{stroke:#70757e;stroke-dasharray:4 3}
.curve{fill:none;stroke-width:1.9}.grid{fill:none;stroke:#e2dfd8;stroke-width:1}
.patch_band{fill:#3f7fc8;fill-opacity:.2}.track_band{fill:#dd8a2e;fill-opacity:.24}
"""
DARK = """
.patch_line{stroke:#74aef0}.track_line{stroke:#f0ac5a}.fine_line{stroke:#a0a7b1}.grid{stroke:#343a43}
"""
CLASSES = {"patch": "patch", "tracking": "track", "fine": "fine"}
LEFT, TOP, GAP = 56, 62, 56


def legend(picture, width, fine=False):
    entries = [(width - 300, "patch", "whole patches"), (width - 160, "tracking", "contact tracking")]
    if fine:
        entries.append((width - 520, "fine", "whole patches, half steps"))
    for x, method, words in entries:
        picture.polyline([(x, 24), (x + 22, 24)], f"curve {CLASSES[method]}_line")
        picture.text(x + 28, 28, words, "small")


# ---- records that stood ----


def standing(results, task, method):
    """How many records stood at the start and after each stage; a record with fewer stages keeps the state of its end."""
    runs = [r for r in results if r["task"] == task and r["method"] == method]
    stages = max((len(r["passed"]) for r in runs), default=0)
    return [len(runs)] + [sum(r["passed"][min(i, len(r["passed"]) - 1)] for r in runs) for i in range(stages)]


def draw_tasks(results, path):
    panels = [
        ("wall", "bricks pulled with care"),
        ("wall_any", "any bricks pulled"),
        ("tower", "objects piled, then two presses"),
    ]
    panels = [(task, words) for task, words in panels if any(r["task"] == task for r in results)]
    side, height = 210, 200
    width = LEFT + len(panels) * (side + GAP)
    picture = Picture(max(width, 460), TOP + height + 44, "Records that stood after each stage of a task", STYLE, DARK)
    legend(picture, picture.width, any(r["method"] == "fine" for r in results))
    picture.text(16, 28, "records that stand", "title")
    for at, (task, words) in enumerate(panels):
        x0 = LEFT + at * (side + GAP)
        counts = {method: standing(results, task, method) for method in (*METHODS, "fine")}
        most, last = counts["patch"][0], len(counts["patch"]) - 1
        for share in (0.0, 0.5, 1.0):
            y = TOP + height * (1 - share)
            picture.polyline([(x0, y), (x0 + side, y)], "grid")
            picture.text(x0 - 8, y + 4, f"{share * most:g}", "end small quiet")
        for method, shift in (("patch", -1.5), ("tracking", 1.5), ("fine", 0.0)):
            if not counts[method][0]:
                continue
            points = [(x0 + side * i / last, TOP + height * (1 - n / most) + shift) for i, n in enumerate(counts[method])]
            picture.polyline(points, f"curve {CLASSES[method]}_line")
            picture.dots(points, 5, f"{CLASSES[method]}_line")
        picture.text(x0, TOP + height + 18, "0", "small quiet")
        picture.text(x0 + side, TOP + height + 18, f"{last} stages", "end small quiet")
        picture.text(x0 + side / 2, TOP + height + 34, words, "mid small")
    picture.write(path)


# ---- the box ----


def spread(runs, key):
    """(least, median, largest) at every step."""
    rows = []
    for values in zip(*(r["series"][key] for r in runs)):
        ordered = sorted(values)
        rows.append((ordered[0], ordered[len(ordered) // 2], ordered[-1]))
    return rows


def draw_drop(results, path):
    runs = {method: [r for r in results if r["task"] == "drop" and r["method"] == method] for method in METHODS}
    panels = [("penetration", "penetration [m]", -12, 0), ("alignment", "alignment error [rad]", -16, 0), ("energy", "kinetic energy [J]", -30, 6)]
    side, height, stride = 210, 220, 5
    width = LEFT + len(panels) * (side + GAP)
    picture = Picture(width, TOP + height + 40, "A dropped box over time", STYLE, DARK)
    legend(picture, width)
    for at, (key, words, low, high) in enumerate(panels):
        x0 = LEFT + at * (side + GAP)

        def place(time, value):
            power = low if value <= 10.0**low else min(high, math.log10(value))
            return x0 + side * time / 5.0, TOP + height * (high - power) / (high - low)

        picture.text(x0, TOP - 10, words, "small")
        tick = 4 if high - low <= 16 else 12
        for power in range(high, low - 1, -tick):
            y = place(0, 10.0**power)[1]
            picture.polyline([(x0, y), (x0 + side, y)], "grid")
            picture.text(x0 - 6, y + 4, f"1e{power}".replace("-", "\u2212"), "end small quiet")
        for method in METHODS:
            times = runs[method][0]["series"]["time"][::stride]
            rows = spread(runs[method], key)[::stride]
            band = [place(t, row[2]) for t, row in zip(times, rows)] + [place(t, row[0]) for t, row in zip(times, rows)][::-1]
            picture.polygon(band, f"{CLASSES[method]}_band")
            picture.polyline([place(t, row[1]) for t, row in zip(times, rows)], f"curve {CLASSES[method]}_line")
        picture.text(x0, TOP + height + 18, "0", "small quiet")
        picture.text(x0 + side, TOP + height + 18, "5 s", "end small quiet")
    picture.write(path)


def draw(results, folder):
    if any(r["task"] != "drop" for r in results):
        draw_tasks(results, folder / "hand_tasks.svg")
    if any(r["task"] == "drop" for r in results):
        draw_drop(results, folder / "hand_drop.svg")
