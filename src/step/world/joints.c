/* The calls on joints of a world. A joint has a slot with a generation, like a body. */
#include "step/world/joints.h"

#include "base/argument.h"
#include "base/array.h"
#include "base/elementary.h"
#include "base/memory.h"
#include "base/real.h"
#include "step/world/motion.h"

abut_joint_def abut_joint_def_default(abut_joint_kind kind) {
    abut_joint_def def = {.kind = kind,
                          .frame_a = abut_pose_identity(),
                          .frame_b = abut_pose_identity(),
                          .lower = -INFINITY,
                          .upper = INFINITY,
                          .motor = {.speed = INFINITY, .max_force = INFINITY},
                          .ratio = 1.0,
                          .break_force = INFINITY,
                          .break_torque = INFINITY};
    return def;
}

static int32_t joint_find(const abut_world *world, abut_joint_id id) {
    if (world == NULL || id.index == 0 || id.index > (uint32_t)world->joint_used) {
        return -1;
    }
    int32_t slot = (int32_t)(id.index - 1);
    return world->joints[slot].used && world->joints[slot].generation == id.generation ? slot : -1;
}

/* ---- checks ---- */

static bool has_motor(abut_joint_kind kind) {
    return kind == ABUT_JOINT_REVOLUTE || kind == ABUT_JOINT_PRISMATIC || kind == ABUT_JOINT_DISTANCE || kind == ABUT_JOINT_WHEEL;
}

static abut_status check_motor(const char *call, abut_joint_kind kind, const abut_joint_motor *motor) {
    if (motor->mode < ABUT_MOTOR_OFF || motor->mode > ABUT_MOTOR_POSITION) {
        (void)refused_integer(call, "motor.mode", (int)motor->mode, "an abut_motor_mode");
        return ABUT_ERROR_INVALID_ARGUMENT;
    }
    if (argument_is_not_finite(call, "motor.target", motor->target) || (isnan(motor->speed) && refused(call, "motor.speed is NaN")) ||
        (isnan(motor->max_force) && refused(call, "motor.max_force is NaN"))) {
        return ABUT_ERROR_NOT_FINITE;
    }
    if (argument_is_negative(call, "motor.max_force", motor->max_force) ||
        (motor->mode == ABUT_MOTOR_POSITION && argument_is_not_positive(call, "motor.speed", motor->speed))) {
        return ABUT_ERROR_INVALID_ARGUMENT;
    }
    bool fits = motor->mode == ABUT_MOTOR_OFF || has_motor(kind);
    return fits ? ABUT_OK : refuse(ABUT_ERROR_INVALID_ARGUMENT, call, "motor: joints of this kind have none");
}

static abut_status check_numbers(const char *call, const abut_joint_def *def) {
    const double any[] = {def->lower, def->upper, def->break_force, def->break_torque};
    for (size_t i = 0; i < sizeof any / sizeof *any; i++) {
        if (isnan(any[i]) && refused(call, "def->lower, upper, break_force or break_torque is NaN")) {
            return ABUT_ERROR_NOT_FINITE;
        }
    }
    if (argument_is_not_finite(call, "def->stiffness", def->stiffness) || argument_is_not_finite(call, "def->damping", def->damping) ||
        argument_is_not_finite(call, "def->rest", def->rest) || argument_is_not_finite(call, "def->ratio", def->ratio)) {
        return ABUT_ERROR_NOT_FINITE;
    }
    bool wrong = argument_is_negative(call, "def->stiffness", def->stiffness) || argument_is_negative(call, "def->damping", def->damping) ||
                 argument_is_negative(call, "def->break_force", def->break_force) ||
                 argument_is_negative(call, "def->break_torque", def->break_torque) ||
                 (def->lower > def->upper && refused(call, "def->lower is above def->upper")) ||
                 (def->kind == ABUT_JOINT_GEAR && def->ratio == 0.0 && refused(call, "def->ratio is 0")) ||
                 (def->kind == ABUT_JOINT_DISTANCE && argument_is_negative(call, "def->rest", def->rest));
    return wrong ? ABUT_ERROR_INVALID_ARGUMENT : ABUT_OK;
}

/* Limits and springs of kinds that have no coordinate for them. */
static bool is_unfit(const char *call, const abut_joint_def *def) {
    return (def->limited && !has_motor(def->kind) && def->kind != ABUT_JOINT_SPHERICAL &&
            refused(call, "def->limited: joints of this kind have no coordinate")) ||
           ((def->stiffness > 0.0 || def->damping > 0.0) && !has_motor(def->kind) &&
            refused(call, "def->stiffness or damping: joints of this kind have no spring"));
}

static abut_status check_frames(const char *call, const abut_joint_def *def) {
    const abut_pose *frames[2] = {&def->frame_a, &def->frame_b};
    for (int i = 0; i < 2; i++) {
        const char *name = i == 0 ? "def->frame_a" : "def->frame_b";
        if (!abut_vec3_is_finite(frames[i]->position) || !isfinite(abut_quat_norm(frames[i]->rotation))) {
            (void)refused_pose(call, name, frames[i]);
            return ABUT_ERROR_NOT_FINITE;
        }
        if (argument_is_no_pose(call, name, *frames[i])) {
            return ABUT_ERROR_INVALID_ARGUMENT;
        }
    }
    return ABUT_OK;
}

