#pragma once

#include <abut/math.h>

#include "geom/triangles_meet.h"

/*
 * Two triangles in space: their closest points and their penetration depth. Triangles may be slivers, segments or points. Whether they share
 * a point is decided exactly (triangles_meet.h); the distance is then 0, and above 0 in all other cases. Its error is a few roundings of the
 * coordinates, also for slivers and nearly parallel edges.
 */

typedef struct triangles_gap {
    triangles_relation relation;
    double distance;                 /* between the triangles; 0 exactly where they share a point */
    abut_vec3 on_p, on_q;            /* closest points; a common point, for both, where the triangles share one */
    double weight_p[3], weight_q[3]; /* barycentric; zero for corners that are not involved. Of a sliver's face only the zeros
                                        are certain */
    abut_vec3 normal;                /* unit, from Q to P: apart along the closest points, else the direction of the shortest way out */
    double along;                    /* the gap along it: the distance, or, where they meet, 0 or minus the penetration depth */
} triangles_gap;

/* All fields; but for triangles that share a point not the direction. Corners of both in any frame whose origin is near them. */
void triangles_closest(const abut_vec3 p[3], const abut_vec3 q[3], triangles_gap *gap);

/* Adds the normal and the gap along it where the triangles share a point. */
void triangles_set_direction(const abut_vec3 p[3], const abut_vec3 q[3], triangles_gap *gap);

/*
 * The same among the directions that lie in two half-spaces: n . of_p <= 0 and n . of_q >= 0, where not zero: P's front and Q's. Without such a
 * direction `along` is -INFINITY.
 */
void triangles_set_direction_within(const abut_vec3 p[3], const abut_vec3 q[3], abut_vec3 of_p, abut_vec3 of_q, triangles_gap *gap);
