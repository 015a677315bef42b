#pragma once

#include "narrow/query/moving_body.h"

/*
 * The first touch of two moving bodies, of which one at least is a body of rounded triangles, by conservative advancement of all pairs of pieces
 * (facet/piece.h) at once. The touch is where the distance of the surfaces, facet_apart_find(), has fallen to the tolerance.
 */

typedef struct facet_touch {
    bool hit, undecided; /* undecided: neither touched nor separated within the limit of steps; `fraction` is safe */
    bool crossed;        /* the surfaces met at the start */
    double fraction;
    int32_t steps;
    abut_separation met; /* at a hit; relative to A's pivot at that moment, along the axes of the world */
} facet_touch;

/*
 * start: the separation at the start, relative to A's pivot and along the axes of the world; the bodies touch at most.
 *
 * Bodies that begin within the tolerance are hit at once if they approach each other there. Else they rest on each other, and are hit where the gap has become
 * smaller than at the start by a tenth to a fifth of the tolerance. Statuses of facet_apart_find().
 */
abut_status facet_cast_find(const moving_body *a, const moving_body *b, double tolerance, const abut_separation *start, facet_touch *touch);
