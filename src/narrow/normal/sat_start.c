/* Starts of the search for the least depth: see sat_start.h. */

#include "narrow/normal/sat_start.h"

#include "geom/closest.h"
#include "narrow/normal/feature.h"
#include "narrow/normal/gauge.h"

static void add_face_corners(const convex *body, int32_t face, abut_vec3 *point, int32_t *count) {
    const polytope *surface = body->surface;
    int32_t first = surface->face[face].first, corners = surface->face[face].count;
    for (int32_t i = 0; i < 3; ++i) {
        point[(*count)++] = convex_to_pair(body, convex_vertex(body, surface->corner[first + i * corners / 3].vertex));
    }
}

void sat_start_along(const convex *a, const convex *b, abut_vec3 direction, sat_start *start) {
    start->count_a = start->count_b = 1;
    abut_feature feature_a = {.kind = ABUT_FEATURE_VERTEX, .index = convex_support(a, direction, &start->on_a[0])};
    abut_feature feature_b = {.kind = ABUT_FEATURE_VERTEX, .index = convex_support(b, abut_neg(direction), &start->on_b[0])};
    start->depth = abut_dot(direction, abut_sub(start->on_a[0], start->on_b[0]));
    const double wide = 0.3; /* sine of the angle */
    feature_a = feature_pick_at(a, feature_a, direction, wide);
    feature_b = feature_pick_at(b, feature_b, abut_neg(direction), wide);
    if (feature_a.kind == ABUT_FEATURE_FACE) {
        add_face_corners(a, feature_a.index, start->on_a, &start->count_a);
    }
    if (feature_b.kind == ABUT_FEATURE_FACE) {
        add_face_corners(b, feature_b.index, start->on_b, &start->count_b);
    }
}

/* A point of the face, near the foot of a vertex that lies over or beside the face. */
static abut_vec3 point_of_face(const abut_vec3 corner[3], abut_vec3 vertex) {
    double weights[3];
    closest_on_triangle(vertex, corner[0], corner[1], corner[2], weights);
    abut_vec3 p = abut_scale(weights[0], corner[0]);
    return abut_add_scaled(abut_add_scaled(p, weights[1], corner[1]), weights[2], corner[2]);
}

static void start_at_face(const convex *faced, const convex *other, int32_t face, abut_vec3 *on_faced, int32_t *count_faced,
                          abut_vec3 *on_other, int32_t *count_other, double *depth) {
    abut_vec3 outward = feature_face_normal(faced, face);
    convex_support(other, abut_neg(outward), &on_other[0]);
    *count_other = *count_faced = 1;
    *depth = convex_face_offset(faced, face) - abut_dot(outward, abut_sub(on_other[0], faced->position));
    add_face_corners(faced, face, on_faced, count_faced);
    on_faced[0] = point_of_face(&on_faced[1], on_other[0]);
}

static bool start_at_edges(const convex *a, const convex *b, int32_t edge_a, int32_t edge_b, sat_start *start) {
    const double parallel = 1e-6;
    feature_edge(a, edge_a, &start->on_a[1]);
    feature_edge(b, edge_b, &start->on_b[1]);
    const polytope_edge *edge = &a->surface->edges[edge_a];
    abut_vec3 u = abut_sub(start->on_a[2], start->on_a[1]), v = abut_sub(start->on_b[2], start->on_b[1]), across = abut_cross(u, v);
    double square = abut_length_squared(across), s, t;
    if (square <= parallel * parallel * abut_length_squared(u) * abut_length_squared(v)) {
        return false;
    }
    abut_vec3 outward = abut_add(feature_face_normal(a, edge->face[0]), feature_face_normal(a, edge->face[1]));
    across = abut_scale((abut_dot(across, outward) < 0.0 ? -1.0 : 1.0) / sqrt(square), across);
    closest_of_segments(start->on_a[1], start->on_a[2], start->on_b[1], start->on_b[2], &s, &t);
    start->on_a[0] = abut_add_scaled(start->on_a[1], s, u);
    start->on_b[0] = abut_add_scaled(start->on_b[1], t, v);
    start->count_a = start->count_b = 3;
    start->depth = gauge_support(a, b, across);
    return true;
}

bool sat_start_at(const convex *a, const convex *b, abut_feature feature_a, abut_feature feature_b, sat_start *start) {
    if (feature_a.kind == ABUT_FEATURE_FACE) {
        start_at_face(a, b, feature_a.index, start->on_a, &start->count_a, start->on_b, &start->count_b, &start->depth);
        return true;
    }
    if (feature_b.kind == ABUT_FEATURE_FACE) {
        start_at_face(b, a, feature_b.index, start->on_b, &start->count_b, start->on_a, &start->count_a, &start->depth);
        return true;
    }
    return start_at_edges(a, b, feature_a.index, feature_b.index, start);
}
