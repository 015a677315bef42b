#pragma once

#include "solve/contact/plan.h"
#include "step/fixed/continuous/follow.h"

/*
 * Bodies that the guard has turned aside leave their joints behind. Here the bodies on the other sides of these joints come after them, to where the joints
 * are as they were by the solution. Each of them is followed on its way, too; one that would pass through another body goes beside it, and the rest comes after
 * it. Joints that the solution itself has torn, because bodies turn too fast for it, are mended in the same way.
 */

/* Zero-initialise. */
typedef struct rejoin_room {
    solver_body *bodies;           /* of one island */
    double (*planned)[JOINT_ROWS]; /* by joint of the island: the positions of its rows by the solution */
    int32_t *tree;                 /* by body of the island: the first body of those that joints connect with it */
    double *work, *energy;         /* by tree: of the forces on the way, and kinetic */
    bool *stays;                   /* by body of the island: others come after it */
    bool *torn;                    /* by island: a body of it was turned aside */
    int32_t body_capacity, planned_capacity, tree_capacity, work_capacity, energy_capacity, stay_capacity, torn_capacity;
} rejoin_room;

/* After the guard: change the ways of the bodies that joints hold to those of the tasks. The tasks' bodies have their final states. ABUT_OK;
 * ABUT_ERROR_OUT_OF_MEMORY; ABUT_ERROR_NOT_FINITE. */
abut_status rejoin_bodies(rejoin_room *room, solver_plan *plan, island_layout *layout, const step_ways *ways, const follow_task *tasks,
                          int32_t task_count);

void rejoin_release(rejoin_room *room);
