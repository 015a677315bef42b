/* Spheres: stored values and refused arguments. */
#include "shape/shape.h"
#include "support/check.h"

static void fields(void **state) {
    (void)state;
    abut_shape *ball;
    assert_ok(abut_shape_create_sphere(2.5, &ball));
    assert_int_equal(abut_shape_kind(ball), ABUT_SHAPE_SPHERE);
    assert_near(abut_shape_radius(ball), 2.5, 0.0);
    assert_near(abut_shape_half_length(ball), 0.0, 0.0);
    assert_near(ball->size, 5.0, 0.0);
    assert_vec3_near(ball->bounds.lower, abut_vec3_make(-2.5, -2.5, -2.5), 0.0);
    assert_vec3_near(ball->bounds.upper, abut_vec3_make(2.5, 2.5, 2.5), 0.0);
    abut_polytope_view view;
    assert_status(abut_shape_polytope(ball, &view), ABUT_ERROR_INVALID_ARGUMENT);
    abut_shape_release(ball);
}

static void refused_radii(void **state) {
    (void)state;
    abut_shape *ball = NULL;
    assert_status(abut_shape_create_sphere(NAN, &ball), ABUT_ERROR_NOT_FINITE);
    assert_status(abut_shape_create_sphere(-INFINITY, &ball), ABUT_ERROR_NOT_FINITE);
    assert_status(abut_shape_create_sphere(0.0, &ball), ABUT_ERROR_INVALID_ARGUMENT);
    assert_status(abut_shape_create_sphere(-1.0, &ball), ABUT_ERROR_INVALID_ARGUMENT);
    assert_status(abut_shape_create_sphere(1e80, &ball), ABUT_ERROR_INVALID_ARGUMENT);
    assert_status(abut_shape_create_sphere(1e-80, &ball), ABUT_ERROR_INVALID_ARGUMENT);
    assert_status(abut_shape_create_sphere(1.0, NULL), ABUT_ERROR_INVALID_ARGUMENT);
    assert_null(ball);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(fields), cmocka_unit_test(refused_radii)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
