#pragma once

#include <abut/base.h>
#include <abut/math.h>
#include <abut/query.h>
#include <abut/shape.h>
#include <abut/world.h>

/**
 * @file world_query.h
 * Queries of all bodies of a world: rays, shape casts, overlaps and closest bodies.
 *
 * A query sees the bodies where they are now: after the last step, and after every call since then that added, removed or placed bodies. Every answer is the
 * same as that of asking all bodies one by one with abut_ray_cast(), abut_shape_cast(), abut_overlap() or abut_distance(). A tree of boxes leaves most bodies
 * out. It is built at the first query and brought up to date at the first query after a change, which takes time in proportion to the number of bodies.
 *
 * A query changes nothing that a step, a report or a saved state shows. The rule that a world must not be used from two threads at once holds for queries,
 * too: the functions for many queries (`_batch`) share them among threads.
 *
 * Every function returns ABUT_ERROR_INVALID_ARGUMENT when the world, a shape or an output is NULL, or for a negative capacity or count. It writes its outputs
 * whole, or on an error not at all, unless noted otherwise. A body that cannot be asked makes the query fail, with the status of the call for one body, unless
 * the answer is known without it: a smooth shape that is not convex and has no abut_shape_surface_mesh() does no harm behind the first hit.
 */

#ifdef __cplusplus
extern "C" {
#endif

/** Which bodies a query asks. Zero-initialised: all. */
typedef struct abut_query_filter {
    /** Bodies are asked whose abut_body_def.filter.category has a bit of this mask; 0: all */
    uint64_t mask;
    /** False: the query does not ask this body. NULL: it asks all. Must depend on its arguments only, must not change the world, and is called from several
        threads by the functions for many queries. It may be called more than once for a body, and not for all. */
    bool (*accept)(void *context, abut_body_id body, uint64_t user);
    /** Passed to `accept` */
    void *context;
} abut_query_filter;

/** A body that a ray or a moving shape hit. */
typedef struct abut_world_hit {
    abut_body_id body; /**< the body; zero when nothing was hit */
    uint64_t user;     /**< abut_body_def.user of the body */
    abut_hit hit;      /**< as of abut_ray_cast() and abut_shape_cast() with the body as B */
} abut_world_hit;

/** A ray, world frame. */
typedef struct abut_ray {
    abut_vec3 origin;      /**< where it begins [length] */
    abut_vec3 translation; /**< from there to its end; not zero [length] */
} abut_ray;

/**
 * The first body on a ray. Of bodies hit at the same fraction, the one in the lowest slot.
 * @param filter  NULL: all bodies
 * @param hit     never NULL
 * @return ABUT_OK, also when nothing is hit; the errors of abut_ray_cast(); ABUT_ERROR_OUT_OF_MEMORY
 */
ABUT_API abut_status abut_world_ray_cast(const abut_world *world, abut_ray ray, const abut_query_filter *filter, abut_world_hit *hit);

/**
 * All bodies on a ray, each with its first point: ordered by the fraction, then by the slot.
 * @param hits      [capacity] owned by the caller; may be NULL when capacity is 0
 * @param count     set to the number of bodies on the ray, also when this exceeds capacity; never NULL
 * @return as abut_world_ray_cast(); ABUT_ERROR_CAPACITY when there are more than capacity: the first ones are written
 */
ABUT_API abut_status abut_world_ray_cast_all(const abut_world *world, abut_ray ray, const abut_query_filter *filter, abut_world_hit *hits,
                                             int32_t capacity, int32_t *count);

/**
 * abut_world_ray_cast() for many rays, on the threads of the world.
 * @param rays  [count]
 * @param hits  [count], owned by the caller
 * @return ABUT_OK; the first error in the order of the rays. After an error `hits` are undefined
 */
ABUT_API abut_status abut_world_ray_cast_batch(const abut_world *world, const abut_ray *rays, int32_t count,
                                               const abut_query_filter *filter, abut_world_hit *hits);

/** A shape that moves through a world. */
typedef struct abut_cast {
    const abut_shape *shape; /**< never NULL */
    abut_pose pose;          /**< of its frame at the start, world frame */
    abut_motion motion;      /**< as motion_a of abut_shape_cast() */
    double tolerance;        /**< as of abut_shape_cast(): 0 for the default [length] */
} abut_cast;

/**
 * The first body that a moving shape touches; the bodies stand still. Of bodies touched at the same fraction, the one in the lowest slot.
 * @param filter  NULL: all bodies
 * @param hit     written on ABUT_OK and ABUT_ERROR_ITERATION_LIMIT; never NULL. Shape A of the hit is the moving one
 * @return ABUT_OK, also when nothing is hit; the errors of abut_shape_cast(); ABUT_ERROR_OUT_OF_MEMORY. ABUT_ERROR_ITERATION_LIMIT: the motion up to
 *         hit->hit.fraction is safe, and nothing is known of the rest
 */
ABUT_API abut_status abut_world_shape_cast(const abut_world *world, const abut_cast *cast, const abut_query_filter *filter,
                                           abut_world_hit *hit);

/**
 * abut_world_shape_cast() for many shapes, on the threads of the world.
 * @param casts  [count]
 * @param hits   [count], owned by the caller
 * @return ABUT_OK; the first error in the order of the casts. After an error `hits` are undefined
 */
ABUT_API abut_status abut_world_shape_cast_batch(const abut_world *world, const abut_cast *casts, int32_t count,
                                                 const abut_query_filter *filter, abut_world_hit *hits);

/**
 * Bodies whose bounds meet a box, touching included, in the order of their slots. Their bounds are those of abut_shape_bounds(); a plane meets every box that
 * reaches below its surface.
 * @param box       lower <= upper, world frame; may be infinite
 * @param ids       [capacity] owned by the caller; may be NULL when capacity is 0
 * @param count     set to the number of bodies, also when this exceeds capacity; never NULL
 * @return ABUT_OK; ABUT_ERROR_CAPACITY when there are more than capacity: the first ones are written; ABUT_ERROR_INVALID_ARGUMENT for an empty box or NaN;
 *         ABUT_ERROR_OUT_OF_MEMORY
 */
ABUT_API abut_status abut_world_overlap_box(const abut_world *world, abut_aabb box, const abut_query_filter *filter, abut_body_id *ids,
                                            int32_t capacity, int32_t *count);

/**
 * Bodies that have a point in common with a shape, in the order of their slots.
 * @param pose   pose of the shape's frame in the world
 * @param ids, count  as of abut_world_overlap_box()
 * @return ABUT_OK; ABUT_ERROR_CAPACITY; the errors of abut_overlap(); ABUT_ERROR_OUT_OF_MEMORY
 */
ABUT_API abut_status abut_world_overlap_shape(const abut_world *world, const abut_shape *shape, abut_pose pose,
                                              const abut_query_filter *filter, abut_body_id *ids, int32_t capacity, int32_t *count);

/** The body that is nearest to a shape or a point. */
typedef struct abut_world_near {
    abut_body_id body;          /**< the body; zero when there is none */
    uint64_t user;              /**< abut_body_def.user of the body */
    abut_separation separation; /**< as of abut_distance() with the shape as A and the body as B; zero when there is none */
} abut_world_near;

/**
 * The body with the least gap to a shape: the nearest one, or the one that overlaps deepest. Of equal gaps, the body in the lowest slot.
 * @param pose     pose of the shape's frame in the world
 * @param farthest bodies at larger gaps are left out; may be infinite, not NaN [length]
 * @param near     never NULL
 * @return ABUT_OK, also when there is none; ABUT_ERROR_INVALID_ARGUMENT; the errors of abut_distance(); ABUT_ERROR_OUT_OF_MEMORY
 */
ABUT_API abut_status abut_world_closest(const abut_world *world, const abut_shape *shape, abut_pose pose, double farthest,
                                        const abut_query_filter *filter, abut_world_near *near);

/**
 * The same for a point, which counts as a ball with a radius of 1e-50. Inside a body the gap is minus the depth of the point.
 * @param point  world frame, finite [length]
 */
ABUT_API abut_status abut_world_closest_to_point(const abut_world *world, abut_vec3 point, double farthest, const abut_query_filter *filter,
                                                 abut_world_near *near);

#ifdef __cplusplus
}
#endif
