#pragma once

#include <abut/formula.h>
#include <abut/smooth.h>

#include "shape/smooth_place.h"

/*
 * Surfaces described by the caller's functions: F(x) = 0 or S(u, v). Shape frame. Points of convex surfaces are found by Newton's method,
 * from the nearest of about a hundred samples.
 */

typedef struct user_sample {
    abut_vec3 point, normal; /* outward, unit */
    double u, v;             /* of a parametric surface */
} user_sample;

struct formula;

typedef struct smooth_user {
    abut_implicit_def implicit;     /* function is NULL for a parametric surface */
    abut_parametric_def parametric; /* function is NULL for an implicit surface */
    double sign;                    /* sign of S_u x S_v: 1 where it points outward, else -1 */
    abut_vec3 middle;               /* a point inside */
    user_sample *samples;
    int32_t count;
    void *owned;                     /* context of the functions, if it belongs to the shape: one block of memory */
    const struct formula *formula;   /* the same, if it is a formula; else NULL */
    struct triangulation *triangles; /* of a surface that is not convex (shape/surface/triangulation_data.h); NULL if there is none */
} smooth_user;

/* Who makes a shape: the name of the public function, and where a refusal is also told, without "def->"; error may be NULL. */
typedef struct user_call {
    const char *name;
    abut_formula_error *error;
} user_call;

/* As refuse() of base/argument.h. */
#if defined(__GNUC__)
__attribute__((format(printf, 3, 4)))
#endif
abut_status
user_refuse(abut_status status, const user_call *call, const char *format, ...);
/* Writes the message of call->error, if there is one. */
void user_tell(const user_call *call, const char *message);

/* A shape of that kind whose `user` is zero. NULL when there is no memory. */
abut_shape *user_allocate(abut_kind kind);
void user_release(smooth_user *user);

abut_vec3 user_support(const abut_shape *shape, abut_vec3 n);
void user_place(const abut_shape *shape, abut_vec3 n, abut_vec3 u, abut_vec3 v, smooth_place *place);
double user_gauge(const abut_shape *shape, abut_vec3 point, abut_vec3 *slope);

/* Completes a shape that the caller declares convex: ABUT_OK; ABUT_ERROR_NOT_CONVEX, with a message in the name of `call`. */
abut_status user_make_convex(const user_call *call, abut_shape *shape);

/* The functions of smooth.h, for a context that the shape shall own: a formula, or any block of memory. On failure it still belongs to the caller. */
abut_status implicit_create(const user_call *call, const abut_implicit_def *def, struct formula *formula, abut_shape **shape);
abut_status parametric_create(const user_call *call, const abut_parametric_def *def, void *owned, const struct formula *formula,
                              abut_shape **shape);

/* Checks of a definition, as those of base/argument.h. */
bool user_lacks_function(const char *call, bool lacks);
bool user_range_is_empty(const char *call, const char *argument, const double range[2]);

/* ---- implicit ---- */

/* The function's value and derivatives. Outward is the side where the value is positive. */
static inline abut_implicit_point implicit_at(const abut_implicit_def *def, abut_vec3 point) {
    abut_implicit_point at = {.value = 0.0};
    def->function(def->context, point, &at);
    return at;
}

/* Where the ray from the point inside leaves the surface, as a multiple of the direction; negative when it does not leave within the
 * bounds. */
double implicit_exit(const abut_implicit_def *def, abut_vec3 direction);

/* The point with the outward normal n (unit), from a start near it. */
abut_vec3 implicit_settle(const abut_implicit_def *def, double size, abut_vec3 n, abut_vec3 start);

/* The matrix of curvatures along two directions of the tangent plane. */
void implicit_curvature(const abut_implicit_point *at, abut_vec3 u, abut_vec3 v, double k[3]);

/* ---- parametric ---- */

static inline abut_parametric_point parametric_at(const abut_parametric_def *def, double u, double v) {
    abut_parametric_point at = {.s = {0, 0, 0}};
    def->function(def->context, u, v, &at);
    return at;
}

/* Moves parameters into their ranges: wraps a periodic parameter, clamps others. */
void parametric_wrap(const abut_parametric_def *def, double *u, double *v);

/* The parameters of the point farthest along n, from the parameters of a point near it. */
void parametric_settle(const abut_parametric_def *def, abut_vec3 n, double *u, double *v);

/* The parameters of the point nearest to x. */
void parametric_project(const abut_parametric_def *def, abut_vec3 x, double *u, double *v);

/* The matrix of radii of curvature; false where it is singular. */
bool parametric_radii(const abut_parametric_point *at, abut_vec3 n, abut_vec3 u, abut_vec3 v, double r[3]);
/* The matrix of curvatures; false where the tangents do not span a plane. */
bool parametric_curvature(const abut_parametric_point *at, abut_vec3 n, abut_vec3 u, abut_vec3 v, double k[3]);

/* Mass for unit density by quadrature. Volume 0 when there is none. *open: the surface has a border, found as a flux through its hole. */
abut_mass mass_of_parametric(const abut_parametric_def *def, bool *open);
abut_mass mass_of_implicit(const abut_implicit_def *def);
