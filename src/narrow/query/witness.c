/*
 * Witness points of a distance. The gap along a normal certifies a distance to the last digits, and so does the length between two points. But neither changes
 * much when the points slide past each other: 1e-8 of the distance aside changes 1e-16 of its length. So points and normal that agree in the distance need not
 * agree in direction. Both are found again from the features that the normal names, until they do.
 */

#include "narrow/query/witness.h"

#include "base/real.h"
#include "narrow/normal/axis_pair.h"
#include "narrow/normal/extremal/extremal.h"
#include "narrow/normal/extremal/normal.h"
#include "narrow/normal/feature.h"
#include "narrow/normal/gauge.h"
#include "narrow/patch/patch.h"

/* Points are found again if they miss by more than this, relative to the sizes. */
#define EXACT 1e-14

typedef struct witness {
    const convex *a, *b;
    double scale, radius; /* radius: of both bodies */
    double widest;        /* the largest gap of a direction so far, and a lower bound of the distance */
    double missed;        /* by which the points of *best miss */
    contact_normal *best;
} witness;

/* By how much the points do not face each other in the distance of the gap, and the gap is not the distance. */
static double missed_by(const witness *w, abut_vec3 direction, double gap, abut_vec3 on_a, abut_vec3 on_b) {
    abut_vec3 apart = abut_sub(on_b, on_a);
    return abut_length(abut_add_scaled(apart, -gap - w->radius, direction)) + real_max(w->widest - gap, 0.0);
}

static bool is_exact(const witness *w) { return w->missed <= EXACT * w->scale; }

static void offer(witness *w, abut_vec3 direction, double gap, abut_vec3 on_a, abut_vec3 on_b) {
    double missed = missed_by(w, direction, gap, on_a, on_b);
    if (missed < w->missed) {
        w->missed = missed;
        w->best->direction = direction;
        w->best->gap = gap;
        w->best->on_a = on_a;
        w->best->on_b = on_b;
    }
}

/* ---- the intersection of both features, seen along the normal ---- */

/* Whether the intersection of the features of both bodies needs no block of memory. Beside a face with very many corners the other ways are good enough. */
static bool are_small(const witness *w, abut_vec3 direction) {
    abut_feature fa = feature_pick(w->a, direction, FEATURE_EXACT_SINE), fb = feature_pick(w->b, abut_neg(direction), FEATURE_EXACT_SINE);
    return feature_corner_count(w->a, fa) + feature_corner_count(w->b, fb) + 2 <= CONTACT_LIST_FEW;
}

static void settle_on_features(witness *w) {
    const abut_vec3 direction = w->best->direction;
    const double gap = w->best->gap;
    const contact_normal along = {.direction = direction, .gap = gap, .on_a = w->best->on_a, .on_b = w->best->on_b};
    const patch_settings settings = {.margin = INFINITY, .feature_sine = FEATURE_EXACT_SINE, .partial = true};
    if (!are_small(w, direction)) {
        return;
    }
    contact_list list;
    contact_list_init(&list, 0, direction);
    (void)patch_build(w->a, w->b, &along, &settings, 0, &list);
    for (int32_t i = 0; i < list.count; ++i) {
        const abut_contact *contact = &list.items[i];
        offer(w, direction, gap, abut_add_scaled(contact->on_a, -w->a->radius, direction),
              abut_add_scaled(contact->on_b, w->b->radius, direction));
    }
    contact_list_free(&list);
}

/* ---- vertices and edges ---- */

enum { MOST_AXES = 13, FEW_EDGES = 12 };

/* Adds the edge between two vertices if it is nearly orthogonal to the direction. All of the core's frame. */
static void add_level_edge(const convex *body, abut_vec3 local, int32_t from, int32_t to, axis *axes, int32_t *count) {
    const double level = 1e-4;
    abut_vec3 at = convex_vertex(body, from), side = abut_sub(convex_vertex(body, to), at);
    double length = abut_length(side);
    if (*count < MOST_AXES && length > 0.0 && fabs(abut_dot(side, local)) <= level * length) {
        axes[(*count)++] = (axis){convex_to_pair(body, abut_add_scaled(at, 0.5, side)),
                                  convex_direction_to_pair(body, abut_scale(1.0 / length, side)), 0.5 * length};
    }
}

/* The vertex that is extreme along the direction, and the edges there that are nearly orthogonal to it; of a small body all such edges, because several
 * vertices may be extreme. Among them is the feature of the closest point, if no face is. */
