#pragma once

#include "narrow/normal/convex.h"

/*
 * The Minkowski gauge: it tells where a ray from a point inside the difference C = A - B leaves C.
 *
 * Let w = a - b - origin run over the vertices of C, seen from the interior point `origin`. The gauge is the value of the linear program
 *     minimise sum of weights   subject to   sum of weights * w = ray,  weights >= 0.
 *
 * C must be scaled by this value about `origin` so that the end of the ray lies on its surface. The three columns of the optimal basis span the facet through
 * which the ray leaves. The program is solved by the simplex method: the dual of a basis is the plane through its three columns, and pricing is one support
 * evaluation along that plane's normal. In geometric terms it is the inside-out expansion of [SNE]'s growth distance (Zheng and Hayward; portal refinement).
 */

typedef struct gauge_column {
    abut_vec3 a, b;   /* points of A and B, pair's frame */
    abut_vec3 w;      /* a - b - origin */
    int32_t vertex_a; /* vertices of the cores; -1 for an artificial column of the first basis */
    int32_t vertex_b;
} gauge_column;

typedef struct gauge {
    gauge_column column[3]; /* of the last basis, with weights >= 0 */
    double weight[3];
    abut_vec3 direction; /* unit, outward from C; for a growth distance, from A to B */
    double upper;        /* value of the basis */
    double lower;        /* certificate: value of the best supporting plane found */
    double depth;        /* largest direction . (a - b): the depth of the bodies along the direction */
    double support;      /* largest direction . w: the distance of that plane from origin */
    int32_t supports;    /* number of support evaluations */
    bool apart;          /* stopped early: `direction` separates the bodies by more than the given distance */
    bool
        converged; /* upper - lower <= 1e-12 upper, or within rounding error, and no artificial column carries weight. Never true when the plane is
                               within rounding error of origin */
} gauge;

/* A ray in A - B: the points origin + s ray. origin lies inside A - B. */
typedef struct gauge_ray {
    abut_vec3 origin, ray;
} gauge_ray;

/*
 * a, b    polytopes
 * cast    the ray; not zero
 * inside  radius of a ball about the ray's origin that lies inside C; it may be smaller than the largest one, and the result does not depend on it
 * apart   stop when a direction separates the bodies by more than this; INFINITY for never
 */
void gauge_solve(const convex *a, const convex *b, const gauge_ray *cast, double inside, double apart, gauge *g);

/* The support function of A - B: the largest direction . (a - b) over the bodies, radii included, for a unit direction. */
double gauge_support(const convex *a, const convex *b, abut_vec3 direction);
