/* Capsules: stored values and refused arguments. */
#include "shape/shape.h"
#include "support/check.h"

static void fields(void **state) {
    (void)state;
    abut_shape *bar;
    assert_ok(abut_shape_create_capsule(0.5, 2.0, &bar));
    assert_int_equal(abut_shape_kind(bar), ABUT_SHAPE_CAPSULE);
    assert_near(abut_shape_radius(bar), 0.5, 0.0);
    assert_near(abut_shape_half_length(bar), 2.0, 0.0);
    assert_near(bar->size, 5.0, 0.0);
    assert_vec3_near(bar->bounds.upper, abut_vec3_make(0.5, 0.5, 2.5), 0.0);
    assert_vec3_near(bar->bounds.lower, abut_vec3_make(-0.5, -0.5, -2.5), 0.0);
    abut_shape_release(bar);
}

static void without_length_it_is_a_ball(void **state) {
    (void)state;
    abut_shape *bar, *ball;
    assert_ok(abut_shape_create_capsule(0.7, 0.0, &bar));
    assert_ok(abut_shape_create_sphere(0.7, &ball));
    assert_near(bar->unit_mass.volume, ball->unit_mass.volume, 1e-15);
    assert_near(bar->unit_mass.inertia.x.x, ball->unit_mass.inertia.x.x, 1e-15);
    assert_near(bar->unit_mass.inertia.z.z, ball->unit_mass.inertia.z.z, 1e-15);
    abut_shape_release(bar);
    abut_shape_release(ball);
}

static void refused_sizes(void **state) {
    (void)state;
    abut_shape *bar = NULL;
    assert_status(abut_shape_create_capsule(NAN, 1.0, &bar), ABUT_ERROR_NOT_FINITE);
    assert_status(abut_shape_create_capsule(1.0, INFINITY, &bar), ABUT_ERROR_NOT_FINITE);
    assert_status(abut_shape_create_capsule(0.0, 1.0, &bar), ABUT_ERROR_INVALID_ARGUMENT);
    assert_status(abut_shape_create_capsule(1.0, -1e-9, &bar), ABUT_ERROR_INVALID_ARGUMENT);
    assert_status(abut_shape_create_capsule(1.0, 1e150, &bar), ABUT_ERROR_INVALID_ARGUMENT);
    assert_status(abut_shape_create_capsule(1e-70, 1.0, &bar), ABUT_ERROR_INVALID_ARGUMENT);
    assert_status(abut_shape_create_capsule(1.0, 1.0, NULL), ABUT_ERROR_INVALID_ARGUMENT);
    assert_null(bar);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(fields), cmocka_unit_test(without_length_it_is_a_ball),
                                       cmocka_unit_test(refused_sizes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
