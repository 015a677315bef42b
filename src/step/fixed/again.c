#include "step/fixed/again.h"

#include "base/array.h"
#include "base/memory.h"
#include "base/parts.h"
#include "base/real.h"
#include "solve/wide/record.h"
#include "step/fixed/assembly.h"
#include "step/fixed/substeps.h"

/* FEW: islands of up to this number of bodies are solved again where the passes have not agreed, because two bodies that strike each other
 * show it most, and their exact solution is cheap. SMALL: those for a small gain of energy. In larger ones, whose exact solution takes long,
 * energy must have grown much. */
enum { FEW = 2, SMALL = 32 };

/* Energy that counts as gained, relative to the energy at the begin, and to what gravity gives to bodies in free fall during the step: in small islands, and of
 * a single body. Relative to the first in large islands. */
static const double rounding = 1e-9, fallen = 1e-4, fallen_alone = 1e-6, much = 0.02;

/* A speed that the closing pass still changed, relative to what gravity gives in a step: in islands of few bodies, and of a single body and in an island that
 * has only guessed its loads. */
static const double residual = 0.02, least_residual = 1e-6;

void again_release(again_marks *marks) { memory_release(marks->left_out); }

/* A group of the quick solver. */
typedef struct again_group {
    const wide_solver *solver;
    int32_t index;
    const island_layout *layout;
    const abut_world *world;
    double dt;
} again_group;

static bool is_zero(abut_vec3 v) { return v.x == 0.0 && v.y == 0.0 && v.z == 0.0; }

/* By how much the body has turned in the step; a small angle. */
static abut_vec3 angle_of(const body *body, const solver_body *state) {
    abut_quat turn = abut_quat_mul(state->rotation, abut_quat_conjugate(body->frame));
    return abut_scale(turn.w < 0.0 ? -2.0 : 2.0, abut_vec3_make(turn.x, turn.y, turn.z));
}

/* What forces do to a body on its way. The push is no motion, so its way does not count. */
static double work_of_forces(const again_group *of, const body *body, const solver_body *state, abut_vec3 push) {
    abut_vec3 force = abut_add_scaled(body->force, body->mass, body_gravity(of->world, body));
    double turning = is_zero(body->torque) ? 0.0 : abut_dot(body->torque, angle_of(body, state));
    return abut_dot(force, abut_add_scaled(state->moved, -of->dt, push)) + turning;
}

/* What the push of a body does against the forces on it. */
static double work_of_push(const again_group *of, const body *body, abut_vec3 push) {
    abut_vec3 force = abut_add_scaled(body->force, body->mass, body_gravity(of->world, body));
    return real_max(-of->dt * abut_dot(force, push), 0.0);
}

static bool is_still(const solver_body *body) { return is_zero(body->velocity) && is_zero(body->angular_velocity); }

/* What the bodies that forces do not move do to the others by their own motion. */
static double work_of_movers(const solver_contacts *set, double dt) {
    double work = 0.0;
    for (int32_t p = 0; p < set->pair_count; p++) {
        const solver_pair *pair = &set->pairs[p];
        const solver_body *a = &set->bodies[pair->a], *b = &set->bodies[pair->b], *mover = a->inverse_mass > 0.0 ? b : a;
        if (mover->inverse_mass > 0.0 || is_still(mover)) {
            continue;
        }
        for (int32_t k = pair->first; k < pair->first + pair->count; k++) {
            const wide_patch *patch = &set->wide_patches[k];
            for (int32_t i = patch->first; i < patch->first + patch->count; i++) {
                const wide_contact *contact = &set->wide_contacts[i];
                const double *force = wide_step_force(set, i);
                abut_vec3 arm = mover == a ? contact->arm : abut_add(contact->arm, pair->offset), v = solver_velocity_at(mover, arm);
                double power = force[0] * abut_dot(patch->normal, v) + abut_dot(wide_step_friction(force), v);
                work += dt * (mover == a ? -power : power);
            }
        }
    }
    return work;
}

/* Sums over bodies that move. */
typedef struct balance {
    double before, after; /* kinetic energy */
    double work, lift;    /* of the forces on the way, and of the push against them */
    double fall, fastest; /* what gravity gives in free fall: energy, and the most speed */
} balance;

