#pragma once

#include <abut/base.h>
#include <abut/math.h>
#include <abut/tetra.h>

/**
 * @file tetra_mesh.h
 * Penetration of whole tetrahedral meshes: of two meshes, or of one mesh with itself. The functions find the pairs of elements that intersect, the
 * depth of each pair (tetra.h), and displacements of the vertices after which no pair intersects. docs/methods/depth.md explains them.
 */

#ifdef __cplusplus
extern "C" {
#endif

/** A tetrahedral mesh. The caller owns the arrays; they are read during a call only. */
typedef struct abut_tetra_mesh {
    const abut_vec3 *vertices; /**< [vertex_count], finite [length] */
    int32_t vertex_count;      /**< >= 0 */
    const int32_t *elements;   /**< [4 element_count] indices into `vertices`; the winding does not matter */
    int32_t element_count;     /**< 0 to 2^29 - 1 */
} abut_tetra_mesh;

/** A pair of elements. */
typedef struct abut_element_pair {
    int32_t a; /**< element of the first mesh */
    int32_t b; /**< element of the second mesh; for one mesh with itself another element of this mesh, with b > a */
} abut_element_pair;

/**
 * Pairs of elements whose boxes overlap, touching included: the candidates for abut_tetra_mesh_depth(). They are found with a hierarchy of boxes, and
 * are written in ascending order of a, then b. For one mesh with itself, elements that share a vertex are left out.
 *
 * @param a         first mesh; never NULL
 * @param b         second mesh; NULL: a with itself
 * @param parallel  NULL for the defaults
 * @param pairs     [capacity], owned by the caller; may be NULL when capacity is 0
 * @param capacity  >= 0
 * @param count     set to the number of pairs found, also when this exceeds capacity; 0 on every other error; never NULL
 * @return ABUT_OK; ABUT_ERROR_CAPACITY when *count > capacity: the first `capacity` pairs are written; ABUT_ERROR_INVALID_ARGUMENT for NULL, or
 *         counts or indices out of range; ABUT_ERROR_NOT_FINITE; ABUT_ERROR_OUT_OF_MEMORY
 */
ABUT_API abut_status abut_tetra_mesh_candidates(const abut_tetra_mesh *a, const abut_tetra_mesh *b, const abut_parallel *parallel,
                                                abut_element_pair *pairs, int64_t capacity, int64_t *count);

/**
 * Candidates that intersect: pairs of elements whose rigid depth is above the rounding error of their coordinates. Arguments and statuses are those
 * of abut_tetra_mesh_candidates(). ABUT_ERROR_NOT_FINITE also for coordinates beyond 2^1020, whose differences overflow.
 */
ABUT_API abut_status abut_tetra_mesh_intersections(const abut_tetra_mesh *a, const abut_tetra_mesh *b, const abut_parallel *parallel,
                                                   abut_element_pair *pairs, int64_t capacity, int64_t *count);

/**
 * Depths of pairs of elements. They are bit for bit those of abut_simplex_depth().
 *
 * @param a         first mesh; never NULL
 * @param b         second mesh; NULL: pairs of elements of a
 * @param pairs     [count]
 * @param count     >= 0
 * @param settings  settings of all pairs; NULL for the defaults
 * @param parallel  NULL for the defaults
 * @param depths    [count], owned by the caller; every element is written on ABUT_OK
 * @return as abut_simplex_depth_batch(); ABUT_ERROR_INVALID_ARGUMENT also for a pair with an element out of range: nothing is written
 */
ABUT_API abut_status abut_tetra_mesh_depth(const abut_tetra_mesh *a, const abut_tetra_mesh *b, const abut_element_pair *pairs, int32_t count,
                                           const abut_depth_settings *settings, const abut_parallel *parallel, abut_depth *depths);

/** Method that separates overlapping meshes. */
typedef enum abut_resolve_mode {
    /** Default: zones, then sweeps. When pairs remain after the zones, sweeps continue with these pairs. When no pairs remain, sweeps are also tried
        from the original positions. Their result is used when it separates the meshes with less than three quarters of the displacement, as for a peg
        in a hole that is too tight all around. */
    ABUT_RESOLVE_AUTO,
    /** Zones: each connected set of overlapping elements (a zone) is separated by one plane. Two meshes are always separated, at any depth, usually
        after a few rounds. */
    ABUT_RESOLVE_ZONES,
    /** Sweeps: one pair after the other is separated by the least displacement of its eight vertices, repeatedly. Sweeps adapt to any shape. Where
        the meshes overlap by more than one element, sweeps move vertices farther than zones do, invert elements, and may not converge. */
    ABUT_RESOLVE_SWEEPS
} abut_resolve_mode;

/** Settings of a separation. Start from abut_resolve_settings_default(). */
typedef struct abut_resolve_settings {
    abut_resolve_mode mode; /**< method; default ABUT_RESOLVE_AUTO */
    int32_t sweep_limit;    /**< largest number of sweeps, >= 0; default 50 */
    int32_t round_limit;    /**< largest number of rounds of zones, >= 0; default 1000 */
    double volume_ratio;    /**< least ratio of each element's volume after and before; 0 <= volume_ratio < 1. 0 forbids inversion; -INFINITY (default): no
                                 limit. Elements without volume (flat_before) are exempt. No element falls below the ratio, also when pairs
                                 remain; the elements around those that are moved give way too */
} abut_resolve_settings;

/** Settings with the defaults named above. */
ABUT_API abut_resolve_settings abut_resolve_settings_default(void);

/** Result of a separation. */
typedef struct abut_resolve_report {
    int64_t pairs_begin;     /**< number of pairs of elements that intersected before, as counted by abut_tetra_mesh_intersections() */
    int64_t pairs_remaining; /**< number of pairs that still intersect */
    int64_t pairs_tested;    /**< number of pairs of elements that were tested, over all iterations */
    int32_t rounds;          /**< number of rounds of zones */
    int32_t sweeps;          /**< number of sweeps, including those whose result was not used */
    bool swept;              /**< true: the positions are those after sweeps */
    int32_t zones;           /**< number of zones at the end */
    int32_t zones_stuck;     /**< number of these zones that no plane separates: fixed vertices leave no room, a mesh is folded into itself all
                                  around, elements of one side intersect, or the volume ratio leaves no room */
    double displacement_rms; /**< sqrt(sum m |d|^2 / sum m) over the movable vertices, with mass m and displacement d [length] */
    double displacement_max; /**< largest displacement of a vertex [length] */
    int32_t flat_before;     /**< number of elements of the given meshes without volume, up to rounding error */
    int32_t flat_after;      /**< number of these elements, plus the elements that keep less than 1e-9 of their volume */
    int32_t inverted;        /**< number of elements that were turned inside out */
    double volume_ratio_least; /**< with a volume ratio: the least of all elements' ratios, 1 for elements without volume; else 0 */
    int32_t at_volume_ratio;   /**< with a volume ratio: number of elements that it holds back, those with less than 3 % of what they could lose left */
} abut_resolve_report;

/**
 * Move vertices until no element of A intersects an element of B; for one mesh with itself, until no two elements of A that share no vertex
 * intersect. The displacements d minimise the sum of m |d|^2 over the vertices, as far as the method can. When no vertex is fixed, the sum of m d is
 * zero. When nothing intersects, nothing moves.
 *
 * Zones always separate two meshes, unless fixed vertices of both are in each other's way, so that no plane has the vertices of one zone on their
 * sides. Pairs may remain in all other cases: a mesh that intersects itself, sweeps alone, or a limit that is reached. The remaining pairs are then
 * written, and the status reports them. The displacements are the least for the best plane that was found for each zone. Vertices on the wrong side
 * of this plane are moved onto it, so elements that were entirely on the wrong side are flat afterwards. With a volume ratio they keep it instead: the
 * vertices around give way, the displacements are nearly the least for the plane's normal, and the sum of m d is nearly zero.
 *
 * @param a          first mesh; never NULL
 * @param b          second mesh; NULL: a with itself
 * @param mass_a     [a->vertex_count] masses m of A's vertices, > 0; INFINITY: fixed. Only their ratios matter. NULL: a quarter of the volume of
 *                   each element for each of its vertices, but at least a thousandth of the mean mass
 * @param mass_b     [b->vertex_count] the same of B; not read when b is NULL
 * @param settings   NULL for the defaults
 * @param parallel   NULL for the defaults
 * @param moved_a    [a->vertex_count] set to the new positions of A's vertices; may be the array a->vertices
 * @param moved_b    [b->vertex_count] set to the new positions of B's vertices; not written when b is NULL
 * @param remaining  [capacity] set to the first of the pairs that still intersect; may be NULL when capacity is 0
 * @param capacity   >= 0
 * @param report     set to the result and the number of remaining pairs; never NULL
 * @return ABUT_OK when no pair intersects. The following errors also write positions, pairs and report: ABUT_ERROR_INFEASIBLE when pairs remain and
 *         no plane separates some zone; ABUT_ERROR_ITERATION_LIMIT when pairs remain for another reason. The following errors write nothing:
 *         ABUT_ERROR_INVALID_ARGUMENT for NULL, or counts (vertices of both meshes together, and elements of both together, must be below 2^31),
 *         indices, masses or settings out of range; ABUT_ERROR_NOT_FINITE for positions that are not finite or not below 2^1020, and for masses that
 *         are NaN; ABUT_ERROR_OUT_OF_MEMORY
 */
ABUT_API abut_status abut_tetra_mesh_resolve(const abut_tetra_mesh *a, const abut_tetra_mesh *b, const double *mass_a, const double *mass_b,
                                             const abut_resolve_settings *settings, const abut_parallel *parallel, abut_vec3 *moved_a,
                                             abut_vec3 *moved_b, abut_element_pair *remaining, int64_t capacity,
                                             abut_resolve_report *report);

#ifdef __cplusplus
}
#endif
