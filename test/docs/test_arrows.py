"""The architecture as the includes show it.

Rooms:    tool -> io -> step -> {narrow, solve, broad} -> shape -> geom -> base; tetra -> geom. tool and io see the library through <abut/...> only.
narrow:   query -> {collide, dispatch, batch, compound} -> facet -> curved -> mesh -> {seam, box, round} -> {pair, refuse, exchanged, generators, separating, solids} -> patch -> normal.
step:     files at its root -> {fixed, event, dem} -> world; touch -> query -> world.
io:       {page, export} -> record -> surface -> scene -> {mesh, tet} -> file.

No include circle has more than 8 files (a .c file and its header count as one). No folder of src or io holds more than 45 files, and no file name repeats
its folder's name as a prefix. The library's rooms include no third-party headers except those named here.

`test_arrows.py --figures FOLDER` prints the figures of any checkout: files per folder, circles, arrows between rooms."""

import os
import re
import sys
import tempfile
from collections import Counter
from pathlib import Path

INCLUDE = re.compile(r'^\s*#\s*include\s+(["<])([^">]+)[">]', re.MULTILINE)
MOST_FILES = 45
MOST_IN_CIRCLE = 8

MAY_INCLUDE = {
    "base": {"base"},
    "geom": {"geom", "base"},
    "shape": {"shape", "geom", "base"},
    "tetra": {"tetra", "geom", "base"},
    "broad": {"broad", "shape", "geom", "base"},
    "narrow": {"narrow", "shape", "geom", "base"},
    "solve": {"solve", "shape", "geom", "base"},
    "step": {"step", "narrow", "solve", "broad", "shape", "geom", "base"},
    "io": {"io"},
    "tool": {"tool", "io"},
    "examples": {"examples"},
}

# Places inside a room, the lowest layer first. A place is a folder, or a group of files at the room's root: "name" of the group -> the files' stems; "*" takes
# all others. Files of one place may include each other; all other arrows must lead to a lower layer.
LAYERS = {
    "narrow": [["normal"], ["patch"], [("pair", {"pair", "refuse", "exchanged", "generators", "separating", "solids"})], ["seam", "box", "round"], ["mesh"], ["curved"], ["facet"],
               [("collide", {"collide", "dispatch", "batch", "compound"})], ["query"]],
    "step": [["world"], ["fixed", "event", "dem", "query"], ["touch"], [("step", {"*"})]],
    "io": [["file"], ["mesh", "tet"], ["scene"], ["surface"], ["record"], ["page", "export"]],
}

STANDARD = {f"{name}.h" for name in "assert ctype errno fenv float inttypes limits locale math setjmp signal stdalign stdarg stdatomic stdbool stddef stdint stdio "
            "stdlib string tgmath threads time wchar".split()}
THIRD_PARTY = {"base": {"pthread.h", "sched.h", "unistd.h", "emmintrin.h", "immintrin.h"}, "geom": {"immintrin.h"}, "tetra": {"immintrin.h"}, "shape": {"libqhull_r/"}, "step": set()}


def folder_of(root, room):
    """src/ROOM for a room of the library, else ROOM."""
    return root / "src" / room if (root / "src" / room).is_dir() else root / room


def sources(folder):
    return sorted(folder.rglob("*.[ch]"))


def includes(path):
    """[(quote, name)] of a file."""
    return INCLUDE.findall(path.read_text())


def resolve(root, path, name):
    """The file that a quoted include names, for any including file; None if there is none."""
    for base in (root / "src", root, root / "io", path.parent):
        if (base / name).is_file():
            return (base / name).resolve()
    return None


def place_of(room, path):
    """(layer, place) of a file, by its path inside the room; None if the tables do not name it."""
    folder = path.parts[0] if len(path.parts) > 1 else None
    for layer, places in enumerate(LAYERS[room]):
        for place in places:
            if isinstance(place, str):
                if place == folder:
                    return layer, place
            elif folder is None and (path.stem in place[1] or "*" in place[1]):
                return layer, place[0]
    return None


def layer_faults(root):
    """Arrows in the wrong direction inside rooms with layers."""
    faults = []
    for room in LAYERS:
        folder = folder_of(root, room).resolve()
        for path in sources(folder):
            own = place_of(room, path.relative_to(folder))
            if own is None:
                faults.append(f"{path.relative_to(root.resolve())} belongs to no layer of {room}")
                continue
            for quote, name in includes(path):
                other = resolve(root, path, name) if quote == '"' else None
                if other is None or not other.is_relative_to(folder):
                    continue
                target = place_of(room, other.relative_to(folder))
                if target is not None and target[1] != own[1] and target[0] >= own[0]:
                    faults.append(f'{path.relative_to(root.resolve())} includes "{name}": {own[1]} -> {target[1]}')
    return faults


