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

/* False without memory. */
static bool settle_on_features(witness *w) {
    const contact_normal along = *w->best;
    const patch_settings settings = {.margin = INFINITY, .feature_sine = FEATURE_EXACT_SINE, .partial = true};
    contact_list list;
    contact_list_init(&list, 0, along.direction);
    contact_normal features = {.direction = along.direction, .gap = along.gap, .on_a = along.on_a, .on_b = along.on_b};
    (void)patch_build(w->a, w->b, &features, &settings, 0, &list);
    for (int32_t i = 0; i < list.count; ++i) {
        const abut_contact *contact = &list.items[i];
        offer(w, along.direction, along.gap, abut_add_scaled(contact->on_a, -w->a->radius, along.direction),
              abut_add_scaled(contact->on_b, w->b->radius, along.direction));
    }
    bool has_memory = !list.out_of_memory;
    contact_list_free(&list);
    return has_memory;
}

/* ---- vertices and edges ---- */

enum { MOST_AXES = 12 };

/* The vertex that is extreme along the direction, and the edges there that are nearly orthogonal to it. Among them is the feature of the closest point, if no face
 * is. */
static int32_t extreme_axes(const convex *body, abut_vec3 direction, axis *axes) {
    const double level = 1e-4;
    abut_vec3 point;
    int32_t vertex = convex_support(body, direction, &point), count = 0;
    axes[count++] = (axis){.middle = point};
    if (body->core == CORE_SEGMENT) {
        axes[count++] = (axis){body->position, body->rotation.z, body->half_length};
    }
    if (body->core != CORE_POLYTOPE) {
        return count;
    }
    const polytope *surface = body->surface;
    abut_vec3 at = convex_vertex(body, vertex), local = convex_direction_to_local(body, direction);
    for (int32_t i = surface->vertex_first[vertex]; i < surface->vertex_first[vertex + 1] && count < MOST_AXES; ++i) {
        abut_vec3 far = convex_vertex(body, surface->spoke[i].far), side = abut_sub(far, at);
        double length = abut_length(side);
        if (fabs(abut_dot(side, local)) <= level * length) {
            axes[count++] = (axis){convex_to_pair(body, abut_lerp(at, far, 0.5)),
                                   convex_direction_to_pair(body, abut_scale(1.0 / length, side)), 0.5 * length};
        }
    }
    return count;
}

static void settle_on_edges(witness *w) {
    axis of_a[MOST_AXES], of_b[MOST_AXES];
    abut_vec3 direction = w->best->direction;
    int32_t count_a = extreme_axes(w->a, direction, of_a), count_b = extreme_axes(w->b, abut_neg(direction), of_b);
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

static bool settle_flat(witness *w) {
    enum { MOST_ROUNDS = 3 };
    double before = INFINITY;
    for (int i = 0; i < MOST_ROUNDS && !is_exact(w) && w->missed < before; ++i) {
        before = w->missed;
        if (!settle_on_features(w)) {
            return false;
        }
        if (!is_exact(w)) {
            settle_on_edges(w);
        }
        if (!is_exact(w)) {
            settle_on_line(w);
        }
    }
    return true;
}

/* ---- smooth bodies: the line along the normal ---- */

/* Moves a point along the line to the surface of a smooth body, by Newton's method for the gauge, which is convex along the line. */
static abut_vec3 onto_surface(const witness *w, const convex *body, abut_vec3 outward, abut_vec3 point) {
    enum { MOST_STEPS = 12 };
    abut_vec3 local = convex_to_local(body, point), along = convex_direction_to_local(body, outward), slope;
    double whole = 0.0;
    for (int i = 0; i < MOST_STEPS; ++i) {
        double beyond = smooth_gauge(body->shape, abut_add_scaled(local, whole, along), &slope) - 1.0, rise = abut_dot(slope, along);
        double step = -beyond / rise;
        if (!(rise > 0.0) || !isfinite(step)) {
            break;
        }
        whole += step;
        if (fabs(step) <= 1e-16 * w->scale) {
            break;
        }
    }
    return abut_add_scaled(point, whole, outward);
}

/* Offers the points of both bodies on the line through a point. A point of a core that is not smooth lies on that core already. */
static void offer_line(witness *w, abut_vec3 through) {
    abut_vec3 direction = w->best->direction;
    abut_vec3 on_a = w->a->core == CORE_SMOOTH ? onto_surface(w, w->a, direction, through) : w->best->on_a;
    abut_vec3 on_b = w->b->core == CORE_SMOOTH ? onto_surface(w, w->b, abut_neg(direction), through) : w->best->on_b;
    offer(w, direction, w->best->gap, on_a, on_b);
}

static bool is_on_surface(const witness *w, const convex *body, abut_vec3 point) {
    abut_vec3 slope;
    return body->core != CORE_SMOOTH ||
           fabs(smooth_gauge(body->shape, convex_to_local(body, point), &slope) - 1.0) <= EXACT * w->scale * abut_length(slope);
}

/* Offers the points on the lines through two points and along a direction with its gap. */
static void settle_along(witness *w, abut_vec3 direction, double gap, abut_vec3 on_a, abut_vec3 on_b) {
    w->widest = real_max(w->widest, gap);
    w->missed = INFINITY;
    w->best->direction = direction;
    w->best->gap = gap;
    if (w->b->core == CORE_SMOOTH) {
        offer_line(w, on_a);
    }
    if (w->a->core == CORE_SMOOTH && !is_exact(w)) {
        offer_line(w, on_b);
    }
    if (!is_exact(w)) {
        settle_on_line(w);
    }
}

/* Where Newton's method has stopped too early, next to the axes of superquadrics, the line shows it, and cuts find the direction. */
static void settle_smooth(witness *w) {
    const abut_vec3 on_a = w->best->on_a, on_b = w->best->on_b;
    if (is_exact(w) && is_on_surface(w, w->a, on_a) && is_on_surface(w, w->b, on_b)) {
        return;
    }
    settle_along(w, w->best->direction, w->best->gap, on_a, on_b);
    extremal found;
    if (!is_exact(w) && extremal_by_cuts(w->a, w->b, w->best->direction, &found)) {
        const contact_normal before = *w->best;
        double missed = w->missed, widest = real_max(w->widest, -found.height - w->radius);
        settle_along(w, found.direction, -found.height - w->radius, found.on_a, found.on_b);
        if (!(w->missed < missed + widest - w->best->gap)) {
            *w->best = before;
        }
    }
}

bool witness_settle(const convex *a, const convex *b, contact_normal *normal) {
    if (!(normal->gap > 0.0)) {
        return true;
    }
    witness w = {.a = a, .b = b, .scale = real_max(a->size, b->size) + normal->gap, .radius = a->radius + b->radius, .widest = normal->gap, .best = normal};
    w.missed = missed_by(&w, normal->direction, normal->gap, normal->on_a, normal->on_b);
    if (convex_any_smooth(a, b)) {
        settle_smooth(&w);
        return true;
    }
    if (is_exact(&w)) {
        return true;
    }
    return settle_flat(&w);
}
