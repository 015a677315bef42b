#pragma once

#include "narrow/normal.h"

/*
 * The growth distance of two bodies and its direction, sharpened: the exact face normal, or cross product of edges, of the facet of A - B
 * that the simplex method ended on. Where the facet is not unique: the previous direction if it is among the possible ones, else the middle
 * of the cell of possible ones.
 */
typedef struct growth_result {
    abut_vec3 contraction_a, contraction_b;
    contact_normal normal; /* its witness points lie on the bodies, radii included */
    double alpha;          /* 0 when the contraction points coincide */
    double alpha_lower;    /* certificate */
    int32_t supports;      /* support evaluations, or distance computations for round bodies */
    bool apart;            /* `normal` has a direction and its gap, the rest is not known */
    bool converged;
} growth_result;

/* Of polytopes: ends as soon as a direction separates them by more than `apart`; INFINITY for never. */
growth_result growth_solve(const convex *a, const convex *b, const normal_settings *settings, double apart);
