/* The point of a capsule's axis closest to a box: against a search in long double over random, flat, parallel and touching places. */
#include "narrow/normal/axis/box_line.h"

#include <stdio.h>

#include "support/check.h"

static long double square_at(const box_line *l, long double t) {
    long double square = 0.0L;
    for (int i = 0; i < 3; i++) {
        long double beyond = fabsl(l->middle[i] + t * l->reach[i]) - l->half[i];
        square += beyond > 0.0L ? beyond * beyond : 0.0L;
    }
    return square;
}

/* The squared distance is convex along the line. */
static long double least_distance(const box_line *l) {
    long double low = -1.0L, high = 1.0L;
    for (int i = 0; i < 120; i++) {
        long double p = low + (high - low) / 3.0L, q = high - (high - low) / 3.0L;
        if (square_at(l, p) <= square_at(l, q)) {
            high = q;
        } else {
            low = p;
        }
    }
    long double ends = fminl(square_at(l, -1.0L), square_at(l, 1.0L));
    return sqrtl(fminl(ends, square_at(l, 0.5L * (low + high))));
}

static double draw_number(random_state *random, double half) {
    const double choices[6] = {0.0, half, -half, half * (1.0 + random_range(random, -1e-9, 1e-9)), random_range(random, -half, half), -0.0};
    return random_below(random, 2) == 0 ? choices[random_below(random, 6)] : random_range(random, -3.0, 3.0);
}

static box_line draw_line(random_state *random) {
    const double thin = random_below(random, 4) == 0 ? random_log_range(random, 1e-6, 1.0) : 1.0;
    abut_vec3 half = random_vec3(random, 0.2, 1.0), reach = abut_scale(random_log_range(random, 1e-3, 10.0), random_direction(random));
    half.z *= thin;
    if (random_below(random, 3) == 0) {
        *(random_below(random, 2) == 0 ? &reach.x : &reach.y) *= random_below(random, 2) == 0 ? 0.0 : 1e-9;
    }
    return box_line_of(abut_vec3_make(draw_number(random, half.x), draw_number(random, half.y), draw_number(random, half.z)), reach, half);
}

static void nearest_of_a_search(void **state) {
    (void)state;
    static tally t;
    random_state random = random_make(random_seed("nearest_of_a_search", 31));
    int32_t samples = random_samples("nearest_of_a_search", 100000), ends = 0, inside = 0, clear = 0;
    for (int32_t i = 0; i < samples; i++) {
        const box_line line = draw_line(&random);
        box_nearest near;
        box_line_nearest(&line, false, &near);
        tally_sample(&t, "sample %d", (int)i);
        long double least = least_distance(&line);
        /* Next to a plane of a face, a line that is nearly parallel to it has a derivative of rounding errors. Then nothing is clear. */
        double far = fabs(line.middle[0]) + fabs(line.middle[1]) + fabs(line.middle[2]), size = 2.0;
        bool is_clear = box_line_is_clear(&near, size, far + size);
        double rounding = (is_clear ? 1e-15 : 1e-9) * (far + 20.0);
        clear += is_clear;
        if (!(fabs(near.place) <= 1.0) || fabsl(near.distance - least) > rounding) {
            tally_fail(&t, "distance", "%.17g, not %.17g", near.distance, (double)least);
        }
        ends += fabs(near.place) == 1.0;
        inside += near.outside == 0;
    }
    tally_end(&t);
    assert_true(clear > samples / 3);
    assert_true(ends > samples / 10 && ends < samples * 9 / 10 && inside > samples / 50);
}

/* What the short path relies on: no number that is not one gives an answer. */
static void nothing_is_clear_of_no_number(void **state) {
    (void)state;
    const double bad[3] = {NAN, INFINITY, 1e200};
    for (int i = 0; i < 3; i++) {
        const box_line line = box_line_of(abut_vec3_make(bad[i], 0.5, 0.5), abut_vec3_make(0.1, 0.2, 0.3), abut_vec3_make(1.0, 1.0, 1.0));
        box_nearest near;
        box_line_nearest(&line, false, &near);
        assert_false(box_line_is_clear(&near, 2.0, 3.0 + fabs(bad[i])));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(nearest_of_a_search), cmocka_unit_test(nothing_is_clear_of_no_number)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
