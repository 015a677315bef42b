#pragma once

#include "solve/contact.h"

/*
 * Passes made faster: the impulses go on in the direction in which the passes have been moving them, by the rule of nonlinear conjugate
 * gradients (Silcowitz, Niebe, Erleben, "A nonsmooth nonlinear conjugate gradient method for interactive contact force problems", 2010).
 * For passes that all run forward.
 */

/* Of a row of passes; zero-initialise. */
typedef struct accelerator {
    double change; /* of the last pass, squared */
} accelerator;

/* Before a pass. */
void accelerate_mark(const solver_contacts *set);

/* After a pass, unless it is the last. */
void accelerate_passes(accelerator *state, const solver_contacts *set);
