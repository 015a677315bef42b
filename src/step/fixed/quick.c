#include "step/fixed/quick.h"

#include "base/elementary.h"
#include "base/parts.h"
#include "base/real.h"
#include "step/world/motion.h"
#include "step/world/meet/surfaces.h"

/* ---- which islands ---- */

static double speed_of(const body *body) { return abut_length(body->velocity) + abut_length(body->angular_velocity) * body->radius; }

/* Whether the contacts of a pair have restitution; and rolling or spinning friction. */
static bool has_bounce(const abut_world *world, const broad_pair *pair, bool *rolls) {
    const body *a = &world->bodies[pair->a], *b = &world->bodies[pair->b];
    if (surfaces_are_plain(world, a, b) && world->def.pair_count > 0) {
        abut_surface surface = surfaces_of_bodies(world, a, b);
        *rolls = surface.rolling_friction > 0.0 || surface.spinning_friction > 0.0;
        return surface.restitution > 0.0;
    }
    if (surfaces_are_plain(world, a, b)) {
        *rolls = world->rolling && (a->rolls || b->rolls);
        return a->restitution > 0.0 || b->restitution > 0.0;
    }
    bool bounces = false;
    *rolls = false;
    const surface_pair of = surfaces_pair_now(world, pair->a, pair->b);
    for (int32_t i = pair->contact_first, patch = -1; i < pair->contact_first + pair->contact_count; i++) {
        const abut_contact *contact = &world->next.contacts[i].contact;
        if (contact->patch != patch) {
            abut_surface surface = surfaces_at(&of, contact);
            bounces = bounces || surface.restitution > 0.0;
            *rolls = *rolls || surface.rolling_friction > 0.0 || surface.spinning_friction > 0.0;
        }
        patch = contact->patch;
    }
    return bounces;
}

/* Whether the contacts of a pair may bounce in this step, or have rolling friction. */
static bool rolls_or_bounces(const abut_world *world, const broad_pair *pair, double dt) {
    const body *a = &world->bodies[pair->a], *b = &world->bodies[pair->b];
    double gained = dt * (abut_length(body_gravity(world, a)) + abut_length(body_gravity(world, b)));
    bool rolls, bounces = has_bounce(world, pair, &rolls);
    return rolls || (bounces && speed_of(a) + speed_of(b) + gained > world->def.fixed.restitution_speed);
}

/* Normals and arms are those of the begin of the step, so bodies must not turn far in it. */
static bool turns_far(const body *body, double dt) {
    const double far = 0.5; /* [rad] */
    return !(abut_length(body->angular_velocity) * dt <= far);
}

/* Whether a pair has contacts that the step before did not have. */
static bool has_new(const abut_world *world, const broad_pair *pair) {
    for (int32_t i = pair->contact_first; i < pair->contact_first + pair->contact_count; i++) {
        if (world->next.memory[i].mean < 0.0) {
            return true;
        }
    }
    return false;
}

/* A body that touches no other dynamic body, by several contacts, while it moves: it rolls, rocks or slides over seams. Its exact solution is cheap. */
static bool is_lone(const layout_island *island) { return island->moving == 1 && island->point_count > 1; }

/* What gravity gives to a body in a small part of a step. */
static bool is_moving(const abut_world *world, const body *body, double dt) {
    const double part = 1e-3;
    return speed_of(body) > part * dt * abut_length(body_gravity(world, body));
}

/* The tracking baseline is there to be compared with. */
bool quick_is_used(const abut_world *world) { return !world->def.fixed.exact && world->def.method != ABUT_METHOD_TRACKING; }

typedef struct choosing {
    island_layout *layout;
    const abut_world *world;
    double dt;
} choosing;

static bool body_refuses(const choosing *of, const layout_island *island, int32_t state) {
    const body *body = &of->world->bodies[of->layout->slots[state]];
    return body->driven || turns_far(body, of->dt) || (state == island->body && is_lone(island) && is_moving(of->world, body, of->dt));
}

