#pragma once

#include "solve/contact/contact.h"

/*
 * The work of contacts, and mixtures of two solutions of a stage.
 *
 * Impulses that change the velocities of bodies from v to v' do the work lambda (v + v') / 2, with the velocities of A relative to B at the contact. Contacts
 * take energy away and bring in none: this work is not positive, also where a body that impulses do not move strikes another one.
 *
 * A state is the velocities of all bodies and the impulses of all contacts. One state is held beside the present one.
 */

/* Holds the present state. */
void solver_hold(const solver_contacts *set);

/* Goes back to the held state. */
void solver_go_back(const solver_contacts *set);

/* Exchanges the present state and the held one. */
void solver_exchange(const solver_contacts *set);

/* The work of the contacts from the held state to the present one. */
double solver_work(const solver_contacts *set);

/* Of all states held + s (present - held) with 0 <= s <= 1 the last one for which no work above `most` is done. If all impulses of both states are possible ones,
 * so are those of the mixture, because their cones are convex. The held state must not be above. */
void solver_mix(const solver_contacts *set, double most);
