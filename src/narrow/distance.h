#pragma once

#include "narrow/convex.h"

/* A pair of vertices of two cores, and their difference. */
typedef struct distance_vertex {
    abut_vec3 a, b, w;
    int32_t vertex_a, vertex_b;
} distance_vertex;

/* Closest points of two cores (the radii play no part), pair frame. */
typedef struct core_distance {
    double distance;         /* 0 when the cores meet */
    abut_vec3 direction;     /* unit, from A to B; zero when the cores meet */
    abut_vec3 on_a, on_b;
    distance_vertex vertex[4]; /* the vertex pairs that span the closest points */
    double weight[4];
    int32_t count;
    int32_t supports;
} core_distance;

/*
 * Gilbert, Johnson and Keerthi's algorithm on the difference of the cores. Ends when no vertex of the difference is nearer than rounding
 * along the direction found, which is the certificate that the distance is right; on thin differences, when rounding stops the descent.
 */
core_distance core_distance_solve(const convex *a, const convex *b);
