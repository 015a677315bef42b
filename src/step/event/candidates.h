#pragma once

#include "step/event/system.h"

/*
 * Which pairs may touch within a time: in the midst of a step of the world, too, for bodies that are struck go where nobody expected them.
 */

/* Lists bodies, parts and candidates for a step of that time. ABUT_OK; ABUT_ERROR_UNSUPPORTED_PAIR for a mesh; ABUT_ERROR_OUT_OF_MEMORY. */
abut_status event_candidates_begin(event_system *system, abut_world *world, double time);

/* Whether bodies that move as they do now meet nothing within the time but candidates. */
bool event_candidates_suffice(const event_system *system, double time);

/* Lists candidates for the time that is left, from system->state; rows are those of the pairs that are still there. False when there is no memory. */
bool event_candidates_again(event_system *system, abut_world *world, double time);