static int32_t extreme_axes(const convex *body, abut_vec3 direction, axis *axes) {
    abut_vec3 point, local = convex_direction_to_local(body, direction);
    int32_t vertex = convex_support(body, direction, &point), count = 0;
    axes[count++] = (axis){.middle = point};
    if (body->core == CORE_SEGMENT) {
        axes[count++] = (axis){body->position, body->rotation.z, body->half_length};
    }
    if (body->core != CORE_POLYTOPE) {
        return count;
    }
    const polytope *surface = body->surface;
    bool few = surface->edge_count <= FEW_EDGES;
    int32_t first = few ? 0 : surface->vertex_first[vertex], last = few ? surface->edge_count : surface->vertex_first[vertex + 1];
    for (int32_t i = first; i < last; ++i) {
        int32_t from = few ? surface->edges[i].vertex[0] : vertex, to = few ? surface->edges[i].vertex[1] : surface->spoke[i].far;
        add_level_edge(body, local, from, to, axes, &count);
    }
    return count;
}

/* The point of a smooth body that has the direction as its normal; else the vertex and the edges of another core that are extreme along it. */
static int32_t extreme_of(const convex *body, abut_vec3 direction, axis *axes) {
    if (body->core != CORE_SMOOTH) {
        return extreme_axes(body, direction, axes);
    }
    axes[0] = (axis){.half = 0.0};
    convex_support(body, direction, &axes[0].middle);
    return 1;
}

static void settle_on_edges(witness *w) {
    axis of_a[MOST_AXES], of_b[MOST_AXES];
    abut_vec3 direction = w->best->direction;
    int32_t count_a = extreme_of(w->a, direction, of_a), count_b = extreme_of(w->b, abut_neg(direction), of_b);
    for (int32_t i = 0; i < count_a * count_b; ++i) {
        axis_pair pair;
        axis_pair_find(&of_a[i / count_b], &of_b[i % count_b], &pair);
        abut_vec3 outward = abut_unit(pair.apart);
        if (abut_length_squared(outward) > 0.5) {
            offer(w, outward, -gauge_support(w->a, w->b, outward), pair.on_a, pair.on_b);
        }
    }
}

/* ---- the line through the points ---- */

static void settle_on_line(witness *w) {
    abut_vec3 outward = abut_unit(abut_sub(w->best->on_b, w->best->on_a));
    if (abut_length_squared(outward) > 0.5) {
        offer(w, outward, -gauge_support(w->a, w->b, outward), w->best->on_a, w->best->on_b);
    }
}

/* ---- smooth bodies: the line along the normal ---- */

static bool is_on_surface(const witness *w, const convex *body, abut_vec3 point) {
    abut_vec3 slope;
    return body->core != CORE_SMOOTH ||
           fabs(smooth_gauge(body->shape, convex_to_local(body, point), &slope) - 1.0) <= EXACT * w->scale * abut_length(slope);
}

/* Moves a point along the line to the surface of a smooth body, by Newton's method for the gauge, which is convex along the line. False when the line misses
 * the body. */
static bool move_onto_surface(const witness *w, const convex *body, abut_vec3 outward, abut_vec3 *point) {
    enum { MOST_STEPS = 24 };
    abut_vec3 local = convex_to_local(body, *point), along = convex_direction_to_local(body, outward), slope;
    double whole = 0.0;
    for (int i = 0; i < MOST_STEPS; ++i) {
        double beyond = smooth_gauge(body->shape, abut_add_scaled(local, whole, along), &slope) - 1.0;
        double step = -beyond / abut_dot(slope, along);
        if (!(abut_dot(slope, along) > 0.0) || !isfinite(step)) {
            return false;
        }
        whole += step;
        if (fabs(step) <= 1e-16 * w->scale) {
            break;
        }
    }
    *point = abut_add_scaled(*point, whole, outward);
    return is_on_surface(w, body, *point);
}

/* The point of the surface on the ray from the middle of a smooth body through a point. */
static abut_vec3 out_of_middle(const convex *body, abut_vec3 point) {
    abut_vec3 slope, middle = convex_centroid(body);
    double value = body->core == CORE_SMOOTH ? smooth_gauge(body->shape, convex_to_local(body, point), &slope) : 1.0;
    return value > 0.0 ? abut_lerp(middle, point, 1.0 / value) : point;
}

/* Offers pairs of points for a direction with its gap: both as they are, and either point with the one that faces it on the other, smooth body. */
static void offer_along(witness *w, abut_vec3 direction, double gap, abut_vec3 on_a, abut_vec3 on_b) {
    w->widest = real_max(w->widest, gap);
    on_a = is_on_surface(w, w->a, on_a) ? on_a : out_of_middle(w->a, on_a);
    on_b = is_on_surface(w, w->b, on_b) ? on_b : out_of_middle(w->b, on_b);
    offer(w, direction, gap, on_a, on_b);
    abut_vec3 faces_a = abut_add_scaled(on_a, gap + w->radius, direction), faces_b = abut_add_scaled(on_b, -gap - w->radius, direction);
    if (!is_exact(w) && w->b->core == CORE_SMOOTH && move_onto_surface(w, w->b, abut_neg(direction), &faces_a)) {
        offer(w, direction, gap, on_a, faces_a);
    }
    if (!is_exact(w) && w->a->core == CORE_SMOOTH && move_onto_surface(w, w->a, direction, &faces_b)) {
        offer(w, direction, gap, faces_b, on_b);
    }
    if (!is_exact(w)) {
        settle_on_line(w);
    }
}

