#pragma once

#include <abut/query.h>

#include "narrow/generators.h"
#include "narrow/normal/normal.h"

/*
 * The distance of two bodies that are apart, or the gap of the deepest contact of two that touch; in the pair's frame. Normals point from B
 * into A.
 */

/* The separation of two shapes. The pair's margin is ignored. apart: the caller knows that they do not touch, which saves a search for
 * contacts. Returns ABUT_OK; ABUT_ERROR_UNSUPPORTED_PAIR; ABUT_ERROR_OUT_OF_MEMORY. */
abut_status separation_find(const collide_pair *pair, bool apart, abut_separation *separation);

/* The direction of the distance of two convex bodies, from A to B, and the gap along it. For bodies that overlap it is the contact normal;
 * the points are then not contact points, and the gap only says that they overlap. */
contact_normal separation_normal(const convex *a, const convex *b, const normal_settings *settings);

/* The same, if the gap along the direction equals the distance of the closest points. Otherwise returns false: the bodies touch, or
 * rounding error decides. *d: the distance of the cores, set if one of them is a polytope. */
bool separation_when_apart(const convex *a, const convex *b, abut_cache *cache, core_distance *d, contact_normal *normal);

/* The separation of two convex bodies for that direction. */
abut_separation separation_along(const convex *a, const convex *b, const contact_normal *normal);

/* The deepest contact of the pair. False if there is none. */
bool separation_deepest(const collide_pair *pair, abut_separation *separation, bool *out_of_memory);

static inline abut_separation separation_swapped(abut_separation s) {
    return (abut_separation){s.gap, s.on_b, s.on_a, abut_neg(s.normal), s.feature_b, s.feature_a, s.flags};
}
