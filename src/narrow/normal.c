#include "narrow/normal.h"

#include "base/memory.h"
#include "geom/closest.h"
#include "narrow/core_points.h"
#include "narrow/distance.h"
#include "narrow/feature.h"

/* A ray cast in the difference A - B: what the value of a direction is measured against. */
typedef struct ray_cast {
    const convex *a, *b;
    abut_vec3 origin, ray;
} ray_cast;

/* Lower bound that the supporting plane with this outward direction gives for the gauge of the ray; the facet that is hit has the largest. */
static double value_of(const ray_cast *cast, abut_vec3 direction) {
    return abut_dot(direction, cast->ray) / (gauge_support(cast->a, cast->b, direction) - abut_dot(direction, cast->origin));
}

/* ---- the cell of possible directions ---- */

/* Directions for which both features are extreme, clipped from the smaller cell by the other; false without memory or when the cell is empty. */
static bool middle_of_common_cell(const ray_cast *cast, abut_feature fa, abut_feature fb, abut_vec3 *middle) {
    enum { FEW = 32 };
    const double tolerance = 1e-9;
    bool from_b = feature_cell_size(cast->b, fb) < feature_cell_size(cast->a, fa);
    const convex *body = from_b ? cast->b : cast->a, *other = from_b ? cast->a : cast->b;
    abut_feature feature = from_b ? fb : fa, clipper = from_b ? fa : fb;
    int32_t capacity = feature_cell_size(body, feature) + 1;
    abut_vec3 few[FEW];
    abut_vec3 *corners = capacity <= FEW ? few : memory_allocate((size_t)capacity, sizeof *corners);
    if (corners == NULL) {
        return false;
    }
    gauss_cell cell = {.corners = corners, .capacity = capacity};
    feature_cell(body, feature, &cell);
    feature_clip_cell(other, clipper, true, tolerance, &cell);
    *middle = gauss_cell_mean(&cell);
    if (from_b) {
        *middle = abut_neg(*middle);
    }
    if (corners != few) {
        memory_release(corners);
    }
    return abut_length_squared(*middle) > 0.0;
}

/* ---- the exact direction of the facet that the basis spans ---- */

static abut_vec3 better_of_faces(const ray_cast *cast, abut_vec3 near, double *value) {
    abut_vec3 from_a = feature_face_normal(cast->a, feature_closest_face(cast->a, near));
    abut_vec3 from_b = abut_neg(feature_face_normal(cast->b, feature_closest_face(cast->b, abut_neg(near))));
    double value_a = value_of(cast, from_a), value_b = value_of(cast, from_b);
    *value = fmax(value_a, value_b);
    return value_b > value_a ? from_b : from_a;
}

/* Two edges: the cross product, unless they are so nearly parallel that a face is as good and much better conditioned. */
static abut_vec3 direction_of_edges(const ray_cast *cast, int32_t edge_a, int32_t edge_b, abut_vec3 near, double value, bool *parallel) {
    const double nearly = 0.02, exactly = 1e-9;
    abut_vec3 p[2], q[2];
    feature_edge(cast->a, edge_a, p);
    feature_edge(cast->b, edge_b, q);
    abut_vec3 across = abut_cross(abut_unit(abut_sub(p[1], p[0])), abut_unit(abut_sub(q[1], q[0])));
    double sine = abut_length(across);
    *parallel = sine <= exactly;
    if (sine <= nearly) {
        double face_value;
        abut_vec3 face = better_of_faces(cast, near, &face_value);
        if (face_value >= value * (1.0 - 1e-7)) {
            *parallel = false;
            return face;
        }
    }
    across = abut_unit(across);
    return abut_dot(across, near) < 0.0 ? abut_neg(across) : across;
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
    if (value_of(cast, previous) >= value * (1.0 - tie)) {
        *direction = previous;
        return true;
    }
    return false;
}

static abut_vec3 sharpen(const ray_cast *cast, const gauge *g, abut_vec3 previous, bool *chosen) {
    int32_t va[3], vb[3], n = 0;
    for (int i = 0; i < 3; ++i) {
        if (g->weight[i] > 1e-9 * g->upper) {
            va[n] = g->column[i].vertex_a;
            vb[n++] = g->column[i].vertex_b;
        }
    }
    abut_feature fa = feature_of_vertices(cast->a, va, n), fb = feature_of_vertices(cast->b, vb, n);
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
    if (tie && !middle_of_common_cell(cast, fa, fb, &direction)) {
        direction = g->direction;
    }
    if (!(value_of(cast, direction) >= g->lower * (1.0 - 1e-9))) {
        direction = g->direction; /* the active vertices were misjudged; the last plane is the certificate */
    }
    *chosen = keep_previous(cast, previous, g->lower, &direction) || tie;
    return direction;
}

