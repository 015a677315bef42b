/* Functions for smooth shapes of any kind. */

#include "shape/smooth.h"

#include "shape/user.h"

abut_vec3 smooth_middle(const abut_shape *shape) { return shape->user != NULL ? shape->user->middle : abut_vec3_make(0.0, 0.0, 0.0); }

abut_vec3 smooth_support(const abut_shape *shape, abut_vec3 n) {
    return shape->kind == ABUT_SHAPE_ELLIPSOID      ? ellipsoid_support(shape, n)
           : shape->kind == ABUT_SHAPE_SUPERQUADRIC ? superquadric_support(shape, n)
                                                    : user_support(shape, n);
}

void smooth_place_find(const abut_shape *shape, abut_vec3 n, abut_vec3 u, abut_vec3 v, smooth_place *place) {
    if (shape->kind == ABUT_SHAPE_ELLIPSOID) {
        ellipsoid_place(shape, n, u, v, place);
    } else if (shape->kind == ABUT_SHAPE_SUPERQUADRIC) {
        superquadric_place(shape, n, u, v, place);
    } else {
        user_place(shape, n, u, v, place);
    }
}

double smooth_gauge(const abut_shape *shape, abut_vec3 point, abut_vec3 *slope) {
    return shape->kind == ABUT_SHAPE_ELLIPSOID      ? ellipsoid_gauge(shape, point, slope)
           : shape->kind == ABUT_SHAPE_SUPERQUADRIC ? superquadric_gauge(shape, point, slope)
                                                    : user_gauge(shape, point, slope);
}

/* Where the gauge has the value g, a ball of (1 - g) times the inner radius fits around the point. Outside, the plane of its slope
 * separates the point from the surface. */
double smooth_depth_of(const abut_shape *shape, abut_vec3 point) {
    abut_vec3 slope;
    double value = smooth_gauge(shape, point, &slope);
    return value <= 1.0 ? (1.0 - value) * shape->inner_radius : (1.0 - value) / abut_length(slope);
}
