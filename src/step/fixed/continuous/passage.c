/* Fast bodies follow their paths once more: see the header. */
#include "step/fixed/continuous/passage.h"

#include <stdlib.h>

#include "base/array.h"
#include "base/memory.h"
#include "base/parts.h"
#include "base/real.h"
#include "step/fixed/continuous/impact.h"

/* A body is fast when a point of it moves farther in a step than this, relative to the radius of the ball inside it. Slower bodies do not pass: their contacts
 * see them coming, and push them out where they are deep. */
static const double slow_way = 0.5;

/* Slow bodies are followed, too, when they are this deep at the start of the step, relative to the same radius. */
static const double deep = 0.25;

/* ---- which bodies ---- */

static bool travels_far(const abut_world *world, const body *body, double dt) {
    return path_length(body, path_motion(world, body, dt)) > slow_way * body->core;
}

static bool is_dynamic(const island_layout *layout, const abut_world *world, int32_t slot) {
    const body *body = &world->bodies[slot];
    return body->used && body->kind == ABUT_BODY_DYNAMIC && layout_state_of(layout, slot) >= 0;
}

typedef struct marking {
    passage_guard *guard;
    const island_layout *layout;
    const abut_world *world;
    double dt;
} marking;

/* Whether one of some bodies travels far. */
static bool mark_far(const void *argument, int32_t begin, int32_t end) {
    const marking *of = argument;
    bool any = false;
    for (int32_t slot = begin; slot < end; slot++) {
        bool far = is_dynamic(of->layout, of->world, slot) && travels_far(of->world, &of->world->bodies[slot], of->dt);
        of->guard->far[slot] = far;
        any = any || far;
    }
    return any;
}

/* True if there are fast islands. */
static bool mark_islands(passage_guard *guard, const island_layout *layout, const abut_world *world, double dt) {
    const marking of = {guard, layout, world, dt};
    bool unused[PARTS_MOST];
    for (int32_t i = 0; i < layout->island_count; i++) {
        guard->fast_islands[i] = false;
    }
    bool any = parts_find(&world->def.parallel, world->body_used, mark_far, &of, unused);
    for (int32_t slot = 0; slot < world->body_used && any; slot++) {
        if (guard->far[slot]) {
            guard->fast_islands[layout->island_of[slot]] = true;
        }
    }
    return any;
}

bool passage_begin(passage_guard *guard, const island_layout *layout, const abut_world *world, double dt) {
    if (!array_reserve(&guard->path_of, &guard->path_capacity, layout->contacts.body_count, sizeof *guard->path_of) ||
        !array_reserve(&guard->fast_islands, &guard->island_capacity, layout->island_count, sizeof *guard->fast_islands) ||
        !array_reserve(&guard->far, &guard->far_capacity, world->body_used, sizeof *guard->far)) {
        return false;
    }
    for (int32_t i = 0; i < layout->contacts.body_count; i++) {
        guard->path_of[i] = -1;
    }
    bool any = mark_islands(guard, layout, world, dt);
    const int64_t points = (int64_t)world->def.fixed.substeps + 1;
    int64_t used = 0;
    for (int32_t slot = 0; slot < world->body_used && any; slot++) {
        if (!is_dynamic(layout, world, slot) || !guard->fast_islands[layout->island_of[slot]]) {
            continue;
        }
        if (used > INT32_MAX - points) {
            return false;
        }
        guard->path_of[layout_state_of(layout, slot)] = (int32_t)used;
        used += points;
    }
    return array_reserve(&guard->planned, &guard->planned_capacity, (int32_t)used, sizeof *guard->planned) &&
           array_reserve(&guard->points, &guard->point_capacity, (int32_t)used, sizeof *guard->points);
}

void passage_note_body(const passage_guard *guard, int32_t state, const solver_body *body, int32_t substep) {
    if (guard->path_of[state] >= 0) {
        guard->planned[guard->path_of[state] + substep] = guard->points[guard->path_of[state] + substep] = path_point_of(body);
    }
}

void passage_note(const passage_guard *guard, const island_layout *layout, int32_t island, int32_t substep) {
    const layout_island *of = &layout->islands[island];
    for (int32_t i = of->body; i < of->body + of->moving; i++) {
        passage_note_body(guard, i, &layout->states[i], substep);
    }
}

/* ---- which bodies are followed ---- */

typedef struct looking {
    passage_guard *guard;
    const step_ways *ways;
    const pair_extent *extents;
    double cores[PARTS_MOST]; /* the smallest core of the dynamic bodies of each part */
    double least;             /* of all of them */
} looking;

