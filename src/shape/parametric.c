/*
 * Parametric surfaces S(u, v) with first and second derivatives from the caller's function. With the outward normal n, the tangents
 * J = [S_u S_v], the second fundamental form B = [S_uu . n, S_uv . n; S_uv . n, S_vv . n] and I = J^T J, the matrix of curvatures is -J
 * I^-1 B I^-1 J^T, and the matrix of radii is its inverse -J B^-1 J^T. Shape frame.
 */

#include <math.h>

#include "base/argument.h"
#include "base/memory.h"
#include "base/real.h"
#include "shape/bounds.h"
#include "shape/lifecycle.h"
#include "shape/shape.h"
#include "shape/surface/triangulation.h"
#include "shape/user.h"

enum { SAMPLES_U = 48, SAMPLES_V = 32 };

static double wrapped(double x, const double range[2], bool periodic) {
    double length = range[1] - range[0];
    if (periodic) {
        return x - length * floor((x - range[0]) / length);
    }
    return real_max(range[0], real_min(range[1], x));
}

void parametric_wrap(const abut_parametric_def *def, double *u, double *v) {
    *u = wrapped(*u, def->u_range, def->u_periodic);
    *v = wrapped(*v, def->v_range, def->v_periodic);
}

/* A Newton step to the minimum of a function of two parameters, with slopes g and second derivatives h. h is made positive where it is not.
 * Scaled, because parameters may have any size. */
static void descend(const double g[2], double h11, double h12, double h22, double *u, double *v) {
    double a = sqrt(fabs(h11)) > 0.0 ? sqrt(fabs(h11)) : 1.0, b = sqrt(fabs(h22)) > 0.0 ? sqrt(fabs(h22)) : 1.0;
    double p = h11 / (a * a), q = h12 / (a * b), r = h22 / (b * b), mean = 0.5 * (p + r), half = 0.5 * (p - r);
    double least = mean - sqrt(half * half + q * q), shift = least < 1e-8 ? 1e-8 - least : 0.0;
    p += shift;
    r += shift;
    double det = p * r - q * q, x = g[0] / a, y = g[1] / b;
    *u = -(r * x - q * y) / (det * a);
    *v = -(p * y - q * x) / (det * b);
}

typedef double parametric_goal(const abut_parametric_point *at, abut_vec3 target, double g[2], double h[3]);

/* Finds the minimum of a goal by Newton's method. */
static void minimise(const abut_parametric_def *def, parametric_goal *goal, abut_vec3 target, double *u, double *v) {
    enum { MOST_STEPS = 60, MOST_HALVINGS = 30 };
    double g[2], h[3], du, dv;
    abut_parametric_point at = parametric_at(def, *u, *v);
    double value = goal(&at, target, g, h);
    for (int i = 0; i < MOST_STEPS; ++i) {
        descend(g, h[0], h[1], h[2], &du, &dv);
        bool better = false;
        for (int k = 0; k < MOST_HALVINGS && !better; ++k, du *= 0.5, dv *= 0.5) {
            double p = *u + du, q = *v + dv, gp[2], hp[3];
            parametric_wrap(def, &p, &q);
            at = parametric_at(def, p, q);
            double lower = goal(&at, target, gp, hp);
            if (lower < value) {
                better = true;
                value = lower;
                *u = p;
                *v = q;
                g[0] = gp[0];
                g[1] = gp[1];
                h[0] = hp[0];
                h[1] = hp[1];
                h[2] = hp[2];
            }
        }
        if (!better) {
            break;
        }
    }
    /* The goal no longer shows the last digits, but its slope does. */
    at = parametric_at(def, *u, *v);
    (void)goal(&at, target, g, h);
    if (h[0] > 0.0 && h[0] * h[2] - h[1] * h[1] > 1e-8 * h[0] * h[2]) {
        descend(g, h[0], h[1], h[2], &du, &dv);
        if (fabs(du) <= 1e-6 * (def->u_range[1] - def->u_range[0]) && fabs(dv) <= 1e-6 * (def->v_range[1] - def->v_range[0])) {
            *u += du;
            *v += dv;
            parametric_wrap(def, u, v);
        }
    }
}

static double lowness(const abut_parametric_point *at, abut_vec3 n, double g[2], double h[3]) {
    g[0] = -abut_dot(n, at->su);
    g[1] = -abut_dot(n, at->sv);
    h[0] = -abut_dot(n, at->suu);
    h[1] = -abut_dot(n, at->suv);
    h[2] = -abut_dot(n, at->svv);
    return -abut_dot(n, at->s);
}

