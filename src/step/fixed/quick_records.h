#pragma once

#include "step/fixed/layout.h"

/*
 * Conversion between the contacts of the world and the records of the quick solver (solve/wide/record.h).
 */

/* Fill the pair and its records from the contacts of the world's `next`. The bodies are at the begin of the step. */
void quick_records_fill(const island_layout *layout, const abut_world *world, const layout_pair *from);

/* After the solution: write the forces of the step, and the memory for the next step, to the contacts of the pair in the world's `next`. */
void quick_records_write(const island_layout *layout, abut_world *world, const layout_pair *from);

/* The records of an island and the contacts of solve/contact, which are begun: the impulses of a step of length dt with this number of substeps. */
void quick_records_to_anchors(const solver_contacts *set, double dt, int32_t substeps);
void quick_records_from_anchors(const solver_contacts *set, double dt, int32_t substeps);