static void find_cores(void *argument, int32_t begin, int32_t end) {
    looking *of = argument;
    const abut_world *world = of->ways->world;
    int32_t bodies = world->body_used, length = parts_length(bodies);
    for (int32_t part = begin; part < end; part++) {
        of->cores[part] = INFINITY;
        for (int32_t slot = part * length; slot < parts_end(bodies, part * length); slot++) {
            const body *body = &world->bodies[slot];
            bool counts = body->used && body->kind == ABUT_BODY_DYNAMIC;
            of->cores[part] = counts ? real_min(of->cores[part], body->core) : of->cores[part];
        }
    }
}

static double least_core(looking *of) {
    int32_t parts = parts_count(of->ways->world->body_used);
    double least = INFINITY;
    abut_parallel_for(&of->ways->world->def.parallel, parts, 1, find_cores, of);
    for (int32_t part = 0; part < parts; part++) {
        least = real_min(least, of->cores[part]);
    }
    return least;
}

/* Measures the ways of some bodies. True if one is far for any body. */
static bool measure_ways(const void *argument, int32_t begin, int32_t end) {
    const looking *of = argument;
    const double enough = slow_way * of->least;
    bool any = false;
    for (int32_t slot = begin; slot < end; slot++) {
        of->guard->alone[slot] = true;
        of->guard->marked[slot] = false;
        of->guard->sunk[slot] = 0.0;
        of->guard->way[slot] = of->ways->world->bodies[slot].used ? ways_length(of->ways, slot, enough) : 0.0;
        any = any || !(of->guard->way[slot] <= enough);
    }
    return any;
}

/* How deep the bodies of a pair were in each other at the start of the step. */
static double depth_of(const broad_pair *pair, const pair_extent *extent) {
    return pair->contact_count > 0 && pair->met == 0.0 ? real_max(0.0, -extent->least) : 0.0;
}

/* Whether one of some pairs is deep for any body. */
static bool has_deep(const void *argument, int32_t begin, int32_t end) {
    const looking *of = argument;
    bool any = false;
    for (int32_t p = begin; p < end && !any; p++) {
        any = depth_of(&of->ways->world->broad.found[p], &of->extents[p]) > deep * of->least;
    }
    return any;
}

/* Marks the slow bodies that a fast one may sweep over, and finds out how deep bodies are. */
static void mark_bodies(const looking *of) {
    const abut_world *world = of->ways->world;
    passage_guard *guard = of->guard;
    for (int32_t p = 0; p < world->broad.found_count; p++) {
        const broad_pair *pair = &world->broad.found[p];
        for (int side = 0; side < 2; side++) {
            int32_t slot = side == 0 ? pair->a : pair->b, other = pair->a + pair->b - slot;
            const body *own = &world->bodies[slot];
            if (!impact_stops_first(own, &world->bodies[other])) {
                continue;
            }
            guard->alone[slot] = guard->alone[slot] && world->bodies[other].kind != ABUT_BODY_DYNAMIC;
            guard->sunk[slot] = real_max(guard->sunk[slot], depth_of(pair, &of->extents[p]));
            guard->marked[slot] = guard->marked[slot] || guard->way[other] > slow_way * own->core;
        }
    }
}

/* Whether any body may have to be followed. In most steps none has. */
static bool look(looking *of) {
    const abut_world *world = of->ways->world;
    bool unused[PARTS_MOST];
    of->least = least_core(of);
    return parts_find(&world->def.parallel, world->body_used, measure_ways, of, unused) ||
           parts_find(&world->def.parallel, world->broad.found_count, has_deep, of, unused);
}

static bool list_tasks(passage_guard *guard, const step_ways *ways, const pair_extent *extents) {
    const abut_world *world = ways->world;
    guard->task_count = 0;
    if (!array_reserve(&guard->alone, &guard->alone_capacity, world->body_used, sizeof *guard->alone) ||
        !array_reserve(&guard->marked, &guard->mark_capacity, world->body_used, sizeof *guard->marked) ||
        !array_reserve(&guard->way, &guard->way_capacity, world->body_used, sizeof *guard->way) ||
        !array_reserve(&guard->sunk, &guard->sunk_capacity, world->body_used, sizeof *guard->sunk) ||
        !array_reserve(&guard->tasks, &guard->task_capacity, world->body_used, sizeof *guard->tasks)) {
        return false;
    }
    looking of;
    of.guard = guard;
    of.ways = ways;
    of.extents = extents;
    if (!look(&of)) {
        return true;
    }
    mark_bodies(&of);
    for (int32_t slot = 0; slot < world->body_used; slot++) {
        const body *body = &world->bodies[slot];
        if (!is_dynamic(ways->layout, world, slot)) {
            continue;
        }
        bool fast = guard->marked[slot] || guard->way[slot] > slow_way * body->core;
        if (fast || guard->sunk[slot] > deep * body->core) {
            guard->tasks[guard->task_count++] =
                (follow_task){.slot = slot, .fast = fast, .alone = guard->alone[slot], .continuous = body->continuous, .size = body->size};
        }
    }
    return true;
}

