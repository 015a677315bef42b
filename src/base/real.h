#pragma once

#include <math.h>

#include "base/elementary.h"

/* Pi, for all of the library. */
#define REAL_PI 3.14159265358979323846

/*
 * Minimum and maximum of two numbers, in two families. They differ in what they return for a NaN. We do not use fmin() and fmax(): they are
 * calls into the C library, and C libraries differ in the sign of a zero that they return.
 */

/* One instruction each. They return b where a or b is NaN, and where both are zeros. */
static inline double real_min(double a, double b) { return a < b ? a : b; }
static inline double real_max(double a, double b) { return a > b ? a : b; }

/* NaN counts as missing, as in fmin() and fmax(): where one of both is NaN they return the other one. Of two zeros they return a. */
static inline double real_min_number(double a, double b) { return b < a || isnan(a) ? b : a; }
static inline double real_max_number(double a, double b) { return b > a || isnan(a) ? b : a; }

/* sin(x) / x and cos(x), from square = x^2. Small angles, such as the rotation of a body in one step, use series that are exact to the last
 * digits and need neither a call nor a square root. */
static inline void real_turn(double square, double *sine_over, double *cosine) {
    if (square < 1.0 / 4096.0) {
        *sine_over = 1.0 - square * (1.0 / 6.0) * (1.0 - square * (1.0 / 20.0) * (1.0 - square * (1.0 / 42.0)));
        *cosine = 1.0 - square * 0.5 * (1.0 - square * (1.0 / 12.0) * (1.0 - square * (1.0 / 30.0) * (1.0 - square * (1.0 / 56.0))));
        return;
    }
    double angle = sqrt(square);
    elementary_sin_cos(angle, sine_over, cosine);
    *sine_over /= angle;
}
