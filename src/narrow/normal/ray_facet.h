#pragma once

#include "narrow/normal/gauge.h"
#include "narrow/normal/contact_normal.h"

/*
 * The facet of A - B that a ray leaves through, exactly: the normal of a face, the cross product of two edges, or, where several facets
 * meet, one of their directions by rule. Polytopes only.
 */

/* A ray and the bodies in whose difference it runs. */
typedef struct ray_cast {
    const convex *a, *b;
    gauge_ray way;
} ray_cast;

/* Lower bound of the ray's gauge by the supporting plane with this outward direction; the facet that is hit has the largest. */
double ray_cast_value(const ray_cast *cast, abut_vec3 direction);

/* The normal of the facet that the gauge's last basis spans, with the point where the ray leaves as its witness. A previous direction
 * that is among the possible ones, or the face that has since taken its place, is kept. Where facets tie it is the middle of the cell of
 * possible directions. */
contact_normal ray_facet_normal(const ray_cast *cast, const gauge *g, abut_vec3 previous);

/* Whether the ray leaves through the facet of a face and a vertex, or of two edges, clearly: inside its border and with nothing else as far out.
 * Then it is the only one, and the normal is known from its features alone, whatever led to them. *alpha: the value of the ray's gauge. */
bool ray_facet_is_robust(const ray_cast *cast, abut_feature feature_a, abut_feature feature_b, abut_vec3 previous, contact_normal *normal,
                    double *alpha);

/* The unit cross product of two edges, on the side of `near`; near itself when they are parallel. */
abut_vec3 ray_facet_across_edges(const convex *a, const convex *b, int32_t edge_a, int32_t edge_b, abut_vec3 near);
