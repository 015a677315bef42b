#pragma once

#include "step/event/search.h"

/*
 * The time of an event that an integration step went past ([B90] section 8 and appendix): Newton's method on gaps with two derivatives,
 * inside a bracket of times before and after the event.
 */

/*
 * Finds the time at which the first breach begins, given that there are breaches at *h. *h and `to` receive that time and the state there.
 * search->begun receives the breaches that are about to begin. They need not show at that state: of two features at one place only one is
 * found, and the other may be the one that continues. False on failure.
 */
bool event_time_find(event_search *search, event_system *system, event_integrator *integrator, double *h, event_state *to);
