#pragma once

#include "solve/contact/plan.h"

/* An equation of a direct solution: the velocity along a direction, or the spin about it, is that of its target. */

/* The velocity is a . (velocities of A) + b . (velocities of B). */
typedef struct equation {
    block_vector a, b;
    double weight;
    double missing; /* target minus velocity */
} equation;

/* The velocity along a direction at an arm. */
static inline block_vector equation_row(double sign, abut_vec3 direction, abut_vec3 arm) {
    abut_vec3 lever = abut_cross(arm, direction);
    return (block_vector){{sign * direction.x, sign * direction.y, sign * direction.z, sign * lever.x, sign * lever.y, sign * lever.z}};
}

/* The spin about a direction. */
static inline block_vector equation_spin(double sign, abut_vec3 direction) {
    return (block_vector){{0.0, 0.0, 0.0, sign * direction.x, sign * direction.y, sign * direction.z}};
}

/* Adds it to the matrix and to the right-hand side. */
void equation_add(solver_plan *plan, const plan_pair *pair, const equation *e);

/* The impulse that the solution in plan->vector gives to it. */
double equation_step(const solver_plan *plan, const plan_pair *pair, const equation *e);
