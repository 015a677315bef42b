#pragma once

#include "io/record/recording.h"

/*
 * The surface of a recorded shape as points and convex polygons that share them, for formats that keep polygons (the triangles of export/tessellation.h have
 * separate corners and normals). Shape frame, counter-clockwise seen from outside.
 */
typedef struct vtk_surface {
    abut_vec3 *points; /* [point_count] */
    int32_t point_count;
    int32_t *first;   /* [polygon_count + 1]: the corners of polygon i are corners[first[i]] to first[i + 1] - 1 */
    int32_t *corners; /* indices of points */
    int32_t polygon_count;
    int32_t *face;     /* [polygon_count] face of the shape or, in a compound, of its part; -1 on balls and capsules */
    double *curvature; /* [polygon_count] 1 / radius of balls and facets; 0 for flat faces; NaN when unknown */
} vtk_surface;

/* Rings of balls and capsules from each pole to the equator. They have four times as many meridians. */
enum { VTK_SURFACE_LEAST_RINGS = 3, VTK_SURFACE_MOST_RINGS = 8 };

/* The surface of recorded shape `index`; of a compound, the surfaces of all its parts; empty for a plane. To be freed with vtk_surface_release(). ABUT_OK;
 * ABUT_ERROR_INVALID_ARGUMENT; ABUT_ERROR_OUT_OF_MEMORY; ABUT_ERROR_UNSUPPORTED for more than 2^31 corners. */
abut_status vtk_surface_create(const abut_recording *recording, int32_t index, int rings, vtk_surface *made);
void vtk_surface_release(vtk_surface *made);