/* ---- their ways ---- */

typedef struct following {
    const step_ways *ways;
    follow_task *tasks;
} following;

static void follow_range(void *argument, int32_t begin, int32_t end) {
    const following *of = argument;
    for (int32_t i = begin; i < end; i++) {
        follow_path(of->ways, &of->tasks[i]);
    }
}

/* The velocities turn with the body. What the way has cost of the work of its forces, its kinetic energy loses: a body that slides on above the ground has not
 * fallen. Bodies that move may lift it for nothing. */
static void change_velocities(const abut_world *world, const body *body, const follow_task *task, solver_body *state) {
    abut_vec3 force = abut_add_scaled(body->force, body->mass, body_gravity(world, body));
    double work = abut_dot(force, abut_sub(abut_sub(task->moved, task->carried), state->moved));
    double present = body_kinetic_energy(body, state->rotation, (abut_motion){state->velocity, state->angular_velocity});
    double factor = work < 0.0 ? sqrt(real_max(present + work, 0.0) / present) : 1.0;
    abut_vec3 angular = abut_quat_rotate(task->rotation, abut_quat_rotate_inverse(state->rotation, state->angular_velocity));
    state->velocity = factor < 1.0 ? abut_scale(factor, state->velocity) : state->velocity;
    state->angular_velocity = factor < 1.0 ? abut_scale(factor, angular) : angular;
}

static void take_way(const step_ways *ways, follow_task *task, solver_body *state) {
    if (!task->turns_aside) {
        return;
    }
    task->planned_moved = state->moved;
    task->planned_rotation = state->rotation;
    change_velocities(ways->world, &ways->world->bodies[task->slot], task, state);
    state->moved = task->moved;
    state->rotation = task->rotation;
}

/* Those that are alone first, in any order. */
static int by_rank(const void *p, const void *q) {
    const follow_task *a = p, *b = q;
    if (a->alone != b->alone) {
        return a->alone ? -1 : 1;
    }
    if (a->continuous != b->continuous) {
        return a->continuous ? 1 : -1;
    }
    if (a->size != b->size) {
        return a->size > b->size ? -1 : 1;
    }
    return (a->slot > b->slot) - (a->slot < b->slot);
}

abut_status passage_stop(passage_guard *guard, island_layout *layout, solver_plan *plan, const pair_extent *extents,
                         const abut_world *world, double dt) {
    const step_ways ways = {world, layout, guard->path_of, guard->planned, guard->points, dt};
    if (!list_tasks(guard, &ways, extents)) {
        return ABUT_ERROR_OUT_OF_MEMORY;
    }
    if (guard->task_count > 1) {
        qsort(guard->tasks, (size_t)guard->task_count, sizeof *guard->tasks, by_rank);
    }
    int32_t alone = 0;
    while (alone < guard->task_count && guard->tasks[alone].alone) {
        alone++;
    }
    following of = {&ways, guard->tasks};
    abut_parallel_for(&world->def.parallel, alone, 8, follow_range, &of);
    for (int32_t i = 0; i < guard->task_count; i++) {
        follow_task *task = &guard->tasks[i];
        if (!task->alone) {
            follow_path(&ways, task);
        }
        if (task->status != ABUT_OK) {
            bool refused = task->status == ABUT_ERROR_NOT_FINITE;
            return refused ? world_refuse_body(task->status, world, task->slot, "its way in the step is too long to be followed")
                           : task->status;
        }
        take_way(&ways, task, &layout->states[layout_state_of(layout, task->slot)]);
    }
    return rejoin_bodies(&guard->joints, plan, layout, &ways, guard->tasks, guard->task_count);
}

void passage_release(passage_guard *guard) {
    memory_release(guard->path_of);
    memory_release(guard->planned);
    memory_release(guard->points);
    memory_release(guard->fast_islands);
    memory_release(guard->alone);
    memory_release(guard->far);
    memory_release(guard->marked);
    memory_release(guard->way);
    memory_release(guard->sunk);
    memory_release(guard->tasks);
    rejoin_release(&guard->joints);
}
