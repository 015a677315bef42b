/*
 * Implicit surfaces F(x) = 0, F < 0 inside, with gradient and Hessian H from the caller's function. The point with the outward normal n
 * solves grad F = l n, F = 0 (four unknowns). The curvatures are those of H / |grad F| in the tangent plane. Shape frame.
 */

#include <math.h>

#include "base/argument.h"
#include "base/elementary.h"
#include "base/memory.h"
#include "base/real.h"
#include "geom/linear.h"
#include "shape/bounds.h"
#include "shape/lifecycle.h"
#include "shape/shape.h"
#include "shape/surface/triangulation.h"
#include "shape/user.h"

enum { SAMPLES = 800 };

static bool is_finite_point(const abut_implicit_point *at) {
    return isfinite(at->value) && abut_vec3_is_finite(at->gradient) && abut_vec3_is_finite(at->hessian.x) &&
           abut_vec3_is_finite(at->hessian.y) && abut_vec3_is_finite(at->hessian.z);
}

/* The length of the ray from a point in the box to the border of the box. */
static double reach_in_box(const abut_aabb *box, abut_vec3 from, abut_vec3 way) {
    const double o[3] = {from.x, from.y, from.z}, d[3] = {way.x, way.y, way.z};
    const double low[3] = {box->lower.x, box->lower.y, box->lower.z}, high[3] = {box->upper.x, box->upper.y, box->upper.z};
    double reach = INFINITY;
    for (int i = 0; i < 3; ++i) {
        if (d[i] != 0.0) {
            reach = real_min(reach, ((d[i] > 0.0 ? high[i] : low[i]) - o[i]) / d[i]);
        }
    }
    return reach;
}

/* Newton's method between points of opposite sign. Where a step leads outside the interval, it bisects. */
double implicit_exit(const abut_implicit_def *def, abut_vec3 direction) {
    enum { MOST_STEPS = 100 };
    double low = 0.0, high = 1.001 * reach_in_box(&def->bounds, def->inside, direction), t = 0.5 * high;
    if (!(high > 0.0) || !(implicit_at(def, abut_add_scaled(def->inside, high, direction)).value > 0.0)) {
        return -1.0;
    }
    for (int i = 0; i < MOST_STEPS && high - low > 1e-16 * high; ++i) {
        abut_implicit_point at = implicit_at(def, abut_add_scaled(def->inside, t, direction));
        if (at.value > 0.0) {
            high = t;
        } else {
            low = t;
        }
        double step = -at.value / abut_dot(at.gradient, direction), next = t + step;
        if (fabs(step) <= 1e-16 * high) {
            break;
        }
        t = next > low && next < high ? next : 0.5 * (low + high);
    }
    return t;
}

/* How much a point misses the required normal and the surface, relative to the size. */
static double miss_of(const abut_implicit_point *at, double multiplier, abut_vec3 n, double size) {
    double steep = abut_length(at->gradient);
    return abut_length(abut_add_scaled(at->gradient, -multiplier, n)) / steep + fabs(at->value) / (steep * size);
}

abut_vec3 implicit_settle(const abut_implicit_def *def, double size, abut_vec3 n, abut_vec3 start) {
    enum { MOST_STEPS = 40, MOST_HALVINGS = 12 };
    abut_vec3 x = start;
    abut_implicit_point at = implicit_at(def, x);
    double multiplier = abut_length(at.gradient), miss = miss_of(&at, multiplier, n, size);
    for (int i = 0; i < MOST_STEPS && miss > 1e-16; ++i) {
        const abut_vec3 off = abut_add_scaled(at.gradient, -multiplier, n);
        double m[4][5] = {{at.hessian.x.x, at.hessian.y.x, at.hessian.z.x, -n.x, -off.x},
                          {at.hessian.x.y, at.hessian.y.y, at.hessian.z.y, -n.y, -off.y},
                          {at.hessian.x.z, at.hessian.y.z, at.hessian.z.z, -n.z, -off.z},
                          {at.gradient.x, at.gradient.y, at.gradient.z, 0.0, -at.value}};
        double step[4], factor = 1.0;
        if (!linear_solve(4, &m[0][0], step)) {
            break;
        }
        bool better = false;
        for (int k = 0; k < MOST_HALVINGS && !better; ++k, factor *= 0.5) {
            abut_vec3 next = abut_add_scaled(x, factor, abut_vec3_make(step[0], step[1], step[2]));
            abut_implicit_point there = implicit_at(def, next);
            double l = multiplier + factor * step[3], less = miss_of(&there, l, n, size);
            if (less < miss && l > 0.0) {
                better = true;
                x = next;
                at = there;
                multiplier = l;
                miss = less;
            }
        }
        if (!better) {
            break;
        }
    }
    return x;
}

void implicit_curvature(const abut_implicit_point *at, abut_vec3 u, abut_vec3 v, double k[3]) {
    double inverse = 1.0 / abut_length(at->gradient);
    abut_vec3 hu = abut_mat3_apply(at->hessian, u), hv = abut_mat3_apply(at->hessian, v);
    k[0] = inverse * abut_dot(u, hu);
    k[1] = inverse * abut_dot(u, hv);
    k[2] = inverse * abut_dot(v, hv);
}