/* ---- growth distance ---- */

/* Contraction points; false when they coincide. *inside is the radius of a ball about their difference inside A - B. */
static bool contraction_points(const convex *a, const convex *b, bool cores, abut_vec3 *point_a, abut_vec3 *point_b, double *inside) {
    if (cores && core_points(a, b, point_a, point_b)) {
        *inside = 2.0 * fmin(convex_inradius(a), convex_inradius(b));
        return true;
    }
    *point_a = convex_centroid(a);
    *point_b = convex_centroid(b);
    *inside = convex_centroid_inradius(a) + convex_centroid_inradius(b);
    return abut_distance_between(*point_a, *point_b) > 1e-12 * *inside;
}

static void set_witness(contact_normal *normal, const gauge *g) {
    double sum = g->weight[0] + g->weight[1] + g->weight[2];
    normal->on_a = normal->on_b = abut_make_vec3(0, 0, 0);
    for (int i = 0; i < 3; ++i) {
        normal->on_a = abut_add_scaled(normal->on_a, g->weight[i] / sum, g->column[i].a);
        normal->on_b = abut_add_scaled(normal->on_b, g->weight[i] / sum, g->column[i].b);
    }
}

static bool are_polytopes(const convex *a, const convex *b) {
    return a->core == CORE_POLYTOPE && b->core == CORE_POLYTOPE;
}

/* Concentric bodies: of all face normals the one with the least depth; bodies without faces are symmetric enough for any direction. */
static abut_vec3 direction_of_concentric(const convex *a, const convex *b, abut_vec3 previous) {
    abut_vec3 best = abut_length_squared(previous) > 0.0 ? previous : abut_make_vec3(0, 0, -1);
    double least = abut_length_squared(previous) > 0.0 ? gauge_support(a, b, best) * (1.0 - 1e-6) : INFINITY;
    const convex *body[2] = {a, b};
    for (int k = 0; k < 2; ++k) {
        int32_t faces = body[k]->core == CORE_POLYTOPE ? body[k]->surface->face_count : 0;
        for (int32_t f = 0; f < faces; ++f) {
            abut_vec3 outward = feature_face_normal(body[k], f);
            abut_vec3 direction = k == 0 ? outward : abut_neg(outward);
            double depth = gauge_support(a, b, direction);
            if (depth < least * (1.0 - 1e-9)) {
                least = depth;
                best = direction;
            }
        }
    }
    return best;
}

growth_result growth_solve(const convex *a, const convex *b, const normal_settings *settings) {
    growth_result result = {.alpha = 0.0};
    double inside;
    if (!contraction_points(a, b, settings->cores, &result.contraction_a, &result.contraction_b, &inside)) {
        result.normal.direction = direction_of_concentric(a, b, settings->previous);
        result.normal.chosen = true;
        convex_support(a, result.normal.direction, &result.normal.on_a);
        convex_support(b, abut_neg(result.normal.direction), &result.normal.on_b);
        result.gauge.converged = true;
    } else {
        ray_cast cast = {a, b, abut_sub(result.contraction_a, result.contraction_b), {0, 0, 0}};
        cast.ray = abut_neg(cast.origin);
        result.gauge = gauge_solve(a, b, cast.origin, cast.ray, inside);
        result.alpha = result.gauge.upper;
        set_witness(&result.normal, &result.gauge);
        result.normal.direction = are_polytopes(a, b) ? sharpen(&cast, &result.gauge, settings->previous, &result.normal.chosen)
                                                      : result.gauge.direction;
    }
    result.normal.gap = -gauge_support(a, b, result.normal.direction);
    return result;
}

/* ---- overlapping polytopes: turn to a neighbouring facet while that lessens the depth ---- */

/*
 * The ray from the origin of A - B along the present direction leaves through a facet that lies no farther from the origin than the plane that the ray was normal to. When it is
 * the same facet, the depth is a local minimum, and the two features face each other along the normal.
 */
