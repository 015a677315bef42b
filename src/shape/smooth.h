#pragma once

#include "shape/shape.h"
#include "shape/smooth_place.h"

/*
 * Strictly convex smooth shapes by their support function h(n) = max n . x, in the shape's frame: the one point with the outward normal n
 * is its gradient, and the radii of curvature there are its second derivatives in the tangent plane.
 */

static inline bool smooth_is(const abut_shape *shape) {
    return shape->kind == ABUT_SHAPE_ELLIPSOID || shape->kind == ABUT_SHAPE_SUPERQUADRIC || shape->convex;
}

/* By the caller's functions, and not known to be convex: no question about other shapes has an answer. */
static inline bool smooth_is_unknown(const abut_shape *shape) { return shape->user != NULL && !shape->convex; }

/* A point inside: the middle of the gauge. */
abut_vec3 smooth_middle(const abut_shape *shape);

/* The point with the outward normal n, of any length but zero. */
abut_vec3 smooth_support(const abut_shape *shape, abut_vec3 n);

/* The same with its radii along u and v; n unit. */
void smooth_place_find(const abut_shape *shape, abut_vec3 n, abut_vec3 u, abut_vec3 v, smooth_place *place);

/* Distance of the surface from a point inside, at least; negative outside, where its size is a lower bound of the distance. */
double smooth_depth_of(const abut_shape *shape, abut_vec3 point);

/* Value of a function that is convex, 1 on the surface, less inside, and grows in proportion along rays from the middle; *slope receives
 * its gradient. */
double smooth_gauge(const abut_shape *shape, abut_vec3 point, abut_vec3 *slope);

abut_vec3 ellipsoid_support(const abut_shape *shape, abut_vec3 n);
void ellipsoid_place(const abut_shape *shape, abut_vec3 n, abut_vec3 u, abut_vec3 v, smooth_place *place);
double ellipsoid_gauge(const abut_shape *shape, abut_vec3 point, abut_vec3 *slope);
abut_vec3 superquadric_support(const abut_shape *shape, abut_vec3 n);
void superquadric_place(const abut_shape *shape, abut_vec3 n, abut_vec3 u, abut_vec3 v, smooth_place *place);
double superquadric_gauge(const abut_shape *shape, abut_vec3 point, abut_vec3 *slope);
