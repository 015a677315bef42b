/* The support function of shapes: the farthest point along a direction. Shape frame. */

#include <math.h>

#include "base/argument.h"
#include "base/real.h"
#include "geom/scan.h"
#include "shape/shape.h"
#include "shape/smooth.h"
#include "shape/trimesh.h"

/* The direction, scaled by a power of two so that its largest component is near 1. The scaling is exact, so equal products stay equal, and
 * nothing overflows. */
static abut_vec3 scaled_to_one(abut_vec3 d) {
    int exponent;
    frexp(real_max_number(fabs(d.x), real_max_number(fabs(d.y), fabs(d.z))), &exponent);
    return abut_vec3_make(ldexp(d.x, -exponent), ldexp(d.y, -exponent), ldexp(d.z, -exponent));
}

/* For a bounded convex shape. Returns the index of the vertex, or -1. */
static int32_t support_of_convex(const abut_shape *shape, abut_vec3 d, abut_vec3 *point) {
    if (shape->kind == ABUT_SHAPE_BOX || shape->kind == ABUT_SHAPE_POLYTOPE) {
        int32_t vertex = scan_farthest(&shape->surface.vertex_lanes, d);
        *point = shape->surface.vertices[vertex];
        return vertex;
    }
    if (smooth_is(shape)) {
        *point = smooth_support(shape, d);
        return -1;
    }
    if (shape_is_frustum(shape)) {
        (void)frustum_support(&shape->round, d, point);
        return -1;
    }
    abut_vec3 end = abut_vec3_make(0.0, 0.0, d.z > 0.0 ? shape->half_length : -shape->half_length);
    *point = abut_add_scaled(end, shape->radius, abut_unit(d));
    return -1;
}

static int32_t support_of_mesh(const trimesh *mesh, abut_vec3 d, abut_vec3 *point) {
    int32_t vertex = trimesh_farthest(mesh, d);
    *point = trimesh_vertex(mesh, vertex);
    return vertex;
}

static int32_t support_of_parts(const abut_shape *shape, abut_vec3 d, abut_vec3 *point) {
    int32_t vertex = -1;
    double largest = -INFINITY;
    for (int32_t i = 0; i < shape->part_count; i++) {
        const abut_part *part = &shape->parts[i];
        abut_vec3 found;
        int32_t index = support_of_convex(part->shape, abut_quat_rotate_inverse(part->pose.rotation, d), &found);
        found = abut_pose_apply(part->pose, found);
        if (abut_dot(found, d) > largest) {
            largest = abut_dot(found, d);
            *point = found;
            vertex = index;
        }
    }
    return vertex;
}

abut_status abut_shape_support(const abut_shape *shape, abut_vec3 direction, abut_vec3 *point, int32_t *vertex) {
    if (argument_is_no_vector(CALL_NAME, "direction", direction)) {
        return ABUT_ERROR_NOT_FINITE;
    }
    if (argument_is_null(CALL_NAME, "shape", shape) || argument_is_null(CALL_NAME, "point", point)) {
        return ABUT_ERROR_INVALID_ARGUMENT;
    }
    if (direction.x == 0.0 && direction.y == 0.0 && direction.z == 0.0) {
        return refuse(ABUT_ERROR_INVALID_ARGUMENT, CALL_NAME, "direction is zero");
    }
    if (shape->kind == ABUT_SHAPE_PLANE) {
        return ABUT_ERROR_UNBOUNDED;
    }
    if (smooth_is_unknown(shape)) {
        return refuse(ABUT_ERROR_NOT_CONVEX, CALL_NAME, "shape is a smooth shape that is not convex");
    }
    abut_vec3 d = scaled_to_one(direction);
    int32_t found = shape->kind == ABUT_SHAPE_COMPOUND ? support_of_parts(shape, d, point)
                    : shape->mesh != NULL              ? support_of_mesh(shape->mesh, d, point)
                                                       : support_of_convex(shape, d, point);
    if (vertex != NULL) {
        *vertex = found;
    }
    return ABUT_OK;
}
