#pragma once

#include "step/world/world.h"

/*
 * What contacts of this step know of those of the last: for warm starting.
 */

/* The contacts of a pair as they were. */
typedef struct recall_past {
    const abut_world_contact *contacts;
    const contact_memory *memory;
    int32_t count;
} recall_past;

/* A contact may have moved so far, relative to the smaller shape's size, and still be taken for the one it was when its id is new. */
static const double recall_distance = 0.02;

/* Fill the forces of the memory of the present contacts: from the contact of the same id, else from the nearest one within the distance
 * `near` that has disappeared (features come and go where corners meet corners), else with zero. The places are given. */
void recall_forces(recall_past past, const abut_world_contact *contacts, contact_memory *memory, int32_t count, double near);
