#pragma once

#include "solve/contact/contact.h"

/*
 * Acceleration of passes: the impulses continue in the direction in which the passes have moved them, by the rule of nonlinear conjugate
 * gradients (Silcowitz, Niebe, Erleben, "A nonsmooth nonlinear conjugate gradient method for interactive contact force problems", 2010).
 * For passes that all run forward, with solver_pass_on().
 */

/* State of a sequence of passes. */
typedef struct accelerator {
    double energy; /* of the last pass's change; 0 before the first pass */
    double factor; /* the factor by which the next pass continues in the direction */
} accelerator;

/* Call before the first pass, and after any other change of the velocities of many bodies. */
accelerator accelerate_begin(const solver_contacts *set);

/* Call after any other change of the velocity of one body. */
static inline void accelerate_note(solver_body *body) {
    body->before = body->velocity;
    body->angular_before = body->angular_velocity;
}

/* Call between a pass with this energy and the next pass. */
void accelerate_passes(accelerator *state, const solver_contacts *set, double energy);
