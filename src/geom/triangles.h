#pragma once

#include <abut/math.h>

/*
 * Two triangles in space: their closest points and their penetration depth. Triangles may be slivers, segments or points.
 */

typedef struct triangles_gap {
    double distance;                 /* between the triangles; 0 where they share a point */
    abut_vec3 on_p, on_q;            /* closest points; a common point, for both, where the triangles intersect */
    double weight_p[3], weight_q[3]; /* barycentric; zero for corners that are not involved */
    abut_vec3 normal;                /* unit, from Q to P: the candidate direction with the largest gap */
    double along;                    /* the gap along it: the distance, or, where they meet, 0 or minus the penetration depth */
} triangles_gap;

/* All fields but the direction. Corners of both in any frame whose origin is near them. */
void triangles_closest(const abut_vec3 p[3], const abut_vec3 q[3], triangles_gap *gap);

/* Adds the normal and the gap along it. */
void triangles_set_direction(const abut_vec3 p[3], const abut_vec3 q[3], triangles_gap *gap);
