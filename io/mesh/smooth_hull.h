#pragma once

#include <abut/shape.h>

/*
 * Hulls of points that are known to so many digits only, as points in files are.
 */

/* How far numbers in files may be off, relative to the largest extent: six digits. */
#define SMOOTH_TOLERANCE 1e-6

/* As abut_shape_create_hull(), but facets that lie in one plane within the tolerance (relative to the largest extent, below 1) are one face,
 * as far as abut_shape_create_polytope() merges them. */
abut_status smooth_hull(const abut_vec3 *points, int32_t count, double tolerance, abut_shape **shape);
