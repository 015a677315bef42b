#pragma once

#include "step/event/system.h"

/*
 * The pairs of parts that may touch within a time. They are also listed anew within a step of the world, because bodies change their motion
 * in collisions.
 */

/* Lists bodies, parts and candidates for a step of that time. Returns ABUT_OK; ABUT_ERROR_UNSUPPORTED_PAIR for a mesh;
 * ABUT_ERROR_OUT_OF_MEMORY. */
abut_status event_candidates_begin(event_system *system, abut_world *world, double time);

/* Whether bodies with their current motion can meet only candidates within the time. */
bool event_candidates_suffice(const event_system *system, double time);

/* Lists candidates for the remaining time, from system->state. Rows of pairs that are no candidates any more are dropped. False when there
 * is no memory. */
bool event_candidates_again(event_system *system, abut_world *world, double time);
