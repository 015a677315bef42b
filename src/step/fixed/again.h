#pragma once

#include "solve/contact/plan.h"
#include "solve/wide/solver.h"
#include "step/fixed/continuous/passage.h"

/*
 * Islands that are solved again. The quick solver keeps normals and arms during a step, and makes one pass in a substep. In islands that are struck or turn
 * far, the passes may end before they agree, and the solution may bring in energy. Such an island goes back to the begin of the step, and the exact solver
 * solves it (step/fixed/substeps.h). The choice depends on the present step alone.
 */

/* Zero-initialise. */
typedef struct again_marks {
    bool *left_out; /* by island: not solved again */
    int32_t capacity;
} again_marks;

/* Leaves all islands out. False when there is no memory. */
bool again_begin(again_marks *marks, const island_layout *layout);

/* What the judgement of a group needs. */
typedef struct again_judging {
    const again_marks *marks;
    const island_layout *layout;
    const abut_world *world;
    double dt;
} again_judging;

/* Marks the islands of a group that are to be solved again, when the group is solved and before anything corrects its result: a quick_judge, whose context is
 * an again_judging. */
void again_judge(const void *context, const wide_solver *solver, int32_t group, const abut_parallel *parallel);

/* Solves those islands again and takes them out of layout->quick. plan: of the exact solver; it is made anew. False when there is no memory. */
bool again_solve(again_marks *marks, solver_plan *plan, island_layout *layout, const passage_guard *guard, const abut_world *world,
                 double dt);

void again_release(again_marks *marks);
