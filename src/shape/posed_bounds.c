/* Axis-aligned bounds of posed shapes of every kind. */

#include <float.h>
#include <math.h>

#include "shape/bounds.h"
#include "shape/facet/mesh.h"
#include "shape/shape.h"
#include "shape/smooth.h"
#include "shape/trimesh.h"

static abut_aabb infinite_bounds(void) { return (abut_aabb){{-INFINITY, -INFINITY, -INFINITY}, {INFINITY, INFINITY, INFINITY}}; }

static abut_aabb bounds_about(abut_vec3 centre, abut_vec3 reach) { return (abut_aabb){abut_sub(centre, reach), abut_add(centre, reach)}; }

/* Half extents of a posed box centred on its frame's origin: |R| half. */
static abut_vec3 turned_extent(abut_mat3 turn, abut_vec3 half) {
    return abut_vec3_make(fabs(turn.x.x) * half.x + fabs(turn.y.x) * half.y + fabs(turn.z.x) * half.z,
                          fabs(turn.x.y) * half.x + fabs(turn.y.y) * half.y + fabs(turn.z.y) * half.z,
                          fabs(turn.x.z) * half.x + fabs(turn.y.z) * half.y + fabs(turn.z.z) * half.z);
}

static abut_aabb polytope_bounds(const polytope *surface, abut_pose pose, abut_mat3 turn) {
    abut_aabb bounds = bounds_empty();
    for (int32_t i = 0; i < surface->vertex_count; i++) {
        bounds_include(&bounds, abut_mat3_apply(turn, surface->vertices[i]));
    }
    return (abut_aabb){abut_add(bounds.lower, pose.position), abut_add(bounds.upper, pose.position)};
}

static abut_aabb mesh_bounds(const trimesh *mesh, abut_pose pose, abut_mat3 turn) {
    abut_aabb bounds = bounds_empty();
    for (int i = 0; i < 6; i++) {
        double sign = i % 2 == 0 ? 1.0 : -1.0;
        abut_vec3 along = i < 2 ? abut_vec3_make(sign, 0, 0) : i < 4 ? abut_vec3_make(0, sign, 0) : abut_vec3_make(0, 0, sign);
        bounds_include(&bounds,
                       abut_mat3_apply(turn, trimesh_vertex(mesh, trimesh_farthest(mesh, abut_mat3_apply_transposed(turn, along)))));
    }
    return (abut_aabb){abut_add(bounds.lower, pose.position), abut_add(bounds.upper, pose.position)};
}

/* From the support points along the world's axes. */
static abut_aabb smooth_bounds(const abut_shape *shape, abut_pose pose, abut_mat3 turn) {
    const abut_mat3 axes = abut_mat3_transpose(turn); /* the world's axes in the shape's frame */
    const abut_vec3 axis[3] = {axes.x, axes.y, axes.z};
    double low[3], high[3];
    for (int i = 0; i < 3; ++i) {
        high[i] = abut_dot(axis[i], smooth_support(shape, axis[i]));
        low[i] = shape->user == NULL ? -high[i] : abut_dot(axis[i], smooth_support(shape, abut_neg(axis[i])));
    }
    return (abut_aabb){abut_add(abut_vec3_make(low[0], low[1], low[2]), pose.position),
                       abut_add(abut_vec3_make(high[0], high[1], high[2]), pose.position)};
}

/* From the support function along the world's axes. */
static abut_aabb frustum_bounds(const frustum *f, abut_pose pose, abut_mat3 turn) {
    const abut_mat3 axes = abut_mat3_transpose(turn); /* the world's axes in the shape's frame */
    abut_vec3 high = {frustum_extent(f, axes.x), frustum_extent(f, axes.y), frustum_extent(f, axes.z)};
    abut_vec3 low = {frustum_extent(f, abut_neg(axes.x)), frustum_extent(f, abut_neg(axes.y)), frustum_extent(f, abut_neg(axes.z))};
    return (abut_aabb){abut_sub(pose.position, low), abut_add(pose.position, high)};
}

/* The bounds of a posed box that contains the shape. */
static abut_aabb box_bounds(abut_aabb box, abut_pose pose, abut_mat3 turn) {
    abut_vec3 half = abut_scale(0.5, abut_sub(box.upper, box.lower)), middle = abut_lerp(box.lower, box.upper, 0.5);
    abut_vec3 reach = {fabs(turn.x.x) * half.x + fabs(turn.y.x) * half.y + fabs(turn.z.x) * half.z,
                       fabs(turn.x.y) * half.x + fabs(turn.y.y) * half.y + fabs(turn.z.y) * half.z,
                       fabs(turn.x.z) * half.x + fabs(turn.y.z) * half.y + fabs(turn.z.z) * half.z};
    return bounds_about(abut_add(abut_mat3_apply(turn, middle), pose.position), reach);
}

/* A half-space is bounded on one side, and only when its plane is orthogonal to an axis. A quarter turn by a quaternion leaves components of some units in
 * the last place, which count as zero. */
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
        return bounds_empty();
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
    case ABUT_SHAPE_CYLINDER:
    case ABUT_SHAPE_CONE:
        return frustum_bounds(&shape->round, pose, turn);
    case ABUT_SHAPE_PLANE:
        return plane_bounds(shape, pose, turn);
    case ABUT_SHAPE_COMPOUND: {
        abut_aabb bounds = bounds_empty();
        for (int32_t i = 0; i < shape->part_count; i++) {
            const abut_part *part = &shape->parts[i];
            bounds = bounds_join(bounds, abut_shape_bounds(part->shape, abut_pose_compose(pose, part->pose)));
        }
        return bounds;
    }
    }
    return infinite_bounds();
}
