#pragma once

#include <abut/collide.h>

#include "narrow/normal/convex.h"
#include "narrow/normal/gjk_result.h"

/*
 * Gilbert, Johnson and Keerthi's algorithm on the difference of the cores. Ends when no vertex of the difference is nearer than rounding
 * along the direction found, which is the certificate that the distance is right; on thin differences, when rounding stops the descent.
 *
 * cache  of an earlier call, read and written; NULL for none. Where its features are clearly the closest ones still, nothing is searched, and
 *        the answer is the same to the last bit.
 */
void gjk_find(const convex *a, const convex *b, abut_cache *cache, gjk_result *found);

/* The same without a cache, as a value. */
gjk_result gjk_solve(const convex *a, const convex *b);