static double distance(const abut_parametric_point *at, abut_vec3 x, double g[2], double h[3]) {
    abut_vec3 off = abut_sub(at->s, x);
    g[0] = abut_dot(off, at->su);
    g[1] = abut_dot(off, at->sv);
    h[0] = abut_length_squared(at->su) + abut_dot(off, at->suu);
    h[1] = abut_dot(at->su, at->sv) + abut_dot(off, at->suv);
    h[2] = abut_length_squared(at->sv) + abut_dot(off, at->svv);
    return 0.5 * abut_length_squared(off);
}

void parametric_settle(const abut_parametric_def *def, abut_vec3 n, double *u, double *v) { minimise(def, lowness, n, u, v); }

void parametric_project(const abut_parametric_def *def, abut_vec3 x, double *u, double *v) { minimise(def, distance, x, u, v); }

bool parametric_radii(const abut_parametric_point *at, abut_vec3 n, abut_vec3 u, abut_vec3 v, double r[3]) {
    double l = abut_dot(at->suu, n), m = abut_dot(at->suv, n), o = abut_dot(at->svv, n), det = l * o - m * m;
    if (!(fabs(det) > 1e-12 * fabs(l * o))) {
        return false;
    }
    double au = abut_dot(at->su, u), bu = abut_dot(at->sv, u), av = abut_dot(at->su, v), bv = abut_dot(at->sv, v);
    r[0] = -(o * au * au - 2.0 * m * au * bu + l * bu * bu) / det;
    r[1] = -(o * au * av - m * (au * bv + av * bu) + l * bu * bv) / det;
    r[2] = -(o * av * av - 2.0 * m * av * bv + l * bv * bv) / det;
    return true;
}

bool parametric_curvature(const abut_parametric_point *at, abut_vec3 n, abut_vec3 u, abut_vec3 v, double k[3]) {
    double e = abut_length_squared(at->su), f = abut_dot(at->su, at->sv), g = abut_length_squared(at->sv), det = e * g - f * f;
    if (!(det > 1e-12 * e * g)) {
        return false;
    }
    double l = abut_dot(at->suu, n), m = abut_dot(at->suv, n), o = abut_dot(at->svv, n);
    const abut_vec3 way[2] = {u, v};
    double p[2], q[2];
    for (int i = 0; i < 2; ++i) { /* I^-1 J^T of both directions */
        double a = abut_dot(at->su, way[i]), b = abut_dot(at->sv, way[i]);
        p[i] = (g * a - f * b) / det;
        q[i] = (e * b - f * a) / det;
    }
    k[0] = -(l * p[0] * p[0] + 2.0 * m * p[0] * q[0] + o * q[0] * q[0]);
    k[1] = -(l * p[0] * p[1] + m * (p[0] * q[1] + p[1] * q[0]) + o * q[0] * q[1]);
    k[2] = -(l * p[1] * p[1] + 2.0 * m * p[1] * q[1] + o * q[1] * q[1]);
    return true;
}

static bool is_finite_point(const abut_parametric_point *at) {
    return abut_vec3_is_finite(at->s) && abut_vec3_is_finite(at->su) && abut_vec3_is_finite(at->sv) && abut_vec3_is_finite(at->suu) &&
           abut_vec3_is_finite(at->suv) && abut_vec3_is_finite(at->svv);
}

/* Samples at the centres of a grid's cells, which avoids poles. */
static abut_status sample(const user_call *call, smooth_user *user) {
    const abut_parametric_def *def = &user->parametric;
    user->samples = memory_allocate(SAMPLES_U * SAMPLES_V, sizeof *user->samples);
    if (user->samples == NULL) {
        return ABUT_ERROR_OUT_OF_MEMORY;
    }
    user->count = SAMPLES_U * SAMPLES_V;
    for (int i = 0; i < user->count; ++i) {
        double u = def->u_range[0] + (def->u_range[1] - def->u_range[0]) * (i % SAMPLES_U + 0.5) / SAMPLES_U;
        double v = def->v_range[0] + (def->v_range[1] - def->v_range[0]) * (i / SAMPLES_U + 0.5) / SAMPLES_V;
        abut_parametric_point at = parametric_at(def, u, v);
        abut_vec3 across = abut_cross(at.su, at.sv);
        if (!is_finite_point(&at) || !(abut_length(across) > 0.0)) {
            return user_refuse(ABUT_ERROR_INVALID_ARGUMENT, call,
                               "def->function at u = %.9g, v = %.9g: not finite, or the tangents span no plane", u, v);
        }
        user->samples[i] = (user_sample){.point = at.s, .normal = abut_scale(user->sign, abut_unit(across)), .u = u, .v = v};
    }
    return ABUT_OK;
}

