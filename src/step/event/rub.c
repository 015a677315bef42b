/*
 * Impulses with Coulomb's friction. [B90] has none. Here they obey the same conditions as forces with friction, with velocities in place of accelerations, and
 * Newton's restitution along the normal. With friction, restitution can bring in energy. Then the impulses are mixed with those without restitution, which
 * never do: both lie in the cones of friction, and so does every mixture. The last mixture that brings in no energy is taken.
 */
#include "base/real.h"
#include "step/event/friction.h"
#include "step/event/impulse.h"

/* The velocity of A relative to B at a row, for the velocities of a state. */
static abut_vec3 velocity_of(const event_system *system, int32_t row, const event_state *state) {
    const int32_t *body = system->rows[row].body;
    const event_state *a = &state[body[0]], *b = &state[body[1]];
    abut_vec3 of_a = abut_add(a->velocity, abut_cross(a->angular_velocity, system->rates[row].arm_a)),
              of_b = abut_add(b->velocity, abut_cross(b->angular_velocity, system->rates[row].arm_b));
    return abut_sub(of_a, of_b);
}

/* Adds `times` an impulse on A at a row, and its opposite on B. */
static void push(event_system *system, int32_t row, abut_vec3 impulse, double times) {
    for (int side = 0; side < 2; ++side) {
        int32_t b = system->rows[row].body[side];
        const abut_lcp_body *mass = &system->masses[b];
        event_state *s = &system->state[b];
        abut_vec3 p = abut_scale(side == 0 ? times : -times, impulse);
        abut_vec3 turn = abut_cross(side == 0 ? system->rates[row].arm_a : system->rates[row].arm_b, p);
        s->velocity = abut_add_scaled(s->velocity, mass->inverse_mass, p);
        s->angular_velocity = abut_add(s->angular_velocity, abut_mat3_apply(mass->inverse_inertia, turn));
        s->spin = mass->inverse_mass > 0.0 ? abut_add(s->spin, turn) : s->spin;
    }
}

/* Finds the impulses, and the velocities at the contacts after them; the state stays. */
static bool find(event_system *system, const bool *left_out, abut_vec3 *impulse, abut_vec3 *after) {
    if (!event_friction_impulses(system, system->friction.before, left_out)) {
        return false;
    }
    for (int32_t i = 0; i < system->row_count; ++i) {
        impulse[i] = abut_add_scaled(system->friction.force[i], system->z[i], system->lines[i].linear_a);
        push(system, i, impulse[i], 1.0);
    }
    for (int32_t i = 0; i < system->row_count; ++i) {
        after[i] = velocity_of(system, i, system->state);
    }
    for (int32_t i = 0; i < system->row_count; ++i) {
        push(system, i, impulse[i], -1.0);
    }
    return true;
}

/* The share of the full impulses in the mixture, at most 1. The work of a mixture is half of impulse times the sum of the velocities before and after it,
 * and so a quadratic function of the share; without restitution it is not positive. */
static double share_of(const event_system *system) {
    const event_friction *f = &system->friction;
    double least = 0.0, slope = 0.0, bend = 0.0;
    for (int32_t i = 0; i < system->row_count; ++i) {
        abut_vec3 sum = abut_add(f->before[i], f->plain[i]), more = abut_sub(f->full[i], f->plain[i]),
                  push = abut_sub(f->full_push[i], f->plain_push[i]);
        least += abut_dot(f->plain_push[i], sum);
        slope += abut_dot(f->plain_push[i], more) + abut_dot(push, sum);
        bend += abut_dot(push, more);
    }
    if (least + slope + bend <= 0.0 || !(bend > 0.0)) {
        return 1.0;
    }
    double inside = real_max(slope * slope - 4.0 * bend * real_min(least, 0.0), 0.0);
    return real_max(0.0, real_min(1.0, (sqrt(inside) - slope) / (2.0 * bend)));
}

bool event_rub(event_system *system, int32_t only, const double *bounce) {
    event_friction *f = &system->friction;
    bool bounces = false;
    for (int32_t i = 0; i < system->row_count; ++i) {
        f->before[i] = velocity_of(system, i, system->state);
        system->left_out[i] = only >= 0 && i != only;
        system->q[i] = abut_dot(system->lines[i].linear_a, f->before[i]);
        bounces = bounces || (!system->left_out[i] && system->q[i] < 0.0 && bounce[i] > 1.0);
    }
    if (!find(system, system->left_out, f->plain_push, f->plain)) {
        return false;
    }
    double share = 0.0;
    if (bounces) {
        for (int32_t i = 0; i < system->row_count; ++i) {
            double rate = abut_dot(system->lines[i].linear_a, f->before[i]);
            system->q[i] = rate < 0.0 ? bounce[i] * rate : rate;
        }
        if (!find(system, system->left_out, f->full_push, f->full)) {
            return false;
        }
        share = share_of(system);
    }
    for (int32_t i = 0; i < system->row_count; ++i) {
        abut_vec3 more = bounces ? abut_sub(f->full_push[i], f->plain_push[i]) : abut_vec3_make(0.0, 0.0, 0.0);
        push(system, i, abut_add_scaled(f->plain_push[i], share, more), 1.0);
    }
    return true;
}
