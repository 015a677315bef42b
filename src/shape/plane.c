/* A half-space; its surface is the plane normal . x = offset. */

#include <math.h>

#include "shape/lifecycle.h"
#include "shape/shape.h"

abut_status abut_shape_create_plane(abut_vec3 normal, double offset, abut_shape **shape) {
    if (!abut_vec3_is_finite(normal) || !isfinite(offset)) {
        return ABUT_ERROR_NOT_FINITE;
    }
    abut_vec3 unit = abut_unit(normal);
    if (shape == NULL || !(abut_length_squared(unit) > 0.0)) {
        return ABUT_ERROR_INVALID_ARGUMENT;
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
