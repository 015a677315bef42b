#include "support/user_surface.h"

#include <math.h>

static abut_mat3 diagonal(double x, double y, double z) {
    return abut_mat3_make(abut_vec3_make(x, 0, 0), abut_vec3_make(0, y, 0), abut_vec3_make(0, 0, z));
}

/* (x / a)^2 + (y / b)^2 + (z / c)^2 - 1 */
static void ellipsoid_implicit(void *context, abut_vec3 point, abut_implicit_point *at) {
    const user_ellipsoid *e = context;
    abut_vec3 p = abut_sub(point, e->middle);
    double a = 1.0 / (e->half.x * e->half.x), b = 1.0 / (e->half.y * e->half.y), c = 1.0 / (e->half.z * e->half.z);
    at->value = a * p.x * p.x + b * p.y * p.y + c * p.z * p.z - 1.0;
    at->gradient = abut_vec3_make(2.0 * a * p.x, 2.0 * b * p.y, 2.0 * c * p.z);
    at->hessian = diagonal(2.0 * a, 2.0 * b, 2.0 * c);
}

abut_implicit_def user_ellipsoid_implicit(user_ellipsoid *e) {
    abut_vec3 room = abut_scale(1.2, e->half);
    return (abut_implicit_def){.function = ellipsoid_implicit,
                               .context = e,
                               .bounds = {abut_sub(e->middle, room), abut_add(e->middle, room)},
                               .inside = abut_add_scaled(e->middle, 0.1, e->half),
                               .convex = true};
}

/* Longitude u, latitude v. */
static void ellipsoid_parametric(void *context, double u, double v, abut_parametric_point *at) {
    const user_ellipsoid *e = context;
    double cu = cos(u), su = sin(u), cv = cos(v), sv = sin(v), a = e->half.x, b = e->half.y, c = e->half.z;
    at->s = abut_add(e->middle, abut_vec3_make(a * cv * cu, b * cv * su, c * sv));
    at->su = abut_vec3_make(-a * cv * su, b * cv * cu, 0.0);
    at->sv = abut_vec3_make(-a * sv * cu, -b * sv * su, c * cv);
    at->suu = abut_vec3_make(-a * cv * cu, -b * cv * su, 0.0);
    at->suv = abut_vec3_make(a * sv * su, -b * sv * cu, 0.0);
    at->svv = abut_vec3_make(-a * cv * cu, -b * cv * su, -c * sv);
}

abut_parametric_def user_ellipsoid_parametric(user_ellipsoid *e) {
    return (abut_parametric_def){.function = ellipsoid_parametric,
                                 .context = e,
                                 .u_range = {0.0, 6.283185307179586},
                                 .v_range = {-1.5707963267948966, 1.5707963267948966},
                                 .u_periodic = true,
                                 .convex = true};
}

/* (sqrt(x^2 + y^2) - R)^2 + z^2 - r^2 */
static void torus_implicit(void *context, abut_vec3 p, abut_implicit_point *at) {
    const user_torus *t = context;
    double rho = hypot(p.x, p.y), over = rho - t->ring, c = p.x / rho, s = p.y / rho;
    at->value = over * over + p.z * p.z - t->tube * t->tube;
    at->gradient = abut_vec3_make(2.0 * over * c, 2.0 * over * s, 2.0 * p.z);
    /* Curvature 2 along the radius, and 2 over / rho across it. */
    double k = 2.0 * over / rho, d = 2.0 - k;
    at->hessian =
        abut_mat3_make(abut_vec3_make(k + d * c * c, d * c * s, 0), abut_vec3_make(d * c * s, k + d * s * s, 0), abut_vec3_make(0, 0, 2));
}

abut_implicit_def user_torus_implicit(user_torus *t) {
    double wide = 1.01 * (t->ring + t->tube), high = 1.01 * t->tube;
    return (abut_implicit_def){.function = torus_implicit,
                               .context = t,
                               .bounds = {abut_vec3_make(-wide, -wide, -high), abut_vec3_make(wide, wide, high)},
                               .inside = abut_vec3_make(t->ring, 0.0, 0.0)};
}

static void torus_parametric(void *context, double u, double v, abut_parametric_point *at) {
    const user_torus *t = context;
    double cu = cos(u), su = sin(u), cv = cos(v), sv = sin(v), rho = t->ring + t->tube * cv;
    at->s = abut_vec3_make(rho * cu, rho * su, t->tube * sv);
    at->su = abut_vec3_make(-rho * su, rho * cu, 0.0);
    at->sv = abut_vec3_make(-t->tube * sv * cu, -t->tube * sv * su, t->tube * cv);
    at->suu = abut_vec3_make(-rho * cu, -rho * su, 0.0);
    at->suv = abut_vec3_make(t->tube * sv * su, -t->tube * sv * cu, 0.0);
    at->svv = abut_vec3_make(-t->tube * cv * cu, -t->tube * cv * su, -t->tube * sv);
}

abut_parametric_def user_torus_parametric(user_torus *t) {
    return (abut_parametric_def){.function = torus_parametric,
                                 .context = t,
                                 .u_range = {0.0, 6.283185307179586},
                                 .v_range = {0.0, 6.283185307179586},
                                 .u_periodic = true,
                                 .v_periodic = true};
}

static void quartic(void *context, abut_vec3 point, abut_implicit_point *at) {
    double inverse = 1.0 / *(const double *)context;
    abut_vec3 p = abut_scale(inverse, point);
    double x = p.x * p.x, y = p.y * p.y, z = p.z * p.z, square = inverse * inverse;
    at->value = x * x + y * y + z * z + 0.5 * (x + y + z) - 1.0;
    at->gradient = abut_scale(inverse, abut_vec3_make((4.0 * x + 1.0) * p.x, (4.0 * y + 1.0) * p.y, (4.0 * z + 1.0) * p.z));
    at->hessian = diagonal(square * (12.0 * x + 1.0), square * (12.0 * y + 1.0), square * (12.0 * z + 1.0));
}

abut_implicit_def user_quartic(double *size) {
    abut_vec3 room = {1.1 * *size, 1.1 * *size, 1.1 * *size};
    return (abut_implicit_def){.function = quartic, .context = size, .bounds = {abut_neg(room), room}, .convex = true};
}
