/* The proximal rounds alone, on problems that need them and on problems that do not. They return a solution, a proof of infeasibility, or the fault of the
 * matrix. */
#include "support/check.h"
#include "support/lcp_case.h"

#include <math.h>
#include <string.h>

#include "solve/lcp/lcp.h"
#include "solve/lcp/proximal.h"

enum { MOST = 64 };

static const double tolerance = 1e-9;

/* Calls the rounds without an earlier search. z is written by index: the solution if there is one, else the proof. The case must have one island. */
static proximal_end ask(const lcp_case *c, double *z, double *residual) {
    abut_lcp *lcp;
    assert_ok(abut_lcp_create(&lcp));
    assert_ok(abut_lcp_set_matrix(lcp, c->n, c->matrix));
    const lcp_system *s = &lcp->system;
    active_set *a = &lcp->set;
    assert_int_equal(s->island_count, 1);
    a->scale = a->size = 0.0;
    a->tolerance = tolerance;
    a->limit = 1000;
    for (int32_t p = 0; p < c->n; p++) {
        a->q[p] = s->scale[p] * c->q[s->index[p]];
        a->f[p] = 0.0;
        a->out[p] = a->active[p] = false;
        a->scale = fmax(a->scale, fabs(a->q[p]));
        a->size = fmax(a->size, fabs(a->q[p]) * s->unit[p]);
    }
    proximal_end end = proximal_solve(a, 0, tolerance);
    *residual = active_set_residual(a, 0);
    for (int32_t p = 0; p < c->n; p++) {
        z[s->index[p]] = s->scale[p] * (end == PROXIMAL_UNBOUNDED ? a->ray[p] : a->f[p]);
    }
    assert_near(a->factor.ridge, 0.0, 0.0);
    abut_lcp_destroy(lcp);
    return end;
}

static void test_finds_solutions(void **state) {
    (void)state;
    random_state random = random_make(random_seed("solutions", 1));
    for (int round = 0; round < 300; round++) {
        int32_t n = 2 + random_below(&random, 20), rank = 1 + random_below(&random, n);
        lcp_case c = round % 10 == 0 ? lcp_case_pyramid(2) : lcp_case_random(&random, n, rank, 0.0);
        double z[MOST], residual, least;
        assert_int_equal(ask(&c, z, &residual), PROXIMAL_DONE);
        double checked = lcp_case_residual(&c, z, &least);
        assert_true(residual <= tolerance && checked <= 1.001 * tolerance && least >= 0.0);
        lcp_case_release(&c);
    }
}

static void test_proves(void **state) {
    (void)state;
    random_state random = random_make(random_seed("proves", 2));
    int32_t proofs = 0;
    for (int round = 0; round < 300; round++) {
        lcp_case c = lcp_case_random(&random, 8, 3, random_log_range(&random, 1e-5, 1.0));
        double w[12], z[MOST], residual;
        bool solvable = lcp_case_enumerate(&c, w);
        proximal_end end = ask(&c, z, &residual);
        assert_int_equal(end, solvable ? PROXIMAL_DONE : PROXIMAL_UNBOUNDED);
        assert_true(solvable ? residual <= tolerance : lcp_case_is_proof(&c, z));
        proofs += !solvable;
        lcp_case_release(&c);
    }
    assert_true(proofs > 30);
}

/* Two rows that are equal except for 1.5e-9: there is neither a solution nor a proof, and the best point lies between. */
static void test_between(void **state) {
    (void)state;
    lcp_case c = lcp_case_random(&(random_state){{1, 2, 3, 4}}, 2, 1, 0.0);
    const double matrix[4] = {1.0, -1.0, -1.0, 1.0}, q[2] = {-1.0, 1.0 - 6e-9};
    double z[MOST], residual;
    memcpy(c.matrix, matrix, sizeof matrix);
    memcpy(c.q, q, sizeof q);
    assert_int_equal(ask(&c, z, &residual), PROXIMAL_UNBOUNDED); /* the sum of both rows is exactly 0 z, and 6e-9 is too much */
    assert_near(z[0], 1.0, 1e-12);
    assert_near(z[1], 1.0, 1e-12);
    c.q[1] = 1.0 - 1.5e-9;
    assert_int_equal(ask(&c, z, &residual), PROXIMAL_DONE); /* 0.75e-9 for each row */
    assert_near(residual, 0.75e-9, 0.05e-9);
    lcp_case_release(&c);
}

static void test_indefinite(void **state) {
    (void)state;
    lcp_case c = lcp_case_balls(3);
    for (int i = 0; i < 9; i++) {
        c.matrix[i] = i % 4 == 0 ? 1.0 : -0.9;
    }
    c.q[0] = c.q[1] = c.q[2] = -1.0;
    double z[MOST], residual;
    assert_int_equal(ask(&c, z, &residual), PROXIMAL_INDEFINITE);
    lcp_case_release(&c);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_finds_solutions), cmocka_unit_test(test_proves),
                                       cmocka_unit_test(test_between), cmocka_unit_test(test_indefinite)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
