#pragma once

#include <abut/base.h>
#include <abut/math.h>
#include <abut/tetra.h>

/**
 * @file tetra_mesh.h
 * Penetration of whole tetrahedral meshes, of two or of one with itself: which elements overlap, how deep each pair is (tetra.h), and how
 * the vertices must move until none does. docs/methods/depth.md.
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
 * Pairs of elements whose boxes meet, touching included, by a hierarchy of boxes: candidates for abut_tetra_mesh_depth(). In ascending
 * order of a, then b. Of one mesh with itself, elements that share a vertex are left out.
 *
 * @param b         NULL: a with itself
 * @param parallel  NULL for the defaults
 * @param pairs     [capacity], owned by the caller; may be NULL when capacity is 0
 * @param count     set to the number of pairs found, also when that is more than capacity; never NULL; 0 on every other error
 * @return ABUT_OK; ABUT_ERROR_CAPACITY when *count > capacity (the first `capacity` pairs are written); ABUT_ERROR_INVALID_ARGUMENT for
 *         NULL, counts or indices out of range; ABUT_ERROR_NOT_FINITE; ABUT_ERROR_OUT_OF_MEMORY
 */
ABUT_API abut_status abut_tetra_mesh_candidates(const abut_tetra_mesh *a, const abut_tetra_mesh *b, const abut_parallel *parallel,
                                                abut_element_pair *pairs, int64_t capacity, int64_t *count);

/**
 * The candidates that intersect: pairs of elements whose rigid depth is above the rounding of their coordinates. Otherwise as
 * abut_tetra_mesh_candidates(); ABUT_ERROR_NOT_FINITE also for coordinates beyond 2^1020, whose differences are not numbers.
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

/** How overlapping meshes are separated. */
typedef enum abut_resolve_mode {
    /** By zones. Where these are stuck, sweeps over what is left; where they are not, sweeps from the beginning as well, whose result is
        taken when it is apart with less than three quarters of the displacement: that of a peg in a hole that is too tight all around. The
        default. */
    ABUT_RESOLVE_AUTO,
    /** Every connected set of overlapping elements is separated by one plane. Two meshes always end apart, however deep they are, mostly
        after a few rounds. */
    ABUT_RESOLVE_ZONES,
    /** Pair after pair, each by the least displacement of its eight vertices, again and again. Follows any shape, but where meshes are more
        than an element deep in each other it moves more than zones do, turns elements inside out, and may not end. */
    ABUT_RESOLVE_SWEEPS
} abut_resolve_mode;

/** How meshes are separated. Start from abut_resolve_settings_default(). */
typedef struct abut_resolve_settings {
    abut_resolve_mode mode; /**< default ABUT_RESOLVE_AUTO */
    int32_t sweep_limit;    /**< sweeps at most: >= 0; default 50 */
    int32_t round_limit;    /**< rounds of zones at most: >= 0; default 1000 */
} abut_resolve_settings;

/** The defaults named above. */
ABUT_API abut_resolve_settings abut_resolve_settings_default(void);

/** What a separation came to. */
typedef struct abut_resolve_report {
    int64_t pairs_begin;     /**< pairs of elements that intersected, as abut_tetra_mesh_intersections() counts them */
    int64_t pairs_remaining; /**< that still do */
    int64_t pairs_tested;    /**< pairs of elements that were looked at, over all iterations */
    int32_t rounds;          /**< of zones */
    int32_t sweeps;          /**< done, also in vain */
    bool swept;              /**< positions are those after sweeps */
    int32_t zones;           /**< at the end */
    int32_t zones_stuck;     /**< of these, those that no plane separates: fixed vertices leave no room, a mesh is folded into itself all
                                  around, or elements of one side intersect */
    double displacement_rms; /**< sqrt of sum m |d|^2 / sum m over the vertices that can move [length] */
    double displacement_max; /**< the farthest that a vertex was moved [length] */
    int32_t flat_before;     /**< elements without volume, but for rounding, in the meshes given */
    int32_t flat_after;      /**< these, and those that have less than 1e-9 of their volume left */
    int32_t inverted;        /**< elements that were turned inside out */
} abut_resolve_report;

/**
 * Moves vertices until no element of A intersects one of B, or none of A another of A, by as little as it can: by the sum of m |d|^2 over
 * the vertices. Where none is fixed, the sum of m d is zero. When nothing intersects, nothing moves.
 *
 * Two meshes always end apart by zones, unless fixed vertices of both are in each other's way, so that no plane has those of one zone on
 * their sides. All else may be left with pairs that intersect: a mesh that goes through itself, sweeps alone, a limit. These pairs are then
 * given, and the status says so. Displacements are the least for the best plane found for each zone; vertices on its wrong side end on it,
 * so elements that were wholly beyond are flat afterwards.
 *
 * @param b          NULL: a with itself, elements that share a vertex let be
 * @param mass_a     [a->vertex_count] of A's vertices, > 0; INFINITY: fixed. NULL: the volume of the elements, a quarter to each vertex,
 *                   and none less than a thousandth of the mean. Only their ratios count
 * @param mass_b     the same of B; not read when b is NULL
 * @param settings   NULL for the defaults
 * @param parallel   NULL for the defaults
 * @param moved_a    [a->vertex_count] set to where A's vertices are afterwards; may be the array a->vertices
 * @param moved_b    [b->vertex_count] the same of B; not written when b is NULL
 * @param remaining  [capacity] set to the first of the pairs that still intersect; may be NULL when capacity is 0
 * @param report     what was done, and how many pairs remain; never NULL
 * @return ABUT_OK when all are apart. With positions, pairs and report set as well: ABUT_ERROR_INFEASIBLE when no plane separates some
 *         zone, nor sweeps what is in it; ABUT_ERROR_ITERATION_LIMIT when pairs remain for another reason. With nothing written:
 *         ABUT_ERROR_INVALID_ARGUMENT for NULL, counts (vertices and elements together below 2^31), indices, masses or settings out of
 *         range; ABUT_ERROR_NOT_FINITE for positions that are not numbers below 2^1020, and masses that are not numbers;
 *         ABUT_ERROR_OUT_OF_MEMORY
 */
ABUT_API abut_status abut_tetra_mesh_resolve(const abut_tetra_mesh *a, const abut_tetra_mesh *b, const double *mass_a, const double *mass_b,
                                             const abut_resolve_settings *settings, const abut_parallel *parallel, abut_vec3 *moved_a,
                                             abut_vec3 *moved_b, abut_element_pair *remaining, int64_t capacity,
                                             abut_resolve_report *report);

#ifdef __cplusplus
}
#endif
