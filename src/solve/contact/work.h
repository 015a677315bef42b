#pragma once

#include "solve/contact/contact.h"

/*
 * The work of contacts, and mixtures of two solutions of a stage.
 *
 * Impulses that change the velocities of bodies from v to v' do the work lambda (v + v') / 2, with the velocities of A relative to B at the contact. Contacts
 * take energy away and bring in none: this work is not positive, also where a body that impulses do not move strikes another one.
 *
 * A state is the velocities of all bodies and the impulses of all contacts and joints. One state is held beside the present one.
 */

/* Holds the present state. */
void solver_hold(const solver_contacts *set);

/* Goes back to the held state, or to its impulses only. */
void solver_go_back(const solver_contacts *set);
void solver_take_held_impulses(const solver_contacts *set);

/* Exchanges the present state and the held one. */
void solver_exchange(const solver_contacts *set);

/* The work of the contacts from the held state to the present one. */
double solver_work(const solver_contacts *set);

/* Goes to the last of the states held + s (present - held), 0 <= s <= 1, from the held state to which the contacts do no more work than `most` >= 0. The
 * impulses of the mixture are possible ones if those of both states are, because the cones of friction are convex. */
void solver_mix(const solver_contacts *set, double most);
