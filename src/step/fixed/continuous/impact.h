#pragma once

#include "step/world/world.h"

/*
 * Impacts of bodies that can travel farther in a step than contacts are looked for (step/fixed/margin.h). Their contacts are made where the bodies will meet,
 * and the solver lets them act when the bodies get there.
 */

/* Whether two bodies must not pass through each other: one of them is not dynamic, or marked, or more than four times smaller. */
bool impact_counts(const body *a, const body *b);

/* The body that is stopped before it passes through the other one. */
bool impact_stops_first(const body *a, const body *b);

/* The fraction of a step of length dt at which the two bodies are expected to meet. 0: contacts at the start of the step will do. ABUT_OK;
 * ABUT_ERROR_OUT_OF_MEMORY. */
abut_status impact_find(const abut_world *world, const body *a, const body *b, double dt, double *fraction);

/* The poses of both bodies at that fraction. At 0 they are those at the start. */
void impact_poses(const abut_world *world, const body *a, const body *b, double dt, double fraction, abut_pose poses[2]);
