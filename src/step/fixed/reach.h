#pragma once

#include "step/fixed/narrow_jobs.h"

/*
 * How far gaps can close in a step of the quick solver. Contacts with larger gaps carry nothing, so they need not be solved. In a wall a third of all contacts
 * are such ones, of bricks beside each other.
 *
 * A body that is struck hands on its motion within the step. So a pair can close as fast as the fastest body among its own two and those near them: those that
 * they touch, that these touch, and so on for some rings.
 */

/* Zero-initialise. */
typedef struct contact_reaches {
    double *travels[2]; /* by slot: how far the body, and what it touches, can come in the step; infinite where this is not known */
    int32_t travel_capacity[2];
} contact_reaches;

/* For the pairs with contacts in a step of length dt. False when there is no memory. */
bool reach_find(contact_reaches *reaches, const abut_world *world, const pair_extent *extents, double dt);

/* Whether a pair with contacts can be left out. */
bool reach_is_idle(const contact_reaches *reaches, const abut_world *world, const pair_extent *extents, int32_t pair);

void reach_release(contact_reaches *reaches);
