#pragma once

#include <abut/base.h>
#include <abut/collide.h>
#include <abut/contact.h>
#include <abut/math.h>
#include <abut/shape.h>

/**
 * @file query.h
 * Queries other than contacts: distance, overlap, ray casts and shape casts. docs/methods/queries.md explains them.
 *
 * Conventions: world frame. Normals point from B into A, or out of the shape that a ray hits. Shapes are closed sets: shapes that touch
 * overlap. Every function is a pure function of its inputs. A cache makes a call faster and never changes a bit of the result. Outputs are
 * written whole on ABUT_OK and are untouched on an error, except for ABUT_ERROR_ITERATION_LIMIT.
 */

#ifdef __cplusplus
extern "C" {
#endif

/** Distance of two shapes apart, or depth of their overlap, as a signed gap. World frame. */
typedef struct abut_separation {
    double gap;             /**< shapes apart: the distance, above 0. Shapes that overlap: the gap of the deepest contact that abut_collide()
                                 finds with the same settings and margin 0. This is minus the depth along `normal`; 0 when they just touch
                                 [length] */
    abut_vec3 on_a;         /**< shapes apart: closest point on A's surface; else the point of the deepest contact on A */
    abut_vec3 on_b;         /**< the same on B; gap = dot(normal, on_a - on_b), up to rounding error */
    abut_vec3 normal;       /**< unit, from B into A, also when touching */
    abut_feature feature_a; /**< shapes apart: the smallest feature of A that contains on_a, up to rounding error; else that of the contact */
    abut_feature feature_b; /**< the same of B */
    uint32_t flags;         /**< bits of abut_contact_flag: ABUT_CONTACT_NORMAL_CHOSEN when the normal is not unique */
} abut_separation;

/**
 * Distance of two posed shapes, or the depth of their overlap, as a signed gap.
 *
 * The gap is 0 or less exactly when abut_collide() with the same settings and margin 0 finds a contact. Compounds: the least distance of their
 * parts, or the deepest contact of the unions. A closed convex mesh: the distance of its solid, see mesh.h. Other meshes: the distance of the surfaces,
 * regardless of the side that faces the other shape. A ball that crosses a one-sided mesh from behind has no contact. Its gap is DBL_MIN, the least
 * normal number above 0, at a common point of both.
 *
 * @param settings    NULL for the defaults; the margin is not used
 * @param cache       NULL for none; may be shared with abut_collide() and abut_overlap() of the same pair; updated by the call
 * @param separation  written on ABUT_OK; never NULL
 * @return ABUT_OK; ABUT_ERROR_INVALID_ARGUMENT for NULL, settings out of range, or a pose that is not a rotation; ABUT_ERROR_NOT_FINITE;
 *         ABUT_ERROR_UNSUPPORTED_PAIR for two planes, or a smooth shape without abut_shape_surface_mesh() that is not convex; beside a facetmesh
 *         ABUT_ERROR_DEGENERATE for a mesh no triangle of which has an area; ABUT_ERROR_OUT_OF_MEMORY
 */
ABUT_API abut_status abut_distance(const abut_pair *pair, const abut_collide_settings *settings, abut_cache *cache, abut_separation *separation);

/**
 * Whether two posed shapes overlap: whether they have a common point, touching included. True exactly when abut_collide() with default settings
 * finds a contact. Two planes: whether the half-spaces meet, up to 1e-14 of their offsets when their normals are opposite.
 *
 * @param cache    NULL for none; may be shared with abut_collide() and abut_distance() of the same pair; updated by the call
 * @param overlap  written on ABUT_OK; never NULL
 * @return ABUT_OK; ABUT_ERROR_INVALID_ARGUMENT for NULL or a pose that is not a rotation; ABUT_ERROR_NOT_FINITE;
 *         ABUT_ERROR_UNSUPPORTED_PAIR for the same pairs as abut_collide(), except two planes; ABUT_ERROR_OUT_OF_MEMORY
 */
ABUT_API abut_status abut_overlap(const abut_pair *pair, abut_cache *cache, bool *overlap);

/** What a ray or a moving shape hit. World frame. */
typedef struct abut_hit {
    /** False: nothing was hit. Then `fraction` is 1, `iterations` is set, and all other fields are zero. */
    bool hit;
    /** True: the ray began below the surface, or the shapes overlapped at the start. The fraction is then 0. Shapes that only touch at the start
        count as overlapping when they approach each other, not when they rest or separate. */
    bool started_inside;
    /** Fraction of the translation or of the motion at the hit, 0 to 1. */
    double fraction;
    /** Point of the hit, on the shape that the ray hits, or on B. For a ray that began inside: its origin. */
    abut_vec3 point;
    /** Unit normal, out of the shape that the ray hits, or from B into A. For a ray that began inside: opposite to the ray. */
    abut_vec3 normal;
    /** Feature of A. For a ray: kind ABUT_FEATURE_NONE. */
    abut_feature feature_a;
    /** Feature of B, or of the shape that the ray hits. For a ray that began inside: kind ABUT_FEATURE_NONE, with the part set. */
    abut_feature feature_b;
    /** Number of steps of conservative advancement, over all pairs of parts and all triangles. 0 for rays and for shapes that overlap at the
        start. */
    int32_t iterations;
} abut_hit;

/**
 * First point of a shape on the segment from `origin` to origin + translation. Closed form; for smooth shapes, Newton's method from one side.
 *
 * Touching counts as a hit, up to 1e-14 of the shape's size and the rounding error of the coordinates: a ray in the plane of a face, along an
 * edge, through a vertex or tangent to a round body hits. A ray that begins on the surface hits at once, for any direction. The feature is
 * the face through which the ray enters, the end or side of a capsule, the disc, side or apex of a cylinder or cone, or the feature where the ray
 * begins. A facetmesh is hit on its triangles, which are flat for rays. For a box or polytope the feature
 * is a face even when the ray enters at an edge or vertex. For a compound it is the feature of the part that is hit first. A ray that begins
 * inside any part of a compound began inside.
 *
 * @param pose         pose of the shape's frame in the world
 * @param origin       start of the ray, world frame [length]
 * @param translation  from the start to the end of the ray, world frame; not zero [length]
 * @param hit          written on ABUT_OK; never NULL
 * @return ABUT_OK, also when nothing is hit; ABUT_ERROR_INVALID_ARGUMENT for NULL, a zero translation, or a pose that is not a rotation;
 *         ABUT_ERROR_NOT_FINITE, also for lengths that overflow; ABUT_ERROR_NOT_CONVEX for a smooth shape that is not convex and has no
 *         abut_shape_surface_mesh()
 */
ABUT_API abut_status abut_ray_cast(const abut_shape *shape, abut_pose pose, abut_vec3 origin, abut_vec3 translation, abut_hit *hit);

/**
 * First touch of two moving shapes, by conservative advancement: two shapes at a gap d cannot touch before the fraction d / s, where s is the
 * largest approach that any of their points can make along the normal in the rest of the motion.
 *
 * The search stops when the remaining gap is between half of `tolerance` and all of it. It never steps past a touch, at any speed. Shapes that
 * pass each other at more than half the tolerance may miss. Shapes that begin within the tolerance are hit if they approach each other.
 *
 * Meshes: a one-sided triangle stops the motion only when the middle of the body is in front of it. Triangles approached from behind do
 * not stop the motion, nor do triangles that a ball crosses from behind at the start. A body that begins within the tolerance rests on the mesh. It is hit when
 * its gap to some triangle becomes smaller, by a tenth of the tolerance, than its least gap at the start; a body that slides over a flat place is therefore not
 * stopped at joints. Of two meshes, a closed convex one is cast as its solid. If neither is, the smaller mesh is the body, and each of its triangles is moved
 * separately; triangles that lie flat in each other at the start then do not stop the motion.
 *
 * Facetmeshes: the gap is that of the surfaces (facetmesh.h). Bodies whose surfaces cross at the start begin inside. Bodies that begin within the tolerance
 * without approaching each other are hit when their least gap has become smaller by a tenth to a fifth of the tolerance.
 *
 * @param motion_a, motion_b  motions of the two frames, world frame. The whole motion takes one unit of time: at the fraction t a frame has moved
 *                            by t * linear and turned by the rotation vector t * angular about its own origin. The angle may be many turns.
 *                            Zero motions are allowed; with two zero motions the call is an overlap test at fraction 0
 * @param tolerance  gap at which the shapes count as touching; >= 0; 0 for the default, 1e-6 of the size of the smaller shape. When the rounding
 *                   error of the shapes' positions is larger, it is used instead [length]
 * @param hit        written on ABUT_OK and ABUT_ERROR_ITERATION_LIMIT; never NULL
 * @return ABUT_OK, also when nothing is hit; ABUT_ERROR_INVALID_ARGUMENT for NULL, a negative tolerance, or a pose that is not a rotation;
 *         ABUT_ERROR_NOT_FINITE, also for motions whose squares overflow; ABUT_ERROR_UNSUPPORTED_PAIR for two planes, or a smooth shape
 *         without abut_shape_surface_mesh() that is not convex; ABUT_ERROR_DEGENERATE as abut_distance(); ABUT_ERROR_ITERATION_LIMIT when two parts
 *         have neither touched nor separated after 1000
 *         steps: hit->hit is then false, and the motion up to hit->fraction is safe; ABUT_ERROR_OUT_OF_MEMORY
 */
ABUT_API abut_status abut_shape_cast(const abut_pair *pair, abut_motion motion_a, abut_motion motion_b, double tolerance, abut_hit *hit);

#ifdef __cplusplus
}
#endif
