/* How thick shapes are. */
#include "shape/inner.h"

#include "base/real.h"
#include "shape/closed/convex_mesh.h"
#include "shape/closed/inside.h"
#include "shape/trimesh.h"

static double least_of_parts(const abut_shape *shape) {
    double least = INFINITY;
    for (int32_t i = 0; i < shape->part_count; i++) {
        least = real_min(least, shape_inner_radius(shape->parts[i].shape));
    }
    return least;
}

/* A share of the least side of the bounds, for shapes whose inside is not known. */
static double guess(const abut_shape *shape) {
    abut_vec3 sides = abut_sub(shape->bounds.upper, shape->bounds.lower);
    return 0.1 * real_min(sides.x, real_min(sides.y, sides.z));
}

double shape_inner_radius(const abut_shape *shape) {
    switch (shape->kind) {
    case ABUT_SHAPE_PLANE:
        return 0.0;
    case ABUT_SHAPE_SPHERE:
    case ABUT_SHAPE_CAPSULE:
        return shape->radius;
    case ABUT_SHAPE_BOX:
        return real_min(shape->half.x, real_min(shape->half.y, shape->half.z));
    case ABUT_SHAPE_POLYTOPE:
        return shape->surface.inradius;
    case ABUT_SHAPE_CYLINDER:
    case ABUT_SHAPE_CONE:
    case ABUT_SHAPE_ELLIPSOID:
    case ABUT_SHAPE_SUPERQUADRIC:
        return shape->inner_radius;
    case ABUT_SHAPE_COMPOUND:
        return least_of_parts(shape);
    case ABUT_SHAPE_TRIMESH:
        return shape->mesh->convex != NULL ? shape_inner_radius(shape->mesh->convex->solid)
                                           : real_min(guess(shape), inside_radius(shape->mesh->inside));
    default:
        return guess(shape);
    }
}
