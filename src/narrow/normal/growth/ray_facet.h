#pragma once

#include "narrow/normal/contact_normal.h"
#include "narrow/normal/gauge.h"

/*
 * The exact facet of A - B through which a ray leaves. Its normal is the normal of a face or the cross product of two edges. Where several facets meet, a rule
 * picks one of their directions. Polytopes only.
 */

/* A ray, and the bodies in whose difference it runs. */
typedef struct ray_cast {
    const convex *a, *b;
    gauge_ray way;
} ray_cast;

/* Lower bound of the ray's gauge from the supporting plane with this outward direction. It is largest for the facet that the ray hits. */
double ray_cast_value(const ray_cast *cast, abut_vec3 direction);

/* The normal of the facet that the gauge's last basis spans. Its witness is the point where the ray leaves. The previous direction is kept when it is a
 * possible one, and so is the face that has since replaced it. Where facets tie, the normal is the mean of the cell of possible directions. */
contact_normal ray_facet_normal(const ray_cast *cast, const gauge *g, abut_vec3 previous);

/* Whether the ray clearly leaves through the facet of a face and a vertex, or of two edges: the ray passes inside the facet's border, and no other facet is
 * as far out. The facet is then unique, and the normal follows from its features alone, however they were found. *alpha receives the value of the ray's
 * gauge. */
bool ray_facet_is_robust(const ray_cast *cast, abut_feature feature_a, abut_feature feature_b, abut_vec3 previous, contact_normal *normal,
                         double *alpha);

/* The unit cross product of two edges, on the side of `near`. Returns near when they are parallel. */
abut_vec3 ray_facet_across_edges(const convex *a, const convex *b, int32_t edge_a, int32_t edge_b, abut_vec3 near);
