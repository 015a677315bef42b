#pragma once

#include "step/fixed/layout.h"
#include "step/fixed/continuous/path.h"

/*
 * The ways of all bodies in a step, substep by substep: as the solution plans them, and as the bodies really go.
 */

typedef struct step_ways {
    const abut_world *world;
    const island_layout *layout;
    const int32_t *path_of;    /* by state: the first of its `substeps + 1` points; -1: only the state at the end is known */
    const path_point *planned; /* points by the solution */
    path_point *points;        /* where the bodies really get */
    double dt;
} step_ways;

/* The motion of a body in a substep. points: the planned ones, or those where the bodies really get */
moving_body ways_motion(const step_ways *ways, const path_point *points, int32_t slot, int32_t substep);

/* An upper bound of the way of a body's points in the step, as planned. What is not more than `enough` may be bounded by more than it is, up to `enough`. */
double ways_length(const step_ways *ways, int32_t slot, double enough);
