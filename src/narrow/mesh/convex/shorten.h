#pragma once

#include "narrow/mesh/convex/met.h"

/*
 * Looks for shorter ways out of the surface, over the edges and corners of its triangles.
 *
 * 1. If one way out is left, it is replaced by a shorter one that takes the body out of all triangles that it meets. In a closed surface it
 *    may also lead through and over triangles that the body does not meet. There is none if the way is as short as the shortest one out of
 *    a single triangle.
 * 2. Otherwise a triangle that only its own normal serves gets a shorter way that takes the body out of it: over its edges and corners, or
 *    those of its neighbours. These ways are added to work->way.
 *
 * Returns whether ways were added. Then all contacts must be made again.
 */
bool shorten_ways_out(convex_work *work);
