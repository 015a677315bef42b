#pragma once

#include "solve/contact/contact.h"

/*
 * Passes made faster: the impulses go on in the direction in which the passes have been moving them, by the rule of nonlinear conjugate
 * gradients (Silcowitz, Niebe, Erleben, "A nonsmooth nonlinear conjugate gradient method for interactive contact force problems", 2010).
 * For passes that all run forward, with solver_pass_on().
 */

/* Of a row of passes. */
typedef struct accelerator {
    double energy; /* of the last pass's change; 0 before the first pass */
    double factor; /* how far the next pass goes on in the direction so far */
} accelerator;

/* Before the first pass, and whenever something else has changed the velocities of many bodies. */
accelerator accelerate_begin(const solver_contacts *set);

/* When something else has changed the velocity of one body. */
static inline void accelerate_note(solver_body *body) {
    body->before = body->velocity;
    body->angular_before = body->angular_velocity;
}

/* Between a pass, of which this is the energy, and the next one. */
void accelerate_passes(accelerator *state, const solver_contacts *set, double energy);
