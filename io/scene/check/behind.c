/*
 * Walls of granular matter often come from drawings, as open surfaces that face any way. Grains behind such a wall fall through it.
 */
#include "io/scene/check/behind.h"

#include <abut/mesh.h>
#include <abut/query.h>

#include "io/scene/data.h"

static bool is_open_mesh(const abut_body_def *def) {
    abut_mass mass;
    return abut_shape_kind(def->shape) == ABUT_SHAPE_TRIMESH && abut_shape_mass(def->shape, 1.0, &mass) == ABUT_ERROR_NOT_CLOSED;
}

static bool can_touch(const abut_body_def *a, const abut_body_def *b) {
    return !a->sensor && !b->sensor && abut_filters_agree(a->filter, b->filter);
}

/* Whether a ball about the point that reaches a face of the mesh does not touch it. Beside the border of a mesh nothing is behind it. */
static abut_status is_behind(const abut_body_def *mesh, abut_vec3 point, bool *behind) {
    const double more = 1.001;
    abut_projection nearest;
    abut_shape *ball = NULL;
    *behind = false;
    if (abut_shape_project(mesh->shape, mesh->pose, point, &nearest) != ABUT_OK || nearest.feature.kind != ABUT_FEATURE_FACE) {
        return ABUT_OK;
    }
    abut_status status = abut_shape_create_sphere(more * abut_distance_between(point, nearest.point), &ball);
    if (status != ABUT_OK) {
        return status == ABUT_ERROR_OUT_OF_MEMORY ? status : ABUT_OK; /* the point lies on the mesh */
    }
    bool overlap = true;
    status = abut_overlap(&(abut_pair){ball, {point, abut_quat_identity()}, mesh->shape, mesh->pose}, NULL, &overlap);
    *behind = status == ABUT_OK && !overlap;
    abut_shape_release(ball);
    return status == ABUT_ERROR_OUT_OF_MEMORY ? status : ABUT_OK;
}

/* The first dynamic body behind the mesh; NULL for none. Bodies of an inlet come about the same place. */
static abut_status find_behind(const abut_scene *scene, const abut_body_def *mesh, const scene_body **found) {
    *found = NULL;
    for (int32_t i = 0; i < scene->body_count && !*found; i++) {
        const scene_body *body = &scene->bodies[i];
        bool again = i > 0 && body->inlet >= 0 && body->inlet == scene->bodies[i - 1].inlet, behind;
        if (again || body->def.kind != ABUT_BODY_DYNAMIC || !can_touch(&body->def, mesh)) {
            continue;
        }
        abut_status status = is_behind(mesh, body->def.pose.position, &behind);
        if (status != ABUT_OK) {
            return status;
        }
        *found = behind ? body : NULL;
    }
    return ABUT_OK;
}

abut_status scene_check_behind(scene_reader *reader) {
    const abut_scene *scene = reader->scene;
    abut_status status = ABUT_OK;
    for (int32_t i = 0; i < scene->body_count && status == ABUT_OK && scene->world.stepper != ABUT_STEPPER_FIXED; i++) {
        const scene_body *wall = &scene->bodies[i], *found = NULL;
        if (!is_open_mesh(&wall->def)) {
            continue;
        }
        if (find_behind(scene, &wall->def, &found) != ABUT_OK) {
            return read_no_memory(reader);
        }
        if (found) {
            scene_place bodies, element, place;
            read_member(&reader->root, "bodies", &bodies);
            element = read_element(&bodies, (size_t)wall->element);
            read_member(&element, "shape", &place);
            status = read_warn(reader, &place,
                               "body '%s' %s behind the open mesh of body '%s', which touches from its front only; add \"two_sided\": true",
                               found->name, found->inlet < 0 ? "begins" : "comes", wall->name);
        }
    }
    return status;
}
