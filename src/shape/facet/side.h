#pragma once

#include <abut/facet.h>

/*
 * A rounded triangle prepared for contact queries: its encompassing sphere, relative to an origin of the caller's choice. Also represents a
 * whole sphere or half-space.
 */

/* A sphere or half-space, whole or limited to the area above a triangle. */
typedef struct facet_side {
    abut_vec3 centre;        /* centre of the sphere, relative to the pair's origin */
    double radius;           /* INFINITY: a half-space */
    abut_vec3 normal;        /* outward normal of the triangle or half-space; zero for a whole sphere */
    abut_vec3 foot;          /* half-space: a point of its surface; triangle: the centre of its corners' circle */
    double foot_radius;      /* radius of that circle */
    double height;           /* from the sphere's centre to the foot */
    const abut_vec3 *corner; /* [3]; NULL for a whole surface. Not relative to the origin */
    double depth;            /* half the thickness of the body behind it; 0: no body is known */
    /* Zero for a facet that is round in all directions. Else the direction of the greatest curvature in the triangle's plane; its length is half the difference
     * of both principal curvatures, whose mean is 1 / radius. */
    abut_vec3 saddle;
} facet_side;

/* ABUT_OK; ABUT_ERROR_INVALID_ARGUMENT; ABUT_ERROR_NOT_FINITE; ABUT_ERROR_DEGENERATE */
abut_status facet_make_side(const abut_facet *facet, abut_vec3 origin, facet_side *side);

/* Says why facet_make_side() gave that status for an argument of the public function `call`; returns the status. place: what stands before the names of
 * its fields, "facet->" for example. */
abut_status facet_refuse(abut_status status, const char *call, const char *place, const abut_facet *facet);

/* R - sqrt(R^2 - h^2): the distance of a sphere from its tangent plane at the distance h from the point of tangency. Precise also for large
 * R; 0 for a half-space. */
double facet_sagitta(double radius, double h2);
