#include "io/scene/joint/description.h"

#include <math.h>

const char *const joint_kind_names[JOINT_KINDS + 1] = {"weld",     "spherical", "revolute", "prismatic", "universal",
                                                       "distance", "wheel",     "gear",     NULL};
const char *const joint_motor_names[JOINT_MOTORS] = {"off", "speed", "position"};

static json_t *number(double value) { return isfinite(value) ? json_real(value) : json_null(); }

static json_t *pose_json(abut_pose pose) {
    abut_vec3 p = pose.position;
    abut_quat q = pose.rotation;
    return json_pack("[f, f, f, f, f, f, f]", p.x, p.y, p.z, q.x, q.y, q.z, q.w);
}

json_t *joint_description(const abut_scene_joint *joint) {
    const abut_joint_def *def = &joint->def;
    return json_pack("{s:s, s:i, s:i, s:o, s:o, s:o, s:o, s:s, s:f, s:f, s:f, s:f, s:o, s:o}", "kind", joint_kind_names[def->kind], "a",
                     (int)joint->a, "b", (int)joint->b, "frame_a", pose_json(def->frame_a), "frame_b", pose_json(def->frame_b), "lower",
                     number(def->lower), "upper", number(def->upper), "motor", joint_motor_names[def->motor.mode], "target",
                     def->motor.target, "stiffness", def->stiffness, "rest", def->rest, "ratio", def->ratio, "break_force",
                     number(def->break_force), "break_torque", number(def->break_torque));
}
