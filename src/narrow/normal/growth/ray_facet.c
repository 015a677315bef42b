#include "narrow/normal/growth/ray_facet.h"

#include "base/memory.h"
#include "base/real.h"
#include "narrow/normal/feature.h"
#include "narrow/normal/robust_feature.h"

#define EDGES_PARALLEL 1e-9 /* sine of the angle below which a cross product of edges is mostly rounding error */

double ray_cast_value(const ray_cast *cast, abut_vec3 direction) {
    return abut_dot(direction, cast->way.ray) / (gauge_support(cast->a, cast->b, direction) - abut_dot(direction, cast->way.origin));
}

/* ---- ties: the cell of possible directions ---- */

/* The mean of the directions along which both features are extreme. The smaller Gauss cell is clipped by the other one. False without memory, or when no
 * such direction exists. */
static bool direction_of_common_cell(const ray_cast *cast, abut_feature fa, abut_feature fb, abut_vec3 *direction) {
    enum { FEW = 32 };
    const double tolerance = 1e-9;
    bool from_b = feature_cell_size(cast->b, fb) < feature_cell_size(cast->a, fa);
    const convex *body = from_b ? cast->b : cast->a, *other = from_b ? cast->a : cast->b;
    double sign = from_b ? -1.0 : 1.0;
    abut_feature feature = from_b ? fb : fa, clipper = from_b ? fa : fb;
    /* Each clip adds at most one corner, and the other cell's corners bound the number of clips. */
    int32_t capacity = feature_cell_size(body, feature) + feature_cell_size(other, clipper);
    abut_vec3 few[FEW];
    abut_vec3 *corners = capacity <= FEW ? few : memory_allocate((size_t)capacity, sizeof *corners);
    if (corners == NULL) {
        return false;
    }
    gauss_cell cell = {.corners = corners, .capacity = capacity};
    feature_cell(body, feature, &cell);
    feature_clip_cell(other, clipper, true, tolerance, &cell);
    *direction = abut_scale(sign, gauss_cell_mean(&cell));
    if (corners != few) {
        memory_release(corners);
    }
    return abut_length_squared(*direction) > 0.0;
}

/* ---- the exact direction of the facet that the basis spans ---- */

static abut_vec3 better_of_faces(const ray_cast *cast, abut_vec3 near, double *value) {
    abut_vec3 from_a = feature_face_normal(cast->a, feature_closest_face(cast->a, near));
    abut_vec3 from_b = abut_neg(feature_face_normal(cast->b, feature_closest_face(cast->b, abut_neg(near))));
    double value_a = ray_cast_value(cast, from_a), value_b = ray_cast_value(cast, from_b);
    *value = real_max(value_a, value_b);
    return value_b > value_a ? from_b : from_a;
}

static abut_vec3 across_edges(const convex *a, const convex *b, int32_t edge_a, int32_t edge_b) {
    abut_vec3 p[2], q[2];
    feature_edge(a, edge_a, p);
    feature_edge(b, edge_b, q);
    return abut_cross(abut_unit(abut_sub(p[1], p[0])), abut_unit(abut_sub(q[1], q[0])));
}

abut_vec3 ray_facet_across_edges(const convex *a, const convex *b, int32_t edge_a, int32_t edge_b, abut_vec3 near) {
    abut_vec3 across = across_edges(a, b, edge_a, edge_b);
    if (abut_length(across) <= EDGES_PARALLEL) {
        return near;
    }
    across = abut_unit(across);
    return abut_dot(across, near) < 0.0 ? abut_neg(across) : across;
}

/* The direction of two edges: their cross product. When the edges are nearly parallel and a face is as good, the face's normal is used, because it is much
 * better conditioned. */
static abut_vec3 direction_of_edges(const ray_cast *cast, int32_t edge_a, int32_t edge_b, abut_vec3 near, double value, bool *parallel) {
    const double nearly = 0.02;
    double sine = abut_length(across_edges(cast->a, cast->b, edge_a, edge_b));
    *parallel = sine <= EDGES_PARALLEL;
    if (!*parallel && sine <= nearly) {
        double face_value;
        abut_vec3 face = better_of_faces(cast, near, &face_value);
        if (face_value >= value * (1.0 - 1e-7)) {
            return face;
        }
    }
    return ray_facet_across_edges(cast->a, cast->b, edge_a, edge_b, near);
}

