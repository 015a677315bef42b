/*
 * Convex surfaces described by the caller's functions: support function and gauge. Shape frame.
 */

#include "shape/user.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/argument.h"
#include "base/memory.h"
#include "base/real.h"
#include "geom/linear.h"
#include "shape/bounds.h"
#include "shape/lifecycle.h"
#include "shape/shape.h"
#include "shape/surface/triangulation_data.h"

#define FLATTEST 1e30 /* as for superquadrics: infinite radii are replaced by this many times the size */

abut_shape *user_allocate(abut_kind kind) {
    abut_shape *made = shape_allocate(kind);
    if (made == NULL) {
        return NULL;
    }
    made->user = memory_allocate(1, sizeof *made->user);
    if (made->user == NULL) {
        shape_free(made);
        return NULL;
    }
    return made;
}

void user_release(smooth_user *user) {
    if (user != NULL) {
        if (user->triangles != NULL) {
            abut_shape_release(user->triangles->mesh);
            memory_release(user->triangles->parameters);
            memory_release(user->triangles->at_vertex);
            memory_release(user->triangles);
        }
        memory_release(user->samples);
        memory_release(user->owned);
        memory_release(user);
    }
}

/* Removes "def: " and every "def->", which only callers of the library know. */
static void copy_for_readers(const char *text, char *copy) {
    text += strncmp(text, "def: ", 5) == 0 ? 5 : 0;
    while (*text != '\0') {
        bool internal = strncmp(text, "def->", 5) == 0;
        if (!internal) {
            *copy++ = *text;
        }
        text += internal ? 5 : 1;
    }
    *copy = '\0';
}

void user_tell(const user_call *call, const char *message) {
    if (call->error != NULL) {
        call->error->column = 0;
        copy_for_readers(message, call->error->message);
    }
}

abut_status user_refuse(abut_status status, const user_call *call, const char *format, ...) {
    abut_formula_error told;
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(told.message, sizeof told.message, format, arguments);
    va_end(arguments);
    user_tell(call, told.message);
    return refuse(status, call->name, "%s", told.message);
}

static const user_sample *farthest_sample(const smooth_user *user, abut_vec3 n) {
    const user_sample *best = user->samples;
    double most = abut_dot(n, best->point);
    for (int32_t i = 1; i < user->count; ++i) {
        double height = abut_dot(n, user->samples[i].point);
        if (height > most) {
            most = height;
            best = &user->samples[i];
        }
    }
    return best;
}

/* ---- points with a normal ---- */

static abut_vec3 find_implicit(const abut_shape *shape, abut_vec3 n, abut_implicit_point *at) {
    const smooth_user *user = shape->user;
    const user_sample *near = farthest_sample(user, n);
    abut_vec3 x = implicit_settle(&user->implicit, shape->size, n, near->point);
    if (!(abut_dot(n, x) >= abut_dot(n, near->point) - 1e-9 * shape->size)) {
        x = near->point; /* Newton's method diverged; a sample is on the surface */
    }
    *at = implicit_at(&user->implicit, x);
    return x;
}

static abut_parametric_point find_parametric(const abut_shape *shape, abut_vec3 n, double *u, double *v) {
    const user_sample *near = farthest_sample(shape->user, n);
    *u = near->u;
    *v = near->v;
    parametric_settle(&shape->user->parametric, n, u, v);
    return parametric_at(&shape->user->parametric, *u, *v);
}

abut_vec3 user_support(const abut_shape *shape, abut_vec3 n) {
    abut_vec3 unit = abut_unit(n);
    double u, v;
    abut_implicit_point at;
    return shape->kind == ABUT_SHAPE_IMPLICIT ? find_implicit(shape, unit, &at) : find_parametric(shape, unit, &u, &v).s;
}

/* The inverse of a matrix of curvatures; practically infinite where the surface is flat. */
static void invert(const double k[3], double size, smooth_place *place) {
    double det = k[0] * k[2] - k[1] * k[1], least = 1.0 / (FLATTEST * size * size);
    det = det > least ? det : least;
    place->r11 = k[2] / det;
    place->r12 = -k[1] / det;
    place->r22 = k[0] / det;
}

