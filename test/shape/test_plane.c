/* Planes: normals of any length are made unit; refused arguments. */
#include "shape/shape.h"
#include "support/check.h"

static void normal_is_made_unit(void **state) {
    (void)state;
    const double lengths[] = {1e-300, 1e-9, 1.0, 1e9, 1e300};
    for (int i = 0; i < 5; i++) {
        abut_shape *plane;
        assert_ok(abut_shape_create_plane(abut_vec3_make(0.0, 3.0 * lengths[i], 4.0 * lengths[i]), -2.0, &plane));
        assert_int_equal(abut_shape_kind(plane), ABUT_SHAPE_PLANE);
        assert_vec3_near(abut_shape_plane_normal(plane), abut_vec3_make(0.0, 0.6, 0.8), 1e-15);
        assert_near(abut_shape_plane_offset(plane), -2.0, 0.0);
        assert_near(plane->size, 0.0, 0.0);
        abut_shape_release(plane);
    }
}

static void refused_planes(void **state) {
    (void)state;
    abut_shape *plane = NULL;
    assert_status(abut_shape_create_plane(abut_vec3_make(0, 0, 0), 1.0, &plane), ABUT_ERROR_INVALID_ARGUMENT);
    assert_status(abut_shape_create_plane(abut_vec3_make(0, NAN, 1), 1.0, &plane), ABUT_ERROR_NOT_FINITE);
    assert_status(abut_shape_create_plane(abut_vec3_make(0, 0, 1), INFINITY, &plane), ABUT_ERROR_NOT_FINITE);
    assert_status(abut_shape_create_plane(abut_vec3_make(0, 0, 1), 1.0, NULL), ABUT_ERROR_INVALID_ARGUMENT);
    assert_null(plane);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(normal_is_made_unit), cmocka_unit_test(refused_planes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
