/*
 * The integral of the contact forces over a time in which contact points move far and bodies hardly move: see passage.h.
 *
 * The rows J of the held contacts turn from J0 to J1. The motion u obeys J u = 0 at all times, and the forces change it along W J^T only. So u is moved in
 * parallel along the path of the hyperplanes J u = 0, in the metric of the masses, and its length, the energy, stays. If the path from J0 to J1 is the shortest
 * one, the result is the reflection of u in the hyperplane of the mean of both rows, each divided by its length |J| = (J W J^T)^1/2: it takes motions with
 * J0 u = 0 to motions with J1 u = 0. Several contacts are reflected together, by the complementarity problem of impulses with restitution 1. It keeps the
 * energy too, and lets go what is pulled.
 */
#include "step/event/passage.h"

#include "base/real.h"
#include "solve/lcp/lcp.h"
#include "step/event/follow.h"
#include "step/event/holds.h"
#include "step/event/impulse.h"

double event_passage_time(const event_system *system, double shortest) {
    double time = 0.0;
    for (int32_t i = 0; i < system->row_count; ++i) {
        if (system->rows[i].follows && !system->rows[i].parting) {
            time = real_max(time, event_follow_is_on_face(&system->rows[i]) ? 1e-4 * shortest : shortest);
        }
    }
    return time;
}

/* Free motion over a time so short that its square does not count. Places and accelerations are those at `from`. */
static event_state moved(const event_system *system, int32_t index, const event_state *from, double h) {
    const abut_kinematics *m = &system->motions[index];
    abut_vec3 w = m->velocity.angular;
    event_state to = *from;
    to.centre = abut_add_scaled(from->centre, h, from->velocity);
    abut_quat turn = abut_quat_mul(abut_quat_make(0.5 * h * w.x, 0.5 * h * w.y, 0.5 * h * w.z, 0.0), from->frame);
    to.frame =
        abut_quat_unit(abut_quat_make(from->frame.x + turn.x, from->frame.y + turn.y, from->frame.z + turn.z, from->frame.w + turn.w));
    to.velocity = abut_add_scaled(from->velocity, h, m->acceleration.linear);
    to.spin = abut_add_scaled(from->spin, h, system->torques[index]);
    to.angular_velocity = abut_add_scaled(from->angular_velocity, h, m->acceleration.angular);
    return to;
}

static abut_lcp_row scaled(const abut_lcp_row *row, double s) {
    abut_lcp_row r = *row;
    r.linear_a = abut_scale(s, row->linear_a);
    r.angular_a = abut_scale(s, row->angular_a);
    r.linear_b = abut_scale(s, row->linear_b);
    r.angular_b = abut_scale(s, row->angular_b);
    return r;
}

/* Divides rows by their lengths, so that their sums halve the angles between them. */
static void scale_rows(event_system *system) {
    for (int32_t i = 0; i < event_line_count(system); ++i) {
        double give = event_give_of(system, i);
        system->lines[i] = scaled(&system->lines[i], give > 0.0 ? 1.0 / sqrt(give) : 1.0);
    }
}

static void add_row(abut_lcp_row *to, const abut_lcp_row *more) {
    to->linear_a = abut_add(to->linear_a, more->linear_a);
    to->angular_a = abut_add(to->angular_a, more->angular_a);
    to->linear_b = abut_add(to->linear_b, more->linear_b);
    to->angular_b = abut_add(to->angular_b, more->angular_b);
}

/* The rows at a state, each divided by its length. */
static void look_at(event_system *system, const event_state *state) {
    event_impulse_rows(system, state);
    scale_rows(system);
}

bool event_passage(event_system *system, double h, event_state *to) {
    look_at(system, system->state);
    for (int32_t i = 0; i < event_line_count(system); ++i) {
        system->from_lines[i] = system->lines[i];
    }
    for (int32_t i = 0; i < system->body_count; ++i) {
        to[i] = system->bodies[i].moves ? moved(system, i, &system->state[i], h) : system->state[i];
    }
    look_at(system, to);
    for (int32_t i = 0; i < event_line_count(system); ++i) {
        add_row(&system->lines[i], &system->from_lines[i]);
        system->left_out[i] = i < system->row_count && system->rows[i].parting;
        system->q[i] = 2.0 * event_rate_of(system, i, to);
    }
    abut_lcp_settings settings = abut_lcp_settings_default();
    settings.left_out = system->left_out;
    system->status = lcp_set_rows(NULL, system->lcp, system->masses, system->body_count, system->lines, event_line_count(system));
    system->status = system->status == ABUT_OK ? lcp_solve(NULL, system->lcp, system->q, &settings, system->z, NULL, NULL) : system->status;
    for (int32_t i = 0; i < event_line_count(system) && system->status == ABUT_OK; ++i) {
        if (system->z[i] > 0.0) {
            event_push(system, i, system->z[i], to);
        }
    }
    return system->status == ABUT_OK;
}
