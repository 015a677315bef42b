#pragma once

#include "narrow/normal/contact_normal.h"
#include "narrow/normal/convex.h"

/*
 * Where the search for the least depth begins: a direction that is likely to be near the answer, and points near the deepest place.
 */

/* Where a search begins. The start changes the time and not the answer. */
typedef struct sat_start {
    double depth;             /* an upper bound of the least depth, > 0 */
    abut_vec3 on_a[4];        /* points of A near the place where the bodies are deepest, the best one first */
    abut_vec3 on_b[4];        /* the same of B */
    int32_t count_a, count_b; /* >= 1 */
} sat_start;

/* A start from any direction from A to B. The search is quicker when the direction is nearer to the answer. */
void sat_start_along(const convex *a, const convex *b, abut_vec3 direction, sat_start *start);

/* A start from a facet of A - B that is given by its features. Returns false when the features make nearly no facet. `depth` may be negative. */
bool sat_start_at(const convex *a, const convex *b, abut_feature feature_a, abut_feature feature_b, sat_start *start);
