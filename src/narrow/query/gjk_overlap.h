#pragma once

#include "narrow/normal/convex.h"

/* Whether two bodies, radii included, have a common point, as far as it can be proved. */
typedef enum gjk_verdict {
    GJK_APART,    /* separated along a direction by more than separating_doubt() */
    GJK_OVERLAP,  /* they overlap along every direction by more than the accuracy of contacts */
    GJK_UNDECIDED /* neither was proved */
} gjk_verdict;

/*
 * GJK (Gilbert, Johnson, Keerthi) on the difference of the cores, ended at the first proof. A proof is a supporting plane that separates
 * the origin, a point of the difference nearer to the origin than the sum of the radii, or a tetrahedron of its points that contains the
 * origin. Without a proof the answer is RELATION_CLOSE, so rounding error costs time and never correctness.
 *
 * axis if the bodies are apart: receives a direction from A to B that separates them, pair frame
 */
gjk_verdict gjk_overlap(const convex *a, const convex *b, abut_vec3 *axis);