static void offer_point_on_face(witness *w, bool of_a, int32_t face, abut_vec3 on_other) {
    const convex *faced = of_a ? w->a : w->b;
    abut_vec3 normal = feature_face_normal(faced, face), direction = of_a ? normal : abut_neg(normal);
    double height = abut_dot(normal, abut_sub(on_other, faced->position)) - convex_face_offset(faced, face);
    abut_vec3 on_face = abut_add_scaled(on_other, -height, normal);
    if (feature_is_inside_face(faced, face, convex_to_local(faced, on_face), 0.0)) {
        offer(w, direction, -gauge_support(w->a, w->b, direction), of_a ? on_face : on_other, of_a ? on_other : on_face);
    }
}

/* A face of one body, and the other body's point that is extreme along the face's normal, or the point so far. */
static void offer_face(witness *w, bool of_a) {
    const convex *faced = of_a ? w->a : w->b, *other = of_a ? w->b : w->a;
    if (faced->core != CORE_POLYTOPE) {
        return;
    }
    int32_t face = feature_closest_face(faced, of_a ? w->best->direction : abut_neg(w->best->direction));
    abut_vec3 on_other;
    convex_support(other, abut_neg(feature_face_normal(faced, face)), &on_other);
    offer_point_on_face(w, of_a, face, on_other);
    offer_point_on_face(w, of_a, face, of_a ? w->best->on_b : w->best->on_a);
}

/* The line through the points that have a direction as their normal is the next direction. Between small bodies that are far apart, this ends at once. */
static void offer_supports(witness *w) {
    enum { MOST_ROUNDS = 4 };
    offer_face(w, true);
    offer_face(w, false);
    for (int i = 0; i < MOST_ROUNDS && !is_exact(w); ++i) {
        settle_on_edges(w);
    }
}

/* The features where the points are now. */
static void name_features(const witness *w) {
    abut_vec3 extreme;
    int32_t va = convex_support(w->a, w->best->direction, &extreme), vb = convex_support(w->b, abut_neg(w->best->direction), &extreme);
    w->best->feature_a = feature_holding(w->a, va, w->best->on_a);
    w->best->feature_b = feature_holding(w->b, vb, w->best->on_b);
}

/* Where Newton's method has stopped too early, next to the axes of superquadrics, the line shows it. Cuts find the direction, and its last digits. */
static void settle_smooth(witness *w) {
    const contact_normal before = *w->best;
    w->missed = INFINITY;
    offer_along(w, before.direction, before.gap, before.on_a, before.on_b);
    offer_supports(w);
    extremal found = {.direction = before.direction};
    if (!is_exact(w) && extremal_by_cuts(w->a, w->b, before.direction, &found)) {
        w->missed += real_max(-found.height - w->radius - w->widest, 0.0);
        offer_along(w, found.direction, -found.height - w->radius, found.on_a, found.on_b);
    }
    if (!is_exact(w)) {
        extremal_digits(w->a, w->b, &found);
        offer_along(w, found.direction, -found.height - w->radius, found.on_a, found.on_b);
    }
    name_features(w);
}

static void settle_flat(witness *w) {
    enum { MOST_ROUNDS = 3 };
    double before = INFINITY;
    for (int i = 0; i < MOST_ROUNDS && !is_exact(w) && w->missed < before; ++i) {
        before = w->missed;
        settle_on_features(w);
        if (!is_exact(w)) {
            offer_face(w, true);
            offer_face(w, false);
        }
        if (!is_exact(w)) {
            settle_on_edges(w);
        }
        if (!is_exact(w)) {
            settle_on_line(w);
        }
    }
}

static void settle(witness *w) {
    if (!convex_any_smooth(w->a, w->b)) {
        settle_flat(w);
    } else if (!(is_exact(w) && is_on_surface(w, w->a, w->best->on_a) && is_on_surface(w, w->b, w->best->on_b))) {
        settle_smooth(w);
    }
}

void witness_settle(const convex *a, const convex *b, contact_normal *normal) {
    bool frustum =
        (a->core == CORE_FRUSTUM || b->core == CORE_FRUSTUM) && !convex_any_smooth(a, b); /* face each other in closed form already */
    if (!(normal->gap > 0.0) || frustum) {
        return;
    }
    double radius = a->radius + b->radius, scale = (a->size > b->size ? a->size : b->size) + normal->gap;
    abut_vec3 apart = abut_sub(normal->on_b, normal->on_a);
    double square = abut_length_squared(abut_add_scaled(apart, -normal->gap - radius, normal->direction));
    if (square <= EXACT * EXACT * scale * scale && !normal->moved) {
        return;
    }
    witness w = {.a = a, .b = b, .scale = scale, .radius = radius, .widest = normal->gap, .missed = sqrt(square), .best = normal};
    settle(&w);
}
