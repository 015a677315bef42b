#pragma once

#include "step/event/search.h"

/*
 * When something happened that a step went past ([B90] section 8 and appendix): by Newton's method on gaps, with two derivatives, between times that are
 * known to be before and after.
 */

/*
 * The time at which the first breach begins, given that there are some at *h: the state there, and *h; search->begun are the breaches that were about to
 * happen. They need not show there: of two features at one place only one is found, and it may be the other that goes on. False when it cannot be done.
 */
bool event_time_find(event_search *search, event_system *system, event_integrator *integrator, double *h, event_state *to);
