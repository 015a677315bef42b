/* One step of Dormand and Prince's Runge-Kutta method: see integrate.h. */
#include "step/event/integrate.h"

#include "base/array.h"
#include "base/elementary.h"
#include "base/memory.h"
#include "base/real.h"
#include "step/event/follow.h"
#include "step/event/impulse.h"

/* Coefficients from J. R. Dormand, P. J. Prince, "A family of embedded Runge-Kutta formulae", 1980. The last row gives the solution of
 * order 5. */
static const double weight[EVENT_STAGES - 1][EVENT_STAGES - 1] = {
    {1.0 / 5.0},
    {3.0 / 40.0, 9.0 / 40.0},
    {44.0 / 45.0, -56.0 / 15.0, 32.0 / 9.0},
    {19372.0 / 6561.0, -25360.0 / 2187.0, 64448.0 / 6561.0, -212.0 / 729.0},
    {9017.0 / 3168.0, -355.0 / 33.0, 46732.0 / 5247.0, 49.0 / 176.0, -5103.0 / 18656.0},
    {35.0 / 384.0, 0.0, 500.0 / 1113.0, 125.0 / 192.0, -2187.0 / 6784.0, 11.0 / 84.0},
};

/* Weights of order 5 minus those of order 4. */
static const double error_weight[EVENT_STAGES] = {71.0 / 57600.0,      0.0,          -71.0 / 16695.0, 71.0 / 1920.0,
                                                  -17253.0 / 339200.0, 22.0 / 525.0, -1.0 / 40.0};

bool event_integrator_reserve(event_integrator *integrator, int32_t bodies) {
    bool fine = array_reserve(&integrator->trial, &integrator->trial_capacity, bodies, sizeof *integrator->trial);
    for (int i = 0; i < EVENT_STAGES && fine; ++i) {
        fine = array_reserve(&integrator->stage[i], &integrator->stage_capacity[i], bodies, sizeof *integrator->stage[i]);
    }
    return fine;
}

void event_integrator_release(event_integrator *integrator) {
    for (int i = 0; i < EVENT_STAGES; ++i) {
        memory_release(integrator->stage[i]);
    }
    memory_release(integrator->trial);
}

static abut_quat add_quat(abut_quat p, double s, abut_quat q) {
    return abut_quat_make(p.x + s * q.x, p.y + s * q.y, p.z + s * q.z, p.w + s * q.w);
}

static event_slope sum_of(const event_integrator *integrator, int32_t body, const double *weights, int count) {
    event_slope sum = {.velocity = {0.0, 0.0, 0.0}};
    for (int k = 0; k < count; ++k) {
        const event_slope *s = &integrator->stage[k][body];
        sum.velocity = abut_add_scaled(sum.velocity, weights[k], s->velocity);
        sum.turning = add_quat(sum.turning, weights[k], s->turning);
        sum.acceleration = abut_add_scaled(sum.acceleration, weights[k], s->acceleration);
        sum.torque = abut_add_scaled(sum.torque, weights[k], s->torque);
    }
    return sum;
}

static event_state advance(const event_state *from, double h, const event_slope *slope) {
    return (event_state){.centre = abut_add_scaled(from->centre, h, slope->velocity),
                         .frame = add_quat(from->frame, h, slope->turning),
                         .velocity = abut_add_scaled(from->velocity, h, slope->acceleration),
                         .spin = abut_add_scaled(from->spin, h, slope->torque),
                         .angular_velocity = from->angular_velocity};
}

/* The error in units of the tolerance. Position errors are relative to the body's size, velocity errors to its speed plus that of a fall
 * through its size. */
static double error_of(const event_system *system, int32_t index, double h, const event_slope *e) {
    const body *from = system->bodies[index].from;
    const event_state *s = &system->state[index];
    double size = from->radius > 0.0 ? from->radius : 1.0;
    double fall = sqrt(abut_length(system->bodies[index].gravity) * size);
    double speed = fall + abut_length(s->velocity) + size * abut_length(s->angular_velocity);
    double position = abut_length(e->velocity) / size, turn = abut_quat_norm(e->turning);
    double motion = abut_length(e->acceleration),
           least = real_min_number(from->moments.x, real_min_number(from->moments.y, from->moments.z));
    double spin = least > 0.0 ? size * abut_length(e->torque) / least : 0.0;
    double velocity = speed > 0.0 ? real_max_number(motion, spin) / speed : 0.0;
    return h * real_max_number(real_max_number(position, turn), velocity) / system->world->def.event.tolerance;
}

