#pragma once

#include <abut/math.h>

/*
 * Two triangles in space, which may be slivers, segments or points: their closest points, and how deep they are in each other.
 */

typedef struct triangles_gap {
    double distance;                 /* of the triangles; 0 where they have a point in common */
    abut_vec3 on_p, on_q;            /* closest points; where one goes through the other, both a common point */
    double weight_p[3], weight_q[3]; /* barycentric, zero where a corner plays no part */
    abut_vec3 normal;                /* unit, from Q to P: of all that come into question the one with the widest gap */
    double along;                    /* the gap along it: the distance, or, where they meet, 0 or minus the least way that parts them */
} triangles_gap;

/* All but the direction. Corners of both, in any frame in which they lie near the origin. */
void triangles_closest(const abut_vec3 p[3], const abut_vec3 q[3], triangles_gap *gap);

/* The normal as well, and the gap along it. */
void triangles_set_direction(const abut_vec3 p[3], const abut_vec3 q[3], triangles_gap *gap);
