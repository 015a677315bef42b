/* The fixed stepper: contacts once a step, then substeps of equal length, each a leapfrog whose two halves are solved against the
 * contacts (solve/contact.h).
 *
 *   half the forces;  first stage: impulses so that nothing sinks in while it moves, and what is sunk in comes out
 *   motion
 *   half the forces;  second stage: impulses so that nothing approaches, and impacts bounce
 *
 * Contacts are followed through the substeps by their anchors on the bodies. */
#include "step/fixed.h"

#include <time.h>

#include "solve/accelerate.h"
#include "solve/direct.h"
#include "step/assembly.h"
#include "step/contacts.h"
#include "step/island.h"
#include "step/margin.h"
#include "step/motion.h"
#include "step/report.h"
#include "base/array.h"

/* A stage ends early when a pass changes no contact's velocity by more than this, relative to the speeds there are: rounding. */
static const double settled = 1e-13;

/* The same for pushing penetration out, relative to the fastest push: what is missing now is made up for in the next substep. */
static const double push_settled = 1e-4;

static double seconds_now(void) {
    struct timespec now;
    return timespec_get(&now, TIME_UTC) == TIME_UTC ? (double)now.tv_sec + 1e-9 * (double)now.tv_nsec : 0.0;
}

static abut_status find_pairs(abut_world *world, double dt) {
    step_work *work = &world->work;
    step_body *bodies = array_room(work->bodies, &work->body_capacity, world->body_used, sizeof *bodies);
    if (bodies == NULL) {
        return ABUT_ERROR_OUT_OF_MEMORY;
    }
    work->bodies = bodies;
    island_begin(world);
    for (int32_t slot = 0; slot < world->body_used; slot++) {
        const body *body = &world->bodies[slot];
        /* A kinematic body that has stopped is not active any more, and still has to be where it stopped. */
        bool moves = bodies[slot].active || (body->used && body->kind == ABUT_BODY_KINEMATIC);
        if (!moves) {
            continue;
        }
        if (world->broad.proxies[slot].kind == BROAD_PLANE) {
            abut_vec3 normal;
            double offset;
            body_plane(body, &normal, &offset);
            broad_move_plane(&world->broad, slot, normal, offset + margin_share(world, body, dt));
        } else {
            broad_move_box(&world->broad, slot, body_reach(world, body, dt), abut_scale(4.0 * dt, body->velocity));
        }
    }
    return broad_find(&world->broad) ? ABUT_OK : ABUT_ERROR_OUT_OF_MEMORY;
}

/* The speeds that rounding is measured against. */
static double speed_scale(const abut_world *world, double dt) {
    double speed = dt * abut_length(world->def.gravity);
    for (int32_t i = 0; i < world->work.moving_count; i++) {
        const body *body = &world->bodies[world->work.moving[i]];
        speed = fmax(speed, abut_length(body->velocity) + abut_length(body->angular_velocity) * body->radius);
    }
    return speed;
}

/* Springs do not wait for each other, so they are solved along with the passes. */
static double solve_springs(abut_world *world, double h) {
    double change = 0.0;
    for (int32_t i = 0; i < world->work.spring_count; i++) {
        change = fmax(change, solver_spring_solve(world->work.states, &world->work.springs[i], h));
    }
    return change;
}

/* The passes of a stage. Half-way they know which contacts bear; then whole stacks are solved at once, and the rest of the passes
 * settles what that left. */
static void solve_stage(abut_world *world, double h, double tolerance) {
    step_work *work = &world->work;
    accelerator faster = {0.0};
    int32_t passes = world->def.fixed.iterations;
    for (int32_t i = 0; i < work->spring_count; i++) {
        solver_spring_warm_start(work->states, &work->springs[i]);
    }
    solver_warm_start(&work->contacts);
    for (int32_t pass = 0; pass < passes; pass++) {
        accelerate_mark(&work->contacts);
        double change = solve_springs(world, h);
        change = fmax(change, solver_pass(&work->contacts, false, true));
        if (change <= tolerance) {
            break;
        }
        if (pass == (passes - 1) / 2) {
            direct_solve(&work->plan, &work->contacts, true);
            faster = (accelerator){0.0};
        } else if (pass + 1 < passes) {
            accelerate_passes(&faster, &work->contacts);
        }
    }
}

static void kick(abut_world *world, double time) {
    for (int32_t i = 0; i < world->work.moving_count; i++) {
        int32_t slot = world->work.moving[i];
        motion_kick(&world->bodies[slot], &world->work.states[slot], world->def.gravity, time);
    }
}

static void drift(abut_world *world, double time) {
    for (int32_t i = 0; i < world->work.moving_count; i++) {
        int32_t slot = world->work.moving[i];
        motion_drift(&world->bodies[slot], &world->work.states[slot], time);
    }
}

/* Motion of a substep, with what penetrates pushed out on the way. The push moves the bodies without friction, for it is no motion that
 * friction could oppose; and its passes run to and fro without acceleration, which might carry it too far. */
