/*
 * Ways out of a triangle over its edges and corners, for bodies of all kinds and triangles at random. Limits of depth only leave ways out: with limits the
 * answer has the same bits as without. So do triangles beside, and only those ways above whose plane one of them rises.
 */
#include "narrow/mesh/convex/ways.h"

#include <abut/smooth.h>

#include "support/check.h"
#include "support/random.h"
#include "support/shapes.h"

static const mesh_ways_beside alone; /* no triangles are beside */

enum { KINDS = 9, BODIES = 40, TRIANGLES = 12, LIMITS = 8 };

static abut_shape *make_hull(random_state *random, int32_t points, abut_vec3 half) {
    abut_shape *made = NULL;
    abut_vec3 cloud[100];
    for (int32_t i = 0; i < points; i++) {
        abut_vec3 u = random_direction(random);
        cloud[i] = abut_vec3_make(half.x * u.x, half.y * u.y, half.z * u.z);
    }
    assert_ok(abut_shape_create_hull(cloud, points, &made));
    return made;
}

static abut_shape *make_superquadric(random_state *random, abut_vec3 half) {
    abut_shape *made = NULL;
    assert_ok(abut_shape_create_superquadric(half, random_range(random, 0.5, 1.5), random_range(random, 0.5, 1.5), &made));
    return made;
}

static abut_shape *make_body(random_state *random, int kind, double size) {
    abut_vec3 half = abut_scale(size, random_vec3(random, 0.2, 1.0));
    switch (kind) {
    case 0:
        return box(half.x, half.y, half.z);
    case 1:
        return capsule(half.x, half.z);
    case 2:
        return cylinder(half.x, half.z);
    case 3:
        return cone(half.x, half.z);
    case 4:
        return make_hull(random, 20, half);
    case 5:
        return make_hull(random, 100, half);
    case 6:
        return prism(half.x, half.z, 12);
    case 7:
        return ellipsoid(half.x, half.y, half.z);
    default:
        return make_superquadric(random, half);
    }
}

/* One in three is level. */
static mesh_triangle make_triangle(random_state *random, double size) {
    mesh_triangle t = {.vertex = {0, 1, 2}};
    abut_vec3 at = abut_scale(size, random_vec3(random, -0.8, 0.8));
    double spread = size * random_log_range(random, 0.02, 5.0);
    bool level = random_below(random, 3) == 0;
    for (int k = 0; k < 3; k++) {
        t.corner[k] = abut_add_scaled(at, spread, random_vec3(random, -1, 1));
        t.corner[k].z = level ? at.z : t.corner[k].z;
    }
    t.across = abut_cross(abut_sub(t.corner[1], t.corner[0]), abut_sub(t.corner[2], t.corner[0]));
    t.normal = abut_unit(t.across);
    return t;
}

static bool is_same(const mesh_way_out *p, const mesh_way_out *q) {
    return p->depth == q->depth && p->normal.x == q->normal.x && p->normal.y == q->normal.y && p->normal.z == q->normal.z;
}

/* Returns the number of ways within the limits. */
static int32_t check_limits(const convex *body, const mesh_triangle *t, int sides, double from, double below, mesh_ways_known *known,
                            const mesh_way_out *all, int32_t count) {
    mesh_way_out ways[MESH_WAYS_OUT];
    int32_t found = mesh_ways_find(body, t, sides, from, below, known, &alone, ways), expected = 0;
    for (int32_t i = 0; i < count; i++) {
        if (all[i].depth >= from && all[i].depth < below) {
            assert_true(expected < found);
            assert_true(is_same(&ways[expected], &all[i]));
            expected++;
        }
    }
    assert_int_equal(found, expected);
    return found;
}

