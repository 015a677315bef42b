#pragma once

#include "shape/trimesh_data.h"

/*
 * Balls inside a closed mesh that is no convex solid. Each touches the surface and lies on the inside of it. They are spread over the solid, so that each of
 * its arms has some where it is not much thinner than the rest. Casts follow them: a body that passes through a surface gets there with all its balls.
 */

/* The balls as a compound of spheres in the mesh's frame; *made is NULL when none is found. False without memory. */
bool inside_make(const trimesh *mesh, abut_aabb bounds, abut_shape **made);

/* The least radius of the balls; INFINITY for NULL. */
double inside_radius(const abut_shape *inside);

size_t inside_bytes(const abut_shape *inside);
