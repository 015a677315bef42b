/* The substeps of an island, all of equal length. Each substep is a leapfrog; the contacts are solved in both of its halves (solve/contact/contact.h).
 *
 *   half of the forces;  first stage: impulses that prevent penetration during the motion and push existing penetration out
 *   motion
 *   half of the forces;  second stage: impulses that stop approaching contacts and make impacts bounce
 *
 * The anchors of a contact on its two bodies give its gap in every substep. */
#include "step/fixed/substeps.h"

#include "base/real.h"
#include "solve/contact/accelerate.h"
#include "solve/contact/direct.h"
#include "solve/contact/loop.h"
#include "solve/contact/work.h"
#include "step/world/motion.h"

/* A stage ends early when a pass changes no contact's velocity by more than this, relative to the island's speed. Smaller changes are rounding errors. */
static const double settled = 1e-13;

/* Relative to the same speed: when a pass changes less than this, no direct solution is needed. Penetration that would leave more slowly is not pushed
 * out. */
static const double negligible = 1e-9;

/* The passes that push penetration out end when the change is below this, relative to the fastest push. The next substep makes up for the rest. */
static const double push_settled = 1e-4;

/* Energy that counts as gained, relative to the island's: where contacts bounce or bodies turn far, and elsewhere. */
static const double rounding = 1e-12, unseen = 1e-7;

/* The same for a first stage: the second one takes back a part of what that brings in. */
static const double much = 0.01;

/* Rates of joints that still change by more than this, relative to the speed of the island, are not those of the motion. */
static const double unbent = 1e-6;

/* An island, and the settings of its solution. */
typedef struct substeps {
    const abut_world *world;
    int32_t index; /* of the island */
    solver_contacts set;
    const int32_t *slots; /* beside set.bodies */
    int32_t moving;
    solver_spring *springs;
    int32_t spring_count, passes;
    solver_plan *plan;
    solver_rule rule;
    joint_rule joint_rule;
    bool watched; /* the work of contacts is watched in every substep */
    double speed; /* scale for rounding errors */
} substeps;

static double speed_scale(const substeps *of, double dt) {
    double speed = 0.0;
    for (int32_t i = 0; i < of->moving; i++) {
        const body *body = &of->world->bodies[of->slots[i]];
        speed = real_max_number(speed, dt * abut_length(body_gravity(of->world, body)));
        speed = real_max_number(speed, abut_length(body->velocity) + abut_length(body->angular_velocity) * body->radius);
    }
    return speed;
}

static substeps begin(const abut_world *world, const island_layout *layout, solver_plan *plan, int32_t index, double dt) {
    const layout_island *island = &layout->islands[index];
    const abut_fixed_settings *fixed = &world->def.fixed;
    substeps s = {.world = world,
                  .index = index,
                  .set = layout->sets[index],
                  .slots = layout->slots + island->body,
                  .moving = island->moving,
                  .springs = layout->springs + island->spring,
                  .spring_count = island->spring_count,
                  .passes = fixed->iterations,
                  .watched = !fixed->exact,
                  .plan = plan};
    double h = dt / fixed->substeps, angular = 2.0 * REAL_PI * fixed->contact_frequency;
    s.speed = speed_scale(&s, dt);
    s.rule = (solver_rule){h, angular / (2.0 * fixed->contact_damping + h * angular), fixed->max_push_speed, negligible * s.speed,
                           fixed->restitution_speed};
    s.joint_rule = (joint_rule){h, fixed->max_push_speed};
    return s;
}

/* The springs are solved once in every pass. They do not need each other's result. */
static double solve_springs(const substeps *of) {
    double change = 0.0;
    for (int32_t i = 0; i < of->spring_count; i++) {
        change = real_max_number(change, solver_spring_solve(of->set.bodies, &of->springs[i], of->rule.substep));
        accelerate_note(&of->set.bodies[of->springs[i].body]);
    }
    return change;
}

/* The joints are solved like the springs, one after the other. */
static double pass_joints(const substeps *of) {
    double change = 0.0;
    for (int32_t j = 0; j < of->set.joint_count; j++) {
        solver_joint *joint = &of->set.joints[j];
        change = real_max_number(change, joint_pass(joint, of->set.bodies));
        accelerate_note(&of->set.bodies[joint->a]);
        accelerate_note(&of->set.bodies[joint->b]);
    }
    return change;
}

