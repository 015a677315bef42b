/* Support and radii of a rounded superquadric by the chain rule: see rounded.h. Shape frame. With H the support function of the shape, and all s_i > 0, that of
 * the rounded body is h(n) = H(s(n)). t is the rounding. */
#include "step/event/rounded.h"

#include "base/elementary.h"
#include "base/real.h"
#include "shape/smooth.h"

double event_rounding_of(const abut_shape *shape) {
    double power = real_min(real_min(shape->dual[0], shape->dual[1]), 2.0);
    return elementary_pow(1e-10, 1.0 / power);
}

static abut_vec3 by_components(abut_vec3 p, abut_vec3 q) { return abut_vec3_make(p.x * q.x, p.y * q.y, p.z * q.z); }

static abut_vec3 lengths_of(abut_vec3 n, double t) {
    const double more = t * t;
    return abut_vec3_make(sqrt(n.x * n.x + more), sqrt(n.y * n.y + more), sqrt(n.z * n.z + more));
}

static abut_vec3 inverse_of(abut_vec3 s) { return abut_vec3_make(1.0 / s.x, 1.0 / s.y, 1.0 / s.z); }

abut_vec3 event_rounded_support(const abut_shape *shape, double t, abut_vec3 n) {
    abut_vec3 s = lengths_of(n, t), slope = by_components(superquadric_support(shape, s), inverse_of(s));
    double all = t * t * (slope.x + slope.y + slope.z);
    return abut_add_scaled(by_components(slope, n), all, n);
}

/* The second derivatives of h along the tangents u and v. The first derivatives of s along u are n u / s, the second ones along u and v are
 * t^2 (u v / s^2 + u . v) / s, written without differences. */
static smooth_place radii_of(const abut_shape *shape, double t, abut_vec3 n, abut_vec3 u, abut_vec3 v) {
    abut_vec3 s = lengths_of(n, t), inverse = inverse_of(s), ratio = by_components(n, inverse);
    abut_vec3 tu = by_components(ratio, u), tv = by_components(ratio, v);
    smooth_place place;
    superquadric_place(shape, s, tu, tv, &place);
    abut_vec3 slope = abut_scale(t * t, by_components(place.point, inverse));
    abut_vec3 bend = by_components(slope, by_components(inverse, inverse));
    double all = slope.x + slope.y + slope.z;
    place.r11 += abut_dot(bend, by_components(u, u)) + all;
    place.r12 += abut_dot(bend, by_components(u, v));
    place.r22 += abut_dot(bend, by_components(v, v)) + all;
    return place;
}

double event_rounded_bend(const abut_shape *shape, double t, abut_vec3 n, abut_vec3 w) { return radii_of(shape, t, n, w, w).r11; }

void event_rounded_surface(const abut_shape *shape, double t, abut_vec3 n, abut_curvature *surface) {
    abut_vec3 u, v;
    abut_tangent_frame(n, &u, &v);
    smooth_place place = radii_of(shape, t, n, u, v);
    double angle = 0.5 * elementary_atan2(2.0 * place.r12, place.r11 - place.r22); /* of the larger radius */
    abut_vec3 first = abut_add_scaled(abut_scale(elementary_cos(angle), u), elementary_sin(angle), v);
    surface->normal = n;
    surface->direction[0] = abut_unit(abut_add_scaled(first, -abut_dot(first, n), n));
    surface->direction[1] = abut_cross(n, surface->direction[0]);
    place = radii_of(shape, t, n, surface->direction[0], surface->direction[1]);
    const double sharp = 1e-15 * shape->size;
    surface->curvature[0] = place.r11 > sharp ? 1.0 / place.r11 : INFINITY;
    surface->curvature[1] = place.r22 > sharp ? 1.0 / place.r22 : INFINITY;
}
