"""The Python package beside coal, python-fcl and mujoco: signed distances of many pairs, from arrays of poses to an array of gaps.

    python bench/python/bench_pairs.py [--pairs 100000] [--build build/python/build] [--json build/bench_pairs.json] [--report docs/results/python.md]

--build names the build of the wheel, whose library loops in C then use, for what calls from Python cost more (`overhead.py`). Needs abut, coal, python-fcl,
mujoco and scipy of PyPI. A library that is missing is left out. Each answers all pairs on one thread; the shortest time of the processor in three runs
counts. Answers of a sample are compared with closed forms or with certificates that use no library (`truths`). --report writes the table.
"""

import argparse
import inspect
import json
import platform
import time
from pathlib import Path

import numpy as np
from scipy.spatial import ConvexHull
from scipy.spatial.transform import Rotation

import overhead

CHECKED = 400
TOLERANCE = 1e-4


def random_poses(random, count, spread):
    poses = np.empty((count, 7))
    poses[:, :3] = random.uniform(-spread, spread, (count, 3))
    poses[:, 3:] = random.normal(size=(count, 4))
    poses[:, 3:] /= np.linalg.norm(poses[:, 3:], axis=1, keepdims=True)
    return poses


def matrix(pose):
    return Rotation.from_quat(pose[3:]).as_matrix()


# ---- the libraries. Each function is what a user writes: two kinds of shapes, n poses of each, n gaps.
def by_abut(a, poses_a, b, poses_b):
    import abut

    def shape(kind, *numbers):
        makers = {"box": abut.box, "hull": lambda points, _: abut.hull(points), "mesh": abut.trimesh, "sphere": abut.sphere, "capsule": abut.capsule}
        return makers[kind](*numbers)

    one, other = shape(*a), shape(*b)

    def run():
        return abut.distance(one, poses_a, other, poses_b, threads=1).gap

    return run


def by_coal(a, poses_a, b, poses_b):
    import coal

    def shape(kind, *numbers):
        if kind in ("hull", "mesh"):
            points, triangles = coal.StdVec_Vec3s(), coal.StdVec_Triangle()
            points.extend(list(np.asarray(numbers[0], dtype=float)))
            triangles.extend([coal.Triangle(*map(int, face)) for face in numbers[1]])
            if kind == "hull":
                return coal.Convex(points, triangles)
            made = coal.BVHModelOBBRSS()
            made.beginModel(len(triangles), len(points))
            made.addSubModel(points, triangles)
            made.endModel()
            return made
        if kind == "capsule":
            return coal.Capsule(numbers[0], 2 * numbers[1])
        return coal.Box(*(2 * np.asarray(numbers[0]))) if kind == "box" else coal.Sphere(numbers[0])

    one, other = shape(*a), shape(*b)
    request, result = coal.DistanceRequest(), coal.DistanceResult()
    request.enable_signed_distance = True

    def run():
        gaps = np.empty(len(poses_a))
        turns_a, turns_b = (Rotation.from_quat(poses[:, 3:]).as_matrix() for poses in (poses_a, poses_b))
        for i in range(len(gaps)):
            result.clear()
            gaps[i] = coal.distance(one, coal.Transform3s(turns_a[i], poses_a[i, :3]), other, coal.Transform3s(turns_b[i], poses_b[i, :3]), request, result)
        return gaps

    return run


def by_fcl(a, poses_a, b, poses_b):
    import fcl

    def shape(kind, *numbers):
        if kind == "hull":
            faces = np.asarray(numbers[1])
            flat = np.concatenate([np.full((len(faces), 1), 3), faces], axis=1).ravel().astype(np.int32)
            return fcl.Convex(np.asarray(numbers[0], dtype=float), len(faces), flat)
        if kind == "mesh":
            made = fcl.BVHModel()
            made.beginModel(len(numbers[0]), len(numbers[1]))
            made.addSubModel(np.asarray(numbers[0], dtype=float), np.asarray(numbers[1]))
            made.endModel()
            return made
        if kind == "capsule":
            return fcl.Capsule(numbers[0], 2 * numbers[1])
        return fcl.Box(*(2 * np.asarray(numbers[0]))) if kind == "box" else fcl.Sphere(numbers[0])

    one, other = fcl.CollisionObject(shape(*a), fcl.Transform()), fcl.CollisionObject(shape(*b), fcl.Transform())
    request = fcl.DistanceRequest(enable_nearest_points=False, enable_signed_distance=True)

    def run():
        gaps = np.empty(len(poses_a))
        quaternions_a, quaternions_b = (np.ascontiguousarray(poses[:, [6, 3, 4, 5]]) for poses in (poses_a, poses_b))
        for i in range(len(gaps)):
            one.setTransform(fcl.Transform(quaternions_a[i], poses_a[i, :3]))
            other.setTransform(fcl.Transform(quaternions_b[i], poses_b[i, :3]))
            gaps[i] = fcl.distance(one, other, request, fcl.DistanceResult())
        return gaps

    return run


