#pragma once

#include "step/world/saved.h"
#include "step/world/world.h"

/*
 * The event stepper ([B90]): accelerations from forces that prevent interpenetration, integrated with an error bound; every collision
 * happens at its own time.
 */

/* Same contract as fixed_step(). */
abut_status event_step(abut_world *world, double dt, abut_step_report *report);

struct event_stepper;
/* Frees the stepper's state. NULL is allowed. */
void event_release(struct event_stepper *stepper);

/* False after a step that failed while an event was being resolved, because the contacts found for it are not saved. */
bool event_can_be_saved(const abut_world *world);
/* Same contracts as dem_save() and dem_restore(). */
void event_save(saved_stream *s, const abut_world *world);
abut_status event_restore(saved_stream *s, struct event_stepper **stepper);
