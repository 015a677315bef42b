#pragma once

#include <stddef.h>

#include "io/record/recording.h"

/*
 * Triangles of a recorded shape for display: single precision, counter-clockwise seen from outside, a unit normal at every vertex. Faces are flat (their
 * corners have separate vertices); round shapes are smooth. Shape frame.
 */

typedef struct tessellation {
    float *positions, *normals; /* [vertex_count][3] */
    uint32_t *indices;          /* [index_count], three for each triangle */
    size_t vertex_count, index_count;
} tessellation;

/*
 * The surface of recorded shape `index`; of a compound, the surfaces of all its parts. A plane becomes a square of half size `reach` about the plane's point
 * nearest to `centre` (shape frame). To be freed with tessellation_release(). ABUT_OK; ABUT_ERROR_INVALID_ARGUMENT; ABUT_ERROR_OUT_OF_MEMORY.
 */
abut_status tessellation_create(const abut_recording *recording, int32_t index, abut_vec3 centre, double reach, tessellation *made);
void tessellation_release(tessellation *made);