def by_mujoco(a, poses_a, b, poses_b):
    import mujoco

    def geom(spec, name, kind, *numbers):
        body = spec.worldbody.add_body(name=name, mocap=True)
        if kind in ("hull", "mesh"):
            spec.add_mesh(name=name, uservert=np.asarray(numbers[0]).ravel().tolist(), userface=np.asarray(numbers[1]).ravel().tolist(),
                          inertia=mujoco.mjtMeshInertia.mjMESH_INERTIA_SHELL)
            body.add_geom(type=mujoco.mjtGeom.mjGEOM_MESH, meshname=name)
        elif kind == "box":
            body.add_geom(type=mujoco.mjtGeom.mjGEOM_BOX, size=numbers[0])
        elif kind == "capsule":
            body.add_geom(type=mujoco.mjtGeom.mjGEOM_CAPSULE, size=[*numbers, 0])
        else:
            body.add_geom(type=mujoco.mjtGeom.mjGEOM_SPHERE, size=[numbers[0], 0, 0])

    spec = mujoco.MjSpec()
    geom(spec, "a", *a)
    geom(spec, "b", *b)
    model = spec.compile()
    data = mujoco.MjData(model)

    def run():
        gaps = np.empty(len(poses_a))
        positions = np.stack([poses_a[:, :3], poses_b[:, :3]], axis=1)
        quaternions = np.stack([poses_a[:, [6, 3, 4, 5]], poses_b[:, [6, 3, 4, 5]]], axis=1)
        for i in range(len(gaps)):
            data.mocap_pos[:], data.mocap_quat[:] = positions[i], quaternions[i]
            mujoco.mj_kinematics(model, data)
            gaps[i] = mujoco.mj_geomDistance(model, data, 0, 1, 100.0, None)
        return gaps

    return run


LIBRARIES = {"abut": by_abut, "coal": by_coal, "python-fcl": by_fcl, "mujoco": by_mujoco}


# ---- what the answers are compared with, without any of the libraries
def gap_of_hulls(a, b):
    """Signed distance of two convex polytopes (corners in the world), and whether it is certain. Overlapping ones: the least depth over all normals that can be
    the least, of faces and of pairs of edges. Apart: the distance of the points that Wolfe's method finds, certain if the plane between them proves it."""
    hulls = [ConvexHull(points) for points in (a, b)]
    normals = np.concatenate([np.unique(hull.equations[:, :3].round(12), axis=0) * sign for hull, sign in zip(hulls, (-1, 1))])
    edges = []
    for hull, points in zip(hulls, (a, b)):
        pairs = {tuple(sorted(pair)) for face in hull.simplices for pair in ((face[0], face[1]), (face[1], face[2]), (face[2], face[0]))}
        edges.append(np.array([points[j] - points[i] for i, j in pairs]))
    crosses = np.cross(edges[0][:, None], edges[1][None]).reshape(-1, 3)
    crosses = crosses[np.linalg.norm(crosses, axis=1) > 1e-9]
    normals = np.concatenate([normals, crosses, -crosses])
    normals /= np.linalg.norm(normals, axis=1, keepdims=True)
    most = ((a @ normals.T).min(0) - (b @ normals.T).max(0)).max()
    return (float(most), True) if most <= 0 else nearest_to_origin((a[:, None] - b[None]).reshape(-1, 3))


def nearest_to_origin(points):
    """Distance of the origin from the hull of points that does not hold it: the nearest point of a simplex of at most three corners, which is replaced until no
    corner is nearer to the origin along it."""
    chosen, nearest = [points[np.argmin((points**2).sum(1))]], points[np.argmin((points**2).sum(1))]
    for _ in range(200):
        corner = points[np.argmin(points @ nearest)]
        if nearest @ nearest - corner @ nearest <= 1e-13 * max(1.0, nearest @ nearest):
            return float(np.linalg.norm(nearest)), True
        chosen.append(corner)
        best = None
        for mask in range(1, 2 ** len(chosen)):
            subset = [one for i, one in enumerate(chosen) if mask >> i & 1]
            base, sides = subset[0], np.array([one - subset[0] for one in subset[1:]]).reshape(-1, 3)
            weights = np.linalg.lstsq(sides.T, -base, rcond=None)[0] if len(sides) else np.zeros(0)
            if (weights >= -1e-12).all() and weights.sum() <= 1 + 1e-12:
                candidate = base + weights @ sides
                if best is None or candidate @ candidate < best[0] - 1e-16:
                    best = (candidate @ candidate, candidate, subset)
        nearest, chosen = best[1], best[2]
    return float(np.linalg.norm(nearest)), False


