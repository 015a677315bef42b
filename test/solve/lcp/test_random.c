/* Ten thousand problems by both methods: stacks, walls and towers, which are exactly symmetric and redundant; heaps; and matrices of any rank with q in
 * their range, slightly outside or far outside. The test checks the residual of every solution and every proof of infeasibility independently. */
#include "support/check.h"
#include "support/lcp_case.h"

#include <math.h>
#include <stdlib.h>

/* The allowed outcome of a problem. */
typedef enum expectation {
    SOLVABLE,  /* there is a solution */
    DECIDABLE, /* a solution, or a proof that there is none */
    ANY        /* so close to the border that rounding decides, but never a wrong answer */
} expectation;

typedef struct trial {
    tally t;
    abut_lcp *lcp;
    int32_t solved, impossible, undecided;
} trial;

static void judge(trial *r, const lcp_case *c, expectation expected, int method, abut_status status, const double *z, double residual) {
    double least, checked = status == ABUT_ERROR_INFEASIBLE ? INFINITY : lcp_case_residual(c, z, &least);
    switch (status) {
    case ABUT_OK:
        r->solved++;
        if (!(checked <= 1.001e-9) || !(least >= 0.0)) {
            tally_fail(&r->t, "wrong in silence", "method %d: residual %g, least %g", method, checked, least);
        }
        if (!(fabs(checked - residual) <= 1e-11 + 1e-3 * checked)) {
            tally_fail(&r->t, "reported residual", "method %d: %g, not %g", method, residual, checked);
        }
        break;
    case ABUT_ERROR_INFEASIBLE:
        r->impossible++;
        if (expected == SOLVABLE || !lcp_case_is_proof(c, z)) {
            tally_fail(&r->t, "no proof", "method %d", method);
        }
        break;
    case ABUT_ERROR_ITERATION_LIMIT:
        r->undecided++;
        if (expected != ANY || !(checked > 0.999e-9)) {
            tally_fail(&r->t, "undecided", "method %d: residual %g", method, checked);
        }
        break;
    default:
        tally_fail(&r->t, "status", "method %d: %s", method, abut_status_name(status));
    }
}

static void try_case(trial *r, lcp_case c, expectation expected) {
    double *z = check_memory((size_t)c.n, sizeof *z), *w = check_memory((size_t)c.n, sizeof *w);
    for (int way = 0; way < (c.body_count > 0 ? 2 : 1); way++) {
        assert_ok(way == 0 ? abut_lcp_set_matrix(r->lcp, c.n, c.matrix) : abut_lcp_set_rows(r->lcp, c.bodies, c.body_count, c.rows, c.n));
        for (int method = 0; method < (c.n <= 120 ? 2 : 1); method++) {
            abut_lcp_settings settings = abut_lcp_settings_default();
            abut_lcp_result result;
            settings.method = (abut_lcp_method)method;
            abut_status status = abut_lcp_solve(r->lcp, c.q, &settings, z, w, &result);
            judge(r, &c, expected, method, status, z, result.residual);
        }
    }
    free(z);
    free(w);
    lcp_case_release(&c);
}

static void begin(trial *r) {
    *r = (trial){.solved = 0};
    assert_ok(abut_lcp_create(&r->lcp));
}

static void end(trial *r) {
    abut_lcp_destroy(r->lcp);
    tally_end(&r->t);
}

static void test_piles(void **state) {
    (void)state;
    trial r;
    begin(&r);
    for (int32_t n = 10; n <= 200; n += 10) {
        tally_sample(&r.t, "%d balls", (int)n);
        try_case(&r, lcp_case_balls(n), SOLVABLE);
    }
    for (int32_t width = 1; width <= 11; width++) {
        tally_sample(&r.t, "pyramid of width %d", (int)width);
        try_case(&r, lcp_case_pyramid(width), SOLVABLE);
    }
    for (int32_t cubes = 9; cubes <= 125; cubes += 29) {
        for (int shift = 0; shift < 10; shift++) {
            tally_sample(&r.t, "tower of %d, shift %d", (int)cubes, shift);
            try_case(&r, lcp_case_tower(cubes, 0.1 * shift), SOLVABLE);
        }
    }
    end(&r);
}

static void test_random(void **state) {
    (void)state;
    random_state random = random_make(random_seed("random", 5));
    int32_t samples = random_samples("random", 10000);
    trial r;
    begin(&r);
    for (int32_t i = 0; i < samples; i++) {
        int32_t kind = i % 4, n = 1 + random_below(&random, 40), rank = 1 + random_below(&random, n + 3);
        if (kind == 0) {
            int32_t bodies = 1 + random_below(&random, 20), contacts = 1 + random_below(&random, 6);
            tally_sample(&r.t, "sample %d, heap of %d with %d", (int)i, (int)bodies, (int)contacts);
            try_case(&r, lcp_case_heap(&random, bodies, contacts), SOLVABLE);
        } else {
            double off = kind == 1 ? 0.0 : random_log_range(&random, kind == 2 ? 1e-5 : 1e-14, kind == 2 ? 1.0 : 1e-5);
            tally_sample(&r.t, "sample %d, n %d, rank %d, off %g", (int)i, (int)n, (int)rank, off);
            try_case(&r, lcp_case_random(&random, n, rank, off), kind == 1 ? SOLVABLE : kind == 2 ? DECIDABLE : ANY);
        }
    }
    print_message("%d solved, %d impossible, %d undecided\n", (int)r.solved, (int)r.impossible, (int)r.undecided);
    assert_true(r.impossible > 0.02 * samples);
    assert_true(r.undecided < 0.02 * samples);
    end(&r);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_piles), cmocka_unit_test(test_random)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
