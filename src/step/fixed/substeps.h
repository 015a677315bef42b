#pragma once

#include "step/world/world.h"

/* Take an island of work.islands through the substeps of a step of length dt. Islands are independent of each other: different ones may be
 * taken at the same time. */
void substeps_run(abut_world *world, int32_t island, double dt);
