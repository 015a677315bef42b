#pragma once

#include <stdint.h>

/*
 * Integrals over the part of a convex polygon that lies in a disc about the origin, in closed form: of 1, of sqrt(1 - (r / radius)^2), which is
 * Hertz's pressure, and of its inverse, which adhesion adds; and the same times the position.
 */

typedef struct disc_point {
    double x, y;
} disc_point;

/* An integral, and that of the position with the same weight. */
typedef struct disc_integral {
    double whole;
    disc_point moment;
} disc_integral;

typedef struct disc_integrals {
    disc_integral area;  /* weight 1 */
    disc_integral dome;  /* weight sqrt(1 - r^2 / radius^2) */
    disc_integral brim;  /* weight 1 / sqrt(1 - r^2 / radius^2) */
} disc_integrals;

/* corner  [count] counter-clockwise; fewer than three have no area
 * radius  of the disc, > 0 */
disc_integrals disc_integrate(const disc_point *corner, int32_t count, double radius);

/* The area alone: disc_integrate().area.whole up to rounding, in a fraction of the time. */
double disc_area(const disc_point *corner, int32_t count, double radius);
