/* A step of a group of sets: see solver.h. */
#include "solve/wide/kernel.h"

/* Passes of the push. One carries a push only a little way through a heap. Where something is deep there are more, because the heap would sink in faster than
 * it comes out. Elsewhere one is best: more of them open gaps, and stacks sway. */
enum { PUSHES = 1, DEEP_PUSHES = 4 };

static void begin_bodies(const wide_solver *solver, const wide_group *group, const solver_body *bodies) {
    wide_rows rows = solver->rows;
    for (int32_t i = 0; i <= group->body_count; i++) {
        size_t at = 8 * (size_t)(group->row + i);
        const abut_vec3 zero = {0.0, 0.0, 0.0};
        abut_vec3 v = i < group->body_count ? bodies[i].velocity : zero, w = i < group->body_count ? bodies[i].angular_velocity : zero;
        const double velocity[8] = {v.x, v.y, v.z, 0.0, w.x, w.y, w.z, 0.0}, motion[8] = {[7] = 1.0};
        for (int k = 0; k < 8; k++) {
            rows.velocity[at + (size_t)k] = rows.kicked[at + (size_t)k] = velocity[k];
            rows.motion[at + (size_t)k] = motion[k];
            rows.push[at + (size_t)k] = 0.0;
        }
    }
}

static void end_bodies(const wide_solver *solver, const wide_group *group, solver_body *bodies) {
    for (int32_t i = 0; i < group->body_count; i++) {
        const double *v = solver->rows.velocity + 8 * (size_t)(group->row + i), *m = solver->rows.motion + 8 * (size_t)(group->row + i);
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

static void move(const wide_task *task, const wide_kernel_table *kernel, int32_t substep) {
    const wide_rule *rule = task->rule;
    if (rule->note != NULL) {
        rule->note(rule->context, (int32_t)(task->group - task->solver->groups), substep);
    }
    kernel->drift(task, task->solver->rows.velocity, rule->step / rule->substeps);
}

/* Impulses of new patches at the start of a step. The first pass finds loads, which bound friction; friction changes loads again. */
static void guess(const wide_task *task, const wide_kernel_table *kernel, int32_t guesses, wide_stage stage) {
    for (int32_t left = guesses - 1; left >= 0; left--) {
        stage.left = left;
        kernel->pass(task, WIDE_GUESS, &stage);
    }
}

static void run_substeps(const wide_task *task, const wide_kernel_table *kernel, const wide_need *need) {
    const wide_rule *rule = task->rule;
    double h = rule->step / rule->substeps;
    const wide_stage half = {.share = 0.5, .inverse_time = 1.0 / h}, whole = {.share = 1.0, .inverse_time = 1.0 / h};
    kernel->kick(task, true, 0.0);
    kernel->pass(task, WIDE_WARM, &half);
    guess(task, kernel, need->guesses, half);
    kernel->pass(task, WIDE_SOLVE, &half);
    move(task, kernel, 0);
    for (int32_t k = 1; k < rule->substeps; k++) {
        kernel->kick(task, false, k == 1 ? 2.0 : 1.0);
        kernel->pass(task, WIDE_SOLVE, &whole);
        move(task, kernel, k);
    }
    const wide_stage push = {.share = 1.0, .inverse_time = 1.0 / rule->step, .push_rate = rule->push_rate, .max_push = rule->max_push};
    for (int32_t i = 0; i < (need->deep ? DEEP_PUSHES : PUSHES); i++) {
        kernel->pass(task, i < PUSHES ? WIDE_PUSH : WIDE_DEEP, &push);
    }
    kernel->drift(task, task->solver->rows.push, rule->step);
    kernel->kick(task, true, rule->substeps > 1 ? 0.5 : 1.0);
    kernel->pass(task, WIDE_SOLVE, &half);
}

void wide_run_group(const wide_solver *solver, int32_t index, const wide_rule *rule) {
    const wide_group *group = &solver->groups[index];
    const wide_task task = {solver, group, rule};
    const wide_kernel_table *kernel = wide_kernel_get();
    solver_body *bodies = solver->sets[group->set].bodies;
    begin_bodies(solver, group, bodies);
    wide_need need = kernel->fill(&task);
    run_substeps(&task, kernel, &need);
    kernel->keep(&task);
    end_bodies(solver, group, bodies);
}