/* The point where the ray leaves, and the features of both cores that hold it. */
static contact_normal witness_of_gauge(const ray_cast *cast, const gauge *g) {
    contact_normal normal = {.chosen = false};
    int32_t va[3], vb[3], n = 0;
    double sum = g->weight[0] + g->weight[1] + g->weight[2];
    for (int i = 0; i < 3; ++i) {
        normal.on_a = abut_add_scaled(normal.on_a, g->weight[i] / sum, g->column[i].a);
        normal.on_b = abut_add_scaled(normal.on_b, g->weight[i] / sum, g->column[i].b);
        if (g->weight[i] > 1e-9 * sum) {
            va[n] = g->column[i].vertex_a;
            vb[n++] = g->column[i].vertex_b;
        }
    }
    normal.feature_a = feature_of_vertices(cast->a, va, n);
    normal.feature_b = feature_of_vertices(cast->b, vb, n);
    return normal;
}

/* Keeps the previous direction when it still ties, or the face that has replaced it since. */
static bool keep_previous(const ray_cast *cast, abut_vec3 previous, double value, abut_vec3 *direction) {
    const double tie = 1e-6, same = 1e-3, near = 0.05;
    if (!(abut_length_squared(previous) > 0.0) || abut_distance_between(previous, *direction) <= same) {
        return false;
    }
    double face_value;
    abut_vec3 face = better_of_faces(cast, previous, &face_value);
    if (face_value >= value * (1.0 - tie) && abut_distance_between(face, previous) <= near) {
        *direction = face;
        return true;
    }
    if (ray_cast_value(cast, previous) >= value * (1.0 - tie)) {
        *direction = previous;
        return true;
    }
    return false;
}

/* ---- robust facets ---- */

/* Where the ray passes through the supporting plane direction . x = depth of A - B. False when the ray does not approach the plane. */
static bool leave_through(const ray_cast *cast, abut_vec3 direction, double depth, double *alpha, abut_vec3 *exit) {
    double reached = abut_dot(direction, cast->way.ray), support = depth - abut_dot(direction, cast->way.origin);
    if (!(reached > 0.0 && support > 0.0)) {
        return false;
    }
    *alpha = reached / support;
    *exit = abut_add_scaled(cast->way.origin, support / reached, cast->way.ray);
    return true;
}

static bool is_robust_face(const ray_cast *cast, const convex *faced, const convex *other, int32_t face, int32_t vertex,
                           contact_normal *normal, double *alpha) {
    bool of_a = faced == cast->a;
    abut_vec3 outward = feature_face_normal(faced, face), point = convex_to_pair(other, convex_vertex(other, vertex)), exit;
    double depth = convex_face_offset(faced, face) - abut_dot(outward, abut_sub(point, faced->position));
    normal->direction = of_a ? outward : abut_neg(outward);
    normal->gap = -depth;
    if (!robust_vertex(other, vertex, abut_neg(outward)) || !leave_through(cast, normal->direction, depth, alpha, &exit)) {
        return false;
    }
    abut_vec3 on_face = of_a ? abut_add(point, exit) : abut_sub(point, exit);
    normal->on_a = of_a ? on_face : point;
    normal->on_b = of_a ? point : on_face;
    return robust_inside_face(faced, face, on_face);
}

static bool is_robust_crossing(const ray_cast *cast, int32_t edge_a, int32_t edge_b, contact_normal *normal, double *alpha) {
    const double parallel = 0.02; /* below this sine a face may be as good */
    abut_vec3 p[2], q[2], exit;
    feature_edge(cast->a, edge_a, p);
    feature_edge(cast->b, edge_b, q);
    abut_vec3 u = abut_sub(p[1], p[0]), v = abut_sub(q[1], q[0]), across = abut_cross(u, v);
    double square = abut_length_squared(across);
    if (square <= parallel * parallel * abut_length_squared(u) * abut_length_squared(v)) {
        return false;
    }
    across = abut_scale((abut_dot(across, cast->way.ray) < 0.0 ? -1.0 : 1.0) / sqrt(square), across);
    abut_vec3 between = abut_sub(p[0], q[0]);
    double depth = abut_dot(across, between);
    normal->direction = across;
    normal->gap = -depth;
    if (!robust_edge(cast->a, edge_a, u, across) || !robust_edge(cast->b, edge_b, v, abut_neg(across)) ||
        !leave_through(cast, across, depth, alpha, &exit)) {
        return false;
    }
    abut_vec3 w = abut_sub(exit, between);
    double area = abut_dot(abut_cross(u, v), across);
    double s = abut_dot(abut_cross(w, v), across) / area, t = abut_dot(abut_cross(w, u), across) / area;
    normal->on_a = abut_add_scaled(p[0], s, u);
    normal->on_b = abut_add_scaled(q[0], t, v);
    return s > ROBUST_MARGIN && s < 1.0 - ROBUST_MARGIN && t > ROBUST_MARGIN && t < 1.0 - ROBUST_MARGIN;
}

