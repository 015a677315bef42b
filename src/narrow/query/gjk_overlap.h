#pragma once

#include "narrow/normal/convex.h"

/* Whether two bodies, radii included, have a point in common, as far as that is beyond doubt. */
typedef enum convex_relation {
    RELATION_APART,   /* separated by more than separating_doubt() */
    RELATION_OVERLAP, /* into each other by more than a contact's accuracy along every direction */
    RELATION_CLOSE    /* neither was proved */
} convex_relation;

/*
 * Gilbert, Johnson and Keerthi's descent on the difference of the cores, left at the first proof: a supporting plane that keeps the origin
 * out, a point of the difference within the radii of it, or a tetrahedron of its points around it. Only proofs are believed, so that
 * rounding can cost time and nothing else.
 *
 * axis  receives the direction from A to B that separates the bodies, pair frame, when they are apart
 */
convex_relation convex_relate(const convex *a, const convex *b, abut_vec3 *axis);