def gap_of_ball(centre, radius, corners):
    """Of a ball and triangles (n, 3, 3): the distance of its centre from the nearest triangle, less the radius."""
    a, b, c = corners[:, 0], corners[:, 1], corners[:, 2]
    normal = np.cross(b - a, c - a)
    foot = centre - ((centre - a) * normal).sum(1, keepdims=True) / (normal**2).sum(1, keepdims=True) * normal
    within = np.ones(len(a), dtype=bool)
    least = np.full(len(a), np.inf)
    for p, q in ((a, b), (b, c), (c, a)):
        within &= (np.cross(q - p, foot - p) * normal).sum(1) >= 0
        along = np.clip(((centre - p) * (q - p)).sum(1) / ((q - p) ** 2).sum(1), 0, 1)
        least = np.minimum(least, np.linalg.norm(centre - p - along[:, None] * (q - p), axis=1))
    least = np.where(within, np.minimum(least, np.linalg.norm(centre - foot, axis=1)), least)
    return float(least.min() - radius), True


def truths(a, poses_a, b, poses_b):
    """Gaps of the first pairs, and which are certain."""
    found = []
    for p, q in zip(poses_a[:CHECKED], poses_b[:CHECKED]):
        if a[0] == "sphere":
            corners = np.asarray(b[1])[np.asarray(b[2])] @ matrix(q).T + q[:3]
            found.append(gap_of_ball(p[:3], a[1], corners))
        elif a[0] == "capsule":
            ends = [pose[:3] + np.array([[-1.0], [1.0]]) * one[2] * matrix(pose)[:, 2] for one, pose in ((a, p), (b, q))]
            core, certain = nearest_to_origin((ends[0][:, None] - ends[1][None]).reshape(-1, 3))
            found.append((core - a[1] - b[1], certain))
        else:
            found.append(gap_of_hulls(*(corners_of(one) @ matrix(pose).T + pose[:3] for one, pose in ((a, p), (b, q)))))
    return np.array([gap for gap, _ in found]), np.array([certain for _, certain in found])


def corners_of(shape):
    if shape[0] == "box":
        return np.array(np.meshgrid(*[(-half, half) for half in shape[1]])).reshape(3, -1).T
    return np.asarray(shape[1])


# ---- the questions
def hull(random, count):
    points = random.normal(size=(count, 3))
    points *= 0.6 / np.linalg.norm(points, axis=1, keepdims=True)
    found = ConvexHull(points)
    outward = [face if np.linalg.det(points[face]) > 0 else face[::-1] for face in found.simplices]
    return "hull", points, np.array(outward)


def terrain(random, side):
    """A closed body with a bumpy top."""
    x, y = np.meshgrid(np.linspace(-2, 2, side), np.linspace(-2, 2, side))
    top = 0.3 * np.sin(3 * x) * np.cos(2 * y) + 0.02 * random.normal(size=x.shape)
    points = np.stack([x.ravel(), y.ravel(), top.ravel()], axis=1)
    corner = (np.arange(side - 1)[:, None] * side + np.arange(side - 1)).ravel()
    faces = np.concatenate([np.stack([corner, corner + 1, corner + side + 1], 1), np.stack([corner, corner + side + 1, corner + side], 1)])
    return "mesh", points, faces


