#pragma once

#include "solve/lcp/active_set.h"

/*
 * Problems that nearly have no solution, or whose solutions are huge.
 *
 * For these, only rounding errors decide between sets of pressing rows, and an active-set method cycles. The proximal point algorithm (R.
 * T. Rockafellar, "Monotone operators and the proximal point algorithm", 1976) solves a sequence of problems instead. Each has a small
 * number added to its diagonal and therefore one well-conditioned solution: f minimises 1/2 f . A f + q . f + ridge/2 |f - c|^2, where c is
 * the previous f. This converges if there is a solution. If there is none, f - c tends to a direction that proves it.
 */

typedef enum proximal_end {
    PROXIMAL_DONE,      /* f and w are the best ones found */
    PROXIMAL_UNBOUNDED, /* there is no solution; the ray proves it */
    PROXIMAL_INDEFINITE /* the matrix is not positive semidefinite */
} proximal_end;

/* For island k of a, after active_set_solve() failed. Stops at a residual of `tolerance`. Adds its pivots to those of a. */
proximal_end proximal_solve(active_set *a, int32_t k, double tolerance);