def room_faults(root):
    """Arrows in the wrong direction between rooms, third-party headers in the library, and includes with paths that do not start at the root."""
    faults = []
    for room, allowed in MAY_INCLUDE.items():
        folder = folder_of(root, room)
        for path in sources(folder):
            for quote, name in includes(path):
                if quote == "<":
                    known = name.startswith("abut/") or name in STANDARD or any(name.startswith(other) for other in THIRD_PARTY.get(room, ()))
                    if folder.parent.name == "src" and not known:
                        faults.append(f"{path.relative_to(root)} includes <{name}>")
                    continue
                # Paths start at the room: "narrow/mesh/ball.h", "io/scene/scene.h", "tool/cli.h". The examples have a single folder, so their headers are named
                # without a folder.
                other = name.split("/")[0] if "/" in name else room
                full = folder.parent / name if "/" in name else folder / name
                if other not in allowed or not full.is_file() or ("/" not in name and room != "examples"):
                    faults.append(f'{path.relative_to(root)} includes "{name}"')
    return faults


def graph(root):
    """{unit: units that it includes}; a .c file and its header are one unit, named by the path without the ending."""
    found = {}
    top = root.resolve()
    for room in ("src", "io", "tool"):
        for path in sources(top / room):
            unit = found.setdefault(str(path.relative_to(top).with_suffix("")), set())
            for quote, name in includes(path):
                other = resolve(top, path, name) if quote == '"' else None
                if other is not None and other.is_relative_to(top):
                    unit.add(str(other.relative_to(top).with_suffix("")))
    for unit, others in found.items():
        others.discard(unit)
    return found


def circles(arrows):
    """The strongly connected components of two units or more, the largest first (Tarjan's algorithm, without recursion)."""
    index, low, stack, on_stack, found = {}, {}, [], set(), []
    for start in sorted(arrows):
        work = [(start, iter(sorted(arrows[start])))] if start not in index else []
        while work:
            unit, others = work[-1]
            if unit not in index:
                index[unit] = low[unit] = len(index)
                stack.append(unit)
                on_stack.add(unit)
            for other in others:
                if other not in index:
                    work.append((other, iter(sorted(arrows.get(other, ())))))
                    break
                if other in on_stack:
                    low[unit] = min(low[unit], index[other])
            else:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[unit])
                if low[unit] == index[unit]:
                    component = []
                    while not component or component[-1] != unit:
                        component.append(stack.pop())
                        on_stack.discard(component[-1])
                    if len(component) > 1:
                        found.append(sorted(component))
    return sorted(found, key=lambda component: (-len(component), component))


def circle_faults(root):
    return [f"a circle of {len(circle)} files: {', '.join(circle)}" for circle in circles(graph(root)) if len(circle) > MOST_IN_CIRCLE]


def folders(root):
    """{folder: its files} of src, io and tool."""
    found = {}
    for room in ("src", "io", "tool"):
        for path in sorted((root / room).rglob("*")):
            if path.is_file():
                found.setdefault(str(path.parent.relative_to(root)), []).append(path.name)
    return found


def folder_faults(root):
    faults = []
    for folder, files in folders(root).items():
        if folder.split("/")[0] == "tool":
            continue
        if len(files) > MOST_FILES:
            faults.append(f"{folder} holds {len(files)} files")
        prefix = Path(folder).name + "_"
        faults += [f"{folder}/{name} repeats its folder's name" for name in files if name.startswith(prefix)]
    return faults


def room_of(unit):
    parts = unit.split("/")
    return parts[1] if parts[0] == "src" else parts[0]


def place_name(unit):
    """A room, with the folder inside it for those that have layers: narrow/mesh. Files at the root of the room: narrow."""
    parts = unit.split("/")[1:] if unit.startswith("src/") else unit.split("/")
    return "/".join(parts[:2]) if parts[0] in LAYERS and len(parts) > 2 else parts[0]


def figures(root):
    """Lines of text: files per folder, circles, arrows between rooms and between the folders inside a room."""
    lines = ["files per folder"]
    for folder, files in sorted(folders(root).items(), key=lambda item: -len(item[1])):
        lines.append(f"  {len(files):4d}  {folder}")
    arrows = graph(root)
    lines.append("circles")
    for circle in circles(arrows):
        lines.append(f"  {len(circle):4d}  {', '.join(circle)}")
    for title, name in (("arrows between rooms", room_of), ("arrows inside rooms", place_name)):
        count = Counter((name(unit), name(other)) for unit, others in arrows.items() for other in others if name(unit) != name(other))
        lines.append(title)
        for (start, end), n in sorted(count.items()):
            if name is room_of or start.split("/")[0] == end.split("/")[0]:
                lines.append(f"  {n:4d}  {start} -> {end}")
    return lines


def faults_of(root):
    return room_faults(root) + layer_faults(root) + circle_faults(root) + folder_faults(root)


# ---- the checker itself: made-up trees, each with one fault ----

