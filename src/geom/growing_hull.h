#pragma once

#include <stdint.h>

/*
 * The convex hull of some points of a plane. The other points are added one at a time; the gain of a point is the area that it would add.
 *
 * Each point outside the hull stores one edge that it lies beyond. The other edges that the point sees are usually the neighbours of this
 * edge. Computing a gain therefore takes constant time, and adding a point takes constant time for each remaining point.
 */

typedef struct flat_point {
    double x, y;
} flat_point;

typedef struct growing_hull {
    const flat_point *point;
    int32_t count;
    int32_t *next,
        *previous; /* [count] corners of the hull: their neighbours, counter-clockwise. next is -1 for points that are no corner */
    int32_t *edge; /* [count] points outside: the corner that starts an edge which the point lies beyond; else -1 */
} growing_hull;

/* Twice the area of the triangle o, p, q; positive when it runs counter-clockwise. */
double flat_turn(flat_point o, flat_point p, flat_point q);

/* Starts with the hull of two of the points. Points on their line are left out while there is no third corner: the first point to add must
 * be beside the line, if there is one. `memory`: [3 count], which must live as long as the hull. */
void growing_hull_start(growing_hull *hull, const flat_point *point, int32_t count, int32_t *memory, int32_t first, int32_t second);

/* Twice the area that the point would add; 0 for a point inside the hull. */
double growing_hull_gain(const growing_hull *hull, int32_t point);

void growing_hull_add(growing_hull *hull, int32_t point);
