#pragma once

#include "world/engine.h"

/*
 * How well a scene has been simulated, by a measure that is the same for all engines.
 */
typedef struct quality {
    double deepest; /* penetration of any two bodies, as abut_collide() finds it at the bodies' poses [m] */
    double kinetic; /* mean kinetic energy of a body [J] */
} quality;

/* False when there is no memory, or a state is not finite. */
bool quality_of(const scene *of, const engine_body *bodies, quality *found);
