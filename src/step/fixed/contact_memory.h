#pragma once

#include "step/world/contact_store.h"

/*
 * Warm starting: each contact of this step takes over the forces of the same contact of the last step.
 */

/* The contacts of a pair in the last step. */
typedef struct recall_past {
    const contact_memory *memory;
    int32_t count;
} recall_past;

/* A contact with a new id can still be a contact of the last step if it has moved no further than this, relative to the smaller shape's size. */
static const double recall_distance = 0.02;

/* Set the forces in the memory of the present contacts; ids and places are given. A contact takes the forces of the old contact of the same id. Without one it
 * takes those of the nearest old contact that has disappeared and is no further away than `near`; features come and go where corners meet corners.
 * Otherwise its forces are zero. */
void recall_forces(recall_past past, contact_memory *memory, int32_t count, double near);

/* After recall_forces(): what a patch has lost with contacts that have disappeared goes to its new contacts in equal parts, or, without any, to all in
 * proportion. So a disc keeps its load although the points on its rim change. Pairs of several patches stay as they are. */
void recall_lost_forces(recall_past past, contact_memory *memory, int32_t count);
