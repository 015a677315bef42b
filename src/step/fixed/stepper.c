/* The fixed stepper. The contacts are computed once a step. Then each island goes through all of its substeps (step/fixed/substeps.h). */
#include "step/fixed/stepper.h"

#include "base/array.h"
#include "base/clock.h"
#include "base/memory.h"
#include "base/parts.h"
#include "step/fixed/assembly.h"
#include "step/fixed/contact_places.h"
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
        memory_release(stepper->reaches);
        memory_release(stepper);
    }
}

static abut_status prepare(abut_world *world) {
    if (world->fixed == NULL) {
        world->fixed = memory_allocate(1, sizeof *world->fixed);
    }
    return world->fixed != NULL ? ABUT_OK : ABUT_ERROR_OUT_OF_MEMORY;
}

/* Bodies that are worth a piece of a loop. */
enum { BODIES = 256 };

typedef struct stepping {
    struct fixed_stepper *stepper;
    abut_world *world;
    double dt;
} stepping;

/* A kinematic body that has stopped is no longer active, but its reach must still follow it to the place where it stopped. */
static bool must_be_moved(const struct fixed_stepper *stepper, const abut_world *world, int32_t slot) {
    const body *body = &world->bodies[slot];
    bool placed = body->kind != ABUT_BODY_STATIC || body->disturbed; /* a belt that runs is active, too, and stays where it is */
    return (stepper->islands.bodies[slot].active && placed) || (body->used && body->kind == ABUT_BODY_KINEMATIC);
}

/* Where the next steps will carry the body. */
static abut_vec3 way_ahead(const body *body, double dt) { return abut_scale(4.0 * dt, body->velocity); }

/* Moves the boxes that stay inside their fat ones. Whether one of some bodies has not been moved. */
static bool move_inside(const void *argument, int32_t begin, int32_t end) {
    const stepping *of = argument;
    bool any = false;
    for (int32_t slot = begin; slot < end; slot++) {
        const body *body = &of->world->bodies[slot];
        if (must_be_moved(of->stepper, of->world, slot)) {
            bool is_plane = of->world->broad.proxies[slot].kind == BROAD_PLANE;
            abut_aabb *reach = &of->stepper->reaches[slot];
            *reach = is_plane ? *reach : margin_reach(of->world, body, of->dt);
            any = is_plane || !broad_move_inside(&of->world->broad, slot, *reach, way_ahead(body, of->dt)) || any;
        }
    }
    return any;
}

static void move_proxy(const struct fixed_stepper *stepper, abut_world *world, int32_t slot, double dt) {
    const body *body = &world->bodies[slot];
    if (world->broad.proxies[slot].kind == BROAD_PLANE) {
        abut_vec3 normal;
        double offset;
        body_plane(body, &normal, &offset);
        broad_move_plane(&world->broad, slot, normal, offset + margin_share(world, body, dt));
    } else {
        broad_move_box(&world->broad, slot, stepper->reaches[slot], way_ahead(body, dt));
    }
}

static void move_proxies(struct fixed_stepper *stepper, abut_world *world, double dt) {
    const stepping of = {stepper, world, dt};
    int32_t bodies = world->body_used;
    bool found[PARTS_MOST];
    bool any = parts_find(&world->def.parallel, bodies, move_inside, &of, found);
    for (int32_t part = 0; part < parts_count(bodies) && any; part++) {
        int32_t first = part * parts_length(bodies);
        for (int32_t slot = first; slot < parts_end(bodies, first) && found[part]; slot++) {
            if (must_be_moved(stepper, world, slot)) {
                move_proxy(stepper, world, slot, dt);
            }
        }
    }
}

