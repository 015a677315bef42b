/* A step of a group of sets: see solver.h. Kernels do its work part by part, on one thread or on several. */
#include <string.h>

#include "base/real.h"
#include "solve/wide/kernel.h"
#include "solve/wide/part.h"

/* Passes of the push. One carries a push only a little way through a heap. Where something is deep there are more, because the heap would sink in faster than
 * it comes out. Elsewhere one is best: more of them open gaps, and stacks sway. */
enum { PUSHES = 1, DEEP_PUSHES = 4 };

/* Groups with at least this number of patches are large. For smaller ones, waiting for each other costs threads more than they gain. */
enum { LARGE = 1024 };

bool wide_is_large(const wide_solver *solver, int32_t group) { return solver->groups[group].source_count >= LARGE; }

typedef struct group_loop {
    const wide_solver *solver;
    wide_group_piece *piece;
    const void *argument;
} group_loop;

static void run_small_groups(void *argument, int32_t begin, int32_t end) {
    const group_loop *l = argument;
    for (int32_t g = begin; g < end; g++) {
        if (!wide_is_large(l->solver, g)) {
            l->piece(l->argument, g, NULL);
        }
    }
}

void wide_each_group(const wide_solver *solver, const abut_parallel *parallel, wide_group_piece *piece, const void *argument) {
    group_loop l = {solver, piece, argument};
    for (int32_t g = 0; g < solver->group_count; g++) {
        if (wide_is_large(solver, g)) {
            piece(argument, g, parallel);
        }
    }
    abut_parallel_for(parallel, solver->group_count, 1, run_small_groups, &l);
}

/* ---- bodies ---- */

static void begin_row(wide_rows rows, size_t at, abut_vec3 v, abut_vec3 w) {
    const double velocity[8] = {v.x, v.y, v.z, 0.0, w.x, w.y, w.z, 0.0}, motion[8] = {[7] = 1.0};
    for (size_t k = 0; k < 8; k++) {
        rows.velocity[at + k] = rows.kicked[at + k] = velocity[k];
        rows.motion[at + k] = motion[k];
        rows.push[at + k] = 0.0;
    }
}

static solver_body *bodies_of(const wide_task *task) { return task->solver->sets[task->group->set].bodies; }

/* Rows of the bodies, after the first half of a kick. */
static void begin_bodies(const wide_task *task, wide_bodies part, const void *unused) {
    (void)unused;
    const wide_group *group = task->group;
    const solver_body *bodies = bodies_of(task);
    for (int32_t i = part.begin; i < part.end; i++) {
        begin_row(task->solver->rows, 8 * (size_t)(group->row + i), bodies[i].velocity, bodies[i].angular_velocity);
    }
    if (part.end == group->body_count) {
        const abut_vec3 zero = {0.0, 0.0, 0.0};
        begin_row(task->solver->rows, 8 * (size_t)(group->row + group->body_count), zero, zero);
    }
    wide_kernel_get()->kick(task, part, true, 0.0);
}

static void end_bodies(const wide_task *task, wide_bodies part, const void *unused) {
    (void)unused;
    solver_body *bodies = bodies_of(task);
    for (int32_t i = part.begin; i < part.end; i++) {
        size_t at = 8 * (size_t)(task->group->row + i);
        const double *v = task->solver->rows.velocity + at, *m = task->solver->rows.motion + at;
        bodies[i].velocity = abut_vec3_make(v[0], v[1], v[2]);
        bodies[i].angular_velocity = abut_vec3_make(v[4], v[5], v[6]);
        bodies[i].moved = abut_vec3_make(m[0], m[1], m[2]);
        bodies[i].rotation = abut_quat_unit(abut_quat_mul(abut_quat_make(m[4], m[5], m[6], m[7]), bodies[i].rotation));
    }
}

bool wide_begins(const wide_solver *solver, int32_t set) {
    return 2 * atomic_load_explicit(&solver->marks[set].fresh, memory_order_relaxed) > solver->sets[set].patch_count;
}

wide_motion wide_motion_of(const wide_solver *solver, int32_t index, int32_t body) {
    const wide_group *group = &solver->groups[index];
    size_t at = 8 * (size_t)(group->row + body - group->body);
    const double *v = solver->rows.velocity + at, *m = solver->rows.motion + at;
    return (wide_motion){abut_vec3_make(m[0], m[1], m[2]), abut_vec3_make(v[4], v[5], v[6]),
                         abut_quat_unit(abut_quat_make(m[4], m[5], m[6], m[7]))};
}

abut_vec3 wide_push_of(const wide_solver *solver, int32_t index, int32_t body) {
    const wide_group *group = &solver->groups[index];
    const double *v = solver->rows.push + 8 * (size_t)(group->row + body - group->body);
    return abut_vec3_make(v[0], v[1], v[2]);
}

