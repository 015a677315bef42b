#pragma once

#include "narrow/normal/sat_start.h"

/*
 * The separating axis test (SAT) for two polytopes: the exact least translation that separates them when they overlap. It finds the facet of A - B nearest to
 * the origin.
 */

/* Finds the normal of least depth. It is `chosen` when another direction is as good; tied_facets.h holds the rule. The bodies may also touch, or be apart by
 * less than start->depth: then the gap is that of the direction that separates them most. There are no witness points: both features are extreme. */
void sat_least_depth(const convex *a, const convex *b, const sat_start *start, const normal_settings *settings, contact_normal *normal);

/* The same without a start. `apart` as in gauge_solve(): bodies farther apart get only the direction and the gap. */
void sat_normal(const convex *a, const convex *b, const normal_settings *settings, double apart, contact_normal *normal);
