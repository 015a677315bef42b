#pragma once

#include "solve/wide/solver.h"
#include "step/fixed/continuous/passage.h"

/*
 * The islands that the quick solver solves (solve/wide/solver.h). It knows neither springs, nor impacts that bounce or happen in the course of a step. Islands
 * with these are solved exactly in this step, and so are single bodies with several contacts that move or are new. The choice depends on the present step
 * alone.
 */

/* Whether the world's islands are solved by it at all. */
bool quick_is_used(const abut_world *world);

/* After layout_make(): sets layout->quick. */
void quick_choose(island_layout *layout, const abut_world *world, double dt);

/* After assembly_fill(). False when there is no memory. */
bool quick_plan(wide_solver *solver, const island_layout *layout, const abut_parallel *parallel);

/* Called for a group of the solver when it is solved, while it is still in the cache. parallel: NULL for one thread */
typedef void quick_judge(const void *context, const wide_solver *solver, int32_t group, const abut_parallel *parallel);

/* Solves these islands, notes the paths of fast bodies for the guard, and has each group judged. */
void quick_solve(wide_solver *solver, island_layout *layout, const passage_guard *guard, const abut_world *world, double dt,
                 quick_judge *judge, const void *context);