/* A motion at constant velocities, and the kick behind it. */
typedef struct moving {
    const double *velocity;
    double time;
    bool half;
    double again;
} moving;

static void move_bodies(const wide_task *task, wide_bodies part, const void *argument) {
    const moving *by = argument;
    wide_kernel_get()->drift(task, part, by->velocity, by->time);
    if (by->again > 0.0) {
        wide_kernel_get()->kick(task, part, by->half, by->again);
    }
}

/* ---- patches ---- */

/* Blocks, and what they expect of the first half of a substep: so their memory is gone through once. */
static void fill_blocks(const wide_task *task, wide_part part, const void *stage) {
    wide_kernel_get()->fill(task, part);
    wide_kernel_get()->pass(task, part, WIDE_WARM, stage);
}

static void mark_blocks(const wide_task *task, wide_part part, const void *unused) {
    (void)unused;
    wide_kernel_get()->mark(task, part);
}

/* The last pass, and what it leaves. */
static void end_blocks(const wide_task *task, wide_part part, const void *stage) {
    wide_kernel_get()->pass(task, part, WIDE_SOLVE, stage);
    wide_kernel_get()->keep(task, part);
}

typedef struct passing {
    wide_work work;
    const wide_stage *stage;
} passing;

static void pass_blocks(const wide_task *task, wide_part part, const void *argument) {
    const passing *of = argument;
    wide_kernel_get()->pass(task, part, of->work, of->stage);
}

static void pass(const wide_task *task, wide_work work, const wide_stage *stage) {
    wide_each_colour(task, pass_blocks, &(passing){work, stage});
}

static double square_of(const double v[3]) { return v[0] * v[0] + v[1] * v[1] + v[2] * v[2]; }

/* Whether the bodies of a set fall and roll: in the root mean square, and relative to their mean velocity, they are faster than forces make a body in the step.
 * Loads then change in every step, and it is not worth while to find them all. */
static bool is_restless(const wide_task *task, int32_t index) {
    const wide_solver *solver = task->solver;
    const solver_contacts *set = &solver->sets[index];
    const wide_kick *kicks = solver->kicks + (task->group->body + (set->bodies - bodies_of(task)));
    abut_vec3 sum = {0.0, 0.0, 0.0};
    double squares = 0.0, most = 0.0, moving = 0.0;
    for (int32_t i = 0; i < set->body_count; i++) {
        if (set->bodies[i].inverse_mass > 0.0) {
            sum = abut_add(sum, set->bodies[i].velocity);
            squares += abut_length_squared(set->bodies[i].velocity);
            most = real_max(most, square_of(kicks[i].linear));
            moving += 1.0;
        }
    }
    double kicks_of_step = 2.0 * task->rule->substeps;
    return moving * squares - abut_length_squared(sum) > moving * moving * kicks_of_step * kicks_of_step * most;
}

/*
 * Guesses of a patch. A few let a new one find its place among patches that know their loads, and let friction and load of a single body's patch find each
 * other. Where most patches of a set are new, as at the begin of a scene, none knows its load, and the guesses must carry loads through the whole set. They do
 * this by successive over-relaxation, whose best factor for a stack of n patches is nearly 4 n / (2 n + pi). It needs some n passes; plain passes need n^2.
 */
static void choose_guesses(const wide_task *task, int32_t set) {
    const wide_solver *solver = task->solver;
    enum { HIGHEST = 40 }; /* a larger set is hardly a single stack */
    const double passes = 2.5;
    wide_mark *mark = &solver->marks[set];
    mark->guesses = WIDE_GUESSES;
    mark->beyond = 1.0;
    if (wide_begins(solver, set) && !is_restless(task, set)) {
        int32_t patches = solver->sets[set].patch_count;
        double n = patches < HIGHEST ? patches : HIGHEST;
        mark->guesses += (int32_t)(passes * n);
        mark->beyond = 4.0 * n / (2.0 * n + REAL_PI);
    }
}

/* What the patches of a group ask for. */
typedef struct need {
    bool deep;       /* more passes of the push */
    int32_t guesses; /* the most of a patch */
} need;

