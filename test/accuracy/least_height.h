#pragma once

#include <stdbool.h>

/*
 * The least height h(d) = max d . x, x in C, of a convex body C over all unit directions d, by branch and bound. With C = A - B it is the least depth of two
 * bodies that overlap.
 *
 * The sphere of directions is divided into triangles. At each corner d_i the farthest point p_i of C is known. C contains these points, so for y in the flat
 * triangle of the corners h(y) >= max p_i . y, and h(y / |y|) = h(y) / |y|, with |y| <= 1. The least of this piecewise linear function bounds h in the
 * triangle from below. A triangle whose bound is not below the lowest height seen, less the tolerance, is done; any other is halved. So no direction is left
 * out.
 */

typedef struct height_vec {
    long double x, y, z;
} height_vec;

/* The point of C that is farthest along a unit direction. */
typedef height_vec height_farthest(const void *body, height_vec direction);

typedef struct least_height {
    long double height; /* the lowest height seen, or `known` if none was lower; never below the least one */
    bool proved;        /* the least height is at least height - tolerance */
} least_height;

/* known: a height that some direction is said to have. floor: a height that no direction is below: -|x| for any x in C, or -INFINITY. most: the number of
 * directions after which the search gives up, unproved. */
least_height least_height_find(height_farthest *farthest, const void *body, long double known, long double floor, long double tolerance,
                               int most);

/* The point of a superquadric with these half sizes and exponents that is farthest along a direction, in its frame, in double precision: the search needs no
 * more. */
height_vec farthest_of_superquadric(height_vec half, long double e1, long double e2, height_vec direction);
