#pragma once

#include <stdint.h>

/*
 * Real numbers of 200 bits as values, for oracles (MPFR, round to nearest). Infinities and NaN are allowed.
 */

typedef struct real200 {
    uint64_t limb[4];
    long exponent;
    int kind;
} real200;

real200 real200_of(double x);
double real200_to_double(real200 x);

real200 real200_add(real200 a, real200 b);
real200 real200_sub(real200 a, real200 b);
real200 real200_mul(real200 a, real200 b);
real200 real200_div(real200 a, real200 b);
real200 real200_sqrt(real200 a);
real200 real200_neg(real200 a);
real200 real200_abs(real200 a);
real200 real200_max(real200 a, real200 b);
real200 real200_min(real200 a, real200 b);
real200 real200_pi(void);
/* sqrt(a^2 + b^2) */
real200 real200_hypot(real200 a, real200 b);
/* a < b; false for NaN */
int real200_less(real200 a, real200 b);

/* Three coordinates. */
typedef struct vec200 {
    real200 x, y, z;
} vec200;

real200 vec200_dot(vec200 a, vec200 b);
real200 vec200_length(vec200 a);
vec200 vec200_sub(vec200 a, vec200 b);
/* a + s b */
vec200 vec200_along(vec200 a, real200 s, vec200 b);
