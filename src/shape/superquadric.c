/*
 * Superellipsoids (Barr). With p = 2 / e2 and q = 2 / e1 the shape is the unit ball of a nested norm: |(|(x / a, y / b)|_p, z / c)|_q. Its
 * support function is therefore the dual norm |(|(a nx, b ny)|_p', c nz)|_q' with 1/p + 1/p' = 1/q + 1/q' = 1, that is p' = 2 / (2 - e2)
 * and q' = 2 / (2 - e1). The point is its first derivative, the matrix of radii its second derivative. Shape frame; its origin is the
 * centre.
 */

#include <abut/smooth.h>

#include <math.h>

#include "base/argument.h"
#include "base/elementary.h"
#include "base/real.h"
#include "shape/lifecycle.h"
#include "shape/mass.h"
#include "shape/shape.h"
#include "shape/smooth.h"

/* Infinite radii are replaced by this many times the size. They occur at the axes, where an exponent is below 1. */
#define FLATTEST 1e30

/* The norm f(x, y) = (x^p + y^p)^(1/p) for x, y >= 0, p > 1, and its derivatives. Because f is homogeneous, one number s gives all second
 * derivatives: f_xx = y^2 s, f_xy = -x y s, f_yy = x^2 s. */
typedef struct norm {
    double value;
    double dx, dy;
    double xx, xy, yy;
} norm;

/* t^(p - 1) and t^(p - 2) from t^p, t > 0 or both zero. */
static double over(double power, double t) { return t > 0.0 ? power / t : 0.0; }

static norm norm_first(double x, double y, double p) {
    norm f = {.value = real_max(x, y)};
    double lesser = real_min(x, y);
    if (!(f.value > 0.0)) {
        return f;
    }
    double ratio = lesser / f.value, power = ratio > 0.0 ? elementary_pow(ratio, p) : 0.0, sum = 1.0 + power,
           root = elementary_pow(sum, 1.0 / p);
    double major = root / sum, minor = over(power, ratio) * major; /* the derivatives: (t / f)^(p - 1) */
    f.value *= root;
    f.dx = x >= y ? major : minor;
    f.dy = x >= y ? minor : major;
    return f;
}

/* The same with second derivatives. For p < 2, the second derivative along a coordinate that is zero is infinite. */
static norm norm_second(double x, double y, double p) {
    norm f = norm_first(x, y, p);
    if (!(f.value > 0.0)) {
        return f;
    }
    double u = x / f.value, v = y / f.value, s = (p - 1.0) / f.value;
    /* u^(p-2) v^p and so on, with u^(p-1) = dx. */
    double most = FLATTEST / f.value;
    f.xx = u > 0.0 ? real_min(s * over(f.dx, u) * f.dy * v, most) : p < 2.0 ? most : p == 2.0 ? s : 0.0;
    f.yy = v > 0.0 ? real_min(s * over(f.dy, v) * f.dx * u, most) : p < 2.0 ? most : p == 2.0 ? s : 0.0;
    f.xy = -s * f.dx * f.dy;
    return f;
}

abut_vec3 superquadric_support(const abut_shape *shape, abut_vec3 n) {
    const abut_vec3 *half = &shape->half;
    norm round = norm_first(fabs(half->x * n.x), fabs(half->y * n.y), shape->dual[1]);
    norm all = norm_first(round.value, fabs(half->z * n.z), shape->dual[0]);
    return abut_vec3_make(copysign(half->x * all.dx * round.dx, n.x), copysign(half->y * all.dx * round.dy, n.y),
                          copysign(half->z * all.dy, n.z));
}

/* At the ends of the z axis, the inner norm is zero and has no derivatives. Nearby, the outer norm grows by its power q' over q'. Where
 * that power is 2, principal axes exist only if the parallels are those of an ellipsoid; we assume that they are. */
