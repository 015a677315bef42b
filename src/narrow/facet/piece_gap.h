#pragma once

#include "narrow/facet/piece.h"

/* The gap of two pieces, or of a piece and a half-space. */
typedef struct facet_gap {
    double
        gap; /* the distance, of apart ones, to the last digits; of others at most rounding error above 0, and the larger, the less they overlap */
    abut_vec3 normal; /* unit, from B into A */
    abut_vec3 on_a, on_b;
} facet_gap;

/* One of the pieces at most is a ball. Where the gap is above the limit, the answer may be a lower bound of it that is above the limit too, along a normal for
 * which it holds. */
facet_gap facet_piece_gap(const facet_piece *a, const facet_piece *b, double limit);

/* B is the half-space normal . x <= offset; normal unit. */
facet_gap facet_piece_gap_over(const facet_piece *a, abut_vec3 normal, double offset);

/* The least gap that two pieces can have. */
double facet_piece_least_gap(const facet_piece *a, const facet_piece *b);
