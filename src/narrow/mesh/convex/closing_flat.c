/*
 * Closest points of a polytope or a segment and a triangle: those of a vertex and a triangle, two edges, or a face and a corner. A point of the body that is
 * closest is on a feature with a vertex that is about as far along any direction that separates the bodies.
 */
#include "base/real.h"
#include "geom/closest.h"
#include "narrow/mesh/convex/closing.h"
#include "narrow/normal/feature.h"

static const abut_vec3 *corner_of(const closing *c, int i) { return &c->triangle->vertices[i % 3]; }

static void from_vertex(closing *c, abut_vec3 p) {
    const abut_vec3 *v = c->triangle->vertices;
    double weight[3];
    closest_on_wide_triangle(p, v[0], v[1], v[2], abut_cross(abut_sub(v[1], v[0]), abut_sub(v[2], v[0])), weight);
    abut_vec3 q = abut_add_scaled(abut_add_scaled(abut_scale(weight[0], v[0]), weight[1], v[1]), weight[2], v[2]), between = abut_sub(q, p);
    if (!closing_offer(c, p, q)) {
        return;
    }
    closing_try(c, between);
    for (int i = 0; i < 3; ++i) {
        if (weight[i] == 0.0) {
            closing_try_across(c, between, abut_sub(*corner_of(c, i + 2), *corner_of(c, i + 1)));
        }
    }
    abut_vec3 normal = c->triangle->normals[0];
    closing_try(c, abut_dot(between, normal) < 0.0 ? abut_neg(normal) : normal);
}

/* The parameter of the first segment's point where the second line passes. Unlike scalar products, cross products keep its digits for lines that are nearly
 * parallel. */
static double passed_at(const abut_vec3 p[2], const abut_vec3 q[2]) {
    abut_vec3 u = abut_sub(p[1], p[0]), v = abut_sub(q[1], q[0]), across = abut_cross(u, v);
    double square = abut_length_squared(across), s = abut_dot(across, abut_cross(v, abut_sub(p[0], q[0]))) / square;
    return s > 0.0 ? real_min(s, 1.0) : 0.0; /* also for parallel lines */
}

static void from_edges(closing *c, const abut_vec3 edge[2], const abut_vec3 side[2], abut_vec3 p, abut_vec3 q) {
    abut_vec3 between = abut_sub(q, p), u = abut_sub(edge[1], edge[0]), v = abut_sub(side[1], side[0]);
    if (closing_offer(c, p, q)) {
        abut_vec3 across = abut_cross(abut_unit(u), abut_unit(v));
        closing_try_across(c, between, u);
        closing_try_across(c, between, v);
        closing_try(c, abut_dot(across, between) < 0.0 ? abut_neg(across) : across);
    }
}

static void from_edge(closing *c, const abut_vec3 edge[2]) {
    for (int i = 0; i < 3; ++i) {
        const abut_vec3 side[2] = {*corner_of(c, i), *corner_of(c, i + 1)};
        abut_vec3 on_edge = abut_lerp(edge[0], edge[1], passed_at(edge, side));
        abut_vec3 on_side = abut_lerp(side[0], side[1], closest_on_segment(on_edge, side[0], side[1]));
        on_edge = abut_lerp(edge[0], edge[1], closest_on_segment(on_side, edge[0], edge[1]));
        from_edges(c, edge, side, on_edge, on_side);
        for (int k = 0; k < 2; ++k) {
            on_edge = abut_lerp(edge[0], edge[1], closest_on_segment(side[k], edge[0], edge[1]));
            from_edges(c, edge, side, on_edge, side[k]);
        }
    }
}

static void from_face(closing *c, int32_t face) {
    abut_vec3 normal = feature_face_normal(c->body, face);
    for (int i = 0; i < 3; ++i) {
        abut_vec3 corner = *corner_of(c, i), local = convex_to_local(c->body, corner);
        double height = abut_dot(feature_local_normal(c->body, face), local) - convex_face_offset(c->body, face);
        if (height >= 0.0 && feature_is_inside_face(c->body, face, local, 0.0) &&
            closing_offer(c, abut_add_scaled(corner, -height, normal), corner)) {
            closing_try(c, normal);
        }
    }
}

static void around_vertex(closing *c, int32_t vertex) {
    const polytope *surface = c->body->surface;
    from_vertex(c, convex_to_pair(c->body, convex_vertex(c->body, vertex)));
    for (int32_t i = surface->vertex_first[vertex]; i < surface->vertex_first[vertex + 1]; ++i) {
        abut_vec3 end[2];
        feature_edge(c->body, surface->spoke[i].edge, end);
        from_edge(c, end);
        from_face(c, surface->spoke[i].left);
    }
}

void closing_of_flat(closing *c) {
    const convex *body = c->body;
    if (body->core == CORE_SEGMENT) {
        abut_vec3 end[2];
        feature_edge(body, 0, end);
        from_vertex(c, end[0]);
        from_vertex(c, end[1]);
        from_edge(c, end);
        return;
    }
    abut_vec3 farthest;
    int32_t support = convex_support(body, c->direction, &farthest);
    from_vertex(c, farthest); /* the least distance becomes finite */
    abut_vec3 local = convex_direction_to_local(body, c->direction);
    double slack = real_max(c->least - c->gap, 0.0) + closing_rounding(c);
    double enough = abut_dot(local, convex_vertex(body, support)) - slack;
    for (int32_t v = 0; v < body->surface->vertex_count; ++v) {
        if (abut_dot(local, convex_vertex(body, v)) >= enough) {
            around_vertex(c, v);
        }
    }
}
