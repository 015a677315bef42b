#pragma once

#include <abut/tetra_mesh.h>

#include "io/file/error.h"

/**
 * @file tet/vtu.h
 * Writes tetrahedral meshes, with data of their elements and vertices, as VTK XML files (.vtu), which ParaView and meshio read. Numbers are written as bytes,
 * without rounding, in the byte order of this machine, which the file names.
 */

#ifdef __cplusplus
extern "C" {
#endif

/** The type of the numbers of an array. */
typedef enum abut_vtu_type {
    ABUT_VTU_DOUBLE, /**< double */
    ABUT_VTU_INT32,  /**< int32_t */
    ABUT_VTU_INT64   /**< int64_t */
} abut_vtu_type;

/** What the numbers of an array belong to. */
typedef enum abut_vtu_place {
    ABUT_VTU_CELLS, /**< elements */
    ABUT_VTU_POINTS /**< vertices */
} abut_vtu_place;

/** Data that are written with the meshes. */
typedef struct abut_vtu_array {
    const char *name; /**< UTF-8 without control characters; not empty; unique among those of its place */
    abut_vtu_place place;
    abut_vtu_type type;
    int32_t components; /**< numbers for each element or vertex: 1 a scalar, 3 a vector; at least 1 */
    /** [mesh_count] for each mesh an array [its elements or vertices][components]; NULL for zeros. */
    const void *const *values;
} abut_vtu_array;

/**
 * Writes meshes as one grid: the elements of the first, then those of the second, and so on, and likewise the vertices. The file appears whole or not at all:
 * an existing file is replaced at the end. A pipe or device is written from front to back. The same inputs give the same bytes.
 *
 * @param path         any name; other programs expect it to end in .vtu
 * @param meshes       [mesh_count]
 * @param mesh_count   >= 1
 * @param arrays       [array_count]; may be NULL when array_count is 0
 * @return ABUT_OK; ABUT_ERROR_FILE; ABUT_ERROR_INVALID_ARGUMENT for NULL, counts, components, names or indices out of range, or more than 2^31 - 1 vertices in
 *         all; ABUT_ERROR_OUT_OF_MEMORY
 */
ABUT_API abut_status abut_vtu_write(const char *path, const abut_tetra_mesh *meshes, int32_t mesh_count, const abut_vtu_array *arrays,
                                    int32_t array_count, abut_error *error);

#ifdef __cplusplus
}
#endif
