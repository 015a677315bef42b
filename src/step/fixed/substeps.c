/* One island from the begin of a step to its end, in substeps of equal length. Each is a leapfrog whose two halves are solved against the
 * contacts (solve/contact/contact.h).
 *
 *   half the forces;  first stage: impulses so that nothing sinks in while it moves, and what is sunk in comes out
 *   motion
 *   half the forces;  second stage: impulses so that nothing approaches, and impacts bounce
 *
 * Contacts are followed through the substeps by their anchors on the bodies. */
#include "step/fixed/substeps.h"

#include "base/real.h"
#include "solve/contact/accelerate.h"
#include "solve/contact/direct.h"
#include "solve/contact/loop.h"
#include "step/world/motion.h"

/* A stage ends early when a pass changes no contact's velocity by more than this, relative to the speeds there are: rounding. */
static const double settled = 1e-13;

/* Passes that change less than this, relative to the same speeds, need no help by a direct solution; nor is penetration pushed out that would
 * leave slower. */
static const double negligible = 1e-9;

/* Pushing penetration out ends at this change, relative to the fastest push: what is missing now is made up for in the next substep. */
static const double push_settled = 1e-4;

/* An island, and how it is solved. */
typedef struct substeps {
    const abut_world *world;
    int32_t index; /* in work.islands */
    solver_contacts set;
    const int32_t *slots; /* beside set.bodies */
    int32_t moving;
    solver_spring *springs;
    int32_t spring_count, passes;
    solver_plan *plan;
    solver_rule rule;
    double speed; /* that rounding is measured against */
} substeps;

static double speed_scale(const substeps *of, double dt) {
    double speed = dt * abut_length(of->world->def.gravity);
    for (int32_t i = 0; i < of->moving; i++) {
        const body *body = &of->world->bodies[of->slots[i]];
        speed = real_most(speed, abut_length(body->velocity) + abut_length(body->angular_velocity) * body->radius);
    }
    return speed;
}

static substeps begin(abut_world *world, int32_t index, double dt) {
    step_work *work = &world->work;
    const step_island *island = &work->islands[index];
    const abut_fixed_settings *fixed = &world->def.fixed;
    substeps s = {.world = world,
                  .index = index,
                  .set = work->sets[index],
                  .slots = work->slots + island->body,
                  .moving = island->moving,
                  .springs = work->springs + island->spring,
                  .spring_count = island->spring_count,
                  .passes = fixed->iterations,
                  .plan = &work->plan};
    double h = dt / fixed->substeps, angular = 2.0 * 3.14159265358979323846 * fixed->contact_frequency;
    s.speed = speed_scale(&s, dt);
    s.rule = (solver_rule){h, angular / (2.0 * fixed->contact_damping + h * angular), fixed->max_push_speed, negligible * s.speed,
                           fixed->restitution_speed};
    return s;
}

/* Springs do not wait for each other, so they are solved along with the passes. */
static double solve_springs(const substeps *of) {
    double change = 0.0;
    for (int32_t i = 0; i < of->spring_count; i++) {
        change = real_most(change, solver_spring_solve(of->set.bodies, &of->springs[i], of->rule.substep));
        accelerate_note(&of->set.bodies[of->springs[i].body]);
    }
    return change;
}

/* The passes of a stage. Half-way they know which contacts bear; then whole stacks are solved at once, and the rest of the passes
 * settles what that left. */
static void solve_stage(const substeps *of) {
    for (int32_t i = 0; i < of->spring_count; i++) {
        solver_spring_warm_start(of->set.bodies, &of->springs[i]);
    }
    solver_warm_start(&of->set);
    accelerator faster = accelerate_begin(&of->set);
    for (int32_t pass = 0; pass < of->passes; pass++) {
        double change = solve_springs(of);
        solver_progress progress = solver_pass_on(&of->set, faster.factor);
        change = real_most(change, progress.largest);
        if (change <= settled * of->speed) {
            break;
        }
        if (pass == (of->passes - 1) / 2 && change > negligible * of->speed) {
            direct_solve(of->plan, of->index, &of->set, true);
            faster = accelerate_begin(&of->set);
        } else if (pass + 1 < of->passes) {
            accelerate_passes(&faster, &of->set, progress.energy);
        }
    }
}

static void kick_bodies(void *argument, solver_range range) {
    const substeps *of = argument;
    for (int32_t i = range.begin; i < range.end; i++) {
        motion_kick(&of->world->bodies[of->slots[i]], &of->set.bodies[i], of->world->def.gravity, 0.5 * of->rule.substep);
    }
}

static void drift_bodies(void *argument, solver_range range) {
    const substeps *of = argument;
    for (int32_t i = range.begin; i < range.end; i++) {
        motion_drift(&of->world->bodies[of->slots[i]], &of->set.bodies[i], of->rule.substep);
    }
}

static void hold_bodies(void *argument, solver_range range) {
    const substeps *of = argument;
    for (int32_t i = range.begin; i < range.end; i++) {
        of->set.bodies[i].held_velocity = of->set.bodies[i].velocity;
        of->set.bodies[i].held_angular_velocity = of->set.bodies[i].angular_velocity;
    }
}

/* The push counts for the motion only. The angular velocity turns with the body, so what was pushed is taken away, rather than what was
 * held brought back. */
static void drift_pushed_bodies(void *argument, solver_range range) {
    const substeps *of = argument;
    for (int32_t i = range.begin; i < range.end; i++) {
        solver_body *state = &of->set.bodies[i];
        abut_vec3 pushed = abut_sub(state->angular_velocity, state->held_angular_velocity);
        motion_drift(&of->world->bodies[of->slots[i]], state, of->rule.substep);
        state->velocity = state->held_velocity;
        state->angular_velocity = abut_sub(state->angular_velocity, pushed);
    }
}

/* Motion of a substep, with what penetrates pushed out on the way. The push moves the bodies without friction, for it is no motion that
 * friction could oppose; and its passes, half as many, run to and fro without acceleration, which might carry it too far. */
static void move(substeps *of) {
    double fastest = solver_begin_push(&of->set, &of->rule);
    if (fastest == 0.0) {
        solver_each_body(&of->set, drift_bodies, of);
        return;
    }
    solver_each_body(&of->set, hold_bodies, of);
    int32_t passes = (of->passes + 1) / 2;
    for (int32_t pass = 0; pass < passes && solver_pass(&of->set, pass % 2 == 1, false) > push_settled * fastest; pass++) {
        if (pass == (passes - 1) / 2) {
            direct_solve(of->plan, of->index, &of->set, false);
        }
    }
    solver_each_body(&of->set, drift_pushed_bodies, of);
    solver_end_push(&of->set);
}

static void refresh(const substeps *of) {
    solver_refresh(&of->set);
    for (int32_t i = 0; i < of->spring_count; i++) {
        solver_spring_refresh(of->set.bodies, &of->springs[i], of->rule.substep);
    }
}

static void run(substeps *of, int32_t count) {
    refresh(of);
    for (int32_t substep = 0; substep < count; substep++) {
        solver_note_approach(&of->set);
        solver_each_body(&of->set, kick_bodies, of);
        solver_note_impact(&of->set, &of->rule);
        solver_first_stage(&of->set, &of->rule);
        solve_stage(of);
        move(of);
        refresh(of);
        solver_each_body(&of->set, kick_bodies, of);
        solver_second_stage(&of->set, &of->rule);
        solve_stage(of);
        solver_end_substep(&of->set);
    }
}

void substeps_run(abut_world *world, int32_t island, double dt) {
    substeps of = begin(world, island, dt);
    run(&of, world->def.fixed.substeps);
}
