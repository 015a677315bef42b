#pragma once

#include "narrow/mesh/convex/met.h"

/*
 * If one way out is left, looks for a shorter one: over the edges and corners of the triangles, and, in a closed surface, through and over
 * triangles that the body does not meet. There is none if the way is as short as the shortest one out of a single triangle.
 */
void shorten_way_out(convex_work *work);
