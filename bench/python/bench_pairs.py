"""Pairs of shapes from Python: abut beside coal, python-fcl and MuJoCo from PyPI, in one run and on one thread.

    python3 -m venv env && env/bin/pip install ./python coal python-fcl mujoco && env/bin/python bench/python/bench_pairs.py --markdown docs/results/python.md

Each library gets the same pairs, in the way in which its users ask for many of them: abut in one call, the others in a loop. Depths and distances are compared with
an independent oracle in NumPy: separating axes of all faces and all pairs of edges for bodies that overlap, for a part of the pairs. An answer is wrong when a depth
is off by more than 1 % of the oracle's, or when an overlap is missed or false beyond 1e-6.
"""

from __future__ import annotations

import argparse
import importlib.metadata
import time
from pathlib import Path
from typing import Any, Callable

import coal
import fcl
import mujoco
import numpy as np

import abut

SEED = 1


def random_poses(random: np.random.Generator, count: int, spread: float) -> np.ndarray:
    poses = np.empty((count, 7))
    poses[:, :3] = random.uniform(-spread, spread, (count, 3))
    turns = random.normal(size=(count, 4))
    poses[:, 3:] = turns / np.linalg.norm(turns, axis=1, keepdims=True)
    return poses


def rotations(poses: np.ndarray) -> np.ndarray:
    x, y, z, w = poses[:, 3:].T
    rows = [[1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)], [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
            [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)]]
    return np.moveaxis(np.array(rows), -1, 0)


# ---- the oracle


def greatest_gap(va: np.ndarray, na: np.ndarray, ea: np.ndarray, vb: np.ndarray, nb: np.ndarray, eb: np.ndarray) -> float:
    """The greatest gap of two polytopes over the normals of all faces and the cross products of all edges; world frame. Minus the depth when they overlap."""
    cross = np.cross(ea[:, None, :], eb[None, :, :]).reshape(-1, 3)
    length = np.linalg.norm(cross, axis=1)
    cross = cross[length > 1e-9 * length.max()] / length[length > 1e-9 * length.max(), None]
    axes = np.concatenate((na, nb, cross, -cross, -na, -nb))
    return float(((va @ axes.T).min(axis=0) - (vb @ axes.T).max(axis=0)).max())


def surface_of(shape: abut.Shape) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    vertices, faces = abut.surface(shape)
    normals, edges = [], set()
    for face in faces:
        p, q, r = vertices[face[0]], vertices[face[1]], vertices[face[2]]
        normal = np.cross(q - p, r - p)
        normals.append(normal / np.linalg.norm(normal))
        edges |= {tuple(sorted((face[i - 1], face[i]))) for i in range(len(face))}
    pairs = np.array(sorted(edges))
    return vertices, np.array(normals), vertices[pairs[:, 1]] - vertices[pairs[:, 0]]


def oracle(surfaces: list[Any], a: np.ndarray, pose_a: np.ndarray, b: np.ndarray, pose_b: np.ndarray, count: int) -> np.ndarray:
    turn_a, turn_b = rotations(pose_a[:count]), rotations(pose_b[:count])
    gaps = []
    for i in range(count):
        (va, na, ea), (vb, nb, eb) = surfaces[a[i]], surfaces[b[i]]
        gaps.append(greatest_gap(va @ turn_a[i].T + pose_a[i, :3], na @ turn_a[i].T, ea @ turn_a[i].T, vb @ turn_b[i].T + pose_b[i, :3], nb @ turn_b[i].T,
                                 eb @ turn_b[i].T))
    return np.array(gaps)


# ---- the libraries: each makes its shapes from points, and a function that answers all pairs with gaps; infinite when it finds no contact


def with_abut(shapes: list[abut.Shape], a: np.ndarray, pose_a: np.ndarray, b: np.ndarray, pose_b: np.ndarray) -> Callable[[], np.ndarray]:
    all_shapes = abut.shapes(shapes)
    of_a, of_b = all_shapes.take(a.astype(np.int32)), all_shapes.take(b.astype(np.int32))

    def run() -> np.ndarray:
        contacts = abut.collide(of_a, pose_a, of_b, pose_b, threads=1)
        gaps = np.full(len(a), np.inf)
        np.minimum.at(gaps, contacts.pair, contacts.gap)
        return gaps

    return run


