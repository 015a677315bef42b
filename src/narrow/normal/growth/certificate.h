#pragma once

#include "narrow/normal/contact_normal.h"
#include "narrow/normal/growth/ray_facet.h"

/*
 * The growth distance of two bodies and its direction. The direction is refined to the exact face normal, or cross product of edges, of the facet of A - B on
 * which the simplex method ended. Where the facet is not unique, the previous direction is kept if it is a possible one; otherwise the direction is the mean of
 * the cell of possible ones.
 */
typedef struct growth_result {
    abut_vec3 contraction_a, contraction_b;
    contact_normal normal; /* its witness points lie on the bodies, radii included */
    double alpha;          /* 0 when the contraction points coincide */
    double alpha_lower;    /* certificate, see growth_certify() */
    int32_t supports;      /* number of support evaluations; for round bodies of distance computations */
    bool apart;            /* `normal` has a direction and its gap; all other fields are unknown */
    bool converged;        /* alpha and alpha_lower agree to 1e-9; known only when `apart` was INFINITY */
} growth_result;

/*
 * Proofs. C = A - B contains a ball about the ray's origin with the radius `inside`; half that radius is certain in spite of rounding error. So a point of the
 * ray at a distance d from a point of C lies in C scaled about the origin by 1 + 2 d / inside. A distance within the rounding error of coordinates counts as
 * zero: the proof then holds for bodies that are perturbed by that rounding error.
 */

/* The rounding error of a coordinate of C. */
double growth_rounding(const ray_cast *cast);

/* An upper bound of the factor by which C must be scaled to reach a point at this distance. */
double growth_factor_beyond(const ray_cast *cast, double inside, double distance);

/* Decides whether the result converged. alpha, the normal and alpha_lower come from the method, and `upper` is the proven upper bound. Where the bounds do
 * not agree, alpha becomes the upper bound, and alpha_lower says how little is known. alpha_lower is 0 when C is so thin along the normal that its width is
 * rounding error. */
void growth_certify(const ray_cast *cast, double inside, double upper, growth_result *result);

/* Where the ray leaves C, as far as the result knows: a place on the ray, whose end is at 1. */
static inline double growth_place(const growth_result *result) { return 1.0 / (result->converged ? result->alpha : result->alpha_lower); }

/* The distance of the result's points from that place. */
static inline double growth_missed(const ray_cast *cast, const growth_result *result) {
    abut_vec3 exit = abut_add_scaled(cast->way.origin, growth_place(result), cast->way.ray);
    return abut_distance_between(exit, abut_sub(result->normal.on_a, result->normal.on_b));
}
