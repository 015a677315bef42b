/* Curvature of every kind of shape, at the feature that has the normal. */
#include <abut/smooth.h>

#include "support/check.h"

static abut_curvature of(const abut_shape *shape, double x, double y, double z) {
    abut_curvature c;
    assert_ok(abut_shape_curvature(shape, abut_vec3_make(x, y, z), &c));
    assert_vec3_near(abut_cross(c.direction[0], c.direction[1]), c.normal, 1e-14);
    assert_near(abut_length(c.direction[0]), 1.0, 1e-14);
    return c;
}

static void check(abut_curvature c, abut_feature_kind kind, double first, double second) {
    assert_int_equal(c.feature.kind, kind);
    for (int i = 0; i < 2; ++i) {
        double expected = i == 0 ? first : second;
        if (isfinite(expected)) {
            assert_near(c.curvature[i], expected, 1e-13);
        } else {
            assert_true(c.curvature[i] == expected);
        }
        assert_true(c.radius[i] == 1.0 / c.curvature[i] || fabs(c.radius[i] * c.curvature[i] - 1.0) < 1e-14);
    }
}

static void round_ones(void **state) {
    (void)state;
    abut_shape *ball, *bar;
    assert_ok(abut_shape_create_sphere(0.5, &ball));
    assert_ok(abut_shape_create_capsule(0.25, 1.0, &bar));
    check(of(ball, 1, 2, 3), ABUT_FEATURE_SMOOTH, 2.0, 2.0);
    check(of(bar, 0, 1, 1), ABUT_FEATURE_SMOOTH, 4.0, 4.0);
    abut_curvature side = of(bar, 0, 1, 0);
    check(side, ABUT_FEATURE_SMOOTH, 0.0, 4.0);
    assert_int_equal(side.feature.index, 2);
    assert_vec3_near(side.direction[0], abut_vec3_make(0, 0, 1), 1e-15);
    abut_shape_release(ball);
    abut_shape_release(bar);
}

static void polytopes(void **state) {
    (void)state;
    abut_shape *box;
    assert_ok(abut_shape_create_box(abut_vec3_make(1, 2, 3), &box));
    check(of(box, 0, 0, 1), ABUT_FEATURE_FACE, 0.0, 0.0);
    abut_curvature edge = of(box, 1, 0, 1);
    check(edge, ABUT_FEATURE_EDGE, 0.0, INFINITY);
    assert_near(fabs(edge.direction[0].y), 1.0, 1e-15);
    abut_curvature corner = of(box, 1, -1, 1);
    check(corner, ABUT_FEATURE_VERTEX, INFINITY, INFINITY);
    assert_vec3_near(corner.point, abut_vec3_make(1, -2, 3), 0.0);
    abut_shape_release(box);
}

/* At the ends of its axes an ellipsoid has the curvatures a / b^2 and a / c^2. */
static void ellipsoids(void **state) {
    (void)state;
    abut_shape *egg;
    assert_ok(abut_shape_create_ellipsoid(abut_vec3_make(2.0, 1.0, 0.5), &egg));
    abut_curvature c = of(egg, 1, 0, 0);
    check(c, ABUT_FEATURE_SMOOTH, 2.0, 8.0);
    assert_near(fabs(c.direction[0].y), 1.0, 1e-12);
    check(of(egg, 0, 0, -1), ABUT_FEATURE_SMOOTH, 0.125, 0.5);
    abut_shape_release(egg);
}

static void planes_and_compounds(void **state) {
    (void)state;
    abut_shape *plane, *ball, *both;
    abut_curvature c;
    assert_ok(abut_shape_create_plane(abut_vec3_make(0, 0, 2), 1.5, &plane));
    check(of(plane, 0, 0, 1), ABUT_FEATURE_FACE, 0.0, 0.0);
    assert_status(abut_shape_curvature(plane, abut_vec3_make(0, 1, 1), &c), ABUT_ERROR_UNBOUNDED);
    assert_ok(abut_shape_create_sphere(0.5, &ball));
    abut_part parts[2] = {{ball, abut_pose_identity()}, {ball, {abut_vec3_make(3, 0, 0), abut_quat_identity()}}};
    assert_ok(abut_shape_create_compound(parts, 2, &both));
    c = of(both, 1, 0, 0);
    check(c, ABUT_FEATURE_SMOOTH, 2.0, 2.0);
    assert_int_equal(c.feature.part, 1);
    assert_vec3_near(c.point, abut_vec3_make(3.5, 0, 0), 1e-15);
    abut_shape_release(plane);
    abut_shape_release(ball);
    abut_shape_release(both);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(round_ones), cmocka_unit_test(polytopes), cmocka_unit_test(ellipsoids),
                                       cmocka_unit_test(planes_and_compounds)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
