#pragma once

#include "solve/contact/plan.h"
#include "solve/wide/solver.h"
#include "step/fixed/layout.h"

/*
 * Islands whose impulses lag far behind their loads, such as a heavy body on light ones. The passes of the quick solver would need many steps to carry the load
 * down, and the bodies sink in meanwhile. At the end of the step, such an island gets two direct solutions (solve/contact/direct.h): one
 * finds the loads with which the next step begins, the other corrects the velocities. So does an island that has only guessed its loads, because most of its
 * patches are new.
 */

/* Zero-initialise. */
typedef struct lag_relief {
    solver_plan plan;
    bool *left_out; /* by island */
    int32_t capacity;
} lag_relief;

/* After the quick solver: the bodies are where the step ends. False when there is no memory. */
bool lag_relieve(lag_relief *relief, const wide_solver *solver, island_layout *layout, const abut_world *world, double dt);

void lag_release(lag_relief *relief);