static bool pair_refuses(const choosing *of, const layout_pair *pair) {
    const broad_pair *found = &of->world->broad.found[pair->found];
    return found->met > 0.0 || rolls_or_bounces(of->world, found, of->dt) ||
           (is_lone(&of->layout->islands[pair->island]) && has_new(of->world, found));
}

/* The island of a state. */
static int32_t island_at(const island_layout *layout, int32_t state) {
    int32_t low = 0, high = layout->island_count - 1;
    while (low < high) {
        int32_t middle = low + (high - low + 1) / 2;
        if (layout->islands[middle].body <= state) {
            low = middle;
        } else {
            high = middle - 1;
        }
    }
    return low;
}

/* The first state of some that refuses, and its island; `end` for none. */
static int32_t first_body_refusing(const choosing *of, int32_t begin, int32_t end, int32_t *island) {
    const layout_island *islands = of->layout->islands;
    *island = begin < end ? island_at(of->layout, begin) : 0;
    for (int32_t state = begin; state < end; state++) {
        while (state >= islands[*island].body + islands[*island].body_count) {
            ++*island;
        }
        if (body_refuses(of, &islands[*island], state)) {
            return state;
        }
    }
    return end;
}

static bool has_body_refusing(const void *argument, int32_t begin, int32_t end) {
    int32_t unused;
    return first_body_refusing(argument, begin, end, &unused) < end;
}

static bool has_pair_refusing(const void *argument, int32_t begin, int32_t end) {
    const choosing *of = argument;
    for (int32_t p = begin; p < end; p++) {
        if (pair_refuses(of, &of->layout->pairs[p])) {
            return true;
        }
    }
    return false;
}

/* Takes the islands of bodies that refuse from the quick solver. */
static void refuse_bodies(const choosing *of) {
    int32_t bodies = of->layout->contacts.body_count, island;
    bool found[PARTS_MOST];
    bool any = parts_find(&of->world->def.parallel, bodies, has_body_refusing, of, found);
    for (int32_t part = 0; part < parts_count(bodies) && any; part++) {
        int32_t at = part * parts_length(bodies), end = parts_end(bodies, at);
        while (found[part] && (at = first_body_refusing(of, at, end, &island)) < end) {
            of->layout->quick[island] = false;
            at++;
        }
    }
}

static void refuse_pairs(const choosing *of) {
    int32_t pairs = of->layout->pair_count;
    bool found[PARTS_MOST];
    bool any = parts_find(&of->world->def.parallel, pairs, has_pair_refusing, of, found);
    for (int32_t part = 0; part < parts_count(pairs) && any; part++) {
        int32_t first = part * parts_length(pairs);
        for (int32_t p = first; p < parts_end(pairs, first) && found[part]; p++) {
            const layout_pair *pair = &of->layout->pairs[p];
            of->layout->quick[pair->island] = of->layout->quick[pair->island] && !pair_refuses(of, pair);
        }
    }
}

void quick_choose(island_layout *layout, const abut_world *world, double dt) {
    const choosing of = {layout, world, dt};
    bool used = quick_is_used(world);
    for (int32_t i = 0; i < layout->island_count; i++) {
        layout->quick[i] =
            used && layout->islands[i].pair_count > 0 && layout->islands[i].spring_count == 0 && layout->islands[i].joint_count == 0;
    }
    if (used) {
        refuse_bodies(&of);
        refuse_pairs(&of);
    }
}

/* ---- the solution ---- */

bool quick_plan(wide_solver *solver, const island_layout *layout, const abut_parallel *parallel) {
    return wide_reserve_kicks(solver, layout->contacts.body_count) &&
           wide_plan(solver, &layout->contacts, layout->sets, layout->quick, layout->island_count, parallel);
}

/* Bodies that are worth a piece of a loop. */
enum { BODIES = 256 };

typedef struct solving {
    wide_solver *solver;
    island_layout *layout;
    const passage_guard *guard;
    const abut_world *world;
    quick_judge *judge;
    const void *context;
    wide_rule rule;
} solving;

/* The bodies of an island at one of the guard's points. */
typedef struct noting {
    const solving *of;
    int32_t group, first, point;
} noting;