static void refine(const convex *a, const convex *b, const normal_settings *settings, contact_normal *normal) {
    enum { MOST_CASTS = 16 };
    for (int i = 0; i < MOST_CASTS; ++i) {
        double depth = -normal->gap;
        ray_cast cast = {a, b, {0, 0, 0}, normal->direction};
        gauge g = gauge_solve(a, b, cast.origin, cast.ray, 1e-3 * depth);
        if (!g.converged) {
            return; /* touching within rounding: the growth normal stands */
        }
        contact_normal next;
        set_witness(&next, &g);
        next.direction = sharpen(&cast, &g, settings->previous, &next.chosen);
        next.gap = -gauge_support(a, b, next.direction);
        bool less = -next.gap < depth * (1.0 - 1e-9);
        if (less || -next.gap <= depth * (1.0 + 1e-9)) {
            normal->on_a = next.on_a;
            normal->on_b = next.on_b;
        }
        if (!less) {
            return;
        }
        *normal = next;
    }
}

/* ---- bodies apart: the direction of the distance ---- */

static void direction_of_distance(const convex *a, const convex *b, const core_distance *d, contact_normal *normal) {
    int32_t va[4], vb[4], n = d->count < 3 ? d->count : 3;
    for (int32_t i = 0; i < n; ++i) {
        va[i] = d->vertex[i].vertex_a;
        vb[i] = d->vertex[i].vertex_b;
    }
    abut_feature fa = feature_of_vertices(a, va, n), fb = feature_of_vertices(b, vb, n);
    abut_vec3 direction = d->direction;
    if (fa.kind == ABUT_FEATURE_FACE) {
        direction = feature_face_normal(a, fa.index);
    } else if (fb.kind == ABUT_FEATURE_FACE) {
        direction = abut_neg(feature_face_normal(b, fb.index));
    }
    double gap = -gauge_support(a, b, direction);
    double rounding = 1e-13 * (a->size + b->size);
    bool agrees = gap + a->radius + b->radius >= d->distance - rounding;
    normal->direction = agrees ? direction : d->direction;
    normal->gap = agrees ? gap : -gauge_support(a, b, d->direction);
    normal->on_a = d->on_a;
    normal->on_b = d->on_b;
    normal->chosen = false;
}

/* ---- round bodies whose cores meet: the least translation of the cores, over all facets of their difference ---- */

typedef struct least_facet {
    double depth;
    double second; /* of the best direction that is clearly another one */
    abut_vec3 direction;
} least_facet;

static void offer_direction(const convex *a, const convex *b, abut_vec3 direction, abut_vec3 previous, least_facet *least) {
    double depth = gauge_support(a, b, direction);
    double tie = 1e-9 * (a->size + b->size);
    bool replaces = depth < least->depth - tie ||
                    (depth <= least->depth + tie && abut_dot(previous, direction) > abut_dot(previous, least->direction));
    if (replaces) {
        least->second = least->depth;
        least->depth = depth;
        least->direction = direction;
    } else {
        least->second = fmin(least->second, depth);
    }
}

static void offer_faces(const convex *a, const convex *b, const convex *faced, double sign, abut_vec3 previous, least_facet *least) {
    for (int32_t f = 0; f < faced->surface->face_count; ++f) {
        offer_direction(a, b, abut_scale(sign, feature_face_normal(faced, f)), previous, least);
    }
}

/* The facets that an edge of a polytope makes with a segment: cross products. Those that are no facets do no harm, they are deeper. */
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
            continue; /* parallel: the adjacent faces do */
        }
        const polytope_edge *edge = &faced->surface->edges[e];
        abut_vec3 outward = abut_add(feature_face_normal(faced, edge->face[0]), feature_face_normal(faced, edge->face[1]));
        abut_vec3 normal = abut_unit(abut_dot(across, outward) < 0.0 ? abut_neg(across) : across);
        offer_direction(a, b, abut_scale(sign, normal), previous, least);
    }
}