/* Makes the joints hold, while the impulses of contacts stay. Passes do what the direct solution cannot. */
static void settle_joints(const substeps *of) {
    if (of->set.joint_count > 0 && !direct_solve_joints(of->plan, of->index, &of->set, of->speed)) {
        for (int32_t pass = 0; pass < of->passes && pass_joints(of) > settled * of->speed; pass++) {
        }
    }
}

static void warm_start(const substeps *of) {
    for (int32_t i = 0; i < of->spring_count; i++) {
        solver_spring_warm_start(of->set.bodies, &of->springs[i]);
    }
    for (int32_t j = 0; j < of->set.joint_count; j++) {
        joint_warm_start(&of->set.joints[j], of->set.bodies);
    }
}

/* The passes of a stage. After half of them it is known which contacts bear load. Then a direct solution solves whole stacks at once, and the other passes
 * reduce the remaining error. */
static void solve_stage(const substeps *of) {
    warm_start(of);
    solver_warm_start(&of->set);
    settle_joints(of);
    accelerator faster = accelerate_begin(&of->set);
    for (int32_t pass = 0; pass < of->passes && of->set.pair_count + of->spring_count > 0; pass++) {
        double change = real_max_number(solve_springs(of), pass_joints(of));
        solver_progress progress = solver_pass_on(&of->set, faster.factor);
        change = real_max_number(change, progress.largest);
        if (change <= settled * of->speed) {
            break;
        }
        if (pass == (of->passes - 1) / 2 && change > negligible * of->speed) {
            direct_solve(of->plan, of->index, &of->set, of->speed, true);
            faster = accelerate_begin(&of->set);
        } else if (pass + 1 < of->passes) {
            accelerate_passes(&faster, &of->set, progress.energy);
        }
    }
    if (of->set.pair_count + of->spring_count > 0) {
        settle_joints(of);
    }
}

/* A stage whose contacts take energy away pass by pass: without warm start of the contacts, acceleration and direct solution. */
static void solve_plainly(const substeps *of) {
    warm_start(of);
    for (int32_t pass = 0; pass < of->passes; pass++) {
        double change = real_max_number(solve_springs(of), pass_joints(of));
        change = real_max_number(change, solver_pass(&of->set, false, true));
        if (change <= settled * of->speed) {
            return;
        }
    }
}

/* Where a joint would be after the motion of this substep tells how its rows bend on the way. */
static double bend_joints(const substeps *of) {
    double largest = 0.0;
    for (int32_t j = 0; j < of->set.joint_count; j++) {
        solver_joint *joint = &of->set.joints[j];
        solver_body a = of->set.bodies[joint->a], b = of->set.bodies[joint->b];
        motion_drift(&of->world->bodies[of->slots[joint->a]], &a, of->rule.substep);
        motion_drift(&of->world->bodies[of->slots[joint->b]], &b, of->rule.substep);
        largest = real_max_number(largest, joint_bend(joint, of->set.bodies, &a, &b, &of->joint_rule));
    }
    return largest;
}

/* The speed of the fastest body: motors and springs may have set bodies in motion that were at rest when the step began. */
static double present_speed(const substeps *of) {
    double speed = of->speed;
    for (int32_t i = 0; i < of->moving; i++) {
        const solver_body *state = &of->set.bodies[i];
        double own = abut_length(state->velocity) + abut_length(state->angular_velocity) * of->world->bodies[of->slots[i]].radius;
        speed = real_max_number(speed, own);
    }
    return speed;
}

/* Makes the joints hold at the end of the motion. Each solution changes the motion, which bends anew, but ever less. If it does not, joints hold at the begin
 * only, and the next push brings the bodies together. */
static void aim_joints(const substeps *of) {
    const int most = 10;
    const double speed = of->set.joint_count > 0 ? present_speed(of) : 0.0;
    double change = 0.0, before = INFINITY;
    for (int i = 0; i < most && of->set.joint_count > 0; i++) {
        change = bend_joints(of);
        if (change <= settled * speed || (i > 2 && change > before)) {
            break;
        }
        settle_joints(of);
        before = change;
    }
    if (change > unbent * speed) {
        for (int32_t j = 0; j < of->set.joint_count; j++) {
            joint_unbend(&of->set.joints[j]);
        }
        settle_joints(of);
    }
}

