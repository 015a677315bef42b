#pragma once

#include "step/event/system.h"

/*
 * Collisions ([B90] section 7): velocities jump so that nothing approaches any more.
 */

/* How fast the bodies of a row fall through the smaller part, or pass each other: what is slow is slow against this. */
double event_speed_of(const event_system *system, const event_row *row);

/* Makes system->state's velocities such that no row approaches, by the rows' restitution where the approach is faster than what bounces. *jumped: something
 * did approach. False when the impulses cannot be found; system->status says why. Rows' rates are those after it. */
bool event_impulses(event_system *system, bool *jumped);
