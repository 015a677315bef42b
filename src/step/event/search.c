/* Detection of events at the end of an integration step: see search.h. */
#include "step/event/search.h"

#include "base/array.h"
#include "base/memory.h"
#include "base/real.h"
#include "step/event/pairs.h"

void event_search_release(event_search *search) {
    memory_release(search->breaches);
    memory_release(search->begun);
}

static bool add_breach(event_search *search, event_system *system, const event_row *row, bool slips, event_turn turn, double level) {
    if (!array_extend(&search->breaches, &search->breach_capacity, search->breach_count, search->breach_count + 1,
                      sizeof *search->breaches)) {
        system->status = ABUT_ERROR_OUT_OF_MEMORY;
        return false;
    }
    search->breaches[search->breach_count++] = (event_breach){.row = *row, .slips = slips, .turn = turn, .level = level};
    return true;
}

/* The followed row with the same features; NULL for none. first: first row of the pair. */
static const event_row *followed(const event_system *system, const event_row *row, int32_t first) {
    for (int32_t i = first; i < system->row_count && system->rows[i].pair == row->pair; ++i) {
        if (event_system_is_same(system, &system->rows[i], row)) {
            return &system->rows[i];
        }
    }
    return NULL;
}

/* Whether a row is at the place of a contact. The ends of a capsule that falls on its side are two places. */
static bool is_at(const event_system *system, const event_row *row, const abut_contact *contact) {
    const double near = 1e-3;
    const event_place *a, *b;
    abut_contact now = event_system_look(system, row, &a, &b);
    return abut_distance_between(now.on_a, contact->on_a) <= near * system->pairs[row->pair].size;
}

/* Largest depth of the pair's rows at the place of a contact that are held, or of those that part; -1 if there are none. */
static double depth_of(const event_system *system, const event_row *at, int32_t first, bool parting) {
    double depth = -1.0;
    for (int32_t i = first; i < system->row_count && system->rows[i].pair == at->pair; ++i) {
        const event_row *row = &system->rows[i];
        if (row->parting == parting && is_at(system, row, &at->contact)) {
            depth = real_max(depth, real_max(-row->contact.gap, 0.0));
        }
    }
    return depth;
}

/* Whether a contact found at the end of the step is too deep. A followed contact is held at its depth, and may keep the depth it had at the
 * beginning. Beside it, the same place may be found again under the name of a neighbouring feature; that counts only if it is deeper. */
static bool is_breach(const event_search *search, const event_system *system, const event_row *row, int32_t first, double *level) {
    const event_row *known = followed(system, row, first);
    double touching = event_touching(system, row->pair), held = known == NULL ? depth_of(system, row, first, false) : -1.0;
    double allowed = event_grain(system, row->pair);
    *level = 0.0;
    if (known != NULL) {
        allowed = known->parting ? allowed : touching;
        *level = real_max(-known->contact.gap, 0.0);
    } else if (held >= 0.0) {
        allowed = real_max(held + allowed, real_min(held + 0.5 * touching, 0.75 * touching)); /* names may change again and again */
    } else {
        *level = real_max(depth_of(system, row, first, true), 0.0);
    }
    return row->contact.gap < -allowed - *level - search->slack * event_grain(system, row->pair);
}

static bool look_at_pair(event_search *search, event_system *system, int32_t pair, int32_t first) {
    const event_pair *p = &system->pairs[pair];
    const event_part *a = &system->parts[p->part[0]], *b = &system->parts[p->part[1]];
    int32_t count;
    if (!event_pair_test(system, pair, event_touching(system, pair), &count)) {
        return false;
    }
    for (int32_t i = 0; i < count; ++i) {
        event_row row = {.pair = pair, .body = {a->body, b->body}};
        event_row_make(&row, &system->contacts[i], a->shape, &system->places[p->part[0]], b->shape, &system->places[p->part[1]]);
        double level;
        if (is_breach(search, system, &row, first, &level) && !add_breach(search, system, &row, false, EVENT_TURN_NONE, level)) {
            return false;
        }
    }
    return true;
}

static bool look_at_rows(event_search *search, event_system *system) {
    for (int32_t i = 0; i < system->row_count; ++i) {
        const event_row *row = &system->rows[i];
        const event_place *a, *b;
        abut_contact now = event_system_look(system, row, &a, &b);
        bool past = system->force[i] > 0.0 && event_row_slip(row, &now, a, b) > row->slip + event_touching(system, row->pair);
        if (past && !add_breach(search, system, row, true, EVENT_TURN_NONE, 0.0)) {
            return false;
        }
    }
    return true;
}

double event_search_before_turn(const event_system *system, const event_row *row, event_turn turn) {
    const double begun = 3.0; /* so much faster than what counts as none that the next step sees it slide */
    abut_vec3 slip = event_friction_slip(system, row);
    return turn == EVENT_TURN_STOPS ? abut_dot(slip, row->way) / row->still : begun - abut_length(slip) / row->still;
}

static bool look_at_friction(event_search *search, event_system *system) {
    for (int32_t i = 0; i < system->row_count && system->rubs; ++i) {
        const event_row *row = &system->rows[i];
        event_turn turn = row->slides ? EVENT_TURN_STOPS : EVENT_TURN_STARTS;
        bool bears = row->friction > 0.0 && !row->parting && system->force[i] > 0.0;
        if (bears && event_search_before_turn(system, row, turn) < -1.0 && !add_breach(search, system, row, true, turn, 0.0)) {
            return false;
        }
    }
    return true;
}

bool event_search_look(event_search *search, event_system *system) {
    search->breach_count = 0;
    int32_t first = 0;
    for (int32_t pair = 0; pair < system->pair_count; ++pair) {
        while (first < system->row_count && system->rows[first].pair < pair) {
            ++first;
        }
        if (!look_at_pair(search, system, pair, first)) {
            return false;
        }
    }
    system->looked = true;
    return look_at_rows(search, system) && look_at_friction(search, system);
}

double event_search_doubt(event_system *system, const event_integrator *integrator) {
    double doubt = INFINITY;
    event_pairs_find_speeds(system);
    for (int32_t i = 0; i < system->pair_count; ++i) {
        const event_pair *pair = &system->pairs[i];
        if (!pair->touched && !pair->began_touching) {
            doubt = real_min(doubt, event_pair_doubt(system, integrator, i));
        }
    }
    return doubt;
}