/* The sample farthest along n, refined. */
static abut_vec3 farthest(const smooth_user *user, abut_vec3 n) {
    const user_sample *best = user->samples;
    for (int32_t i = 1; i < user->count; ++i) {
        best = abut_dot(n, user->samples[i].point) > abut_dot(n, best->point) ? &user->samples[i] : best;
    }
    double u = best->u, v = best->v;
    parametric_settle(&user->parametric, n, &u, &v);
    return parametric_at(&user->parametric, u, v).s;
}

static abut_aabb bounds_of(const smooth_user *user) {
    static const abut_vec3 axis[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    abut_vec3 low[3], high[3];
    for (int i = 0; i < 3; ++i) {
        low[i] = farthest(user, abut_neg(axis[i]));
        high[i] = farthest(user, axis[i]);
    }
    return (abut_aabb){abut_vec3_make(low[0].x, low[1].y, low[2].z), abut_vec3_make(high[0].x, high[1].y, high[2].z)};
}

static abut_status check_def(const user_call *call, const abut_parametric_def *def) {
    if (argument_is_not_finite(call->name, "def->u_range[0]", def->u_range[0]) ||
        argument_is_not_finite(call->name, "def->u_range[1]", def->u_range[1]) ||
        argument_is_not_finite(call->name, "def->v_range[0]", def->v_range[0]) ||
        argument_is_not_finite(call->name, "def->v_range[1]", def->v_range[1])) {
        return ABUT_ERROR_NOT_FINITE;
    }
    if (user_range_is_empty(call->name, "def->u_range", def->u_range) || user_range_is_empty(call->name, "def->v_range", def->v_range)) {
        user_tell(call, "the range of u or v is empty");
        return ABUT_ERROR_INVALID_ARGUMENT;
    }
    return ABUT_OK;
}

/* Computes the mass first, because its sign tells which side is outside. */
static abut_status fill(const user_call *call, abut_shape *made, smooth_user *user) {
    bool open;
    made->unit_mass = mass_of_parametric(&user->parametric, &open);
    abut_mass *mass = &made->unit_mass;
    user->sign = mass->volume < 0.0 ? -1.0 : 1.0;
    mass->volume *= user->sign;
    mass->mass *= user->sign;
    mass->inertia = abut_mat3_make(abut_scale(user->sign, mass->inertia.x), abut_scale(user->sign, mass->inertia.y),
                                   abut_scale(user->sign, mass->inertia.z));
    user->middle = mass->centre;
    abut_status status = sample(call, user);
    if (status != ABUT_OK) {
        return status;
    }
    if (open) {
        return user_refuse(ABUT_ERROR_NOT_CLOSED, call, "def: the surface is not closed over the ranges of u and v");
    }
    made->bounds = bounds_of(user);
    made->size = bounds_extent(made->bounds);
    return user->parametric.convex ? user_make_convex(call, made) : ABUT_OK;
}

abut_status parametric_create(const user_call *call, const abut_parametric_def *def, void *owned, const struct formula *formula,
                              abut_shape **shape) {
    abut_status status = check_def(call, def);
    if (status != ABUT_OK) {
        return status;
    }
    abut_shape *made = user_allocate(ABUT_SHAPE_PARAMETRIC);
    if (made == NULL) {
        return ABUT_ERROR_OUT_OF_MEMORY;
    }
    smooth_user *user = made->user;
    *user = (smooth_user){.parametric = *def};
    status = fill(call, made, user);
    status = status == ABUT_OK && !def->convex ? triangulation_make(made, &user->triangles) : status;
    if (status != ABUT_OK) {
        shape_free(made);
        return status;
    }
    status = shape_publish(call->name, made, shape);
    if (status != ABUT_OK) {
        user_tell(call, "the body is too large, too small or too thin, or has no volume");
    } else {
        user->owned = owned;
        user->formula = formula;
    }
    return status;
}

abut_status abut_shape_create_parametric(const abut_parametric_def *def, abut_shape **shape) {
    if (argument_is_null(CALL_NAME, "def", def) || user_lacks_function(CALL_NAME, def->function == NULL) ||
        argument_is_null(CALL_NAME, "shape", shape)) {
        return ABUT_ERROR_INVALID_ARGUMENT;
    }
    return parametric_create(&(user_call){CALL_NAME, NULL}, def, NULL, NULL, shape);
}

abut_status abut_shape_parametric(const abut_shape *shape, abut_parametric_def *def) {
    if (argument_is_null(CALL_NAME, "shape", shape) || argument_is_null(CALL_NAME, "def", def)) {
        return ABUT_ERROR_INVALID_ARGUMENT;
    }
    if (shape->kind != ABUT_SHAPE_PARAMETRIC) {
        return shape_refuse_kind(CALL_NAME, "shape", shape, "a parametric body");
    }
    *def = shape->user->parametric;
    return ABUT_OK;
}
