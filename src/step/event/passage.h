#pragma once

#include "step/event/system.h"

/*
 * Passages over flat places ([B90] appendix E). Where the curvatures of both surfaces vanish, the contact point runs from one side of the flat place to the
 * other in no time, and the force has no bound, although its integral has one. No integration step is short enough for that. A passage replaces the force by
 * its integral.
 */

/* The time of one passage, given that of the shortest integration step; 0 if no contact with a smooth body is held. Bodies sink into each other by their
 * speed times this time. Only contacts with faces are exact enough to use very short times. */
double event_passage_time(const event_system *system, double shortest);

/* Moves the bodies from system->state over a short time h into `to`. Changes lines, q, z and places of the system. False on failure; system->status says
 * why. */
bool event_passage(event_system *system, double h, event_state *to);