/* Uniform directions on the sphere: Fibonacci's spiral. */
static abut_vec3 spread_direction(int i) {
    const double golden = 2.399963229728653;
    double z = 1.0 - (2.0 * i + 1.0) / SAMPLES, c = sqrt(1.0 - z * z);
    return abut_vec3_make(c * elementary_cos(golden * i), c * elementary_sin(golden * i), z);
}

static abut_status sample(const user_call *call, smooth_user *user) {
    const abut_implicit_def *def = &user->implicit;
    user->samples = memory_allocate(SAMPLES, sizeof *user->samples);
    if (user->samples == NULL) {
        return ABUT_ERROR_OUT_OF_MEMORY;
    }
    user->count = SAMPLES;
    for (int i = 0; i < SAMPLES; ++i) {
        abut_vec3 way = spread_direction(i);
        double t = implicit_exit(def, way);
        if (!(t > 0.0)) {
            return user_refuse(ABUT_ERROR_INVALID_ARGUMENT, call,
                               "def: a ray from def->inside leaves def->bounds before it meets the surface");
        }
        abut_vec3 point = abut_add_scaled(def->inside, t, way);
        abut_implicit_point at = implicit_at(def, point);
        if (!is_finite_point(&at) || !(abut_length(at.gradient) > 0.0)) {
            return user_refuse(ABUT_ERROR_INVALID_ARGUMENT, call,
                               "def->function gives no finite derivatives or a zero gradient on the surface");
        }
        user->samples[i] = (user_sample){.point = point, .normal = abut_unit(at.gradient)};
    }
    return ABUT_OK;
}

static bool is_box(const abut_aabb *box, abut_vec3 inside) {
    return inside.x > box->lower.x && inside.x < box->upper.x && inside.y > box->lower.y && inside.y < box->upper.y &&
           inside.z > box->lower.z && inside.z < box->upper.z;
}

static abut_status check_def(const user_call *call, const abut_implicit_def *def) {
    if (argument_is_no_vector(call->name, "def->bounds.lower", def->bounds.lower) ||
        argument_is_no_vector(call->name, "def->bounds.upper", def->bounds.upper) ||
        argument_is_no_vector(call->name, "def->inside", def->inside)) {
        return ABUT_ERROR_NOT_FINITE;
    }
    if (!is_box(&def->bounds, def->inside)) {
        return user_refuse(ABUT_ERROR_INVALID_ARGUMENT, call, "def->inside does not lie within def->bounds");
    }
    abut_implicit_point at = implicit_at(def, def->inside);
    if (!isfinite(at.value)) {
        return user_refuse(ABUT_ERROR_NOT_FINITE, call, "def->function at def->inside is %s: it must be finite",
                           isnan(at.value) ? "NaN" : "infinite");
    }
    return at.value < 0.0
               ? ABUT_OK
               : user_refuse(ABUT_ERROR_INVALID_ARGUMENT, call, "def->function at def->inside is %.9g: it must be below 0", at.value);
}

abut_status implicit_create(const user_call *call, const abut_implicit_def *def, struct formula *formula, abut_shape **shape) {
    abut_status status = check_def(call, def);
    if (status != ABUT_OK) {
        return status;
    }
    abut_shape *made = user_allocate(ABUT_SHAPE_IMPLICIT);
    if (made == NULL) {
        return ABUT_ERROR_OUT_OF_MEMORY;
    }
    smooth_user *user = made->user;
    made->bounds = def->bounds;
    made->size = bounds_extent(def->bounds);
    *user = (smooth_user){.implicit = *def, .sign = 1.0, .middle = def->inside};
    status = def->convex ? sample(call, user) : ABUT_OK;
    status = status == ABUT_OK && def->convex ? user_make_convex(call, made) : status;
    if (status == ABUT_OK) {
        made->unit_mass = mass_of_implicit(def);
        status = def->convex ? ABUT_OK : triangulation_make(made, &user->triangles);
    }
    if (status != ABUT_OK) {
        shape_free(made);
        return status;
    }
    status = shape_publish(call->name, made, shape);
    if (status != ABUT_OK) {
        user_tell(call, "the body is too large, too small or too thin, or has no volume");
    } else {
        user->owned = formula;
        user->formula = formula;
    }
    return status;
}

abut_status abut_shape_create_implicit(const abut_implicit_def *def, abut_shape **shape) {
    if (argument_is_null(CALL_NAME, "def", def) || user_lacks_function(CALL_NAME, def->function == NULL) ||
        argument_is_null(CALL_NAME, "shape", shape)) {
        return ABUT_ERROR_INVALID_ARGUMENT;
    }
    return implicit_create(&(user_call){CALL_NAME, NULL}, def, NULL, shape);
}

abut_status abut_shape_implicit(const abut_shape *shape, abut_implicit_def *def) {
    if (argument_is_null(CALL_NAME, "shape", shape) || argument_is_null(CALL_NAME, "def", def)) {
        return ABUT_ERROR_INVALID_ARGUMENT;
    }
    if (shape->kind != ABUT_SHAPE_IMPLICIT) {
        return shape_refuse_kind(CALL_NAME, "shape", shape, "an implicit body");
    }
    *def = shape->user->implicit;
    return ABUT_OK;
}
