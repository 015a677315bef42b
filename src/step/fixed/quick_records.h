#pragma once

#include "step/fixed/layout.h"

/*
 * Patches of the world's contacts for the quick solver (solve/wide/record.h), which works on their memory.
 */

/* Fill the pair and its patches from the contacts of the world's `next`. The bodies are at the begin of the step. */
void quick_records_fill(const island_layout *layout, const abut_world *world, const layout_pair *from);

/* The records of an island and the contacts of solve/contact, which are begun: the impulses of a step of length dt with this number of substeps. */
void quick_records_to_anchors(const solver_contacts *set, double dt, int32_t substeps);
void quick_records_from_anchors(const solver_contacts *set, double dt, int32_t substeps);