static void note_bodies(void *argument, int32_t begin, int32_t end) {
    const noting *n = argument;
    for (int32_t i = n->first + begin; i < n->first + end; i++) {
        const wide_motion motion = wide_motion_of(n->of->solver, n->group, i);
        solver_body noted = n->of->layout->states[i];
        noted.moved = motion.moved;
        noted.angular_velocity = motion.angular_velocity;
        noted.rotation = abut_quat_unit(abut_quat_mul(motion.turned, noted.rotation));
        passage_note_body(n->of->guard, i, &noted, n->point);
    }
}

static void note_island(const solving *of, int32_t group, int32_t index, int32_t point) {
    const layout_island *island = &of->layout->islands[index];
    noting note = {of, group, island->body, point};
    if (wide_is_large(of->solver, group)) {
        abut_parallel_for(&of->world->def.parallel, island->moving, BODIES, note_bodies, &note);
    } else {
        note_bodies(&note, 0, island->moving);
    }
}

/* The guard has as many points in all islands. They are noted before the substeps that are next to them. */
static void note_group(void *context, int32_t index, int32_t substep) {
    const solving *of = context;
    const wide_group *group = &of->solver->groups[index];
    int32_t points = of->world->def.fixed.substeps;
    for (int32_t i = group->set; i < group->set_end; i++) {
        for (int32_t point = 0; point < points && of->guard->fast_islands[i]; point++) {
            if ((int64_t)point * of->rule.substeps / points == substep) {
                note_island(of, index, i, point);
            }
        }
    }
}

/* By half of the forces of a substep. */
static wide_kick kick_of(const abut_world *world, const body *body, const solver_body *state, double time) {
    wide_kick kick = {.keeps = 1.0, .angular_keeps = 1.0};
    if (body->kind != ABUT_BODY_DYNAMIC) {
        return kick;
    }
    abut_vec3 push = abut_scale(time, abut_add_scaled(body_gravity(world, body), state->inverse_mass, body->force));
    abut_vec3 turn = abut_scale(time, abut_mat3_apply(state->inverse_inertia, body->torque));
    kick.linear[0] = push.x;
    kick.linear[1] = push.y;
    kick.linear[2] = push.z;
    kick.angular[0] = turn.x;
    kick.angular[1] = turn.y;
    kick.angular[2] = turn.z;
    kick.keeps = body->linear_damping > 0.0 ? elementary_exp(-body->linear_damping * time) : 1.0;
    kick.angular_keeps = body->angular_damping > 0.0 ? elementary_exp(-body->angular_damping * time) : 1.0;
    return kick;
}

/* Bodies of a group. */
typedef struct group_bodies {
    const solving *of;
    int32_t first;
} group_bodies;

static void kick_bodies(void *argument, int32_t begin, int32_t end) {
    const group_bodies *bodies = argument;
    const solving *of = bodies->of;
    double half = 0.5 * of->rule.step / of->rule.substeps;
    for (int32_t i = bodies->first + begin; i < bodies->first + end; i++) {
        of->solver->kicks[i] = kick_of(of->world, &of->world->bodies[of->layout->slots[i]], &of->layout->states[i], half);
    }
}

/*
 * A body that the push lifts pays for it with its kinetic energy, as far as it has some. Loads lag, so a stack that sways sinks in a little on the side that
 * it leans to, and the push brings it out again. This happens in time with the sway, and would feed it for ever. Velocities are those relative to `mean`, so a
 * stack that slides as one goes on.
 */
static void pay_for_push(const solving *of, int32_t group, int32_t index, abut_vec3 mean) {
    const body *body = &of->world->bodies[of->layout->slots[index]];
    solver_body *state = &of->layout->states[index];
    abut_vec3 force = abut_add_scaled(body->force, body->mass, body_gravity(of->world, body));
    double work = -of->rule.step * abut_dot(force, wide_push_of(of->solver, group, index));
    if (work > 0.0) {
        abut_vec3 velocity = abut_sub(state->velocity, mean);
        double energy = body_kinetic_energy(body, state->rotation, (abut_motion){velocity, state->angular_velocity});
        double keeps = work < energy ? sqrt(1.0 - work / energy) : 0.0;
        state->velocity = abut_add_scaled(mean, keeps, velocity);
        state->angular_velocity = abut_scale(keeps, state->angular_velocity);
    }
}

