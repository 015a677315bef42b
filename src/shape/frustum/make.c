/* abut_shape_create_cylinder, abut_shape_create_cone, abut_shape_create_frustum. */

#include <float.h>

#include "base/argument.h"
#include "base/real.h"
#include "shape/frustum/frustum.h"
#include "shape/lifecycle.h"
#include "shape/mass.h"
#include "shape/shape.h"

static abut_status create(const char *call, abut_kind kind, double radius, double top_radius, double height, abut_shape **shape) {
    abut_shape *made = shape_allocate(kind);
    if (made == NULL) {
        return ABUT_ERROR_OUT_OF_MEMORY;
    }
    double wide = real_max(radius, top_radius);
    made->round = frustum_make(radius, top_radius, height);
    made->size = real_max(2.0 * wide, height);
    made->inner_radius = made->round.inner_radius;
    made->bounds = (abut_aabb){{-wide, -wide, made->round.z[0]}, {wide, wide, made->round.z[1]}};
    made->unit_mass = mass_of_frustum(radius, top_radius, height);
    return shape_publish(call, made, shape);
}

abut_status abut_shape_create_cylinder(double radius, double half_height, abut_shape **shape) {
    if (argument_is_not_finite(CALL_NAME, "radius", radius) || argument_is_not_finite(CALL_NAME, "half_height", half_height)) {
        return ABUT_ERROR_NOT_FINITE;
    }
    if (argument_is_null(CALL_NAME, "shape", shape) || argument_is_not_positive(CALL_NAME, "radius", radius) ||
        argument_is_not_positive(CALL_NAME, "half_height", half_height)) {
        return ABUT_ERROR_INVALID_ARGUMENT;
    }
    return create(CALL_NAME, ABUT_SHAPE_CYLINDER, radius, radius, 2.0 * half_height, shape);
}

abut_status abut_shape_create_cone(double radius, double height, abut_shape **shape) {
    if (argument_is_not_finite(CALL_NAME, "radius", radius) || argument_is_not_finite(CALL_NAME, "height", height)) {
        return ABUT_ERROR_NOT_FINITE;
    }
    if (argument_is_null(CALL_NAME, "shape", shape) || argument_is_not_positive(CALL_NAME, "radius", radius) ||
        argument_is_not_positive(CALL_NAME, "height", height)) {
        return ABUT_ERROR_INVALID_ARGUMENT;
    }
    return create(CALL_NAME, ABUT_SHAPE_CONE, radius, 0.0, height, shape);
}

/* A disc that rounding error would merge with an apex is neither a face nor a point. */
static bool is_no_end(const char *call, const char *argument, double radius, double size) {
    return radius != 0.0 && !(radius > DBL_EPSILON * size) &&
           refused(call, "%s is %.9g: it must be 0 or above the rounding error of the size %.9g", argument, radius, size);
}

abut_status abut_shape_create_frustum(double radius, double top_radius, double height, abut_shape **shape) {
    if (argument_is_not_finite(CALL_NAME, "radius", radius) || argument_is_not_finite(CALL_NAME, "top_radius", top_radius) ||
        argument_is_not_finite(CALL_NAME, "height", height)) {
        return ABUT_ERROR_NOT_FINITE;
    }
    if (argument_is_null(CALL_NAME, "shape", shape) || argument_is_negative(CALL_NAME, "radius", radius) ||
        argument_is_negative(CALL_NAME, "top_radius", top_radius) || argument_is_not_positive(CALL_NAME, "height", height)) {
        return ABUT_ERROR_INVALID_ARGUMENT;
    }
    if (radius == 0.0 && top_radius == 0.0) {
        return refuse(ABUT_ERROR_INVALID_ARGUMENT, CALL_NAME, "radius and top_radius are both 0");
    }
    double size = real_max(2.0 * real_max(radius, top_radius), height);
    if (is_no_end(CALL_NAME, "radius", radius, size) || is_no_end(CALL_NAME, "top_radius", top_radius, size)) {
        return ABUT_ERROR_INVALID_ARGUMENT;
    }
    return create(CALL_NAME, ABUT_SHAPE_CONE, radius, top_radius, height, shape);
}
