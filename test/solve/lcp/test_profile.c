/* The factor of some rows of a sparse matrix: it solves the system; adding and removing rows gives the same bits as a new factorization; dependent rows are
 * left out. */
#include "support/check.h"
#include "support/lcp_case.h"

#include <math.h>
#include <string.h>

#include "solve/lcp/lcp.h"

enum { MOST = 200 };

/* A solver object that holds the case's matrix; only its factor is used. */
static abut_lcp *hold(const lcp_case *c) {
    abut_lcp *lcp;
    assert_ok(abut_lcp_create(&lcp));
    assert_ok(c->rows != NULL && c->body_count > 0 ? abut_lcp_set_rows(lcp, c->bodies, c->body_count, c->rows, c->n)
                                                   : abut_lcp_set_matrix(lcp, c->n, c->matrix));
    return lcp;
}

/* The scaled entry at two positions. */
static double entry(const lcp_case *c, const lcp_system *s, int32_t p, int32_t r) {
    return s->scale[p] * c->matrix[s->index[p] * c->n + s->index[r]] * s->scale[r];
}

static void test_solves(void **state) {
    (void)state;
    random_state random = random_make(random_seed("profile", 1));
    for (int round = 0; round < 50; round++) {
        lcp_case c = lcp_case_heap(&random, 8, 2);
        abut_lcp *lcp = hold(&c);
        const lcp_system *s = &lcp->system;
        bool active[MOST], dependent[MOST];
        double x[MOST], b[MOST];
        for (int32_t p = 0; p < s->n; p++) {
            active[p] = random_below(&random, 3) > 0;
        }
        for (int32_t k = 0; k < s->island_count; k++) {
            (void)profile_factorise(&lcp->set.factor, k, active, dependent);
            const int32_t *list = lcp->set.factor.list + s->island[k];
            int32_t count = lcp->set.factor.count[k];
            for (int32_t i = 0; i < count; i++) {
                b[i] = x[i] = random_range(&random, -1.0, 1.0);
                assert_true(active[list[i]] && (i == 0 || list[i - 1] < list[i]));
            }
            profile_solve(&lcp->set.factor, k, x);
            for (int32_t i = 0; i < count; i++) {
                double sum = 0.0, size = 1.0;
                for (int32_t j = 0; j < count; j++) {
                    sum += entry(&c, s, list[i], list[j]) * x[j];
                    size = fmax(size, fabs(x[j]));
                }
                assert_near(sum, b[i], 1e-13 * size);
            }
        }
        abut_lcp_destroy(lcp);
        lcp_case_release(&c);
    }
}

static void test_way_leaves_no_trace(void **state) {
    (void)state;
    random_state random = random_make(random_seed("way", 2));
    lcp_case c = lcp_case_tower(20, 0.3);
    abut_lcp *lcp = hold(&c), *fresh = hold(&c);
    bool active[MOST] = {false}, again[MOST], dependent[MOST];
    int32_t made = 0, least = 0;
    for (int round = 0; round < 300; round++) {
        for (int i = 0; i < 3; i++) {
            int32_t p = random_below(&random, c.n);
            active[p] = !active[p];
        }
        profile_factor *kept = &lcp->set.factor, *anew = &fresh->set.factor;
        memcpy(again, active, sizeof again);
        made += profile_factorise(kept, 0, active, dependent).made;
        profile_forget(anew, 0, 0);
        least += profile_factorise(anew, 0, again, dependent).made;
        assert_memory_equal(active, again, (size_t)c.n * sizeof *active);
        double x[MOST], y[MOST];
        for (int32_t i = 0; i < kept->count[0]; i++) {
            x[i] = y[i] = random_range(&random, -1.0, 1.0);
        }
        profile_solve(kept, 0, x);
        profile_solve(anew, 0, y);
        assert_memory_equal(x, y, (size_t)kept->count[0] * sizeof *x);
    }
    assert_true(made < 0.9 * least);
    abut_lcp_destroy(lcp);
    abut_lcp_destroy(fresh);
    lcp_case_release(&c);
}

/* Of the four corners of a face, three are independent; of a row that occurs twice, one. */
static void test_dependent_rows(void **state) {
    (void)state;
    lcp_case c = lcp_case_tower(10, 0.0);
    abut_lcp *lcp = hold(&c);
    bool active[MOST], dependent[MOST];
    memset(active, true, sizeof active);
    profile_outcome outcome = profile_factorise(&lcp->set.factor, 0, active, dependent);
    assert_int_equal(lcp->set.factor.count[0], 30);
    assert_int_equal(outcome.made, 40);
    assert_true(fabs(outcome.least) < 1e-12);
    for (int32_t p = 0; p < c.n; p++) {
        assert_int_equal(dependent[p], !active[p]);
    }
    abut_lcp_destroy(lcp);
    lcp_case_release(&c);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_solves), cmocka_unit_test(test_way_leaves_no_trace),
                                       cmocka_unit_test(test_dependent_rows)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
