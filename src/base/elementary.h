#pragma once

/*
 * Sine, exponential and other elementary functions with the same bits on every machine. They use only sums, products, quotients, square
 * roots and operations on bits, which IEEE 754 rounds in one way. The functions of C libraries differ in their last digits, from library to
 * library and from processor to processor.
 *
 * Errors are in units of the last place of the result (ulp); 0.5 ulp is the error of correct rounding. Special cases follow annex F of C17:
 * NaN gives NaN, infinities give limits, zeros keep their signs. The functions set neither errno nor flags. Results below 2^-1022 are
 * rounded twice, and their errors are below 0.8 ulp. test/base/test_elementary.c measures errors below all these bounds; we have no proof.
 */

/* Angles in radians, of any size: 1e300 is reduced with as many digits of pi as it needs. Below 0.62 ulp. */
double elementary_sin(double angle);
double elementary_cos(double angle);
/* Sine and cosine for little more than the cost of one; the same bits. */
void elementary_sin_cos(double angle, double *sine, double *cosine);

/* Below 0.66 ulp. */
double elementary_atan(double x);
double elementary_atan2(double y, double x);

/* Below 0.52 ulp. */
double elementary_exp(double x);
double elementary_cosh(double x);

/* ln x, below 0.52 ulp. */
double elementary_log(double x);

/* x to the power y, below 0.52 ulp; exact where the power is a double. */
double elementary_pow(double x, double y);

/* Inverse of the hyperbolic sine; below 0.52 ulp. */
double elementary_asinh(double x);

/* Cube root, and sqrt(x^2 + y^2) without overflow of the squares. Below 0.51 ulp; exact where the result is a double. */
double elementary_cbrt(double x);
double elementary_hypot(double x, double y);

/* Gamma function of positive numbers, below 0.54 ulp. NaN for negative numbers: the library does not need them. */
double elementary_gamma(double x);
