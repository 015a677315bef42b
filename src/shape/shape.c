/* What all shapes share: references, queries and bounds of posed shapes. */

#include <float.h>
#include <math.h>

#include <abut/smooth.h>

#include "base/memory.h"
#include "base/real.h"
#include "shape/facet/mesh.h"
#include "shape/shape.h"
#include "base/argument.h"
#include "shape/smooth.h"
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
    for (int32_t i = 0; i < shape->part_count; i++) {
        abut_shape_release(shape->parts[i].shape);
    }
    memory_release(shape->parts);
    memory_release(shape->part_bounds);
    polytope_release(&shape->surface);
    facetmesh_release(shape->facets, shape->mesh);
    trimesh_release(shape->mesh);
    user_release(shape->user);
    memory_release(shape);
}

/* No product of lengths in the library has more factors: a moment of inertia has five, two volumes have six. */
static bool is_ordinary(double length) {
    double volume = length * length * length;
    return isnormal(volume * volume);
}

/* By the radius of a largest ball inside. Turned anyhow, a polytope thinner than a rounding of its size has both its sides at one place; a
 * capsule has an axis. Parts of a compound were looked at when they were made. */
static bool is_thick_enough(const abut_shape *shape) {
    switch (shape->kind) {
    case ABUT_SHAPE_SPHERE:
    case ABUT_SHAPE_CAPSULE:
        return is_ordinary(shape->radius);
    case ABUT_SHAPE_ELLIPSOID:
    case ABUT_SHAPE_SUPERQUADRIC:
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
    shape->bounds = shape_point_bounds(shape->surface.vertices, shape->surface.vertex_count);
    return shape_publish(call, shape, result);
}

abut_status shape_publish_mesh(const char *call, abut_shape *shape, abut_shape **result) {
    const abut_vec3 *lower = &shape->bounds.lower, *upper = &shape->bounds.upper;
    shape->size = shape_largest_extent(shape->bounds);
    double farthest = real_most(real_most(real_most(fabs(lower->x), fabs(upper->x)), real_most(fabs(lower->y), fabs(upper->y))),
                                real_most(fabs(lower->z), fabs(upper->z)));
    if (!is_ordinary(shape->size) || !isfinite(farthest * farthest * farthest * farthest * farthest * farthest)) {
        (void)refused(call, "the mesh is too large or too small: its size is %.9g, its largest coordinate %.9g", shape->size, farthest);
        shape_free(shape);
        return ABUT_ERROR_INVALID_ARGUMENT;
    }
    *result = shape;
    return ABUT_OK;
}

abut_status shape_refuse_kind(const char *call, const char *argument, const abut_shape *shape, const char *wanted) {
    return refuse(ABUT_ERROR_INVALID_ARGUMENT, call, "%s is a %s: it must be %s", argument, abut_kind_name(shape->kind), wanted);
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
    /* What other threads did with the shape must come before it is freed here. */
    if (atomic_fetch_sub_explicit(&owned->references, 1, memory_order_acq_rel) == 1) {
        shape_free(owned);
    }
}

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
    }
    return "unknown";
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

double abut_shape_radius(const abut_shape *shape) { return shape != NULL ? shape->radius : 0.0; }

double abut_shape_half_length(const abut_shape *shape) { return shape != NULL ? shape->half_length : 0.0; }

abut_vec3 abut_shape_plane_normal(const abut_shape *shape) { return shape != NULL ? shape->normal : abut_vec3_make(0, 0, 0); }

double abut_shape_plane_offset(const abut_shape *shape) { return shape != NULL ? shape->offset : 0.0; }

