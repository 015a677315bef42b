/* Smooth bodies and meshes: contacts as with the surface that the triangles represent, and the distance from it. */
#include <stdlib.h>

#include <abut/mesh.h>
#include <abut/query.h>
#include <abut/smooth.h>

#include "support/check.h"
#include "support/random.h"
#include "support/smooth_body.h"

enum { CELLS = 12 };

/* A square of 4, flat or with a roof's slope on both sides of the line x = 0. */
static abut_shape *make_sheet(double slope) {
    enum { ROW = CELLS + 1 };
    abut_vec3 vertices[ROW * ROW];
    int32_t triangles[6 * CELLS * CELLS], n = 0;
    for (int i = 0; i < ROW * ROW; ++i) {
        double x = -2.0 + 4.0 * (i % ROW) / CELLS, y = -2.0 + 4.0 * (i / ROW) / CELLS;
        vertices[i] = abut_vec3_make(x, y, -slope * fabs(x));
    }
    for (int i = 0; i < CELLS * CELLS; ++i) {
        int32_t p = i / CELLS * ROW + i % CELLS, q = p + 1, r = p + ROW + 1, s = p + ROW;
        const int32_t cell[6] = {p, q, r, p, r, s};
        for (int k = 0; k < 6; ++k) {
            triangles[n++] = cell[k];
        }
    }
    abut_trimesh_def def = abut_trimesh_def_default();
    def.vertices = vertices;
    def.vertex_count = ROW * ROW;
    def.triangles = triangles;
    def.triangle_count = 2 * CELLS * CELLS;
    abut_shape *sheet;
    assert_ok(abut_shape_create_trimesh(&def, NULL, &sheet));
    return sheet;
}

/* However the sheet is triangulated, an ellipsoid on it has one contact, the one with the plane. */
static void on_a_flat_sheet(void **ignored) {
    (void)ignored;
    abut_shape *sheet = make_sheet(0.0), *plane;
    assert_ok(abut_shape_create_plane(abut_vec3_make(0, 0, 1), 0.0, &plane));
    random_state random = random_make(random_seed("on_a_flat_sheet", 991));
    for (int i = 0; i < 300; ++i) {
        smooth_body body = smooth_body_random(&random, i % 2 == 0 ? SMOOTH_ELLIPSOID : SMOOTH_SUPERQUADRIC, 2.0, 0.5);
        abut_shape *shape = smooth_body_shape(&body);
        double low = smooth_body_extent(&body, abut_vec3_make(0, 0, -1)), gap = random_range(&random, -0.08, 0.08);
        body.pose.position = abut_vec3_make(random_range(&random, -0.8, 0.8), random_range(&random, -0.8, 0.8), low + gap);
        abut_contact c[16], on_plane;
        int32_t count, one;
        abut_separation s, swapped;
        assert_ok(abut_distance(&(abut_pair){shape, body.pose, sheet, abut_pose_identity()}, NULL, NULL, &s));
        assert_near(s.gap, gap, 1e-9);
        assert_vec3_near(s.normal, abut_vec3_make(0, 0, 1), 1e-6);
        assert_ok(abut_distance(&(abut_pair){sheet, abut_pose_identity(), shape, body.pose}, NULL, NULL, &swapped));
        assert_near(swapped.gap, s.gap, 1e-12);
        assert_vec3_near(swapped.normal, abut_neg(s.normal), 1e-6);
        assert_ok(abut_collide(&(abut_pair){shape, body.pose, sheet, abut_pose_identity()}, NULL, NULL, c, 16, &count));
        assert_ok(abut_collide(&(abut_pair){shape, body.pose, plane, abut_pose_identity()}, NULL, NULL, &on_plane, 1, &one));
        assert_int_equal(count > 0, gap <= 0.0);
        assert_int_equal(one > 0, gap <= 0.0);
        double deepest = 0.0;
        for (int k = 0; k < count; ++k) {
            assert_vec3_near(c[k].normal, abut_vec3_make(0, 0, 1), 1e-9); /* no edge within the sheet is felt */
            deepest = fmin(deepest, c[k].gap);
        }
        assert_near(deepest, fmin(gap, 0.0), 1e-9);
        if (gap <= 0.0) {
            assert_near(on_plane.gap, gap, 1e-12);
        }
        abut_shape_release(shape);
    }
    abut_shape_release(sheet);
    abut_shape_release(plane);
}

