/* Regions of directions: no direction that obeys all cuts is lost. */
#include "geom/direction_region.h"

#include "support/check.h"
#include "support/random.h"

/* How far a direction is outside the farthest long side; negative inside. */
static double outside(const direction_region *region, abut_vec3 d) {
    double most = -INFINITY;
    for (int32_t i = 0; i < region->count; ++i) {
        abut_vec3 p = region->corner[i], q = region->corner[i + 1 < region->count ? i + 1 : 0];
        most = abut_distance_between(p, q) > 0.5 ? fmax(most, -abut_dot(abut_unit(abut_cross(p, q)), d)) : most;
    }
    return most;
}

/* The first cuts of a half-sphere leave sides of nearly half a circle. They pass a direction by 1e-10 and must not move to its other side. */
static void test_long_sides(void **state) {
    (void)state;
    enum { SAMPLES = 2000, CUTS = 5 };
    random_state r = random_make(random_seed("long sides", 1));
    for (int i = 0; i < SAMPLES; ++i) {
        abut_vec3 pole = random_direction(&r), best = abut_unit(abut_add_scaled(random_direction(&r), 1.5, pole));
        direction_region region;
        direction_region_start(&region, pole);
        for (int k = 0; k < CUTS; ++k) {
            abut_vec3 plane = abut_unit(abut_cross(best, random_direction(&r)));
            plane = abut_add_scaled(plane, random_log_range(&r, 1e-12, 1e-1), best); /* plane . best > 0 */
            assert_true(direction_region_cut(&region, plane, abut_vec3_make(0.0, 0.0, 0.0)));
            assert_true(outside(&region, best) <= 1e-14);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_long_sides)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
