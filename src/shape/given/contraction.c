/* Shapes with a contraction point of the caller. Such a shape shares everything but its own fields with the shape that it was made from. */
#include "shape/given/contraction.h"

#include <float.h>

#include "base/argument.h"
#include "base/real.h"
#include "shape/given/share.h"
#include "shape/inner.h"
#include "shape/smooth.h"
#include "shape/user.h"

double shape_depth_of(const abut_shape *shape, abut_vec3 point) {
    if (shape->kind == ABUT_SHAPE_BOX || shape->kind == ABUT_SHAPE_POLYTOPE) {
        return polytope_depth_of(&shape->surface, point);
    }
    if (smooth_is(shape)) {
        return smooth_depth_of(shape, point);
    }
    if (shape_is_frustum(shape)) {
        return -frustum_height(&shape->round, point);
    }
    double z = real_max(-shape->half_length, real_min(shape->half_length, point.z));
    return shape->radius - abut_length(abut_vec3_make(point.x, point.y, point.z - z));
}

/* The least depth of a contraction point: it must not be rounding error, neither beside the thickness of the shape nor beside its coordinates. */
static double least_depth(const abut_shape *shape) {
    double inner = smooth_is(shape) ? shape->inner_radius : shape_inner_radius(shape);
    const abut_vec3 *l = &shape->bounds.lower, *u = &shape->bounds.upper;
    double x = real_max(fabs(l->x), fabs(u->x)), y = real_max(fabs(l->y), fabs(u->y)), z = real_max(fabs(l->z), fabs(u->z));
    return real_max(1e-9 * inner, 8.0 * DBL_EPSILON * real_max(x, real_max(y, z)));
}

/* Whether the caller's function says that a point is not inside. It decides beside the depth, which is found by a search for the surface. */
static bool is_denied(const abut_shape *shape, abut_vec3 point) {
    return shape->kind == ABUT_SHAPE_IMPLICIT && !(implicit_at(&shape->user->implicit, point).value < 0.0);
}

abut_status abut_shape_create_with_contraction(const abut_shape *shape, abut_vec3 point, abut_shape **made) {
    if (argument_is_null(CALL_NAME, "shape", shape) || argument_is_null(CALL_NAME, "made", made)) {
        return ABUT_ERROR_INVALID_ARGUMENT;
    }
    if (!shape_is_convex(shape)) {
        return shape_refuse_kind(CALL_NAME, "shape", shape, "bounded and convex");
    }
    if (argument_is_no_vector(CALL_NAME, "point", point)) {
        return ABUT_ERROR_NOT_FINITE;
    }
    double depth = shape_depth_of(shape, point), least = least_depth(shape);
    if (!(depth > least) || is_denied(shape, point)) {
        return refuse(ABUT_ERROR_INVALID_ARGUMENT, CALL_NAME, "point is %.9g inside the shape: it must be inside by more than %.9g", depth,
                      least);
    }
    abut_shape *copy = shape_share(shape);
    if (copy == NULL) {
        return ABUT_ERROR_OUT_OF_MEMORY;
    }
    copy->contraction = point;
    copy->contraction_depth = depth;
    *made = copy;
    return ABUT_OK;
}

bool abut_shape_contraction(const abut_shape *shape, abut_vec3 *point) {
    bool has = shape != NULL && shape_has_contraction(shape);
    if (has && point != NULL) {
        *point = shape->contraction;
    }
    return has;
}