static void normal_of_sunk_core(const convex *a, const convex *b, abut_vec3 previous, contact_normal *normal) {
    least_facet least = {.depth = INFINITY, .second = INFINITY};
    bool a_faced = a->core == CORE_POLYTOPE;
    const convex *faced = a_faced ? a : b, *round = a_faced ? b : a;
    double sign = a_faced ? 1.0 : -1.0;
    offer_faces(a, b, faced, sign, previous, &least);
    if (round->core == CORE_SEGMENT) {
        offer_edges(a, b, faced, round, sign, previous, &least);
    }
    normal->direction = least.direction;
    normal->gap = -least.depth;
    normal->chosen = least.second <= least.depth + 1e-9 * (a->size + b->size);
    convex_support(a, normal->direction, &normal->on_a);
    convex_support(b, abut_neg(normal->direction), &normal->on_b);
}

/* ---- points and segments ---- */

/* Axes that cross or coincide: perpendicular to both, as near the previous direction as can be. */
static abut_vec3 direction_of_crossing(const convex *a, const convex *b, abut_vec3 previous) {
    abut_vec3 u = a->core == CORE_SEGMENT ? a->rotation.z : abut_make_vec3(0, 0, 0);
    abut_vec3 v = b->core == CORE_SEGMENT ? b->rotation.z : abut_make_vec3(0, 0, 0);
    abut_vec3 across = abut_cross(u, v);
    if (abut_length(across) > 1e-9) {
        across = abut_unit(across);
        return abut_dot(across, previous) < 0.0 ? abut_neg(across) : across;
    }
    abut_vec3 axis = abut_length_squared(u) > 0.0 ? u : v;
    abut_vec3 wish = abut_length_squared(previous) > 0.0 ? previous : abut_make_vec3(0, 0, -1);
    abut_vec3 direction = abut_unit(abut_add_scaled(wish, -abut_dot(wish, axis), axis));
    if (abut_length(abut_cross(wish, axis)) <= 1e-6) {
        abut_vec3 second;
        abut_tangent_frame(axis, &direction, &second);
    }
    return direction;
}

static void segment_ends(const convex *body, abut_vec3 end[2]) {
    end[0] = convex_to_pair(body, convex_vertex(body, 0));
    end[1] = convex_to_pair(body, convex_vertex(body, 1));
}

static void normal_of_round(const convex *a, const convex *b, abut_vec3 previous, contact_normal *normal) {
    abut_vec3 p[2], q[2];
    double s, t;
    segment_ends(a, p);
    segment_ends(b, q);
    closest_of_segments(p[0], p[1], q[0], q[1], &s, &t);
    normal->on_a = abut_lerp(p[0], p[1], s);
    normal->on_b = abut_lerp(q[0], q[1], t);
    abut_vec3 apart = abut_sub(normal->on_b, normal->on_a);
    double distance = abut_length(apart);
    normal->chosen = !(distance > 1e-14 * (a->size + b->size));
    normal->direction = normal->chosen ? direction_of_crossing(a, b, previous) : abut_unit(apart);
    normal->gap = (normal->chosen ? 0.0 : distance) - a->radius - b->radius;
}

/* ---- the choice ---- */

static bool normal_with_round(const convex *a, const convex *b, const normal_settings *settings, contact_normal *normal) {
    core_distance d = core_distance_solve(a, b);
    if (d.distance > 1e-9 * fmin(a->size, b->size)) {
        direction_of_distance(a, b, &d, normal);
    } else {
        normal_of_sunk_core(a, b, settings->previous, normal);
    }
    return true;
}

static bool normal_of_polytopes(const convex *a, const convex *b, const normal_settings *settings, contact_normal *normal) {
    double touching = 1e-9 * fmin(a->size, b->size);
    growth_result growth = growth_solve(a, b, settings);
    *normal = growth.normal;
    if (normal->gap > touching) {
        if (normal->gap > settings->margin) {
            return false;
        }
        core_distance d = core_distance_solve(a, b);
        if (d.distance > touching) {
            direction_of_distance(a, b, &d, normal);
        }
    } else if (settings->refine && normal->gap < -touching) {
        refine(a, b, settings, normal);
    }
    return true;
}

bool contact_normal_find(const convex *a, const convex *b, const normal_settings *settings, contact_normal *normal) {
    double touching = 1e-12 * (a->size + b->size);
    if (are_polytopes(a, b)) {
        normal_of_polytopes(a, b, settings, normal);
    } else if (a->core == CORE_POLYTOPE || b->core == CORE_POLYTOPE) {
        normal_with_round(a, b, settings, normal);
    } else {
        normal_of_round(a, b, settings->previous, normal);
    }
    return normal->gap <= settings->margin + touching;
}
