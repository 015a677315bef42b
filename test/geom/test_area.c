/* Area vectors: length and sense. For slivers, the direction is perpendicular to their edges to the last digits. */
#include "geom/area.h"

#include "support/check.h"

static void a_known_triangle(void **state) {
    (void)state;
    const abut_vec3 a = {1, 2, 3}, b = {4, 2, 3}, c = {1, 7, 3};
    assert_vec3_near(triangle_area(a, b, c), abut_vec3_make(0, 0, 15), 0.0);
    assert_vec3_near(triangle_area(b, c, a), abut_vec3_make(0, 0, 15), 0.0);
    assert_vec3_near(triangle_area(c, b, a), abut_vec3_make(0, 0, -15), 0.0);
    assert_vec3_near(triangle_area(a, a, a), abut_vec3_make(0, 0, 0), 0.0);
    assert_vec3_near(triangle_area(a, b, a), abut_vec3_make(0, 0, 0), 0.0);
}

/* The corners are exact numbers, so the direction is known: (a, b) along u, and c off it by height along v. */
static void slivers_are_square_to_their_long_edges(void **state) {
    (void)state;
    const abut_vec3 u = {3, 5, 7}, v = {-7, 0, 3}; /* perpendicular to each other */
    const abut_vec3 n = abut_unit(abut_cross(u, v));
    for (int power = 0; power >= -40; power--) {
        double height = ldexp(1.0, power);
        const abut_vec3 a = {0, 0, 0}, b = u, c = abut_add_scaled(abut_scale(0.375, u), height, v);
        for (int turn = 0; turn < 3; turn++) {
            const abut_vec3 corner[3] = {a, b, c};
            abut_vec3 area = triangle_area(corner[turn], corner[(turn + 1) % 3], corner[(turn + 2) % 3]);
            assert_near(abut_length(area), height * abut_length(u) * abut_length(v), 1e-14 + 1e-15 * height);
            assert_near(abut_dot(abut_unit(area), abut_unit(u)), 0.0, 3e-16);
            assert_true(abut_dot(area, n) > 0.0);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_known_triangle), cmocka_unit_test(slivers_are_square_to_their_long_edges)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
