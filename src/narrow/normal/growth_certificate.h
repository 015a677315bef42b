#pragma once

#include "narrow/normal/contact_normal.h"
#include "narrow/normal/ray_facet.h"

/*
 * The growth distance of two bodies and its direction, sharpened: the exact face normal, or cross product of edges, of the facet of A - B
 * that the simplex method ended on. Where the facet is not unique: the previous direction if it is among the possible ones, else the middle
 * of the cell of possible ones.
 */
typedef struct growth_result {
    abut_vec3 contraction_a, contraction_b;
    contact_normal normal; /* its witness points lie on the bodies, radii included */
    double alpha;          /* 0 when the contraction points coincide */
    double alpha_lower;    /* certificate, see growth_certify() */
    int32_t supports;      /* support evaluations, or distance computations for round bodies */
    bool apart;            /* `normal` has a direction and its gap, the rest is not known */
    bool converged;        /* both agree to 1e-9; known only of bodies that were not looked at for being apart */
} growth_result;

/*
 * Proofs. C = A - B holds a ball about the ray's origin, of radius `inside`, half of which is certain. So a point of the ray at a distance d
 * from a point of C lies in C scaled about the origin by 1 + 2 d / inside. What the rounding of coordinates makes of such a distance does not
 * count: a proof holds for bodies that are off by so much.
 */

/* What rounding makes of a coordinate of C. */
double growth_rounding(const ray_cast *cast);

/* By how much C must be scaled, at most, to reach a point at this distance. */
double growth_factor_beyond(const ray_cast *cast, double inside, double distance);

/* Decides whether the result converged: its alpha, its normal and its lower bound are what the method found, `upper` is what it proves.
 * Where they do not agree, alpha becomes the upper bound, and the lower one says how little is known: nothing when C is so thin along the
 * normal that it is rounding. */
void growth_certify(const ray_cast *cast, double inside, double upper, growth_result *result);
