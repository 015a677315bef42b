#pragma once

#include "solve/contact/plan.h"

/*
 * Rolling and spinning friction in a direct solution. A moment below its bound is an equation: the spin is 0. Other moments are given. All functions do nothing
 * for sets without records (solve/contact/roll.h). stiffness: as for contacts (solve/contact/direct.c)
 */

/* Finds which moments are below their bounds, none without friction, and notes the present ones. */
void roll_part_begin(const solver_contacts *set, bool friction);

/* Adds the equations. */
void roll_part_assemble(solver_plan *plan, const plan_island *island, const solver_contacts *set, double stiffness);

/* Finds the changes of the moments from the solution in plan->vector. */
void roll_part_steps(const solver_plan *plan, const plan_island *island, const solver_contacts *set, double stiffness);

/* Lets those roll that would exceed their bounds; the steps of the contacts are known. Returns their number. */
int32_t roll_part_let_go(const solver_plan *plan, const plan_island *island, const solver_contacts *set);

/* Makes the steps; or goes back to the moments of the begin, without the velocities. */
void roll_part_apply(const solver_contacts *set);
void roll_part_take_back(const solver_contacts *set);

/* Their part of the change of the merit: half of the sum of change times the spins before and after. */
double roll_part_merit(const solver_contacts *set);
