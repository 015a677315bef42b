/* A half-space; its surface is the plane normal . x = offset. */

#include <math.h>

#include "base/argument.h"
#include "shape/lifecycle.h"
#include "shape/shape.h"

abut_status abut_shape_create_plane(abut_vec3 normal, double offset, abut_shape **shape) {
    if (argument_is_no_vector(CALL_NAME, "normal", normal) || argument_is_not_finite(CALL_NAME, "offset", offset)) {
        return ABUT_ERROR_NOT_FINITE;
    }
    abut_vec3 unit = abut_unit(normal);
    if (argument_is_null(CALL_NAME, "shape", shape)) {
        return ABUT_ERROR_INVALID_ARGUMENT;
    }
    if (!(abut_length_squared(unit) > 0.0)) {
        return refuse(ABUT_ERROR_INVALID_ARGUMENT, CALL_NAME, "normal is zero: it must have a direction");
    }
    abut_shape *made = shape_allocate(ABUT_SHAPE_PLANE);
    if (made == NULL) {
        return ABUT_ERROR_OUT_OF_MEMORY;
    }
    made->normal = unit;
    made->offset = offset;
    *shape = made;
    return ABUT_OK;
}
