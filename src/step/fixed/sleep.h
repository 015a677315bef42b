#pragma once

#include "step/fixed/layout.h"

/* After the motion of a step: islands that have rested for long enough fall asleep. Sets asleep and rest_time of the islands' bodies. */
void islands_sleep(island_forest *islands, const island_layout *layout, const abut_world *world, double dt);
