#include "solve/contact/work.h"

#include "base/real.h"
#include "solve/contact/loop.h"
#include "solve/contact/patch.h"

/* ---- two states ---- */

static void hold_body(solver_body *body) {
    body->held_velocity = body->velocity;
    body->held_angular_velocity = body->angular_velocity;
}

static void go_back_body(solver_body *body) {
    body->velocity = body->held_velocity;
    body->angular_velocity = body->held_angular_velocity;
}

static void exchange_body(solver_body *body) {
    abut_vec3 velocity = body->velocity, angular_velocity = body->angular_velocity;
    go_back_body(body);
    body->held_velocity = velocity;
    body->held_angular_velocity = angular_velocity;
}

static void each_body(const solver_contacts *set, void (*change)(solver_body *)) {
    for (int32_t i = 0; i < set->body_count; i++) {
        change(&set->bodies[i]);
    }
}

void solver_hold(const solver_contacts *set) {
    each_body(set, hold_body);
    for (int32_t i = 0; i < set->point_count; i++) {
        set->anchors[i].held = set->points[i].impulse;
    }
}

void solver_go_back(const solver_contacts *set) {
    each_body(set, go_back_body);
    for (int32_t i = 0; i < set->point_count; i++) {
        set->points[i].impulse = set->anchors[i].held;
    }
}

void solver_exchange(const solver_contacts *set) {
    each_body(set, exchange_body);
    for (int32_t i = 0; i < set->point_count; i++) {
        solver_impulse impulse = set->points[i].impulse;
        set->points[i].impulse = set->anchors[i].held;
        set->anchors[i].held = impulse;
    }
}

/* ---- work ---- */

/* A body with the velocities held + s (present - held). */
static solver_body between(const solver_body *body, double s) {
    solver_body at = *body;
    at.velocity = abut_lerp(body->held_velocity, body->velocity, s);
    at.angular_velocity = abut_lerp(body->held_angular_velocity, body->angular_velocity, s);
    return at;
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
}
