#pragma once

#include <stdint.h>

/*
 * The convex hull of some of the points in a plane, to which the others are added one at a time, and the area that each of them would add.
 *
 * Every point that is outside remembers an edge that it lies beyond. The edges that a point sees are neighbours of that one, and usually no
 * others, so that a point's gain costs a constant time, and an addition a constant time for each point.
 */

typedef struct flat_point {
    double x, y;
} flat_point;

typedef struct growing_hull {
    const flat_point *point;
    int32_t count;
    int32_t *next, *previous; /* [count] of a corner of the hull: its neighbours, counter-clockwise; next is -1 of what is none */
    int32_t *edge;            /* [count] of a point outside: the corner before an edge that it lies beyond; else -1 */
} growing_hull;

/* Twice the area of the triangle o, p, q, positive when it runs counter-clockwise. */
double flat_turn(flat_point o, flat_point p, flat_point q);

/* The hull of two of the points. Points on their line are left out while there is no third corner: the first one to add is one beside the
 * line, if there is any. `memory`: [3 count], which lasts as long as the hull. */
void growing_hull_start(growing_hull *hull, const flat_point *point, int32_t count, int32_t *memory, int32_t first, int32_t second);

/* Twice the area that the point would add; 0 for a point of the hull. */
double growing_hull_gain(const growing_hull *hull, int32_t point);

void growing_hull_add(growing_hull *hull, int32_t point);
