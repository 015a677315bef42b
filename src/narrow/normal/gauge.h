#pragma once

#include "narrow/normal/convex.h"

/*
 * The Minkowski gauge: where a ray from a point inside the difference C = A - B leaves it.
 *
 * With w = a - b - origin running over the vertices of C seen from the interior point `origin`, solve the linear program
 *     minimise sum of weights   subject to   sum of weights * w = ray,  weights >= 0.
 * Its value is the factor by which C must be scaled about `origin` so that the end of the ray lies on its surface. The three columns of the
 * optimal basis span the facet that the ray leaves through. The method is the simplex method: the dual of a basis is the plane through its
 * three columns, and pricing is one support evaluation in the direction of that plane's normal. Seen as geometry it is the inside-out
 * expansion of [SNE]'s growth distance (Zheng and Hayward; portal refinement).
 */

typedef struct gauge_column {
    abut_vec3 a, b;   /* points of A and B, pair frame */
    abut_vec3 w;      /* a - b - origin */
    int32_t vertex_a; /* vertices of the cores; -1 for an artificial column of the start */
    int32_t vertex_b;
} gauge_column;

typedef struct gauge {
    gauge_column column[3]; /* of the last basis, with weights >= 0 */
    double weight[3];
    abut_vec3 direction;    /* unit, outward from C: from A to B for a growth distance */
    double upper;           /* value of the basis */
    double lower;           /* certificate: value of the best supporting plane found */
    double depth;           /* largest direction . (a - b): how deep the bodies are along it */
    double support;         /* distance of that plane from origin: the largest direction . w */
    int32_t supports;       /* support evaluations */
    bool apart;             /* stopped early: `direction` separates the bodies by more than was asked for */
    bool converged;         /* upper - lower <= 1e-12 upper or what rounding makes of it, and no artificial column carries weight;
                               never when the plane is within rounding of origin */
} gauge;

/* A ray in A - B: the points origin + s ray. origin lies inside. */
typedef struct gauge_ray {
    abut_vec3 origin, ray;
} gauge_ray;

/*
 * a, b    polytopes
 * cast    the ray; not zero
 * inside  radius of a ball about its origin that lies inside C (may be smaller than the largest one; the result does not depend on it)
 * apart   stop when a direction separates the bodies by more than this; INFINITY for never
 */
void gauge_solve(const convex *a, const convex *b, const gauge_ray *cast, double inside, double apart, gauge *g);

/* Largest direction . (a - b) over the bodies with their radii, for a unit direction: the support function of A - B. */
double gauge_support(const convex *a, const convex *b, abut_vec3 direction);
