#pragma once

#include <abut/shape.h>

/*
 * Convex hulls of points that are known to a few digits only, as points in files are.
 */

/* The error of numbers in files, relative to the largest extent: six digits. */
#define SMOOTH_TOLERANCE 1e-6

/* As abut_shape_create_hull(), but facets that lie in one plane within the tolerance (relative to the largest extent, below 1) become one face, if
 * abut_shape_create_polytope() can merge them. */
abut_status smooth_hull(const abut_vec3 *points, int32_t count, double tolerance, abut_shape **shape);
