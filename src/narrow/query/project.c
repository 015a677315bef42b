/*
 * abut_shape_project(): the point of a mesh's surface nearest to a given point, and the side of the surface on which the given point lies.
 * World frame.
 */

#include <abut/mesh.h>

#include <float.h>

#include "narrow/mesh/point.h"
#include "narrow/pair.h"

abut_status abut_shape_project(const abut_shape *shape, abut_pose pose, abut_vec3 point, abut_projection *projection) {
    if (projection == NULL || shape == NULL || shape->kind != ABUT_SHAPE_TRIMESH) {
        return ABUT_ERROR_INVALID_ARGUMENT;
    }
    abut_status status = collide_check_poses(&pose, &pose);
    if (status != ABUT_OK) {
        return status;
    }
    abut_vec3 seen = abut_pose_apply_inverse(pose, point);
    if (!isfinite(abut_length_squared(seen))) {
        return ABUT_ERROR_NOT_FINITE;
    }
    const placed_mesh mesh = {.mesh = shape->mesh, .rotation = abut_mat3_identity(), .aligned = true};
    mesh_point found;
    if (!mesh_point_find(&mesh, 1, seen, INFINITY, 1e-9 * shape->size, &found)) {
        return ABUT_ERROR_NOT_FINITE;
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
