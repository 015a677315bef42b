#pragma once

#include <stdint.h>

#include "geom/disc.h"

/*
 * Integrals in closed form of a linear function over the part of a convex polygon where it is positive, and over the sides of this part. For the overlap of two
 * planes over a polygon in the plane between them.
 */

/* value + slope . x */
typedef struct ramp {
    double value;
    disc_point slope;
} ramp;

typedef struct ramp_integrals {
    double area;       /* of the part */
    double whole;      /* of the function */
    disc_point moment; /* of the function times the position */
    double square;     /* of its square */
    double largest;    /* its largest value at a corner */
    /* Sums over the sides, each with its sign, of the square of the function times the outward normal. */
    disc_point push;
    double twist; /* the same, the position crossed with it */
} ramp_integrals;

/* corner  [count] counter-clockwise, at most RAMP_CORNERS
 * minus   bit i: the side from corner i to the next one counts as -1 in the last two sums, else as 1. Sides along which the function is 0 do not count. */
enum { RAMP_CORNERS = 8 };
ramp_integrals ramp_integrate(const disc_point *corner, int32_t count, uint32_t minus, ramp f);
