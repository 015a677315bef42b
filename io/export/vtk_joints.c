#include "io/export/vtk_joints.h"

enum {
    JOINT_ROW,
    JOINT_KIND,
    JOINT_A,
    JOINT_B,
    JOINT_PLACE,
    JOINT_HOLDS,
    JOINT_AXIS,
    JOINT_COORDINATE,
    JOINT_SPIN,
    JOINT_ERROR,
    JOINT_TURN_ERROR,
    JOINT_FORCE,
    JOINT_TORQUE
};
const vtkhdf_array vtk_joint_arrays[VTK_JOINT_ARRAYS] = {
    [JOINT_ROW] = {"joint", LAYOUT_INT32, 1},
    [JOINT_KIND] = {"kind", LAYOUT_INT32, 1},
    [JOINT_A] = {"a", LAYOUT_INT32, 1},
    [JOINT_B] = {"b", LAYOUT_INT32, 1},
    [JOINT_PLACE] = {"place", LAYOUT_INT32, 1},
    [JOINT_HOLDS] = {"holds", LAYOUT_INT32, 1},
    [JOINT_AXIS] = {"axis", LAYOUT_DOUBLE, 3},
    [JOINT_COORDINATE] = {"coordinate", LAYOUT_DOUBLE, 1},
    [JOINT_SPIN] = {"spin", LAYOUT_DOUBLE, 1},
    [JOINT_ERROR] = {"error", LAYOUT_DOUBLE, 1},
    [JOINT_TURN_ERROR] = {"turn_error", LAYOUT_DOUBLE, 1},
    [JOINT_FORCE] = {"force", LAYOUT_DOUBLE, 3},
    [JOINT_TORQUE] = {"torque", LAYOUT_DOUBLE, 3},
};

/* The points of a line, in its order. */
enum { PLACE_CENTRE_A, PLACE_ORIGIN_A, PLACE_ORIGIN_B, PLACE_CENTRE_B, PLACES };

/* A joint of the frame. */
typedef struct drawn {
    int32_t row;
    abut_scene_joint source;
    const abut_recorded_joint_state *read;
    abut_vec3 axis; /* world frame */
} drawn;

static void add_point(vtkhdf *file, const drawn *joint, int32_t place, abut_vec3 point) {
    const abut_joint_state *state = &joint->read->state;
    vtkhdf_add_point(file, point);
    vtkhdf_put_integer(file, JOINT_ROW, joint->row);
    vtkhdf_put_integer(file, JOINT_KIND, (int32_t)joint->source.def.kind);
    vtkhdf_put_integer(file, JOINT_A, joint->source.a);
    vtkhdf_put_integer(file, JOINT_B, joint->source.b);
    vtkhdf_put_integer(file, JOINT_PLACE, place);
    vtkhdf_put_integer(file, JOINT_HOLDS, joint->read->hold == ABUT_HOLD_WHOLE);
    vtkhdf_put_vec3(file, JOINT_AXIS, joint->axis);
    vtkhdf_put_real(file, JOINT_COORDINATE, state->coordinate);
    vtkhdf_put_real(file, JOINT_SPIN, state->spin);
    vtkhdf_put_real(file, JOINT_ERROR, state->error);
    vtkhdf_put_real(file, JOINT_TURN_ERROR, state->turn_error);
    vtkhdf_put_vec3(file, JOINT_FORCE, state->force);
    vtkhdf_put_vec3(file, JOINT_TORQUE, state->torque);
}

/* Whether the kind lets the origins go apart. Where it does not, they differ by rounding, and a line between them would have a direction by chance. */
static bool goes_apart(abut_joint_kind kind) {
    return kind == ABUT_JOINT_PRISMATIC || kind == ABUT_JOINT_DISTANCE || kind == ABUT_JOINT_WHEEL || kind == ABUT_JOINT_GEAR;
}

static void add_joint(const vtk_scene *scene, vtkhdf *file, drawn *joint) {
    const vtk_body *a = &scene->bodies[joint->source.a], *b = &scene->bodies[joint->source.b];
    const abut_joint_def *def = &joint->source.def;
    const abut_vec3 points[PLACES] = {a->centre, abut_pose_apply(a->pose, def->frame_a.position),
                                      abut_pose_apply(b->pose, def->frame_b.position), b->centre};
    const bool there[PLACES] = {a->body.kind == ABUT_BODY_DYNAMIC, true, true, b->body.kind == ABUT_BODY_DYNAMIC};
    joint->axis = abut_quat_rotate(abut_quat_mul(a->pose.rotation, def->frame_a.rotation), abut_vec3_make(0, 0, 1));
    int64_t corners[PLACES] = {0};
    for (int32_t place = 0; place < PLACES; place++) {
        if (there[place]) {
            corners[place] = vtkhdf_point_count(file);
            add_point(file, joint, place, points[place]);
        }
    }
    const bool drawn[PLACES - 1] = {there[PLACE_CENTRE_A], goes_apart(def->kind), there[PLACE_CENTRE_B]};
    for (int32_t i = 0; i < PLACES - 1; i++) {
        if (drawn[i]) {
            vtkhdf_add_cell(file, corners + i, 2);
        }
    }
}

abut_status vtk_joints_draw(const vtk_scene *scene, vtkhdf *file, abut_error *error) {
    const abut_recorded_joint_state *joints = NULL;
    abut_status status = scene->info.joint_count > 0 ? abut_recording_joints(scene->recording, scene->frame, &joints, error) : ABUT_OK;
    for (int32_t i = 0; i < scene->info.joint_count && !status; i++) {
        drawn joint = {.row = i, .read = &joints[i]};
        (void)abut_recording_joint(scene->recording, i, &joint.source);
        if (joint.read->hold != ABUT_HOLD_GONE && scene->bodies[joint.source.a].there && scene->bodies[joint.source.b].there) {
            add_joint(scene, file, &joint);
        }
    }
    return status;
}
