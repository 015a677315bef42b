#pragma once

#include <abut/query.h>

#include "narrow/generators.h"
#include "narrow/normal/normal.h"

/*
 * How far two bodies are apart, or how deep in each other, in the pair's frame.
 */

/* The separation of two shapes. The pair's margin is ignored. apart: they are known not to touch, which spares a search for contacts.
 * ABUT_OK; ABUT_ERROR_UNSUPPORTED_PAIR; ABUT_ERROR_OUT_OF_MEMORY. */
abut_status separation_find(const collide_pair *pair, bool apart, abut_separation *separation);

/* The direction of the distance of two convex bodies and the gap along it. Of bodies that overlap it is the contact normal, its points are
 * no contact's, and the gap says no more than that they overlap. */
contact_normal separation_normal(const convex *a, const convex *b, const normal_settings *settings);

/* The direction of the distance of two convex bodies, when the gap along it says that they are apart by just the distance of their closest points.
 * Else they touch, or rounding cannot tell. *d: of their cores, where one of them has faces. */
bool separation_when_apart(const convex *a, const convex *b, abut_cache *cache, core_distance *d, contact_normal *normal);

/* What is told of two convex bodies with that direction. */
abut_separation separation_along(const convex *a, const convex *b, const contact_normal *normal);

/* The deepest contact of the pair; false when there is none. */
bool separation_deepest(const collide_pair *pair, abut_separation *separation, bool *out_of_memory);

static inline abut_separation separation_swapped(abut_separation s) {
    return (abut_separation){s.gap, s.on_b, s.on_a, abut_neg(s.normal), s.feature_b, s.feature_a, s.flags};
}
