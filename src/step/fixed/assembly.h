#pragma once

#include "step/fixed/layout.h"

/*
 * Conversion between the records of the world and those of the solver.
 */

/* Fill the layout's states, contacts, springs and joints from the records of the world and its `next`. Pairs of sleeping bodies are left out. */
void assembly_fill(island_layout *layout, const abut_world *world, double dt);

/* Fill the contacts of solve/contact, at the begin of the step, for the islands that are not left out. The quick solver has solved them. */
void assembly_fill_anchors(island_layout *layout, const abut_world *world, const bool *left_out, double dt);

/* Fill the islands that are not left out once more for the exact solver, their states, too. They have no springs and joints. */
void assembly_fill_again(island_layout *layout, const abut_world *world, const bool *left_out, double dt);

/* The number of substeps in which an island is solved. */
int32_t assembly_substeps(const island_layout *layout, const abut_world *world, int32_t island);

/* After the solution: write the forces of the step, and the memory for the next step, to the world's `next` and to its joints. */
void assembly_write_forces(const island_layout *layout, abut_world *world, double dt);
