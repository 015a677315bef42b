/* Joints in a saved state. */
#include "base/memory.h"
#include "step/world/joints.h"

enum { LEAST_JOINT_BYTES = 9 };

bool joints_exist(const abut_world *world) { return world->joint_used > 0; }

static void save_motor(saved_stream *s, abut_joint_motor *motor) {
    uint32_t mode = saved_is_reading(s) ? 0 : (uint32_t)motor->mode;
    saved_uint32(s, &mode);
    s->broken = s->broken || mode > ABUT_MOTOR_POSITION;
    motor->mode = s->broken ? ABUT_MOTOR_OFF : (abut_motor_mode)mode;
    saved_real(s, &motor->target);
    saved_real(s, &motor->speed);
    saved_real(s, &motor->max_force);
}

static void save_def(saved_stream *s, abut_joint_def *def) {
    uint32_t kind = saved_is_reading(s) ? 0 : (uint32_t)def->kind;
    saved_uint32(s, &kind);
    s->broken = s->broken || kind > ABUT_JOINT_GEAR;
    def->kind = s->broken ? ABUT_JOINT_WELD : (abut_joint_kind)kind;
    saved_vec3(s, &def->frame_a.position);
    saved_quat(s, &def->frame_a.rotation);
    saved_vec3(s, &def->frame_b.position);
    saved_quat(s, &def->frame_b.rotation);
    saved_bool(s, &def->collide);
    saved_bool(s, &def->limited);
    double *numbers[] = {&def->lower, &def->upper, &def->stiffness,   &def->damping,
                         &def->rest,  &def->ratio, &def->break_force, &def->break_torque};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        saved_real(s, numbers[i]);
    }
    save_motor(s, &def->motor);
}

static void save_joint(saved_stream *s, world_joint *joint) {
    saved_bool(s, &joint->used);
    saved_uint32(s, &joint->generation);
    saved_int32(s, &joint->next_free);
    if (!joint->used) {
        return;
    }
    saved_int32(s, &joint->a);
    saved_int32(s, &joint->b);
    save_def(s, &joint->def);
    saved_quat(s, &joint->begun_a);
    saved_quat(s, &joint->begun_b);
    saved_real(s, &joint->turned[0]);
    saved_real(s, &joint->turned[1]);
    for (size_t i = 0; i < sizeof joint->warm / sizeof *joint->warm; i++) {
        saved_real(s, &joint->warm[i]);
    }
    for (size_t i = 0; i < sizeof joint->loads / sizeof *joint->loads; i++) {
        saved_real(s, &joint->loads[i]);
    }
    saved_bool(s, &joint->broken);
    saved_vec3(s, &joint->force);
    saved_vec3(s, &joint->torque);
}

void joints_save(saved_stream *s, const abut_world *world) {
    int32_t used = world->joint_used, first_free = world->joint_free;
    saved_int32(s, &used);
    saved_int32(s, &first_free);
    for (int32_t i = 0; i < used; i++) {
        world_joint joint = world->joints[i];
        save_joint(s, &joint);
    }
}

/* Whether the bodies of a joint that was read exist, and its numbers are numbers. */
static bool is_fine(const world_joint *joint, const body *bodies, int32_t body_used) {
    bool named = joint->a >= 0 && joint->a < body_used && joint->b >= 0 && joint->b < body_used && joint->a != joint->b;
    if (!named || !bodies[joint->a].used || !bodies[joint->b].used) {
        return false;
    }
    bool dynamic = bodies[joint->a].kind == ABUT_BODY_DYNAMIC || bodies[joint->b].kind == ABUT_BODY_DYNAMIC;
    const abut_joint_def *def = &joint->def;
    return dynamic && abut_pose_is_valid(def->frame_a) && abut_pose_is_valid(def->frame_b) && isfinite(joint->turned[0]) &&
           isfinite(joint->turned[1]) && isfinite(def->rest) && isfinite(def->ratio) && isfinite(def->motor.target) &&
           def->stiffness >= 0.0 && def->damping >= 0.0 && isfinite(def->stiffness) && isfinite(def->damping) && def->lower <= def->upper &&
           def->motor.max_force >= 0.0 && !isnan(def->motor.speed);
}

static bool is_free_list(const joint_list *list) {
    int32_t count = 0;
    for (int32_t slot = list->free; slot != -1; slot = list->joints[slot].next_free, count++) {
        if (slot < -1 || slot >= list->used || count == list->used || list->joints[slot].used) {
            return false;
        }
    }
    return true;
}

abut_status joints_read(saved_stream *s, const body *bodies, int32_t body_used, joint_list *list) {
    if (!saved_count(s, &list->used, LEAST_JOINT_BYTES)) {
        return ABUT_ERROR_FORMAT;
    }
    saved_int32(s, &list->free);
    list->joints = saved_room(list->used, sizeof *list->joints);
    if (list->joints == NULL) {
        return ABUT_ERROR_OUT_OF_MEMORY;
    }
    for (int32_t i = 0; i < list->used && !s->broken; i++) {
        world_joint *read = &list->joints[i];
        save_joint(s, read);
        s->broken = s->broken || (read->used && !is_fine(read, bodies, body_used));
    }
    return !s->broken && is_free_list(list) ? ABUT_OK : ABUT_ERROR_FORMAT;
}

void joints_exchange(abut_world *world, joint_list *list) {
    joint_list before = {world->joints, world->joint_used, world->joint_free};
    world->joints = list->joints;
    world->joint_used = list->used;
    world->joint_free = list->free;
    world->joint_capacity = list->joints == NULL ? 0 : list->used > 0 ? list->used : 1;
    *list = before;
}
