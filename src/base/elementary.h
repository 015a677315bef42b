#pragma once

/*
 * Sine, exponential and their like with the same bits on every machine: of sums, products, quotients, roots and operations on bits only, which IEEE 754
 * rounds in one way. Those of the C libraries differ in their last digits, from one library to the next and from one processor to the next.
 *
 * Errors are in units of the last place of the result (ulp; 0.5 would be the nearest number always). Special cases are those of annex F of C17: NaN gives NaN,
 * infinities give limits, zeros keep their signs. No errno, no flags. Results below 2^-1022 are rounded twice: there errors are below 0.8 ulp. What test/base/test_elementary.c measures stays below all
 * of these; no proof is claimed.
 */

/* Angles in radians, of any size: 1e300 is reduced by as many digits of pi as it takes. Below 0.62 ulp. */
double elementary_sin(double angle);
double elementary_cos(double angle);
/* Both, for little more than the price of one, with the same bits. */
void elementary_sin_cos(double angle, double *sine, double *cosine);

/* Below 0.66 ulp. */
double elementary_atan(double x);
double elementary_atan2(double y, double x);

/* Below 0.52 ulp. */
double elementary_exp(double x);
double elementary_cosh(double x);

/* ln x, below 0.52 ulp. */
double elementary_log(double x);

/* x to the power y, below 0.52 ulp; exact where the power is a number. */
double elementary_pow(double x, double y);

/* Inverse of the hyperbolic sine; below 0.52 ulp. */
double elementary_asinh(double x);

/* Cube root, and sqrt(x^2 + y^2) without overflow between; below 0.51 ulp, exact where the result is a number. */
double elementary_cbrt(double x);
double elementary_hypot(double x, double y);

/* Gamma function of positive numbers, below 0.54 ulp; NaN for negative ones, which nobody needs here. */
double elementary_gamma(double x);
