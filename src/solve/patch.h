#pragma once

#include "solve/contact.h"

/* The points of a patch as one: solved for a load that varies linearly over the patch. */

/* The inverse mobility at the bodies' present placement; the points have been refreshed. */
void solver_patch_refresh(const solver_body *a, const solver_body *b, solver_patch *patch, const solver_point *points);

/* Change the normal impulses by a linear function of the place so that every point's v_n meets its target, if no impulse becomes
 * negative by it; else do nothing and return -1. Returns the largest change of a v_n. With targets that are linear too, as they are
 * between two planes, the points are solved exactly, and evenly. */
double solver_patch_solve(solver_body *a, solver_body *b, const solver_patch *patch, solver_point *points);

/* v_n of one point. */
static inline double solver_point_velocity(const solver_body *a, const solver_body *b, const solver_patch *patch,
                                           const solver_point *point) {
    return abut_dot(patch->normal, abut_sub(a->velocity, b->velocity)) + abut_dot(a->angular_velocity, point->lever_a) -
           abut_dot(b->angular_velocity, point->lever_b);
}
