#pragma once

#include "step/event/integrate.h"

/*
 * What happens within an integration step: parts that begin to touch, contacts that leave their features ([B90] section 8).
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

/* Whether nothing can have happened in the midst of a step of that time at whose end nothing shows. */
bool event_search_is_sure(const event_system *system, double time);

/* Lists the breaches at the places of the last evaluation. False when that cannot be done; system->status says why. */
bool event_search_look(event_search *search, event_system *system);