static void kick_bodies(void *argument, solver_range range) {
    const substeps *of = argument;
    for (int32_t i = range.begin; i < range.end; i++) {
        const body *body = &of->world->bodies[of->slots[i]];
        motion_kick(body, &of->set.bodies[i], body_gravity(of->world, body), 0.5 * of->rule.substep);
    }
}

static void drift_bodies(void *argument, solver_range range) {
    const substeps *of = argument;
    for (int32_t i = range.begin; i < range.end; i++) {
        motion_drift(&of->world->bodies[of->slots[i]], &of->set.bodies[i], of->rule.substep);
    }
}

/* The push affects the place only: the bodies move at the velocities that they had before it, and are put elsewhere by what it adds. */
static void drift_pushed_bodies(void *argument, solver_range range) {
    const substeps *of = argument;
    for (int32_t i = range.begin; i < range.end; i++) {
        solver_body *state = &of->set.bodies[i];
        const body *body = &of->world->bodies[of->slots[i]];
        abut_vec3 way = abut_scale(of->rule.substep, abut_sub(state->velocity, state->held_velocity));
        abut_vec3 turn = abut_scale(of->rule.substep, abut_sub(state->angular_velocity, state->held_angular_velocity));
        state->velocity = state->held_velocity;
        state->angular_velocity = state->held_angular_velocity;
        motion_drift(body, state, of->rule.substep);
        motion_displace(body, state, way, turn);
    }
}

/* Whether the push stays near what it is for. Where contacts contradict each other, its passes can end with speeds far beyond the push and all speeds of
 * the island. fastest: the fastest push */
static bool push_is_sound(const substeps *of, double fastest) {
    const double lever = 100.0; /* of what a body's far end does when its near end is pushed */
    double most = real_max_number(of->speed, lever * fastest);
    for (int32_t i = 0; i < of->moving; i++) {
        const solver_body *state = &of->set.bodies[i];
        double way = abut_length(abut_sub(state->velocity, state->held_velocity));
        double turn = abut_length(abut_sub(state->angular_velocity, state->held_angular_velocity));
        if (!(way + turn * of->world->bodies[of->slots[i]].radius <= most)) {
            return false;
        }
    }
    return true;
}

/* What the push does against the forces on the bodies. */
static double work_of_push(const substeps *of) {
    double work = 0.0;
    for (int32_t i = 0; i < of->moving; i++) {
        const body *body = &of->world->bodies[of->slots[i]];
        const solver_body *state = &of->set.bodies[i];
        abut_vec3 force = abut_add_scaled(body->force, body->mass, body_gravity(of->world, body));
        work -= abut_dot(force, abut_sub(state->velocity, state->held_velocity)) +
                abut_dot(body->torque, abut_sub(state->angular_velocity, state->held_angular_velocity));
    }
    return real_max(of->rule.substep * work, 0.0);
}

static double push_pass(const substeps *of, int32_t pass) {
    double change = pass_joints(of);
    return real_max_number(change, solver_pass(&of->set, pass % 2 == 1, false));
}

/* The motion of a substep, which also pushes penetration out. The push has no friction, because it is not a physical motion. It takes half as many passes,
 * alternately forward and backward, without acceleration, which could overshoot. Returns the work of the push. */
static double move(substeps *of) {
    double fastest = solver_begin_push(&of->set, &of->rule);
    for (int32_t j = 0; j < of->set.joint_count; j++) {
        fastest = real_max(fastest, joint_begin_push(&of->set.joints[j], of->set.bodies, &of->joint_rule));
    }
    if (fastest == 0.0) {
        solver_each_body(&of->set, drift_bodies, of);
        return 0.0;
    }
    solver_hold(&of->set);
    settle_joints(of);
    int32_t passes = (of->passes + 1) / 2;
    for (int32_t pass = 0; pass < passes && push_pass(of, pass) > push_settled * fastest; pass++) {
        if (pass == (passes - 1) / 2) {
            direct_solve(of->plan, of->index, &of->set, of->speed, false);
        }
    }
    settle_joints(of);
    if (!push_is_sound(of, fastest)) {
        solver_go_back(&of->set);
    }
    double work = work_of_push(of);
    solver_each_body(&of->set, drift_pushed_bodies, of);
    solver_take_held_impulses(&of->set);
    return work;
}

