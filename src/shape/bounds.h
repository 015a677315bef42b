#pragma once

#include <math.h>

#include <abut/math.h>

/*
 * Axis-aligned boxes.
 */

/* The bounds of no points. */
static inline abut_aabb bounds_empty(void) { return (abut_aabb){{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}}; }

/* Uses comparisons, which the compiler turns into vector instructions; fmin and fmax would be calls. */
static inline void bounds_include(abut_aabb *bounds, abut_vec3 p) {
    bounds->lower.x = p.x < bounds->lower.x ? p.x : bounds->lower.x;
    bounds->lower.y = p.y < bounds->lower.y ? p.y : bounds->lower.y;
    bounds->lower.z = p.z < bounds->lower.z ? p.z : bounds->lower.z;
    bounds->upper.x = p.x > bounds->upper.x ? p.x : bounds->upper.x;
    bounds->upper.y = p.y > bounds->upper.y ? p.y : bounds->upper.y;
    bounds->upper.z = p.z > bounds->upper.z ? p.z : bounds->upper.z;
}

/* Axis-aligned bounds of the points, shape frame; empty when count is 0. */
abut_aabb bounds_of_points(const abut_vec3 *points, int32_t count);

/* The smallest box around both boxes. */
abut_aabb bounds_join(abut_aabb a, abut_aabb b);

/* The largest side of the box. */
double bounds_extent(abut_aabb bounds);
