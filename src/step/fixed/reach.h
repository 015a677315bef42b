#pragma once

#include <stdatomic.h>

#include "step/fixed/narrow_jobs.h"

/*
 * How far gaps can close in a step of the quick solver. Contacts with larger gaps carry nothing, so they need not be solved. In a wall a third of all contacts
 * are such ones, of bricks beside each other.
 *
 * A body that is struck hands on its motion within the step. So a pair can close as fast as the fastest body among its own two and those near them: those that
 * they touch, that these touch, and so on for some rings.
 */

/* Two bodies that have contacts. */
typedef struct reach_link {
    int32_t a, b; /* slots */
} reach_link;

/* How far a body, and what it touches, can come in the step [length]; infinite where this is not known. Threads raise it. */
typedef _Atomic uint64_t reach_travel; /* the bits of a number that is not negative: they are ordered as the numbers are */

/* Zero-initialise. */
typedef struct contact_reaches {
    bool *idle;               /* by index in broad.found: the pair has contacts, and can be left out */
    reach_link *links;        /* scratch: of the pairs with contacts, part by part */
    reach_travel *travels[2]; /* scratch: by slot */
    int32_t idle_capacity, link_capacity, travel_capacity[2];
} contact_reaches;

/* For the pairs with contacts in a step of length dt. False when there is no memory. */
bool reach_find(contact_reaches *reaches, const abut_world *world, const pair_extent *extents, double dt);

void reach_release(contact_reaches *reaches);
