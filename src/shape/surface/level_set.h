#pragma once

#include <abut/smooth.h>

/*
 * Triangles of an implicit body that is not convex: marching tetrahedra on a grid of its bounds, with vertices on the surface. The triangles are closed; parts
 * of the body that are thinner than a cell may be missing. Points on the border of the bounds count as outside.
 */

/* The counts of the surface. Writes the vertices, and three corners of each triangle, counter-clockwise seen from outside, unless the arrays are NULL. */
void level_set_make(const abut_implicit_def *def, abut_vec3 *vertices, int32_t *corners, int32_t *vertex_count, int32_t *triangle_count);
