/* The time of an event by Newton's method inside a bracket: see time.h. */
#include "step/event/time.h"

#include "base/array.h"
#include "base/real.h"

/* How far the worst breach is from beginning, in units of event_grain(), or of event_touching() for a slip; negative once it has begun.
 * Derivatives are NAN where there are none. */
typedef struct clearance {
    double value, rate, acceleration;
} clearance;

static clearance clearance_of_one(const event_breach *breach, const event_system *system) {
    const event_place *a, *b;
    abut_contact now = event_system_look(system, &breach->row, &a, &b);
    double grain = event_grain(system, breach->row.pair);
    abut_rates rates = {.gap_rate = NAN, .gap_acceleration = NAN};
    if (breach->turn != EVENT_TURN_NONE) {
        return (clearance){event_search_before_turn(system, &breach->row, breach->turn), NAN, NAN};
    }
    if (breach->slips) {
        double touching = event_touching(system, breach->row.pair);
        return (clearance){(breach->row.slip + 0.5 * touching - event_row_slip(&breach->row, &now, a, b)) / touching, NAN, NAN};
    }
    event_row_rates(&breach->row, &now, a, b, &rates);
    return (clearance){(now.gap + breach->level) / grain, rates.gap_rate / grain, rates.gap_acceleration / grain};
}

/* Whether the contact lies beyond the ends of its features. Its gap is then that of the features' continuations, where nothing touches. */
static bool is_outside(const event_breach *breach, const event_system *system) {
    const event_place *a, *b;
    abut_contact now = event_system_look(system, &breach->row, &a, &b);
    return !breach->slips && event_row_slip(&breach->row, &now, a, b) > breach->row.slip + event_touching(system, breach->row.pair);
}

/* Goes to a time. Quick: only the bodies of the breaches, to where the last integration step, which went past that time, has them. */
static bool go_to(event_search *search, event_system *system, event_integrator *integrator, double time, bool quick, event_state *to) {
    double error;
    if (!quick) {
        return event_integrate(integrator, system, time, to, &error);
    }
    for (int32_t i = 0; i < 2 * search->breach_count; ++i) {
        int32_t body = search->breaches[i / 2].row.body[i % 2];
        if (system->bodies[body].moves) {
            event_state state = event_integrator_between(integrator, system, body, time);
            event_system_place_body(system, body, &state);
        }
    }
    return true;
}

static clearance clearance_of(const event_search *search, const event_system *system) {
    clearance worst = {INFINITY, NAN, NAN};
    for (int32_t i = 0; i < search->breach_count; ++i) {
        if (!search->breaches[i].blind) {
            clearance one = clearance_of_one(&search->breaches[i], system);
            one.value += search->breaches[i].turn == EVENT_TURN_NONE ? search->slack : 0.0; /* it is a depth */
            worst = one.value < worst.value ? one : worst;
        }
    }
    return worst;
}

/* Marks as blind all breaches that seem to have begun at the lower end of the bracket, where nothing had happened yet. *seeing: whether
 * some breach is not blind. */
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

/* The time until the quadratic model is zero: the next zero ahead, or the last one behind; NAN for none. */
static double predict(const clearance *c) {
    double d = c->value, v = c->rate, a = c->acceleration, inside = v * v - 2.0 * a * d;
    if (!(inside >= 0.0)) {
        return NAN;
    }
    double root = sqrt(inside);
    if (d >= 0.0 && v >= 0.0) {
        return a < 0.0 ? (v + root) / -a : NAN;
    }
    /* Approaching, or past the zero: the root nearest in time, in the form without cancellation. */
    return v < 0.0 ? 2.0 * d / (-v + root) : a < 0.0 ? NAN : 2.0 * d / (-v - root);
}

