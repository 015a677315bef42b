#pragma once

#include "step/world/world.h"

/*
 * Islands: dynamic bodies that touch each other, directly or by others. They wake and fall asleep together.
 */

/* Before a step's contacts: who is active by itself. Fills work.bodies. */
void island_begin(abut_world *world);

/* With the step's contacts: form the islands, and wake those that hold an awake body or touch one that is moved by other means. */
void island_wake(abut_world *world);

/* After the step's motion: let the islands that have rested long enough fall asleep. */
void island_sleep(abut_world *world, double dt);

/* After island_wake(): the slot that stands for the island of a dynamic body, the smallest one of its bodies. */
int32_t island_root(abut_world *world, int32_t slot);
