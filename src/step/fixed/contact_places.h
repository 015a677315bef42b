#pragma once

#include "step/fixed/island.h"
#include "step/fixed/narrow_jobs.h"

/*
 * The contacts of the world's `next`. They stand in the order of the pairs, and those of a pair follow each other. When the narrow phase has
 * counted all of them, every pair gets its place, and threads write the contacts there.
 */

/* From the jobs to `next`: the contacts of every pair, and the memory of those that existed in the last step. Pairs without an active body keep their contacts.
 * broad.found gets the pairs' contact ranges and normals, and narrow->extents their extents. ABUT_OK; the first status of a job that is not ABUT_OK;
 * ABUT_ERROR_OUT_OF_MEMORY. */
abut_status contact_places_fill(narrow_phase *narrow, abut_world *world, const island_forest *islands, double dt);

/* Takes the forces of a pair's contacts back to those of the last step. */
void contact_places_recall(const abut_world *world, int32_t pair);

/* Removes contacts from `next` that carry no force and whose gap exceeds the margin of the settings. They were made ahead of time. */
void contact_places_drop_idle(const narrow_phase *narrow, abut_world *world);
