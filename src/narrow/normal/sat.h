#pragma once

#include "narrow/normal/contact_normal.h"
#include "narrow/normal/convex.h"

/*
 * The least translation that separates two overlapping polytopes, exactly: of all facets of A - B the one nearest to the origin.
 */

/* Where a search begins. It changes the time, not the answer. */
typedef struct sat_start {
    double depth;            /* no less than the least depth, > 0 */
    abut_vec3 on_a[4];       /* points of A near the place where the bodies are deepest, the best one first */
    abut_vec3 on_b[4];       /* the same of B */
    int32_t count_a, count_b; /* >= 1 */
} sat_start;

/* From any direction, A to B; the nearer to the answer, the quicker. */
void sat_start_along(const convex *a, const convex *b, abut_vec3 direction, sat_start *start);

/* From a facet of A - B as it is named by its features. False when it is none, nearly. `depth` may come out negative. */
bool sat_start_at(const convex *a, const convex *b, abut_feature feature_a, abut_feature feature_b, sat_start *start);

/* The normal of the least depth; `chosen` where another direction is as good, see narrow/normal/tied_facets.h for which one is taken. The bodies may also touch or
 * be apart by less than start->depth: then the gap is that of the direction that separates them most. There are no witness points: both features are extreme. */
void sat_least_depth(const convex *a, const convex *b, const sat_start *start, const normal_settings *settings, contact_normal *normal);

/* The same from nothing: `apart` as in gauge_solve(), and then only the direction and the gap are set. */
void sat_normal(const convex *a, const convex *b, const normal_settings *settings, double apart, contact_normal *normal);