/* The velocity of the centre of mass of the bodies of an island that move. */
static abut_vec3 mean_velocity(const solving *of, const layout_island *island) {
    abut_vec3 momentum = {0.0, 0.0, 0.0};
    double mass = 0.0;
    for (int32_t i = island->body; i < island->body + island->moving; i++) {
        double m = of->world->bodies[of->layout->slots[i]].mass;
        momentum = abut_add_scaled(momentum, m, of->layout->states[i].velocity);
        mass += m;
    }
    return abut_scale(1.0 / mass, momentum);
}

/* Bodies of an island. */
typedef struct paying {
    const solving *of;
    int32_t group, first;
    abut_vec3 mean;
} paying;

static void pay_for_pushes(void *argument, int32_t begin, int32_t end) {
    const paying *l = argument;
    for (int32_t i = l->first + begin; i < l->first + end; i++) {
        pay_for_push(l->of, l->group, i, l->mean);
    }
}

/* `group` is that of the island in the wide solver. */
static void pay_in_island(const solving *of, int32_t group, int32_t index, const abut_parallel *parallel) {
    const layout_island *island = &of->layout->islands[index];
    if (island->moving < 2) { /* a body alone has no velocity relative to its island */
        return;
    }
    paying pay = {of, group, island->body, mean_velocity(of, island)};
    if (parallel == NULL) {
        pay_for_pushes(&pay, 0, island->moving);
    } else {
        abut_parallel_for(parallel, island->moving, BODIES, pay_for_pushes, &pay);
    }
}

static void follow_turns(void *argument, int32_t begin, int32_t end) {
    const group_bodies *l = argument;
    for (int32_t i = l->first + begin; i < l->first + end; i++) {
        motion_follow_turn(&l->of->world->bodies[l->of->layout->slots[i]], &l->of->layout->states[i], l->of->rule.step);
    }
}

/* parallel: NULL for one thread */
static void each_body(const group_bodies *bodies, int32_t count, abut_task *task, const abut_parallel *parallel) {
    group_bodies of = *bodies;
    if (parallel == NULL) {
        task(&of, 0, count);
    } else {
        abut_parallel_for(parallel, count, BODIES, task, &of);
    }
}

/* One group from its kicks to its judgement, so that small ones stay in the cache. */
static void solve_group(const void *argument, int32_t index, const abut_parallel *parallel) {
    const solving *of = argument;
    const wide_group *group = &of->solver->groups[index];
    const group_bodies bodies = {of, group->body};
    each_body(&bodies, group->body_count, kick_bodies, parallel);
    wide_run_group(of->solver, index, &of->rule, parallel);
    each_body(&bodies, group->body_count, follow_turns, parallel);
    for (int32_t i = group->set; i < group->set_end; i++) {
        pay_in_island(of, index, i, parallel);
        passage_note(of->guard, of->layout, i, of->world->def.fixed.substeps);
    }
    of->judge(of->context, of->solver, index, parallel);
}

void quick_solve(wide_solver *solver, island_layout *layout, const passage_guard *guard, const abut_world *world, double dt,
                 quick_judge *judge, const void *context) {
    const abut_fixed_settings *fixed = &world->def.fixed;
    double angular = 2.0 * REAL_PI * fixed->contact_frequency;
    solving of = {.solver = solver, .layout = layout, .guard = guard, .world = world, .judge = judge, .context = context};
    of.rule = (wide_rule){.step = dt,
                          .substeps = fixed->effort,
                          .push_rate = angular / (2.0 * fixed->contact_damping + dt * angular),
                          .max_push = fixed->max_push_speed,
                          .note = note_group,
                          .context = &of};
    wide_each_group(solver, &world->def.parallel, solve_group, &of);
}
