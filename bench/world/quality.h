#pragma once

#include "world/engine.h"

/*
 * The quality of a simulated state, by the same measure for all engines.
 */
typedef struct quality {
    double deepest; /* deepest penetration of two bodies, by abut_collide() at their poses [m] */
    double kinetic; /* mean kinetic energy of a body [J] */
} quality;

/* False when there is no memory, or a state is not finite. */
bool quality_of(const scene *of, const engine_body *bodies, quality *found);
