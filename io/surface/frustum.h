#pragma once

#include <abut/shape.h>

/*
 * The surface of a cylinder or a cone as polygons, for recordings and drawings. Face 0 is the disc at -z and face 1 the disc at +z; where an end is an apex, a
 * strip of the side has that index. Shape frame.
 */

enum { FRUSTUM_SURFACE_SIDES = 64 };

typedef struct frustum_surface {
    abut_vec3 *vertices;
    int32_t *face_first; /* [face_count + 1] */
    int32_t *corners;    /* counter-clockwise seen from outside */
    int32_t vertex_count, face_count, corner_count;
} frustum_surface;

/* True for a cylinder or a cone. */
bool frustum_surface_has(const abut_shape *shape);

/* Sets the counts. */
void frustum_surface_count(const abut_shape *shape, frustum_surface *made);

/* Writes the arrays and sets the counts. */
void frustum_surface_make(const abut_shape *shape, frustum_surface *made);
