#pragma once

#include "step/event_integrate.h"

/*
 * What happens within an integration step: parts that begin to touch, contacts that leave their features; and when ([B90] section 8 and appendix).
 */

/* What an integration step went past. */
typedef struct event_breach {
    event_row row;
    bool slips;   /* it left its features; else it went into the other body */
    double level; /* depth that it had from the beginning [length] */
    bool blind;   /* these features tell nothing of when: bodies deep in each other show others than those that met */
} event_breach;

typedef struct event_search {
    event_breach *breaches;
    int32_t breach_count, breach_capacity;
    event_breach *begun; /* those that begin at the time that was found */
    int32_t begun_count, begun_capacity;
    double slack; /* in grains: so much deeper than else before it is a breach; 0 but while a time is sought */
} event_search;

void event_search_release(event_search *search);

/* How deep a contact that is not followed may be and go unnoticed [length]. */
double event_grain(const event_system *system, int32_t pair);

/* Whether nothing can have happened in the midst of a step of that time at whose end nothing shows. */
bool event_search_is_sure(const event_system *system, double time);

/* Lists the breaches at the places of the last evaluation. False when that cannot be done; system->status says why. */
bool event_search_look(event_search *search, event_system *system);

/*
 * The time at which the first breach begins, given that there are some at *h: the state there, and *h; search->begun are the breaches that were about to
 * happen. They need not show there: of two features at one place only one is found, and it may be the other that goes on. False when it cannot be done.
 */
bool event_search_time(event_search *search, event_system *system, event_integrator *integrator, double *h, event_state *to);
