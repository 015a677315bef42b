#pragma once

#include "narrow/normal/frustum/apart.h"

/*
 * The least depth of two overlapping cores, a frustum and a point, segment, polytope or another frustum.
 *
 * At a local minimum of the height h over the sphere of directions the sum of the radii of curvature of both surfaces is at least h along every tangent. So
 * both features together must be curved or bent along two tangents, which leaves few pairs: a face with anything, two edges, an edge with a rim, and two rims;
 * the side of a frustum counts as an edge that also serves a vertex. The stationary directions of all these pairs are found, and the least deep is the answer.
 *
 * wish breaks ties; *chosen is then true. The direction that wins a tie may lie on the slope of a local minimum, so flat that all of it is as deep. *lowest is
 * the least deep direction of those in the tie that are next to it.
 */
void frustum_least(const convex *a, const convex *b, abut_vec3 wish, frustum_pair *pair, frustum_pair *lowest, bool *chosen);
