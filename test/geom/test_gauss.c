/*
 * Gauss cells: clipping by half-spaces, compared with a test of single directions.
 */

#include "support/check.h"
#include "support/random.h"

#include "geom/gauss.h"

enum { MOST = 32 };

/* A cell around z: the corners of a regular polygon on a circle of the given angle, counter-clockwise seen from outside. */
static gauss_cell around_z(abut_vec3 *corners, int32_t count, double angle) {
    gauss_cell cell = {.corners = corners, .count = count, .capacity = MOST};
    for (int32_t i = 0; i < count; i++) {
        double turn = 6.283185307179586 * i / count;
        corners[i] = abut_vec3_make(sin(angle) * cos(turn), sin(angle) * sin(turn), cos(angle));
    }
    return cell;
}

/* Is the direction in the convex cell with these corners in order? */
static bool cell_holds(const gauss_cell *cell, abut_vec3 direction, double slack) {
    for (int32_t i = 0; i < cell->count; i++) {
        abut_vec3 pole = abut_cross(cell->corners[i], cell->corners[(i + 1) % cell->count]);
        if (abut_dot(pole, direction) < -slack) {
            return false;
        }
    }
    return true;
}

static void clipped_polygons(void **state) {
    (void)state;
    random_state random = random_make(random_seed("clipped_polygons", 111));
    int32_t inside = 0, outside = 0;
    for (int i = 0; i < 2000; i++) {
        abut_vec3 corners[MOST], whole_corners[MOST], side[3];
        int32_t n = 3 + random_below(&random, 8), sides = 1 + random_below(&random, 3);
        gauss_cell cell = around_z(corners, n, 1.0), whole = around_z(whole_corners, n, 1.0);
        for (int32_t k = 0; k < sides; k++) {
            side[k] = random_direction(&random);
            gauss_cell_clip(&cell, abut_scale(random_log_range(&random, 1e-6, 1e6), side[k]), 1e-12);
        }
        for (int j = 0; j < 20; j++) {
            abut_vec3 d = random_direction(&random);
            double clear = 1.0;
            bool expected = cell_holds(&whole, d, 0.0);
            for (int32_t k = 0; k < sides; k++) {
                expected = expected && abut_dot(side[k], d) <= 0.0;
                clear = fmin(clear, fabs(abut_dot(side[k], d)));
            }
            if (clear > 1e-6) {
                bool held = cell.count >= 3 && cell_holds(&cell, d, 1e-9);
                assert_int_equal(held, expected);
                inside += expected;
                outside += !expected;
            }
        }
    }
    assert_true(inside > 500 && outside > 500);
}

static void arcs_and_points(void **state) {
    (void)state;
    abut_vec3 corners[MOST] = {{0, 0, 1}, {1, 0, 0}};
    gauss_cell arc = {.corners = corners, .count = 2, .capacity = MOST};
    assert_vec3_near(gauss_cell_mean(&arc), abut_vec3_make(sqrt(0.5), 0, sqrt(0.5)), 1e-15);
    gauss_cell_clip(&arc, abut_vec3_make(1, 0, -1), 1e-12); /* keeps the part nearer to z than to x */
    assert_int_equal(arc.count, 2);
    assert_vec3_near(corners[0], abut_vec3_make(0, 0, 1), 0.0);
    assert_vec3_near(corners[1], abut_vec3_make(sqrt(0.5), 0, sqrt(0.5)), 1e-15);
    gauss_cell_clip(&arc, abut_vec3_make(0, 1, 0), 1e-12); /* lies along the circle of its pole, so all of it stays */
    assert_int_equal(arc.count, 2);
    gauss_cell_clip(&arc, abut_vec3_make(1, 0, 0), 1e-12);
    assert_int_equal(arc.count, 1);
    assert_vec3_near(gauss_cell_mean(&arc), abut_vec3_make(0, 0, 1), 0.0);
    gauss_cell_clip(&arc, abut_vec3_make(0, 0, 1), 1e-12);
    assert_int_equal(arc.count, 0);
    gauss_cell_clip(&arc, abut_vec3_make(0, 0, 1), 1e-12);
    assert_int_equal(arc.count, 0);
    assert_vec3_near(gauss_cell_mean(&arc), abut_vec3_make(0, 0, 0), 0.0);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(clipped_polygons), cmocka_unit_test(arcs_and_points)};
    return cmocka_run_group_tests_name("geom/gauss", tests, NULL, NULL);
}
