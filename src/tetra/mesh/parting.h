#pragma once

#include <abut/math.h>

/*
 * The plane that separates two sets of points at the smallest cost, and the smallest displacement that leads to it.
 *
 * Points of side -1 must reach dot(n, x) <= c - gap, points of side +1 dot(n, x) >= c + gap. The points have separate masses and are not
 * coupled: a point on the wrong side is projected onto its plane, the others stay. The cost of a plane is
 *
 *     F(n, c) = sum of m_i max(0, n . x_i + gap - c)^2 on the side -1, of m_j max(0, c - n . x_j + gap)^2 on the side +1.
 *
 * F is convex in (n, c) and grows with the square of |n|. For one normal, the derivative by c is monotone and piecewise linear; at its root
 * the moments of the two sides balance. There F(n) = n^T M n, where M is the scatter of the points on the wrong side about their common
 * mean. For a fixed set of these points, the best plane is the least-squares plane through them, and its normal belongs to M's smallest
 * eigenvalue. The set changes with the normal, so this is repeated on the arc towards the eigenvector, along which n^T M n decreases all
 * the way. F has the same gradient, so a part of the arc lowers F, until n is an eigenvector of its own matrix.
 *
 * Points of infinite mass do not move, and they bound c.
 */

typedef struct parting_points {
    int32_t count;
    const abut_vec3 *at; /* of moderate size, relative to a nearby origin */
    const double *mass;  /* > 0; INFINITY: fixed */
    const int8_t *side;  /* -1 or 1 */
    double gap;          /* >= 0 */
    double *height;      /* scratch, [count] */
} parting_points;

typedef struct parting_plane {
    abut_vec3 normal; /* unit, from the side -1 to the side 1 */
    double offset;    /* dot(normal, x) in the middle between the sides */
    double cost;      /* sum of m d^2; INFINITY when fixed points obstruct each other */
    int32_t bound;    /* the fixed point that bounds the plane, or -1 */
} parting_plane;

/* The best plane with this unit normal. */
parting_plane parting_along(const parting_points *points, abut_vec3 normal);

/* A local optimum near this plane; its cost is never higher. */
parting_plane parting_improve(const parting_points *points, parting_plane from);

/* The best plane from several start normals. Both senses of each are tried, and the `tries` cheapest are improved. If both sides have fixed
 * points, a normal with room between these is an additional start; if there is none, the cost is infinite. */
parting_plane parting_best(const parting_points *points, const abut_vec3 *starts, int32_t start_count, int32_t tries);

/* The displacement of a point along the normal; 0 on its own side. */
static inline double parting_move(const parting_plane *plane, abut_vec3 at, int8_t side, double gap) {
    double beyond = side * (plane->offset - abut_dot(plane->normal, at)) + gap;
    return beyond > 0.0 ? side * beyond : 0.0;
}
