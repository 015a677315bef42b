#pragma once

#include <abut/query.h>

#include "narrow/normal/contact_normal.h"
#include "narrow/normal/convex.h"
#include "narrow/normal/gjk_result.h"
#include "narrow/pair.h"

/*
 * How far two convex bodies are apart, and the deepest contact of a pair, in the pair's frame.
 */

/* The direction of the distance of two convex bodies and the gap along it. Of bodies that overlap it is the contact normal, its points are
 * no contact's, and the gap says no more than that they overlap. */
contact_normal separation_normal(const convex *a, const convex *b, const normal_settings *settings);

/* The direction of the distance of two convex bodies, when the gap along it says that they are apart by just the distance of their closest points.
 * Else they touch, or rounding cannot tell. *d: of their cores, where one of them has faces. */
bool separation_when_apart(const convex *a, const convex *b, abut_cache *cache, gjk_result *d, contact_normal *normal);

/* The separation of two convex bodies for that direction, with its witness points settled (witness.h). */
abut_separation separation_along(const convex *a, const convex *b, contact_normal *normal);

/* The deepest contact of the pair, within its margin. The gap of bodies that touch is at most 0. False if there is none. */
bool separation_deepest(const collide_pair *pair, abut_separation *separation, bool *out_of_memory);

static inline abut_separation separation_swapped(abut_separation s) {
    return (abut_separation){s.gap, s.on_b, s.on_a, abut_neg(s.normal), s.feature_b, s.feature_a, s.flags};
}
