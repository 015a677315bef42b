#pragma once

#include "solve/contact/plan.h"

/*
 * Factorisation of the matrix of a planned island, K = G S G^T with blocks, where S is +1 for the columns of bodies and -1 for those of joints. Before it,
 * plan->diagonal holds the blocks of K, of joints the negative ones, and plan->below those below the diagonal. plan->floors holds the least pivots of joints.
 */
void factor_columns(solver_plan *plan, const plan_island *island, const solver_contacts *set);

/* Replaces the right-hand side in plan->vector by the solution. */
void factor_substitute(solver_plan *plan, const plan_island *island, const solver_contacts *set);
