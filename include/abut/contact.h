#pragma once

#include <abut/base.h>
#include <abut/math.h>

/**
 * @file contact.h
 * The contact record, and the reduction of a set of contacts.
 *
 * A *contact* is a pair of points, one on each shape, that face each other along the contact normal. A *patch* is the set of contacts that
 * share one normal. For two polytopes, the contacts of a patch are the corners of the convex polygon in which their contact features meet.
 * A disc of a cylinder or a cone counts as a polygon with 84 corners on its rim, the deepest point of the rim, and its crossings with the other feature.
 *
 * Conventions: world frame, right-handed; lengths in the caller's unit. The unit normal points from shape B into shape A. The gap is
 * dot(normal, on_a - on_b): positive when apart, zero when touching, negative when penetrating.
 */

#ifdef __cplusplus
extern "C" {
#endif

/** Kind of a surface feature. */
typedef enum abut_feature_kind {
    ABUT_FEATURE_NONE = 0, /**< no feature */
    ABUT_FEATURE_FACE,     /**< a face of a polytope, a triangle of a mesh, a plane, or a disc of a cylinder or cone */
    ABUT_FEATURE_EDGE,     /**< an edge of a polytope or of a mesh, or a rim of a cylinder or cone */
    ABUT_FEATURE_VERTEX,   /**< a vertex of a polytope or of a mesh, or the apex of a cone */
    ABUT_FEATURE_SMOOTH    /**< a point of a curved surface. Index for a capsule: 0 its end at -z, 1 its end at +z, 2 its side; of a body that
                                is not convex a number of the place; else 0 */
} abut_feature_kind;

/**
 * The feature of a shape that takes part in a contact. Indices of polytopes are those of abut_polytope_view. Indices of meshes are those of
 * abut_shape_create_trimesh().
 */
typedef struct abut_feature {
    abut_feature_kind kind; /**< kind of the feature: selects the list that `index` refers to */
    int32_t index;          /**< index in the shape's list of that kind; 0 for the face of a plane */
    int32_t part;           /**< part of a compound, or mesh of abut_collide_meshes(); else 0 */
} abut_feature;

/** Bits of abut_contact.flags. */
typedef enum abut_contact_flag {
    /** Several normals are equally valid (coincident centres, crossing axes, ties). One of them was chosen by rule. */
    ABUT_CONTACT_NORMAL_CHOSEN = 1,
    /** The features do not overlap in the projection along the normal. The single point is the growth witness. For a body that has sunk into
     * a mesh, it is the body's deepest point and its foot in a triangle's plane; the foot may lie beside the triangle and the mesh. For a
     * smooth body that is not convex, the points are those of the mesh of its surface (smooth.h). */
    ABUT_CONTACT_WITNESS = 2
} abut_contact_flag;

/** One contact. Every generator writes all fields. */
typedef struct abut_contact {
    abut_vec3 on_a;         /**< point on A's surface, world frame */
    abut_vec3 on_b;         /**< point on B's surface, world frame */
    abut_vec3 normal;       /**< unit, from B into A */
    double gap;             /**< dot(normal, on_a - on_b); negative when penetrating [length] */
    double area;            /**< share of this contact in the area of its patch. The shares of a patch add up to the area of the patch.
                                 0 for points and lines [length^2] */
    abut_feature feature_a; /**< feature of A that touches. In a patch of two faces: the vertex, edge or face of A that makes this corner */
    abut_feature feature_b; /**< the same of B */
    uint64_t id;            /**< key for warm starting: equal for the same contact at the next step and after a swap of A and B. Unique among
                                 the contacts of one call */
    int32_t patch;          /**< index of the patch, from 0. The contacts of one patch are consecutive, counter-clockwise about the normal */
    uint32_t flags;         /**< bits of abut_contact_flag */
} abut_contact;

/** Result of abut_reduce(): the support area that was lost. */
typedef struct abut_reduction {
    int32_t kept;       /**< number of contacts written */
    double area_before; /**< area of the convex hull of all points on B, seen along the normal of the deepest contact [length^2] */
    double area_after;  /**< the same area for the contacts that were kept [length^2] */
} abut_reduction;

/**
 * Reduce a set of contacts to at most `limit` contacts.
 *
 * The deepest contact is always kept. The others are selected for the largest support area: first the contact farthest from the deepest one,
 * then the farthest one on each side of the line through both, then repeatedly the contact that adds the most area. A set of at most `limit`
 * contacts is copied unchanged. The kept contacts stay in their order. A pure function: equal input gives equal output.
 *
 * @param contacts   [count]; may be the same array as `kept`; may be NULL when count is 0
 * @param count      >= 0
 * @param limit      >= 1
 * @param kept       [min(count, limit)], owned by the caller; may be NULL when count is 0
 * @param reduction  written on ABUT_OK; may be NULL
 * @return ABUT_OK; ABUT_ERROR_INVALID_ARGUMENT for NULL, or a count or limit out of range; ABUT_ERROR_NOT_FINITE for a gap, a normal or a
 *         point on B that is not finite; ABUT_ERROR_OUT_OF_MEMORY
 */
ABUT_API abut_status abut_reduce(const abut_contact *contacts, int32_t count, int32_t limit, abut_contact *kept, abut_reduction *reduction);

/**
 * The same contact with A and B exchanged: points and features are exchanged, and the normal is negated. The contacts of a patch are then in
 * clockwise order about the new normal; the caller may reverse them.
 */
ABUT_API abut_contact abut_contact_swap(abut_contact contact);

#ifdef __cplusplus
}
#endif
