/* The fixed stepper. The contacts are computed once a step. Then each island goes through all of its substeps (step/fixed/substeps.h). */
#include "step/fixed/stepper.h"

#include "base/clock.h"
#include "base/memory.h"
#include "step/fixed/assembly.h"
#include "step/fixed/margin.h"
#include "step/fixed/sleep.h"
#include "step/world/finish.h"

void fixed_release(struct fixed_stepper *stepper) {
    if (stepper != NULL) {
        islands_release(&stepper->islands);
        contacts_release(&stepper->narrow);
        layout_release(&stepper->layout);
        colours_release(&stepper->colours);
        plan_release(&stepper->plan);
        passage_release(&stepper->guard);
        wide_release(&stepper->quick);
        lag_release(&stepper->lag);
        again_release(&stepper->again);
        memory_release(stepper);
    }
}

static abut_status prepare(abut_world *world) {
    if (world->fixed == NULL) {
        world->fixed = memory_allocate(1, sizeof *world->fixed);
    }
    return world->fixed != NULL ? ABUT_OK : ABUT_ERROR_OUT_OF_MEMORY;
}

static abut_status find_pairs(struct fixed_stepper *stepper, abut_world *world, double dt) {
    if (!islands_begin(&stepper->islands, world)) {
        return ABUT_ERROR_OUT_OF_MEMORY;
    }
    for (int32_t slot = 0; slot < world->body_used; slot++) {
        const body *body = &world->bodies[slot];
        /* A kinematic body that has stopped is no longer active, but its reach must still follow it to the place where it stopped. */
        bool moves = stepper->islands.bodies[slot].active || (body->used && body->kind == ABUT_BODY_KINEMATIC);
        if (!moves) {
            continue;
        }
        if (world->broad.proxies[slot].kind == BROAD_PLANE) {
            abut_vec3 normal;
            double offset;
            body_plane(body, &normal, &offset);
            broad_move_plane(&world->broad, slot, normal, offset + margin_share(world, body, dt));
        } else {
            broad_move_box(&world->broad, slot, margin_reach(world, body, dt), abut_scale(4.0 * dt, body->velocity));
        }
    }
    return broad_find(&world->broad) ? ABUT_OK : ABUT_ERROR_OUT_OF_MEMORY;
}

static abut_status assemble(struct fixed_stepper *stepper, const abut_world *world, double dt) {
    island_layout *layout = &stepper->layout;
    if (!layout_make(layout, world, &stepper->islands, stepper->narrow.extents, dt) || !passage_begin(&stepper->guard, layout, world, dt)) {
        return ABUT_ERROR_OUT_OF_MEMORY;
    }
    quick_choose(layout, world, dt);
    if (!colours_make(&stepper->colours, layout, world)) {
        return ABUT_ERROR_OUT_OF_MEMORY;
    }
    layout_make_batches(layout);
    assembly_fill(layout, world, dt);
    bool made = plan_make(&stepper->plan, layout->sets, layout->quick, layout->island_count) && quick_plan(&stepper->quick, layout);
    return made ? ABUT_OK : ABUT_ERROR_OUT_OF_MEMORY;
}

typedef struct solving {
    struct fixed_stepper *stepper;
    const abut_world *world;
    double dt;
} solving;

static void solve_batches(void *argument, int32_t begin, int32_t end) {
    const solving *solve = argument;
    island_layout *layout = &solve->stepper->layout;
    for (int32_t i = layout->batches[begin]; i < layout->batches[end]; i++) {
        if (layout->sets[i].schedule == NULL && !layout->quick[i]) {
            substeps_run(solve->world, layout, &solve->stepper->guard, &solve->stepper->plan, i, solve->dt);
        }
    }
}

