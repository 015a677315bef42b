#pragma once

#include <abut/math.h>

/*
 * Closest points of two segments, and the direction between them. Pair's frame.
 */

/* A segment, given by a direction that was turned from its body's own frame. A difference of two placed ends would lose the direction of a short segment beside
 * a large body. */
typedef struct axis {
    abut_vec3 middle;
    abut_vec3 along; /* unit */
    double half;     /* half the length; 0 for a point */
} axis;

typedef struct axis_pair {
    abut_vec3 on_a, on_b;
    double s, t;     /* places of the points, -1 to 1 from end to end */
    abut_vec3 apart; /* from on_a to on_b, as far as the segments determine it: orthogonal to a segment in which its point lies */
    bool skew;       /* both points lie inside, and the segments are not parallel */
} axis_pair;

void axis_pair_find(const axis *a, const axis *b, axis_pair *pair);