static need begin_blocks(const wide_task *task, const wide_stage *half) {
    const wide_solver *solver = task->solver;
    const wide_group *group = task->group;
    for (int32_t s = group->set; s < group->set_end; s++) {
        atomic_store_explicit(&solver->marks[s].deep, 0, memory_order_relaxed);
        atomic_store_explicit(&solver->marks[s].fresh, 0, memory_order_relaxed);
        atomic_store_explicit(&solver->marks[s].lag, 0, memory_order_relaxed);
    }
    wide_each_colour(task, fill_blocks, half);
    need of = {.deep = false};
    for (int32_t s = group->set; s < group->set_end; s++) {
        choose_guesses(task, s);
        const wide_mark *mark = &solver->marks[s];
        bool fresh = atomic_load_explicit(&mark->fresh, memory_order_relaxed) > 0;
        int32_t guesses = fresh ? mark->guesses : mark->damped ? 0 : WIDE_GUESSES;
        of.deep = of.deep || atomic_load_explicit(&mark->deep, memory_order_relaxed) > 0;
        of.guesses = guesses > of.guesses ? guesses : of.guesses;
    }
    if (of.deep || of.guesses > 0) {
        wide_each_block(task, mark_blocks, NULL);
    }
    return of;
}

/* ---- the step ---- */

/* again: of the next substep; 0 where the push comes between */
static void move(const wide_task *task, int32_t substep, double again) {
    const wide_rule *rule = task->rule;
    if (rule->note != NULL) {
        rule->note(rule->context, (int32_t)(task->group - task->solver->groups), substep);
    }
    wide_each_body(task, move_bodies, &(moving){task->solver->rows.velocity, rule->step / rule->substeps, false, again});
}

/* Impulses of new patches at the start of a step. The first pass finds loads, which bound friction; friction changes loads again. */
static void guess(const wide_task *task, int32_t guesses, wide_stage stage) {
    for (int32_t left = guesses - 1; left >= 0; left--) {
        stage.left = left;
        pass(task, WIDE_GUESS, &stage);
    }
}

static void run_substeps(const wide_task *task) {
    const wide_rule *rule = task->rule;
    double h = rule->step / rule->substeps;
    const wide_stage half = {.share = 0.5, .inverse_time = 1.0 / h}, whole = {.share = 1.0, .inverse_time = 1.0 / h};
    const wide_stage last = {.share = 0.5, .inverse_time = 1.0 / h, .closes = true};
    const need of = begin_blocks(task, &half);
    guess(task, of.guesses, half);
    pass(task, WIDE_SOLVE, &half);
    for (int32_t k = 0; k < rule->substeps; k++) {
        if (k > 0) {
            pass(task, WIDE_SOLVE, &whole);
        }
        move(task, k, k + 1 == rule->substeps ? 0.0 : k == 0 ? 2.0 : 1.0);
    }
    const wide_stage push = {.share = 1.0, .inverse_time = 1.0 / rule->step, .push_rate = rule->push_rate, .max_push = rule->max_push};
    for (int32_t i = 0; i < (of.deep ? DEEP_PUSHES : PUSHES); i++) {
        pass(task, i < PUSHES ? WIDE_PUSH : WIDE_DEEP, &push);
    }
    wide_each_body(task, move_bodies, &(moving){task->solver->rows.push, rule->step, true, rule->substeps > 1 ? 0.5 : 1.0});
    wide_each_colour(task, end_blocks, &last);
}

/* Takes a free room. There are as many as threads, and whoever has one gives it back without waiting for others. */
static uint64_t take_room(_Atomic uint64_t *rooms) {
    for (;;) {
        uint64_t old = atomic_load_explicit(rooms, memory_order_relaxed), taken = old & (~old + 1);
        if (taken != 0 && atomic_compare_exchange_weak_explicit(rooms, &old, old & ~taken, memory_order_acquire, memory_order_relaxed)) {
            return taken;
        }
    }
}

static int32_t index_of(uint64_t bit) {
    int32_t index = 0;
    while (bit >> index != 1) {
        index++;
    }
    return index;
}

static void note_lag(const wide_solver *solver, const wide_group *group) {
    for (int32_t s = group->set; s < group->set_end; s++) {
        uint64_t bits = atomic_load_explicit(&solver->marks[s].lag, memory_order_relaxed);
        memcpy(&solver->lag[s], &bits, sizeof bits);
    }
}

void wide_run_group(wide_solver *solver, int32_t index, const wide_rule *rule, const abut_parallel *parallel) {
    wide_task task = {solver, &solver->groups[index], rule, parallel, solver->blocks};
    uint64_t room = wide_is_large(solver, index) ? 0 : take_room(&solver->free_rooms);
    task.blocks += room != 0 ? solver->room_at + (size_t)index_of(room) * solver->room_size : task.group->at;
    wide_each_body(&task, begin_bodies, NULL);
    run_substeps(&task);
    if (room != 0) {
        atomic_fetch_or_explicit(&solver->free_rooms, room, memory_order_release);
    }
    note_lag(solver, task.group);
    wide_each_body(&task, end_bodies, NULL);
}
