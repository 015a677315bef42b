#pragma once

#include "solve/contact/state.h"
#include "step/world/body.h"

/*
 * The motion of bodies between impulses. A substep is a leapfrog: a half kick by the forces, a drift at the velocity of the substep's middle, and
 * another half kick. Without contacts this is exact for constant forces. For other forces the error of the energy does not grow.
 */

/* Set the solver's state from a body, at the start of a step. */
void motion_begin(const body *body, solver_body *state);

/* Give a dynamic body moments of inertia of state->least_moment at least, until it turns. Only impulses notice. */
void motion_stiffen(const body *body, solver_body *state);

/* Change the velocities by gravity, by the body's forces and by damping during a time. */
void motion_kick(const body *body, solver_body *state, abut_vec3 gravity, double time);

/* The velocities from which motion_kick() leads to the present ones. */
void motion_kick_back(const body *body, solver_body *state, abut_vec3 gravity, double time);

/* Advance position and orientation by a time of free motion. The angular momentum stays constant, so the angular velocity changes while the inertia
 * rotates. */
void motion_drift(const body *body, solver_body *state, double time);

/* Put a dynamic body elsewhere: its centre by a way, its orientation by a rotation about the direction of `turn` by its length as the angle [rad]. This is no
 * motion: the kinetic energy and the amount of angular momentum stay, and its direction as far as they allow. */
void motion_displace(const body *body, solver_body *state, abut_vec3 way, abut_vec3 turn);

/* The body has turned to `rotation` within a time, at the inertia of the begin, which `axes` still have. Corrects the angular velocity for the inertia that
 * turned with the body: angular momentum and energy stay as motion_displace() keeps them. Whoever needs axes and inertia afterwards renews them. */
void motion_follow_turn(const body *body, solver_body *state, double time);

/* Sets axes and inertia by `rotation`. */
void motion_renew(const body *body, solver_body *state);

/* Angular momentum about the centre of mass, world frame. */
abut_vec3 motion_angular_momentum(const body *body, const solver_body *state);
