#pragma once

#include <abut/math.h>

/*
 * Closest points of points, segments and triangles. Any frame; lengths in the caller's unit.
 */

/* Parameter t in [0, 1] of the point a + t (b - a) of the segment that is closest to p. A segment of zero length gives 0. */
double closest_on_segment(abut_vec3 p, abut_vec3 a, abut_vec3 b);

/* How the lines of two segments lie. */
typedef enum segment_relation { SEGMENTS_SKEW, SEGMENTS_PARALLEL, SEGMENTS_POINT } segment_relation;

/*
 * Parameters s, t in [0, 1] of a closest pair of points of the segments a0 a1 and b0 b1. For parallel segments that overlap side by side
 * the middle of the overlap is taken, so that an exchange of the segments or of their ends gives the same points.
 */
segment_relation closest_of_segments(abut_vec3 a0, abut_vec3 a1, abut_vec3 b0, abut_vec3 b1, double *s, double *t);

/* Barycentric weights (they are >= 0 and add up to 1) of the point of the triangle abc closest to p. Degenerate triangles give a point of
 * their longest edge. */
void closest_on_triangle(abut_vec3 p, abut_vec3 a, abut_vec3 b, abut_vec3 c, double weights[3]);
