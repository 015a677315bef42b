#pragma once

#include "step/world.h"

/*
 * The event stepper ([B90]): forces from accelerations, integrated with an error bound; every collision at its time.
 */

/* As fixed_step(). */
abut_status event_step(abut_world *world, double dt, abut_step_report *report);

struct event_stepper;
/* What the stepper keeps of a world. NULL does nothing. */
void event_release(struct event_stepper *stepper);
