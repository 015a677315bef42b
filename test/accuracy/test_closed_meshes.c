/*
 * Closed meshes against closed meshes: the contacts are those of the solids. Convex solids of several kinds, cut into triangles in several ways, at gaps and
 * depths from 1e-13 to 0.1 of their sizes.
 */
#include <abut/collide.h>
#include <abut/mesh.h>
#include <abut/query.h>

#include <stdlib.h>

#include "accuracy/accuracy.h"
#include "accuracy/solid_oracle.h"
#include "support/check.h"
#include "support/meshes.h"

/* ---- solids ---- */

static abut_vec3 pick_half(random_state *random) {
    if (random_below(random, 2) == 0) {
        static const double tidy[6] = {0.125, 0.25, 0.5, 1.0, 0.3, 0.7};
        return abut_vec3_make(tidy[random_below(random, 6)], tidy[random_below(random, 6)], tidy[random_below(random, 6)]);
    }
    return random_vec3(random, 0.1, 1.0);
}

static abut_shape *hull_of(abut_vec3 *points, int32_t count, abut_vec3 stretch) {
    for (int32_t i = 0; i < count; i++) {
        points[i] = abut_vec3_make(stretch.x * points[i].x, stretch.y * points[i].y, stretch.z * points[i].z);
    }
    abut_shape *hull = NULL;
    return abut_shape_create_hull(points, count, &hull) == ABUT_OK ? hull : NULL;
}

static abut_shape *pick_hull(random_state *random, abut_vec3 stretch) {
    abut_vec3 points[24];
    int32_t count = 4 + random_below(random, 16);
    for (int32_t i = 0; i < count; i++) {
        points[i] = random_direction(random);
    }
    return hull_of(points, count, stretch);
}

static abut_shape *pick_solid(random_state *random) {
    static const abut_vec3 ones = {1, 1, 1};
    abut_shape *made = NULL;
    abut_vec3 corner[4] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    switch (random_below(random, 7)) {
    case 0:
    case 1:
        assert_ok(abut_shape_create_box(pick_half(random), &made));
        return made;
    case 2:
        return hull_of(corner, 4, pick_half(random));
    case 3:
        for (int i = 0; i < 4; i++) {
            corner[i] = random_vec3(random, -1, 1);
        }
        return hull_of(corner, 4, ones);
    case 4: /* plates and needles */
        return pick_hull(random, abut_vec3_make(1.0, random_log_range(random, 1e-3, 1.0), random_log_range(random, 1e-3, 1.0)));
    case 5:
        if (random_below(random, 2) == 0) {
            assert_ok(abut_shape_create_cylinder(0.5, 0.4, 3 + random_below(random, 20), &made));
            return made;
        }
        return pick_hull(random, ones);
    default:
        return pick_hull(random, ones);
    }
}

/* Subdivided balls: points of a cube's grid, on the sphere. */
static abut_shape *ball_mesh(int cells, double radius) {
    enum { MOST = 8 };
    abut_vec3 points[6 * (MOST + 1) * (MOST + 1)];
    int32_t count = 0;
    for (int face = 0; face < 6; face++) {
        for (int i = 0; i <= cells; i++) {
            for (int k = 0; k <= cells; k++) {
                double u = 2.0 * i / cells - 1.0, v = 2.0 * k / cells - 1.0, w = face % 2 ? 1.0 : -1.0;
                abut_vec3 p = face / 2 == 0 ? abut_vec3_make(w, u, v) : face / 2 == 1 ? abut_vec3_make(u, w, v) : abut_vec3_make(u, v, w);
                points[count++] = abut_scale(radius, abut_unit(p));
            }
        }
    }
    abut_shape *hull = NULL;
    assert_ok(abut_shape_create_hull(points, count, &hull));
    abut_shape *mesh = meshes_surface_of(hull, 1);
    abut_shape_release(hull);
    return mesh;
}

static abut_shape *moved_mesh(const abut_shape *mesh, double scale, abut_vec3 by) {
    int32_t n = abut_shape_triangle_count(mesh);
    abut_vec3 *v = check_memory((size_t)n, 3 * sizeof *v);
    int32_t *t = check_memory((size_t)n, 3 * sizeof *t);
    for (int32_t i = 0; i < n; i++) {
        abut_triangle at;
        assert_ok(abut_shape_triangle(mesh, i, &at));
        for (int k = 0; k < 3; k++) {
            v[3 * i + k] = abut_add(abut_scale(scale, at.corner[k]), by);
            t[3 * i + k] = 3 * i + k;
        }
    }
    abut_shape *made = meshes_make(v, 3 * n, t, 3 * n / 3);
    free(v);
    free(t);
    return made;
}

