#pragma once

#include <abut/base.h>
#include <abut/collide.h>
#include <abut/contact.h>
#include <abut/math.h>
#include <abut/query.h>
#include <abut/shape.h>

/**
 * @file placed.h
 * Shapes placed in the world once and asked about many times.
 *
 * A program that has bodies, and pairs of bodies, places each body once a step. What depends on one body alone is then done once, and not again for each of
 * its pairs: the checks of the pose and the rotation matrix. Every question of collide.h and query.h about two posed shapes has a form for placed shapes here.
 * It gives the same answer, bit for bit, and the same statuses.
 */

#ifdef __cplusplus
extern "C" {
#endif

/** A shape at a pose in the world. Made by abut_place(), to be read only. Zero-initialised: no placed shape, which every question refuses. May be copied. */
typedef struct abut_placed {
    const abut_shape *shape; /**< borrowed: the caller keeps its reference as long as it asks about the placed shape */
    abut_pose pose;          /**< of the shape's frame in the world */
    bool is_valid;           /**< true when abut_place() made it */
    abut_mat3 rotation;      /**< of the pose: from the shape's frame to the world */
} abut_placed;

/**
 * Places a shape.
 *
 * @param shape   borrowed by the placed shape; never NULL
 * @param pose    of the shape's frame in the world
 * @param placed  written on ABUT_OK, and else untouched; never NULL
 * @return ABUT_OK; ABUT_ERROR_INVALID_ARGUMENT for NULL or a pose that is not a rotation; ABUT_ERROR_NOT_FINITE
 */
ABUT_API abut_status abut_place(const abut_shape *shape, abut_pose pose, abut_placed *placed);

/** abut_collide() for placed shapes. Parameters and statuses are the same; ABUT_ERROR_INVALID_ARGUMENT also for a shape that is not placed. */
ABUT_API abut_status abut_collide_placed(const abut_placed *a, const abut_placed *b, const abut_collide_settings *settings, abut_cache *cache,
                                         abut_contact *contacts, int32_t capacity, int32_t *count);

/** abut_distance() for placed shapes. Parameters and statuses are the same; ABUT_ERROR_INVALID_ARGUMENT also for a shape that is not placed. */
ABUT_API abut_status abut_distance_placed(const abut_placed *a, const abut_placed *b, const abut_collide_settings *settings, abut_cache *cache,
                                          abut_separation *separation);

/** abut_overlap() for placed shapes. Parameters and statuses are the same; ABUT_ERROR_INVALID_ARGUMENT also for a shape that is not placed. */
ABUT_API abut_status abut_overlap_placed(const abut_placed *a, const abut_placed *b, abut_cache *cache, bool *overlap);

/** abut_growth_distance() for placed shapes. Parameters and statuses are the same; ABUT_ERROR_INVALID_ARGUMENT also for a shape that is not placed. */
ABUT_API abut_status abut_growth_distance_placed(const abut_placed *a, const abut_placed *b, const abut_collide_settings *settings,
                                                 abut_growth *growth);

/** abut_ray_cast() for a placed shape. Parameters and statuses are the same; ABUT_ERROR_INVALID_ARGUMENT also for a shape that is not placed. */
ABUT_API abut_status abut_ray_cast_placed(const abut_placed *shape, abut_vec3 origin, abut_vec3 translation, abut_hit *hit);

/** abut_shape_cast() for shapes placed where their motions begin. Parameters and statuses are the same; ABUT_ERROR_INVALID_ARGUMENT also for a shape that is
    not placed. */
ABUT_API abut_status abut_shape_cast_placed(const abut_placed *a, const abut_placed *b, abut_motion motion_a, abut_motion motion_b,
                                            double tolerance, abut_hit *hit);

/** A pair of bodies in an array of placed shapes. */
typedef struct abut_placed_pair {
    int32_t a; /**< index of A */
    int32_t b; /**< index of B */
} abut_placed_pair;

/**
 * abut_collide_batch() for pairs of placed shapes: contacts of many pairs in one call, in parallel over threads and vector lanes, bit for bit those of
 * abut_collide() for each pair.
 *
 * @param bodies      [body_count]; may be NULL when body_count is 0
 * @param body_count  >= 0
 * @param pairs       [count]
 * @param count       >= 0
 * @param settings, caches, parallel, contacts, capacity, needed, results  as for abut_collide_batch()
 * @return as abut_collide_batch(). A pair with an index that is not one of `bodies`, or with a body that is not placed, has the status
 *         ABUT_ERROR_INVALID_ARGUMENT in its result
 */
ABUT_API abut_status abut_collide_placed_batch(const abut_placed *bodies, int32_t body_count, const abut_placed_pair *pairs, int32_t count,
                                               const abut_collide_settings *settings, abut_cache *caches, const abut_parallel *parallel,
                                               abut_contact *contacts, int64_t capacity, int64_t *needed, abut_pair_result *results);

#ifdef __cplusplus
}
#endif
