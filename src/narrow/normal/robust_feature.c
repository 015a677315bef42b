#include "narrow/normal/robust_feature.h"

#include "narrow/normal/feature.h"

bool robust_vertex(const convex *body, int32_t vertex, abut_vec3 direction) {
    const polytope *surface = body->surface;
    abut_vec3 local = convex_direction_to_local(body, direction), at = convex_vertex(body, vertex);
    double least = ROBUST_LEAST * surface->size;
    for (int32_t i = surface->vertex_first[vertex]; i < surface->vertex_first[vertex + 1]; ++i) {
        abut_vec3 side = abut_sub(convex_vertex(body, surface->spoke[i].far), at);
        double rise = abut_dot(side, local);
        if (rise >= -least || rise * rise <= ROBUST_MARGIN * ROBUST_MARGIN * abut_length_squared(side)) {
            return false;
        }
    }
    return true;
}

bool robust_edge(const convex *body, int32_t index, abut_vec3 along, abut_vec3 direction) {
    const polytope_edge *edge = &body->surface->edges[index];
    abut_vec3 into_left = abut_cross(feature_face_normal(body, edge->face[0]), along);
    abut_vec3 into_right = abut_cross(along, feature_face_normal(body, edge->face[1]));
    double length = abut_length(along), fall = ROBUST_MARGIN * length;
    return length > ROBUST_LEAST * body->surface->size && abut_dot(direction, into_left) < -fall && abut_dot(direction, into_right) < -fall;
}

bool robust_inside_face(const convex *faced, int32_t face, abut_vec3 point) {
    return feature_is_inside_face(faced, face, convex_to_local(faced, point), ROBUST_MARGIN * faced->surface->size);
}

/* ---- closest points of two features ---- */

/* Whether the feature is extreme along the direction, and no neighbouring feature is nearly as extreme. A point core has no neighbouring features. */
static bool is_robust_at(const convex *body, abut_feature feature, abut_vec3 direction) {
    if (body->core == CORE_POINT) {
        return true;
    }
    if (body->core == CORE_SEGMENT) {
        double rise = convex_direction_to_local(body, direction).z; /* towards vertex 1 */
        return feature.kind == ABUT_FEATURE_EDGE || (feature.index == 1 ? rise > ROBUST_MARGIN : rise < -ROBUST_MARGIN);
    }
    if (feature.kind == ABUT_FEATURE_VERTEX) {
        return robust_vertex(body, feature.index, direction);
    }
    abut_vec3 end[2];
    feature_edge(body, feature.index, end);
    return robust_edge(body, feature.index, abut_sub(end[1], end[0]), direction);
}

static bool is_inner(double t) { return t > ROBUST_MARGIN && t < 1.0 - ROBUST_MARGIN; }

static bool set_points(abut_vec3 on_a, abut_vec3 on_b, gjk_result *found) {
    abut_vec3 apart = abut_sub(on_b, on_a);
    found->on_a = on_a;
    found->on_b = on_b;
    found->distance = abut_length(apart);
    found->direction = abut_scale(1.0 / found->distance, apart);
    return found->distance > 0.0;
}

static bool vertex_and_face(const convex *faced, int32_t face, abut_vec3 vertex, abut_vec3 *on_face, abut_vec3 *outward, double *distance) {
    *outward = feature_face_normal(faced, face);
    *distance = abut_dot(*outward, abut_sub(vertex, faced->position)) - convex_face_offset(faced, face);
    *on_face = abut_add_scaled(vertex, -*distance, *outward);
    return *distance > 0.0 && robust_inside_face(faced, face, *on_face);
}

static bool vertex_and_edge(abut_vec3 vertex, const abut_vec3 end[2], abut_vec3 *on_edge) {
    abut_vec3 along = abut_sub(end[1], end[0]);
    double t = abut_dot(abut_sub(vertex, end[0]), along) / abut_length_squared(along);
    *on_edge = abut_add_scaled(end[0], t, along);
    return is_inner(t);
}

/* The direction between the two points carries their rounding error. The direction across the edge does not. */
static bool set_points_across(abut_vec3 on_a, abut_vec3 on_b, const abut_vec3 edge[2], gjk_result *found) {
    bool apart = set_points(on_a, on_b, found);
    abut_vec3 along = abut_unit(abut_sub(edge[1], edge[0]));
    found->direction = abut_unit(abut_add_scaled(found->direction, -abut_dot(found->direction, along), along));
    return apart;
}