static abut_shape *pick_mesh(random_state *random, double scale) {
    abut_shape *solid = NULL;
    while (solid == NULL) {
        solid = pick_solid(random);
    }
    static const int cells[6] = {1, 1, 1, 1, 2, 3};
    abut_shape *cut = random_below(random, 20) == 0 ? ball_mesh(2 + random_below(random, 4), 0.5) : meshes_surface_of(solid, cells[random_below(random, 6)]);
    abut_vec3 by = random_below(random, 8) == 0 ? random_vec3(random, -10 * scale, 10 * scale) : abut_vec3_make(0, 0, 0);
    abut_shape *mesh = moved_mesh(cut, scale, by);
    abut_shape_release(solid);
    abut_shape_release(cut);
    return mesh;
}

/* ---- places ---- */

static abut_quat pick_turn(random_state *random) {
    const double root = 0.70710678118654757;
    switch (random_below(random, 5)) {
    case 0:
        return (abut_quat){0, 0, 0, 1};
    case 1:
        return (abut_quat){0, 0, root, root};
    case 2:
        return (abut_quat){0, 0, 0.38268343236508978, 0.92387953251128674};
    default:
        return random_rotation(random);
    }
}

/* A rotation that turns the direction `from` to the direction `to`. */
static abut_quat turn_between(abut_vec3 from, abut_vec3 to) {
    abut_vec3 half = abut_add(from, to);
    if (abut_length(half) < 1e-6) {
        return (abut_quat){0, 0, 0, 1};
    }
    half = abut_unit(half);
    abut_vec3 axis = abut_cross(from, half);
    double w = abut_dot(from, half), n = sqrt(abut_length_squared(axis) + w * w);
    return (abut_quat){axis.x / n, axis.y / n, axis.z / n, w / n};
}

static abut_vec3 face_normal(const abut_shape *mesh, int32_t triangle) {
    abut_triangle t;
    assert_ok(abut_shape_triangle(mesh, triangle, &t));
    return abut_unit(abut_cross(abut_sub(t.corner[1], t.corner[0]), abut_sub(t.corner[2], t.corner[0])));
}

typedef struct closed_pair {
    abut_shape *mesh[2];
    judged_body body[2];
    abut_pose pose[2];
    double scale; /* of lengths and coordinates */
    uint64_t seed;
    int32_t counts[2];
} closed_pair;

static double span_of(const abut_shape *mesh) {
    abut_aabb box = abut_shape_bounds(mesh, abut_pose_identity());
    return abut_length(abut_sub(box.upper, box.lower));
}

static void make_pair(closed_pair *pair, random_state *random, uint64_t seed) {
    static const double scales[4] = {1.0, 1.0, 1e-3, 1e3};
    double scale = scales[random_below(random, 4)];
    pair->seed = seed;
    pair->scale = 0.0;
    for (int i = 0; i < 2; i++) {
        double own = i == 1 && random_below(random, 6) == 0 ? scale * random_log_range(random, 0.03, 30.0) : scale;
        pair->mesh[i] = pick_mesh(random, own);
        pair->body[i] = judged_body_of(pair->mesh[i]);
        pair->pose[i] = (abut_pose){{0, 0, 0}, pick_turn(random)};
        pair->scale += fmax(span_of(pair->mesh[i]), pair->body[i].size);
    }
    if (random_below(random, 3) == 0) { /* a face of B on a face of A, up to rounding */
        abut_vec3 a = abut_quat_rotate(pair->pose[0].rotation, face_normal(pair->mesh[0], random_below(random, pair->body[0].triangle_count)));
        abut_vec3 b = face_normal(pair->mesh[1], random_below(random, pair->body[1].triangle_count));
        pair->pose[1].rotation = turn_between(b, abut_neg(a));
    }
}

static void free_pair(closed_pair *pair) {
    for (int i = 0; i < 2; i++) {
        abut_shape_release(pair->mesh[i]);
        judged_body_free(&pair->body[i]);
    }
}

/* ---- questions ---- */

static double pick_gap(random_state *random) {
    int which = random_below(random, 30);
    double gap = which < 2 ? 0.0 : which < 26 ? pow(10.0, -13.0 + 0.5 * (which - 2)) : random_log_range(random, 1e-9, 0.3);
    return random_below(random, 2) == 0 ? gap : -gap;
}

static const abut_contact *deepest_of(const abut_contact *c, int32_t count) {
    const abut_contact *best = c;
    for (int32_t i = 1; i < count; i++) {
        best = c[i].gap < best->gap ? &c[i] : best;
    }
    return best;
}

