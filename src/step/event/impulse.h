#pragma once

#include "step/event/system.h"

/*
 * Collisions ([B90] section 7): velocities jump so that no contact approaches any more.
 */

/* The speed against which "slow" is measured for a row: that of a fall through the smaller part's size, or the relative speed at the
 * contact if it is larger. */
double event_speed_of(const event_system *system, const event_row *row);

/* Changes the velocities of system->state such that no row approaches. Rows that approach faster than the restitution speed bounce by their
 * restitution. *jumped: whether any row approached. False on failure; system->status says why. Afterwards system->rates are those after the
 * impulses. */
bool event_impulses(event_system *system, bool *jumped);

/* ---- shared with passages ---- */

/* Computes the rows of the LCP, and the rates of the gaps, at a state. */
void event_impulse_rows(event_system *system, const event_state *state);
/* The rate of a row's gap, for the velocities of a state. */
double event_rate_of(const event_system *system, int32_t row, const event_state *state);
/* The change of that rate by a unit impulse: J W J^T. */
double event_give_of(const event_system *system, int32_t row);
/* Changes the velocities of a state by an impulse at a row. */
void event_push(const event_system *system, int32_t row, double impulse, event_state *state);

/* Impulses with friction: step/event/rub.c. `only`: a row; -1 for all. The restitution of row i is bounce[i]: 1 + e where it bounces. */
bool event_rub(event_system *system, int32_t only, const double *bounce);
