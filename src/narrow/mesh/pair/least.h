#pragma once

#include "narrow/mesh/pair/overlap.h"

/*
 * The shortest way that takes one surface out of another in a zone where both are convex: the facet of A - B nearest to the origin. A facet
 * is an inner vertex of one under a face of the other, or two sides with a part inside that cross. A facet must be extreme: the triangles
 * around the vertex, or beside the sides, lie on the right side of its plane. Set frame.
 */

typedef struct least_way {
    double depth;     /* > 0; INFINITY: none was found */
    abut_vec3 normal; /* unit, from B to A: the way of A */
    abut_vec3 on_a, on_b;
    abut_feature feature_a, feature_b;
} least_way;

/* Whether both surfaces are convex in a zone, so that no way is shorter than the least. rounding: the error of a coordinate. */
bool mesh_is_convex_zone(const overlap *in, int32_t zone, double rounding);

/* convex: as mesh_is_convex_zone() says; features near the zone are then tried as well, if their way ends the zone. */
least_way mesh_least_way(const overlap *in, int32_t zone, bool convex, double rounding);

/* The shortest way of a zone that is not convex which takes the surfaces apart there, if it is below the limit. Not sought below limits that are short beside
 * the zone. */
least_way mesh_least_exit(const overlap *in, int32_t zone, double limit, double rounding);
