#pragma once

#include "step/world/world.h"

/*
 * The step as the solver sees it.
 */

/* From the bodies, the springs and work.next to work.states, work.moving, work.contacts and work.springs. Pairs of sleeping bodies are
 * left out. */
abut_status assembly_build(abut_world *world, double dt);

/* From the solved contacts back to work.next: forces of the step, and the memory for the next one. */
void assembly_write_forces(abut_world *world, double dt);