bool ray_facet_is_robust(const ray_cast *cast, abut_feature feature_a, abut_feature feature_b, abut_vec3 previous, contact_normal *normal,
                         double *alpha) {
    bool clear = false;
    if (feature_a.kind == ABUT_FEATURE_FACE && feature_b.kind == ABUT_FEATURE_VERTEX) {
        clear = is_robust_face(cast, cast->a, cast->b, feature_a.index, feature_b.index, normal, alpha);
    } else if (feature_a.kind == ABUT_FEATURE_VERTEX && feature_b.kind == ABUT_FEATURE_FACE) {
        clear = is_robust_face(cast, cast->b, cast->a, feature_b.index, feature_a.index, normal, alpha);
    } else if (feature_a.kind == ABUT_FEATURE_EDGE && feature_b.kind == ABUT_FEATURE_EDGE) {
        clear = is_robust_crossing(cast, feature_a.index, feature_b.index, normal, alpha);
    }
    if (!clear) {
        return false;
    }
    normal->feature_a = feature_a;
    normal->feature_b = feature_b;
    normal->between = false;
    normal->pair = NORMAL_FEATURES;
    normal->chosen = keep_previous(cast, previous, *alpha, &normal->direction);
    normal->extreme = !normal->chosen;
    if (normal->chosen) {
        normal->gap = -gauge_support(cast->a, cast->b, normal->direction);
    }
    return true;
}

/* ---- any facet ---- */

contact_normal ray_facet_normal(const ray_cast *cast, const gauge *g, abut_vec3 previous) {
    contact_normal normal = witness_of_gauge(cast, g), clear;
    double alpha;
    if (ray_facet_is_robust(cast, normal.feature_a, normal.feature_b, previous, &clear, &alpha)) {
        return clear;
    }
    abut_feature fa = normal.feature_a, fb = normal.feature_b;
    abut_vec3 direction = g->direction;
    bool tie = false;
    if (fa.kind == ABUT_FEATURE_FACE) {
        direction = feature_face_normal(cast->a, fa.index);
    } else if (fb.kind == ABUT_FEATURE_FACE) {
        direction = abut_neg(feature_face_normal(cast->b, fb.index));
    } else if (fa.kind == ABUT_FEATURE_EDGE && fb.kind == ABUT_FEATURE_EDGE) {
        direction = direction_of_edges(cast, fa.index, fb.index, g->direction, g->lower, &tie);
    } else {
        tie = fa.kind != ABUT_FEATURE_NONE && fb.kind != ABUT_FEATURE_NONE;
    }
    if (tie && !direction_of_common_cell(cast, fa, fb, &direction)) {
        direction = g->direction;
    }
    double value = ray_cast_value(cast, direction), face_value;
    if (!tie && !(value >= g->lower * (1.0 - 1e-13))) { /* two parallel faces, slightly tilted: the named face is not the facet */
        abut_vec3 face = better_of_faces(cast, g->direction, &face_value);
        direction = face_value > value ? face : direction;
        value = real_max(value, face_value);
    }
    if (!(value >= g->lower * (1.0 - 1e-9))) {
        direction = g->direction; /* the wrong vertices were taken as active; the last plane is the certificate */
    }
    bool kept = keep_previous(cast, previous, g->lower, &direction);
    normal.chosen = kept || tie;
    normal.between = tie && !kept;
    normal.direction = direction;
    normal.gap = -gauge_support(cast->a, cast->b, direction);
    return normal;
}
