"""What a call of the Python package costs beside the same call in C: single calls, and pairs of batches.

The loops in C are compiled here and linked to the library of the wheel's own build, so that both answer with the same code.
"""

import ctypes
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

LOOPS = """
#include <abut/abut.h>
#include <stdlib.h>

static abut_pair pair_of(const abut_shape *s, const abut_pose *a, const abut_pose *b) { return (abut_pair){s, *a, s, *b}; }

const abut_shape *shape(int kind) {
    abut_shape *made = NULL;
    abut_status status = kind == 0 ? abut_shape_create_sphere(0.3, &made) : kind == 1 ? abut_shape_create_capsule(0.06, 0.1, &made)
                                   : abut_shape_create_box(abut_vec3_make(0.3, 0.4, 0.5), &made);
    return status == ABUT_OK ? made : NULL;
}

int distance(const abut_shape *s, const abut_pose *a, const abut_pose *b, int32_t n, abut_separation *out) {
    int wrong = 0;
    for (int32_t i = 0; i < n; i++) {
        abut_pair pair = pair_of(s, &a[i], &b[i]);
        wrong += abut_distance(&pair, NULL, NULL, &out[i]) != ABUT_OK;
    }
    return wrong;
}

int overlap(const abut_shape *s, const abut_pose *a, const abut_pose *b, int32_t n, bool *out) {
    int wrong = 0;
    for (int32_t i = 0; i < n; i++) {
        abut_pair pair = pair_of(s, &a[i], &b[i]);
        wrong += abut_overlap(&pair, NULL, &out[i]) != ABUT_OK;
    }
    return wrong;
}

int collide(const abut_shape *s, const abut_pose *a, const abut_pose *b, int32_t n, abut_contact *out, abut_pair *pairs, abut_pair_result *results) {
    int64_t needed;
    abut_parallel one = {.threads = 1};
    for (int32_t i = 0; i < n; i++) {
        pairs[i] = pair_of(s, &a[i], &b[i]);
    }
    return abut_collide_batch(pairs, n, NULL, NULL, &one, out, 8 * (int64_t)n, &needed, results) != ABUT_OK;
}
"""


def loops(build):
    """The functions of LOOPS, with the library in the folder of the wheel's build."""
    root = Path(__file__).resolve().parents[2]
    folder = Path(tempfile.mkdtemp())
    (folder / "loops.c").write_text(LOOPS)
    qhull = [word for word in (build / "build.ninja").read_text().split() if "libqhull_r" in word][:1]
    subprocess.run(["cc", "-O2", "-ffp-contract=off", "-fPIC", "-shared", f"-I{root}/include", f"-I{build}/abut/include", folder / "loops.c", "-o",
                    folder / "loops.so", "-Wl,-Bsymbolic", build / "abut" / "libabut.a", *qhull, "-lm", "-lpthread"], check=True)
    library = ctypes.CDLL(str(folder / "loops.so"))
    library.shape.restype = ctypes.c_void_p
    return library


def shortest(run, repeats=9):
    times = []
    for _ in range(repeats):
        start = time.process_time()
        run()
        times.append(time.process_time() - start)
    return min(times)


def measure(build, poses_a, poses_b, calls=20000):
    import abut

    library, count = loops(build), len(poses_a)
    address = lambda array: array.ctypes.data_as(ctypes.c_void_p)  # noqa: E731
    shapes = {"balls": abut.sphere(0.3), "capsules": abut.capsule(0.06, 0.1), "boxes": abut.box((0.3, 0.4, 0.5))}
    out, pairs, results = (np.zeros(count * size, dtype=np.uint8) for size in (8 * 128, 128, 64))
    rows = []
    for kind, (name, shape) in enumerate(shapes.items()):
        same = ctypes.c_void_p(library.shape(kind))
        for question in ("distance", "overlap", "collide"):
            ask, loop = getattr(abut, question), getattr(library, question)
            further = (address(pairs), address(results)) if question == "collide" else ()
            if loop(same, address(poses_a), address(poses_b), count, address(out), *further) != 0:
                sys.exit(f"the loop in C failed: {question} of {name}")
            python = shortest(lambda: ask(shape, poses_a, shape, poses_b, threads=1)) / count
            alone = shortest(lambda: loop(same, address(poses_a), address(poses_b), count, address(out), *further)) / count
            rows.append({"shapes": name, "question": question, "python": python, "c": alone})
    ball, place = abut.sphere(0.5), np.array([0, 0, 0.9, 0, 0, 0, 1.0])
    single = {question: shortest(lambda: [getattr(abut, question)(ball, None, ball, place) for _ in range(calls)], 5) / calls
              for question in ("distance", "overlap", "collide")}  # fmt: skip
    loading = [float(subprocess.run([sys.executable, "-c", f"import time; t = time.process_time(); import {name}; print(time.process_time() - t)"],
                                    stdout=subprocess.PIPE, text=True, check=True).stdout) for name in ("numpy", "abut") * 5]  # fmt: skip
    return {"pairs": count, "rows": rows, "single": single, "import_numpy": min(loading[::2]), "import_abut": min(loading[1::2])}


def table(found):
    lines = ["", f"A batch of {found['pairs']:,} pairs beside the same loop in C, on one thread, in nanoseconds a pair:", "",
             "| shapes | question | Python | C | more |", "|---|---|--:|--:|--:|"]  # fmt: skip
    for row in found["rows"]:
        python, alone = 1e9 * row["python"], 1e9 * row["c"]
        lines.append(f"| {row['shapes']} | `{row['question']}` | {python:.0f} | {alone:.0f} | {python - alone:.0f} |")
    calls = ", ".join(f"`{name}` {1e6 * time:.1f}" for name, time in found["single"].items())
    lines += ["", f"A call for two balls takes, in microseconds: {calls}. `import abut` takes {1e3 * found['import_abut']:.0f} ms of processor", "time, of which "
              f"`import numpy` has {1e3 * found['import_numpy']:.0f}."]  # fmt: skip
    return lines
