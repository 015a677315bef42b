/*
 * The fields of recorded contacts, joints and events.
 */
#include "io/record/layout.h"

#include "io/record/recording.h"

const layout_field layout_contact[LAYOUT_CONTACT_FIELDS] = {
    {"a", offsetof(abut_recorded_contact, a), LAYOUT_INT32, 1},
    {"b", offsetof(abut_recorded_contact, b), LAYOUT_INT32, 1},
    {"on_a", offsetof(abut_recorded_contact, contact.on_a), LAYOUT_DOUBLE, 3},
    {"on_b", offsetof(abut_recorded_contact, contact.on_b), LAYOUT_DOUBLE, 3},
    {"normal", offsetof(abut_recorded_contact, contact.normal), LAYOUT_DOUBLE, 3},
    {"gap", offsetof(abut_recorded_contact, contact.gap), LAYOUT_DOUBLE, 1},
    {"area", offsetof(abut_recorded_contact, contact.area), LAYOUT_DOUBLE, 1},
    {"feature_a", offsetof(abut_recorded_contact, contact.feature_a), LAYOUT_INT32, 3},
    {"feature_b", offsetof(abut_recorded_contact, contact.feature_b), LAYOUT_INT32, 3},
    {"id", offsetof(abut_recorded_contact, contact.id), LAYOUT_UINT64, 1},
    {"patch", offsetof(abut_recorded_contact, contact.patch), LAYOUT_INT32, 1},
    {"flags", offsetof(abut_recorded_contact, contact.flags), LAYOUT_UINT32, 1},
    {"normal_force", offsetof(abut_recorded_contact, normal_force), LAYOUT_DOUBLE, 1},
    {"friction_force", offsetof(abut_recorded_contact, friction_force), LAYOUT_DOUBLE, 3},
};

const layout_field layout_joint[LAYOUT_JOINT_FIELDS] = {
    {"a", offsetof(abut_scene_joint, a), LAYOUT_INT32, 1},
    {"b", offsetof(abut_scene_joint, b), LAYOUT_INT32, 1},
    {"frame_a", offsetof(abut_scene_joint, def.frame_a), LAYOUT_DOUBLE, LAYOUT_POSE_WIDTH},
    {"frame_b", offsetof(abut_scene_joint, def.frame_b), LAYOUT_DOUBLE, LAYOUT_POSE_WIDTH},
    {"lower", offsetof(abut_scene_joint, def.lower), LAYOUT_DOUBLE, 1},
    {"upper", offsetof(abut_scene_joint, def.upper), LAYOUT_DOUBLE, 1},
    {"motor_target", offsetof(abut_scene_joint, def.motor.target), LAYOUT_DOUBLE, 1},
    {"motor_speed", offsetof(abut_scene_joint, def.motor.speed), LAYOUT_DOUBLE, 1},
    {"motor_max_force", offsetof(abut_scene_joint, def.motor.max_force), LAYOUT_DOUBLE, 1},
    {"stiffness", offsetof(abut_scene_joint, def.stiffness), LAYOUT_DOUBLE, 1},
    {"damping", offsetof(abut_scene_joint, def.damping), LAYOUT_DOUBLE, 1},
    {"rest", offsetof(abut_scene_joint, def.rest), LAYOUT_DOUBLE, 1},
    {"ratio", offsetof(abut_scene_joint, def.ratio), LAYOUT_DOUBLE, 1},
    {"break_force", offsetof(abut_scene_joint, def.break_force), LAYOUT_DOUBLE, 1},
    {"break_torque", offsetof(abut_scene_joint, def.break_torque), LAYOUT_DOUBLE, 1},
};

const layout_field layout_event[LAYOUT_EVENT_FIELDS] = {
    {"step", offsetof(abut_recorded_event, step), LAYOUT_INT64, 1},
    {"kind", offsetof(abut_recorded_event, kind), LAYOUT_INT8, 1},
    {"a", offsetof(abut_recorded_event, a), LAYOUT_INT32, 1},
    {"b", offsetof(abut_recorded_event, b), LAYOUT_INT32, 1},
    {"joint", offsetof(abut_recorded_event, joint), LAYOUT_INT32, 1},
    {"point", offsetof(abut_recorded_event, point), LAYOUT_DOUBLE, 3},
    {"normal", offsetof(abut_recorded_event, normal), LAYOUT_DOUBLE, 3},
    {"gap", offsetof(abut_recorded_event, gap), LAYOUT_DOUBLE, 1},
    {"impulse", offsetof(abut_recorded_event, impulse), LAYOUT_DOUBLE, 1},
    {"speed", offsetof(abut_recorded_event, speed), LAYOUT_DOUBLE, 1},
};

/* A feature is stored as a row of three integers. */
_Static_assert(sizeof(abut_feature) == 3 * sizeof(int32_t), "abut_feature is three packed integers");
_Static_assert(sizeof(abut_vec3) == 3 * sizeof(double), "abut_vec3 is three packed doubles");
_Static_assert(sizeof(abut_pose) == LAYOUT_POSE_WIDTH * sizeof(double), "abut_pose is position and quaternion, packed");