def with_coal(shapes: list[Any], a: np.ndarray, pose_a: np.ndarray, b: np.ndarray, pose_b: np.ndarray) -> Callable[[], np.ndarray]:
    def transforms(poses: np.ndarray) -> list[Any]:
        return [coal.Transform3s(turn, pose[:3]) for turn, pose in zip(rotations(poses), poses)]

    at_a, at_b = transforms(pose_a), transforms(pose_b)
    request, result = coal.CollisionRequest(), coal.CollisionResult()
    request.num_max_contacts = 100

    def run() -> np.ndarray:
        gaps = np.full(len(a), np.inf)
        for i in range(len(a)):
            result.clear()
            if coal.collide(shapes[a[i]], at_a[i], shapes[b[i]], at_b[i], request, result):
                gaps[i] = min(result.getContact(k).penetration_depth for k in range(result.numContacts()))
        return gaps

    return run


def with_fcl(shapes: list[Any], a: np.ndarray, pose_a: np.ndarray, b: np.ndarray, pose_b: np.ndarray) -> Callable[[], np.ndarray]:
    def objects(which: np.ndarray, poses: np.ndarray) -> list[Any]:
        return [fcl.CollisionObject(shapes[k], fcl.Transform(turn, pose[:3])) for k, turn, pose in zip(which, rotations(poses), poses)]

    of_a, of_b = objects(a, pose_a), objects(b, pose_b)
    request = fcl.CollisionRequest(num_max_contacts=100, enable_contact=True)

    def run() -> np.ndarray:
        gaps = np.full(len(a), np.inf)
        for i in range(len(a)):
            result = fcl.CollisionResult()
            if fcl.collide(of_a[i], of_b[i], request, result):
                gaps[i] = -max(contact.penetration_depth for contact in result.contacts)
        return gaps

    return run


def with_mujoco(points: list[np.ndarray] | None, half: np.ndarray | None, a: np.ndarray, pose_a: np.ndarray, b: np.ndarray,
                pose_b: np.ndarray) -> Callable[[], np.ndarray]:
    spec = mujoco.MjSpec()
    kinds = len(points) if points is not None else len(half)  # type: ignore[arg-type]
    for side in range(2):
        for k in range(kinds):
            body = spec.worldbody.add_body()
            if points is not None:
                if side == 0:
                    spec.add_mesh(name=f"hull{k}", uservert=points[k].flatten())
                body.add_geom(type=mujoco.mjtGeom.mjGEOM_MESH, meshname=f"hull{k}")
            else:
                body.add_geom(type=mujoco.mjtGeom.mjGEOM_BOX, size=half[k])  # type: ignore[index]
    model = spec.compile()
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    # The compiler moves a mesh to its own centre and axes.
    shift = [(model.geom_pos[k].copy(), rotations(np.concatenate((np.zeros(3), model.geom_quat[k][[1, 2, 3, 0]]))[None])[0]) for k in range(kinds)]
    turn_a, turn_b = rotations(pose_a), rotations(pose_b)
    place_a = [(pose_a[i, :3] + turn_a[i] @ shift[a[i]][0], (turn_a[i] @ shift[a[i]][1]).flatten()) for i in range(len(a))]
    place_b = [(pose_b[i, :3] + turn_b[i] @ shift[b[i]][0], (turn_b[i] @ shift[b[i]][1]).flatten()) for i in range(len(a))]
    points_of = np.zeros(6)

    def run() -> np.ndarray:
        gaps = np.empty(len(a))
        for i in range(len(a)):
            ga, gb = int(a[i]), kinds + int(b[i])
            data.geom_xpos[ga], data.geom_xmat[ga] = place_a[i]
            data.geom_xpos[gb], data.geom_xmat[gb] = place_b[i]
            gaps[i] = mujoco.mj_geomDistance(model, data, ga, gb, 0.0, points_of)
        gaps[gaps >= 0] = np.inf
        return gaps

    return run


# ---- the sets


def boxes(random: np.random.Generator, count: int) -> dict[str, Any]:
    half = random.uniform(0.2, 0.6, (20, 3))
    return {
        "abut": [abut.box(h) for h in half], "coal": [coal.Box(*(2 * h)) for h in half], "python-fcl": [fcl.Box(*(2 * h)) for h in half], "mujoco": (None, half),
        "spread": 0.5, "count": count,
    }  # fmt: skip


