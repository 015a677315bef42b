/* The accelerations of all bodies at a state: those of free motion plus those by contact forces ([B90] section 6). World frame; a force f
 * acts as +f n on A and -f n on B. */
#include "step/event/system.h"

#include "base/array.h"
#include "base/memory.h"
#include "solve/lcp/lcp.h"
#include "step/event/curved.h"
#include "step/event/holds.h"

bool event_system_reserve_rows(event_system *system, int32_t count) {
    if (system->hold_count > (INT32_MAX - count) / 2) {
        return false;
    }
    const int32_t lines = count + 2 * system->hold_count;
    return array_extend(&system->force, &system->force_capacity, system->row_count, count, sizeof *system->force) &&
           array_reserve(&system->lines, &system->line_capacity, lines, sizeof *system->lines) &&
           array_reserve(&system->from_lines, &system->from_line_capacity, lines, sizeof *system->from_lines) &&
           array_reserve(&system->q, &system->q_capacity, lines, sizeof *system->q) &&
           array_reserve(&system->z, &system->z_capacity, lines, sizeof *system->z) &&
           array_reserve(&system->start, &system->start_capacity, lines, sizeof *system->start) &&
           array_reserve(&system->left_out, &system->left_out_capacity, lines, sizeof *system->left_out) &&
           array_reserve(&system->rates, &system->rate_capacity, count, sizeof *system->rates) &&
           event_friction_reserve(&system->friction, count);
}

/* ---- free motion ---- */

static abut_vec3 by_moments(abut_vec3 v, abut_vec3 moments, bool inverse) {
    return inverse ? abut_vec3_make(v.x / moments.x, v.y / moments.y, v.z / moments.z)
                   : abut_vec3_make(v.x * moments.x, v.y * moments.y, v.z * moments.z);
}

static void add_springs(const event_system *system, int32_t index, const abut_kinematics *m, abut_mat3 shape_axes, abut_vec3 *force,
                        abut_vec3 *torque) {
    const abut_world *world = system->world;
    const body *from = system->bodies[index].from;
    for (int32_t i = 0; i < world->spring_used; ++i) {
        const spring *spring = &world->springs[i];
        if (!spring->used || spring->body != system->bodies[index].slot) {
            continue;
        }
        double stiffness = spring_stiffness(spring->frequency, from->mass),
               damping = 2.0 * spring->damping_ratio * sqrt(stiffness * from->mass);
        abut_vec3 arm = abut_mat3_apply(shape_axes, abut_sub(spring->anchor, from->local_centre));
        abut_vec3 speed = abut_add(m->velocity.linear, abut_cross(m->velocity.angular, arm));
        abut_vec3 pull = abut_scale(stiffness, abut_sub(spring->target, abut_add(m->centre, arm)));
        pull = abut_add_scaled(pull, -damping, speed);
        double size = abut_length(pull);
        pull = size > spring->max_force ? abut_scale(spring->max_force / size, pull) : pull;
        *force = abut_add(*force, pull);
        *torque = abut_add(*torque, abut_cross(arm, pull));
    }
}

static abut_quat shape_rotation_of(const body *from, abut_quat frame) { return abut_quat_mul(frame, abut_quat_conjugate(from->principal)); }

abut_vec3 event_spin_of(const body *from, abut_quat frame, abut_vec3 angular_velocity) {
    abut_mat3 axes = abut_mat3_from_quat(frame);
    return abut_mat3_apply(axes, by_moments(abut_mat3_apply_transposed(axes, angular_velocity), from->moments, false));
}

