/* Prepares rounded triangles: the encompassing sphere through the corners. Its radius is the triangle's radius of curvature, and its centre
 * is on the inner side. */
#include "shape/facet/side.h"

#include <stddef.h>
#include <stdio.h>

#include "base/argument.h"
#include "base/real.h"

double facet_sagitta(double radius, double h2) {
    return radius < INFINITY ? h2 / (radius + sqrt(real_max(radius * radius - h2, 0.0))) : 0.0;
}

abut_status facet_make_side(const abut_facet *facet, abut_vec3 origin, facet_side *side) {
    const abut_vec3 *p = facet->corner;
    if (!(facet->radius > 0.0)) {
        return ABUT_ERROR_INVALID_ARGUMENT;
    }
    abut_vec3 u = abut_sub(p[1], p[0]), v = abut_sub(p[2], p[0]), across = abut_cross(u, v);
    double uu = abut_length_squared(u), vv = abut_length_squared(v), area2 = abut_length_squared(across);
    if (!abut_vec3_is_finite(p[0]) || !isfinite(uu * vv) || !isfinite(area2)) {
        return ABUT_ERROR_NOT_FINITE;
    }
    double longest = real_max(real_max(uu, vv), abut_length_squared(abut_sub(p[2], p[1])));
    if (!(area2 > 1e-28 * longest * longest)) {
        return ABUT_ERROR_DEGENERATE;
    }
    /* Centre of the circle through the corners, relative to the first one. */
    abut_vec3 middle = abut_scale(0.5 / area2, abut_add(abut_scale(uu, abut_cross(v, across)), abut_scale(vv, abut_cross(across, u))));
    double r2 = abut_length_squared(middle), radius = real_max(facet->radius, sqrt(r2));
    side->corner = p;
    side->depth = 0.0;
    side->saddle = abut_vec3_make(0.0, 0.0, 0.0);
    side->normal = abut_unit(across);
    side->foot = abut_add(abut_sub(p[0], origin), middle);
    side->foot_radius = sqrt(r2);
    side->radius = radius;
    side->height = radius < INFINITY ? sqrt(real_max((radius - side->foot_radius) * (radius + side->foot_radius), 0.0)) : 0.0;
    side->centre = abut_add_scaled(side->foot, -side->height, side->normal);
    return ABUT_OK;
}

abut_status facet_refuse(abut_status status, const char *call, const char *place, const abut_facet *facet) {
    char name[64];
    for (int i = 0; status == ABUT_ERROR_NOT_FINITE && i < 3; i++) {
        if (!abut_vec3_is_finite(facet->corner[i])) {
            (void)snprintf(name, sizeof name, "%scorner", place);
            (void)refused_element(call, name, i, facet->corner[i]);
            return status;
        }
    }
    if (status == ABUT_ERROR_NOT_FINITE) {
        return refuse(status, call, "%scorner: products of the sides overflow", place);
    }
    if (status == ABUT_ERROR_DEGENERATE) {
        return refuse(status, call, "%scorner: the corners lie on one line", place);
    }
    (void)snprintf(name, sizeof name, "%sradius", place);
    (void)refused_value(call, name, facet->radius, "above 0");
    return status;
}

abut_status abut_facet_make_sphere(const abut_facet *facet, abut_facet_sphere *sphere) {
    if (argument_is_null(CALL_NAME, "facet", facet) || argument_is_null(CALL_NAME, "sphere", sphere)) {
        return ABUT_ERROR_INVALID_ARGUMENT;
    }
    facet_side side;
    abut_status status = facet_make_side(facet, abut_vec3_make(0.0, 0.0, 0.0), &side);
    if (status != ABUT_OK) {
        return facet_refuse(status, CALL_NAME, "facet->", facet);
    }
    *sphere = (abut_facet_sphere){side.centre, side.radius, side.normal};
    return ABUT_OK;
}
