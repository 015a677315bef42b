#pragma once

#include <abut/math.h>

/*
 * The cross product (p1 - p0) x (q1 - q0) of two arms that are nearly parallel, to the last digit of its own: where the plain formula takes the
 * difference of two nearly equal products, and its direction is rounding, this one carries twice the digits (Dekker's and Knuth's sums and
 * products of two numbers). Slower; not for coordinates beyond 1e150.
 */
abut_vec3 exact_cross(abut_vec3 p0, abut_vec3 p1, abut_vec3 q0, abut_vec3 q1);