abut_status abut_shape_polytope(const abut_shape *shape, abut_polytope_view *view) {
    if (argument_is_null(__func__, "shape", shape) || argument_is_null(__func__, "view", view)) {
        return ABUT_ERROR_INVALID_ARGUMENT;
    }
    if (shape->kind != ABUT_SHAPE_BOX && shape->kind != ABUT_SHAPE_POLYTOPE) {
        return shape_refuse_kind(__func__, "shape", shape, "a box or a polytope");
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
    if (argument_is_null(__func__, "part", part) || argument_is_null(__func__, "shape", shape) ||
        argument_is_no_index(__func__, "index", index, abut_shape_part_count(shape))) {
        return ABUT_ERROR_INVALID_ARGUMENT;
    }
    *part = shape->kind == ABUT_SHAPE_COMPOUND ? shape->parts[index] : (abut_part){shape, abut_pose_identity()};
    return ABUT_OK;
}

abut_status abut_shape_mass(const abut_shape *shape, double density, abut_mass *mass) {
    if (argument_is_null(__func__, "shape", shape) || argument_is_null(__func__, "mass", mass) || argument_is_not_finite(__func__, "density", density) ||
        argument_is_not_positive(__func__, "density", density)) {
        return ABUT_ERROR_INVALID_ARGUMENT;
    }
    if (shape->kind == ABUT_SHAPE_PLANE) {
        return ABUT_ERROR_UNBOUNDED;
    }
    if (shape->kind == ABUT_SHAPE_TRIMESH && !shape->mesh->closed) {
        return refuse(ABUT_ERROR_NOT_CLOSED, __func__, "shape is a mesh without an inside");
    }
    abut_mass scaled = shape->unit_mass;
    scaled.mass = density * scaled.volume;
    scaled.inertia.x = abut_scale(density, scaled.inertia.x);
    scaled.inertia.y = abut_scale(density, scaled.inertia.y);
    scaled.inertia.z = abut_scale(density, scaled.inertia.z);
    if (!isnormal(scaled.mass) || !isnormal(scaled.inertia.x.x) || !isnormal(scaled.inertia.y.y) || !isnormal(scaled.inertia.z.z)) {
        return refuse(ABUT_ERROR_INVALID_ARGUMENT, __func__, "density is %.9g: mass or inertia leaves the range of numbers", density);
    }
    *mass = scaled;
    return ABUT_OK;
}

abut_aabb shape_join_bounds(abut_aabb a, abut_aabb b) {
    return (abut_aabb){{real_least(a.lower.x, b.lower.x), real_least(a.lower.y, b.lower.y), real_least(a.lower.z, b.lower.z)},
                       {real_most(a.upper.x, b.upper.x), real_most(a.upper.y, b.upper.y), real_most(a.upper.z, b.upper.z)}};
}

static abut_aabb empty_bounds(void) { return (abut_aabb){{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}}; }

static abut_aabb infinite_bounds(void) { return (abut_aabb){{-INFINITY, -INFINITY, -INFINITY}, {INFINITY, INFINITY, INFINITY}}; }

/* By comparisons, which the compiler turns into vector instructions; fmin and fmax are calls. */
static void include_point(abut_aabb *bounds, abut_vec3 p) {
    bounds->lower.x = p.x < bounds->lower.x ? p.x : bounds->lower.x;
    bounds->lower.y = p.y < bounds->lower.y ? p.y : bounds->lower.y;
    bounds->lower.z = p.z < bounds->lower.z ? p.z : bounds->lower.z;
    bounds->upper.x = p.x > bounds->upper.x ? p.x : bounds->upper.x;
    bounds->upper.y = p.y > bounds->upper.y ? p.y : bounds->upper.y;
    bounds->upper.z = p.z > bounds->upper.z ? p.z : bounds->upper.z;
}

abut_aabb shape_point_bounds(const abut_vec3 *points, int32_t count) {
    abut_aabb bounds = empty_bounds();
    for (int32_t i = 0; i < count; i++) {
        include_point(&bounds, points[i]);
    }
    return bounds;
}

double shape_largest_extent(abut_aabb bounds) {
    abut_vec3 extent = abut_sub(bounds.upper, bounds.lower);
    return real_most(extent.x, real_most(extent.y, extent.z));
}

static abut_aabb bounds_about(abut_vec3 centre, abut_vec3 reach) { return (abut_aabb){abut_sub(centre, reach), abut_add(centre, reach)}; }

/* Half extents of a posed box centred on its frame's origin: |R| half. */
static abut_vec3 turned_extent(abut_mat3 turn, abut_vec3 half) {
    return abut_vec3_make(fabs(turn.x.x) * half.x + fabs(turn.y.x) * half.y + fabs(turn.z.x) * half.z,
                          fabs(turn.x.y) * half.x + fabs(turn.y.y) * half.y + fabs(turn.z.y) * half.z,
                          fabs(turn.x.z) * half.x + fabs(turn.y.z) * half.y + fabs(turn.z.z) * half.z);
}

static abut_aabb polytope_bounds(const polytope *surface, abut_pose pose, abut_mat3 turn) {
    abut_aabb bounds = empty_bounds();
    for (int32_t i = 0; i < surface->vertex_count; i++) {
        include_point(&bounds, abut_mat3_apply(turn, surface->vertices[i]));
    }
    return (abut_aabb){abut_add(bounds.lower, pose.position), abut_add(bounds.upper, pose.position)};
}

static abut_aabb mesh_bounds(const trimesh *mesh, abut_pose pose, abut_mat3 turn) {
    abut_aabb bounds = empty_bounds();
    for (int i = 0; i < 6; i++) {
        double sign = i % 2 == 0 ? 1.0 : -1.0;
        abut_vec3 along = i < 2 ? abut_vec3_make(sign, 0, 0) : i < 4 ? abut_vec3_make(0, sign, 0) : abut_vec3_make(0, 0, sign);
        include_point(&bounds, abut_mat3_apply(turn, trimesh_vertex(mesh, trimesh_farthest(mesh, abut_mat3_apply_transposed(turn, along)))));
    }
    return (abut_aabb){abut_add(bounds.lower, pose.position), abut_add(bounds.upper, pose.position)};
}

/* By the support points along the world's axes. */
static abut_aabb smooth_bounds(const abut_shape *shape, abut_pose pose, abut_mat3 turn) {
    const abut_mat3 axes = abut_mat3_transpose(turn); /* the world's, in the shape's frame */
    const abut_vec3 axis[3] = {axes.x, axes.y, axes.z};
    double low[3], high[3];
    for (int i = 0; i < 3; ++i) {
        high[i] = abut_dot(axis[i], smooth_support(shape, axis[i]));
        low[i] = shape->user == NULL ? -high[i] : abut_dot(axis[i], smooth_support(shape, abut_neg(axis[i])));
    }
    return (abut_aabb){abut_add(abut_vec3_make(low[0], low[1], low[2]), pose.position),
                       abut_add(abut_vec3_make(high[0], high[1], high[2]), pose.position)};
}

/* Those of a box that holds the shape. */
static abut_aabb box_bounds(abut_aabb box, abut_pose pose, abut_mat3 turn) {
    abut_vec3 half = abut_scale(0.5, abut_sub(box.upper, box.lower)), middle = abut_lerp(box.lower, box.upper, 0.5);
    abut_vec3 reach = {fabs(turn.x.x) * half.x + fabs(turn.y.x) * half.y + fabs(turn.z.x) * half.z,
                       fabs(turn.x.y) * half.x + fabs(turn.y.y) * half.y + fabs(turn.z.y) * half.z,
                       fabs(turn.x.z) * half.x + fabs(turn.y.z) * half.y + fabs(turn.z.z) * half.z};
    return bounds_about(abut_add(abut_mat3_apply(turn, middle), pose.position), reach);
}

/* A half-space is bounded on one side, and only when its plane is square to an axis; a quarter turn by a quaternion leaves components of
 * some units in the last place, which count as zero. */
static abut_aabb plane_bounds(const abut_shape *shape, abut_pose pose, abut_mat3 turn) {
    abut_vec3 n = abut_mat3_apply(turn, shape->normal);
    double height = shape->offset + abut_dot(n, pose.position);
    double zero = 4.0 * DBL_EPSILON;
    bool x = fabs(n.x) > zero, y = fabs(n.y) > zero, z = fabs(n.z) > zero;
    abut_aabb bounds = infinite_bounds();
    if (x + y + z != 1) {
        return bounds;
    }
    double component = x ? n.x : y ? n.y : n.z;
    abut_vec3 *side = component > 0.0 ? &bounds.upper : &bounds.lower;
    *(x ? &side->x : y ? &side->y : &side->z) = component > 0.0 ? height : -height;
    return bounds;
}

abut_aabb abut_shape_bounds(const abut_shape *shape, abut_pose pose) {
    if (shape == NULL) {
        return empty_bounds();
    }
    if (!abut_pose_is_valid(pose)) {
        return infinite_bounds();
    }
    abut_mat3 turn = abut_mat3_from_quat(pose.rotation);
    double r = shape->radius;
    switch (shape->kind) {
    case ABUT_SHAPE_SPHERE:
        return bounds_about(pose.position, abut_vec3_make(r, r, r));
    case ABUT_SHAPE_CAPSULE: {
        double h = shape->half_length;
        return bounds_about(pose.position, abut_vec3_make(fabs(h * turn.z.x) + r, fabs(h * turn.z.y) + r, fabs(h * turn.z.z) + r));
    }
    case ABUT_SHAPE_BOX:
        return bounds_about(pose.position, turned_extent(turn, shape->half));
    case ABUT_SHAPE_POLYTOPE:
        return polytope_bounds(&shape->surface, pose, turn);
    case ABUT_SHAPE_TRIMESH:
        return mesh_bounds(shape->mesh, pose, turn);
    case ABUT_SHAPE_FACETMESH:
        return facetmesh_bounds(shape, pose, turn);
    case ABUT_SHAPE_ELLIPSOID:
    case ABUT_SHAPE_SUPERQUADRIC:
        return smooth_bounds(shape, pose, turn);
    case ABUT_SHAPE_IMPLICIT:
    case ABUT_SHAPE_PARAMETRIC:
        return shape->convex ? smooth_bounds(shape, pose, turn) : box_bounds(shape->bounds, pose, turn);
    case ABUT_SHAPE_PLANE:
        return plane_bounds(shape, pose, turn);
    case ABUT_SHAPE_COMPOUND: {
        abut_aabb bounds = empty_bounds();
        for (int32_t i = 0; i < shape->part_count; i++) {
            const abut_part *part = &shape->parts[i];
            bounds = shape_join_bounds(bounds, abut_shape_bounds(part->shape, abut_pose_compose(pose, part->pose)));
        }
        return bounds;
    }
    }
    return infinite_bounds();
}
