#pragma once

#include <abut/base.h>
#include <abut/math.h>
#include <abut/tetra.h>

/**
 * @file tetra_mesh.h
 * Penetration of whole tetrahedral meshes, of two or of one with itself: which elements overlap, how deep each pair is (tetra.h), and how the
 * vertices must move until none does. docs/depth.md.
 */

#ifdef __cplusplus
extern "C" {
#endif

/** A tetrahedral mesh, the caller's. */
typedef struct abut_tetra_mesh {
    const abut_vec3 *vertices; /**< [vertex_count], finite */
    int32_t vertex_count;      /**< >= 0 */
    const int32_t *elements;   /**< [4 element_count] indices into vertices; wound either way */
    int32_t element_count;     /**< >= 0, at most 2^29 - 1 */
} abut_tetra_mesh;

/** Two elements of meshes. */
typedef struct abut_element_pair {
    int32_t a; /**< element of the first mesh */
    int32_t b; /**< element of the second mesh, or of the first: then above a */
} abut_element_pair;

/**
 * Pairs of elements whose boxes meet, touching included, by a hierarchy of boxes: candidates for abut_tetra_mesh_depth(). In ascending order of a, then
 * b. Of one mesh with itself, elements that share a vertex are left out.
 *
 * @param b         NULL: a with itself
 * @param parallel  NULL for the defaults
 * @param pairs     [capacity], owned by the caller; may be NULL when capacity is 0
 * @param count     set to the number of pairs found, also when that is more than capacity; never NULL; 0 on every other error
 * @return ABUT_OK; ABUT_ERROR_CAPACITY when *count > capacity (the first `capacity` pairs are written); ABUT_ERROR_INVALID_ARGUMENT for NULL,
 *         counts or indices out of range; ABUT_ERROR_NOT_FINITE; ABUT_ERROR_OUT_OF_MEMORY
 */
ABUT_API abut_status abut_tetra_mesh_candidates(const abut_tetra_mesh *a, const abut_tetra_mesh *b, const abut_parallel *parallel,
                                                abut_element_pair *pairs, int64_t capacity, int64_t *count);

/**
 * The candidates that intersect: pairs of elements whose rigid depth is above the rounding of their coordinates. Otherwise as
 * abut_tetra_mesh_candidates().
 */
ABUT_API abut_status abut_tetra_mesh_intersections(const abut_tetra_mesh *a, const abut_tetra_mesh *b, const abut_parallel *parallel,
                                                   abut_element_pair *pairs, int64_t capacity, int64_t *count);

/**
 * Depths of pairs of elements: bit for bit those of abut_simplex_depth().
 *
 * @param b       NULL: pairs of elements of a
 * @param pairs   [count]
 * @param depths  [count], every one written
 * @return as abut_simplex_depth_batch(), and ABUT_ERROR_INVALID_ARGUMENT for a pair whose element is none: then nothing is written
 */
ABUT_API abut_status abut_tetra_mesh_depth(const abut_tetra_mesh *a, const abut_tetra_mesh *b, const abut_element_pair *pairs, int32_t count,
                                           const abut_depth_settings *settings, const abut_parallel *parallel, abut_depth *depths);

#ifdef __cplusplus
}
#endif