typedef struct bracket {
    double lower, upper, at_lower, at_upper; /* bracketing times and their clearances */
    double width;                            /* the bracket's width two steps ago */
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

/* A contact that parts at first has two zeros, and the earlier one, where it begins, is not wanted. This finds a later time with a clear
 * gap by halving from above. *found: whether there is one. The bracket is narrowed on the way. */
static bool climb(event_search *search, event_system *system, event_integrator *integrator, bracket *in, bool quick, event_state *to,
                  bool *found) {
    const int most = 40;
    const double clear = 0.01; /* less than the rise of a contact that is just too fast to rest */
    double time = in->upper;
    *found = in->at_lower > clear;
    for (int i = 0; i < most && !*found; ++i) {
        time = in->lower + 0.5 * (time - in->lower);
        if (!(time > in->lower) || !go_to(search, system, integrator, time, quick, to)) {
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

/* The time at which the listed breaches begin, regardless of others. *time: the first guess, or NAN. */
static bool time_of_listed(event_search *search, event_system *system, event_integrator *integrator, bracket in, bool quick,
                           event_state *to, double *time) {
    const int most = 60;
    clearance here = {NAN, NAN, NAN};
    double from = in.upper, before = INFINITY;
    for (int i = 0; i < most; ++i) {
        double width = in.upper - in.lower;
        bool slow = i > 3 && width > 0.5 * before;
        before = i % 2 == 0 ? width : before;
        bool guessed = i == 0 && *time > in.lower && *time < in.upper;
        *time = guessed ? *time : next_time(&in, from, &here, slow);
        if (!go_to(search, system, integrator, *time, quick, to)) {
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

/* Whether a contact stops sliding, or begins to. Where it stops, its friction has no direction but that of rounding errors, and steps that end there differ. */
static bool some_turn(const event_search *search) {
    bool some = false;
    for (int32_t i = 0; i < search->breach_count; ++i) {
        some = some || search->breaches[i].turn != EVENT_TURN_NONE;
    }
    return some;
}

/* The time at which the listed breaches begin: first as the last integration step has it, if it went past them, then exactly. *clear: whether they do not begin
 * at once. */
static bool seek(event_search *search, event_system *system, event_integrator *integrator, bracket in, event_state *to, double *time,
                 bool *clear) {
    bracket near = in;
    *time = NAN;
    *clear = false;
    if (integrator->length >= in.upper && !some_turn(search)) {
        if (!climb(search, system, integrator, &near, true, to, clear) ||
            (*clear && !time_of_listed(search, system, integrator, near, true, to, time))) {
            return false;
        }
        in.lower = *clear ? near.lower : in.lower;
        in.at_lower = *clear ? NAN : in.at_lower;
    }
    if (!*clear && !climb(search, system, integrator, &in, false, to, clear)) {
        return false;
    }
    return !*clear || time_of_listed(search, system, integrator, in, false, to, time);
}

/* One guess of the time. *past: smallest clearance of the breaches that led to it; NAN if they begin at once. */
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
    if (!seek(search, system, integrator, in, to, time, &clear)) {
        return false;
    }
    if (!clear) {
        *past = NAN;
        return true;
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
    const double deeper =
        50.0; /* a twentieth of the touching distance: a body that rocks to rest from end to end adds it a score of times */
    bracket in = {.upper = *h};
    double past;
    for (int i = 0; i < most && in.upper - in.lower > 1e-15 * *h; ++i) {
        double time;
        if (!guess(search, system, integrator, in, to, &time, &past)) {
            return false;
        }
        if (isnan(past)) { /* flat on flat, elsewhere than where they part: with a larger allowed depth the place shows */
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
        in.lower = time; /* a breach that was not listed comes between this time and the upper one */
        if (!look_at(search, system, integrator, in.upper, to)) {
            return false;
        }
    }
    *h = in.lower > 0.0 ? in.lower : in.upper;
    double error;
    return event_integrate(integrator, system, *h, to, &error);
}

bool event_time_find(event_search *search, event_system *system, event_integrator *integrator, double *h, event_state *to) {
    search->slack = 0.0;
    bool fine = find_time(search, system, integrator, h, to);
    search->slack = 0.0;
    return fine;
}
