/* The normal of bodies that nearly touch, where the difference of the closest points is mostly rounding error. World frame, A above B. */
#include "support/check.h"

static const double quarter = 0.78539816339744831;

/*
 * Two cubes edge on edge, along y, one tilted by a few parts in 1e10 and both rotated together by any angle. The closest points are those
 * of the lower end, 1e-9 apart. Their difference is off by 1e-7, and along it the long edges appear nearer than they are. A direction
 * perpendicular to an edge avoids that. So the gap is that of the lower end, at every margin.
 */
static void edges_nearly_parallel(void **state) {
    (void)state;
    const abut_vec3 x = {1, 0, 0}, y = {0, 1, 0};
    random_state random = random_make(random_seed("edges_nearly_parallel", 211));
    static tally t;
    t = (tally){0};
    abut_shape *cube;
    assert_ok(abut_shape_create_box(abut_vec3_make(0.5, 0.5, 0.5), &cube));
    for (int i = 0; i < 2000; i++) {
        double height = random_log_range(&random, 1e-9, 1e-6), tilt = random_log_range(&random, 1e-3, 1.0) * height;
        abut_pose a = {.position = {0, 0, sqrt(2.0) + height}};
        a.rotation = abut_quat_mul(abut_quat_about(x, tilt), abut_quat_about(y, quarter));
        abut_pose b = {.rotation = abut_quat_about(y, quarter)}, moved = random_pose(&random, 1.0);
        a = abut_pose_compose(moved, a);
        b = abut_pose_compose(moved, b);
        abut_collide_settings settings = abut_collide_settings_default();
        double expected = height - 0.5 * sin(tilt) + 2.0 * sqrt(0.5) * pow(sin(0.5 * tilt), 2.0);
        tally_sample(&t, "height %.17g, tilt %.17g", height, tilt);
        for (int k = 0; k < 4; k++) {
            static const double margins[4] = {0.999, 1.001, 2.0, 1e6};
            settings.margin = margins[k] * expected;
            settings.normal = i % 2 ? ABUT_NORMAL_MINIMUM : ABUT_NORMAL_GROWTH;
            abut_contact contacts[8];
            int32_t count;
            assert_ok(abut_collide(&(abut_pair){cube, a, cube, b}, &settings, NULL, contacts, 8, &count));
            double deepest = INFINITY;
            for (int32_t c = 0; c < count; c++) {
                deepest = fmin(deepest, contacts[c].gap);
            }
            if (k > 0 && !(fabs(deepest - expected) <= 1e-14 + 1e-9 * expected)) {
                tally_fail(&t, "not the gap of the lower end", "margin %d: %.17g, expected %.17g", k, deepest, expected);
            } else if (k == 0 && height > 1e-8 && count > 0) {
                tally_fail(&t, "within a smaller margin", "%.17g, expected %.17g", deepest, expected);
            }
        }
    }
    abut_shape_release(cube);
    tally_end(&t);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(edges_nearly_parallel)};
    return cmocka_run_group_tests_name("narrow/normal/normal", tests, NULL, NULL);
}