/* What the event stepper lacks for a joint; NULL when it can hold it. */
static const char *lack_of_event(const abut_world_def *world, const abut_joint_def *def) {
    return world->event.friction                                         ? "no joints with friction"
           : def->limited                                                ? "no limits"
           : def->motor.mode != ABUT_MOTOR_OFF                           ? "no motors"
           : def->break_force < INFINITY || def->break_torque < INFINITY ? "no joints that break"
                                                                         : NULL;
}

static abut_status check_stepper(const char *call, const abut_world *world, const abut_joint_def *def) {
    const char *lack = world->def.stepper == ABUT_STEPPER_EVENT ? lack_of_event(&world->def, def) : NULL;
    return lack == NULL ? ABUT_OK : refuse(ABUT_ERROR_UNSUPPORTED, call, "def: the event stepper has %s", lack);
}

static abut_status check_def(const char *call, const abut_world *world, const abut_joint_def *def) {
    if (argument_is_null(call, "world", world) || argument_is_null(call, "def", def)) {
        return ABUT_ERROR_INVALID_ARGUMENT;
    }
    if (world->def.stepper == ABUT_STEPPER_DEM) {
        return refuse(ABUT_ERROR_UNSUPPORTED, call, "world: the dem stepper has no joints");
    }
    if (def->kind < ABUT_JOINT_WELD || def->kind > ABUT_JOINT_GEAR) {
        (void)refused_integer(call, "def->kind", (int)def->kind, "an abut_joint_kind");
        return ABUT_ERROR_INVALID_ARGUMENT;
    }
    abut_status status = world_check_joined(call, world, def->a, def->b);
    status = status == ABUT_OK ? check_frames(call, def) : status;
    status = status == ABUT_OK ? check_numbers(call, def) : status;
    status = status == ABUT_OK ? check_motor(call, def->kind, &def->motor) : status;
    status = status == ABUT_OK && is_unfit(call, def) ? ABUT_ERROR_INVALID_ARGUMENT : status;
    return status == ABUT_OK ? check_stepper(call, world, def) : status;
}

/* ---- the solver's record ---- */

/* The rotation of a frame relative to the principal frame of its body. */
static abut_quat frame_in(const body *body, abut_quat rotation) {
    return abut_quat_unit(abut_quat_mul(abut_quat_conjugate(body->principal), rotation));
}

/* A plane has no principal frame of its own: that of its shape serves. */
solver_joint joint_begin(const abut_world *world, const world_joint *joint, const solver_body *a, const solver_body *b) {
    const body *body_a = &world->bodies[joint->a], *body_b = &world->bodies[joint->b];
    abut_vec3 on_a = abut_sub(joint->def.frame_a.position, body_a->local_centre);
    abut_vec3 on_b = abut_sub(joint->def.frame_b.position, body_b->local_centre);
    solver_joint made = {.def = &joint->def,
                         .offset = abut_sub(body_b->centre, body_a->centre),
                         .local_a = abut_mat3_apply_transposed(a->axes, abut_quat_rotate(body_a->pose.rotation, on_a)),
                         .local_b = abut_mat3_apply_transposed(b->axes, abut_quat_rotate(body_b->pose.rotation, on_b)),
                         .frame_a = frame_in(body_a, joint->def.frame_a.rotation),
                         .frame_b = frame_in(body_b, joint->def.frame_b.rotation),
                         .begun_a = joint->begun_a,
                         .begun_b = joint->begun_b,
                         .turned = {joint->turned[0], joint->turned[1]},
                         .loads = {joint->loads[0], joint->loads[1], joint->loads[2]}};
    double lever_a = body_a->kind == ABUT_BODY_DYNAMIC ? body_a->radius : 0.0;
    double lever_b = body_b->kind == ABUT_BODY_DYNAMIC ? body_b->radius : 0.0;
    made.lever = real_max(lever_a, lever_b);
    return made;
}

/* ---- adding and removing ---- */

static abut_status take_slot(abut_world *world, int32_t *slot) {
    *slot = world->joint_free;
    if (*slot >= 0) {
        world->joint_free = world->joints[*slot].next_free;
        return ABUT_OK;
    }
    if (world->joint_used == INT32_MAX / 8 ||
        !array_extend(&world->joints, &world->joint_capacity, world->joint_used, world->joint_used + 1, sizeof *world->joints)) {
        return ABUT_ERROR_OUT_OF_MEMORY;
    }
    *slot = world->joint_used++;
    world->joints[*slot] = (world_joint){.next_free = -1};
    return ABUT_OK;
}

static void wake_both(abut_world *world, const world_joint *joint) {
    body_wake(world, joint->a);
    body_wake(world, joint->b);
}

