/*
 * The normal of two separated bodies, from the closest points of their cores.
 */

#include "narrow/normal/distance_normal.h"

#include "narrow/normal/feature.h"
#include "narrow/normal/gauge.h"
#include "narrow/normal/growth/ray_facet.h"

/* The component of the direction orthogonal to an edge, as a unit vector. */
static abut_vec3 square_to_edge(const convex *body, int32_t edge, abut_vec3 direction) {
    abut_vec3 end[2];
    feature_edge(body, edge, end);
    abut_vec3 along = abut_unit(abut_sub(end[1], end[0]));
    return abut_unit(abut_add_scaled(direction, -abut_dot(direction, along), along));
}

/* The exact direction between two features, as far as the features determine it. */
static abut_vec3 exact_direction(const convex *a, const convex *b, const gjk_result *d) {
    if (d->feature_a.kind == ABUT_FEATURE_FACE) {
        return feature_face_normal(a, d->feature_a.index);
    }
    if (d->feature_b.kind == ABUT_FEATURE_FACE) {
        return abut_neg(feature_face_normal(b, d->feature_b.index));
    }
    if (d->feature_a.kind == ABUT_FEATURE_EDGE && d->feature_b.kind == ABUT_FEATURE_EDGE) {
        abut_vec3 square = square_to_edge(a, d->feature_a.index, d->direction); /* the result for parallel edges */
        return ray_facet_across_edges(a, b, d->feature_a.index, d->feature_b.index, square);
    }
    if (d->feature_a.kind == ABUT_FEATURE_EDGE) {
        return square_to_edge(a, d->feature_a.index, d->direction);
    }
    return d->feature_b.kind == ABUT_FEATURE_EDGE ? square_to_edge(b, d->feature_b.index, d->direction) : d->direction;
}

static void take_if_wider(const convex *a, const convex *b, abut_vec3 direction, contact_normal *normal) {
    double gap = -gauge_support(a, b, direction);
    if (gap >= normal->gap) {
        normal->direction = direction;
        normal->gap = gap;
    }
}

contact_normal normal_of_distance(const convex *a, const convex *b, const gjk_result *d) {
    contact_normal normal = {.direction = d->direction, .on_a = d->on_a, .on_b = d->on_b};
    normal.feature_a = d->feature_a;
    normal.feature_b = d->feature_b;
    if (d->robust) {
        normal.gap = -gauge_support(a, b, normal.direction);
        return normal;
    }
    double rounding = 1e-13 * (a->size + b->size);
    normal.direction = exact_direction(a, b, d);
    normal.gap = -gauge_support(a, b, normal.direction);
    if (normal.gap + a->radius + b->radius < d->distance - rounding) {
        /* Either the points are so close that their difference is rounding error, or they lie so near another feature that the wrong features were picked.
         * Every gap is a lower bound of the distance, so the widest one is the best. */
        take_if_wider(a, b, d->direction, &normal);
        if (d->feature_a.kind == ABUT_FEATURE_EDGE) {
            take_if_wider(a, b, square_to_edge(a, d->feature_a.index, d->direction), &normal);
        }
        if (d->feature_b.kind == ABUT_FEATURE_EDGE) {
            take_if_wider(a, b, square_to_edge(b, d->feature_b.index, d->direction), &normal);
        }
    }
    return normal;
}
