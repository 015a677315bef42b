#pragma once

#include <abut/base.h>
#include <abut/collide.h>
#include <abut/contact.h>
#include <abut/math.h>
#include <abut/shape.h>

/**
 * @file query.h
 * Questions other than contacts: how far, whether at all, what a ray hits, when a moving shape hits another. See docs/methods/queries.md.
 *
 * Conventions: world frame; normals point from B into A, or out of the shape that a ray meets. Shapes are closed: touching is meeting.
 * Every function is a pure function of its inputs; a cache makes it faster and never changes a bit of the result. Outputs are written whole
 * on ABUT_OK and untouched on an error, but for ABUT_ERROR_ITERATION_LIMIT.
 */

#ifdef __cplusplus
extern "C" {
#endif

/** How far two shapes are apart. World frame. */
typedef struct abut_separation {
    double gap;             /**< apart: the distance, above 0; else the deepest gap that abut_collide() finds with the same settings and
                                 margin 0: minus the depth along `normal`, or 0 where they just touch [length] */
    abut_vec3 on_a;         /**< apart: closest point of A's surface; else the deepest contact's */
    abut_vec3 on_b;         /**< the same of B; gap = dot(normal, on_a - on_b), up to rounding */
    abut_vec3 normal;       /**< unit, from B into A, also when touching */
    abut_feature feature_a; /**< apart: the smallest feature of A that holds on_a, as far as rounding tells; else the contact's */
    abut_feature feature_b; /**< the same of B */
    uint32_t flags;         /**< abut_contact_flag: ABUT_CONTACT_NORMAL_CHOSEN where the normal is not unique */
} abut_separation;

/**
 * Distance of two posed shapes, or the depth of their overlap. Any pair but two planes.
 *
 * The gap is 0 or less exactly when abut_collide() with the same settings and margin 0 finds a contact. Compounds: apart, the least
 * distance of their parts; else the deepest contact of the unions. Meshes: apart, the distance of the surfaces, whichever side they show; a body that
 * goes through a one-sided mesh from behind has no contact, and a gap of DBL_MIN, the least there is above 0, at a point of both.
 *
 * @param settings    NULL for the defaults; the margin plays no part
 * @param cache       NULL for none; may be shared with abut_collide() and abut_overlap() of the same pair, for which it is filled
 * @param separation  written on ABUT_OK; never NULL
 * @return ABUT_OK; ABUT_ERROR_INVALID_ARGUMENT; ABUT_ERROR_NOT_FINITE; ABUT_ERROR_UNSUPPORTED_PAIR for two planes,
 *         a smooth shape that is not convex, or a mesh of rounded triangles; ABUT_ERROR_OUT_OF_MEMORY
 */
ABUT_API abut_status abut_distance(const abut_pair *pair, const abut_collide_settings *settings, abut_cache *cache, abut_separation *separation);

/**
 * Whether two posed shapes have a point in common, touching included: true exactly when abut_collide() with default settings finds a
 * contact. Two planes: whether the half-spaces meet, up to 1e-14 of their offsets where they lie back to back.
 *
 * @param cache    NULL for none; may be shared with abut_collide() and abut_distance() of the same pair
 * @param overlap  written on ABUT_OK; never NULL
 * @return ABUT_OK; ABUT_ERROR_INVALID_ARGUMENT; ABUT_ERROR_NOT_FINITE; ABUT_ERROR_UNSUPPORTED_PAIR where abut_collide() gives it but for two
 *         planes; ABUT_ERROR_OUT_OF_MEMORY
 */
ABUT_API abut_status abut_overlap(const abut_pair *pair, abut_cache *cache, bool *overlap);

/** What a ray or a moving shape met. World frame. */
typedef struct abut_hit {
    bool hit;               /**< false: nothing within reach; then `fraction` is 1, `iterations` counts, and all else is zero */
    bool started_inside;    /**< the ray began below the surface, or the shapes overlapped at the start: fraction 0. Shapes that only touch
                                 there overlap when they come nearer, not while they stay or part */
    double fraction;        /**< of the way, 0 to 1 */
    abut_vec3 point;        /**< where they meet, on the shape that the ray meets or on B; of a ray that began inside, its origin */
    abut_vec3 normal;       /**< unit, out of the shape that the ray meets, or from B into A; of a ray that began inside: against the ray */
    abut_feature feature_a; /**< of A; of a ray: kind ABUT_FEATURE_NONE */
    abut_feature feature_b; /**< of B, or of the shape that the ray meets; kind ABUT_FEATURE_NONE where the ray began inside, and then the
                                 part is still named */
    int32_t iterations;     /**< steps of conservative advancement, of all pairs of parts, and of triangles; 0 for rays, and where the shapes overlap at
                                 first */
} abut_hit;

/**
 * The first point of the shape on the way from `origin` to origin + translation, in closed form or, of smooth shapes, by Newton's
 * method from one side.
 *
 * Touching counts, up to 1e-14 of the shape's size and the rounding of the coordinates: rays within a face's plane, along an edge, through
 * a vertex or past a round body hit. A ray that begins on the surface hits at once, whichever way it goes. The feature is the face that the
 * ray enters through (of a box or polytope, also where that is at an edge or vertex), the end or side of a capsule, or where it begins. Of
 * a compound it is that of the part that comes first; a ray that begins inside any part began inside.
 *
 * @param translation  the whole way [length]; not zero
 * @param hit          written on ABUT_OK; never NULL
 * @return ABUT_OK, also when nothing is hit; ABUT_ERROR_INVALID_ARGUMENT; ABUT_ERROR_NOT_FINITE, also for lengths that overflow;
 *         ABUT_ERROR_NOT_CONVEX for a smooth shape that is not convex
 */
ABUT_API abut_status abut_ray_cast(const abut_shape *shape, abut_pose pose, abut_vec3 origin, abut_vec3 translation, abut_hit *hit);

/**
 * When two moving shapes first touch, by conservative advancement: from a gap d no pair can touch before the fraction d over the largest
 * approach that any of their points can make along the normal in the rest of the motion.
 *
 * Stops where between half of `tolerance` and all of it is left of the gap; never steps past a touch, whatever the speed. Shapes that pass
 * each other by more than half the tolerance may miss. Shapes that begin within the tolerance are hit if they come nearer.
 *
 * Meshes: a one-sided triangle is met from its front only, where the body's middle is; one that is come onto from behind, or gone through at the start,
 * is let through. A body that begins within the tolerance rests on the mesh, and is hit where it comes nearer to some triangle, by a tenth of the
 * tolerance, than it was to the nearest one at the start: what slides over a flat place feels no joints. Of two meshes the one with fewer triangles is
 * the body, and each triangle of it is moved by itself.
 *
 * @param motion_a, motion_b  velocities over the whole motion, which takes one unit of time: at the fraction t a shape's frame has moved by
 *                            t * linear and turned by the rotation vector t * angular about its own origin. The angle may be many turns. Zero
 *                            motions are allowed; with both zero it is an overlap test at fraction 0
 * @param tolerance  gap at which the shapes count as touching [length]; >= 0; 0 for the default, 1e-6 of the smaller shape's size. Where
 *                   rounding of the shapes' places is more, that counts
 * @param hit        written on ABUT_OK and ABUT_ERROR_ITERATION_LIMIT; never NULL
 * @return ABUT_OK, also when nothing is hit; ABUT_ERROR_INVALID_ARGUMENT; ABUT_ERROR_NOT_FINITE, also for ways whose squares overflow;
 *         ABUT_ERROR_UNSUPPORTED_PAIR for two planes, or a smooth shape that is not convex; ABUT_ERROR_ITERATION_LIMIT when
 *         two parts have neither met nor parted after 1000 steps (hit->fraction is then safe, with hit->hit false); ABUT_ERROR_OUT_OF_MEMORY
 */
ABUT_API abut_status abut_shape_cast(const abut_pair *pair, abut_motion motion_a, abut_motion motion_b, double tolerance, abut_hit *hit);

#ifdef __cplusplus
}
#endif
