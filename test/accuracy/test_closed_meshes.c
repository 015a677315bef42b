/*
 * Closed meshes against closed meshes: the contacts are those of the solids. Convex solids of several kinds, cut into triangles in several ways, at gaps and
 * depths from 1e-13 to 0.1 of their sizes.
 */
#include <abut/collide.h>
#include <abut/mesh.h>
#include <abut/query.h>

#include <stdlib.h>

#include "accuracy/closed_judge.h"
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
            assert_ok(abut_shape_create_prism(0.5, 0.4, 3 + random_below(random, 20), &made));
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
    abut_shape *cut = random_below(random, 20) == 0 ? ball_mesh(2 + random_below(random, 4), 0.5)
                                                    : meshes_surface_of(solid, cells[random_below(random, 6)]);
    abut_vec3 by = random_below(random, 8) == 0 ? random_vec3(random, -10 * scale, 10 * scale) : abut_vec3_make(0, 0, 0);
    abut_shape *mesh = moved_mesh(cut, scale, by);
    abut_shape_release(solid);
    abut_shape_release(cut);
    return mesh;
}

/* ---- places ---- */

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

static void make_pair(closed_pair *pair, random_state *random) {
    static const double scales[4] = {1.0, 1.0, 1e-3, 1e3};
    double scale = scales[random_below(random, 4)];
    pair->scale = 0.0;
    for (int i = 0; i < 2; i++) {
        double own = i == 1 && random_below(random, 6) == 0 ? scale * random_log_range(random, 0.03, 30.0) : scale;
        pair->mesh[i] = pick_mesh(random, own);
        pair->body[i] = judged_body_of(pair->mesh[i]);
        pair->pose[i] = (abut_pose){{0, 0, 0}, closed_pick_turn(random)};
        pair->scale += fmax(closed_span_of(pair->mesh[i]), pair->body[i].size);
    }
    if (random_below(random, 3) == 0) { /* a face of B on a face of A, up to rounding */
        abut_vec3 a =
            abut_quat_rotate(pair->pose[0].rotation, face_normal(pair->mesh[0], random_below(random, pair->body[0].triangle_count)));
        abut_vec3 b = face_normal(pair->mesh[1], random_below(random, pair->body[1].triangle_count));
        pair->pose[1].rotation = turn_between(b, abut_neg(a));
    }
}

/* ---- questions ---- */

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
        accuracy_wrong(row, "false contact: gap %.6g, margin %.3g, contact %.6g, size %.3g", gap, margin, closed_deepest_of(c, count)->gap,
                       scale);
        return;
    }
    const abut_contact *deepest = closed_deepest_of(c, count);
    double unit = fabs(gap) + 1e-6 * scale;
    accuracy_error(row, fabs(deepest->gap - gap) / unit, "gap %.17g, exact %.17g, size %.3g, swapped %d", deepest->gap, gap, scale,
                   swapped);
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

static const uint64_t held[] = {1592590377, 1592590604, 1592590627, 1592590715, 1592590724, 1592591092,
                                1592591224, 1592591358, 1592591782, 1592599494, 1592603717};

/* One pair of shapes at several places. */
static void convex_sample(accuracy *row, uint64_t seed) {
    enum { PLACES = 6 };
    random_state random = random_make(seed);
    closed_pair pair;
    make_pair(&pair, &random);
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
        double least = closed_span_of(pair.mesh[0]), other = closed_span_of(pair.mesh[1]),
               gap = closed_pick_gap(&random) * (least < other ? least : other);
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
            exact = judged_closest(a, b).distance;
        }
        double margin = random_below(&random, 3) == 0 ? 0.0 : random_below(&random, 2) == 0 ? 0.01 * least : 1.5 * fabs(gap) + 1e-9 * least;
        judge_convex(row, &pair, exact, random_below(&random, 2) == 1, margin);
    }
    judged_normals_free(normals);
    closed_pair_release(&pair);
}

