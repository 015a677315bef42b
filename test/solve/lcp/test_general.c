/* Complementarity problems whose matrix is not positive semidefinite: random ones beside exhaustive search, redundant ones, some without a solution. */
#include "solve/lcp/general.h"

#include <math.h>
#include <string.h>

#include "support/check.h"
#include "support/random.h"

static void set(lcp_general *lcp, int32_t n, const double *matrix, const double *q) {
    assert_true(lcp_general_reserve(lcp, n));
    memcpy(lcp->matrix, matrix, (size_t)(n * n) * sizeof *matrix);
    memcpy(lcp->q, q, (size_t)n * sizeof *q);
}

/* The largest violation of a condition by z. */
static double violation(const lcp_general *lcp) {
    double worst = 0.0;
    for (int32_t i = 0; i < lcp->n; i++) {
        double w = lcp->q[i];
        for (int32_t j = 0; j < lcp->n; j++) {
            w += lcp->matrix[i * lcp->n + j] * lcp->z[j];
        }
        worst = fmax(worst, fabs(fmin(w, lcp->z[i])));
    }
    return worst;
}

/* Whether some set of pressing rows solves a problem of up to three rows, by Cramer's rule for every set. */
static bool has_solution(const lcp_general *lcp) {
    int32_t n = lcp->n;
    for (int set_of = 0; set_of < 1 << n; set_of++) {
        double a[3][4];
        for (int32_t i = 0; i < n; i++) { /* rows of z_i = 0 and of w_i = 0 */
            for (int32_t j = 0; j < n; j++) {
                a[i][j] = set_of >> i & 1 ? lcp->matrix[i * n + j] : i == j;
            }
            a[i][n] = set_of >> i & 1 ? -lcp->q[i] : 0.0;
        }
        for (int32_t k = 0; k < n; k++) {
            int32_t best = k;
            for (int32_t i = k; i < n; i++) {
                best = fabs(a[i][k]) > fabs(a[best][k]) ? i : best;
            }
            for (int32_t j = 0; j <= n; j++) {
                double t = a[k][j];
                a[k][j] = a[best][j];
                a[best][j] = t;
            }
            for (int32_t i = 0; i < n; i++) {
                double factor = i == k ? 0.0 : a[i][k] / a[k][k];
                for (int32_t j = 0; j <= n; j++) {
                    a[i][j] -= factor * a[k][j];
                }
            }
        }
        bool fine = true;
        for (int32_t i = 0; i < n && fine; i++) {
            double w = lcp->q[i];
            for (int32_t j = 0; j < n; j++) {
                w += lcp->matrix[i * n + j] * a[j][n] / a[j][j];
            }
            fine = a[i][n] / a[i][i] >= -1e-9 && w >= -1e-9;
        }
        if (fine) {
            return true;
        }
    }
    return false;
}

/* Small problems of contacts that slide: n . W (n - mu t). Where the heuristic finds nothing, seldom anything is there. */
static void test_small_problems(void **state) {
    (void)state;
    random_state random = random_make(random_seed("test_small_problems", 11));
    lcp_general lcp = {.n = 0};
    int solved = 0, missed = 0, none = 0;
    for (int sample = 0; sample < 3000; sample++) {
        double matrix[9], q[3], j[3][3], p[3][3];
        int32_t n = 1 + sample % 3;
        for (int32_t i = 0; i < n; i++) {
            q[i] = random_range(&random, -1.0, 0.5);
            for (int32_t k = 0; k < 3; k++) {
                j[i][k] = random_range(&random, -1.0, 1.0);
                p[i][k] = j[i][k] + random_range(&random, -0.7, 0.7);
            }
        }
        for (int32_t i = 0; i < n; i++) {
            for (int32_t k = 0; k < n; k++) {
                matrix[i * n + k] = j[i][0] * p[k][0] + j[i][1] * p[k][1] + j[i][2] * p[k][2];
            }
        }
        set(&lcp, n, matrix, q);
        if (lcp_general_solve(&lcp, 0.0, 0.0, false) == LCP_SOLVED) {
            solved++;
            double size = 1.0;
            for (int32_t i = 0; i < n; i++) {
                size = fmax(size, lcp.z[i]);
            }
            assert_true(violation(&lcp) <= 2e-9 * size);
            set(&lcp, n, matrix, q); /* the same rows again */
            assert_int_equal(lcp_general_solve(&lcp, 0.0, 0.0, true), LCP_SOLVED);
            assert_true(violation(&lcp) <= 2e-9 * size);
        } else if (has_solution(&lcp)) {
            missed++;
        } else {
            none++;
        }
    }
    print_message("%d solved, %d without a solution, %d missed\n", solved, none, missed);
    assert_true(solved > 2000);
    assert_true(none > 20);
    assert_true(missed < solved / 10);
    lcp_general_release(&lcp);
}

/* Several equal rows: a positive semidefinite matrix of rank 1. Any distribution of the load is right. */
static void test_redundant_rows(void **state) {
    (void)state;
    enum { N = 12 };
    double matrix[N * N], q[N];
    for (int i = 0; i < N * N; i++) {
        matrix[i] = 1.0;
    }
    for (int i = 0; i < N; i++) {
        q[i] = -2.0;
    }
    lcp_general lcp = {.n = 0};
    set(&lcp, N, matrix, q);
    assert_int_equal(lcp_general_solve(&lcp, 0.0, 0.0, false), LCP_SOLVED);
    double sum = 0.0;
    for (int i = 0; i < N; i++) {
        sum += lcp.z[i];
    }
    assert_near(sum, 2.0, 1e-9);
    assert_true(violation(&lcp) <= 1e-9);
    lcp_general_release(&lcp);
}

/* One row that digs itself in has no solution when its surfaces approach, and two when they part. */
static void test_a_row_that_digs_itself_in(void **state) {
    (void)state;
    lcp_general lcp = {.n = 0};
    set(&lcp, 1, (const double[]){-0.5}, (const double[]){-1.0});
    assert_int_equal(lcp_general_solve(&lcp, 0.0, 0.0, false), LCP_NONE);
    set(&lcp, 1, (const double[]){-0.5}, (const double[]){1.0});
    assert_int_equal(lcp_general_solve(&lcp, 0.0, 0.0, false), LCP_SOLVED);
    assert_near(lcp.z[0], 0.0, 0.0);
    set(&lcp, 1, (const double[]){NAN}, (const double[]){-1.0});
    assert_int_equal(lcp_general_solve(&lcp, 0.0, 0.0, false), LCP_NONE);
    assert_true(isinf(lcp.residual));
    set(&lcp, 1, (const double[]){1.0}, (const double[]){NAN});
    assert_int_equal(lcp_general_solve(&lcp, 0.0, 0.0, false), LCP_NONE);
    assert_true(isinf(lcp.residual));
    set(&lcp, 0, (const double[]){1.0}, (const double[]){1.0});
    assert_int_equal(lcp_general_solve(&lcp, 0.0, 0.0, false), LCP_SOLVED);
    lcp_general_release(&lcp);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_small_problems), cmocka_unit_test(test_redundant_rows),
                                       cmocka_unit_test(test_a_row_that_digs_itself_in)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
