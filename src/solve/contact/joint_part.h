#pragma once

#include "solve/contact/plan.h"

/*
 * The joints of an island in a direct solution. With the change d of all velocities and the changes l of the impulses of rows, the equations are
 *
 *   M d - J^T l = 0,   J d + c l = missing,
 *
 * where c is the inverse of a row's weight: that of its spring, or a tiny one for a row that holds. Unknowns of a joint's column are -l. Rows that give a
 * constant impulse are no equations; theirs is known.
 */

/* Finds the piece of its graph on which each row is. */
void joint_part_classify(const solver_contacts *set);

/* Whether the last matrix of the joints had the same rows with the same compliances. */
bool joint_part_is_factored(const solver_contacts *set);

/* Adds the matrix of the joints. Their columns are set. */
void joint_part_matrix(solver_plan *plan, const plan_island *island, const solver_contacts *set);

/* Adds their right-hand side at the present velocities. Their columns are set. Returns the largest rate that a row that holds misses. */
double joint_part_missing(solver_plan *plan, const plan_island *island, const solver_contacts *set);

/* From the solution in plan->vector: finds the steps of the impulses, and the pieces to which they lead. Returns the number of rows that leave theirs. */
int32_t joint_part_steps(const solver_plan *plan, const plan_island *island, const solver_contacts *set);

/* Takes these pieces; or makes these steps. */
void joint_part_move_on(const solver_contacts *set);
void joint_part_apply(const solver_contacts *set);

/* Notes the present impulses, or goes back to them; velocities stay. */
void joint_part_save(const solver_contacts *set);
void joint_part_take_back(const solver_contacts *set);
