#include "step/fixed/lag.h"

#include "base/array.h"
#include "base/memory.h"
#include "base/real.h"
#include "solve/contact/direct.h"
#include "step/fixed/assembly.h"
#include "step/fixed/quick_records.h"
#include "step/world/motion.h"

/* The lag, relative to the speed that gravity gives in a step. Below the first limit passes suffice, and below the second one for an island that has only
 * guessed its loads. Above the last one the island is struck, and its loads change anyway. */
static const double noticeable = 0.05, guessed = 1e-6, struck = 2.0;

/* Bodies that move faster than this in the mean, in the same measure, fall and roll: their loads change in each step, whatever they are now. */
static const double restless = 1.0;

void lag_release(lag_relief *relief) {
    plan_release(&relief->plan);
    memory_release(relief->left_out);
}

/* Gives all points of a patch the same load. The direct solution takes those contacts as equations that press. Guesses may have left some of them without a
 * load that bear one. */
static void even_loads(const solver_contacts *set) {
    for (int32_t k = 0; k < set->patch_count; k++) {
        const solver_patch *patch = &set->patches[k];
        double sum = 0.0;
        for (int32_t i = patch->first; i < patch->first + patch->count; i++) {
            sum += set->anchors[i].warm.normal;
        }
        for (int32_t i = patch->first; i < patch->first + patch->count; i++) {
            set->anchors[i].warm = (solver_impulse){sum * patch->inverse_count, 0.0, 0.0};
        }
    }
}

/* Ends the speeds that the lag has made. They come from all substeps, so the impulses that end them may take back as much as the loads give in a step. */
static void correct_speeds(solver_plan *plan, int32_t island, const solver_contacts *set, double dt, int32_t substeps, double speed) {
    for (int32_t i = 0; i < set->point_count; i++) {
        const solver_anchor *anchor = &set->anchors[i];
        set->points[i].target = anchor->gap > anchor->touch ? -anchor->gap * substeps / dt : 0.0;
        set->points[i].impulse = solver_sum((solver_impulse){0.0, 0.0, 0.0}, substeps, anchor->warm);
    }
    direct_solve(plan, island, set, speed, true);
    for (int32_t i = 0; i < set->point_count; i++) {
        solver_anchor *anchor = &set->anchors[i];
        anchor->sum = solver_sum(solver_sum(anchor->sum, 1.0, set->points[i].impulse), -substeps, anchor->warm);
        anchor->sum.normal = real_max(anchor->sum.normal, 0.0);
    }
}

/* The loads of the next substep: those that hold the bodies against half of its forces, when they begin at rest. */
static void find_loads(solver_plan *plan, int32_t island, const solver_contacts *set, const wide_kick *kicks, double speed) {
    for (int32_t i = 0; i < set->body_count; i++) {
        solver_body *body = &set->bodies[i];
        const double *push = kicks[i].linear, *turn = kicks[i].angular;
        body->held_velocity = body->velocity;
        body->held_angular_velocity = body->angular_velocity;
        body->velocity = abut_vec3_make(push[0], push[1], push[2]);
        body->angular_velocity = abut_vec3_make(turn[0], turn[1], turn[2]);
    }
    for (int32_t i = 0; i < set->point_count; i++) { /* the velocities contain no impulses yet */
        set->points[i].target = 0.0;
        set->points[i].impulse = (solver_impulse){0.0, 0.0, 0.0};
    }
    for (int32_t p = 0; p < set->pair_count; p++) {
        const solver_pair *pair = &set->pairs[p];
        for (int32_t k = pair->first; k < pair->first + pair->count; k++) {
            const solver_patch *patch = &set->patches[k];
            for (int32_t i = patch->first; i < patch->first + patch->count; i++) {
                solver_apply(set, pair, patch, &set->points[i], solver_sum((solver_impulse){0.0, 0.0, 0.0}, 0.5, set->anchors[i].warm));
            }
        }
    }
    direct_solve(plan, island, set, speed, true);
    for (int32_t i = 0; i < set->point_count; i++) {
        set->anchors[i].warm = solver_sum(set->points[i].impulse, 1.0, set->points[i].impulse);
        set->anchors[i].mean = set->anchors[i].warm.normal;
    }
    for (int32_t i = 0; i < set->body_count; i++) {
        set->bodies[i].velocity = set->bodies[i].held_velocity;
        set->bodies[i].angular_velocity = set->bodies[i].held_angular_velocity;
    }
}

