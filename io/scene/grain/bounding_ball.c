/*
 * A grain that is no ball has the room of a ball about it, whatever its rotation.
 */
#include "io/scene/grain/bounding_ball.h"

#include <math.h>

#include <abut/facetmesh.h>

/* The height by which the rounded surface of a facet rises above its triangle. */
static double bulge(const abut_facet *facet, const abut_facet_sphere *sphere) {
    double height = abut_dot(abut_sub(facet->corner[0], sphere->centre), sphere->normal);
    return isfinite(sphere->radius) ? fmax(sphere->radius - height, 0.0) : 0.0;
}

/* The bounding ball of a body of rounded triangles, about the middle of its bounds, which include the rounded surface. It is as small as the triangles
 * allow. */
static scatter_ball ball_about_facets(const abut_shape *shape, abut_vec3 middle) {
    double most = 0.0;
    for (int32_t i = 0; i < abut_shape_facet_count(shape); i++) {
        abut_facet facet;
        abut_facet_sphere sphere;
        if (abut_shape_facet(shape, abut_pose_identity(), i, &facet) == ABUT_OK &&
            abut_shape_facet_sphere(shape, abut_pose_identity(), i, &sphere) == ABUT_OK) {
            for (int k = 0; k < 3; k++) {
                most = fmax(most, abut_distance_between(facet.corner[k], middle) + bulge(&facet, &sphere));
            }
        }
    }
    return (scatter_ball){middle, most};
}

scatter_ball bounding_ball(const abut_shape *shape) {
    if (abut_shape_kind(shape) == ABUT_SHAPE_SPHERE) {
        return (scatter_ball){abut_vec3_make(0.0, 0.0, 0.0), abut_shape_radius(shape)};
    }
    abut_aabb bounds = abut_shape_bounds(shape, abut_pose_identity());
    abut_vec3 half = abut_scale(0.5, abut_sub(bounds.upper, bounds.lower));
    abut_vec3 middle = abut_add(bounds.lower, half);
    if (abut_shape_kind(shape) == ABUT_SHAPE_FACETMESH) {
        return ball_about_facets(shape, middle);
    }
    return (scatter_ball){middle, abut_length(half)};
}
