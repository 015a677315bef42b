/* Collision impulses ([B90] section 7), simultaneous by an LCP or sequential: see impulse.h. Impulses act along the normal, +n on A and -n
 * on B. */
#include "step/event/impulse.h"

#include "base/real.h"
#include "solve/lcp/lcp.h"
#include "step/event/holds.h"

/* The larger acceleration by gravity of the two bodies. */
static double gravity_of(const event_system *system, const event_row *row) {
    double most = 0.0;
    for (int side = 0; side < 2; ++side) {
        const event_body *b = &system->bodies[row->body[side]];
        most = b->inverse_mass > 0.0 ? real_max(abut_length(b->gravity), most) : most;
    }
    return most;
}

double event_speed_of(const event_system *system, const event_row *row) {
    const event_pair *pair = &system->pairs[row->pair];
    const abut_kinematics *a = system->places[pair->part[0]].motion, *b = system->places[pair->part[1]].motion;
    abut_vec3 of_a = abut_add(a->velocity.linear, abut_cross(a->velocity.angular, abut_sub(row->contact.on_a, a->centre)));
    abut_vec3 of_b = abut_add(b->velocity.linear, abut_cross(b->velocity.angular, abut_sub(row->contact.on_b, b->centre)));
    return real_max(sqrt(gravity_of(system, row) * pair->size), abut_distance_between(of_a, of_b));
}

void event_impulse_rows(event_system *system, const event_state *state) {
    event_system_place(system, state);
    for (int32_t i = 0; i < system->row_count; ++i) {
        const event_row *row = &system->rows[i];
        const event_place *a, *b;
        abut_contact now = event_system_look(system, row, &a, &b);
        event_row_rates(row, &now, a, b, &system->rates[i]);
        system->lines[i] = abut_lcp_contact_row(row->body[0], row->body[1], now.normal, system->rates[i].arm_a, system->rates[i].arm_b);
    }
    event_holds_add_lines(system);
}

void event_push(const event_system *system, int32_t index, double impulse, event_state *state) {
    const abut_lcp_row *line = &system->lines[index];
    for (int side = 0; side < 2; ++side) {
        int32_t b = side == 0 ? line->body_a : line->body_b;
        const abut_lcp_body *mass = &system->masses[b];
        event_state *s = &state[b];
        s->velocity = abut_add_scaled(s->velocity, impulse * mass->inverse_mass, side == 0 ? line->linear_a : line->linear_b);
        abut_vec3 turn = side == 0 ? line->angular_a : line->angular_b;
        s->angular_velocity = abut_add_scaled(s->angular_velocity, impulse, abut_mat3_apply(mass->inverse_inertia, turn));
        s->spin = mass->inverse_mass > 0.0 ? abut_add_scaled(s->spin, impulse, turn) : s->spin;
    }
}

double event_rate_of(const event_system *system, int32_t index, const event_state *state) {
    const abut_lcp_row *l = &system->lines[index];
    const event_state *a = &state[l->body_a], *b = &state[l->body_b];
    return abut_dot(l->linear_a, a->velocity) + abut_dot(l->angular_a, a->angular_velocity) + abut_dot(l->linear_b, b->velocity) +
           abut_dot(l->angular_b, b->angular_velocity);
}

/* 1 + restitution; 1 for an approach too slow to bounce. */
static double bounce_of(const event_system *system, int32_t index, double rate) {
    const event_row *row = &system->rows[index];
    double slow = system->world->def.event.restitution_speed * event_speed_of(system, row);
    return rate < -slow ? 1.0 + row->restitution : 1.0;
}

/* With friction, both models find the impulses elsewhere. */
static bool push_with_friction(event_system *system, int32_t only) {
    for (int32_t i = 0; i < system->row_count; ++i) {
        system->friction.bounce[i] = bounce_of(system, i, event_rate_of(system, i, system->state));
    }
    return event_rub(system, only, system->friction.bounce);
}

/* All rows, or one of the contacts; joints hold in any case. */
static bool push_rows(event_system *system, int32_t only) {
    for (int32_t i = 0; i < system->row_count; ++i) {
        double rate = event_rate_of(system, i, system->state);
        system->q[i] = rate < 0.0 ? bounce_of(system, i, rate) * rate : rate;
        system->start[i] = 0.0;
        system->left_out[i] = only >= 0 && i != only;
    }
    event_holds_add_rates(system, system->state);
    abut_lcp_settings settings = abut_lcp_settings_default();
    settings.left_out = system->left_out;
    settings.start = system->hold_count > 0 ? system->start : NULL;
    abut_status status = lcp_set_rows(NULL, system->lcp, system->masses, system->body_count, system->lines, event_line_count(system));
    status = status == ABUT_OK ? lcp_solve(NULL, system->lcp, system->q, &settings, system->z, NULL, NULL) : status;
    system->status = status;
    for (int32_t i = 0; i < event_line_count(system) && status == ABUT_OK; ++i) {
        if (system->z[i] > 0.0) {
            event_push(system, i, system->z[i], system->state);
        }
    }
    return status == ABUT_OK;
}

static bool push_together(event_system *system) {
    if (event_friction_is(system)) {
        return push_with_friction(system, -1);
    }
    return push_rows(system, -1);
}

double event_give_of(const event_system *system, int32_t index) {
    const abut_lcp_row *l = &system->lines[index];
    const abut_lcp_body *a = &system->masses[l->body_a], *b = &system->masses[l->body_b];
    return a->inverse_mass + b->inverse_mass + abut_dot(l->angular_a, abut_mat3_apply(a->inverse_inertia, l->angular_a)) +
           abut_dot(l->angular_b, abut_mat3_apply(b->inverse_inertia, l->angular_b));
}

/* Sequential impulses, the fastest approach first. After many turns, the remaining approaches are resolved simultaneously. */
static bool push_one_by_one(event_system *system) {
    for (int64_t turn = 0; turn < 100 * (int64_t)system->row_count; ++turn) {
        int32_t worst = -1;
        double least = 0.0;
        for (int32_t i = 0; i < system->row_count; ++i) {
            double rate = event_rate_of(system, i, system->state) / event_speed_of(system, &system->rows[i]);
            if (rate < least) {
                least = rate;
                worst = i;
            }
        }
        if (worst < 0 || least > -1e-3 * system->world->def.event.resting_speed) {
            break;
        }
        double rate = event_rate_of(system, worst, system->state), give = event_give_of(system, worst);
        if (system->rows[worst].friction > 0.0) {
            if (!push_with_friction(system, worst)) {
                return false;
            }
        } else if (system->hold_count > 0) {
            if (!push_rows(system, worst)) {
                return false;
            }
        } else if (give > 0.0) {
            event_push(system, worst, -bounce_of(system, worst, rate) * rate / give, system->state);
        }
    }
    return push_together(system);
}

bool event_impulses(event_system *system, bool *jumped) {
    event_impulse_rows(system, system->state);
    *jumped = event_holds_move(system, system->state);
    for (int32_t i = 0; i < system->row_count; ++i) {
        double slow = system->world->def.event.resting_speed * event_speed_of(system, &system->rows[i]);
        *jumped = *jumped || system->rates[i].gap_rate < -slow;
    }
    if (!*jumped) {
        return true;
    }
    system->tally.impulses++;
    bool together = system->world->def.event.impulses == ABUT_IMPULSES_SIMULTANEOUS;
    bool fine = together ? push_together(system) : push_one_by_one(system);
    if (fine) {
        event_impulse_rows(system, system->state);
    }
    return fine;
}
