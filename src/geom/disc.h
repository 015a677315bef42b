#pragma once

#include <stdint.h>

/*
 * Integrals in closed form over the part of a convex polygon inside a disc about the origin. Weights: 1; sqrt(1 - (r / radius)^2), the
 * Hertz pressure; and its inverse, which adhesion adds. Also the same weights times the position.
 */

typedef struct disc_point {
    double x, y;
} disc_point;

/* An integral of a weight, and of the position times the same weight. */
typedef struct disc_integral {
    double whole;
    disc_point moment;
} disc_integral;

typedef struct disc_integrals {
    disc_integral area; /* weight 1 */
    disc_integral dome; /* weight sqrt(1 - r^2 / radius^2) */
    disc_integral brim; /* weight 1 / sqrt(1 - r^2 / radius^2) */
} disc_integrals;

/* corner  [count] counter-clockwise; fewer than three have no area
 * radius  of the disc, > 0 */
disc_integrals disc_integrate(const disc_point *corner, int32_t count, double radius);

/* Only the area: disc_integrate().area.whole within rounding error, in a fraction of the time. */
double disc_area(const disc_point *corner, int32_t count, double radius);