/* The speed that gravity gives to a body of the island in a step. */
static double gained_in(const island_layout *layout, const abut_world *world, int32_t index, double dt) {
    const layout_island *island = &layout->islands[index];
    double gained = 0.0;
    for (int32_t i = island->body; i < island->body + island->moving; i++) {
        gained = real_max(gained, dt * abut_length(body_gravity(world, &world->bodies[layout->slots[i]])));
    }
    return gained;
}

/* The scale of the speeds in an island. */
static double speed_of(const solver_contacts *set, double gained) {
    double speed = gained;
    for (int32_t i = 0; i < set->body_count; i++) {
        speed = real_max(speed, abut_length(set->bodies[i].velocity));
    }
    return speed;
}

/* The mean square of the velocities in an island, relative to their mean. */
static double unrest_in(const island_layout *layout, int32_t index) {
    const layout_island *island = &layout->islands[index];
    const solver_body *states = &layout->states[island->body];
    abut_vec3 sum = {0.0, 0.0, 0.0};
    double squares = 0.0, part = 1.0 / island->moving;
    for (int32_t i = 0; i < island->moving; i++) {
        sum = abut_add(sum, states[i].velocity);
        squares += abut_length_squared(states[i].velocity);
    }
    return part * (squares - part * abut_length_squared(sum));
}

/* Axes and inertia where the bodies are now. */
static void renew_bodies(const island_layout *layout, const abut_world *world, int32_t index) {
    const layout_island *island = &layout->islands[index];
    for (int32_t i = island->body; i < island->body + island->body_count; i++) {
        motion_renew(&world->bodies[layout->slots[i]], &layout->states[i]);
    }
}

static bool lags_in(const wide_solver *solver, const island_layout *layout, const abut_world *world, int32_t index, double dt) {
    if (!layout->quick[index]) {
        return false;
    }
    double gained = gained_in(layout, world, index, dt), least = wide_begins(solver, index) ? guessed : noticeable;
    if (!(solver->lag[index] > least * gained && solver->lag[index] < struck * gained)) {
        return false;
    }
    return wide_begins(solver, index) || unrest_in(layout, index) < restless * restless * gained * gained;
}

bool lag_relieve(lag_relief *relief, const wide_solver *solver, island_layout *layout, const abut_world *world, double dt) {
    bool any = false;
    if (!array_reserve(&relief->left_out, &relief->capacity, layout->island_count, sizeof *relief->left_out)) {
        return false;
    }
    for (int32_t i = 0; i < layout->island_count; i++) {
        relief->left_out[i] = !lags_in(solver, layout, world, i, dt);
        any = any || !relief->left_out[i];
    }
    if (!any) {
        return true;
    }
    if (!plan_make(&relief->plan, layout->sets, relief->left_out, layout->island_count)) {
        return false;
    }
    for (int32_t i = 0; i < layout->island_count; i++) { /* those without columns cannot be factorised cheaply */
        relief->left_out[i] = relief->left_out[i] || relief->plan.islands[i].column_end == relief->plan.islands[i].column;
    }
    assembly_fill_anchors(layout, world, relief->left_out, dt);
    for (int32_t i = 0; i < layout->island_count; i++) {
        if (relief->left_out[i]) {
            continue;
        }
        const solver_contacts *set = &layout->sets[i];
        double speed = speed_of(set, gained_in(layout, world, i, dt));
        renew_bodies(layout, world, i);
        solver_refresh(set); /* the contacts where the bodies are now */
        quick_records_to_anchors(set, dt, world->def.fixed.effort);
        if (wide_begins(solver, i)) {
            even_loads(set);
        }
        find_loads(&relief->plan, i, set, &solver->kicks[layout->islands[i].body], speed);
        correct_speeds(&relief->plan, i, set, dt, world->def.fixed.effort, speed);
        quick_records_from_anchors(set, dt, world->def.fixed.effort);
    }
    return true;
}
