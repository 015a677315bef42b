#pragma once

#include "step/fixed/continuous/rejoin.h"
#include "step/fixed/layout.h"

/*
 * The guard against bodies that pass through others. The contacts of a step foresee the first impact of a fast body; what it meets afterwards, or turns into,
 * they need not know. So after the solution every fast body follows its path once more (step/fixed/continuous/follow.h). Where it would pass through a body
 * that it must not pass (step/fixed/continuous/impact.h) it slides along it, and the next step begins with the contact.
 *
 * Bodies that can only meet static and kinematic ones are followed first, side by side. The others follow one after the other: small bodies after large ones,
 * and those that do not pass through any body last. So each of them sees the final ways of those that do not give way to it.
 */

/* Zero-initialise. */
typedef struct passage_guard {
    int32_t *path_of;    /* by state: the first of its `substeps + 1` points; -1 for a body whose path is not noted */
    path_point *planned; /* of all paths, one after the other: by the solution */
    path_point *points;  /* and where the bodies really get */
    bool *fast_islands;  /* by island: it has a body that may travel far */
    bool *alone;         /* by slot: no dynamic body that it must not pass is near */
    bool *far;           /* by slot: it may travel far */
    bool *marked;        /* by slot: a fast body is near */
    double *way;         /* by slot: its length in the step */
    double *sunk;        /* by slot: the deepest contact, at the start of the step, with a body that stops it */
    follow_task *tasks;
    rejoin_room joints;
    int32_t path_capacity, planned_capacity, point_capacity, island_capacity, alone_capacity, far_capacity, mark_capacity, way_capacity,
        sunk_capacity, task_capacity;
    int32_t task_count;
} passage_guard;

/* Before the substeps: choose the bodies whose paths are noted: those of islands in which one can travel far in the step. False when there is no memory. */
bool passage_begin(passage_guard *guard, const island_layout *layout, const abut_world *world, double dt);

/* Before the motion of each substep, and after the last one: note the states of an island's bodies. substep: 0 for the first. Islands may note at the same
 * time. */
void passage_note(const passage_guard *guard, const island_layout *layout, int32_t island, int32_t substep);

/* The same for one body: its state, and how it is then. */
void passage_note_body(const passage_guard *guard, int32_t state, const solver_body *body, int32_t substep);

/* After the substeps: change the ways in the layout's states. extents: of the narrow phase. ABUT_OK; ABUT_ERROR_NOT_FINITE; ABUT_ERROR_OUT_OF_MEMORY. */
abut_status passage_stop(passage_guard *guard, island_layout *layout, solver_plan *plan, const pair_extent *extents,
                         const abut_world *world, double dt);

void passage_release(passage_guard *guard);
