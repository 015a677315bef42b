#pragma once

#include <abut/collide.h>

#include "narrow/normal/convex.h"
#include "narrow/normal/gjk_result.h"

/*
 * The algorithm of Gilbert, Johnson and Keerthi (GJK) on the difference of the cores. It ends when no vertex of the difference is nearer along the direction
 * found, up to rounding error; this certifies the distance. On thin differences it ends when rounding error stops the descent.
 *
 * cache  of an earlier call, read and written; NULL for none. When the cached features are clearly still the closest ones, nothing is searched, and the
 *        answer is the same to the last bit.
 */
void gjk_find(const convex *a, const convex *b, abut_cache *cache, gjk_result *found);

/* The same with a guess which features are the closest ones; kind NONE for none. The guess changes the time and not the answer. */
void gjk_find_from(const convex *a, const convex *b, abut_feature guess_a, abut_feature guess_b, abut_cache *cache, gjk_result *found);

/* The same without a cache, returned by value. */
gjk_result gjk_solve(const convex *a, const convex *b);
