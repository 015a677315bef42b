#pragma once

#include <abut/facet.h>

/*
 * A rounded triangle made ready: its encompassing sphere, seen from an origin of the caller's choice. Also a whole sphere or half-space in its place.
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
    double depth;            /* half of how thick the body is behind it; 0: nothing is known of a body */
} facet_side;

/* ABUT_OK; ABUT_ERROR_INVALID_ARGUMENT; ABUT_ERROR_NOT_FINITE; ABUT_ERROR_DEGENERATE */
abut_status facet_make_side(const abut_facet *facet, abut_vec3 origin, facet_side *side);

/* Says why facet_make_side() gave that status for an argument of the public function `call`; returns the status. place: what stands before the names of
 * its fields, "facet->" for example. */
abut_status facet_refuse(abut_status status, const char *call, const char *place, const abut_facet *facet);

/* R - sqrt(R^2 - h^2): how far a sphere falls off its tangent plane; also of large R, and 0 for a half-space. */
double facet_sagitta(double radius, double h2);
