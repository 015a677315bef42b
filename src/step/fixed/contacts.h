#pragma once

#include "step/fixed/island.h"
#include "step/fixed/narrow_jobs.h"

/*
 * The contacts of a step. The narrow phase of all pairs that may have changed runs over threads; the results are placed in the order of the pairs.
 */

/* From broad.found to the world's `next`: the contacts of every pair, and the memory of those that existed in the last step. Pairs without an active body
 * keep their contacts. broad.found gets the pairs' contact ranges and normals, and narrow->extents their extents. Statuses of abut_world_step(). */
abut_status contacts_find(narrow_phase *narrow, abut_world *world, const island_forest *islands, double dt);

void contacts_release(narrow_phase *narrow);