SOUND = {
    "src/base/real.h": "", "src/geom/plane.c": '#include "base/real.h"\n#include <math.h>\n',
    "src/narrow/normal/normal.h": '#include "geom/plane.h"\n', "src/geom/plane.h": "", "src/narrow/patch/patch.h": '#include "narrow/normal/normal.h"\n',
    "src/narrow/pair.h": '#include "narrow/patch/patch.h"\n', "src/narrow/mesh/ball.c": '#include "narrow/pair.h"\n',
    "src/narrow/collide.c": '#include "narrow/pair.h"\n', "src/narrow/query/ray.c": '#include "narrow/pair.h"\n',
    "src/step/world/world.h": "", "src/step/fixed/stepper.c": '#include "step/world/world.h"\n', "src/step/step.c": '#include "step/world/world.h"\n',
    "io/file/file.h": "", "io/scene/scene.h": '#include "io/file/file.h"\n', "io/record/recording.c": '#include "io/scene/scene.h"\n',
    "tool/cli.h": "", "tool/run.c": '#include "tool/cli.h"\n#include "io/scene/scene.h"\n#include <abut/world.h>\n',
}

BROKEN = {
    "a room above": ({"src/geom/plane.c": '#include "narrow/pair.h"\n'}, 'src/geom/plane.c includes "narrow/pair.h"'),
    "the tool in the library": ({"tool/run.c": '#include "geom/plane.h"\n'}, 'tool/run.c includes "geom/plane.h"'),
    "a third-party header": ({"src/geom/plane.c": "#include <jansson.h>\n"}, "src/geom/plane.c includes <jansson.h>"),
    "no such file": ({"src/geom/plane.c": '#include "geom/none.h"\n'}, 'src/geom/plane.c includes "geom/none.h"'),
    "normal in patch": ({"src/narrow/normal/normal.h": '#include "narrow/patch/patch.h"\n'}, "normal -> patch"),
    "normal in pair": ({"src/narrow/normal/normal.h": '#include "narrow/pair.h"\n'}, "normal -> pair"),
    "mesh in facet": ({"src/narrow/mesh/ball.c": '#include "narrow/facet/facet.h"\n', "src/narrow/facet/facet.h": ""}, "mesh -> facet"),
    "a file without a layer": ({"src/narrow/other.c": ""}, "src/narrow/other.c belongs to no layer of narrow"),
    "world in fixed": ({"src/step/world/world.h": '#include "step/fixed/fixed.h"\n', "src/step/fixed/fixed.h": ""}, "world -> fixed"),
    "scene in record": ({"io/scene/scene.h": '#include "io/record/recording.h"\n', "io/record/recording.h": ""}, "scene -> record"),
    "io written from its room": ({"io/scene/scene.h": '#include "file/file.h"\n'}, 'io/scene/scene.h includes "file/file.h"'),
    "io written from its folder": ({"io/scene/scene.h": '#include "keys.h"\n', "io/scene/keys.h": ""}, 'io/scene/scene.h includes "keys.h"'),
    "tool written from its folder": ({"tool/run.c": '#include "cli.h"\n'}, 'tool/run.c includes "cli.h"'),
    "a circle of 9": ({f"src/geom/c{i}.h": f'#include "geom/c{(i + 1) % 9}.h"\n' for i in range(9)}, "a circle of 9 files"),
    "a circle through .c files": ({f"src/geom/c{i}.{e}": f'#include "geom/c{(i + 1) % 9}.h"\n' if e == "c" else "" for i in range(9) for e in "ch"},
                                  "a circle of 9 files"),
    "too many files": ({f"src/geom/f{i}.c": "" for i in range(44)}, "src/geom holds 46 files"),
    "a repeated name": ({"src/geom/geom_plane.c": ""}, "src/geom/geom_plane.c repeats its folder's name"),
}


def write_tree(root, files):
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)


def check_checker():
    """Errors that the checker misses, and false findings."""
    wrong = []
    eight = {f"src/geom/c{i}.h": f'#include "geom/c{(i + 1) % 8}.h"\n' for i in range(8)}
    cases = {"sound": ({}, None), "a circle of 8": (eight, None), "45 files": ({f"src/geom/f{i}.c": "" for i in range(43)}, None), **BROKEN}
    for name, (change, expected) in cases.items():
        with tempfile.TemporaryDirectory() as folder:
            root = Path(folder).resolve()
            write_tree(root, {**SOUND, **change})
            found = faults_of(root)
            fine = not found if expected is None else len(found) == 1 and expected in found[0]
            if not fine:
                wrong.append(f"the checker itself: {name}: {found}")
            if "circle" in name and not any("c0" in line for line in figures(root)):
                wrong.append(f"the checker itself: {name}: figures do not show it")
    return wrong


def main():
    if len(sys.argv) == 3 and sys.argv[1] == "--figures":
        print("\n".join(figures(Path(sys.argv[2]).resolve())))
        return 0
    if len(sys.argv) != 1:
        return "usage: test_arrows.py [--figures FOLDER]"
    root = Path(os.environ["ABUT_TEST_SOURCE_DIR"]).resolve()
    wrong = check_checker() + faults_of(root)
    print("\n".join(figures(root)))
    if len(graph(root)) < 50:
        return f"only {len(graph(root))} files found"
    print("\n".join(wrong))
    return "the includes do not follow the architecture" if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
