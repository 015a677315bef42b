/* Small dense systems: systems with exact solutions, random systems checked by substitution, badly scaled and singular systems. */
#include "geom/linear.h"

#include "support/check.h"
#include "support/random.h"

static void exact(void **state) {
    (void)state;
    double rows[2 * 3] = {0.0, 2.0, 6.0, 4.0, 1.0, 7.0}, x[2];
    assert_true(linear_solve(2, rows, x));
    assert_near(x[0], 1.0, 0.0);
    assert_near(x[1], 3.0, 0.0);
}

static void random_ones(void **state) {
    (void)state;
    random_state random = random_make(random_seed("random_ones", 981));
    for (int i = 0; i < 500; ++i) {
        int n = 1 + random_below(&random, LINEAR_MOST);
        double m[LINEAR_MOST][LINEAR_MOST], rows[LINEAR_MOST * (LINEAR_MOST + 1)], expected[LINEAR_MOST], x[LINEAR_MOST];
        for (int r = 0; r < n; ++r) {
            double scale = random_log_range(&random, 1e-6, 1e6);
            expected[r] = random_range(&random, -1, 1);
            for (int c = 0; c < n; ++c) {
                m[r][c] = scale * (random_range(&random, -1, 1) + (r == c ? 4.0 : 0.0));
            }
        }
        for (int r = 0; r < n; ++r) {
            double sum = 0.0;
            for (int c = 0; c < n; ++c) {
                rows[r * (n + 1) + c] = m[r][c];
                sum += m[r][c] * expected[c];
            }
            rows[r * (n + 1) + n] = sum;
        }
        assert_true(linear_solve(n, rows, x));
        for (int r = 0; r < n; ++r) {
            assert_near(x[r], expected[r], 1e-12);
        }
    }
}

static void no_answer(void **state) {
    (void)state;
    double same[2 * 3] = {1.0, 2.0, 1.0, 2.0, 4.0, 2.0}, zero[1 * 2] = {0.0, 1.0}, none[1 * 2] = {NAN, 1.0}, x[2] = {5.0, 5.0};
    assert_false(linear_solve(2, same, x));
    assert_false(linear_solve(1, zero, x));
    assert_false(linear_solve(1, none, x));
}

/* Of a singular system with solutions it finds one. */
static void as_far_as_the_rank_goes(void **state) {
    (void)state;
    random_state random = random_make(random_seed("as_far_as_the_rank_goes", 982));
    for (int i = 0; i < 500; ++i) {
        int n = 1 + random_below(&random, LINEAR_MOST), rank = 1 + random_below(&random, n);
        double m[LINEAR_MOST][LINEAR_MOST] = {{0.0}}, rows[LINEAR_MOST * (LINEAR_MOST + 1)], x[LINEAR_MOST], right[LINEAR_MOST] = {0.0};
        for (int k = 0; k < rank; ++k) { /* a sum of dyads */
            double p[LINEAR_MOST], q[LINEAR_MOST];
            for (int r = 0; r < n; ++r) {
                p[r] = random_range(&random, -1, 1) + (r == k ? 3.0 : 0.0);
                q[r] = random_range(&random, -1, 1) + (r == k ? 3.0 : 0.0);
            }
            for (int r = 0; r < n; ++r) {
                for (int c = 0; c < n; ++c) {
                    m[r][c] += p[r] * q[c];
                    right[r] += p[r] * q[c] * (c - 1.0);
                }
            }
        }
        for (int r = 0; r < n; ++r) {
            for (int c = 0; c < n; ++c) {
                rows[r * (n + 1) + c] = m[r][c];
            }
            rows[r * (n + 1) + n] = right[r];
        }
        linear_solve_rank(n, rows, 1e-9, x);
        for (int r = 0; r < n; ++r) {
            double sum = 0.0;
            for (int c = 0; c < n; ++c) {
                sum += m[r][c] * x[c];
            }
            assert_near(sum, right[r], 1e-8);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(exact), cmocka_unit_test(random_ones), cmocka_unit_test(no_answer),
                                       cmocka_unit_test(as_far_as_the_rank_goes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
