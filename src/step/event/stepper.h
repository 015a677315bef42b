#pragma once

#include "step/world/saved.h"
#include "step/world/world.h"

/*
 * The event stepper ([B90]): forces from accelerations, integrated with an error bound; every collision at its time.
 */

/* As fixed_step(). */
abut_status event_step(abut_world *world, double dt, abut_step_report *report);

struct event_stepper;
/* What the stepper keeps of a world. NULL does nothing. */
void event_release(struct event_stepper *stepper);

/* False after a step that failed in the midst of an event: what it had found of it is not saved. */
bool event_can_be_saved(const abut_world *world);
/* As dem_save() and dem_restore(). */
void event_save(saved_stream *s, const abut_world *world);
abut_status event_restore(saved_stream *s, struct event_stepper **stepper);
