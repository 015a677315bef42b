#pragma once

#include "step/world/world.h"

/*
 * The contacts of a step: the narrow phase of all pairs that may have changed, over threads, gathered in the order of the pairs.
 */

/* What contacts_find() met. */
typedef struct contacts_tally {
    int32_t candidates; /* pairs whose reaches meet */
} contacts_tally;

/* From broad.found to work.next: the contacts of every pair, and the memory of those that were there before. Pairs of which no body is
 * active keep the contacts they have. broad.found gets the pairs' contact ranges and normals. */
abut_status contacts_find(abut_world *world, double dt, contacts_tally *tally);

/* From work.next drop the contacts that neither carry force nor are as close as the settings ask for: they were made ahead of time. */
void contacts_drop_idle(abut_world *world);
