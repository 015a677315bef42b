#pragma once

#include "solve/contact/contact.h"
#include "solve/contact/plan.h"

/*
 * A direct solution for all bodies of a stack at once.
 *
 * Passes carry a load from contact to contact. Through a tall stack the load spreads slowly, and the missing part makes the stack sway and
 * creep. Where the contact graph can be factorised cheaply, the bearing contacts are therefore solved together as equations, between two
 * passes. The passes before guess which contacts bear and stick. Contacts that turn out to pull or slip are released, and the rest is
 * solved again. Joints are solved with them, and hold exactly.
 */

/* Solves one planned island with its set, at the bodies' present placement and with the present targets. An island whose contacts cannot be
 * classified, or contradict each other, stays unchanged. speed: the scale of the speeds in the island, >= 0. Without friction the tangential impulses stay
 * unchanged. Different islands may be solved in parallel. */
void direct_solve(solver_plan *plan, int32_t island, const solver_contacts *set, double speed, bool friction);

/* To be called when bodies of a planned island have moved: their factorisation is of no use then. */
void direct_forget(solver_plan *plan, int32_t island);

/* Solves the joints of a planned island alone, while the impulses of its contacts stay. False if it has no plan, or if its joints cannot be classified. */
bool direct_solve_joints(solver_plan *plan, int32_t island, const solver_contacts *set, double speed);
