#pragma once

#include "world/engine.h"

/*
 * The quality of a simulated state, by the same measure for all engines.
 */
typedef struct quality {
    double deepest,
        deep; /* deepest penetration of two bodies, by abut_collide() at their poses, and the 99 % quantile over pairs that touch [m] */
    double drift, farthest;  /* how far bodies have moved across gravity, or along a slope: median and largest [m] */
    double kinetic;          /* mean kinetic energy of a body [J] */
    double kinetic_per_mass; /* the same divided by the mean mass [J/kg] */
} quality;

/* False when there is no memory, or a state is not finite. */
bool quality_of(const scene *of, const engine_body *bodies, quality *found);