/* A point next to a pole, where the tangents do span a plane. */
static abut_parametric_point beside(const abut_parametric_def *def, double u, double v) {
    const double little = 1e-5;
    double middle_u = 0.5 * (def->u_range[0] + def->u_range[1]), middle_v = 0.5 * (def->v_range[0] + def->v_range[1]);
    double step_u = little * (def->u_range[1] - def->u_range[0]), step_v = little * (def->v_range[1] - def->v_range[0]);
    return parametric_at(def, u < middle_u ? u + step_u : u - step_u, v < middle_v ? v + step_v : v - step_v);
}

void user_place(const abut_shape *shape, abut_vec3 n, abut_vec3 u, abut_vec3 v, smooth_place *place) {
    double k[3], p, q;
    if (shape->kind == ABUT_SHAPE_IMPLICIT) {
        abut_implicit_point at;
        place->point = find_implicit(shape, n, &at);
        implicit_curvature(&at, u, v, k);
        invert(k, shape->size, place);
        return;
    }
    abut_parametric_point at = find_parametric(shape, n, &p, &q);
    place->point = at.s;
    if (!parametric_radii(&at, n, u, v, k)) {
        at = beside(&shape->user->parametric, p, q);
        if (!parametric_radii(&at, n, u, v, k)) {
            k[0] = k[2] = FLATTEST * shape->size;
            k[1] = 0.0;
        }
    }
    place->r11 = k[0];
    place->r12 = k[1];
    place->r22 = k[2];
}

/* ---- along rays ---- */

static double spanned(const abut_parametric_point *at) { return abut_length(abut_cross(at->su, at->sv)); }

/* Whether a step of a parameter ends at a border of its range, or so near to it that the border's side is of no account. */
static bool ends_at_border(double from, double to, const double range[2], bool periodic) {
    const double near = 1e-3;
    return !periodic && real_min(to - range[0], range[1] - to) <= near * fabs(to - from);
}

/* Newton's step of the parameters. At a pole the tangents do not tell the way to the directions around it, so a step that would end there goes half as far. */
static void step_parameters(const abut_parametric_def *def, const abut_parametric_point *at, const double step[3], double *u, double *v) {
    const double pole = 1e-2;
    double p = *u + step[0], q = *v + step[1];
    parametric_wrap(def, &p, &q);
    bool u_ends = ends_at_border(*u, p, def->u_range, def->u_periodic), v_ends = ends_at_border(*v, q, def->v_range, def->v_periodic);
    if (u_ends || v_ends) {
        abut_parametric_point end = parametric_at(def, p, q);
        bool half = !(spanned(&end) > pole * spanned(at));
        p = half && u_ends ? 0.5 * (p + *u) : p;
        q = half && v_ends ? 0.5 * (q + *v) : q;
    }
    *u = p;
    *v = q;
}

/* Solves S(u, v) = middle + t way for three unknowns, from the sample that lies most in that direction. A pole takes about 50 steps. */
static double exit_of_parametric(const smooth_user *user, double size, abut_vec3 way, abut_vec3 *normal) {
    enum { MOST_STEPS = 80 };
    const abut_parametric_def *def = &user->parametric;
    const user_sample *near = user->samples;
    double most = -INFINITY;
    for (int32_t i = 0; i < user->count; ++i) {
        double cosine = abut_dot(way, abut_unit(abut_sub(user->samples[i].point, user->middle)));
        if (cosine > most) {
            most = cosine;
            near = &user->samples[i];
        }
    }
    double u = near->u, v = near->v, t = abut_length(abut_sub(near->point, user->middle));
    *normal = near->normal;
    int exponent; /* lengths are divided by about the size, exactly, so that they stand beside the unit direction in one system */
    (void)frexp(size, &exponent);
    for (int i = 0; i < MOST_STEPS; ++i) {
        abut_parametric_point at = parametric_at(def, u, v);
        abut_vec3 off = abut_sub(abut_add_scaled(user->middle, t, way), at.s);
        abut_vec3 p = abut_scale(ldexp(1.0, -exponent), at.su), q = abut_scale(ldexp(1.0, -exponent), at.sv);
        abut_vec3 r = abut_scale(ldexp(1.0, -exponent), off);
        double m[3][4] = {{p.x, q.x, -way.x, r.x}, {p.y, q.y, -way.y, r.y}, {p.z, q.z, -way.z, r.z}}, step[3];
        if (!linear_solve(3, &m[0][0], step)) {
            break;
        }
        step[2] = ldexp(step[2], exponent);
        abut_vec3 across = abut_cross(at.su, at.sv);
        *normal = abut_scale(user->sign, abut_unit(across));
        step_parameters(def, &at, step, &u, &v);
        t += step[2];
        if (fabs(step[2]) <= 1e-15 * t && abut_length(off) <= 1e-14 * t) {
            break;
        }
    }
    return t;
}

