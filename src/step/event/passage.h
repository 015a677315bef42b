#pragma once

#include "step/event/system.h"

/*
 * Passages over flat places ([B90] appendix E). Where the curvatures of both surfaces vanish, the contact point runs from one side of the flat place to the
 * other in no time, and the force has no bound, although its integral has one. No integration step is short enough for that. A passage replaces the force by
 * its integral.
 */

/* Whether a contact with a smooth body is held, so that forces may have no bound. */
bool event_passage_may_be(const event_system *system);

/* Moves the bodies from system->state over a short time h into `to`. Changes lines, q, z and places of the system. False on failure; system->status says
 * why. */
bool event_passage(event_system *system, double h, event_state *to);
