/* All points within a radius of a segment on the z axis about the origin. */

#include <math.h>

#include "base/argument.h"
#include "shape/lifecycle.h"
#include "shape/mass.h"
#include "shape/shape.h"

abut_status abut_shape_create_capsule(double radius, double half_length, abut_shape **shape) {
    if (argument_is_not_finite(CALL_NAME, "radius", radius) || argument_is_not_finite(CALL_NAME, "half_length", half_length)) {
        return ABUT_ERROR_NOT_FINITE;
    }
    if (argument_is_null(CALL_NAME, "shape", shape) || argument_is_not_positive(CALL_NAME, "radius", radius) ||
        argument_is_negative(CALL_NAME, "half_length", half_length)) {
        return ABUT_ERROR_INVALID_ARGUMENT;
    }
    abut_shape *made = shape_allocate(ABUT_SHAPE_CAPSULE);
    if (made == NULL) {
        return ABUT_ERROR_OUT_OF_MEMORY;
    }
    double reach = half_length + radius;
    made->radius = radius;
    made->half_length = half_length;
    made->size = 2.0 * reach;
    made->bounds = (abut_aabb){{-radius, -radius, -reach}, {radius, radius, reach}};
    made->unit_mass = mass_of_capsule(radius, half_length);
    return shape_publish(CALL_NAME, made, shape);
}
