#include "step/event_search.h"

#include "base/array.h"
#include "base/memory.h"
#include "base/real.h"
#include "step/event_pairs.h"

void event_search_release(event_search *search) {
    memory_release(search->breaches);
    memory_release(search->begun);
}

static double touching_of(const event_system *system, int32_t pair) { return system->world->def.event.touching * system->pairs[pair].size; }

double event_grain(const event_system *system, int32_t pair) { return 1e-3 * touching_of(system, pair); }

static bool add_breach(event_search *search, event_system *system, const event_row *row, bool slips, double level) {
    if (!array_extend(&search->breaches, &search->breach_capacity, search->breach_count, search->breach_count + 1,
                      sizeof *search->breaches)) {
        system->status = ABUT_ERROR_OUT_OF_MEMORY;
        return false;
    }
    search->breaches[search->breach_count++] = (event_breach){.row = *row, .slips = slips, .level = level};
    return true;
}

/* The row of the same features that is followed; NULL for none. first: of the pair's rows. */
static const event_row *followed(const event_system *system, const event_row *row, int32_t first) {
    for (int32_t i = first; i < system->row_count && system->rows[i].pair == row->pair; ++i) {
        if (event_row_is_same(&system->rows[i], row)) {
            return &system->rows[i];
        }
    }
    return NULL;
}

/* How deep the pair's contacts that hold, or those that part, are; -1 when there are none. */
static double depth_of(const event_system *system, int32_t pair, int32_t first, bool parting) {
    double depth = -1.0;
    for (int32_t i = first; i < system->row_count && system->rows[i].pair == pair; ++i) {
        depth = system->rows[i].parting != parting ? depth : real_max(depth, real_max(-system->rows[i].contact.gap, 0.0));
    }
    return depth;
}

/* A contact that is followed is held where it is; one that was deep from the beginning may stay so. Beside it the same place may be found again under the
 * name of a neighbouring feature: that is no news unless it is deeper. */
static bool is_breach(const event_search *search, const event_system *system, const event_row *row, int32_t first, double *level) {
    const event_row *known = followed(system, row, first);
    double touching = touching_of(system, row->pair), held = depth_of(system, row->pair, first, false);
    double allowed = event_grain(system, row->pair);
    *level = 0.0;
    if (known != NULL) {
        allowed = known->parting ? allowed : touching;
        *level = real_max(-known->contact.gap, 0.0);
    } else if (held >= 0.0) {
        allowed = held + 0.5 * touching;
    } else {
        *level = real_max(depth_of(system, row->pair, first, true), 0.0);
    }
    return row->contact.gap < -allowed - *level - search->slack * event_grain(system, row->pair);
}

