/* Lemke's pivoting alone: the rows that it finds, the number of pivots for a stack, and the ray when there is no solution. */
#include "support/check.h"
#include "support/lcp_case.h"

#include <math.h>

#include "solve/lcp/lcp.h"

enum { MOST = 64 };

typedef struct answer {
    lemke_end end;
    bool active[MOST]; /* by index */
    double ray[MOST];  /* by index, not scaled */
    int32_t pivots;
} answer;

/* The case must have one island. `out` is by index. */
static answer ask(const lcp_case *c, const bool *out, int32_t limit) {
    abut_lcp *lcp;
    answer a;
    double q[MOST], ray[MOST], size = 0.0;
    bool left_out[MOST], active[MOST];
    lemke_tableau tableau = {.entries = NULL};
    assert_ok(abut_lcp_create(&lcp));
    assert_ok(abut_lcp_set_matrix(lcp, c->n, c->matrix));
    const lcp_system *s = &lcp->system;
    assert_int_equal(s->island_count, 1);
    for (int32_t p = 0; p < c->n; p++) {
        q[p] = s->scale[p] * c->q[s->index[p]];
        left_out[p] = out != NULL && out[s->index[p]];
        size = fmax(size, fabs(q[p]));
    }
    lemke_problem problem = {s, 0, q, left_out, size, limit};
    a.end = lemke_solve(&tableau, &problem, active, ray, &a.pivots);
    for (int32_t p = 0; p < c->n; p++) {
        a.active[s->index[p]] = active[p];
        a.ray[s->index[p]] = s->scale[p] * ray[p];
    }
    lemke_release(&tableau);
    abut_lcp_destroy(lcp);
    return a;
}

/* A stack of k needs k pivots after the first pivot, which brings in the extra variable. */
static void test_stack(void **state) {
    (void)state;
    for (int32_t k = 2; k <= 30; k++) {
        lcp_case c = lcp_case_balls(k);
        answer a = ask(&c, NULL, 1000);
        assert_int_equal(a.end, LEMKE_SOLVED);
        assert_int_equal(a.pivots, k + 1);
        for (int32_t i = 0; i < k; i++) {
            assert_true(a.active[i]);
        }
        assert_int_equal(ask(&c, NULL, k).end, LEMKE_LIMIT);
        lcp_case_release(&c);
    }
}

static void test_rows_left_out(void **state) {
    (void)state;
    lcp_case c = lcp_case_balls(8);
    const bool out[8] = {[3] = true};
    answer a = ask(&c, out, 1000);
    assert_int_equal(a.end, LEMKE_SOLVED);
    for (int i = 0; i < 8; i++) {
        assert_int_equal(a.active[i], i < 3);
    }
    lcp_case_release(&c);
}

/* For positive definite problems the set of rows is unique, except for rows on the border. */
static void test_finds_the_rows(void **state) {
    (void)state;
    random_state random = random_make(random_seed("lemke", 1));
    for (int round = 0; round < 300; round++) {
        int32_t n = 2 + random_below(&random, 7);
        lcp_case c = lcp_case_random(&random, n, n + 5, 0.0);
        double w[12];
        assert_true(lcp_case_enumerate(&c, w));
        answer a = ask(&c, NULL, 1000);
        assert_int_equal(a.end, LEMKE_SOLVED);
        for (int32_t i = 0; i < n; i++) {
            double size = sqrt(c.matrix[i * n + i]);
            if (fabs(w[i]) > 1e-6 * size) {
                assert_false(a.active[i]);
            }
        }
        lcp_case_release(&c);
    }
}

static void test_ray(void **state) {
    (void)state;
    random_state random = random_make(random_seed("ray", 2));
    int32_t rays = 0;
    for (int round = 0; round < 300; round++) {
        lcp_case c = lcp_case_random(&random, 8, 2, 0.5);
        double w[12];
        bool solvable = lcp_case_enumerate(&c, w);
        answer a = ask(&c, NULL, 1000);
        assert_int_equal(a.end, solvable ? LEMKE_SOLVED : LEMKE_RAY);
        rays += !solvable;
        for (int32_t i = 0; i < 8 && !solvable; i++) {
            a.ray[i] = fmax(a.ray[i], 0.0);
        }
        assert_true(solvable || lcp_case_is_proof(&c, a.ray));
        lcp_case_release(&c);
    }
    assert_true(rays > 30);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_stack), cmocka_unit_test(test_rows_left_out),
                                       cmocka_unit_test(test_finds_the_rows), cmocka_unit_test(test_ray)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
