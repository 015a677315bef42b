/* The reference solver of quadratic programs: a point with multipliers that satisfy the conditions of Karush, Kuhn and Tucker is the minimum, however it was
 * found. */
#include "support/check.h"
#include "support/qp.h"
#include "support/random.h"

#include <stdlib.h>

static double dot(const double *x, const double *y, int32_t n) {
    double sum = 0.0;
    for (int32_t i = 0; i < n; i++) {
        sum += x[i] * y[i];
    }
    return sum;
}

static double random_value(random_state *random) { return random_range(random, -1.0, 1.0); }

/* H = G G^T with a few more columns than rows. A known point satisfies the rows; some rows occur twice, or are the sum of two others. */
static void random_problem(random_state *random, qp_problem *p) {
    double g[QP_VARIABLES][QP_VARIABLES + 4], known[QP_VARIABLES];
    *p = (qp_problem){.variables = 1 + random_below(random, QP_VARIABLES)};
    int32_t n = p->variables, rows = random_below(random, QP_ROWS + 1), equalities = random_below(random, 1 + (rows < n ? rows : n) / 2);
    for (int32_t i = 0; i < n; i++) {
        known[i] = random_value(random);
        p->g[i] = 3.0 * random_value(random);
        for (int32_t k = 0; k < n + 4; k++) {
            g[i][k] = random_value(random);
        }
        for (int32_t k = 0; k <= i; k++) {
            p->h[i][k] = p->h[k][i] = dot(g[i], g[k], n + 4);
        }
    }
    for (int32_t r = 0; r < rows; r++) {
        double *row = qp_add_row(p, 0.0);
        int32_t how = r < 2 ? 0 : random_below(random, 6);
        for (int32_t k = 0; k < n; k++) {
            row[k] = how == 0   ? p->a[r - 1 < 0 ? 0 : r - 1][k] + random_value(random)
                     : how == 1 ? p->a[0][k] + p->a[1][k]
                                : random_value(random);
        }
        p->b[r] = dot(row, known, n) + (r < equalities || (r < n && random_below(random, 2) == 0) ? 0.0 : random_range(random, 0.01, 0.1));
    }
    p->equalities = equalities;
}

/* The part of the residual orthogonal to the rows of the equalities. */
static double left_over(const qp_problem *p, double *residual) {
    double basis[QP_ROWS][QP_VARIABLES];
    int32_t count = 0, n = p->variables;
    for (int32_t r = 0; r <= p->equalities; r++) {
        double *v = r < p->equalities ? basis[count] : residual;
        for (int32_t k = 0; k < n && r < p->equalities; k++) {
            v[k] = p->a[r][k];
        }
        double whole = sqrt(dot(v, v, n));
        for (int32_t i = 0; i < 2 * count; i++) {
            double share = dot(v, basis[i % count], n);
            for (int32_t k = 0; k < n; k++) {
                v[k] -= share * basis[i % count][k];
            }
        }
        double length = sqrt(dot(v, v, n));
        for (int32_t k = 0; k < n && r < p->equalities && length > 1e-10 * whole; k++) {
            v[k] /= length;
        }
        count += r < p->equalities && length > 1e-10 * whole;
    }
    return sqrt(dot(residual, residual, n));
}

static void judge(tally *t, const qp_problem *p, const qp_solution *s) {
    double residual[QP_VARIABLES];
    int32_t n = p->variables;
    for (int32_t i = 0; i < n; i++) {
        residual[i] = dot(p->h[i], s->x, n) + p->g[i];
    }
    double largest = 1.0;
    for (int32_t i = 0; i < n; i++) {
        largest = fmax(largest, fmax(fabs(s->x[i]), fabs(residual[i])));
    }
    for (int32_t r = 0; r < p->rows; r++) {
        double off = dot(p->a[r], s->x, n) - p->b[r], m = s->multiplier[r];
        double slack = 1e-11 * largest * (1.0 + fabs(m));
        bool holds =
            r < p->equalities ? fabs(off) <= slack && m == 0.0 : off <= slack && m >= -1e-11 * largest && (m == 0.0 || fabs(off) <= slack);
        if (!holds) {
            tally_fail(t, "row", "%d: off by %g, multiplier %g", (int)r, off, m);
        }
        for (int32_t i = 0; i < n; i++) {
            residual[i] += m * p->a[r][i];
        }
    }
    double left = left_over(p, residual);
    if (!(left <= 1e-10 * largest)) {
        tally_fail(t, "slope", "%g is left", left);
    }
}

static void test_random(void **state) {
    (void)state;
    random_state random = random_make(random_seed("random", 31));
    int32_t samples = random_samples("random", 20000);
    tally t = {.kinds = 0};
    qp_problem p;
    qp_solution s;
    for (int32_t i = 0; i < samples; i++) {
        random_problem(&random, &p);
        tally_sample(&t, "sample %d: %d variables, %d rows, %d equal", (int)i, (int)p.variables, (int)p.rows, (int)p.equalities);
        qp_solve(&p, &s);
        if (s.status != QP_SOLVED) {
            tally_fail(&t, "status", "%d after %d steps", (int)s.status, (int)s.steps);
            continue;
        }
        judge(&t, &p, &s);
    }
    tally_end(&t);
}

/* By hand: the point of x + y >= 2, x <= 0.5 nearest to zero; the same with x + y = 2 and z fixed by z = x, where H does not contain z; and infeasible
 * problems. */
static void test_by_hand(void **state) {
    (void)state;
    qp_problem p = {.variables = 2, .h = {{1, 0}, {0, 1}}};
    qp_solution s;
    double *row = qp_add_row(&p, -2.0);
    row[0] = row[1] = -1.0;
    qp_add_row(&p, 0.5)[0] = 1.0;
    qp_solve(&p, &s);
    assert_int_equal(s.status, QP_SOLVED);
    assert_near(s.x[0], 0.5, 1e-14);
    assert_near(s.x[1], 1.5, 1e-14);
    assert_near(s.value, 1.25, 1e-14);
    assert_near(s.multiplier[0], 1.5, 1e-14);
    assert_near(s.multiplier[1], 1.0, 1e-14);

    qp_problem q = {.variables = 3, .h = {{1, 0, 0}, {0, 1, 0}, {0, 0, 0}}};
    row = qp_add_row(&q, 2.0);
    row[0] = row[1] = 1.0;
    row = qp_add_row(&q, 0.0);
    row[0] = -1.0;
    row[2] = 1.0;
    q.equalities = 2;
    qp_solve(&q, &s);
    assert_int_equal(s.status, QP_SOLVED);
    assert_near(s.x[2], 1.0, 1e-14);
    assert_near(s.value, 1.0, 1e-14);

    q.equalities = 1;
    qp_solve(&q, &s);
    assert_int_equal(s.status, QP_FAILED);

    row = qp_add_row(&p, 1.0);
    row[0] = row[1] = 1.0;
    qp_solve(&p, &s);
    assert_int_equal(s.status, QP_INFEASIBLE);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_random), cmocka_unit_test(test_by_hand)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
