#pragma once

#include "solve/lcp/active_set.h"

/*
 * Problems that are close to having no solution, or whose solutions are huge.
 *
 * There the sets of rows that might press are told apart by rounding only, and an active set goes round in them. The proximal point
 * algorithm (R. T. Rockafellar, "Monotone operators and the proximal point algorithm", 1976) solves a row of problems instead, each with a
 * small number added to the diagonal and so with one, well conditioned solution: f minimises 1/2 f . A f + q . f + ridge/2 |f - c|^2, where
 * c is the f before. That converges wherever there is a solution; where there is none, f - c tends to a direction that proves it.
 */

typedef enum proximal_end {
    PROXIMAL_DONE,      /* f and w are the best that was found */
    PROXIMAL_UNBOUNDED, /* there is no solution, and the ray proves it */
    PROXIMAL_INDEFINITE /* the matrix is not positive semidefinite */
} proximal_end;

/* Island k of a, after active_set_solve() failed. Stops at a residual of `tolerance`. The pivots are added to those of a. */
proximal_end proximal_solve(active_set *a, int32_t k, double tolerance);
