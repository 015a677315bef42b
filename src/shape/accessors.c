/* What callers may ask about a shape: kind, sizes, surface, parts and mass. */

#include <math.h>

#include <abut/smooth.h>

#include "base/argument.h"
#include "shape/shape.h"
#include "shape/smooth.h"
#include "shape/trimesh.h"

abut_kind abut_shape_kind(const abut_shape *shape) { return shape != NULL ? shape->kind : (abut_kind)0; }

const char *abut_kind_name(abut_kind kind) {
    switch (kind) {
    case ABUT_SHAPE_SPHERE:
        return "sphere";
    case ABUT_SHAPE_CAPSULE:
        return "capsule";
    case ABUT_SHAPE_BOX:
        return "box";
    case ABUT_SHAPE_POLYTOPE:
        return "polytope";
    case ABUT_SHAPE_PLANE:
        return "plane";
    case ABUT_SHAPE_COMPOUND:
        return "compound";
    case ABUT_SHAPE_TRIMESH:
        return "trimesh";
    case ABUT_SHAPE_ELLIPSOID:
        return "ellipsoid";
    case ABUT_SHAPE_SUPERQUADRIC:
        return "superquadric";
    case ABUT_SHAPE_IMPLICIT:
        return "implicit";
    case ABUT_SHAPE_PARAMETRIC:
        return "parametric";
    case ABUT_SHAPE_FACETMESH:
        return "facetmesh";
    case ABUT_SHAPE_CYLINDER:
        return "cylinder";
    case ABUT_SHAPE_CONE:
        return "cone";
    }
    return "unknown";
}

abut_status shape_refuse_kind(const char *call, const char *argument, const abut_shape *shape, const char *wanted) {
    return refuse(ABUT_ERROR_INVALID_ARGUMENT, call, "%s is a %s: it must be %s", argument, abut_kind_name(shape->kind), wanted);
}

abut_vec3 abut_shape_semi_axes(const abut_shape *shape) {
    return shape != NULL && smooth_is(shape) && shape->user == NULL ? shape->half : abut_vec3_make(0.0, 0.0, 0.0);
}

void abut_shape_exponents(const abut_shape *shape, double *e1, double *e2) {
    if (e1 != NULL) {
        *e1 = shape != NULL ? shape->exponent[0] : 0.0;
    }
    if (e2 != NULL) {
        *e2 = shape != NULL ? shape->exponent[1] : 0.0;
    }
}

double abut_shape_radius(const abut_shape *shape) {
    return shape == NULL ? 0.0 : shape_is_frustum(shape) ? shape->round.radius[0] : shape->radius;
}

double abut_shape_top_radius(const abut_shape *shape) { return shape != NULL ? shape->round.radius[1] : 0.0; }

double abut_shape_height(const abut_shape *shape) { return shape != NULL ? shape->round.height : 0.0; }

double abut_shape_half_length(const abut_shape *shape) { return shape != NULL ? shape->half_length : 0.0; }

abut_vec3 abut_shape_half_sizes(const abut_shape *shape) {
    return shape != NULL && shape->kind == ABUT_SHAPE_BOX ? shape->half : abut_vec3_make(0.0, 0.0, 0.0);
}

abut_vec3 abut_shape_plane_normal(const abut_shape *shape) { return shape != NULL ? shape->normal : abut_vec3_make(0, 0, 0); }

double abut_shape_plane_offset(const abut_shape *shape) { return shape != NULL ? shape->offset : 0.0; }

abut_status abut_shape_polytope(const abut_shape *shape, abut_polytope_view *view) {
    if (argument_is_null(CALL_NAME, "shape", shape) || argument_is_null(CALL_NAME, "view", view)) {
        return ABUT_ERROR_INVALID_ARGUMENT;
    }
    if (shape->kind != ABUT_SHAPE_BOX && shape->kind != ABUT_SHAPE_POLYTOPE) {
        return shape_refuse_kind(CALL_NAME, "shape", shape, "a box or a polytope");
    }
    const polytope *surface = &shape->surface;
    *view = (abut_polytope_view){.vertices = surface->vertices,
                                 .vertex_count = surface->vertex_count,
                                 .face_count = surface->face_count,
                                 .face_first = surface->face_first,
                                 .face_vertices = surface->face_vertices,
                                 .face_normals = surface->normals,
                                 .edge_count = surface->edge_count,
                                 .edge_vertices = surface->edge_vertices};
    return ABUT_OK;
}

int32_t abut_shape_part_count(const abut_shape *shape) {
    if (shape == NULL) {
        return 0;
    }
    return shape->kind == ABUT_SHAPE_COMPOUND ? shape->part_count : 1;
}

abut_status abut_shape_part(const abut_shape *shape, int32_t index, abut_part *part) {
    if (argument_is_null(CALL_NAME, "part", part) || argument_is_null(CALL_NAME, "shape", shape) ||
        argument_is_no_index(CALL_NAME, "index", index, abut_shape_part_count(shape))) {
        return ABUT_ERROR_INVALID_ARGUMENT;
    }
    *part = shape->kind == ABUT_SHAPE_COMPOUND ? shape->parts[index] : (abut_part){shape, abut_pose_identity()};
    return ABUT_OK;
}

abut_status abut_shape_mass(const abut_shape *shape, double density, abut_mass *mass) {
    if (argument_is_null(CALL_NAME, "shape", shape) || argument_is_null(CALL_NAME, "mass", mass) ||
        argument_is_not_finite(CALL_NAME, "density", density) || argument_is_not_positive(CALL_NAME, "density", density)) {
        return ABUT_ERROR_INVALID_ARGUMENT;
    }
    if (shape->kind == ABUT_SHAPE_PLANE) {
        return ABUT_ERROR_UNBOUNDED;
    }
    if (shape->kind == ABUT_SHAPE_TRIMESH && !shape->mesh->closed) {
        return refuse(ABUT_ERROR_NOT_CLOSED, CALL_NAME, "shape is a mesh without an inside");
    }
    abut_mass scaled = shape->unit_mass;
    scaled.mass = density * scaled.volume;
    scaled.inertia.x = abut_scale(density, scaled.inertia.x);
    scaled.inertia.y = abut_scale(density, scaled.inertia.y);
    scaled.inertia.z = abut_scale(density, scaled.inertia.z);
    if (!isnormal(scaled.mass) || !isnormal(scaled.inertia.x.x) || !isnormal(scaled.inertia.y.y) || !isnormal(scaled.inertia.z.z)) {
        return refuse(ABUT_ERROR_INVALID_ARGUMENT, CALL_NAME, "density is %.9g: mass or inertia leaves the range of numbers", density);
    }
    *mass = scaled;
    return ABUT_OK;
}
