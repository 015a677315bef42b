#pragma once

#include "solve/contact/plan.h"
#include "step/fixed/continuous/passage.h"

/* Advance an island through the substeps of a step of length dt. Islands are independent, so different threads may advance different islands at the same
 * time. */
void substeps_run(const abut_world *world, island_layout *layout, const passage_guard *guard, solver_plan *plan, int32_t island, double dt);
