#pragma once

#include "step/world/world.h"

/*
 * Large islands are solved by several threads: their pairs are put in an order of colours, within which no two pairs share a body that
 * moves. The order depends on the island alone, not on the threads.
 */

/* After the islands' parts were placed, before they are filled: new places for the pairs of large islands, and their schedules, into
 * step_work.colours. False when there is no memory. */
bool colours_make(abut_world *world);

void colours_release(step_colours *colours);
