/*
 * Ellipsoids. With D = diag(half^2) and q = sqrt(n . D n), the support function is q, the point with the normal n is D n / q, and the
 * matrix of the radii of curvature there is D / q - (D n)(D n)^T / q^3. Shape frame; its origin is the centre.
 */

#include <abut/smooth.h>

#include <math.h>

#include "base/argument.h"
#include "base/real.h"
#include "shape/lifecycle.h"
#include "shape/mass.h"
#include "shape/shape.h"
#include "shape/smooth.h"

abut_status abut_shape_create_ellipsoid(abut_vec3 half, abut_shape **shape) {
    if (argument_is_no_vector(CALL_NAME, "half", half)) {
        return ABUT_ERROR_NOT_FINITE;
    }
    if (argument_is_null(CALL_NAME, "shape", shape) || argument_is_no_half(CALL_NAME, half)) {
        return ABUT_ERROR_INVALID_ARGUMENT;
    }
    abut_shape *made = shape_allocate(ABUT_SHAPE_ELLIPSOID);
    if (made == NULL) {
        return ABUT_ERROR_OUT_OF_MEMORY;
    }
    double least = real_min_number(half.x, real_min_number(half.y, half.z)),
           largest = real_max_number(half.x, real_max_number(half.y, half.z));
    made->half = half;
    made->size = 2.0 * largest;
    made->inner_radius = least;
    made->least_radius = least * (least / largest);
    made->bounds = (abut_aabb){abut_neg(half), half};
    made->unit_mass = mass_of_ellipsoid(half);
    return shape_publish(CALL_NAME, made, shape);
}

static abut_vec3 times_squares(abut_vec3 half, abut_vec3 n) {
    return abut_vec3_make(half.x * half.x * n.x, half.y * half.y * n.y, half.z * half.z * n.z);
}

abut_vec3 ellipsoid_support(const abut_shape *shape, abut_vec3 n) {
    abut_vec3 y = times_squares(shape->half, n);
    return abut_scale(1.0 / sqrt(abut_dot(n, y)), y);
}

void ellipsoid_place(const abut_shape *shape, abut_vec3 n, abut_vec3 u, abut_vec3 v, smooth_place *place) {
    abut_vec3 y = times_squares(shape->half, n), du = times_squares(shape->half, u), dv = times_squares(shape->half, v);
    double inverse = 1.0 / sqrt(abut_dot(n, y));
    abut_vec3 point = abut_scale(inverse, y);
    double pu = abut_dot(point, u), pv = abut_dot(point, v);
    place->point = point;
    place->r11 = (abut_dot(u, du) - pu * pu) * inverse;
    place->r12 = (abut_dot(u, dv) - pu * pv) * inverse;
    place->r22 = (abut_dot(v, dv) - pv * pv) * inverse;
}

double ellipsoid_gauge(const abut_shape *shape, abut_vec3 point, abut_vec3 *slope) {
    const abut_vec3 *half = &shape->half;
    abut_vec3 x = abut_vec3_make(point.x / half->x, point.y / half->y, point.z / half->z);
    double value = abut_length(x), inverse = value > 0.0 ? 1.0 / value : 0.0;
    *slope = abut_vec3_make(x.x * inverse / half->x, x.y * inverse / half->y, x.z * inverse / half->z);
    return value;
}
