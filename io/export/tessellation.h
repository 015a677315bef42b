#pragma once

#include <stddef.h>

#include "io/record/recording.h"

/*
 * Triangles of a recorded shape, for display: single precision, counter-clockwise seen from outside, a unit normal at every vertex. Faces
 * are flat (their corners have vertices of their own), everything round is smooth. Shape frame.
 */

typedef struct tessellation {
    float *positions, *normals; /* [vertex_count][3] */
    uint32_t *indices;          /* [index_count], three for each triangle */
    size_t vertex_count, index_count;
} tessellation;

/*
 * The surface of recorded shape `index`; of a compound, all its parts' surfaces. A plane becomes a square with the half size `reach` about
 * the point of it that is nearest to `centre` (shape frame). To be freed with tessellation_release(). ABUT_OK; ABUT_ERROR_INVALID_ARGUMENT;
 * ABUT_ERROR_OUT_OF_MEMORY.
 */
abut_status tessellation_create(const abut_recording *recording, int32_t index, abut_vec3 centre, double reach, tessellation *made);
void tessellation_release(tessellation *made);
