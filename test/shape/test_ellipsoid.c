/* Ellipsoids: closed forms, derivatives by differences in long double, and refused arguments. */
#include <abut/smooth.h>

#include "shape/shape.h"
#include "shape/smooth.h"
#include "support/allocator.h"
#include "support/check.h"
#include "support/smooth_body.h"

static void fields(void **state) {
    (void)state;
    abut_shape *egg;
    assert_ok(abut_shape_create_ellipsoid(abut_vec3_make(2.0, 1.0, 0.5), &egg));
    assert_int_equal(abut_shape_kind(egg), ABUT_SHAPE_ELLIPSOID);
    assert_string_equal(abut_kind_name(ABUT_SHAPE_ELLIPSOID), "ellipsoid");
    assert_vec3_near(abut_shape_semi_axes(egg), abut_vec3_make(2.0, 1.0, 0.5), 0.0);
    assert_near(egg->size, 4.0, 0.0);
    assert_vec3_near(egg->bounds.upper, abut_vec3_make(2.0, 1.0, 0.5), 0.0);
    abut_shape_release(egg);
    assert_vec3_near(abut_shape_semi_axes(NULL), abut_vec3_make(0.0, 0.0, 0.0), 0.0);
}

/* V = 4/3 pi a b c, I_xx = m (b^2 + c^2) / 5. */
static void mass(void **state) {
    (void)state;
    abut_shape *egg;
    abut_mass m;
    assert_ok(abut_shape_create_ellipsoid(abut_vec3_make(3.0, 2.0, 1.0), &egg));
    assert_ok(abut_shape_mass(egg, 2.0, &m));
    assert_near(m.volume, 25.132741228718345, 1e-13);
    assert_near(m.mass, 50.26548245743669, 1e-13);
    assert_near(m.inertia.x.x, m.mass, 1e-12);
    assert_near(m.inertia.y.y, 2.0 * m.mass, 1e-12);
    assert_near(m.inertia.z.z, 13.0 / 5.0 * m.mass, 1e-12);
    assert_vec3_near(m.centre, abut_vec3_make(0.0, 0.0, 0.0), 0.0);
    abut_shape_release(egg);
}

/* Where it is stretched the box is no larger than its corners' directions. */
static void bounds_of_a_turned_one(void **state) {
    (void)state;
    random_state random = random_make(random_seed("bounds_of_a_turned_one", 921));
    for (int i = 0; i < 100; ++i) {
        smooth_body body = smooth_body_random(&random, SMOOTH_ELLIPSOID, 20.0, 1.0);
        body.pose.position = random_vec3(&random, -5.0, 5.0);
        abut_shape *egg = smooth_body_shape(&body);
        abut_aabb box = abut_shape_bounds(egg, body.pose);
        assert_near(box.upper.x, smooth_body_extent(&body, abut_vec3_make(1, 0, 0)), 1e-14 * 8.0);
        assert_near(box.lower.y, -smooth_body_extent(&body, abut_vec3_make(0, -1, 0)), 1e-14 * 8.0);
        assert_near(box.upper.z, smooth_body_extent(&body, abut_vec3_make(0, 0, 1)), 1e-14 * 8.0);
        abut_shape_release(egg);
    }
}

static void refused(void **state) {
    (void)state;
    abut_shape *egg = NULL;
    assert_status(abut_shape_create_ellipsoid(abut_vec3_make(NAN, 1.0, 1.0), &egg), ABUT_ERROR_NOT_FINITE);
    assert_status(abut_shape_create_ellipsoid(abut_vec3_make(1.0, INFINITY, 1.0), &egg), ABUT_ERROR_NOT_FINITE);
    assert_status(abut_shape_create_ellipsoid(abut_vec3_make(1.0, 0.0, 1.0), &egg), ABUT_ERROR_INVALID_ARGUMENT);
    assert_status(abut_shape_create_ellipsoid(abut_vec3_make(1.0, 1.0, -1.0), &egg), ABUT_ERROR_INVALID_ARGUMENT);
    assert_status(abut_shape_create_ellipsoid(abut_vec3_make(1.0, 1.0, 1e-17), &egg), ABUT_ERROR_INVALID_ARGUMENT);
    assert_status(abut_shape_create_ellipsoid(abut_vec3_make(1e60, 1e60, 1e60), &egg), ABUT_ERROR_INVALID_ARGUMENT);
    assert_status(abut_shape_create_ellipsoid(abut_vec3_make(1.0, 1.0, 1.0), NULL), ABUT_ERROR_INVALID_ARGUMENT);
    counting_allocator memory = {.refuse_at = 0};
    counting_allocator_install(&memory);
    abut_status status = abut_shape_create_ellipsoid(abut_vec3_make(1.0, 1.0, 1.0), &egg);
    counting_allocator_remove();
    assert_status(status, ABUT_ERROR_OUT_OF_MEMORY);
    assert_null(egg);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(fields), cmocka_unit_test(mass), cmocka_unit_test(bounds_of_a_turned_one),
                                       cmocka_unit_test(refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
