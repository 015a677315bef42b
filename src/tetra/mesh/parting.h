#pragma once

#include <abut/math.h>

/*
 * The plane that parts two sets of points at the least cost, and the least displacement that leads to it.
 *
 * Points of the side -1 must come to dot(n, x) <= c - gap, those of the side +1 to dot(n, x) >= c + gap. With masses of the points one by
 * one, nothing couples them: a point on the wrong side is projected onto its plane, all others stay, and the cost of a plane is
 *
 *     F(n, c) = sum of m_i max(0, n . x_i + gap - c)^2 on the side -1, of m_j max(0, c - n . x_j + gap)^2 on the side +1.
 *
 * F is convex in (n, c) and grows with the square of |n|. For one normal the derivative by c is monotone and piecewise linear; its root is
 * where the momenta of the two sides balance. There F(n) = n^T M n with the scatter M of the points on the wrong side about their common
 * mean: the best plane of given points is the one of the least squares through them, whose normal belongs to M's smallest eigenvalue. As
 * the points change with the normal, it is found by repeating that, on the arc towards the eigenvector, along which n^T M n falls all the
 * way; F has the same gradient, so that a part of the arc lowers it until n is an eigenvector of its own matrix.
 *
 * Points of infinite mass do not move, and bound c.
 */

typedef struct parting_points {
    int32_t count;
    const abut_vec3 *at; /* numbers of moderate size, seen from somewhere near */
    const double *mass;  /* > 0; INFINITY: fixed */
    const int8_t *side;  /* -1 or 1 */
    double gap;          /* >= 0 */
    double *height;      /* scratch, [count] */
} parting_points;

typedef struct parting_plane {
    abut_vec3 normal; /* unit, from the side -1 to the side 1 */
    double offset;    /* dot(normal, x) halfway between the two */
    double cost;      /* sum of m d^2; INFINITY when fixed points are in each other's way */
    int32_t bound;    /* the fixed point that holds the plane back, or -1 */
} parting_plane;

/* The best plane with this unit normal. */
parting_plane parting_along(const parting_points *points, abut_vec3 normal);

/* The best plane near this one: never at a higher cost. */
parting_plane parting_improve(const parting_points *points, parting_plane from);

/* The best of those that the starts lead to, which are taken both ways round; the `tries` least of them are improved. With fixed points on
 * both sides a normal that has room between these is one more; when there is none the cost is infinite. */
parting_plane parting_best(const parting_points *points, const abut_vec3 *starts, int32_t start_count, int32_t tries);

/* The displacement of a point along the normal: 0 on its own side. */
static inline double parting_move(const parting_plane *plane, abut_vec3 at, int8_t side, double gap) {
    double beyond = side * (plane->offset - abut_dot(plane->normal, at)) + gap;
    return beyond > 0.0 ? side * beyond : 0.0;
}
