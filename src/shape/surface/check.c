/*
 * Compares derivatives from the caller's functions with central differences of the next lower derivatives: the gradient with the values,
 * the Hessian with the gradient. Two step sizes separate errors from the truncation error of a difference, which falls by a factor of four
 * when the step is halved.
 */

#include <abut/smooth.h>

#include <math.h>

#include "base/argument.h"
#include "base/real.h"
#include "shape/user.h"

enum { POINTS = 64, AXES = 3 };

#define WRONG 1e-5 /* a relative error that no difference has */

/* Numbers from 0 to 1 that fill the range uniformly: fractional parts of multiples of an irrational number. */
static double spread(int i, double irrational) {
    double x = irrational * (i + 1);
    return x - floor(x);
}

/* The error of a stated derivative, beyond the uncertainty of the two differences, relative to the largest numbers involved. */
static double off_by(abut_vec3 stated, abut_vec3 coarse, abut_vec3 fine, double scale) {
    double off = abut_distance_between(stated, fine), open = abut_distance_between(coarse, fine);
    return off <= 2.0 * open ? 0.0 : off / scale;
}

static void blame(abut_derivative which, double error, abut_vec3 point, double u, double v, abut_derivative_report *report) {
    if (error > report->error || !isfinite(error)) {
        *report = (abut_derivative_report){.wrong = which, .error = error, .point = point, .u = u, .v = v};
    }
}

static abut_status verdict(abut_derivative_report *found, abut_derivative_report *report) {
    bool fine = found->error <= WRONG;
    if (fine) {
        found->wrong = ABUT_DERIVATIVE_NONE;
    }
    if (report != NULL) {
        *report = *found;
    }
    return fine ? ABUT_OK : ABUT_ERROR_DERIVATIVE;
}

/* ---- implicit ---- */

