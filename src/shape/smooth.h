#pragma once

#include "shape/shape.h"
#include "shape/smooth_place.h"

/*
 * Strictly convex smooth shapes, described by their support function h(n) = max n . x in the shape's frame. Its gradient is the unique point with the outward
 * normal n. Its second derivatives in the tangent plane are the radii of curvature there.
 */

static inline bool smooth_is(const abut_shape *shape) {
    return shape->kind == ABUT_SHAPE_ELLIPSOID || shape->kind == ABUT_SHAPE_SUPERQUADRIC || shape->convex;
}

/* Whether a shape is given by the caller's functions and not known to be convex. Its mesh is asked (narrow/curved). */
static inline bool smooth_is_unknown(const abut_shape *shape) { return shape->user != NULL && !shape->convex; }

/* A point inside: the centre of the gauge. */
abut_vec3 smooth_middle(const abut_shape *shape);

/* The point with the outward normal n, of any length but zero. */
abut_vec3 smooth_support(const abut_shape *shape, abut_vec3 n);

/* The same with the radii of curvature along u and v; n must be unit. */
void smooth_place_find(const abut_shape *shape, abut_vec3 n, abut_vec3 u, abut_vec3 v, smooth_place *place);

/* A lower bound of the distance from a point inside to the surface. Negative outside, where its absolute value is a lower bound of the distance. */
double smooth_depth_of(const abut_shape *shape, abut_vec3 point);

/* The gauge: a convex function with the value 1 on the surface and less inside, which is proportional to the distance from the centre along rays. *slope
 * receives its gradient. */
double smooth_gauge(const abut_shape *shape, abut_vec3 point, abut_vec3 *slope);

abut_vec3 ellipsoid_support(const abut_shape *shape, abut_vec3 n);
void ellipsoid_place(const abut_shape *shape, abut_vec3 n, abut_vec3 u, abut_vec3 v, smooth_place *place);
double ellipsoid_gauge(const abut_shape *shape, abut_vec3 point, abut_vec3 *slope);
abut_vec3 superquadric_support(const abut_shape *shape, abut_vec3 n);
void superquadric_place(const abut_shape *shape, abut_vec3 n, abut_vec3 u, abut_vec3 v, smooth_place *place);
double superquadric_gauge(const abut_shape *shape, abut_vec3 point, abut_vec3 *slope);
