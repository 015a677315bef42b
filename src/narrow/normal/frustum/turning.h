#pragma once

#include <stdbool.h>
#include <stdint.h>

/*
 * Stationary angles of a function of one angle that all one-dimensional searches over frusta have in common. Its derivative is
 *
 *     f'(t) = slope[0] cos t + slope[1] sin t + factor (X X' + Y Y') / sqrt(X^2 + Y^2),
 *
 * with X and Y of the form p[0] + p[1] cos t + p[2] sin t. The sum is the support function of a circle of radius `factor` and of points that move on a circle.
 */

typedef struct turning {
    double slope[2];
    double factor;
    double x[3], y[3];
    double rounding; /* slopes up to this are rounding error */
} turning;

enum { TURNING_MOST = 64 };

/*
 * Angles between `middle - half` and `middle + half` near which f' is zero, to about 1e-8 of the range. half <= pi / 4. None is missed but those that rounding
 * error takes for a double root; of a function that is constant up to rounding error, any angle is found. Other angles may be among them. Returns how many were
 * written to angle[], at most TURNING_MOST.
 *
 * Both sides of f' = 0 are squared: (slope)^2 (X^2 + Y^2) = factor^2 (X X' + Y Y')^2. With the tangent of half the angle it is a polynomial of degree 8. Its
 * Bernstein coefficients bound the number of its roots by their changes of sign (Descartes), and de Casteljau's rule halves the range.
 */
int32_t turning_find(const turning *f, double middle, double half, double *angle);