static abut_vec3 value_difference(const abut_implicit_def *def, abut_vec3 p, double h) {
    static const abut_vec3 axis[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    double d[3];
    for (int i = 0; i < 3; ++i) {
        d[i] =
            (implicit_at(def, abut_add_scaled(p, h, axis[i])).value - implicit_at(def, abut_add_scaled(p, -h, axis[i])).value) / (2.0 * h);
    }
    return abut_vec3_make(d[0], d[1], d[2]);
}

static abut_vec3 gradient_difference(const abut_implicit_def *def, abut_vec3 p, abut_vec3 axis, double h) {
    abut_vec3 ahead = implicit_at(def, abut_add_scaled(p, h, axis)).gradient,
              behind = implicit_at(def, abut_add_scaled(p, -h, axis)).gradient;
    return abut_scale(0.5 / h, abut_sub(ahead, behind));
}

abut_status abut_implicit_check(const abut_implicit_def *def, abut_derivative_report *report) {
    if (argument_is_null(CALL_NAME, "def", def) || user_lacks_function(CALL_NAME, def->function == NULL)) {
        return ABUT_ERROR_INVALID_ARGUMENT;
    }
    abut_vec3 lower = def->bounds.lower, extent = abut_sub(def->bounds.upper, lower);
    double size = real_max(extent.x, real_max(extent.y, extent.z)), h = 1e-4 * size;
    if (argument_is_no_vector(CALL_NAME, "def->bounds.lower", lower)) {
        return ABUT_ERROR_NOT_FINITE;
    }
    if (!isfinite(size)) {
        return refuse(ABUT_ERROR_NOT_FINITE, CALL_NAME, "def->bounds has an extent that is not finite");
    }
    abut_derivative_report found = {.wrong = ABUT_DERIVATIVE_NONE};
    for (int i = 0; i < POINTS; ++i) {
        abut_vec3 p = abut_add(lower, abut_vec3_make(extent.x * spread(i, 0.6180339887498949), extent.y * spread(i, 0.7548776662466927),
                                                     extent.z * spread(i, 0.5698402909980532)));
        abut_implicit_point at = implicit_at(def, p);
        double steep = real_max(abut_length(at.gradient), fabs(at.value) / size), bent = 0.0;
        const abut_vec3 axis[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, column[3] = {at.hessian.x, at.hessian.y, at.hessian.z};
        blame(ABUT_DERIVATIVE_GRADIENT, off_by(at.gradient, value_difference(def, p, h), value_difference(def, p, 0.5 * h), steep), p, 0, 0,
              &found);
        if (found.error > WRONG) {
            break; /* the gradient is wrong, so the Hessian cannot be compared with it */
        }
        for (int k = 0; k < AXES; ++k) {
            bent = real_max(bent, abut_length(column[k]));
        }
        bent = real_max(bent, steep / size);
        for (int k = 0; k < AXES; ++k) {
            double off = off_by(column[k], gradient_difference(def, p, axis[k], h), gradient_difference(def, p, axis[k], 0.5 * h), bent);
            blame(ABUT_DERIVATIVE_HESSIAN, off, p, 0, 0, &found);
        }
    }
    return verdict(&found, report);
}

/* ---- parametric ---- */

typedef struct tangents {
    abut_vec3 s, su, sv;
} tangents;

static tangents difference(const abut_parametric_def *def, double u, double v, double hu, double hv) {
    abut_parametric_point p = parametric_at(def, u + hu, v + hv), q = parametric_at(def, u - hu, v - hv);
    double scale = 0.5 / (hu + hv);
    return (tangents){abut_scale(scale, abut_sub(p.s, q.s)), abut_scale(scale, abut_sub(p.su, q.su)),
                      abut_scale(scale, abut_sub(p.sv, q.sv))};
}

static void check_at(const abut_parametric_def *def, double u, double v, abut_derivative_report *found) {
    double range_u = def->u_range[1] - def->u_range[0], range_v = def->v_range[1] - def->v_range[0], h = 1e-4;
    abut_parametric_point at = parametric_at(def, u, v);
    tangents cu = difference(def, u, v, h * range_u, 0.0), fu = difference(def, u, v, 0.5 * h * range_u, 0.0);
    tangents cv = difference(def, u, v, 0.0, h * range_v), fv = difference(def, u, v, 0.0, 0.5 * h * range_v);
    double first = real_max(abut_length(at.su) * range_u, abut_length(at.sv) * range_v);
    double second = real_max(first, real_max(abut_length(at.suu) * range_u * range_u, abut_length(at.svv) * range_v * range_v));
    second = real_max(second, abut_length(at.suv) * range_u * range_v);
    blame(ABUT_DERIVATIVE_SU, off_by(at.su, cu.s, fu.s, first / range_u), at.s, u, v, found);
    blame(ABUT_DERIVATIVE_SV, off_by(at.sv, cv.s, fv.s, first / range_v), at.s, u, v, found);
    if (found->error > WRONG) {
        return; /* the first derivatives are wrong, so the second cannot be compared with them */
    }
    blame(ABUT_DERIVATIVE_SUU, off_by(at.suu, cu.su, fu.su, second / (range_u * range_u)), at.s, u, v, found);
    blame(ABUT_DERIVATIVE_SUV, off_by(at.suv, cv.su, fv.su, second / (range_u * range_v)), at.s, u, v, found);
    blame(ABUT_DERIVATIVE_SVV, off_by(at.svv, cv.sv, fv.sv, second / (range_v * range_v)), at.s, u, v, found);
}

abut_status abut_parametric_check(const abut_parametric_def *def, abut_derivative_report *report) {
    if (argument_is_null(CALL_NAME, "def", def) || user_lacks_function(CALL_NAME, def->function == NULL) ||
        user_range_is_empty(CALL_NAME, "def->u_range", def->u_range) || user_range_is_empty(CALL_NAME, "def->v_range", def->v_range)) {
        return ABUT_ERROR_INVALID_ARGUMENT;
    }
    abut_derivative_report found = {.wrong = ABUT_DERIVATIVE_NONE};
    for (int i = 0; i < POINTS; ++i) {
        const double inner = 0.01; /* keeps the differences within the ranges */
        double s = inner + (1.0 - 2.0 * inner) * spread(i, 0.7548776662466927),
               t = inner + (1.0 - 2.0 * inner) * spread(i, 0.5698402909980532);
        check_at(def, def->u_range[0] + s * (def->u_range[1] - def->u_range[0]), def->v_range[0] + t * (def->v_range[1] - def->v_range[0]),
                 &found);
    }
    return verdict(&found, report);
}
