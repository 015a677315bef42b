/*
 * abut_shape_project(): the point of a surface nearest to a given point, and the side of the surface on which the given point lies. For meshes, cylinders and
 * cones.
 * World frame.
 */

#include <abut/mesh.h>

#include <float.h>

#include "base/argument.h"
#include "narrow/mesh/surface.h"
#include "narrow/pair.h"

static abut_status refuse_point(const char *call, abut_vec3 point) {
    if (!argument_is_no_vector(call, "point", point)) {
        (void)refused(call, "point is too far from the shape: its distance squared overflows");
    }
    return ABUT_ERROR_NOT_FINITE;
}

static abut_projection onto_frustum(const frustum *f, abut_vec3 seen) {
    frustum_point found = frustum_closest(f, seen);
    return (abut_projection){.point = found.point,
                             .normal = found.gap < 0.0 ? abut_neg(found.outward) : found.outward,
                             .distance = fabs(found.gap),
                             .feature = found.feature,
                             .behind = found.gap < 0.0};
}

static bool onto_mesh(const abut_shape *shape, abut_vec3 seen, abut_projection *projection) {
    const placed_mesh mesh = {.mesh = shape->mesh, .rotation = abut_mat3_identity(), .aligned = true};
    const mesh_surface surface = {&mesh, 1, .same = 1e-9 * shape->size};
    mesh_point found;
    if (!mesh_point_find(&surface, seen, INFINITY, &found)) {
        return false;
    }
    mesh_point_look_around(&surface, &found);
    abut_vec3 away = abut_sub(seen, found.closest);
    bool on_surface = !(found.distance > 4.0 * DBL_EPSILON * (abut_length(seen) + abut_length(found.closest)));
    bool behind = abut_dot(found.outwards, away) < 0.0;
    if (!on_surface && found.on_rim && trimesh_has_inside(shape->mesh)) { /* triangles without a face are missing there */
        behind = mesh_surface_winds_round(&mesh, seen);
    }
    *projection = (abut_projection){.point = found.closest,
                                    .normal = abut_unit(on_surface ? found.outwards : away),
                                    .distance = found.distance,
                                    .feature = found.feature,
                                    .behind = !on_surface && behind};
    return true;
}

abut_status abut_shape_project(const abut_shape *shape, abut_pose pose, abut_vec3 point, abut_projection *projection) {
    if (argument_is_null(CALL_NAME, "projection", projection) || argument_is_null(CALL_NAME, "shape", shape)) {
        return ABUT_ERROR_INVALID_ARGUMENT;
    }
    if (shape->kind != ABUT_SHAPE_TRIMESH && !shape_is_frustum(shape)) {
        return shape_refuse_kind(CALL_NAME, "shape", shape, "a trimesh, a cylinder or a cone");
    }
    abut_status status = collide_check_poses(&pose, &pose);
    if (status != ABUT_OK) {
        return collide_refuse_poses(status, CALL_NAME, "", &pose, &pose);
    }
    abut_vec3 seen = abut_pose_apply_inverse(pose, point);
    if (!isfinite(abut_length_squared(seen))) {
        return refuse_point(CALL_NAME, point);
    }
    abut_projection found;
    if (shape_is_frustum(shape)) {
        found = onto_frustum(&shape->round, seen);
    } else if (!onto_mesh(shape, seen, &found)) {
        return refuse_point(CALL_NAME, point);
    }
    found.point = abut_pose_apply(pose, found.point);
    found.normal = abut_unit(abut_quat_rotate(pose.rotation, found.normal));
    *projection = found;
    return ABUT_OK;
}
