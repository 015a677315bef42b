#pragma once

#include <abut/shape.h>

/*
 * The surface of a convex smooth shape as triangles, for recordings: its support points along the directions of a latitude-longitude grid. Shape frame.
 */

enum {
    SMOOTH_SURFACE_MERIDIANS = 32,
    SMOOTH_SURFACE_RINGS = 15, /* between the poles */
    SMOOTH_SURFACE_VERTICES = SMOOTH_SURFACE_MERIDIANS * SMOOTH_SURFACE_RINGS + 2,
    SMOOTH_SURFACE_TRIANGLES = 2 * SMOOTH_SURFACE_MERIDIANS * SMOOTH_SURFACE_RINGS
};

/* True when the shape has such a surface. */
bool smooth_surface_has(const abut_shape *shape);

/* Writes the vertices and the triangles' corners, counter-clockwise seen from outside. */
void smooth_surface_make(const abut_shape *shape, abut_vec3 vertices[SMOOTH_SURFACE_VERTICES],
                         int32_t corners[3 * SMOOTH_SURFACE_TRIANGLES]);
