/* Joints in the event stepper: see holds.h. World frame. A positive force drives body b along a row and body a against it. */
#include "step/event/holds.h"

#include "base/array.h"
#include "base/real.h"
#include "step/event/impulse.h"
#include "step/event/pairs.h"
#include "step/world/joints.h"
#include "step/world/motion.h"

/* ---- the list ---- */

static bool holds(const joint_row *row) { return row->role == JOINT_HOLDS; }

/* The number of rows that hold follows from the joint alone. Placements of a step count from the origin: the centres of the bodies are their ways. */
static event_joint made_of(event_system *system, int32_t slot) {
    const abut_world *world = system->world;
    const world_joint *from = &world->joints[slot];
    solver_body a, b;
    motion_begin(&world->bodies[from->a], &a);
    motion_begin(&world->bodies[from->b], &b);
    event_joint made = {.slot = slot,
                        .body = {event_pairs_body_of(system, from->a), event_pairs_body_of(system, from->b)},
                        .joint = joint_begin(world, from, &a, &b)};
    made.row_count = joint_rows(&made.joint, &a, &b, made.joint.turned, made.rows);
    for (int32_t i = 0; i < made.row_count; i++) {
        system->hold_count += holds(&made.rows[i]);
    }
    made.joint.offset = abut_vec3_make(0.0, 0.0, 0.0);
    return made;
}

static solver_body body_at(const event_system *system, int32_t index, const event_state *state) {
    const abut_motion *motion = &system->motions[index].velocity;
    const event_state *s = &state[index];
    return (solver_body){.velocity = motion->linear,
                         .angular_velocity = motion->angular,
                         .moved = s->centre,
                         .rotation = s->frame,
                         .axes = abut_mat3_from_quat(s->frame)};
}

static void place(const event_system *system, event_joint *joint, const event_state *state) {
    solver_body a = body_at(system, joint->body[0], state), b = body_at(system, joint->body[1], state);
    joint->row_count = joint_rows_bent(&joint->joint, &a, &b, joint->joint.turned, joint->rows);
    joint->joint.arm_b = abut_mat3_apply(b.axes, joint->joint.local_b);
}

abut_status event_holds_list(event_system *system) {
    const abut_world *world = system->world;
    system->joint_count = system->hold_count = 0;
    for (int32_t slot = 0; slot < world->joint_used; slot++) {
        if (!joint_acts(&world->joints[slot])) {
            continue;
        }
        if (!array_extend(&system->joints, &system->joint_capacity, system->joint_count, system->joint_count + 1, sizeof *system->joints)) {
            return ABUT_ERROR_OUT_OF_MEMORY;
        }
        system->joints[system->joint_count++] = made_of(system, slot);
    }
    return ABUT_OK;
}

/* ---- forces of coordinates ---- */

static double rate_along(const event_system *system, const event_joint *joint, const joint_row *row) {
    const abut_motion *a = &system->motions[joint->body[0]].velocity, *b = &system->motions[joint->body[1]].velocity;
    return abut_dot(row->line, abut_sub(b->linear, a->linear)) + abut_dot(row->turn_b, b->angular) - abut_dot(row->turn_a, a->angular);
}

static double acceleration_along(const event_system *system, const event_joint *joint, const joint_row *row) {
    const abut_motion *a = &system->motions[joint->body[0]].acceleration, *b = &system->motions[joint->body[1]].acceleration;
    return abut_dot(row->line, abut_sub(b->linear, a->linear)) + abut_dot(row->turn_b, b->angular) - abut_dot(row->turn_a, a->angular) +
           row->curve;
}

static void push(event_system *system, const event_joint *joint, const joint_row *row, double force) {
    event_system_push(system, joint->body[0], abut_scale(-force, row->line), abut_scale(-force, row->turn_a));
    event_system_push(system, joint->body[1], abut_scale(force, row->line), abut_scale(force, row->turn_b));
}

static void add_spring(event_system *system, event_joint *joint, int32_t i) {
    const abut_joint_def *def = joint->joint.def;
    const joint_row *row = &joint->rows[i];
    joint->force[i] = 0.0;
    if ((row->role == JOINT_MOVES || row->role == JOINT_SLIDES) && (def->stiffness > 0.0 || def->damping > 0.0)) {
        joint->force[i] = -def->stiffness * (row->at - def->rest) - def->damping * rate_along(system, joint, row);
        push(system, joint, row, joint->force[i]);
    }
}

