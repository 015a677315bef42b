/* Rays at cylinders and cones: ends, sides, rims, apexes, along lines of the side, from inside. test/accuracy/test_cylinder_shapes.c judges many rays. */
#include "narrow/query/ray_frustum.h"

#include <abut/query.h>

#include "support/check.h"

static abut_hit cast(const abut_shape *shape, abut_vec3 origin, abut_vec3 way) {
    abut_hit hit;
    assert_ok(abut_ray_cast(shape, abut_pose_identity(), origin, way, &hit));
    return hit;
}

static void check_hit(abut_hit hit, double fraction, abut_vec3 normal, abut_feature_kind kind, int index) {
    assert_true(hit.hit && !hit.started_inside);
    assert_near(hit.fraction, fraction, 1e-14);
    assert_vec3_near(hit.normal, normal, 1e-14);
    assert_int_equal(hit.feature_b.kind, kind);
    assert_int_equal(hit.feature_b.index, index);
}

static abut_vec3 v(double x, double y, double z) { return abut_vec3_make(x, y, z); }

static void cylinders(void **state) {
    (void)state;
    abut_shape *can;
    assert_ok(abut_shape_create_cylinder(1.0, 2.0, &can));
    check_hit(cast(can, v(3, 0, 1), v(-4, 0, 0)), 0.5, v(1, 0, 0), ABUT_FEATURE_SMOOTH, 0);
    check_hit(cast(can, v(0.5, 0.5, 4), v(0, 0, -4)), 0.5, v(0, 0, 1), ABUT_FEATURE_FACE, 1);
    check_hit(cast(can, v(0.5, 0.5, -4), v(0, 0, 4)), 0.5, v(0, 0, -1), ABUT_FEATURE_FACE, 0);
    check_hit(cast(can, v(3, 0.6, 0), v(-4.4, 0, 0)), 0.5, v(0.8, 0.6, 0), ABUT_FEATURE_SMOOTH, 0);
    /* Tangent to the side, in the plane of a disc, along a line of the side, through a rim. */
    check_hit(cast(can, v(-2, 1, 0), v(4, 0, 0)), 0.5, v(0, 1, 0), ABUT_FEATURE_SMOOTH, 0);
    assert_false(cast(can, v(-2, 1 + 1e-12, 0), v(4, 0, 0)).hit);
    check_hit(cast(can, v(-3, 0, 2), v(4, 0, 0)), 0.5, v(-1, 0, 0), ABUT_FEATURE_SMOOTH, 0);
    assert_false(cast(can, v(-3, 0, 2 + 1e-12), v(4, 0, 0)).hit);
    check_hit(cast(can, v(1, 0, 4), v(0, 0, -4)), 0.5, v(0, 0, 1), ABUT_FEATURE_FACE, 1);
    assert_false(cast(can, v(1 + 1e-12, 0, 4), v(0, 0, -4)).hit);
    assert_true(cast(can, v(0, 0, 3), v(2, 0, -2)).hit);
    assert_false(cast(can, v(0, 0, 3 + 1e-12), v(2, 0, -2)).hit);
    /* From inside, from the surface, too short, away. */
    assert_true(cast(can, v(0.5, 0.5, 1), v(1, 0, 0)).started_inside);
    check_hit(cast(can, v(0, 0, 2), v(0, 0, 1)), 0.0, v(0, 0, 1), ABUT_FEATURE_FACE, 1);
    assert_false(cast(can, v(3, 0, 0), v(-1.9, 0, 0)).hit);
    assert_false(cast(can, v(3, 0, 0), v(1, 0, 0)).hit);
    check_hit(cast(can, v(1e9, 0, 0), v(-2e9, 0, 0)), 0.5 - 0.5e-9, v(1, 0, 0), ABUT_FEATURE_SMOOTH, 0);
    abut_shape_release(can);
}

static void cones(void **state) {
    (void)state;
    abut_shape *hat; /* its apex is at z = 3, its base at z = -1 */
    assert_ok(abut_shape_create_cone(3.0, 4.0, &hat));
    check_hit(cast(hat, v(5.5, 0, 4), v(-8, 0, -6)), 0.5, v(0.8, 0, 0.6), ABUT_FEATURE_SMOOTH, 0);
    check_hit(cast(hat, v(1, 0, -2), v(0, 0, 2)), 0.5, v(0, 0, -1), ABUT_FEATURE_FACE, 0);
    /* At the apex, past it, and through what would be the other half of a double cone. */
    check_hit(cast(hat, v(0, 0, 5), v(0, 0, -4)), 0.5, v(0, 0, 1), ABUT_FEATURE_VERTEX, 1);
    assert_true(cast(hat, v(-2, 0, 3), v(4, 0, 0)).hit);
    assert_false(cast(hat, v(-2, 0, 3 + 1e-12), v(4, 0, 0)).hit);
    assert_false(cast(hat, v(-2, 0, 4), v(4, 0, 0)).hit);
    /* Along a line of the side, from above the apex: on the side, beside it, and parallel to it from the other side. */
    check_hit(cast(hat, v(-3, 0, 7), v(6, 0, -8)), 0.5, v(0, 0, 1), ABUT_FEATURE_VERTEX, 1);
    assert_false(cast(hat, v(3 + 1e-9, 0, -1), v(-6, 0, 8)).hit);
    assert_true(cast(hat, v(3 - 1e-9, 0, -1), v(-6, 0, 8)).hit);
    check_hit(cast(hat, v(-4.5, 0, 5), v(6, 0, -8)), 0.5, v(-0.8, 0, 0.6), ABUT_FEATURE_SMOOTH, 0);
    abut_shape_release(hat);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(cylinders), cmocka_unit_test(cones)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