static abut_status find_pairs(struct fixed_stepper *stepper, abut_world *world, double dt) {
    if (!islands_begin(&stepper->islands, world) ||
        !array_reserve(&stepper->reaches, &stepper->reach_capacity, world->body_used, sizeof *stepper->reaches)) {
        return ABUT_ERROR_OUT_OF_MEMORY;
    }
    move_proxies(stepper, world, dt);
    return broad_find(&world->broad, &world->def.parallel) ? ABUT_OK : ABUT_ERROR_OUT_OF_MEMORY;
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
    bool made = plan_make(&stepper->plan, layout->sets, layout->quick, layout->island_count) &&
                quick_plan(&stepper->quick, layout, &world->def.parallel) && again_begin(&stepper->again, layout);
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
    const again_judging judging = {&stepper->again, layout, world, dt};
    quick_solve(&stepper->quick, layout, &stepper->guard, world, dt, again_judge, &judging);
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

static bool is_state_fine(const island_layout *layout, const abut_world *world, int32_t i) {
    abut_vec3 centre = world->bodies[layout->slots[i]].centre;
    return is_finite_state(&layout->states[i]) && abut_vec3_is_finite(abut_add(centre, layout->states[i].moved));
}

/* Whether one of some states is not finite. */
static bool has_wrong_state(const void *argument, int32_t begin, int32_t end) {
    const stepping *of = argument;
    for (int32_t i = begin; i < end; i++) {
        if (!is_state_fine(&of->stepper->layout, of->world, i)) {
            return true;
        }
    }
    return false;
}

static abut_status check_states(struct fixed_stepper *stepper, abut_world *world, double dt) {
    const stepping of = {stepper, world, dt};
    const island_layout *layout = &stepper->layout;
    bool unused[PARTS_MOST];
    bool any = parts_find(&world->def.parallel, layout->contacts.body_count, has_wrong_state, &of, unused);
    for (int32_t i = 0; i < layout->contacts.body_count && any; i++) {
        if (!is_state_fine(layout, world, i)) {
            return world_refuse_body(ABUT_ERROR_NOT_FINITE, world, layout->slots[i], "its state is not finite after the step");
        }
    }
    return ABUT_OK;
}

static void commit_state(body *body, const solver_body *state) {
    body->centre = abut_add(body->centre, state->moved);
    body->frame = state->rotation;
    body->velocity = state->velocity;
    body->angular_velocity = state->angular_velocity;
    body_place_shape(body);
}

static void commit_body(const struct fixed_stepper *stepper, abut_world *world, int32_t slot) {
    const abut_vec3 zero = {0.0, 0.0, 0.0};
    body *body = &world->bodies[slot];
    int32_t state = layout_state_of(&stepper->layout, slot);
    if (state >= 0) {
        commit_state(body, &stepper->layout.states[state]);
    }
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

static void commit_bodies(void *argument, int32_t begin, int32_t end) {
    const stepping *of = argument;
    for (int32_t slot = begin; slot < end; slot++) {
        commit_body(of->stepper, of->world, slot);
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
        bool relieved = again_solve(&stepper->again, &stepper->plan, &stepper->layout, &stepper->guard, world, dt) &&
                        lag_relieve(&stepper->lag, &stepper->quick, &stepper->layout, world, dt);
        status = relieved ? check_states(stepper, world, dt) : ABUT_ERROR_OUT_OF_MEMORY;
        status = status == ABUT_OK ? passage_stop(&stepper->guard, &stepper->layout, &stepper->plan, stepper->narrow.extents, world, dt)
                                   : status;
    }
    if (status != ABUT_OK) {
        return status;
    }
    assembly_write_forces(&stepper->layout, world, dt);
    contact_places_drop_idle(&stepper->narrow, world);
    islands_sleep(&stepper->islands, &stepper->layout, world, dt);
    stepping of = {stepper, world, dt};
    abut_parallel_for(&world->def.parallel, world->body_used, BODIES, commit_bodies, &of);
    account.broad = paired - account.begin;
    account.narrow = found - paired;
    account.candidates = stepper->narrow.candidates;
    step_finish(world, dt, &account, report);
    return ABUT_OK;
}
