#pragma once

#include "narrow/normal/convex.h"

/* Whether two bodies, radii included, have a common point, as far as it can be proved. */
typedef enum convex_relation {
    RELATION_APART,   /* separated along a direction by more than separating_doubt() */
    RELATION_OVERLAP, /* they overlap along every direction by more than the accuracy of contacts */
    RELATION_CLOSE    /* neither was proved */
} convex_relation;

/*
 * GJK (Gilbert, Johnson, Keerthi) on the difference of the cores, ended at the first proof. A proof is a supporting plane that separates
 * the origin, a point of the difference nearer to the origin than the sum of the radii, or a tetrahedron of its points that contains the
 * origin. Without a proof the answer is RELATION_CLOSE, so rounding error costs time and never correctness.
 *
 * axis if the bodies are apart: receives a direction from A to B that separates them, pair frame
 */
convex_relation convex_relate(const convex *a, const convex *b, abut_vec3 *axis);
