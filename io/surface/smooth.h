#pragma once

#include <abut/shape.h>

/*
 * The surface of a smooth shape as triangles, for recordings. Convex: its support points along the directions of a latitude-longitude grid. Not convex: the
 * mesh in which its contacts are searched (abut_shape_surface_mesh()). Shape frame.
 */

enum {
    SMOOTH_SURFACE_MERIDIANS = 32,
    SMOOTH_SURFACE_RINGS = 15, /* between the poles */
    SMOOTH_SURFACE_VERTICES = SMOOTH_SURFACE_MERIDIANS * SMOOTH_SURFACE_RINGS + 2,
    SMOOTH_SURFACE_TRIANGLES = 2 * SMOOTH_SURFACE_MERIDIANS * SMOOTH_SURFACE_RINGS
};

/* True when the shape has such a surface; its counts are then set. */
bool smooth_surface_has(const abut_shape *shape, int32_t *vertex_count, int32_t *triangle_count);

/* Writes the vertices and three corners of each triangle, counter-clockwise seen from outside. */
void smooth_surface_make(const abut_shape *shape, abut_vec3 *vertices, int32_t *corners);