/* The answer of the library beside the exact gap of convex solids. */
static void judge_convex(accuracy *row, const closed_pair *pair, quad exact_gap, bool swapped, double margin) {
    enum { ROOM = 512 };
    static abut_contact c[ROOM];
    int32_t count = 0, a = swapped ? 1 : 0, b = 1 - a;
    double gap = (double)exact_gap, scale = pair->scale, rounding = 1e-14 * scale;
    abut_collide_settings settings = abut_collide_settings_default();
    settings.margin = margin;
    abut_status status =
        abut_collide(&(abut_pair){pair->mesh[a], pair->pose[a], pair->mesh[b], pair->pose[b]}, &settings, NULL, c, ROOM, &count);
    if (status != ABUT_OK) {
        accuracy_wrong(row, "status %d", (int)status);
        return;
    }
    if (count == 0) {
        if (gap < margin - rounding) {
            accuracy_wrong(row, "missed: gap %.6g, margin %.3g, size %.3g", gap, margin, scale);
        }
        return;
    }
    if (gap > margin + rounding) {
        accuracy_wrong(row, "false contact: gap %.6g, margin %.3g, contact %.6g, size %.3g", gap, margin, deepest_of(c, count)->gap, scale);
        return;
    }
    const abut_contact *deepest = deepest_of(c, count);
    double unit = fabs(gap) + 1e-6 * scale;
    accuracy_error(row, fabs(deepest->gap - gap) / unit, "gap %.17g, exact %.17g, size %.3g, swapped %d", deepest->gap, gap, scale, swapped);
    /* The separation along the normal, which points from B into A. */
    abut_vec3 onwards = swapped ? deepest->normal : abut_neg(deepest->normal);
    double along = -(double)judged_depth_along(&pair->body[0], &pair->body[1], onwards);
    accuracy_error(row, fabs(along - gap) / unit, "along the normal %.17g, exact %.17g, size %.3g, swapped %d", along, gap, scale, swapped);
    for (int32_t i = 0; i < count; i++) {
        double off = abut_dot(c[i].normal, abut_sub(c[i].on_a, c[i].on_b)) - c[i].gap;
        double far = abut_length(pair->pose[0].position) + abut_length(pair->pose[1].position) + scale;
        if (!(fabs(off) <= 1e-14 * far)) {
            accuracy_wrong(row, "points %.6g off their gap", off);
        }
    }
}

static const uint64_t held[] = {1};

/* One pair of shapes at several places. */
static void convex_sample(accuracy *row, uint64_t seed) {
    enum { PLACES = 6 };
    random_state random = random_make(seed);
    closed_pair pair;
    make_pair(&pair, &random, seed);
    judged_body *a = &pair.body[0], *b = &pair.body[1];
    judged_body_place(a, pair.pose[0]);
    judged_body_place(b, pair.pose[1]);
    judged_normals *normals = judged_normals_make(a, b);
    for (int i = 0; i < PLACES; i++) {
        accuracy_next(row, seed);
        pair.pose[0].position = pair.pose[1].position = abut_vec3_make(0, 0, 0);
        judged_body_place(b, pair.pose[1]);
        judged_body_place(a, pair.pose[0]);
        abut_vec3 way = random_below(&random, 3) == 0 ? abut_vec3_make(0, 0, 1) : random_direction(&random);
        double least = span_of(pair.mesh[0]), other = span_of(pair.mesh[1]), gap = pick_gap(&random) * (least < other ? least : other);
        pair.pose[1].position = abut_scale(judged_way(normals, way), way);
        judged_body_place(b, pair.pose[1]);
        pair.pose[1].position = abut_add_scaled(pair.pose[1].position, gap, judged_direction(normals));
        if (random_below(&random, 6) == 0) {
            double far = pair.scale * random_log_range(&random, 1.0, 1e3);
            abut_vec3 by = abut_scale(far, random_direction(&random));
            pair.pose[0].position = by;
            pair.pose[1].position = abut_add(pair.pose[1].position, by);
        }
        judged_body_place(b, pair.pose[1]);
        judged_body_place(a, pair.pose[0]);
        quad depth = judged_depth(normals), exact = depth > 0 ? -depth : 0;
        if (!(depth > 0)) {
            exact = judged_distance(a, b);
        }
        double margin = random_below(&random, 3) == 0 ? 0.0 : random_below(&random, 2) == 0 ? 0.01 * least : 1.5 * fabs(gap) + 1e-9 * least;
        judge_convex(row, &pair, exact, random_below(&random, 2) == 1, margin);
    }
    judged_normals_free(normals);
    free_pair(&pair);
}

static void convex_solids(void **state) {
    (void)state;
    accuracy *row = accuracy_begin("closed convex meshes: gap or least depth, and normal", "all facets of the Minkowski difference, all pairs of features; 113 bits",
                                   "|gap - exact| / (|exact| + 1e-6 sizes)", 1e-8);
    for (size_t i = 0; i < sizeof held / sizeof *held; i++) {
        convex_sample(row, held[i]);
    }
    int32_t n = accuracy_samples(20000);
    for (int32_t i = 0; i < n; i++) {
        convex_sample(row, UINT64_C(0x5eed0000) + (uint64_t)i);
    }
    accuracy_end(row);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(convex_solids)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
