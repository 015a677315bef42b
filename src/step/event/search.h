#pragma once

#include "step/event/integrate.h"

/*
 * Events within an integration step ([B90] section 8): parts begin to touch, or contacts leave their features.
 */

/* What happens to the friction of a contact. */
typedef enum event_turn { EVENT_TURN_NONE, EVENT_TURN_STOPS, EVENT_TURN_STARTS } event_turn;

/* An event that an integration step went past. */
typedef struct event_breach {
    event_row row;
    bool slips; /* true: the contact left its features, or `turn` happened; false: it is too deep */
    event_turn turn;
    double level; /* depth that it had at the beginning of the step [length] */
    bool blind;   /* its features do not show the time of the event: bodies deep in each other touch with other features than at first */
} event_breach;

typedef struct event_search {
    event_breach *breaches;
    int32_t breach_count, breach_capacity;
    event_breach *begun; /* the breaches at the time that was found */
    int32_t begun_count, begun_capacity;
    double slack; /* additional depth before a contact is a breach, in units of event_grain(); 0 except while a time is sought */
} event_search;

void event_search_release(event_search *search);

/* For the last step of the integration, whose end shows no event: INFINITY if it is proved that none happened, otherwise the time of the first doubt. */
double event_search_doubt(event_system *system, const event_integrator *integrator);

/* How far a turn is from happening, in units of event_row.still; negative once it has. At the places of the last evaluation. */
double event_search_before_turn(const event_system *system, const event_row *row, event_turn turn);

/* Lists the breaches at the places of the last evaluation. False on failure; system->status says why. */
bool event_search_look(event_search *search, event_system *system);