/* A ridge is an edge of the surface: an upright ellipsoid touches it straight below. */
static void on_a_ridge(void **ignored) {
    (void)ignored;
    abut_shape *roof = make_sheet(1.0), *egg;
    assert_ok(abut_shape_create_ellipsoid(abut_vec3_make(0.5, 0.8, 0.6), &egg));
    abut_pose at = {abut_vec3_make(0.0, 0.1, 0.55), abut_quat_identity()};
    abut_contact c[8];
    int32_t count;
    assert_ok(abut_collide(&(abut_pair){egg, at, roof, abut_pose_identity()}, NULL, NULL, c, 8, &count));
    assert_true(count >= 1);
    assert_near(c[0].gap, -0.05, 1e-12);
    assert_vec3_near(c[0].normal, abut_vec3_make(0, 0, 1), 1e-9);
    assert_int_equal(c[0].feature_a.kind, ABUT_FEATURE_SMOOTH);
    abut_separation s;
    at.position.z = 0.75;
    assert_ok(abut_distance(&(abut_pair){egg, at, roof, abut_pose_identity()}, NULL, NULL, &s));
    assert_near(s.gap, 0.15, 1e-12);
    assert_int_equal(s.feature_b.kind, ABUT_FEATURE_EDGE);
    abut_shape_release(roof);
    abut_shape_release(egg);
}

/* The distance of a convex body from the mesh of a box equals that from the box. */
static void around_a_box(void **ignored) {
    (void)ignored;
    static const int32_t sides[36] = {0, 2, 1, 1, 2, 3, 4, 5, 6, 5, 7, 6, 0, 1, 4, 1, 5, 4,
                                      2, 6, 3, 3, 6, 7, 0, 4, 2, 2, 4, 6, 1, 3, 5, 3, 7, 5};
    abut_vec3 vertices[8], half = {0.6, 0.4, 0.5};
    for (int i = 0; i < 8; ++i) {
        vertices[i] = abut_vec3_make(i & 1 ? half.x : -half.x, i & 2 ? half.y : -half.y, i & 4 ? half.z : -half.z);
    }
    abut_trimesh_def def = abut_trimesh_def_default();
    def.vertices = vertices;
    def.vertex_count = 8;
    def.triangles = sides;
    def.triangle_count = 12;
    abut_shape *mesh, *box;
    assert_ok(abut_shape_create_trimesh(&def, NULL, &mesh));
    assert_ok(abut_shape_create_box(half, &box));
    random_state random = random_make(random_seed("around_a_box", 992));
    for (int i = 0; i < 400; ++i) {
        smooth_body body = smooth_body_random(&random, (smooth_kind)(i % SMOOTH_CLOUD), 3.0, 0.5);
        abut_shape *shape = smooth_body_shape(&body);
        body.pose.position = abut_scale(random_range(&random, 1.8, 4.0), random_direction(&random));
        abut_pose pose = random_pose(&random, 0.3);
        abut_separation s, expected;
        assert_ok(abut_distance(&(abut_pair){shape, body.pose, box, pose}, NULL, NULL, &expected));
        if (expected.gap > 1e-3) {
            assert_ok(abut_distance(&(abut_pair){shape, body.pose, mesh, pose}, NULL, NULL, &s));
            assert_near(s.gap, expected.gap, 1e-9);
            assert_vec3_near(s.normal, expected.normal, 1e-6);
            assert_near(abut_dot(s.normal, abut_sub(s.on_a, s.on_b)), s.gap, 1e-9);
        }
        abut_shape_release(shape);
    }
    abut_shape_release(mesh);
    abut_shape_release(box);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(on_a_flat_sheet), cmocka_unit_test(on_a_ridge), cmocka_unit_test(around_a_box)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