def arms(count, random):
    """All 400 pairs of the links of two arms with 20 links, at as many moments as are needed."""
    moments, links = -(-count // 400), 20
    bend = np.cumsum(random.uniform(-0.15, 0.15, (2, moments, links)), axis=2)
    poses = np.zeros((2, moments, links, 7))
    step = np.stack([np.sin(bend), np.zeros_like(bend), np.cos(bend)], axis=3) * 0.2
    poses[..., :3] = np.cumsum(step, axis=2) - step / 2
    poses[1, ..., 0] += 0.8
    poses[1, ..., 1] += random.uniform(-0.3, 0.3, (moments, 1))
    poses[..., 4], poses[..., 6] = np.sin(bend / 2), np.cos(bend / 2)
    one, other = np.repeat(np.arange(links), links), np.tile(np.arange(links), links)
    order = random.permutation(moments * links * links)[:count]
    return poses[0][:, one].reshape(-1, 7)[order], poses[1][:, other].reshape(-1, 7)[order]


def questions(count):
    random = np.random.default_rng(7)
    spread = {name: (random_poses(random, count, width), random_poses(random, count, width)) for name, width in (("boxes", 0.9), ("hulls", 0.9))}
    yield "pairs of boxes", ("box", [0.3, 0.4, 0.5]), spread["boxes"][0], ("box", [0.5, 0.3, 0.4]), spread["boxes"][1]
    yield "pairs of hulls of 32 points", hull(random, 32), spread["hulls"][0], hull(random, 32), spread["hulls"][1]
    balls, still = random_poses(random, count, 1.8), np.tile([0, 0, 0, 0, 0, 0, 1.0], (count, 1))
    balls[:, 2] = random.uniform(0.4, 1.0, count)
    yield "spheres and a mesh of 4,802 triangles", ("sphere", 0.15), balls, terrain(random, 50), still
    first, second = arms(count, random)
    yield "links of two robots with 20 links each", ("capsule", 0.06, 0.1), first, ("capsule", 0.06, 0.1), second


def measure(count):
    rows = []
    for title, a, poses_a, b, poses_b in questions(count):
        right, certain = truths(a, poses_a, b, poses_b)
        for name, library in LIBRARIES.items():
            row = {"question": title, "library": name, "lines": len(inspect.getsource(library).splitlines())}
            if name == "mujoco" and b[0] == "mesh":
                rows.append({**row, "left_out": "takes the hull of a mesh"})
                continue
            try:
                run = library(a, poses_a, b, poses_b)
            except ImportError:
                rows.append({**row, "left_out": "not installed"})
                continue
            times = []
            for _ in range(3):
                start = time.process_time()
                gaps = run()
                times.append(time.process_time() - start)
            error = np.abs(gaps[: len(right)] - right)[certain]
            wrong = int((~(error <= TOLERANCE)).sum())
            touching = right[certain] > 0
            sign = int(((gaps[: len(right)][certain] > 0) != touching)[np.abs(right[certain]) > TOLERANCE].sum())
            rows.append({**row, "seconds": min(times), "wrong": wrong, "wrong_sign": sign, "checked": int(certain.sum()), "largest_error": float(error.max())})
            print(f"{title}: {name}: {min(times):.3f} s, {wrong} of {certain.sum()} wrong, {sign} of them in sign", flush=True)
    versions = {name: version(name) for name in LIBRARIES}
    return {"pairs": count, "versions": versions, "machine": platform.processor() or platform.machine(), "rows": rows}


def version(name):
    from importlib.metadata import PackageNotFoundError
    from importlib.metadata import version as found

    try:
        return found(name)
    except PackageNotFoundError:
        return None


def report(found, path):
    names = ", ".join(f"{name} {number}" for name, number in found["versions"].items() if number)
    lines = [
        "# Python packages side by side", "",
        f"Written by `bench/python/bench_pairs.py`; do not edit. {names}.", "",
        "Times are those of the processor, on one thread, the shortest of three, on a machine whose two processors other programs used, too: they vary by",
        "tens of per cent from run to run. Every library answers the signed distances of the same pairs, from arrays of poses to an array of gaps: abut in one",
        "call, the others in a loop of Python.", "",
        "* wrong: gaps of a sample that differ from a closed form or a proven value by more than 1e-4, where bodies have sizes near 1; in brackets those that",
        "  say apart for overlapping, or the reverse.",
        "* lines: of the function that sets up the shapes and asks.", "",
        f"| {found['pairs']:,} | library | time [s] | times abut | wrong | largest error | lines |", "|---|---|--:|--:|--:|--:|--:|",
    ]  # fmt: skip
    base = {row["question"]: row["seconds"] for row in found["rows"] if row["library"] == "abut"}
    for row in found["rows"]:
        if "left_out" in row:
            lines.append(f"| {row['question']} | {row['library']} | {row['left_out']} | | | | |")
            continue
        ratio, wrong = row["seconds"] / base[row["question"]], f"{row['wrong']} of {row['checked']} ({row['wrong_sign']})"
        lines.append(f"| {row['question']} | {row['library']} | {row['seconds']:.3f} | {ratio:.1f} | {wrong} | {row['largest_error']:.1e} | {row['lines']} |")
    lines += overhead.table(found["overhead"]) if "overhead" in found else []
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pairs", type=int, default=100_000)
    parser.add_argument("--build", type=Path, help="the folder of the wheel's build")
    parser.add_argument("--json", type=Path)
    parser.add_argument("--report", type=Path)
    words = parser.parse_args()
    found = measure(words.pairs)
    if words.build:
        random = np.random.default_rng(1)
        found["overhead"] = overhead.measure(words.build.resolve(), random_poses(random, words.pairs, 1.0), random_poses(random, words.pairs, 1.0))
    if words.json:
        words.json.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    if words.report:
        report(found, words.report)


if __name__ == "__main__":
    main()
