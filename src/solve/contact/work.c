#include "solve/contact/work.h"

#include "base/real.h"
#include "solve/contact/loop.h"
#include "solve/contact/patch.h"
#include "solve/contact/roll.h"

/* ---- two states ---- */

static void hold_bodies(void *argument, solver_range range) {
    const solver_contacts *set = argument;
    for (int32_t i = range.begin; i < range.end; i++) {
        set->bodies[i].held_velocity = set->bodies[i].velocity;
        set->bodies[i].held_angular_velocity = set->bodies[i].angular_velocity;
    }
}

static void hold_impulses(void *argument, solver_range range) {
    const solver_contacts *set = argument;
    for (int32_t i = solver_first_point(set, range.begin); i < solver_first_point(set, range.end); i++) {
        set->anchors[i].held = set->points[i].impulse;
    }
}

/* The rows of joints, by their kind of change. */
static void each_row(const solver_contacts *set, void (*change)(joint_row *row, double s), double s) {
    for (int32_t j = 0; j < set->joint_count; j++) {
        for (int32_t i = 0; i < set->joints[j].row_count; i++) {
            change(&set->joints[j].rows[i], s);
        }
    }
}

/* Records of rolling, where there are some. */
static void each_roll(const solver_contacts *set, void (*change)(solver_roll *roll, double s), double s) {
    for (int32_t k = 0; k < set->patch_count && set->rolls != NULL; k++) {
        if (set->patches[k].rolls) {
            change(&set->rolls[k], s);
        }
    }
}

static void hold_roll(solver_roll *roll, double s) {
    (void)s;
    roll->held = roll->impulse;
}

static void mix_roll(solver_roll *roll, double s) { roll->impulse = abut_lerp(roll->held, roll->impulse, s); }

static void exchange_roll(solver_roll *roll, double s) {
    (void)s;
    abut_vec3 impulse = roll->impulse;
    roll->impulse = roll->held;
    roll->held = impulse;
}

static void hold_row(joint_row *row, double s) {
    (void)s;
    row->held = row->impulse;
}

static void mix_row(joint_row *row, double s) { row->impulse = row->held + s * (row->impulse - row->held); }

static void exchange_row(joint_row *row, double s) {
    (void)s;
    double impulse = row->impulse;
    row->impulse = row->held;
    row->held = impulse;
}

void solver_hold(const solver_contacts *set) {
    solver_contacts of = *set;
    solver_each_body(set, hold_bodies, &of);
    solver_each_pair(set, hold_impulses, &of);
    each_row(set, hold_row, 0.0);
    each_roll(set, hold_roll, 0.0);
}

static void take_velocities(void *argument, solver_range range) {
    const solver_contacts *set = argument;
    for (int32_t i = range.begin; i < range.end; i++) {
        set->bodies[i].velocity = set->bodies[i].held_velocity;
        set->bodies[i].angular_velocity = set->bodies[i].held_angular_velocity;
    }
}

static void take_impulses(void *argument, solver_range range) {
    const solver_contacts *set = argument;
    for (int32_t i = solver_first_point(set, range.begin); i < solver_first_point(set, range.end); i++) {
        set->points[i].impulse = set->anchors[i].held;
    }
}

void solver_go_back(const solver_contacts *set) {
    solver_contacts of = *set;
    solver_each_body(set, take_velocities, &of);
    solver_take_held_impulses(set);
}

void solver_take_held_impulses(const solver_contacts *set) {
    solver_contacts of = *set;
    solver_each_pair(set, take_impulses, &of);
    each_row(set, mix_row, 0.0);
    each_roll(set, mix_roll, 0.0);
}

static void exchange_velocities(void *argument, solver_range range) {
    const solver_contacts *set = argument;
    for (int32_t i = range.begin; i < range.end; i++) {
        solver_body *body = &set->bodies[i];
        abut_vec3 velocity = body->velocity, angular_velocity = body->angular_velocity;
        body->velocity = body->held_velocity;
        body->angular_velocity = body->held_angular_velocity;
        body->held_velocity = velocity;
        body->held_angular_velocity = angular_velocity;
    }
}

