#pragma once

#include <math.h>

#include <abut/contact.h>
#include <abut/math.h>

#include "base/elementary.h"

/*
 * A frustum: the solid of revolution about the z axis between two discs. It is a cylinder when both radii are equal, and a cone when one of them is 0. Its
 * origin is its centre of mass. Shape frame. Most computations are in the half-plane of rho = sqrt(x^2 + y^2) >= 0 and z.
 *
 * Index 0 names the end at -z, index 1 the end at +z. An end with a radius above 0 is a disc (face 0 or 1) with a rim (edge 0 or 1); an end of radius 0 is an
 * apex (vertex 0 or 1). The side is the smooth feature 0.
 */

typedef struct frustum {
    double z[2];         /* of the ends: z[0] < 0 < z[1] */
    double radius[2];    /* of the discs; not both 0 */
    double height;       /* z[1] - z[0], as the caller gave it */
    double slant;        /* length of the side's lines */
    double normal_rho;   /* outward unit normal of the side: along rho, > 0 */
    double normal_z;     /* and along z */
    double offset;       /* the side is normal_rho rho + normal_z z = offset > 0 */
    double inner_z;      /* centre of a largest ball inside, on the axis */
    double inner_radius; /* its radius */
    double centre_depth; /* distance of the origin from the surface */
} frustum;

/* The frustum with these radii at -z and +z. radius >= 0, not both 0; height > 0. */
frustum frustum_make(double radius, double top_radius, double height);

/* sqrt(x^2 + y^2). Squares below 2^-1000 lose digits, so small lengths take the longer way. */
static inline double frustum_rho(double x, double y) {
    double square = x * x + y * y;
    return square > 0x1p-900 && square < 0x1p900 ? sqrt(square) : elementary_hypot(x, y);
}

/* Which end is farther along a direction with the components rho >= 0 across and z along the axis: 1 where the end at +z is, 0 also where both are. */
static inline int32_t frustum_farther_end(const frustum *f, double rho, double z) {
    return (f->radius[1] - f->radius[0]) * rho + f->height * z > 0.0;
}

/* The support function: the largest d . x. d of any length. */
static inline double frustum_extent(const frustum *f, abut_vec3 d) {
    double rho = frustum_rho(d.x, d.y), low = f->radius[0] * rho + f->z[0] * d.z, high = f->radius[1] * rho + f->z[1] * d.z;
    return high > low ? high : low;
}

/* The farthest point along d, of any length but zero. Among several farthest points: the centre of a disc, and the end at -z of a line of the side. Returns the
 * index of the end. */
static inline int32_t frustum_support(const frustum *f, abut_vec3 d, abut_vec3 *point) {
    double rho = frustum_rho(d.x, d.y);
    int32_t end = frustum_farther_end(f, rho, d.z);
    double r = f->radius[end];
    *point = rho > 0.0 ? abut_vec3_make(r * (d.x / rho), r * (d.y / rho), f->z[end]) : abut_vec3_make(0.0, 0.0, f->z[end]);
    return end;
}

/* The radius of the circle at the height z, also beyond the ends, where it can be negative. From the nearer end, so that no digits are lost there. */
static inline double frustum_radius_at(const frustum *f, double z) {
    int end = z - f->z[0] > f->z[1] - z;
    return f->radius[end] + (f->radius[1] - f->radius[0]) * ((z - f->z[end]) / f->height);
}

/* Height of a point over the side, which is a line in the half-plane, along its normal. */
static inline double frustum_side_height(const frustum *f, abut_vec3 point) {
    return f->normal_rho * frustum_rho(point.x, point.y) + f->normal_z * point.z - f->offset;
}

/* The largest of the heights over the planes of both ends and over the side: a lower bound of the signed distance from the surface, and the signed distance
 * itself for a point inside, where it is negative. */
static inline double frustum_height(const frustum *f, abut_vec3 point) {
    double side = frustum_side_height(f, point);
    double up = point.z - f->z[1], down = f->z[0] - point.z, ends = up > down ? up : down;
    return side > ends ? side : ends;
}

/* The closest point of the surface. */
typedef struct frustum_point {
    abut_vec3 point;
    abut_vec3
        outward; /* unit: from the surface to a point outside, the outward normal for a point inside or on the surface. On a rim or an apex it is the mean
                             of the normals of both sides, or the axis */
    double gap;           /* signed distance; negative inside */
    abut_feature feature; /* that contains the closest point */
} frustum_point;

/* The closest point to any point. On the axis, where a circle of points may be closest, the one towards +x. */
frustum_point frustum_closest(const frustum *f, abut_vec3 point);