double user_gauge(const abut_shape *shape, abut_vec3 point, abut_vec3 *slope) {
    const smooth_user *user = shape->user;
    abut_vec3 from = abut_sub(point, user->middle), way = abut_unit(from), normal;
    if (!(abut_length_squared(way) > 0.5)) {
        *slope = abut_vec3_make(0.0, 0.0, 0.0);
        return 0.0;
    }
    double t;
    if (shape->kind == ABUT_SHAPE_IMPLICIT) {
        t = implicit_exit(&user->implicit, way);
        normal = abut_unit(implicit_at(&user->implicit, abut_add_scaled(user->middle, t, way)).gradient);
    } else {
        t = exit_of_parametric(user, shape->size, way, &normal);
    }
    /* The gauge is homogeneous of degree one: its slope at the surface, times the vector from the middle, is 1. */
    *slope = abut_scale(1.0 / (t * abut_dot(normal, way)), normal);
    return abut_length(from) / t;
}

/* ---- checks and data of convex surfaces ---- */

static double small_radius(const smooth_place *place) {
    double mean = 0.5 * (place->r11 + place->r22), half = 0.5 * (place->r11 - place->r22);
    return mean - sqrt(half * half + place->r12 * place->r12);
}

/* No sample may lie beyond the tangent plane of another one. */
static bool are_convex(const smooth_user *user, double size) {
    const double dent = 1e-6 * size;
    for (int32_t i = 0; i < user->count; ++i) {
        double own = abut_dot(user->samples[i].normal, user->samples[i].point);
        for (int32_t k = 0; k < user->count; ++k) {
            if (abut_dot(user->samples[i].normal, user->samples[k].point) > own + dent) {
                return false;
            }
        }
    }
    return true;
}

bool user_lacks_function(const char *call, bool lacks) { return lacks && refused_null(call, "def->function"); }

bool user_range_is_empty(const char *call, const char *argument, const double range[2]) {
    return !(range[0] < range[1]) && refused(call, "%s is empty: %.9g is not below %.9g", argument, range[0], range[1]);
}

static abut_status refuse_dent(const user_call *call) {
    return user_refuse(ABUT_ERROR_NOT_CONVEX, call, "the surface is not convex, although def->convex is set");
}

abut_status user_make_convex(const user_call *call, abut_shape *shape) {
    static const abut_vec3 x = {1, 0, 0}, y = {0, 1, 0}, z = {0, 0, 1};
    const double safety = 0.8;
    const smooth_user *user = shape->user;
    if (!are_convex(user, shape->size)) {
        return refuse_dent(call);
    }
    shape->convex = true;
    double inner = INFINITY, least = INFINITY;
    for (int32_t i = 0; i < user->count; i += 3) {
        abut_vec3 n = user->samples[i].normal, u, v;
        smooth_place place;
        abut_tangent_frame(n, &u, &v);
        user_place(shape, n, u, v, &place);
        inner = real_min(inner, abut_dot(n, abut_sub(user->samples[i].point, user->middle)));
        least = real_min(least, small_radius(&place));
    }
    if (!(inner > 0.0) || !(least > -1e-6 * shape->size)) {
        return refuse_dent(call);
    }
    shape->inner_radius = safety * inner;
    shape->least_radius = real_max(0.0, safety * real_min(least, inner)); /* it never exceeds the radius of a ball inside */
    shape->bounds.lower =
        abut_vec3_make(user_support(shape, abut_neg(x)).x, user_support(shape, abut_neg(y)).y, user_support(shape, abut_neg(z)).z);
    shape->bounds.upper = abut_vec3_make(user_support(shape, x).x, user_support(shape, y).y, user_support(shape, z).z);
    shape->size = bounds_extent(shape->bounds);
    return ABUT_OK;
}
