#pragma once

#include <abut/base.h>
#include <abut/math.h>

/**
 * @file contact.h
 * Contacts, and what can be done with a set of them.
 *
 * A *contact* is a pair of points, one on each shape, that face each other along the contact normal. A *patch* is the set of contacts that
 * share one normal: for two polytopes, the corners of the convex polygon in which their contact features meet.
 *
 * World frame, right-handed. The unit normal points from shape B into shape A. The gap is dot(normal, on_a - on_b): positive apart, zero
 * touching, negative penetrating.
 */

#ifdef __cplusplus
extern "C" {
#endif

/** What of a surface takes part. */
typedef enum abut_feature_kind {
    ABUT_FEATURE_NONE = 0,
    ABUT_FEATURE_FACE,
    ABUT_FEATURE_EDGE,
    ABUT_FEATURE_VERTEX,
    ABUT_FEATURE_SMOOTH /**< a point of a curved surface: sphere; capsule (index 0 and 1: its ends at -z and +z, 2: its side) */
} abut_feature_kind;

/** What part of a shape takes part in a contact. Indices are those of the shape's own vertices, edges and faces (abut_polytope_view). */
typedef struct abut_feature {
    abut_feature_kind kind; /**< which of the shape's lists `index` counts in */
    int32_t index; /**< into the shape's list of that kind; a plane's face is 0 */
    int32_t part;  /**< the part of a compound; else 0 */
} abut_feature;

/** Bits of abut_contact.flags. */
typedef enum abut_contact_flag {
    ABUT_CONTACT_NORMAL_CHOSEN = 1, /**< several normals are equally right here (coincident centres, crossing axes, ties); one was chosen by rule */
    ABUT_CONTACT_WITNESS = 2        /**< the features do not overlap seen along the normal: the single point is the growth witness */
} abut_contact_flag;

/** One contact. Written whole by every generator. */
typedef struct abut_contact {
    abut_vec3 on_a;         /**< point on A's surface, world frame */
    abut_vec3 on_b;         /**< point on B's surface, world frame */
    abut_vec3 normal;       /**< unit, from B into A */
    double gap;             /**< dot(normal, on_a - on_b); negative when penetrating [length] */
    double area;            /**< this contact's share of its patch's area; the shares of a patch add up to it; 0 for points and lines [length^2] */
    abut_feature feature_a; /**< what of A touches: in a patch of two faces, a vertex, an edge or the face of A that makes this corner */
    abut_feature feature_b; /**< what of B touches */
    uint64_t id;            /**< equal for the same contact at the next step and after a swap of A and B: the key for warm starting;
                                 unique among the contacts of one call */
    int32_t patch;          /**< contacts of one patch are consecutive, in counter-clockwise order about the normal; patches count from 0 */
    uint32_t flags;         /**< abut_contact_flag */
} abut_contact;

/** What abut_reduce() gave up. */
typedef struct abut_reduction {
    int32_t kept;       /**< number of contacts written */
    double area_before; /**< area of the convex hull of all points on B, seen along the normal of the deepest contact [length^2] */
    double area_after;  /**< the same of those that were kept */
} abut_reduction;

/**
 * Bring a set of contacts down to at most `limit`.
 *
 * Keeps the deepest contact always, then those that span the largest support area: the farthest from the deepest, the farthest from the line
 * through both on each side, and then repeatedly the one that adds most area. A set of no more than `limit` contacts is copied as it is.
 * The kept contacts stay in their order. A pure function: equal input gives equal output.
 *
 * @param contacts   [count]; may be the same array as `kept`
 * @param limit      >= 1
 * @param kept       [min(count, limit)], owned by the caller
 * @param reduction  may be NULL
 * @return ABUT_OK; ABUT_ERROR_INVALID_ARGUMENT; ABUT_ERROR_NOT_FINITE; ABUT_ERROR_OUT_OF_MEMORY
 */
ABUT_API abut_status abut_reduce(const abut_contact *contacts, int32_t count, int32_t limit, abut_contact *kept, abut_reduction *reduction);

/** The same contact seen from the other side: A and B exchanged, normal turned round, the order of corners about it is the caller's affair. */
ABUT_API abut_contact abut_contact_swap(abut_contact contact);

#ifdef __cplusplus
}
#endif
