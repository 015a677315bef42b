#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * w = M z + q, z >= 0, w >= 0, z_i w_i = 0, for a matrix that need not be symmetric nor positive semidefinite, as contacts with friction give. Such a problem
 * may have no solution, or several, and to decide it is NP-hard (D. Baraff, "Curved surfaces and coherence for non-penetrating rigid body simulation",
 * 1990, section 3). This is a heuristic in the sense of that paper: Lemke's pivots on a slightly regularised problem name the rows that press; the equations
 * of these rows are then solved for the problem itself, and rows that turn out wrong are exchanged one by one. An answer is checked against the conditions.
 */

typedef enum lcp_end {
    LCP_SOLVED, /* the conditions hold */
    LCP_NONE    /* nothing was found: Lemke's method ends in a ray, or rounding errors leave the rows open */
} lcp_end;

/* A problem and its answer. Zero-initialised: without memory. */
typedef struct lcp_general {
    int32_t n;
    double *matrix;  /* [n * n] row by row; scaled such that its entries are about 1 */
    double *q;       /* [n] */
    double *z, *w;   /* [n] the answer */
    bool *presses;   /* [n] rows with w = 0 by choice; those of the last answer */
    double residual; /* of the answer: the largest violation of a condition, relative to the magnitude of q */

    double *table, *factor, *step;
    int32_t *basis, *order, *place;
    size_t matrix_room, table_room, factor_room;
    int32_t q_room, z_room, w_room, presses_room, step_room, basis_room, order_room, place_room;
} lcp_general;

/* Room for n rows. The contents are arbitrary. False when there is no memory. */
bool lcp_general_reserve(lcp_general *lcp, int32_t n);
void lcp_general_release(lcp_general *lcp);

/* Solves. magnitude: of the terms from which q was computed, if larger than q. tolerance: largest residual of an answer; at least 1e-9. again: try the rows of
 * `presses` first. */
lcp_end lcp_general_solve(lcp_general *lcp, double magnitude, double tolerance, bool again);
