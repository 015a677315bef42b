#pragma once

#include <abut/math.h>

#include "base/real.h"

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

/* Barycentric weights of the point closest to p on the longest edge of a triangle that is no more than that edge. */
void closest_on_longest_edge(abut_vec3 p, const abut_vec3 corner[3], double weights[3]);

static inline void closest_set_weights(double weights[3], double a, double b, double c) {
    weights[0] = a;
    weights[1] = b;
    weights[2] = c;
}

/* Barycentric weights (they are >= 0 and add up to 1) of the point of the triangle abc closest to p. Degenerate triangles give a point of
 * their longest edge. Here in full, because distances ask for it thousands of times. */
static inline void closest_on_triangle(abut_vec3 p, abut_vec3 a, abut_vec3 b, abut_vec3 c, double weights[3]) {
    const double degenerate = 1e-13; /* height over longest edge */
    abut_vec3 ab = abut_sub(b, a), ac = abut_sub(c, a), bc = abut_sub(c, b);
    double longest = real_max(abut_dot(ab, ab), real_max(abut_dot(ac, ac), abut_dot(bc, bc)));
    abut_vec3 normal = abut_cross(ab, ac);
    if (abut_length_squared(normal) <= degenerate * degenerate * longest * longest) {
        const abut_vec3 corner[3] = {a, b, c};
        closest_on_longest_edge(p, corner, weights);
        return;
    }
    abut_vec3 ap = abut_sub(p, a), bp = abut_sub(p, b), cp = abut_sub(p, c);
    double d1 = abut_dot(ab, ap), d2 = abut_dot(ac, ap);
    double d3 = abut_dot(ab, bp), d4 = abut_dot(ac, bp);
    double d5 = abut_dot(ab, cp), d6 = abut_dot(ac, cp);
    /* The same as d3 d6 - d5 d4 and its like, which lose a needle's shape in the rounding of its long sides. */
    double va = abut_dot(normal, abut_cross(bp, cp)), vb = abut_dot(normal, abut_cross(cp, ap)), vc = abut_dot(normal, abut_cross(ap, bp));
    if (d1 <= 0.0 && d2 <= 0.0) {
        closest_set_weights(weights, 1.0, 0.0, 0.0);
    } else if (d3 >= 0.0 && d4 <= d3) {
        closest_set_weights(weights, 0.0, 1.0, 0.0);
    } else if (vc <= 0.0 && d1 >= 0.0 && d3 <= 0.0) {
        double t = d1 / (d1 - d3);
        closest_set_weights(weights, 1.0 - t, t, 0.0);
    } else if (d6 >= 0.0 && d5 <= d6) {
        closest_set_weights(weights, 0.0, 0.0, 1.0);
    } else if (vb <= 0.0 && d2 >= 0.0 && d6 <= 0.0) {
        double t = d2 / (d2 - d6);
        closest_set_weights(weights, 1.0 - t, 0.0, t);
    } else if (va <= 0.0 && d4 >= d3 && d5 >= d6) {
        double t = (d4 - d3) / ((d4 - d3) + (d5 - d6));
        closest_set_weights(weights, 0.0, 1.0 - t, t);
    } else {
        double sum = va + vb + vc;
        closest_set_weights(weights, va / sum, vb / sum, vc / sum);
    }
}
