/* Principal frames: moments and axes reproduce the inertia tensor. */
#include "support/check.h"
#include "support/random.h"

#include "step/world/inertia.h"

static abut_mat3 inertia_of(abut_quat frame, abut_vec3 moments) {
    abut_mat3 r = abut_mat3_from_quat(frame);
    abut_mat3 scaled = {abut_scale(moments.x, r.x), abut_scale(moments.y, r.y), abut_scale(moments.z, r.z)};
    abut_mat3 m = abut_mat3_mul(scaled, abut_mat3_transpose(r));
    m.x.y = m.y.x;
    m.x.z = m.z.x;
    m.y.z = m.z.y;
    return m;
}

static void check_frame(abut_mat3 inertia, double tolerance) {
    abut_vec3 moments;
    abut_quat frame = inertia_principal(inertia, &moments);
    assert_near(abut_quat_norm(frame), 1.0, 1e-14);
    abut_mat3 again = inertia_of(frame, moments);
    assert_vec3_near(again.x, inertia.x, tolerance);
    assert_vec3_near(again.y, inertia.y, tolerance);
    assert_vec3_near(again.z, inertia.z, tolerance);
}

static void test_random_inertias(void **state) {
    (void)state;
    random_state random = random_make(random_seed("inertia", 7));
    for (int i = 0; i < 2000; i++) {
        double scale = random_log_range(&random, 1e-20, 1e20);
        abut_vec3 moments = {scale * random_range(&random, 0.5, 1.0), scale * random_range(&random, 0.5, 1.0),
                             scale * random_range(&random, 0.5, 1.0)};
        if (i % 3 == 0) {
            moments.y = moments.x;
        }
        check_frame(inertia_of(random_rotation(&random), moments), 1e-14 * scale);
    }
}

static void test_nearly_equal_moments(void **state) {
    (void)state;
    random_state random = random_make(random_seed("inertia", 8));
    for (int i = 0; i < 200; i++) {
        abut_vec3 moments = {1.0, 1.0 + random_log_range(&random, 1e-16, 1e-6), 1.0 - random_log_range(&random, 1e-16, 1e-6)};
        check_frame(inertia_of(random_rotation(&random), moments), 1e-14);
    }
}

static void test_diagonal_inertia_keeps_its_frame(void **state) {
    (void)state;
    abut_mat3 inertia = {{3.0, 0, 0}, {0, 1.0, 0}, {0, 0, 2.0}};
    abut_vec3 moments;
    abut_quat frame = inertia_principal(inertia, &moments);
    assert_true(frame.x == 0.0 && frame.y == 0.0 && frame.z == 0.0 && frame.w == 1.0);
    assert_true(moments.x == 3.0 && moments.y == 1.0 && moments.z == 2.0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_inertias),
        cmocka_unit_test(test_nearly_equal_moments),
        cmocka_unit_test(test_diagonal_inertia_keeps_its_frame),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
