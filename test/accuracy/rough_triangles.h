#pragma once

#include <stdbool.h>

#include <abut/math.h>

/*
 * Bounds of the distance of two triangles in doubles, by which an oracle leaves out pairs that cannot matter.
 */

/* Whether two triangles are farther apart than `far`, along an axis, a normal of either, or the normal of two sides. The heights have rounding errors, so `far`
 * needs more than their bound: see rough_slack(). */
bool rough_are_far(const abut_vec3 p[3], const abut_vec3 q[3], double far);

/* Bound of the rounding errors of heights, for points at most so far from the origin. */
static inline double rough_slack(double size) { return 1e-14 * size; }