abut_status abut_world_add_joint(abut_world *world, const abut_joint_def *def, abut_joint_id *id) {
    abut_status status = check_def(CALL_NAME, world, def);
    int32_t slot = -1;
    status = status == ABUT_OK ? take_slot(world, &slot) : status;
    if (status != ABUT_OK) {
        return status;
    }
    world_joint *made = &world->joints[slot];
    *made = (world_joint){.used = true,
                          .generation = made->generation,
                          .next_free = -1,
                          .a = body_find(world, def->a),
                          .b = body_find(world, def->b),
                          .def = *def};
    made->def.frame_a.rotation = abut_quat_unit(def->frame_a.rotation);
    made->def.frame_b.rotation = abut_quat_unit(def->frame_b.rotation);
    made->begun_a = abut_quat_mul(world->bodies[made->a].pose.rotation, made->def.frame_a.rotation);
    made->begun_b = abut_quat_mul(world->bodies[made->b].pose.rotation, made->def.frame_b.rotation);
    wake_both(world, made);
    if (id != NULL) {
        *id = (abut_joint_id){(uint32_t)slot + 1, made->generation};
    }
    return ABUT_OK;
}

static void remove_slot(abut_world *world, int32_t slot) {
    world_joint *gone = &world->joints[slot];
    wake_both(world, gone);
    *gone = (world_joint){.generation = gone->generation + 1, .next_free = -1};
    if (gone->generation != 0) {
        gone->next_free = world->joint_free;
        world->joint_free = slot;
    }
}

abut_status abut_world_remove_joint(abut_world *world, abut_joint_id id) {
    int32_t slot = joint_find(world, id);
    if (slot < 0) {
        return world_lacks_id(CALL_NAME, world);
    }
    remove_slot(world, slot);
    return ABUT_OK;
}

void joints_remove_of(abut_world *world, int32_t slot) {
    for (int32_t i = 0; i < world->joint_used; i++) {
        if (world->joints[i].used && (world->joints[i].a == slot || world->joints[i].b == slot)) {
            remove_slot(world, i);
        }
    }
}

bool joints_keep_apart(const abut_world *world, int32_t a, int32_t b) {
    for (int32_t i = 0; i < world->joint_used; i++) {
        const world_joint *joint = &world->joints[i];
        bool both = (joint->a == a && joint->b == b) || (joint->a == b && joint->b == a);
        if (joint_acts(joint) && !joint->def.collide && both) {
            return true;
        }
    }
    return false;
}

abut_status abut_world_set_joint_motor(abut_world *world, abut_joint_id id, const abut_joint_motor *motor) {
    int32_t slot = joint_find(world, id);
    if (slot < 0) {
        return world_lacks_id(CALL_NAME, world);
    }
    if (argument_is_null(CALL_NAME, "motor", motor)) {
        return ABUT_ERROR_INVALID_ARGUMENT;
    }
    world_joint *joint = &world->joints[slot];
    abut_status status = check_motor(CALL_NAME, joint->def.kind, motor);
    if (status == ABUT_OK && motor->mode != ABUT_MOTOR_OFF && world->def.stepper == ABUT_STEPPER_EVENT) {
        return refuse(ABUT_ERROR_UNSUPPORTED, CALL_NAME, "world: the event stepper has no motors");
    }
    if (status == ABUT_OK) {
        joint->def.motor = *motor;
        wake_both(world, joint);
    }
    return status;
}

/* ---- reading ---- */

abut_status abut_world_joint_state(const abut_world *world, abut_joint_id id, abut_joint_state *state) {
    int32_t slot = joint_find(world, id);
    if (slot < 0) {
        return world_lacks_id(CALL_NAME, world);
    }
    if (argument_is_null(CALL_NAME, "state", state)) {
        return ABUT_ERROR_INVALID_ARGUMENT;
    }
    const world_joint *joint = &world->joints[slot];
    solver_body a, b;
    motion_begin(&world->bodies[joint->a], &a);
    motion_begin(&world->bodies[joint->b], &b);
    solver_joint placed = joint_begin(world, joint, &a, &b);
    joint_row rows[JOINT_ROWS];
    int32_t count = joint_rows(&placed, &a, &b, placed.turned, rows);
    abut_joint_state read = {.broken = joint->broken, .force = joint->force, .torque = joint->torque};
    double error = 0.0, turn_error = 0.0; /* frames may be so far apart that a square overflows */
    for (int32_t i = 0; i < count; i++) {
        bool turns = rows[i].line.x == 0.0 && rows[i].line.y == 0.0 && rows[i].line.z == 0.0;
        if (rows[i].role != JOINT_HOLDS) {
            *(rows[i].role == JOINT_SPINS ? &read.spin : &read.coordinate) = rows[i].at;
        } else if (turns) {
            turn_error = elementary_hypot(turn_error, rows[i].at);
        } else {
            error = elementary_hypot(error, rows[i].at);
        }
    }
    read.error = error;
    read.turn_error = turn_error;
    if (joint->def.kind == ABUT_JOINT_DISTANCE && count == 1 && rows[0].role == JOINT_HOLDS) {
        read.coordinate = rows[0].at + joint->def.rest;
    }
    *state = read;
    return ABUT_OK;
}
