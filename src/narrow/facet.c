#include "narrow/facet.h"

#include "base/memory.h"
#include "base/real.h"
#include "narrow/feature.h"

#define EDGES_PARALLEL 1e-9 /* sine of the angle below which a cross product of edges is mostly rounding */

double ray_cast_value(const ray_cast *cast, abut_vec3 direction) {
    return abut_dot(direction, cast->way.ray) / (gauge_support(cast->a, cast->b, direction) - abut_dot(direction, cast->way.origin));
}

/* ---- ties: the cell of possible directions ---- */

/* *unique tells whether all other corners are clearly deeper. */
static abut_vec3 least_deep_corner(const ray_cast *cast, const gauss_cell *cell, double sign, bool *unique) {
    abut_vec3 best = {0, 0, 0};
    double least = INFINITY, second = INFINITY;
    for (int32_t i = 0; i < cell->count; ++i) {
        abut_vec3 direction = abut_scale(sign, cell->corners[i]);
        double depth = gauge_support(cast->a, cast->b, direction);
        if (depth < least) {
            second = least;
            least = depth;
            best = direction;
        } else {
            second = real_min(second, depth);
        }
    }
    *unique = second > least * (1.0 + 1e-6);
    return best;
}

/* One of the directions for which both features are extreme; false without memory or when there is none. The smaller Gauss cell is
 * clipped by the other. */
static bool direction_of_common_cell(const ray_cast *cast, abut_feature fa, abut_feature fb, tie_rule rule, abut_vec3 *direction,
                                     bool *unique) {
    enum { FEW = 32 };
    const double tolerance = 1e-9;
    bool from_b = feature_cell_size(cast->b, fb) < feature_cell_size(cast->a, fa);
    const convex *body = from_b ? cast->b : cast->a, *other = from_b ? cast->a : cast->b;
    double sign = from_b ? -1.0 : 1.0;
    abut_feature feature = from_b ? fb : fa, clipper = from_b ? fa : fb;
    /* Each clip adds one corner at most, and there are as many as the other cell has corners. */
    int32_t capacity = feature_cell_size(body, feature) + feature_cell_size(other, clipper);
    abut_vec3 few[FEW];
    abut_vec3 *corners = capacity <= FEW ? few : memory_allocate((size_t)capacity, sizeof *corners);
    if (corners == NULL) {
        return false;
    }
    gauss_cell cell = {.corners = corners, .capacity = capacity};
    feature_cell(body, feature, &cell);
    feature_clip_cell(other, clipper, true, tolerance, &cell);
    *direction = rule == TIE_MIDDLE ? abut_scale(sign, gauss_cell_mean(&cell)) : least_deep_corner(cast, &cell, sign, unique);
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

abut_vec3 facet_across_edges(const convex *a, const convex *b, int32_t edge_a, int32_t edge_b, abut_vec3 near) {
    abut_vec3 across = across_edges(a, b, edge_a, edge_b);
    if (abut_length(across) <= EDGES_PARALLEL) {
        return near;
    }
    across = abut_unit(across);
    return abut_dot(across, near) < 0.0 ? abut_neg(across) : across;
}

/* Two edges: the cross product, unless they are so nearly parallel that a face is as good and much better conditioned. */
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
    return facet_across_edges(cast->a, cast->b, edge_a, edge_b, near);
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

/* Where the previous direction still belongs to the tied ones, it or the face that has since replaced it is kept. */
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

contact_normal facet_normal(const ray_cast *cast, const gauge *g, abut_vec3 previous, tie_rule rule) {
    contact_normal normal = witness_of_gauge(cast, g);
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
    bool unique = !tie;
    if (tie && !direction_of_common_cell(cast, fa, fb, rule, &direction, &unique)) {
        direction = g->direction;
    }
    if (!(ray_cast_value(cast, direction) >= g->lower * (1.0 - 1e-9))) {
        direction = g->direction; /* the active vertices were misjudged; the last plane is the certificate */
    }
    bool kept = keep_previous(cast, previous, g->lower, &direction);
    normal.chosen = kept || !unique;
    normal.between = !kept && !unique && rule == TIE_MIDDLE;
    normal.direction = direction;
    normal.gap = -gauge_support(cast->a, cast->b, direction);
    return normal;
}
