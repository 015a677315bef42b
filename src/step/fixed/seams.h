#pragma once

#include "step/world/world.h"

/*
 * Bodies that touch several meshes which do not move: those are one surface to them, and no seam between two of them is felt.
 */

/* From the candidate pairs of this step: who has which meshes. False when there is no memory. */
bool seams_find(abut_world *world);

/* The meshes of the pair's moving body, when there are several; *own is the one of the pair. NULL when there is one or none. */
const abut_part *seams_of_pair(const abut_world *world, const broad_pair *pair, int32_t *count, int32_t *own);