static void move(abut_world *world, const solver_rule *rule) {
    step_work *work = &world->work;
    int32_t passes = world->def.fixed.iterations;
    double fastest = solver_begin_push(&work->contacts, rule);
    if (fastest == 0.0) {
        drift(world, rule->substep);
        return;
    }
    for (int32_t i = 0; i < work->moving_count; i++) {
        solver_body *state = &work->states[work->moving[i]];
        state->held_velocity = state->velocity;
        state->held_angular_velocity = state->angular_velocity;
    }
    for (int32_t pass = 0; pass < passes && solver_pass(&work->contacts, pass % 2 == 1, false) > push_settled * fastest; pass++) {
        if (pass == (passes - 1) / 2) {
            direct_solve(&work->plan, &work->contacts, false);
        }
    }
    for (int32_t i = 0; i < work->moving_count; i++) {
        solver_body *state = &work->states[work->moving[i]];
        state->pushed_angular_velocity = abut_sub(state->angular_velocity, state->held_angular_velocity);
    }
    drift(world, rule->substep);
    for (int32_t i = 0; i < work->moving_count; i++) {
        solver_body *state = &work->states[work->moving[i]];
        state->velocity = state->held_velocity;
        /* The angular velocity has turned with the body: only the push is taken away. */
        state->angular_velocity = abut_sub(state->angular_velocity, state->pushed_angular_velocity);
    }
    solver_end_push(&work->contacts);
}

static void refresh(abut_world *world, double h) {
    solver_refresh(&world->work.contacts);
    for (int32_t i = 0; i < world->work.spring_count; i++) {
        solver_spring_refresh(world->work.states, &world->work.springs[i], h);
    }
}

static void solve(abut_world *world, double dt) {
    const abut_fixed_settings *fixed = &world->def.fixed;
    const solver_contacts *contacts = &world->work.contacts;
    double h = dt / fixed->substeps, tolerance = settled * speed_scale(world, dt);
    double angular = 2.0 * 3.14159265358979323846 * fixed->contact_frequency;
    solver_rule rule = {h, angular / (2.0 * fixed->contact_damping + h * angular), fixed->max_push_speed, tolerance,
                        fixed->restitution_speed};
    refresh(world, h);
    for (int32_t substep = 0; substep < fixed->substeps; substep++) {
        solver_note_approach(contacts);
        kick(world, 0.5 * h);
        solver_note_impact(contacts, &rule);
        solver_first_stage(contacts, &rule);
        solve_stage(world, h, tolerance);
        move(world, &rule);
        refresh(world, h);
        kick(world, 0.5 * h);
        solver_second_stage(contacts, &rule);
        solve_stage(world, h, tolerance);
        solver_end_substep(contacts);
    }
}

static bool is_finite_state(const solver_body *state) {
    return abut_is_finite_vec3(state->velocity) && abut_is_finite_vec3(state->angular_velocity) && abut_is_finite_vec3(state->moved) &&
           fabs(abut_quat_norm(state->rotation) - 1.0) < 1e-6;
}

static abut_status check_states(const abut_world *world) {
    for (int32_t i = 0; i < world->work.moving_count; i++) {
        int32_t slot = world->work.moving[i];
        const solver_body *state = &world->work.states[slot];
        if (!is_finite_state(state) || !abut_is_finite_vec3(abut_add(world->bodies[slot].centre, state->moved))) {
            return ABUT_ERROR_NOT_FINITE;
        }
    }
    return ABUT_OK;
}

static void commit_bodies(abut_world *world) {
    const abut_vec3 zero = {0.0, 0.0, 0.0};
    for (int32_t i = 0; i < world->work.moving_count; i++) {
        int32_t slot = world->work.moving[i];
        body *body = &world->bodies[slot];
        const solver_body *state = &world->work.states[slot];
        const abut_vec3 v = state->velocity, w = state->angular_velocity;
        body->centre = abut_add(body->centre, state->moved);
        body->frame = state->rotation;
        body->velocity = v;
        body->angular_velocity = w;
        body_place_shape(body);
    }
    for (int32_t slot = 0; slot < world->body_used; slot++) {
        body *body = &world->bodies[slot];
        body->force = zero;
        body->torque = zero;
        body->disturbed = false;
        body->asleep = world->work.bodies[slot].asleep;
        body->rest_time = world->work.bodies[slot].rest_time;
        if (body->asleep) {
            body->velocity = zero;
            body->angular_velocity = zero;
        }
    }
}

/* Lists change places: those of the last step become room for the next. */
static void commit_contacts(abut_world *world) {
    step_work *work = &world->work;
    contact_store contacts = world->contacts;
    world->contacts = work->next;
    work->next = contacts;
    tracking_cache *tracking = world->tracking;
    int32_t capacity = world->tracking_capacity;
    world->tracking = work->tracking;
    world->tracking_capacity = work->tracking_capacity;
    work->tracking = tracking;
    work->tracking_capacity = capacity;
    broad_commit(&world->broad);
}

abut_status fixed_step(abut_world *world, double dt, abut_step_report *report) {
    double begin = seconds_now();
    contacts_tally tally;
    abut_status status = find_pairs(world, dt);
    double paired = seconds_now();
    status = status == ABUT_OK ? contacts_find(world, dt, &tally) : status;
    double found = seconds_now();
    if (status == ABUT_OK) {
        island_wake(world);
        status = assembly_build(world, dt);
    }
    if (status == ABUT_OK) {
        solve(world, dt);
        status = check_states(world);
    }
    if (status != ABUT_OK) {
        return status;
    }
    assembly_write_forces(world, dt);
    contacts_drop_idle(world);
    island_sleep(world, dt);
    commit_bodies(world);
    commit_contacts(world);
    world->step++;
    world->time += dt;
    report_fill(world, report);
    double end = seconds_now();
    report->candidates = tally.candidates;
    report->seconds_broad = paired - begin;
    report->seconds_narrow = found - paired;
    report->seconds_solve = end - found;
    report->seconds_total = end - begin;
    return ABUT_OK;
}
