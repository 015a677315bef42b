#pragma once

#include "shape/trimesh_data.h"

/*
 * Balls inside a closed mesh that is no convex solid, up to 24. Each touches the surface and lies on the inside of it. Casts follow them: a part of the
 * body that passes through a surface takes its balls along.
 *
 * They are spread over the solid. The largest ball inside an arm is found where the arm has a triangle that is tried; its radius must be half of that of the
 * largest ball, or a tenth of the least side of the bounds. Of up to 125 triangles all are tried, of more the largest one in each cell of a grid of 5 x 5 x 5
 * over the bounds. So an arm that reaches into a cell of its own is tried, however few triangles it has.
 */

/* The balls as a compound of spheres in the mesh's frame; *made is NULL when none is found. False without memory. */
bool inside_make(const trimesh *mesh, abut_aabb bounds, abut_shape **made);

/* The least radius of the balls; INFINITY for NULL. */
double inside_radius(const abut_shape *inside);

size_t inside_bytes(const abut_shape *inside);