static void convex_solids(void **state) {
    (void)state;
    accuracy *row = accuracy_begin("closed convex meshes: gap or least depth, and normal",
                                   "all facets of the Minkowski difference, all pairs of features; 113 bits",
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

/* ---- solids that are not convex ---- */

enum { CELLS = 3, MOST_POINTS = (CELLS + 1) * (CELLS + 1) * (CELLS + 1) };

/* Cells of a grid that hang together by faces, in the order of growth: L, U, T, rings, and so on. */
static void grow_cells(random_state *random, bool cell[CELLS][CELLS][CELLS], int count) {
    int x = random_below(random, CELLS), y = random_below(random, CELLS), z = random_below(random, CELLS);
    for (int tries = 0; count > 0 && tries < 200; tries++) {
        if (!cell[x][y][z]) {
            cell[x][y][z] = true;
            count--;
        }
        int axis = random_below(random, 3), step = random_below(random, 2) ? 1 : -1, *at = axis == 0 ? &x : axis == 1 ? &y : &z;
        *at = *at + step < 0 || *at + step >= CELLS ? *at : *at + step;
    }
}

static bool is_cell(bool cell[CELLS][CELLS][CELLS], int x, int y, int z) {
    return x >= 0 && y >= 0 && z >= 0 && x < CELLS && y < CELLS && z < CELLS && cell[x][y][z];
}

/* The surface of such cells between planes at random places, moved by a linear map. Not closed where cells meet only at an edge. */
static abut_shape *cells_mesh(random_state *random) {
    bool cell[CELLS][CELLS][CELLS] = {{{false}}};
    grow_cells(random, cell, 3 + random_below(random, 8));
    double at[3][CELLS + 1];
    bool tidy = random_below(random, 2) == 0;
    for (int axis = 0; axis < 3; axis++) {
        at[axis][0] = tidy ? -0.5 : random_range(random, -0.6, -0.4);
        for (int i = 0; i < CELLS; i++) {
            at[axis][i + 1] = at[axis][i] + (tidy ? 0.25 : random_range(random, 0.05, 0.5));
        }
    }
    abut_vec3 skew[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    for (int k = 0; k < 3 && !tidy && random_below(random, 2) == 0; k++) {
        skew[k] = abut_add(skew[k], random_vec3(random, -0.3, 0.3));
    }
    abut_vec3 points[MOST_POINTS];
    int32_t triangles[6 * CELLS * CELLS * CELLS * 6], count = 0;
    for (int p = 0; p < MOST_POINTS; p++) {
        int x = p % (CELLS + 1), y = p / (CELLS + 1) % (CELLS + 1), z = p / (CELLS + 1) / (CELLS + 1);
        points[p] = abut_add(abut_scale(at[0][x], skew[0]), abut_add(abut_scale(at[1][y], skew[1]), abut_scale(at[2][z], skew[2])));
    }
    for (int p = 0; p < CELLS * CELLS * CELLS; p++) {
        int x[3] = {p % CELLS, p / CELLS % CELLS, p / CELLS / CELLS};
        for (int side = 0; side < 6 && cell[x[0]][x[1]][x[2]]; side++) {
            int axis = side / 2, up = side % 2, other[3] = {x[0], x[1], x[2]}, corner[4];
            other[axis] += up ? 1 : -1;
            if (is_cell(cell, other[0], other[1], other[2])) {
                continue;
            }
            for (int k = 0; k < 4; k++) {
                int c[3] = {x[0], x[1], x[2]}, u = (axis + 1) % 3, v = (axis + 2) % 3, turn = up ? k : 3 - k;
                c[axis] += up;
                c[u] += turn == 1 || turn == 2;
                c[v] += turn >= 2;
                corner[k] = c[0] + (CELLS + 1) * (c[1] + (CELLS + 1) * c[2]);
            }
            int first = random_below(random, 2);
            const int order[6] = {0, 1, 2, 0, 2, 3};
            for (int k = 0; k < 6; k++) {
                triangles[count++] = corner[(order[k] + first) % 4];
            }
        }
    }
    return meshes_make(points, MOST_POINTS, triangles, count / 3);
}

/* A ball with bumps: its points moved along their radius. */
static abut_shape *bumpy_mesh(random_state *random) {
    abut_shape *ball = ball_mesh(2 + random_below(random, 3), 1.0);
    int32_t n = abut_shape_vertex_count(ball), count = abut_shape_triangle_count(ball);
    abut_vec3 *points = check_memory((size_t)n, sizeof *points);
    int32_t *triangles = check_memory((size_t)count, 3 * sizeof *triangles);
    double most = random_range(random, 0.02, 0.6);
    double *radius = check_memory((size_t)n, sizeof *radius);
    for (int32_t v = 0; v < n; v++) {
        radius[v] = 0.5 * (1.0 + random_range(random, -most, most));
    }
    for (int32_t t = 0; t < count; t++) {
        abut_triangle at;
        assert_ok(abut_shape_triangle(ball, t, &at));
        for (int k = 0; k < 3; k++) {
            triangles[3 * t + k] = at.vertex[k];
            points[at.vertex[k]] = abut_scale(radius[at.vertex[k]], at.corner[k]);
        }
    }
    abut_shape *mesh = meshes_make(points, n, triangles, count);
    abut_shape_release(ball);
    free(points);
    free(triangles);
    free(radius);
    return mesh;
}

static abut_shape *pick_dented(random_state *random) {
    switch (random_below(random, 5)) {
    case 0:
        return bumpy_mesh(random);
    case 1:
        return meshes_ring(0.5, random_range(random, 0.05, 0.2), 5 + random_below(random, 8), 3 + random_below(random, 4));
    default:
        return cells_mesh(random);
    }
}

static bool make_dented_pair(closed_pair *pair, random_state *random) {
    bool closed = true;
    pair->scale = 0.0;
    for (int i = 0; i < 2; i++) {
        pair->mesh[i] = i == 1 && random_below(random, 4) == 0 ? pick_mesh(random, 1.0) : pick_dented(random);
        pair->body[i] = judged_body_of(pair->mesh[i]);
        pair->pose[i] = (abut_pose){{0, 0, 0}, closed_pick_turn(random)};
        pair->scale += fmax(closed_span_of(pair->mesh[i]), pair->body[i].size);
        abut_mass mass;
        closed = closed && abut_shape_mass(pair->mesh[i], 1.0, &mass) == ABUT_OK;
    }
    return closed;
}

static const uint64_t held_dented[] = {3726049280, 3726049297, 3726049344, 3726049421, 3726049436, 3726049800, 3726053013,
                                       3726055851, 3726059227, 3726055987, 3726057589, 3726059199, 3726061247, 3726067544,
                                       3726067572, 3726049955, 3726050111, 3726050212, 3726050610, 3726051867, 3726052451,
                                       3726052936, 3726055750, 3727004426, 3727004898, 3727015496};

static void dented_sample(accuracy *row, uint64_t seed) {
    enum { PLACES = 8 };
    random_state random = random_make(seed);
    closed_pair pair;
    bool fine = make_dented_pair(&pair, &random);
    judged_gap from, check;
    judged_body_place(&pair.body[0], pair.pose[0]);
    abut_vec3 way = random_below(&random, 3) == 0 ? abut_vec3_make(0, 0, 1) : random_direction(&random);
    abut_vec3 aim = random_below(&random, 3) == 0 ? abut_vec3_make(0, 0, 0) : random_vec3(&random, -0.2, 0.2);
    fine = fine && closed_bring_near(&pair, way, aim, 3.0 * pair.scale, 1e-3, &from);
    if (fine) {
        /* Near a touch the gap is a linear function of the place. */
        abut_vec3 start = pair.pose[1].position;
        qvec apart = qvec_sub(from.on_a, from.on_b), normal = qvec_scale(1 / from.distance, apart);
        abut_vec3 n = qvec_round(normal);
        closed_place_b(&pair, abut_add_scaled(start, (1.0 - 1e-5) * (double)from.distance, n));
        check = judged_closest(&pair.body[0], &pair.body[1]);
        quad shift = qvec_dot(normal, qvec_sub(qvec_of(pair.pose[1].position), qvec_of(start)));
        double off = (double)(check.distance - (from.distance - shift));
        bool linear = check.distance > 0 && fabs(off) <= 1e-20 && closed_is_facet(&pair, start, n, from.distance, normal, 1e-6);
        for (int i = 0; i < PLACES; i++) {
            double gap = closed_pick_gap(&random);
            gap = fabs(gap) > 0.1 ? 0.1 * gap : gap;
            accuracy_next(row, seed);
            closed_place_b(&pair, abut_add_scaled(start, (double)from.distance - gap, n));
            bool overlap = judged_overlap(&pair.body[0], &pair.body[1]);
            quad exact = from.distance - qvec_dot(normal, qvec_sub(qvec_of(pair.pose[1].position), qvec_of(start)));
            bool known = linear && fabs(gap) <= 1e-4;
            if (!overlap) {
                exact = judged_closest(&pair.body[0], &pair.body[1]).distance;
            }
            double margin = random_below(&random, 3) == 0 ? 0.0 : random_below(&random, 2) == 0 ? 0.01 : 1.5 * fabs(gap) + 1e-9;
            static abut_contact c[CLOSED_ROOM];
            closed_judge(row, &pair, &(closed_known){overlap, (double)exact, overlap, known, margin, random_below(&random, 2) == 1}, c);
        }
    }
    closed_pair_release(&pair);
}

static void dented_solids(void **state) {
    (void)state;
    accuracy *row = accuracy_begin("closed meshes that are not convex: gap, overlap, depth near a touch", "all pairs of features; 113 bits",
                                   "|gap - exact| / (|exact| + 1e-6 sizes)", 1e-8);
    for (size_t i = 0; i < sizeof held_dented / sizeof *held_dented; i++) {
        dented_sample(row, held_dented[i]);
    }
    int32_t n = accuracy_samples(20000);
    for (int32_t i = 0; i < n; i++) {
        dented_sample(row, UINT64_C(0xde170000) + (uint64_t)i);
    }
    accuracy_end(row);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(convex_solids), cmocka_unit_test(dented_solids)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
