#pragma once

#include <abut/extremal.h>

#include "narrow/pair.h"

/*
 * Baraff's equations for an extremal pair of two smooth surfaces, pair's frame.
 */

/* Whether a shape is given in one of the forms F(x) = 0 or S(u, v). */
bool system_knows(const abut_shape *shape);

/* Solves the equations from the start, or without one when it is NULL. Writes on_a, on_b, normal, gap and iterations of *found. Returns the statuses of
 * abut_extremal_find(). */
abut_status system_solve(const collide_pair *pair, const abut_vec3 start[2], abut_extremal *found);
