#pragma once

#include <abut/facet.h>

#include "geom/disc.h"
#include "geom/planar.h"

/*
 * Contact of two rounded surfaces, a piece at a time: their spheres, the circle in which these meet, the polygon in which the projected triangles
 * overlap. B. Smeets and others, supplementary information 1; "axis" is from A to B.
 */

/* A sphere or half-space, whole or only as far as a triangle. */
typedef struct facet_side {
    abut_vec3 centre;        /* of the sphere, seen from the pair's origin */
    double radius;           /* INFINITY: a half-space */
    abut_vec3 normal;        /* outward, of the triangle or half-space; zero for a whole sphere */
    abut_vec3 foot;          /* a point of the half-space's surface; of a triangle the centre of its corners' circle */
    double foot_radius;      /* of that circle */
    double height;           /* from the sphere's centre to the foot */
    const abut_vec3 *corner; /* [3]; NULL for a whole surface. Not seen from the origin */
} facet_side;

/* ABUT_OK; ABUT_ERROR_INVALID_ARGUMENT; ABUT_ERROR_NOT_FINITE; ABUT_ERROR_DEGENERATE */
abut_status facet_make_side(const abut_facet *facet, abut_vec3 origin, facet_side *side);

/* Sides seen from the same origin. reach: 0, or abut_facet_collide_within()'s. */
abut_facet_contact facet_meet(const facet_side *a, const facet_side *b, abut_vec3 origin, double reach);

/* R - sqrt(R^2 - h^2): how far a sphere falls off its tangent plane; also of large R, and 0 for a half-space. */
double facet_sagitta(double radius, double h2);

/* Overlap of two spheres at the distance h from the middle of their contact circle, from that in the middle (equation 36). */
static inline double facet_overlap_at(double sphere_overlap, double radius_a, double radius_b, double h2) {
    return sphere_overlap - facet_sagitta(radius_a, h2) - facet_sagitta(radius_b, h2);
}