static void stiffen_bodies(const substeps *of) {
    for (int32_t i = 0; i < of->moving; i++) {
        of->set.bodies[i].least_moment = 0.0;
    }
    for (int32_t j = 0; j < of->set.joint_count; j++) {
        joint_ask_moments(&of->set.joints[j], of->set.bodies, of->rule.substep);
    }
    for (int32_t i = 0; i < of->moving; i++) {
        motion_stiffen(&of->world->bodies[of->slots[i]], &of->set.bodies[i]);
    }
}

static void refresh(const substeps *of) {
    if (of->set.joint_count > 0) {
        direct_forget(of->plan, of->index);
        stiffen_bodies(of);
    }
    solver_refresh(&of->set);
    for (int32_t i = 0; i < of->spring_count; i++) {
        solver_spring_refresh(of->set.bodies, &of->springs[i], of->rule.substep);
    }
    for (int32_t j = 0; j < of->set.joint_count; j++) {
        joint_refresh(&of->set.joints[j], of->set.bodies);
    }
}

static void note_rates_of_joints(const substeps *of) {
    for (int32_t j = 0; j < of->set.joint_count; j++) {
        joint_note_rates(&of->set.joints[j], of->set.bodies);
    }
}

static void take_rates_of_joints(const substeps *of) {
    for (int32_t j = 0; j < of->set.joint_count; j++) {
        joint_take_rates(&of->set.joints[j]);
    }
}

static void end_stage_of_joints(const substeps *of) {
    for (int32_t j = 0; j < of->set.joint_count; j++) {
        joint_end_stage(&of->set.joints[j], of->set.bodies);
    }
}

static double energy_of(const body *body, const solver_body *state) {
    return body_kinetic_energy(body, state->rotation, (abut_motion){state->velocity, state->angular_velocity});
}

/* The kinetic energy at the present velocities less that at the velocities without the last half of the forces. */
static double work_of_kick(const substeps *of) {
    double work = 0.0;
    for (int32_t i = 0; i < of->moving; i++) {
        const body *body = &of->world->bodies[of->slots[i]];
        solver_body before = of->set.bodies[i];
        motion_kick_back(body, &before, body_gravity(of->world, body), 0.5 * of->rule.substep);
        work += energy_of(body, &of->set.bodies[i]) - energy_of(body, &before);
    }
    return work;
}

static double kinetic_energy(const substeps *of) {
    double energy = 0.0;
    for (int32_t i = 0; i < of->moving; i++) {
        energy += energy_of(&of->world->bodies[of->slots[i]], &of->set.bodies[i]);
    }
    return energy;
}

static bool turns_far(const substeps *of) {
    const double far = 0.02; /* [rad] */
    for (int32_t i = 0; i < of->moving; i++) {
        if (abut_length(of->set.bodies[i].angular_velocity) * of->rule.substep > far) {
            return true;
        }
    }
    return false;
}

static void first_stage(const substeps *of) {
    solver_first_stage(&of->set, &of->rule);
    for (int32_t j = 0; j < of->set.joint_count; j++) {
        joint_first_stage(&of->set.joints[j], of->set.bodies, &of->joint_rule);
    }
}

static void second_stage(substeps *of, bool bounces) {
    solver_second_stage(&of->set, &of->rule, bounces);
    for (int32_t j = 0; j < of->set.joint_count; j++) {
        joint_second_stage(&of->set.joints[j], of->set.bodies, &of->joint_rule);
    }
    solve_stage(of);
}

/* Whether the contacts bring in energy in this stage, beyond what the ones before have taken away. work: theirs; least: what counts */
static bool gains(const substeps *of, double work, double least) {
    return work + solver_work(&of->set) > least * (fabs(work) + kinetic_energy(of));
}

/* The second stage without contacts: the springs and joints alone act. */
static void leave_contacts(const substeps *of) {
    solver_go_back(&of->set);
    warm_start(of);
    settle_joints(of);
}

