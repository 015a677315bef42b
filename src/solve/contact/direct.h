#pragma once

#include "solve/contact/contact.h"
#include "solve/contact/plan.h"

/*
 * A direct solution for all bodies of a stack at once.
 *
 * Passes carry a load from contact to contact; through a tall stack it spreads slowly, and what is missing makes the stack sway and
 * creep. Where the graph of contacts can be factorised at little cost, the contacts that bear are therefore solved together between two
 * passes, as equations. Passes before it guess which contacts bear and stick; contacts that turn out to pull or to slip are let go and
 * the rest is solved again.
 */

/* For one of the planned islands and its set, at the bodies' present placement and with the present targets. An island whose contacts
 * cannot be sorted out stays exactly as it is. Without friction the tangential impulses stay as they are. Different islands may be solved
 * at the same time. */
void direct_solve(solver_plan *plan, int32_t island, const solver_contacts *set, bool friction);