/* The error of a row that was pressed on throughout the step, in units of the tolerance. Its gap obeys gap'' + 2 k gap' + k^2 gap = 0, with the
 * drift rate k, so its rate is known. The stages of a step may miss the moment at which a nearly flat surface rolls over its flat place, but then
 * the rate is wrong. */
static double error_of_row(const event_system *system, int32_t index, double h) {
    const event_row *row = &system->rows[index];
    double k = system->world->def.event.drift_rate;
    double rate = (row->rate - k * h * (row->rate + k * row->gap)) * elementary_exp(-k * h);
    bool held = !row->parting && event_follow_is_on_face(row) && system->force[index] > 0.0;
    double allowed = system->world->def.event.tolerance * event_speed_of(system, row);
    return held && allowed > 0.0 ? fabs(system->rates[index].gap_rate - rate) / allowed : 0.0;
}

bool event_integrate(event_integrator *integrator, event_system *system, double h, event_state *to, double *error) {
    const event_state *from = system->state;
    integrator->whole = false;
    integrator->length = 0.0;
    if (!integrator->started) {
        if (!event_system_slope(system, from, integrator->stage[0])) {
            return false;
        }
        integrator->started = true;
    }
    for (int stage = 1; stage < EVENT_STAGES; ++stage) {
        event_state *at = stage == EVENT_STAGES - 1 ? to : integrator->trial;
        for (int32_t i = 0; i < system->body_count; ++i) {
            event_slope sum = sum_of(integrator, i, weight[stage - 1], stage);
            at[i] = system->bodies[i].moves ? advance(&from[i], h, &sum) : from[i];
            /* Frames of intermediate stages are sums of slopes and must not be normalised; only their directions are used. */
            at[i].frame = at == to ? abut_quat_unit(at[i].frame) : at[i].frame;
        }
        if (!event_system_slope(system, at, integrator->stage[stage])) {
            *error = INFINITY;
            /* A stage far from the solution: the step is too long. With friction it may be a state without forces. */
            return system->status == ABUT_ERROR_NOT_FINITE || (system->status == ABUT_ERROR_INFEASIBLE && system->rubs);
        }
    }
    *error = 0.0;
    for (int32_t i = 0; i < system->body_count; ++i) {
        to[i].angular_velocity = system->motions[i].velocity.angular;
        if (system->bodies[i].moves) {
            event_slope e = sum_of(integrator, i, error_weight, EVENT_STAGES);
            *error = real_max_number(*error, error_of(system, i, h, &e));
        }
    }
    for (int32_t i = 0; i < system->row_count; ++i) {
        *error = real_max_number(*error, error_of_row(system, i, h));
    }
    integrator->whole = true;
    integrator->length = h;
    return true;
}

/* E. Hairer, S. P. Norsett, G. Wanner, "Solving ordinary differential equations I", section II.6: the method's weights at a share of the step. */
static void weights_between(double share, double weights[EVENT_STAGES]) {
    const double *last = weight[EVENT_STAGES - 2], rest = share - 1.0;
    double rise = share * share * (3.0 - 2.0 * share), bow = share * share * rest * rest;
    weights[0] = rise * last[0] + share * rest * rest - bow * 5.0 * (2558722523.0 - 31403016.0 * share) / 11282082432.0;
    weights[1] = 0.0;
    weights[2] = rise * last[2] + bow * 100.0 * (882725551.0 - 15701508.0 * share) / 32700410799.0;
    weights[3] = rise * last[3] - bow * 25.0 * (443332067.0 - 31403016.0 * share) / 1880347072.0;
    weights[4] = rise * last[4] + bow * 32805.0 * (23143187.0 - 3489224.0 * share) / 199316789632.0;
    weights[5] = rise * last[5] - bow * 55.0 * (29972135.0 - 7076736.0 * share) / 822651844.0;
    weights[6] = share * share * rest + bow * 10.0 * (7414447.0 - 829305.0 * share) / 29380423.0;
}

event_state event_integrator_between(const event_integrator *integrator, const event_system *system, int32_t body, double time) {
    double weights[EVENT_STAGES];
    weights_between(time / integrator->length, weights);
    event_slope mean = sum_of(integrator, body, weights, EVENT_STAGES);
    event_state between = advance(&system->state[body], integrator->length, &mean);
    between.frame = abut_quat_unit(between.frame);
    return between;
}
