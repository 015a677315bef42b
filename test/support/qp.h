#pragma once

#include <stdint.h>

/*
 * A referee for what is claimed to be the least of something: convex quadratic programs of a few variables, solved by a general method that
 * knows nothing of where they come from. Minimise x^T H x / 2 + g^T x where A x <= b, with equality in the first rows.
 *
 * Equalities go by an orthogonal basis of what they leave free; the rest is the dual active set method of D. Goldfarb and A. Idnani
 * ("A numerically stable dual method for solving strictly convex quadratic programs", 1983) for the least distance, with an orthogonal
 * factor that is made anew after a row is dropped. H may be singular along what the equalities fix.
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
    QP_FAILED /* H is singular along something free, or rounding kept it from an end */
} qp_status;

typedef struct qp_solution {
    qp_status status;
    double x[QP_VARIABLES];
    double value;               /* x^T H x / 2 + g^T x */
    double multiplier[QP_ROWS]; /* what a unit less of b adds to the value, to first order; 0 for equalities, which are not asked for */
    int32_t steps;              /* rows that were added or dropped */
} qp_solution;

void qp_solve(const qp_problem *problem, qp_solution *solution);

/* A row of zeros, to be filled. Equalities before all else. */
double *qp_add_row(qp_problem *problem, double b);
