/* The hull that grows point by point, compared with hulls made from scratch. */
#include "geom/growing_hull.h"
#include "support/check.h"

enum { MOST = 64 };

static double area_of(const flat_point *point, const int32_t *members, int32_t count) {
    oracle_point2 points[MOST];
    for (int32_t i = 0; i < count; i++) {
        points[i] = (oracle_point2){point[members[i]].x, point[members[i]].y};
    }
    return oracle_hull_area(points, count);
}

/* Random points, points on a coarse grid (with equal and collinear ones), or points on a circle. */
static void scatter(random_state *random, int kind, flat_point *point, int32_t count) {
    for (int32_t i = 0; i < count; i++) {
        double x = random_range(random, -1, 1), y = random_range(random, -1, 1), length = hypot(x, y);
        point[i] = kind == 0   ? (flat_point){x, y}
                   : kind == 1 ? (flat_point){round(2 * x), round(2 * y)}
                               : (flat_point){x / length, y / length};
    }
}

/* The first three span an area if any three do. */
static void begin_with_a_triangle(flat_point *point, int32_t count) {
    for (int32_t i = 2; i < count; i++) {
        bool equal = point[0].x == point[1].x && point[0].y == point[1].y;
        int32_t at = equal ? 1 : 2;
        if (equal || flat_turn(point[0], point[1], point[2]) == 0.0) {
            flat_point p = point[at];
            point[at] = point[i];
            point[i] = p;
        }
    }
}

/* For any order of the other points, the gain of each point is the area that it adds. */
static void gains_are_differences_of_areas(void **state) {
    (void)state;
    random_state random = random_make(random_seed("gains_are_differences_of_areas", 91));
    for (int sample = 0; sample < 600; sample++) {
        flat_point point[MOST];
        int32_t memory[3 * MOST], members[MOST], count = 2 + random_below(&random, MOST - 2);
        scatter(&random, sample % 3, point, count);
        begin_with_a_triangle(point, count);
        for (int32_t i = 0; i < count; i++) {
            members[i] = i;
        }
        growing_hull hull;
        growing_hull_start(&hull, point, count, memory, 0, 1);
        for (int32_t n = 2; n < count; n++) {
            double before = area_of(point, members, n);
            for (int32_t i = n; i < count; i++) {
                members[n] = i;
                assert_near(growing_hull_gain(&hull, i), 2.0 * (area_of(point, members, n + 1) - before), 1e-13);
            }
            members[n] = n;
            growing_hull_add(&hull, n);
            assert_near(growing_hull_gain(&hull, n), 0.0, 0.0);
        }
    }
}

/* When differences and areas overflow, the result is undefined, but the call must return. */
static void overflow_comes_to_an_end(void **state) {
    (void)state;
    random_state random = random_make(random_seed("overflow_comes_to_an_end", 92));
    for (int sample = 0; sample < 100; sample++) {
        flat_point point[MOST];
        int32_t memory[3 * MOST];
        scatter(&random, sample % 3, point, MOST);
        for (int32_t i = 0; i < MOST; i++) {
            point[i] = (flat_point){1.5e308 * point[i].x, 1.5e308 * point[i].y};
        }
        growing_hull hull;
        growing_hull_start(&hull, point, MOST, memory, 0, 1);
        for (int32_t i = 2; i < MOST; i++) {
            assert_true(growing_hull_gain(&hull, i) >= 0.0);
            growing_hull_add(&hull, i);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(gains_are_differences_of_areas), cmocka_unit_test(overflow_comes_to_an_end)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
