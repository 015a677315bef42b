#pragma once

/*
 * The lesser and the greater of two numbers. fmin and fmax are calls into the C library, because they must pass over what is not a number;
 * these are one instruction each. With a NaN the second argument comes back.
 */

static inline double real_min(double a, double b) { return a < b ? a : b; }
static inline double real_max(double a, double b) { return a > b ? a : b; }
