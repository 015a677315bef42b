/* A ball about the origin of its frame. */

#include <math.h>

#include "base/argument.h"
#include "shape/lifecycle.h"
#include "shape/mass.h"
#include "shape/shape.h"

abut_status abut_shape_create_sphere(double radius, abut_shape **shape) {
    if (argument_is_not_finite(CALL_NAME, "radius", radius)) {
        return ABUT_ERROR_NOT_FINITE;
    }
    if (argument_is_null(CALL_NAME, "shape", shape) || argument_is_not_positive(CALL_NAME, "radius", radius)) {
        return ABUT_ERROR_INVALID_ARGUMENT;
    }
    abut_shape *made = shape_allocate(ABUT_SHAPE_SPHERE);
    if (made == NULL) {
        return ABUT_ERROR_OUT_OF_MEMORY;
    }
    made->radius = radius;
    made->size = 2.0 * radius;
    made->bounds = (abut_aabb){{-radius, -radius, -radius}, {radius, radius, radius}};
    made->unit_mass = mass_of_sphere(radius);
    return shape_publish(CALL_NAME, made, shape);
}
