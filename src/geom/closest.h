#pragma once

#include <abut/math.h>

#include "base/real.h"

/*
 * Closest points of points, segments and triangles. Any frame; lengths in the caller's unit.
 */

/* Parameter t in [0, 1] of the point a + t (b - a) of the segment that is closest to p. A segment of zero length gives 0. */
double closest_on_segment(abut_vec3 p, abut_vec3 a, abut_vec3 b);

/* The relation of the lines of two segments. */
typedef enum segment_relation { SEGMENTS_SKEW, SEGMENTS_PARALLEL, SEGMENTS_POINT } segment_relation;

/*
 * Parameters s, t in [0, 1] of a pair of closest points of the segments a0 a1 and b0 b1. For parallel segments that overlap side by side it
 * takes the middle of the overlap, so exchanging the segments or their ends gives the same points.
 */
segment_relation closest_of_segments(abut_vec3 a0, abut_vec3 a1, abut_vec3 b0, abut_vec3 b1, double *s, double *t);

/*
 * The same for segments that are given by their middles and half of them as vectors: parameters s, t in [-1, 1] of the points a + s half_a and b + t half_b.
 * between = a - b. It keeps the digits of a short segment beside a long one. A half may be zero. Vectors that were just written are slow to pass by value.
 */
segment_relation closest_of_axes(const abut_vec3 *between, const abut_vec3 *half_a, const abut_vec3 *half_b, double *s, double *t);

/* Barycentric weights of the point closest to p on the longest edge of a triangle that has degenerated to that edge. */
void closest_on_longest_edge(abut_vec3 p, const abut_vec3 corner[3], double weights[3]);

static inline void closest_set_weights(double weights[3], double a, double b, double c) {
    weights[0] = a;
    weights[1] = b;
    weights[2] = c;
}

/* closest_on_triangle() for a triangle that is not degenerate; `across` is the cross product of its sides ab and ac. The projections of p
 * on the sides mostly determine the feature; areas are computed only when needed. */
static inline void closest_on_wide_triangle(abut_vec3 p, abut_vec3 a, abut_vec3 b, abut_vec3 c, abut_vec3 across, double weights[3]) {
    abut_vec3 ab = abut_sub(b, a), ac = abut_sub(c, a), ap = abut_sub(p, a), bp = abut_sub(p, b), cp = abut_sub(p, c);
    double d1 = abut_dot(ab, ap), d2 = abut_dot(ac, ap);
    if (d1 <= 0.0 && d2 <= 0.0) {
        closest_set_weights(weights, 1.0, 0.0, 0.0);
        return;
    }
    double d3 = abut_dot(ab, bp), d4 = abut_dot(ac, bp);
    if (d3 >= 0.0 && d4 <= d3) {
        closest_set_weights(weights, 0.0, 1.0, 0.0);
        return;
    }
    /* Equals d3 d6 - d5 d4 and the corresponding terms. Those would lose the shape of a needle in the rounding error of its long sides. */
    double vc = abut_dot(across, abut_cross(ap, bp));
    if (vc <= 0.0 && d1 >= 0.0 && d3 <= 0.0) {
        double t = d1 / (d1 - d3);
        closest_set_weights(weights, 1.0 - t, t, 0.0);
        return;
    }
    double d5 = abut_dot(ab, cp), d6 = abut_dot(ac, cp);
    if (d6 >= 0.0 && d5 <= d6) {
        closest_set_weights(weights, 0.0, 0.0, 1.0);
        return;
    }
    double vb = abut_dot(across, abut_cross(cp, ap));
    if (vb <= 0.0 && d2 >= 0.0 && d6 <= 0.0) {
        double t = d2 / (d2 - d6);
        closest_set_weights(weights, 1.0 - t, 0.0, t);
        return;
    }
    double va = abut_dot(across, abut_cross(bp, cp));
    if (va <= 0.0 && d4 >= d3 && d5 >= d6) {
        double t = (d4 - d3) / ((d4 - d3) + (d5 - d6));
        closest_set_weights(weights, 0.0, 1.0 - t, t);
        return;
    }
    double sum = va + vb + vc;
    closest_set_weights(weights, va / sum, vb / sum, vc / sum);
}

/* Barycentric weights (>= 0, sum 1) of the point of the triangle abc closest to p. A degenerate triangle gives a point of its longest edge.
 * Inline, because distance queries call it thousands of times. */
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
    closest_on_wide_triangle(p, a, b, c, normal, weights);
}