def hulls(random: np.random.Generator, count: int) -> dict[str, Any]:
    points = []
    for _ in range(20):
        directions = random.normal(size=(32, 3))
        points.append(0.5 * directions / np.linalg.norm(directions, axis=1, keepdims=True) * random.uniform(0.6, 1, 3))
    shapes = [abut.hull(p) for p in points]
    coals, fcls = [], []
    for shape in shapes:
        vertices, faces = abut.surface(shape)
        triangles = [(f[0], f[i], f[i + 1]) for f in faces for i in range(1, len(f) - 1)]
        cloud = coal.StdVec_Vec3s()
        cloud.extend([v for v in vertices])
        coals.append(coal.Convex.convexHull(cloud, False, None) if hasattr(coal, "Convex") else coal.ConvexBase.convexHull(cloud, False, None))
        fcls.append(fcl.Convex(vertices, len(triangles), np.array([n for t in triangles for n in (3, *t)], dtype=np.int32)))
    return {"abut": shapes, "coal": coals, "python-fcl": fcls, "mujoco": (points, None), "spread": 0.5, "count": count}


def measure(name: str, make: Callable[[np.random.Generator, int], dict[str, Any]], count: int, judged: int, rounds: int) -> list[str]:
    random = np.random.default_rng(SEED)
    given = make(random, count)
    a, b = random.integers(20, size=count), random.integers(20, size=count)
    pose_a, pose_b = random_poses(random, count, given["spread"]), random_poses(random, count, given["spread"])
    surfaces = [surface_of(shape) for shape in given["abut"]]
    right = oracle(surfaces, a, pose_a, b, pose_b, judged)
    pairs = (a, pose_a, b, pose_b)
    runs = {"abut": with_abut(given["abut"], *pairs), "coal": with_coal(given["coal"], *pairs), "python-fcl": with_fcl(given["python-fcl"], *pairs),
            "mujoco": with_mujoco(*given["mujoco"], *pairs)}
    times: dict[str, list[float]] = {library: [] for library in runs}
    gaps = {}
    for _ in range(rounds):
        for library, run in runs.items():
            start = time.process_time()
            gaps[library] = run()
            times[library].append((time.process_time() - start) / count)
    rows = []
    for library in runs:
        found, touching = gaps[library][:judged], right < -1e-6
        missed, false = int((touching & np.isinf(found)).sum()), int((~touching & ~np.isinf(found) & (right > 1e-6)).sum())
        wrong = int((touching & ~np.isinf(found) & (np.abs(found - right) > 0.01 * np.abs(right))).sum())
        median = float(np.median(times[library]))
        version = importlib.metadata.version(library)
        rows.append(f"| {name} | {library} {version} | {1e6 * median:.2f} | {median / float(np.median(times['abut'])):.1f} | {missed} | {false} | {wrong} | {int(touching.sum())} |")
        print(rows[-1], flush=True)
    return rows


def main() -> None:
    reader = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    reader.add_argument("--pairs", type=int, default=100_000, help="pairs of a set (100000)")
    reader.add_argument("--judged", type=int, default=2_000, help="pairs that are compared with the oracle (2000)")
    reader.add_argument("--rounds", type=int, default=3, help="rounds, in each of which every library answers all pairs (3)")
    reader.add_argument("--markdown", type=Path, help="write the table to this file, too")
    how = reader.parse_args()
    rows = []
    for name, make in (("boxes", boxes), ("hulls of 32 points", hulls)):
        rows += measure(name, make, how.pairs, min(how.judged, how.pairs), how.rounds)
    if how.markdown:
        head = [
            "# Results of `bench_pairs.py`", "",
            "Written by `bench/python/bench_pairs.py --markdown docs/results/python.md`; do not edit. The method stands at the head of that file.", "",
            f"{how.pairs:,} random pairs of a set, of which {how.judged:,} are judged; medians of {how.rounds} rounds on one thread. The call of Python is part of the time.", "",
            "| set | library | µs a pair | over abut | missed | false | wrong | that overlap |", "| --- | --- | --: | --: | --: | --: | --: | --: |",
        ]  # fmt: skip
        how.markdown.write_text("\n".join([*head, *rows]) + "\n")


if __name__ == "__main__":
    main()
