#pragma once

#include "geom/planar.h"
#include "shape/facet/side.h"

/*
 * The polygon that two facets share: both triangles projected on the contact plane, and clipped by each other.
 */

/* A frame in the contact plane. The centre is relative to the pair's origin. */
typedef struct facet_frame {
    abut_vec3 centre, u, v;
} facet_frame;

/* The polygon common to both projected triangles, counter-clockwise about the normal, or the one triangle if the other side is a whole sphere or plane. The
 * corners of both sides are not relative to the origin. Of each corner x, y and side_of_b are set. Returns the number of corners, at most 6; 0 if a triangle is
 * farther from the middle than the limit. */
int32_t facet_polygon(const facet_side *a, const facet_side *b, abut_vec3 origin, const facet_frame *f, double limit2, planar_point out[8]);

/* A point of the contact plane, not relative to the origin. */
abut_vec3 facet_in_world(const facet_frame *f, abut_vec3 origin, double x, double y);
