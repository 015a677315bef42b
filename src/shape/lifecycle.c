/* Allocates, publishes and frees shapes of every kind, and counts references. */

#include "shape/lifecycle.h"

#include <float.h>
#include <math.h>

#include "base/argument.h"
#include "base/memory.h"
#include "base/real.h"
#include "shape/bounds.h"
#include "shape/facet/mesh.h"
#include "shape/shape.h"
#include "shape/trimesh.h"
#include "shape/user.h"

abut_shape *shape_allocate(abut_kind kind) {
    abut_shape *shape = memory_allocate(1, sizeof *shape);
    if (shape != NULL) {
        shape->kind = kind;
        atomic_init(&shape->references, 1);
    }
    return shape;
}

void shape_free(abut_shape *shape) {
    if (shape == NULL) {
        return;
    }
    if (shape->base != NULL) {
        abut_shape_release(shape->base);
        memory_release(shape);
        return;
    }
    for (int32_t i = 0; i < shape->part_count; i++) {
        abut_shape_release(shape->parts[i].shape);
    }
    memory_release(shape->parts);
    memory_release(shape->part_bounds);
    polytope_release(&shape->surface);
    facetmesh_release(shape->facets, shape->mesh);
    trimesh_release(shape->mesh);
    user_release(shape->user);
    shape_free(atomic_load_explicit(&shape->skin, memory_order_acquire));
    memory_release(shape);
}

/* Whether products of lengths neither overflow nor underflow. The longest products in the library have six factors: a moment of inertia has five, two
 * volumes have six. */
static bool is_ordinary(double length) {
    double volume = length * length * length;
    return isnormal(volume * volume);
}

/* Tests the radius of a largest inscribed ball. A polytope that is thinner than the rounding error of its size has both its sides at one place after a
 * rotation; a capsule has an axis instead. Parts of a compound were tested when they were made. */
static bool is_thick_enough(const abut_shape *shape) {
    switch (shape->kind) {
    case ABUT_SHAPE_SPHERE:
    case ABUT_SHAPE_CAPSULE:
        return is_ordinary(shape->radius);
    case ABUT_SHAPE_ELLIPSOID:
    case ABUT_SHAPE_SUPERQUADRIC:
    case ABUT_SHAPE_CYLINDER:
    case ABUT_SHAPE_CONE:
        return is_ordinary(shape->inner_radius) && shape->inner_radius > DBL_EPSILON * shape->size;
    case ABUT_SHAPE_BOX:
    case ABUT_SHAPE_POLYTOPE:
        return is_ordinary(shape->surface.inradius) && shape->surface.inradius > DBL_EPSILON * shape->size;
    case ABUT_SHAPE_IMPLICIT:
    case ABUT_SHAPE_PARAMETRIC:
        return !shape->convex || shape->inner_radius > DBL_EPSILON * shape->size;
    default:
        return true;
    }
}

abut_status shape_publish(const char *call, abut_shape *shape, abut_shape **result) {
    const abut_mass *mass = &shape->unit_mass;
    bool sound = is_ordinary(shape->size) && is_thick_enough(shape) && isnormal(mass->volume) && mass->volume > 0.0 &&
                 isnormal(mass->inertia.x.x) && isnormal(mass->inertia.y.y) && isnormal(mass->inertia.z.z) &&
                 abut_vec3_is_finite(mass->centre);
    if (!sound) {
        (void)refused(call, "the shape is too large, too small or too thin: its size is %.9g, its volume %.9g", shape->size, mass->volume);
        shape_free(shape);
        return ABUT_ERROR_INVALID_ARGUMENT;
    }
    *result = shape;
    return ABUT_OK;
}

abut_status shape_publish_polytope(const char *call, abut_shape *shape, abut_shape **result) {
    shape->size = shape->surface.size;
    shape->bounds = bounds_of_points(shape->surface.vertices, shape->surface.vertex_count);
    return shape_publish(call, shape, result);
}

abut_status shape_publish_mesh(const char *call, abut_shape *shape, abut_shape **result) {
    const abut_vec3 *lower = &shape->bounds.lower, *upper = &shape->bounds.upper;
    shape->size = bounds_extent(shape->bounds);
    double farthest =
        real_max_number(real_max_number(real_max_number(fabs(lower->x), fabs(upper->x)), real_max_number(fabs(lower->y), fabs(upper->y))),
                        real_max_number(fabs(lower->z), fabs(upper->z)));
    if (!is_ordinary(shape->size) || !isfinite(farthest * farthest * farthest * farthest * farthest * farthest)) {
        (void)refused(call, "the mesh is too large or too small: its size is %.9g, its largest coordinate %.9g", shape->size, farthest);
        shape_free(shape);
        return ABUT_ERROR_INVALID_ARGUMENT;
    }
    *result = shape;
    return ABUT_OK;
}

const abut_shape *abut_shape_retain(const abut_shape *shape) {
    if (shape != NULL) {
        atomic_fetch_add_explicit(&((abut_shape *)(uintptr_t)shape)->references, 1, memory_order_relaxed);
    }
    return shape;
}

void abut_shape_release(const abut_shape *shape) {
    if (shape == NULL) {
        return;
    }
    abut_shape *owned = (abut_shape *)(uintptr_t)shape;
    /* Writes by other threads must be visible before the shape is freed here. */
    if (atomic_fetch_sub_explicit(&owned->references, 1, memory_order_acq_rel) == 1) {
        shape_free(owned);
    }
}