static void add_body(const again_group *of, int32_t index, balance *to) {
    const body *body = &of->world->bodies[of->layout->slots[index]];
    const solver_body *state = &of->layout->states[index];
    to->before += body_kinetic_energy(body, body->frame, (abut_motion){body->velocity, body->angular_velocity});
    to->after += body_kinetic_energy(body, state->rotation, (abut_motion){state->velocity, state->angular_velocity});
    abut_vec3 push = wide_push_of(of->solver, of->index, index);
    to->work += work_of_forces(of, body, state, push);
    to->lift += work_of_push(of, body, push);
    double gained = of->dt * abut_length(body_gravity(of->world, body));
    to->fall += 0.5 * body->mass * gained * gained;
    to->fastest = real_max(to->fastest, gained);
}

typedef struct adding {
    const again_group *of;
    const layout_island *island;
    balance parts[PARTS_MOST];
} adding;

static void add_parts(void *argument, int32_t begin, int32_t end) {
    adding *add = argument;
    int32_t bodies = add->island->moving, length = parts_length(bodies);
    for (int32_t part = begin; part < end; part++) {
        add->parts[part] = (balance){.before = 0.0};
        for (int32_t i = part * length; i < parts_end(bodies, part * length); i++) {
            add_body(add->of, add->island->body + i, &add->parts[part]);
        }
    }
}

/* parallel: NULL for one thread */
static balance balance_of(const again_group *of, const layout_island *island, const abut_parallel *parallel) {
    adding add;
    add.of = of;
    add.island = island;
    int32_t parts = parts_count(island->moving);
    if (parallel == NULL) {
        add_parts(&add, 0, parts);
    } else {
        abut_parallel_for(parallel, parts, 1, add_parts, &add);
    }
    balance sum = add.parts[0];
    for (int32_t i = 1; i < parts; i++) {
        const balance *part = &add.parts[i];
        sum = (balance){sum.before + part->before, sum.after + part->after, sum.work + part->work,
                        sum.lift + part->lift,     sum.fall + part->fall,   real_max(sum.fastest, part->fastest)};
    }
    return sum;
}

/* Whether the quick solution of an island is wrong: its passes have not agreed, or it has more energy than before. */
static bool is_wrong(const again_group *of, int32_t index, const abut_parallel *parallel) {
    const layout_island *island = &of->layout->islands[index];
    const balance b = balance_of(of, island, parallel);
    double excess = b.after - b.before - b.work - work_of_movers(&of->layout->sets[index], of->dt);
    if (island->moving > SMALL) {
        return excess > much * b.before + b.fall;
    }
    bool alone = island->moving == 1;
    double least = alone || wide_begins(of->solver, index) ? least_residual : island->moving <= FEW ? residual : INFINITY;
    if (of->solver->lag[index] > least * b.fastest) {
        return true;
    }
    return alone ? excess + b.lift > rounding * b.before + fallen_alone * b.fall : excess > rounding * b.before + fallen * b.fall;
}

bool again_begin(again_marks *marks, const island_layout *layout) {
    if (!array_reserve(&marks->left_out, &marks->capacity, layout->island_count, sizeof *marks->left_out)) {
        return false;
    }
    for (int32_t i = 0; i < layout->island_count; i++) {
        marks->left_out[i] = true;
    }
    return true;
}

void again_judge(const void *context, const wide_solver *solver, int32_t index, const abut_parallel *parallel) {
    const again_judging *judging = context;
    const again_group of = {solver, index, judging->layout, judging->world, judging->dt};
    const wide_group *group = &solver->groups[index];
    for (int32_t i = group->set; i < group->set_end; i++) {
        judging->marks->left_out[i] = !is_wrong(&of, i, parallel);
    }
}

typedef struct solving {
    const again_marks *marks;
    solver_plan *plan;
    island_layout *layout;
    const passage_guard *guard;
    const abut_world *world;
    double dt;
} solving;

static void solve_islands(void *argument, int32_t begin, int32_t end) {
    const solving *of = argument;
    for (int32_t i = begin; i < end; i++) {
        if (!of->marks->left_out[i]) {
            substeps_run(of->world, of->layout, of->guard, of->plan, i, of->dt);
        }
    }
}

bool again_solve(again_marks *marks, solver_plan *plan, island_layout *layout, const passage_guard *guard, const abut_world *world,
                 double dt) {
    bool any = false;
    for (int32_t i = 0; i < layout->island_count; i++) {
        layout->quick[i] = layout->quick[i] && marks->left_out[i];
        any = any || !marks->left_out[i];
    }
    if (!any) {
        return true;
    }
    assembly_fill_again(layout, world, marks->left_out, dt);
    if (!plan_make(plan, layout->sets, marks->left_out, layout->island_count)) {
        return false;
    }
    solving solve = {marks, plan, layout, guard, world, dt};
    abut_parallel_for(&world->def.parallel, layout->island_count, 1, solve_islands, &solve);
    return true;
}
