#pragma once

#include <abut/math.h>

/*
 * The cross product (p1 - p0) x (q1 - q0) of two nearly parallel arms, right to its last digit. The plain formula subtracts nearly equal
 * products, and its direction is then rounding error. This one carries twice the digits, with Dekker's and Knuth's sums and products of two
 * numbers. It is slower. Not for coordinates beyond 1e150.
 */
abut_vec3 exact_cross(abut_vec3 p0, abut_vec3 p1, abut_vec3 q0, abut_vec3 q1);

/* The same of arms that are first multiplied by `scale`, a power of two. The points themselves may be of any size. */
abut_vec3 exact_cross_scaled(double scale, abut_vec3 p0, abut_vec3 p1, abut_vec3 q0, abut_vec3 q1);
