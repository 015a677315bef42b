#pragma once

#include <stdint.h>

/*
 * A reference for claims that something is minimal: convex quadratic programs of a few variables, solved by a general method that does not use the structure of
 * the problem. Minimise x^T H x / 2 + g^T x where A x <= b, with equality in the first rows.
 *
 * The equalities are removed by an orthogonal basis of their null space. The rest is the dual active set method of D. Goldfarb and A. Idnani ("A numerically
 * stable dual method for solving strictly convex quadratic programs", 1983) for the least distance, with an orthogonal factor that is recomputed after a row is
 * dropped. H may be singular along directions that the equalities fix.
 */

enum { QP_VARIABLES = 28, QP_ROWS = 20 };

typedef struct qp_problem {
    int32_t variables, rows, equalities; /* the equalities are the first rows */
    double h[QP_VARIABLES][QP_VARIABLES];
    double g[QP_VARIABLES];
    double a[QP_ROWS][QP_VARIABLES];
    double b[QP_ROWS];
} qp_problem;

typedef enum qp_status {
    QP_SOLVED,
    QP_INFEASIBLE,
    QP_FAILED /* H is singular along a free direction, or rounding error prevented convergence */
} qp_status;

typedef struct qp_solution {
    qp_status status;
    double x[QP_VARIABLES];
    double value; /* x^T H x / 2 + g^T x */
    double multiplier
        [QP_ROWS]; /* decrease of b by one unit adds this to the value, to first order; 0 for equalities, where it is not computed */
    int32_t steps; /* number of rows that were added or dropped */
} qp_solution;

void qp_solve(const qp_problem *problem, qp_solution *solution);

/* Appends a row of zeros, to be filled. Equalities come before all other rows. */
double *qp_add_row(qp_problem *problem, double b);