static bool look_at_pair(event_search *search, event_system *system, int32_t pair, int32_t first) {
    const event_pair *p = &system->pairs[pair];
    const event_part *a = &system->parts[p->part[0]], *b = &system->parts[p->part[1]];
    int32_t count;
    if (!event_pair_test(system, pair, touching_of(system, pair), &count)) {
        return false;
    }
    for (int32_t i = 0; i < count; ++i) {
        event_row row = {.pair = pair, .body = {a->body, b->body}};
        event_row_make(&row, &system->contacts[i], a->shape, &system->places[p->part[0]], b->shape, &system->places[p->part[1]]);
        double level;
        if (is_breach(search, system, &row, first, &level) && !add_breach(search, system, &row, false, level)) {
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
        bool past = system->force[i] > 0.0 && event_row_slip(row, &now, a, b) > row->slip + touching_of(system, row->pair);
        if (past && !add_breach(search, system, row, true, 0.0)) {
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
    return look_at_rows(search, system);
}

bool event_search_is_sure(const event_system *system, double time) {
    for (int32_t i = 0; i < system->pair_count; ++i) {
        const event_pair *pair = &system->pairs[i];
        if (!pair->touched && !pair->began_touching && !event_pair_stays_clear(system, i, time)) {
            return false;
        }
    }
    return true;
}

/* ---- when ---- */

/* How far from the breach that is worst, in units of what goes unnoticed: negative past it. With the derivatives where it has some, else NAN. */
typedef struct clearance {
    double value, rate, acceleration;
} clearance;

static clearance clearance_of_one(const event_breach *breach, const event_system *system) {
    const event_place *a, *b;
    abut_contact now = event_system_look(system, &breach->row, &a, &b);
    double grain = event_grain(system, breach->row.pair);
    abut_rates rates = {.gap_rate = NAN, .gap_acceleration = NAN};
    if (breach->slips) {
        double touching = touching_of(system, breach->row.pair);
        return (clearance){(breach->row.slip + 0.5 * touching - event_row_slip(&breach->row, &now, a, b)) / touching, NAN, NAN};
    }
    event_row_rates(&breach->row, &now, a, b, &rates);
    return (clearance){(now.gap + breach->level) / grain, rates.gap_rate / grain, rates.gap_acceleration / grain};
}

/* Beyond the ends of its features: its gap is that of their continuations, where nothing touches. */
static bool is_outside(const event_breach *breach, const event_system *system) {
    const event_place *a, *b;
    abut_contact now = event_system_look(system, &breach->row, &a, &b);
    return !breach->slips && event_row_slip(&breach->row, &now, a, b) > breach->row.slip + touching_of(system, breach->row.pair);
}

static clearance clearance_of(const event_search *search, const event_system *system) {
    clearance worst = {INFINITY, NAN, NAN};
    for (int32_t i = 0; i < search->breach_count; ++i) {
        if (!search->breaches[i].blind) {
            clearance one = clearance_of_one(&search->breaches[i], system);
            worst = one.value < worst.value ? one : worst;
        }
    }
    worst.value += search->slack;
    return worst;
}

/* At the lower end of the time nothing had happened yet. What says that it had is blind. *seeing: whether some breach is not. */
static bool find_blind(event_search *search, event_system *system, event_integrator *integrator, double lower, event_state *to,
                       bool *seeing) {
    double error;
    if (lower > 0.0) {
        if (!event_integrate(integrator, system, lower, to, &error)) {
            return false;
        }
    } else {
        event_system_place(system, system->state);
    }
    *seeing = false;
    for (int32_t i = 0; i < search->breach_count; ++i) {
        event_breach *breach = &search->breaches[i];
        double value = clearance_of_one(breach, system).value;
        breach->blind = !(value >= -1.0) || (value <= 1.0 && is_outside(breach, system));
        *seeing = *seeing || !breach->blind;
    }
    return true;
}

/* The time from here to where the quadratic model is zero: the next such time ahead, or the last one behind. NAN for none. */
static double predict(const clearance *c) {
    double d = c->value, v = c->rate, a = c->acceleration, inside = v * v - 2.0 * a * d;
    if (!(inside >= 0.0)) {
        return NAN;
    }
    double root = sqrt(inside);
    if (d >= 0.0 && v >= 0.0) {
        return a < 0.0 ? (v + root) / -a : NAN;
    }
    /* Coming nearer, or already past: the root that lies nearest in time, without cancellation. */
    return v < 0.0 ? 2.0 * d / (-v + root) : a < 0.0 ? NAN : 2.0 * d / (-v - root);
}

typedef struct bracket {
    double lower, upper, at_lower, at_upper; /* times and values */
    double width;                            /* two steps ago */
} bracket;

static double next_time(const bracket *in, double from, const clearance *c, bool slow) {
    double s = from + predict(c);
    if (!slow && s > in->lower && s < in->upper) {
        return s;
    }
    if (!slow && in->at_lower > 0.0 && in->at_upper < 0.0) {
        s = in->lower + (in->upper - in->lower) * in->at_lower / (in->at_lower - in->at_upper);
        if (s > in->lower && s < in->upper) {
            return s;
        }
    }
    return 0.5 * (in->lower + in->upper);
}

/* What begins as a contact that parts has two zeros: that where it begins is not sought. The first time, from above, at which it is clear; *found: whether
 * there is one. What is known of the bracket is the better for it. */
static bool climb(event_search *search, event_system *system, event_integrator *integrator, bracket *in, event_state *to, bool *found) {
    const int most = 40;
    const double clear = 0.01; /* less than a contact rises that is just too fast to rest */
    double time = in->upper, error;
    *found = in->at_lower > clear;
    for (int i = 0; i < most && !*found; ++i) {
        time = in->lower + 0.5 * (time - in->lower);
        if (!(time > in->lower) || !event_integrate(integrator, system, time, to, &error)) {
            return time > in->lower ? false : true;
        }
        double value = clearance_of(search, system).value;
        *found = value > clear;
        if (*found) {
            in->lower = time;
            in->at_lower = value;
        } else if (value < 0.0) {
            in->upper = time;
            in->at_upper = value;
        }
    }
    return true;
}

/* The time at which the listed breaches begin, as if there were no others. */
static bool time_of_listed(event_search *search, event_system *system, event_integrator *integrator, bracket in, event_state *to,
                           double *time) {
    const int most = 60;
    clearance here = {NAN, NAN, NAN};
    double from = in.upper, before = INFINITY, error;
    for (int i = 0; i < most; ++i) {
        double width = in.upper - in.lower;
        bool slow = i > 3 && width > 0.5 * before;
        before = i % 2 == 0 ? width : before;
        *time = next_time(&in, from, &here, slow);
        if (!event_integrate(integrator, system, *time, to, &error)) {
            return false;
        }
        here = clearance_of(search, system);
        from = *time;
        if (fabs(here.value) <= 1e-3 || width <= 1e-15 * in.upper) {
            return true;
        }
        if (here.value < 0.0) {
            in.upper = from;
            in.at_upper = here.value;
        } else {
            in.lower = from;
            in.at_lower = here.value;
        }
    }
    return true;
}

static bool keep_begun(event_search *search, event_system *system) {
    if (!array_reserve(&search->begun, &search->begun_capacity, search->breach_count, sizeof *search->begun)) {
        system->status = ABUT_ERROR_OUT_OF_MEMORY;
        return false;
    }
    search->begun_count = search->breach_count;
    for (int32_t i = 0; i < search->breach_count; ++i) {
        search->begun[i] = search->breaches[i];
    }
    return true;
}

/* One guess of the time: *past says how far from the breaches that led there; NAN when they begin at once. */
static bool guess(event_search *search, event_system *system, event_integrator *integrator, bracket in, event_state *to, double *time,
                  double *past) {
    bool seeing, clear;
    double error;
    if (!find_blind(search, system, integrator, in.lower, to, &seeing) || !keep_begun(search, system)) {
        return false;
    }
    *time = 0.5 * (in.lower + in.upper);
    *past = INFINITY;
    if (!seeing) {
        return event_integrate(integrator, system, *time, to, &error);
    }
    in.at_lower = clearance_of(search, system).value;
    in.at_upper = NAN;
    if (!climb(search, system, integrator, &in, to, &clear)) {
        return false;
    }
    if (!clear) {
        *past = NAN;
        return true;
    }
    if (!time_of_listed(search, system, integrator, in, to, time)) {
        return false;
    }
    *past = INFINITY;
    for (int32_t i = 0; i < search->breach_count; ++i) {
        const event_breach *breach = &search->breaches[i];
        if (!breach->blind && !is_outside(breach, system)) {
            *past = real_min(*past, clearance_of_one(breach, system).value);
        }
    }
    return true;
}

static bool look_at(event_search *search, event_system *system, event_integrator *integrator, double time, event_state *to) {
    double error;
    return event_integrate(integrator, system, time, to, &error) && event_search_look(search, system);
}

static bool find_time(event_search *search, event_system *system, event_integrator *integrator, double *h, event_state *to) {
    const int most = 100;
    const double deeper = 500.0; /* half of what counts as touching */
    bracket in = {.upper = *h};
    double past;
    for (int i = 0; i < most && in.upper - in.lower > 1e-15 * *h; ++i) {
        double time;
        if (!guess(search, system, integrator, in, to, &time, &past)) {
            return false;
        }
        if (isnan(past)) { /* flat on flat, elsewhere than where they part: a little deeper it shows where */
            search->slack += deeper;
            if (!look_at(search, system, integrator, in.upper, to)) {
                return false;
            }
            if (search->breach_count == 0) {
                *h = in.upper;
                return true;
            }
            continue;
        }
        if (!event_search_look(search, system)) {
            return false;
        }
        if (search->breach_count > 0) {
            in.upper = time;
            continue;
        }
        if (fabs(past) <= 1.0) {
            *h = time;
            return true;
        }
        in.lower = time; /* something else than was listed comes between here and there */
        if (!look_at(search, system, integrator, in.upper, to)) {
            return false;
        }
    }
    *h = in.lower > 0.0 ? in.lower : in.upper;
    double error;
    return event_integrate(integrator, system, *h, to, &error);
}

bool event_search_time(event_search *search, event_system *system, event_integrator *integrator, double *h, event_state *to) {
    search->slack = 0.0;
    bool fine = find_time(search, system, integrator, h, to);
    search->slack = 0.0;
    return fine;
}