static void exchange_impulses(void *argument, solver_range range) {
    const solver_contacts *set = argument;
    for (int32_t i = solver_first_point(set, range.begin); i < solver_first_point(set, range.end); i++) {
        solver_impulse impulse = set->points[i].impulse;
        set->points[i].impulse = set->anchors[i].held;
        set->anchors[i].held = impulse;
    }
}

void solver_exchange(const solver_contacts *set) {
    solver_contacts of = *set;
    solver_each_body(set, exchange_velocities, &of);
    solver_each_pair(set, exchange_impulses, &of);
    each_row(set, exchange_row, 0.0);
    each_roll(set, exchange_roll, 0.0);
}

/* ---- work ---- */

/* The velocities held + s (present - held) of a body. */
static solver_body between(const solver_body *body, double s) {
    return (solver_body){.velocity = abut_lerp(body->held_velocity, body->velocity, s),
                         .angular_velocity = abut_lerp(body->held_angular_velocity, body->angular_velocity, s)};
}

/* The sum over all contacts of the change of the impulse times the velocity at held + s (present - held). */
static double power_at(const solver_contacts *set, double s) {
    double sum = 0.0;
    for (int32_t p = 0; p < set->pair_count; p++) {
        const solver_pair *pair = &set->pairs[p];
        solver_body a = between(&set->bodies[pair->a], s), b = between(&set->bodies[pair->b], s);
        for (int32_t k = pair->first; k < pair->first + pair->count; k++) {
            const solver_patch *patch = &set->patches[k];
            abut_vec3 velocity = solver_patch_velocity(&a, &b, patch), spin = solver_patch_spin(&a, &b, patch);
            if (patch->rolls) {
                sum += abut_dot(abut_sub(set->rolls[k].impulse, set->rolls[k].held), spin);
            }
            for (int32_t i = patch->first; i < patch->first + patch->count; i++) {
                solver_impulse change = solver_difference(set->points[i].impulse, set->anchors[i].held);
                solver_impulse v = solver_point_velocity(&set->points[i], velocity, spin);
                sum += change.normal * v.normal + change.x * v.x + change.y * v.y;
            }
        }
    }
    return sum;
}

double solver_work(const solver_contacts *set) { return power_at(set, 0.5); }

/* The largest s <= 1 with linear s + square s^2 <= most, where most >= 0 and square >= 0. */
static double last_below(double linear, double square, double most) {
    if (linear + square <= most) {
        return 1.0;
    }
    double root = sqrt(real_max(linear * linear + 4.0 * square * most, 0.0));
    double s = linear > 0.0 ? 2.0 * most / (linear + root) : (root - linear) / (2.0 * square);
    return s >= 0.0 && s <= 1.0 ? s : 0.0;
}

void solver_mix(const solver_contacts *set, double most) {
    /* The work up to s is linear s + square s^2: both impulses and velocities change in proportion to s. */
    double whole = power_at(set, 0.5), square = power_at(set, 1.0) - whole;
    double s = last_below(whole - square, square, real_max(most, 0.0));
    if (s == 1.0) {
        return;
    }
    for (int32_t i = 0; i < set->body_count; i++) {
        solver_body at = between(&set->bodies[i], s);
        set->bodies[i].velocity = at.velocity;
        set->bodies[i].angular_velocity = at.angular_velocity;
    }
    for (int32_t i = 0; i < set->point_count; i++) {
        solver_impulse held = set->anchors[i].held;
        set->points[i].impulse = solver_sum(held, s, solver_difference(set->points[i].impulse, held));
    }
    each_row(set, mix_row, s);
    each_roll(set, mix_roll, s);
}
