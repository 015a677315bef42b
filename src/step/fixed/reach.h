#pragma once

#include "step/world/world.h"

/*
 * How far gaps can close in a step of the quick solver. Contacts with larger gaps carry nothing, so they need not be solved. In a wall a third of all contacts
 * are such ones, of bricks beside each other.
 *
 * A body that is struck hands on its motion within the step. So a pair can close as fast as the fastest body among its own two and those near them: those that
 * they touch, that these touch, and so on for some rings.
 */

/* Zero-initialise. */
typedef struct contact_reaches {
    double *
        least_gaps; /* by index in broad.found, of pairs with contacts: the least gap; minus infinity where contacts were made in the course of the step */
    double *travels[2]; /* by slot: how far the body, and what it touches, can come in the step; infinite where this is not known */
    int32_t gap_capacity, travel_capacity[2];
} contact_reaches;

/* For the pairs with contacts in a step of length dt. False when there is no memory. */
bool reach_find(contact_reaches *reaches, const abut_world *world, double dt);

/* Whether a pair with contacts can be left out. */
bool reach_is_idle(const contact_reaches *reaches, const abut_world *world, int32_t pair);

void reach_release(contact_reaches *reaches);
