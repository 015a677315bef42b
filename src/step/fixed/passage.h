#pragma once

#include "step/fixed/layout.h"
#include "step/fixed/path.h"

/*
 * The guard against bodies that pass through others. The contacts of a step foresee the first impact of a fast body; what it meets afterwards, or turns into,
 * they need not know. So after the solution every fast body follows its path once more. Where it would pass through a body (step/fixed/impact.h) it stops at
 * the surface, and the next step begins with their contact.
 */

/* The end of a path that was cut short. */
typedef struct passage_end {
    int32_t state; /* in the layout */
    bool fast;
    bool stops;
    abut_status status;
    path_point at;
} passage_end;

/* Zero-initialise. */
typedef struct passage_guard {
    int32_t *path_of;   /* by state: the first of its `substeps + 1` points; -1 for a body whose path is not followed */
    path_point *points; /* of all paths, one after the other */
    bool *marked;       /* by slot: a fast body is near */
    double *sunk;       /* by slot: the deepest contact, at the start of the step, with a body that stops it */
    passage_end *ends;
    int32_t path_capacity, point_capacity, mark_capacity, sunk_capacity, end_capacity;
    int32_t end_count;
} passage_guard;

/* Before the substeps: choose the bodies whose paths are followed: those that can travel far in the step. False when there is no memory. */
bool passage_begin(passage_guard *guard, const island_layout *layout, const abut_world *world, double dt);

/* Note the states of an island's bodies: as they arrive at a substep (0 for the first), and after the last one; and as they leave, before the motion of the
 * substep. Islands may note at the same time. */
void passage_note_arrival(const passage_guard *guard, const island_layout *layout, int32_t island, int32_t substep);
void passage_note_departure(const passage_guard *guard, const island_layout *layout, int32_t island, int32_t substep);

/* After the substeps: cut the paths short in the layout's states. ABUT_OK; ABUT_ERROR_OUT_OF_MEMORY. */
abut_status passage_stop(passage_guard *guard, island_layout *layout, const abut_world *world, double dt);

void passage_release(passage_guard *guard);