static bool edge_and_edge(const abut_vec3 p[2], const abut_vec3 q[2], gjk_result *found) {
    const double parallel = 0.02; /* below this sine the closest points may slide */
    abut_vec3 u = abut_sub(p[1], p[0]), v = abut_sub(q[1], q[0]), w = abut_sub(q[0], p[0]), across = abut_cross(u, v);
    double square = abut_length_squared(across);
    if (square <= parallel * parallel * abut_length_squared(u) * abut_length_squared(v)) {
        return false;
    }
    double s = abut_dot(abut_cross(w, v), across) / square, t = abut_dot(abut_cross(w, u), across) / square;
    double length = sqrt(square), along = abut_dot(w, across) / length;
    found->on_a = abut_add_scaled(p[0], s, u);
    found->on_b = abut_add_scaled(q[0], t, v);
    found->distance = fabs(along);
    found->direction = abut_scale((along < 0.0 ? -1.0 : 1.0) / length, across);
    return is_inner(s) && is_inner(t);
}

bool robust_points(abut_feature_kind kind_a, const abut_vec3 *a, abut_feature_kind kind_b, const abut_vec3 *b, gjk_result *found) {
    abut_vec3 foot;
    bool edge_a = kind_a == ABUT_FEATURE_EDGE, edge_b = kind_b == ABUT_FEATURE_EDGE;
    if (edge_a && edge_b) {
        return edge_and_edge(a, b, found);
    }
    if (edge_b) {
        return vertex_and_edge(a[0], b, &foot) && set_points_across(a[0], foot, b, found);
    }
    return edge_a ? vertex_and_edge(b[0], a, &foot) && set_points_across(foot, b[0], a, found) : set_points(a[0], b[0], found);
}

static bool find_points(const convex *a, const convex *b, abut_feature fa, abut_feature fb, gjk_result *found) {
    abut_vec3 p[2], q[2], outward;
    if (fa.kind == ABUT_FEATURE_EDGE) {
        feature_edge(a, fa.index, p);
    } else if (fa.kind == ABUT_FEATURE_VERTEX) {
        p[0] = convex_to_pair(a, convex_vertex(a, fa.index));
    }
    if (fb.kind == ABUT_FEATURE_EDGE) {
        feature_edge(b, fb.index, q);
    } else if (fb.kind == ABUT_FEATURE_VERTEX) {
        q[0] = convex_to_pair(b, convex_vertex(b, fb.index));
    }
    bool narrow_a = fa.kind == ABUT_FEATURE_EDGE || fa.kind == ABUT_FEATURE_VERTEX;
    bool narrow_b = fb.kind == ABUT_FEATURE_EDGE || fb.kind == ABUT_FEATURE_VERTEX;
    if (narrow_a && narrow_b) {
        return robust_points(fa.kind, p, fb.kind, q, found);
    }
    if (fa.kind == ABUT_FEATURE_VERTEX && fb.kind == ABUT_FEATURE_FACE) {
        found->on_a = p[0];
        bool inside = vertex_and_face(b, fb.index, p[0], &found->on_b, &outward, &found->distance);
        found->direction = abut_neg(outward);
        return inside;
    }
    if (fa.kind == ABUT_FEATURE_FACE && fb.kind == ABUT_FEATURE_VERTEX) {
        found->on_b = q[0];
        return vertex_and_face(a, fa.index, q[0], &found->on_a, &found->direction, &found->distance);
    }
    return false; /* the points of a face and an edge, or of two faces, can slide */
}

bool robust_distance(const convex *a, const convex *b, abut_feature feature_a, abut_feature feature_b, gjk_result *found) {
    bool eroded = a->eroded > 0.0 || b->eroded > 0.0; /* faces and edges are stored unchanged, as they are on the surface */
    if (eroded || !find_points(a, b, feature_a, feature_b, found) ||
        !(found->distance > ROBUST_MARGIN * (a->size < b->size ? a->size : b->size))) {
        return false;
    }
    found->feature_a = feature_a;
    found->feature_b = feature_b;
    found->robust = true;
    return (feature_a.kind == ABUT_FEATURE_FACE || is_robust_at(a, feature_a, found->direction)) &&
           (feature_b.kind == ABUT_FEATURE_FACE || is_robust_at(b, feature_b, abut_neg(found->direction)));
}
