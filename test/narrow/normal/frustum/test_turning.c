/* turning_find() beside a dense search for changes of sign of the derivative itself. */
#include "narrow/normal/frustum/turning.h"

#include <math.h>

#include "support/check.h"
#include "support/random.h"

static double wave(const double p[3], double t) { return p[0] + p[1] * cos(t) + p[2] * sin(t); }
static double slope_of_wave(const double p[3], double t) { return p[2] * cos(t) - p[1] * sin(t); }

static double slope(const turning *f, double t) {
    double x = wave(f->x, t), y = wave(f->y, t);
    return f->slope[0] * cos(t) + f->slope[1] * sin(t) +
           f->factor * (x * slope_of_wave(f->x, t) + y * slope_of_wave(f->y, t)) / sqrt(x * x + y * y);
}

static bool is_among(const double *angle, int32_t count, double t, double near) {
    for (int32_t i = 0; i < count; ++i) {
        if (fabs(angle[i] - t) <= near) {
            return true;
        }
    }
    return false;
}

static double root_between(const turning *f, double low, double high) {
    for (int i = 0; i < 60; ++i) {
        double middle = 0.5 * (low + high);
        if ((slope(f, middle) > 0.0) == (slope(f, low) > 0.0)) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return 0.5 * (low + high);
}

static turning random_turning(random_state *r) {
    turning f = {.slope = {random_range(r, -1, 1), random_range(r, -1, 1)}, .factor = random_log_range(r, 0.1, 10.0)};
    for (int i = 0; i < 3; ++i) {
        f.x[i] = random_range(r, -1, 1);
        f.y[i] = random_range(r, -1, 1);
    }
    return f;
}

static void test_every_change_of_sign(void **state) {
    (void)state;
    enum { STEPS = 400 };
    random_state r = random_make(random_seed("every_change_of_sign", 3));
    tally t = {.kinds = 0};
    for (int sample = 0; sample < 3000; ++sample) {
        turning f = random_turning(&r);
        double middle = random_range(&r, -4, 4), half = random_range(&r, 0.05, 0.25 * PI), angle[TURNING_MOST];
        int32_t count = turning_find(&f, middle, half, angle);
        tally_sample(&t, "sample %d", sample);
        for (int i = 0; i < STEPS; ++i) {
            double low = middle - half + 2.0 * half * i / STEPS, high = low + 2.0 * half / STEPS;
            if ((slope(&f, low) > 0.0) != (slope(&f, high) > 0.0) && !is_among(angle, count, root_between(&f, low, high), 1e-6)) {
                tally_fail(&t, "a root is missing", "near %.9g, %d found", low, (int)count);
            }
        }
    }
    tally_end(&t);
}

/* A circle about the axis: the function is constant, and one angle is enough. */
static void test_constant(void **state) {
    (void)state;
    const turning f = {.slope = {1e-17, -2e-17}, .factor = 1.0, .x = {0.0, 1.0, 1e-17}, .y = {0.0, 0.0, 1.0}, .rounding = 1e-15};
    double angle[TURNING_MOST];
    assert_int_equal(turning_find(&f, 0.3, 0.5, angle), 1);
}

static void test_double_root(void **state) {
    (void)state;
    const turning f = {.slope = {0.0, 0.0}, .factor = 1.0, .x = {2.0, 1.0, 0.0}, .y = {0.0, 0.0, 1.0}}; /* sqrt(5 + 4 cos t) */
    double angle[TURNING_MOST];
    int32_t count = turning_find(&f, 0.1, 0.5, angle);
    assert_true(count >= 1 && is_among(angle, count, 0.0, 1e-6));
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_every_change_of_sign), cmocka_unit_test(test_constant),
                                       cmocka_unit_test(test_double_root)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