/* The second stage where it could bring in energy. Newton's law of restitution gives every contact its speed of separation whatever the others do. With
 * friction, or where several contacts bounce at once, their impulses can bring in energy, without bound in a corner that jams. Then the contacts bounce as
 * far as the energy allows. And where a body turns far during the motion, impulses of the first stage are taken back at arms that have turned. Where that
 * brings in energy, they stay as they are. work: of the contacts so far; push: of the push, which bounces make up for */
static void guarded_second_stage(substeps *of, bool bounces, double work, double push) {
    const double least = of->watched && !bounces && !turns_far(of) ? unseen : rounding;
    solver_hold(&of->set);
    second_stage(of, bounces);
    if (!gains(of, bounces ? work + push : work, least)) {
        return;
    }
    if (bounces) {
        solver_go_back(&of->set);
        second_stage(of, false);
    }
    if (gains(of, work, least)) {
        leave_contacts(of);
        return;
    }
    work += solver_work(&of->set);
    solver_exchange(&of->set);
    second_stage(of, true);
    solver_mix(&of->set, real_max(-(work + push), 0.0));
    settle_joints(of);
}

/* The first stage, as far as the energy allows. Returns the work of its contacts where it is watched. */
static double guarded_first_stage(const substeps *of) {
    solver_hold(&of->set);
    solve_stage(of);
    double work = solver_work(&of->set);
    if (work <= much * kinetic_energy(of)) {
        return work;
    }
    solver_go_back(&of->set);
    solve_plainly(of);
    solver_mix(&of->set, 0.0);
    settle_joints(of);
    return solver_work(&of->set);
}

/* A substep. The work of its contacts is watched where they bounce, where a body turns far, and without `exact`. Where they bounce, the first half of the
 * forces acted at the velocities before the impact, and the bodies move at those after it. The contacts must remove the work that this makes too much. */
static void run_substep(substeps *of, const island_layout *layout, const passage_guard *guard, int32_t substep) {
    solver_note_approach(&of->set);
    note_rates_of_joints(of);
    solver_each_body(&of->set, kick_bodies, of);
    solver_note_impact(&of->set, &of->rule);
    bool bounces = solver_bounces(&of->set), guarded = of->watched || bounces || turns_far(of);
    double work = bounces ? work_of_kick(of) : 0.0;
    first_stage(of);
    if (guarded) {
        work += guarded_first_stage(of);
    } else {
        solve_stage(of);
    }
    aim_joints(of);
    end_stage_of_joints(of);
    work -= bounces ? work_of_kick(of) : 0.0;
    passage_note(guard, layout, of->index, substep);
    guarded = guarded || turns_far(of);
    double push = move(of);
    refresh(of);
    take_rates_of_joints(of);
    solver_each_body(&of->set, kick_bodies, of);
    if (guarded) {
        guarded_second_stage(of, bounces, work, push);
    } else {
        second_stage(of, false);
    }
    end_stage_of_joints(of);
    solver_end_substep(&of->set);
    for (int32_t j = 0; j < of->set.joint_count; j++) {
        joint_end_substep(&of->set.joints[j], of->rule.substep);
    }
}

/* The same for bodies that nothing touches or pulls. */
static void run_free_substep(substeps *of, const island_layout *layout, const passage_guard *guard, int32_t substep) {
    solver_each_body(&of->set, kick_bodies, of);
    passage_note(guard, layout, of->index, substep);
    solver_each_body(&of->set, drift_bodies, of);
    refresh(of);
    solver_each_body(&of->set, kick_bodies, of);
}

static void run(substeps *of, const island_layout *layout, const passage_guard *guard, int32_t count) {
    refresh(of);
    bool is_free = of->set.pair_count == 0 && of->spring_count == 0 && of->set.joint_count == 0;
    for (int32_t substep = 0; substep < count; substep++) {
        if (is_free) {
            run_free_substep(of, layout, guard, substep);
        } else {
            run_substep(of, layout, guard, substep);
        }
    }
    passage_note(guard, layout, of->index, count);
}

void substeps_run(const abut_world *world, island_layout *layout, const passage_guard *guard, solver_plan *plan, int32_t island,
                  double dt) {
    substeps of = begin(world, layout, plan, island, dt);
    run(&of, layout, guard, world->def.fixed.substeps);
}
