#pragma once

#include "accuracy/exact_triangles.h"
#include "support/random.h"

/*
 * Pairs of triangles that make rounding decide: corners on a coarse grid (shared corners and edges, common planes, triangles without a face), nearly touching,
 * nearly parallel edges, slivers, tiny, huge and far from the origin.
 */

/* Corners are whole numbers below 2^10 by size. */
void triangle_case_small(random_state *random, exact_pair *pair);

/* Any finite corners, most of them with all digits. */
void triangle_case_real(random_state *random, exact_pair *pair);

/* Triangles apart by `gap` along the axis of a random direction, with the closest points on random features. The gap is exact up to the rounding of corners. */
void triangle_case_near(random_state *random, double gap, exact_pair *pair);
