#pragma once

#include <abut/collide.h>

#include "narrow/normal/convex.h"

/* Closest points of two cores (the radii play no part), pair frame. */
typedef struct core_distance {
    double distance;      /* 0 when the cores meet */
    abut_vec3 direction;  /* unit, from A to B; zero when the cores meet */
    abut_vec3 on_a, on_b;
    abut_feature feature_a, feature_b; /* of the cores: the smallest that hold the points; kind NONE when that is unclear */
    bool clear;           /* the points are the only ones, lie well inside their features, and were computed from those alone */
    int32_t supports;
} core_distance;

/*
 * Gilbert, Johnson and Keerthi's algorithm on the difference of the cores. Ends when no vertex of the difference is nearer than rounding
 * along the direction found, which is the certificate that the distance is right; on thin differences, when rounding stops the descent.
 *
 * cache  of an earlier call, read and written; NULL for none. Where its features are clearly the closest ones still, nothing is searched, and
 *        the answer is the same to the last bit.
 */
void core_distance_find(const convex *a, const convex *b, abut_cache *cache, core_distance *found);

/* The same without a cache, as a value. */
core_distance core_distance_solve(const convex *a, const convex *b);