void event_holds_place(event_system *system, const event_state *state) {
    for (int32_t j = 0; j < system->joint_count; j++) {
        place(system, &system->joints[j], state);
    }
    for (int32_t j = 0; j < system->joint_count; j++) {
        for (int32_t i = 0; i < system->joints[j].row_count; i++) {
            add_spring(system, &system->joints[j], i);
        }
    }
}

/* ---- the complementarity problem ---- */

static abut_lcp_row line_of(const event_joint *joint, const joint_row *row, double sign) {
    return (abut_lcp_row){.body_a = joint->body[0],
                          .body_b = joint->body[1],
                          .linear_a = abut_scale(-sign, row->line),
                          .angular_a = abut_scale(-sign, row->turn_a),
                          .linear_b = abut_scale(sign, row->line),
                          .angular_b = abut_scale(sign, row->turn_b)};
}

void event_holds_add_lines(event_system *system) {
    int32_t at = system->row_count;
    for (int32_t j = 0; j < system->joint_count; j++) {
        const event_joint *joint = &system->joints[j];
        for (int32_t i = 0; i < joint->row_count; i++) {
            for (int side = 0; side < 2 && holds(&joint->rows[i]); side++) {
                system->left_out[at] = false;
                system->lines[at++] = line_of(joint, &joint->rows[i], side == 0 ? 1.0 : -1.0);
            }
        }
    }
}

/* What is to be stopped along a hold, for both of its rows. The search begins with the one that presses against it. */
static void set_q(event_system *system, int32_t at, double q) {
    system->q[at] = q;
    system->q[at + 1] = -q;
    system->start[at] = q < 0.0;
    system->start[at + 1] = q > 0.0;
}

void event_holds_add_accelerations(event_system *system) {
    const double k = system->world->def.event.drift_rate;
    int32_t at = system->row_count;
    for (int32_t j = 0; j < system->joint_count; j++) {
        const event_joint *joint = &system->joints[j];
        for (int32_t i = 0; i < joint->row_count; i++) {
            const joint_row *row = &joint->rows[i];
            if (holds(row)) {
                set_q(system, at, acceleration_along(system, joint, row) + 2.0 * k * rate_along(system, joint, row) + k * k * row->at);
                at += 2;
            }
        }
    }
}

void event_holds_add_rates(event_system *system, const event_state *state) {
    for (int32_t at = system->row_count; at < event_line_count(system); at += 2) {
        set_q(system, at, event_rate_of(system, at, state));
    }
}

void event_holds_keep_forces(event_system *system) {
    int32_t at = system->row_count;
    for (int32_t j = 0; j < system->joint_count; j++) {
        event_joint *joint = &system->joints[j];
        for (int32_t i = 0; i < joint->row_count; i++) {
            if (holds(&joint->rows[i])) {
                joint->force[i] = system->z[at] - system->z[at + 1];
                push(system, joint, &joint->rows[i], joint->force[i]);
                at += 2;
            }
        }
    }
}

/* Slower than that, what is left of the integration's errors dies out by itself. */
bool event_holds_move(const event_system *system, const event_state *state) {
    for (int32_t at = system->row_count; at < event_line_count(system); at += 2) {
        const abut_lcp_row *l = &system->lines[at];
        const event_state *a = &state[l->body_a], *b = &state[l->body_b];
        double speeds = abut_length(l->linear_a) * (abut_length(a->velocity) + abut_length(b->velocity)) +
                        abut_length(l->angular_a) * abut_length(a->angular_velocity) +
                        abut_length(l->angular_b) * abut_length(b->angular_velocity);
        if (fabs(event_rate_of(system, at, state)) > system->world->def.event.resting_speed * speeds) {
            return true;
        }
    }
    return false;
}

void event_holds_write(const event_system *system, abut_world *world) {
    for (int32_t j = 0; j < system->joint_count; j++) {
        const event_joint *joint = &system->joints[j];
        world_joint *to = &world->joints[joint->slot];
        abut_vec3 force = {0.0, 0.0, 0.0}, torque = force;
        for (int32_t i = 0; i < joint->row_count; i++) {
            force = abut_add_scaled(force, joint->force[i], joint->rows[i].line);
            torque = abut_add_scaled(torque, joint->force[i], joint->rows[i].turn_b);
        }
        to->force = force;
        to->torque = abut_sub(torque, abut_cross(joint->joint.arm_b, force));
        to->turned[0] = joint->joint.turned[0];
        to->turned[1] = joint->joint.turned[1];
    }
}
