/*
 * abut_shape_project(): the point of a mesh's surface nearest to a given point, and the side of the surface on which the given point lies.
 * World frame.
 */

#include <abut/mesh.h>

#include <float.h>

#include "base/argument.h"
#include "narrow/mesh/point.h"
#include "narrow/pair.h"

static abut_status refuse_point(const char *call, abut_vec3 point) {
    if (!argument_is_no_vector(call, "point", point)) {
        (void)refused(call, "point is too far from the mesh: its distance squared overflows");
    }
    return ABUT_ERROR_NOT_FINITE;
}

abut_status abut_shape_project(const abut_shape *shape, abut_pose pose, abut_vec3 point, abut_projection *projection) {
    if (argument_is_null(CALL_NAME, "projection", projection) || argument_is_null(CALL_NAME, "shape", shape)) {
        return ABUT_ERROR_INVALID_ARGUMENT;
    }
    if (shape->kind != ABUT_SHAPE_TRIMESH) {
        return shape_refuse_kind(CALL_NAME, "shape", shape, "a trimesh");
    }
    abut_status status = collide_check_poses(&pose, &pose);
    if (status != ABUT_OK) {
        return collide_refuse_poses(status, CALL_NAME, "", &pose, &pose);
    }
    abut_vec3 seen = abut_pose_apply_inverse(pose, point);
    if (!isfinite(abut_length_squared(seen))) {
        return refuse_point(CALL_NAME, point);
    }
    const placed_mesh mesh = {.mesh = shape->mesh, .rotation = abut_mat3_identity(), .aligned = true};
    mesh_point found;
    if (!mesh_point_find(&mesh, 1, seen, INFINITY, 1e-9 * shape->size, &found)) {
        return refuse_point(CALL_NAME, point);
    }
    mesh_point_look_around(&mesh, 1, &found);
    abut_vec3 away = abut_sub(seen, found.closest);
    bool on_surface = !(found.distance > 4.0 * DBL_EPSILON * (abut_length(seen) + abut_length(found.closest)));
    abut_vec3 normal = abut_unit(on_surface ? found.outwards : away);
    *projection = (abut_projection){.point = abut_pose_apply(pose, found.closest),
                                    .normal = abut_unit(abut_quat_rotate(pose.rotation, normal)),
                                    .distance = found.distance,
                                    .feature = found.feature,
                                    .behind = !on_surface && abut_dot(found.outwards, away) < 0.0};
    return ABUT_OK;
}
