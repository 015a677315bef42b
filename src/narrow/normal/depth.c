#include "narrow/normal/depth.h"

#include "base/real.h"
#include "narrow/normal/feature.h"
#include "narrow/normal/gauge.h"

/* Concentric bodies: the face normal of least depth. Bodies without faces are so symmetric that any direction will do. */
static abut_vec3 direction_of_concentric(const convex *a, const convex *b, abut_vec3 previous) {
    abut_vec3 best = abut_length_squared(previous) > 0.0 ? previous : abut_vec3_make(0, 0, -1);
    double least = abut_length_squared(previous) > 0.0 ? gauge_support(a, b, best) * (1.0 - 1e-6) : INFINITY;
    const convex *body[2] = {a, b};
    for (int k = 0; k < 2; ++k) {
        int32_t faces = body[k]->core == CORE_POLYTOPE ? body[k]->surface->face_count : 0;
        for (int32_t f = 0; f < faces; ++f) {
            abut_vec3 outward = feature_face_normal(body[k], f);
            abut_vec3 direction = k == 0 ? outward : abut_neg(outward);
            /* The body's own extent is the face's offset. Only the other body's extent needs a support search. */
            double own = body[k]->surface->offsets[f] + abut_dot(outward, body[k]->position);
            double depth = own + convex_extent(body[1 - k], abut_neg(outward)) + a->radius + b->radius;
            if (depth < least * (1.0 - 1e-9)) {
                least = depth;
                best = direction;
            }
        }
    }
    return best;
}

/* The normal with this direction. Its witness is a support vertex of each body. */
static contact_normal normal_along(const convex *a, const convex *b, abut_vec3 direction) {
    contact_normal normal = {.direction = direction};
    int32_t va = convex_support(a, direction, &normal.on_a), vb = convex_support(b, abut_neg(direction), &normal.on_b);
    normal.feature_a = feature_of_vertices(a, &va, 1);
    normal.feature_b = feature_of_vertices(b, &vb, 1);
    normal.gap = -gauge_support(a, b, direction);
    return normal;
}

contact_normal depth_of_faces(const convex *a, const convex *b, abut_vec3 previous) {
    contact_normal normal = normal_along(a, b, direction_of_concentric(a, b, previous));
    normal.chosen = true;
    return normal;
}

typedef struct least_facet {
    double depth;
    double second; /* depth along the best direction that clearly differs */
    abut_vec3 direction;
} least_facet;

static void offer_direction(const convex *a, const convex *b, abut_vec3 direction, abut_vec3 previous, least_facet *least) {
    double depth = gauge_support(a, b, direction);
    double tie = 1e-9 * (a->size + b->size);
    bool replaces =
        depth < least->depth - tie || (depth <= least->depth + tie && abut_dot(previous, direction) > abut_dot(previous, least->direction));
    if (replaces) {
        least->second = least->depth;
        least->depth = depth;
        least->direction = direction;
    } else {
        least->second = real_min(least->second, depth);
    }
}

static void offer_faces(const convex *a, const convex *b, const convex *faced, double sign, abut_vec3 previous, least_facet *least) {
    for (int32_t f = 0; f < faced->surface->face_count; ++f) {
        offer_direction(a, b, abut_scale(sign, feature_face_normal(faced, f)), previous, least);
    }
}

/* Offers the facets that an edge of a polytope makes with a segment: cross products. Cross products that are no facets are deeper, and so do no harm. */
static void offer_edges(const convex *a, const convex *b, const convex *faced, const convex *segment, double sign, abut_vec3 previous,
                        least_facet *least) {
    abut_vec3 end[2];
    feature_edge(segment, 0, end);
    abut_vec3 along = abut_unit(abut_sub(end[1], end[0]));
    for (int32_t e = 0; e < faced->surface->edge_count; ++e) {
        abut_vec3 p[2];
        feature_edge(faced, e, p);
        abut_vec3 across = abut_cross(abut_unit(abut_sub(p[1], p[0])), along);
        if (abut_length(across) <= 1e-6) {
            continue; /* parallel: the adjacent faces are enough */
        }
        const polytope_edge *edge = &faced->surface->edges[e];
        abut_vec3 outward = abut_add(feature_face_normal(faced, edge->face[0]), feature_face_normal(faced, edge->face[1]));
        abut_vec3 normal = abut_unit(abut_dot(across, outward) < 0.0 ? abut_neg(across) : across);
        offer_direction(a, b, abut_scale(sign, normal), previous, least);
        if (fabs(abut_dot(normal, outward)) <= 1e-6) {
            offer_direction(a, b, abut_scale(-sign, normal), previous, least); /* a flat body's edge has no outward side along it */
        }
    }
}

contact_normal depth_of_sunk_core(const convex *a, const convex *b, abut_vec3 previous) {
    least_facet least = {.depth = INFINITY, .second = INFINITY};
    bool a_faced = a->core == CORE_POLYTOPE;
    const convex *faced = a_faced ? a : b, *round = a_faced ? b : a;
    double sign = a_faced ? 1.0 : -1.0;
    offer_faces(a, b, faced, sign, previous, &least);
    if (round->core == CORE_SEGMENT) {
        offer_edges(a, b, faced, round, sign, previous, &least);
    }
    contact_normal normal = normal_along(a, b, least.direction);
    normal.chosen = least.second <= least.depth + 1e-9 * (a->size + b->size);
    return normal;
}
