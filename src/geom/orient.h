#pragma once

#include <abut/math.h>

/*
 * On which side of a plane or line a point lies: signs that are always right. A plain determinant decides where it exceeds its rounding
 * error (J. R. Shewchuk, 1997); the exact sum of all products decides the rest. Coordinates are 0 or between 1e-84 and 1e84 by size;
 * triangles_scaled() sees to that.
 */

/* The determinant (b - a) x (c - a) . (d - a), right to its last digit: above 0 where d is on the side of the triangle abc from which it is
 * counter-clockwise, 0 only if all four points are in one plane. */
double orient_volume(abut_vec3 a, abut_vec3 b, abut_vec3 c, abut_vec3 d);

/* Its sign; fast. */
int orient_side(abut_vec3 a, abut_vec3 b, abut_vec3 c, abut_vec3 d);

/* The sign of the component `axis` (0 to 2) of (b - a) x (c - a). */
int orient_turn(abut_vec3 a, abut_vec3 b, abut_vec3 c, int axis);

/* The cross product (p1 - p0) x (q1 - q0), right to 1e-15 of its length. 0 only if it is 0. Slow only where the two are nearly parallel. */
abut_vec3 orient_cross(abut_vec3 p0, abut_vec3 p1, abut_vec3 q0, abut_vec3 q1);