/* Sets the accelerations without contact forces, and the inverse masses. */
static void move_freely(event_system *system, int32_t index, const event_state *s) {
    const event_body *b = &system->bodies[index];
    abut_kinematics *m = &system->motions[index];
    abut_lcp_body *mass = &system->masses[index];
    *m = (abut_kinematics){.centre = s->centre, .velocity = {s->velocity, s->angular_velocity}};
    *mass = (abut_lcp_body){.inverse_mass = b->inverse_mass};
    system->torques[index] = abut_vec3_make(0.0, 0.0, 0.0);
    if (b->inverse_mass == 0.0) {
        return;
    }
    const body *from = b->from;
    abut_mat3 axes = abut_mat3_from_quat(s->frame);
    abut_vec3 momentum = abut_mat3_apply_transposed(axes, s->spin), w = by_moments(momentum, from->moments, true);
    m->velocity.angular = abut_mat3_apply(axes, w);
    abut_vec3 force = from->force, torque = abut_add_scaled(from->torque, -from->angular_damping, s->spin);
    add_springs(system, index, m, abut_mat3_from_quat(shape_rotation_of(from, s->frame)), &force, &torque);
    abut_vec3 turning = abut_sub(abut_mat3_apply_transposed(axes, torque), abut_cross(w, momentum));
    m->acceleration.linear = abut_add_scaled(b->gravity, b->inverse_mass, force);
    m->acceleration.linear = abut_add_scaled(m->acceleration.linear, -from->linear_damping, s->velocity);
    m->acceleration.angular = abut_mat3_apply(axes, by_moments(turning, from->moments, true));
    system->torques[index] = torque;
    abut_mat3 scaled = {abut_scale(1.0 / from->moments.x, axes.x), abut_scale(1.0 / from->moments.y, axes.y),
                        abut_scale(1.0 / from->moments.z, axes.z)};
    mass->inverse_inertia = abut_mat3_mul(scaled, abut_mat3_transpose(axes));
}

/* The pose of a body's shape. */
static abut_pose pose_of(const body *from, const event_state *state) {
    abut_quat rotation = abut_quat_unit(shape_rotation_of(from, state->frame));
    return (abut_pose){abut_sub(state->centre, abut_mat3_apply(abut_mat3_from_quat(rotation), from->local_centre)), rotation};
}

static event_place place_in(const event_part *part, abut_pose pose, abut_mat3 axes, const abut_kinematics *motion) {
    abut_quat own = part->pose.rotation;
    bool turned = own.x != 0.0 || own.y != 0.0 || own.z != 0.0;
    event_place place = {.rotation = axes, .motion = motion};
    place.position = abut_add(abut_mat3_apply(axes, part->pose.position), pose.position);
    place.pose = (abut_pose){place.position, pose.rotation};
    if (turned) {
        place.pose.rotation = abut_quat_unit(abut_quat_mul(pose.rotation, own));
        place.rotation = abut_mat3_from_quat(place.pose.rotation);
    }
    return place;
}

event_place event_system_place_of(const event_system *system, int32_t part, const event_state *state) {
    int32_t body = system->parts[part].body;
    abut_pose pose = pose_of(system->bodies[body].from, state);
    return place_in(&system->parts[part], pose, abut_mat3_from_quat(pose.rotation), &system->motions[body]);
}

void event_system_place_body(event_system *system, int32_t body, const event_state *state) {
    const event_body *b = &system->bodies[body];
    move_freely(system, body, state);
    abut_pose pose = pose_of(b->from, state);
    abut_mat3 axes = abut_mat3_from_quat(pose.rotation);
    for (int32_t p = system->first_part[body]; p < system->first_part[body + 1]; ++p) {
        system->places[p] = place_in(&system->parts[p], pose, axes, &system->motions[body]);
    }
}

void event_system_place(event_system *system, const event_state *state) {
    for (int32_t i = 0; i < system->body_count; ++i) {
        if (system->bodies[i].moves || !system->still_placed) {
            event_system_place_body(system, i, &state[i]);
        }
    }
    system->still_placed = true;
    system->looked = false;
    event_holds_place(system, state);
}

/* ---- contact forces ---- */

static void make_lines(event_system *system) {
    double rate = system->world->def.event.drift_rate;
    for (int32_t i = 0; i < system->row_count; ++i) {
        const event_row *row = &system->rows[i];
        const event_place *a, *b;
        abut_contact now = event_system_look(system, row, &a, &b);
        abut_rates *rates = &system->rates[i];
        event_row_rates(row, &now, a, b, rates);
        system->lines[i] = abut_lcp_contact_row(row->body[0], row->body[1], now.normal, rates->arm_a, rates->arm_b);
        system->left_out[i] = row->parting;
        system->q[i] = rates->gap_acceleration + 2.0 * rate * rates->gap_rate + rate * rate * now.gap;
    }
}

