#pragma once

#include "step/event/system.h"

/*
 * One step of Dormand and Prince's method of order 5 with an error of order 4.
 */

enum { EVENT_STAGES = 7 };

typedef struct event_integrator {
    event_slope *stage[EVENT_STAGES]; /* [body_count] each */
    int32_t stage_capacity[EVENT_STAGES];
    event_state *trial; /* of a stage */
    int32_t trial_capacity;
    bool started; /* stage 0 is the slope at the state that steps begin at */
} event_integrator;

bool event_integrator_reserve(event_integrator *integrator, int32_t bodies);
void event_integrator_release(event_integrator *integrator);

/*
 * From system->state to `to` after the time h; *error receives the largest error in units of the tolerance; infinite, and `to` of no
 * use, when the step was so long that a stage of it makes no sense. False when the forces cannot be found.
 * Afterwards stage 6 is the slope at the end.
 */
bool event_integrate(event_integrator *integrator, event_system *system, double h, event_state *to, double *error);