static void place_at_pole(const abut_shape *shape, abut_vec3 scale, abut_vec3 u, abut_vec3 v, double value, smooth_place *place) {
    double power = shape->dual[0], factor = power < 2.0 ? FLATTEST / value : power == 2.0 ? 1.0 / value : 0.0;
    double ux = scale.x * u.x, uy = scale.y * u.y, vx = scale.x * v.x, vy = scale.y * v.y;
    place->r11 = factor * (ux * ux + uy * uy);
    place->r12 = factor * (ux * vx + uy * vy);
    place->r22 = factor * (vx * vx + vy * vy);
}

void superquadric_place(const abut_shape *shape, abut_vec3 n, abut_vec3 u, abut_vec3 v, smooth_place *place) {
    const abut_vec3 *half = &shape->half;
    const abut_vec3 scale = {copysign(half->x, n.x), copysign(half->y, n.y), copysign(half->z, n.z)};
    norm round = norm_second(scale.x * n.x, scale.y * n.y, shape->dual[1]);
    norm all = norm_second(round.value, scale.z * n.z, shape->dual[0]);
    place->point = abut_vec3_make(scale.x * all.dx * round.dx, scale.y * all.dx * round.dy, scale.z * all.dy);
    if (!(round.value > 0.0)) {
        place_at_pole(shape, scale, u, v, all.value, place);
        return;
    }
    /* The derivatives of the scaled coordinates along u, and of the norm of the first two. */
    double ux = scale.x * u.x, uy = scale.y * u.y, uz = scale.z * u.z, ur = round.dx * ux + round.dy * uy;
    double vx = scale.x * v.x, vy = scale.y * v.y, vz = scale.z * v.z, vr = round.dx * vx + round.dy * vy;
    place->r11 = all.xx * ur * ur + 2.0 * all.xy * ur * uz + all.yy * uz * uz +
                 all.dx * (round.xx * ux * ux + 2.0 * round.xy * ux * uy + round.yy * uy * uy);
    place->r12 = all.xx * ur * vr + all.xy * (ur * vz + uz * vr) + all.yy * uz * vz +
                 all.dx * (round.xx * ux * vx + round.xy * (ux * vy + uy * vx) + round.yy * uy * vy);
    place->r22 = all.xx * vr * vr + 2.0 * all.xy * vr * vz + all.yy * vz * vz +
                 all.dx * (round.xx * vx * vx + 2.0 * round.xy * vx * vy + round.yy * vy * vy);
}

double superquadric_gauge(const abut_shape *shape, abut_vec3 point, abut_vec3 *slope) {
    const abut_vec3 *half = &shape->half;
    norm round = norm_first(fabs(point.x) / half->x, fabs(point.y) / half->y, 2.0 / shape->exponent[1]);
    norm all = norm_first(round.value, fabs(point.z) / half->z, 2.0 / shape->exponent[0]);
    *slope = abut_vec3_make(copysign(all.dx * round.dx / half->x, point.x), copysign(all.dx * round.dy / half->y, point.y),
                            copysign(all.dy / half->z, point.z));
    return all.value;
}

/* The radius of the largest disc about the middle of a superellipse: the least norm of (a cos t, b sin t) with the dual exponent. With an exponent above 1 it
 * is least between the axes. */
static double inner_radius_of_two(double a, double b, double e) {
    double small = real_min_number(a, b), large = real_max_number(a, b);
    if (e <= 1.0) {
        return small;
    }
    double power = 2.0 / (e - 1.0);
    return small * elementary_pow(1.0 + elementary_pow(small / large, power), -1.0 / power);
}

/* The radius of the largest ball about the middle. The outer norm grows with the inner one, so the two are least one after the other. */
static double inner_radius(abut_vec3 half, double e1, double e2) {
    return inner_radius_of_two(inner_radius_of_two(half.x, half.y, e2), half.z, e1);
}

/* The direction for two angles. The powers of its components are halfway between those of the normal and of the point. `evenness` 0
 * distributes directions uniformly over the normals, 1 uniformly over the surface; on a slender body these differ strongly. */
