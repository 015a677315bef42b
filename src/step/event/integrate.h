#pragma once

#include "step/event/system.h"

/*
 * One step of the integration: Dormand and Prince's method of order 5 with an error estimate of order 4.
 */

enum { EVENT_STAGES = 7 };

typedef struct event_integrator {
    event_slope *stage[EVENT_STAGES]; /* [body_count] each */
    int32_t stage_capacity[EVENT_STAGES];
    event_state *trial; /* state of an intermediate stage */
    int32_t trial_capacity;
    bool started;  /* stage 0 holds the slope at system->state */
    bool whole;    /* the last step reached its end: `to` is valid */
    double length; /* of the last step, if it reached its end; otherwise 0 */
} event_integrator;

bool event_integrator_reserve(event_integrator *integrator, int32_t bodies);
void event_integrator_release(event_integrator *integrator);

/*
 * Integrates from system->state over the time h into `to`. *error receives the largest error in units of the tolerance. It is infinite, and
 * `to` is not valid, if the step was so long that a stage became meaningless. False if the forces cannot be found. Afterwards stage 6 holds
 * the slope at the end.
 */
bool event_integrate(event_integrator *integrator, event_system *system, double h, event_state *to, double *error);

/* The state of a body at a time within the last step, from its stages: no forces are found. It is of order 4, and its error a little over the tolerance. */
event_state event_integrator_between(const event_integrator *integrator, const event_system *system, int32_t body, double time);
