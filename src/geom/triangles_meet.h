#pragma once

#include <abut/math.h>

/*
 * Whether two triangles share a point, decided exactly. Triangles are closed sets and may be slivers, segments or points.
 */

typedef enum triangles_relation {
    TRIANGLES_APART, /* no common point */
    TRIANGLES_TOUCH, /* common points, but a plane separates the two: moved by any small length along its normal, they are apart */
    TRIANGLES_CROSS  /* one goes through the other */
} triangles_relation;

/* Corners: any finite numbers. A coordinate below 1e-76 of the largest one counts as 0. */
triangles_relation triangles_meet(const abut_vec3 p[3], const abut_vec3 q[3]);

/*
 * Two triangles with coordinates of moderate size: `p` and `q` divided by a power of two. Returns that power. No digit is lost but those of
 * coordinates below 1e-76 of the largest one, which become 0.
 */
double triangles_scaled(const abut_vec3 p[3], const abut_vec3 q[3], abut_vec3 scaled_p[3], abut_vec3 scaled_q[3]);

/* triangles_meet() for scaled coordinates. */
triangles_relation triangles_meet_scaled(const abut_vec3 p[3], const abut_vec3 q[3]);