static abut_vec3 normal_at(const abut_shape *shape, double polar, double azimuth, double evenness) {
    const abut_vec3 scale = {elementary_pow(shape->half.x, -evenness), elementary_pow(shape->half.y, -evenness),
                             elementary_pow(shape->half.z, -evenness)};
    double round = elementary_pow(elementary_cos(polar), 2.0 - shape->exponent[0]);
    return abut_unit(abut_vec3_make(scale.x * round * elementary_pow(elementary_cos(azimuth), 2.0 - shape->exponent[1]),
                                    scale.y * round * elementary_pow(elementary_sin(azimuth), 2.0 - shape->exponent[1]),
                                    scale.z * elementary_pow(elementary_sin(polar), 2.0 - shape->exponent[0])));
}

static double lesser_radius(const abut_shape *shape, abut_vec3 n) {
    abut_vec3 u, v;
    smooth_place place;
    abut_tangent_frame(n, &u, &v);
    superquadric_place(shape, n, u, v, &place);
    double mean = 0.5 * (place.r11 + place.r22), half = 0.5 * (place.r11 - place.r22);
    double large = mean + sqrt(half * half + place.r12 * place.r12);
    return (place.r11 * place.r22 - place.r12 * place.r12) / large;
}

/* A lower bound of the radii of curvature: a little less than the minimum over many samples in one octant. At the axes, an exponent above 1
 * makes the radius zero. The result never exceeds the radius of a ball inside. */
static double least_radius(const abut_shape *shape) {
    enum { STEPS = 32, SPREADS = 3 };
    const double quarter = 0.5 * REAL_PI, safety = 0.8;
    double least = shape->exponent[0] > 1.0 || shape->exponent[1] > 1.0 ? 0.0 : shape->inner_radius;
    for (int i = 0; i < STEPS * SPREADS && least > 0.0; ++i) {
        double polar = quarter * (i / SPREADS + 0.5) / STEPS, evenness = (double)(i % SPREADS) / (SPREADS - 1);
        for (int k = 0; k < STEPS; ++k) {
            least = real_min(least, lesser_radius(shape, normal_at(shape, polar, quarter * (k + 0.5) / STEPS, evenness)));
        }
    }
    return safety * real_max(least, 0.0);
}

static bool is_no_exponent(const char *call, const char *argument, double e) {
    return argument_is_outside(call, argument, e, ABUT_SUPERQUADRIC_LEAST_EXPONENT, ABUT_SUPERQUADRIC_LARGEST_EXPONENT);
}

abut_status abut_shape_create_superquadric(abut_vec3 half, double e1, double e2, abut_shape **shape) {
    if (argument_is_no_vector(CALL_NAME, "half", half) || argument_is_not_finite(CALL_NAME, "e1", e1) ||
        argument_is_not_finite(CALL_NAME, "e2", e2)) {
        return ABUT_ERROR_NOT_FINITE;
    }
    if (argument_is_null(CALL_NAME, "shape", shape) || argument_is_no_half(CALL_NAME, half) || is_no_exponent(CALL_NAME, "e1", e1) ||
        is_no_exponent(CALL_NAME, "e2", e2)) {
        return ABUT_ERROR_INVALID_ARGUMENT;
    }
    abut_shape *made = shape_allocate(ABUT_SHAPE_SUPERQUADRIC);
    if (made == NULL) {
        return ABUT_ERROR_OUT_OF_MEMORY;
    }
    made->half = half;
    made->exponent[0] = e1;
    made->exponent[1] = e2;
    made->dual[0] = 2.0 / (2.0 - e1);
    made->dual[1] = 2.0 / (2.0 - e2);
    made->size = 2.0 * real_max_number(half.x, real_max_number(half.y, half.z));
    made->inner_radius = inner_radius(half, e1, e2);
    made->least_radius = least_radius(made);
    made->bounds = (abut_aabb){abut_neg(half), half};
    made->unit_mass = mass_of_superquadric(half, e1, e2);
    return shape_publish(CALL_NAME, made, shape);
}
