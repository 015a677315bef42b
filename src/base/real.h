#pragma once

#include <math.h>

#include "base/elementary.h"

/*
 * The lesser and the greater of two numbers. fmin and fmax are calls into the C library, because they must pass over what is not a number;
 * these are one instruction each. With a NaN the second argument comes back.
 */

static inline double real_min(double a, double b) { return a < b ? a : b; }
static inline double real_max(double a, double b) { return a > b ? a : b; }

/* The same with the care for NaN of fmin and fmax, which take the other number. Of zeros of both signs these take the first; C leaves it open, and its libraries
 * differ. */
static inline double real_least(double a, double b) { return b < a || isnan(a) ? b : a; }
static inline double real_most(double a, double b) { return b > a || isnan(a) ? b : a; }

/* Sine over the angle, and cosine, from the angle's square; of small angles, as bodies turn by in a step, by their series to the last digits: no call and no
 * root. */
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