static void add_forces(event_system *system) {
    for (int32_t i = 0; i < system->row_count; ++i) {
        const abut_lcp_row *line = &system->lines[i];
        double f = system->force[i];
        for (int side = 0; side < 2 && f > 0.0; ++side) {
            int32_t b = side == 0 ? line->body_a : line->body_b;
            if (system->bodies[b].inverse_mass == 0.0) {
                continue;
            }
            const abut_lcp_body *mass = &system->masses[b];
            abut_kinematics *m = &system->motions[b];
            m->acceleration.linear =
                abut_add_scaled(m->acceleration.linear, f * mass->inverse_mass, side == 0 ? line->linear_a : line->linear_b);
            abut_vec3 turn = side == 0 ? line->angular_a : line->angular_b;
            m->acceleration.angular = abut_add_scaled(m->acceleration.angular, f, abut_mat3_apply(mass->inverse_inertia, turn));
            system->torques[b] = abut_add_scaled(system->torques[b], f, turn);
        }
    }
}

void event_system_push(event_system *system, int32_t index, abut_vec3 force, abut_vec3 torque) {
    const abut_lcp_body *mass = &system->masses[index];
    abut_kinematics *m = &system->motions[index];
    if (system->bodies[index].inverse_mass > 0.0) {
        m->acceleration.linear = abut_add_scaled(m->acceleration.linear, mass->inverse_mass, force);
        m->acceleration.angular = abut_add(m->acceleration.angular, abut_mat3_apply(mass->inverse_inertia, torque));
        system->torques[index] = abut_add(system->torques[index], torque);
    }
}

static void add_friction(event_system *system) {
    for (int32_t i = 0; i < system->row_count; ++i) {
        for (int side = 0; side < 2; ++side) {
            abut_vec3 f = side == 0 ? system->friction.force[i] : abut_neg(system->friction.force[i]);
            event_system_push(system, system->rows[i].body[side], f,
                              abut_cross(side == 0 ? system->rates[i].arm_a : system->rates[i].arm_b, f));
        }
    }
}

static bool find_forces(event_system *system) {
    make_lines(system);
    system->rubs = event_friction_is(system);
    if (system->rubs) {
        return event_friction_forces(system);
    }
    abut_lcp_settings settings = abut_lcp_settings_default();
    event_holds_add_lines(system);
    event_holds_add_accelerations(system);
    for (int32_t i = 0; i < system->row_count; ++i) {
        system->start[i] = system->force[i];
    }
    settings.start = system->start;
    settings.left_out = system->left_out;
    settings.magnitude = system->most_gravity;
    abut_status status = lcp_set_rows(NULL, system->lcp, system->masses, system->body_count, system->lines, event_line_count(system));
    if (status == ABUT_OK) {
        status = lcp_solve(NULL, system->lcp, system->q, &settings, system->z, NULL, NULL);
    }
    if (status != ABUT_OK) {
        system->status = status;
        return false;
    }
    for (int32_t i = 0; i < system->row_count; ++i) {
        system->force[i] = system->z[i];
    }
    event_holds_keep_forces(system);
    return true;
}

bool event_system_slope(event_system *system, const event_state *state, event_slope *slope) {
    system->tally.evaluations++;
    event_system_place(system, state);
    if (event_line_count(system) > 0) {
        if (!find_forces(system)) {
            return false;
        }
        add_forces(system);
        if (system->rubs) {
            add_friction(system);
        }
    }
    for (int32_t i = 0; i < system->body_count; ++i) {
        const abut_kinematics *m = &system->motions[i];
        abut_vec3 w = m->velocity.angular;
        abut_quat turn = abut_quat_mul(abut_quat_make(w.x, w.y, w.z, 0.0), state[i].frame);
        slope[i] = (event_slope){.velocity = m->velocity.linear,
                                 .turning = {0.5 * turn.x, 0.5 * turn.y, 0.5 * turn.z, 0.5 * turn.w},
                                 .acceleration = m->acceleration.linear,
                                 .torque = system->torques[i]};
    }
    return true;
}

/* ---- known rows ---- */

/* Contacts of smooth bodies that are not convex have no features by which they could be known. Their places are exact to rounding errors. */
bool event_system_is_same(const event_system *system, const event_row *known, const event_row *found) {
    const double near = 1e-6;
    if (!event_curved_follows(known) || !event_curved_follows(found) || known->pair != found->pair) {
        return event_row_is_same(known, found);
    }
    const event_place *a, *b;
    abut_contact now = event_system_look(system, known, &a, &b);
    double most = near * system->pairs[known->pair].size;
    return !isnan(now.gap) && abut_distance_between(now.on_a, found->contact.on_a) <= most &&
           abut_distance_between(now.on_b, found->contact.on_b) <= most;
}
