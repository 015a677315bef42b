/* The fixed stepper: contacts once a step, then the islands, each through all its substeps (step/fixed/substeps.h). */
#include "step/fixed/stepper.h"

#include <time.h>

#include "base/array.h"
#include "step/fixed/assembly.h"
#include "step/fixed/contacts.h"
#include "step/fixed/island.h"
#include "step/fixed/margin.h"
#include "step/world/report.h"
#include "step/fixed/substeps.h"

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

static bool is_finite_state(const solver_body *state) {
    return abut_vec3_is_finite(state->velocity) && abut_vec3_is_finite(state->angular_velocity) && abut_vec3_is_finite(state->moved) &&
           fabs(abut_quat_norm(state->rotation) - 1.0) < 1e-6;
}

static abut_status check_states(const abut_world *world) {
    const step_work *work = &world->work;
    for (int32_t i = 0; i < work->contacts.body_count; i++) {
        const body *body = &world->bodies[work->slots[i]];
        if (!is_finite_state(&work->states[i]) || !abut_vec3_is_finite(abut_add(body->centre, work->states[i].moved))) {
            return ABUT_ERROR_NOT_FINITE;
        }
    }
    return ABUT_OK;
}

static void commit_body(body *body, const solver_body *state) {
    body->centre = abut_add(body->centre, state->moved);
    body->frame = state->rotation;
    body->velocity = state->velocity;
    body->angular_velocity = state->angular_velocity;
    body_place_shape(body);
}

static void commit_bodies(abut_world *world) {
    const abut_vec3 zero = {0.0, 0.0, 0.0};
    for (int32_t k = 0; k < world->work.island_count; k++) {
        const step_island *island = &world->work.islands[k];
        for (int32_t i = island->body; i < island->body + island->moving; i++) {
            commit_body(&world->bodies[world->work.slots[i]], &world->work.states[i]);
        }
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

void fixed_commit_contacts(abut_world *world) {
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

typedef struct solving {
    abut_world *world;
    double dt;
} solving;

static void solve_batches(void *argument, int32_t begin, int32_t end) {
    const solving *solve = argument;
    const step_work *work = &solve->world->work;
    for (int32_t i = work->batches[begin]; i < work->batches[end]; i++) {
        if (work->sets[i].schedule == NULL) {
            substeps_run(solve->world, i, solve->dt);
        }
    }
}

/* Large islands one after the other, each by all threads; then the others side by side. */
static void solve_islands(abut_world *world, double dt) {
    for (int32_t i = 0; i < world->work.island_count; i++) {
        if (world->work.sets[i].schedule != NULL) {
            substeps_run(world, i, dt);
        }
    }
    solving solve = {world, dt};
    abut_parallel_for(&world->def.parallel, world->work.batch_count, 1, solve_batches, &solve);
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
        solve_islands(world, dt);
        status = check_states(world);
    }
    if (status != ABUT_OK) {
        return status;
    }
    assembly_write_forces(world, dt);
    contacts_drop_idle(world);
    island_sleep(world, dt);
    commit_bodies(world);
    fixed_commit_contacts(world);
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