/* The islands of the quick solver; then large islands one after the other, each by all threads; then the other islands in parallel. */
static void solve_islands(struct fixed_stepper *stepper, const abut_world *world, double dt) {
    island_layout *layout = &stepper->layout;
    quick_solve(&stepper->quick, layout, &stepper->guard, world, dt);
    for (int32_t i = 0; i < layout->island_count; i++) {
        if (layout->sets[i].schedule != NULL && !layout->quick[i]) {
            substeps_run(world, layout, &stepper->guard, &stepper->plan, i, dt);
        }
    }
    solving solve = {stepper, world, dt};
    abut_parallel_for(&world->def.parallel, layout->batch_count, 1, solve_batches, &solve);
}

static bool is_finite_state(const solver_body *state) {
    return abut_vec3_is_finite(state->velocity) && abut_vec3_is_finite(state->angular_velocity) && abut_vec3_is_finite(state->moved) &&
           fabs(abut_quat_norm(state->rotation) - 1.0) < 1e-6;
}

static abut_status check_states(const island_layout *layout, const abut_world *world) {
    for (int32_t i = 0; i < layout->contacts.body_count; i++) {
        const body *body = &world->bodies[layout->slots[i]];
        if (!is_finite_state(&layout->states[i]) || !abut_vec3_is_finite(abut_add(body->centre, layout->states[i].moved))) {
            return world_refuse_body(ABUT_ERROR_NOT_FINITE, world, layout->slots[i], "its state is not finite after the step");
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

static void commit_bodies(const struct fixed_stepper *stepper, abut_world *world) {
    const abut_vec3 zero = {0.0, 0.0, 0.0};
    const island_layout *layout = &stepper->layout;
    for (int32_t k = 0; k < layout->island_count; k++) {
        const layout_island *island = &layout->islands[k];
        for (int32_t i = island->body; i < island->body + island->moving; i++) {
            commit_body(&world->bodies[layout->slots[i]], &layout->states[i]);
        }
    }
    for (int32_t slot = 0; slot < world->body_used; slot++) {
        body *body = &world->bodies[slot];
        body->force = zero;
        body->torque = zero;
        body->disturbed = false;
        body->asleep = stepper->islands.bodies[slot].asleep;
        body->rest_time = stepper->islands.bodies[slot].rest_time;
        if (body->asleep) {
            body->velocity = zero;
            body->angular_velocity = zero;
        }
    }
}

abut_status fixed_step(abut_world *world, double dt, abut_step_report *report) {
    step_account account = {.begin = clock_now()};
    abut_status status = prepare(world);
    struct fixed_stepper *stepper = world->fixed;
    status = status == ABUT_OK ? find_pairs(stepper, world, dt) : status;
    double paired = clock_now();
    status = status == ABUT_OK ? contacts_find(&stepper->narrow, world, &stepper->islands, dt) : status;
    double found = clock_now();
    if (status == ABUT_OK) {
        islands_wake(&stepper->islands, world);
        status = assemble(stepper, world, dt);
    }
    if (status == ABUT_OK) {
        solve_islands(stepper, world, dt);
        bool relieved = again_solve(&stepper->again, &stepper->plan, &stepper->quick, &stepper->layout, &stepper->guard, world, dt) &&
                        lag_relieve(&stepper->lag, &stepper->quick, &stepper->layout, world, dt);
        status = relieved ? check_states(&stepper->layout, world) : ABUT_ERROR_OUT_OF_MEMORY;
        status = status == ABUT_OK ? passage_stop(&stepper->guard, &stepper->layout, world, dt) : status;
    }
    if (status != ABUT_OK) {
        return status;
    }
    assembly_write_forces(&stepper->layout, world, dt);
    contacts_drop_idle(&stepper->narrow, world);
    islands_sleep(&stepper->islands, &stepper->layout, world, dt);
    commit_bodies(stepper, world);
    account.broad = paired - account.begin;
    account.narrow = found - paired;
    account.candidates = stepper->narrow.candidates;
    step_finish(world, dt, &account, report);
    return ABUT_OK;
}