static void limits_only_leave_out(void **state) {
    (void)state;
    random_state random = random_make(random_seed("limits_only_leave_out", 811));
    int32_t bodies = random_samples("limits_only_leave_out", BODIES);
    for (int kind = 0; kind < KINDS; kind++) {
        int32_t within = 0, without = 0;
        for (int32_t sample = 0; sample < bodies; sample++) {
            double size = random_log_range(&random, 1e-3, 1e3);
            abut_shape *shape = make_body(&random, kind, size);
            convex body = convex_place(shape, abut_mat3_from_quat(random_tidy_rotation(&random)),
                                       abut_scale(sample % 2 * size, random_vec3(&random, -1, 1)), 0);
            mesh_ways_known known = {.last = 0};
            for (int i = 0; i < TRIANGLES; i++) {
                mesh_triangle t = make_triangle(&random, size);
                mesh_way_out all[MESH_WAYS_OUT];
                int sides = 1 + random_below(&random, 7);
                mesh_ways_known none = {.last = 0};
                int32_t count = mesh_ways_find(&body, &t, sides, -INFINITY, INFINITY, &none, &alone, all);
                for (int k = 0; k < LIMITS && count < MESH_WAYS_OUT; k++) {
                    double from = size * random_range(&random, -0.1, 1.0), below = from + size * random_log_range(&random, 1e-4, 1.0);
                    int32_t found = check_limits(&body, &t, sides, from, below, &known, all, count);
                    within += found;
                    without += count - found;
                }
            }
            abut_shape_release(shape);
        }
        assert_true(within > 2 * bodies && without > 2 * bodies); /* otherwise the test would be useless */
    }
}

/* Two triangles about each corner, one beyond each side. */
static mesh_ways_beside make_beside(random_state *random, const mesh_triangle *t, double size) {
    mesh_ways_beside beside = {.level = 1e-9 * size};
    for (int i = 0; i < 3; i++) {
        beside.count[i] = 2;
        beside.way[i][0] = abut_scale(size, random_vec3(random, -1, 1));
        beside.way[i][1] = abut_scale(size, random_vec3(random, -1, 1));
        beside.has_across[i] = random_below(random, 2) == 0;
        beside.across[i] = abut_add(t->corner[i], beside.way[i][0]);
    }
    return beside;
}

/* Whether a triangle beside this one rises at the corner or at the side over which a way leads. */
static bool is_closed(const mesh_triangle *t, const mesh_ways_beside *beside, abut_vec3 normal) {
    double height[3], highest = -INFINITY;
    bool closed = false;
    for (int i = 0; i < 3; i++) {
        height[i] = abut_dot(normal, t->corner[i]);
        highest = fmax(highest, height[i]);
    }
    for (int i = 0; i < 3 && !closed; i++) {
        bool up = abut_dot(normal, beside->way[i][0]) > 0.0 || abut_dot(normal, beside->way[i][1]) > 0.0;
        closed = (up && height[i] == highest) || (beside->has_across[i] && abut_dot(normal, beside->across[i]) > highest);
    }
    return closed;
}

/* Triangles beside one leave out only ways above whose plane one of them rises. */
static void triangles_beside_close_ways(void **state) {
    (void)state;
    random_state random = random_make(random_seed("triangles_beside_close_ways", 812));
    int32_t bodies = random_samples("triangles_beside_close_ways", BODIES), kept = 0, closed = 0;
    for (int32_t sample = 0; sample < KINDS * bodies; sample++) {
        abut_shape *shape = make_body(&random, sample % KINDS, 1.0);
        convex body = convex_place(shape, abut_mat3_from_quat(random_tidy_rotation(&random)), abut_vec3_make(0, 0, 0), 0);
        for (int i = 0; i < TRIANGLES; i++) {
            mesh_triangle t = make_triangle(&random, 1.0);
            mesh_ways_beside beside = make_beside(&random, &t, 1.0);
            mesh_way_out all[MESH_WAYS_OUT], open[MESH_WAYS_OUT];
            mesh_ways_known known = {.last = 0};
            int32_t count = mesh_ways_find(&body, &t, 7, -INFINITY, INFINITY, &known, &alone, all), found = 0;
            int32_t left = mesh_ways_find(&body, &t, 7, -INFINITY, INFINITY, &known, &beside, open);
            for (int32_t k = 0; k < count && count < MESH_WAYS_OUT; k++) {
                bool is_kept = found < left && is_same(&open[found], &all[k]);
                assert_true(is_kept || is_closed(&t, &beside, all[k].normal));
                found += is_kept;
                closed += !is_kept;
            }
            assert_true(count == MESH_WAYS_OUT || found == left);
            kept += found;
        }
        abut_shape_release(shape);
    }
    assert_true(kept > 100 * bodies && closed > 100 * bodies);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(limits_only_leave_out), cmocka_unit_test(triangles_beside_close_ways)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
