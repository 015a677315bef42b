#pragma once

#include "shape/shape.h"

/*
 * Contraction points given by the caller: the point about which the growth distance shrinks and grows a body ([SNE] equation 1). A shape without one has
 * contraction_depth 0.
 */

static inline bool shape_has_contraction(const abut_shape *shape) { return shape->contraction_depth > 0.0; }

/* A lower bound of the distance from a point inside a bounded convex shape to its surface: the smallest distance to a face plane, or what is left of the
 * radius. Negative outside, where its absolute value is a lower bound of the distance. Shape frame. */
double shape_depth_of(const abut_shape *shape, abut_vec3 point);
