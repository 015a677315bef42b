#pragma once

#include "solve/contact/plan.h"

/* An equation of a direct solution: the velocity along a direction, or the spin about it, is that of its target. */

/* The velocity is a . (velocities of A) + b . (velocities of B). */
typedef struct equation {
    block_vector a, b;
    double weight;
    double missing; /* target minus velocity */
} equation;

/* The velocity along a direction at an arm; or with an arm of NULL the spin about it. */
block_vector equation_row(double sign, abut_vec3 direction, const abut_vec3 *arm);

/* Adds it to the matrix and to the right-hand side. */
void equation_add(solver_plan *plan, const plan_pair *pair, const equation *e);

/* The impulse that the solution in plan->vector gives to it. */
double equation_step(const solver_plan *plan, const plan_pair *pair, const equation *e);
