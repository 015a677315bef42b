#pragma once

#include "solve/contact/state.h"
#include "step/world/body.h"

/*
 * How bodies move between impulses. A substep is a leapfrog: half of the forces' effect, motion at the velocity of the substep's middle,
 * the other half. Without contacts that is exact for constant forces, and keeps energy in all others but for an error that does not
 * grow.
 */

/* Fill state from a body at the begin of a step. */
void motion_begin(const body *body, solver_body *state);

/* The effect of gravity, of the forces on the body and of damping during a time. */
void motion_kick(const body *body, solver_body *state, abut_vec3 gravity, double time);

/* Place and orientation after a time of free motion. The angular momentum is kept; so the angular velocity changes as the inertia turns. */
void motion_drift(const body *body, solver_body *state, double time);

/* Angular momentum about the centre of mass, world frame. */
abut_vec3 motion_angular_momentum(const body *body, const solver_body *state);
