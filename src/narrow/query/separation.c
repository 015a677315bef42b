/*
 * abut_distance(). Bodies that are clearly apart get the distance and direction of their closest points (GJK: Gilbert, Johnson, Keerthi).
 * For all others the contact generator decides whether they touch, and the deepest contact is the answer. So no pair is apart in one query
 * and in contact in another.
 */

#include "narrow/query/separation.h"

#include <float.h>

#include "base/real.h"
#include "narrow/normal/gjk.h"
#include "narrow/normal/feature.h"
#include "narrow/query/mesh_distance.h"
#include "narrow/normal/convex_parts.h"
#include "narrow/separating.h"
#include "narrow/normal/extremal/normal.h"

/* ---- two convex bodies ---- */

static bool are_round(const convex *a, const convex *b) { return a->core != CORE_POLYTOPE && b->core != CORE_POLYTOPE; }

/* The closest points bound the distance from above, and the gap along any direction bounds it from below. The bodies are apart if both
 * bounds agree. */
bool separation_when_apart(const convex *a, const convex *b, abut_cache *cache, core_distance *d, contact_normal *normal) {
    if (convex_any_smooth(a, b)) {
        const normal_settings settings = {.aside = {0.31, 0.47, 0.83}, .cache = cache}; /* for bodies with the same middle */
        return normal_of_smooth_apart(a, b, &settings, normal);
    }
    if (are_round(a, b)) {
        *normal = normal_of_round(a, b, abut_vec3_make(0, 0, 0));
        return normal->gap > 0.0;
    }
    core_distance_find(a, b, cache, d);
    if (!(abut_length_squared(d->direction) > 0.5)) {
        return false;
    }
    *normal = normal_of_distance(a, b, d);
    double missing = d->distance - a->radius - b->radius - normal->gap;
    return normal->gap > 0.0 && missing <= 10.0 * CONTACT_ROUNDING * (a->size + b->size + d->distance);
}

/* For all other bodies. The direction is that of the closest points, or the contact normal if its gap is larger and hence nearer to the
 * distance. The closest points are valid in both cases: if bodies just touch, every common point lies in their plane of contact. */
static contact_normal normal_when_close(const convex *a, const convex *b, const normal_settings *settings, const core_distance *d) {
    normal_settings any = *settings;
    any.margin = INFINITY;
    contact_normal normal;
    contact_normal_find(a, b, &any, &normal);
    if (are_round(a, b) || convex_any_smooth(a, b)) {
        return normal;
    }
    if (abut_length_squared(d->direction) > 0.5) {
        contact_normal apart = normal_of_distance(a, b, d);
        normal = apart.gap >= normal.gap ? apart : normal;
    }
    normal.on_a = d->on_a;
    normal.on_b = d->on_b;
    normal.feature_a = d->feature_a;
    normal.feature_b = d->feature_b;
    return normal;
}

contact_normal separation_normal(const convex *a, const convex *b, const normal_settings *settings) {
    core_distance d;
    contact_normal normal;
    return separation_when_apart(a, b, settings->cache, &d, &normal) ? normal : normal_when_close(a, b, settings, &d);
}

static abut_feature feature_on(const convex *body, abut_feature found, abut_vec3 outward) {
    const double exact_sine = 1e-7; /* the same angle as for contacts */
    return feature_of_shape(body, found.kind != ABUT_FEATURE_NONE ? found : feature_pick(body, outward, exact_sine));
}

abut_separation separation_along(const convex *a, const convex *b, const contact_normal *normal) {
    abut_vec3 towards_a = abut_neg(normal->direction);
    return (abut_separation){.gap = normal->gap,
                             .on_a = abut_add_scaled(normal->on_a, a->radius, normal->direction),
                             .on_b = abut_add_scaled(normal->on_b, -b->radius, normal->direction),
                             .normal = towards_a,
                             .feature_a = feature_on(a, normal->feature_a, normal->direction),
                             .feature_b = feature_on(b, normal->feature_b, towards_a),
                             .flags = normal->chosen ? ABUT_CONTACT_NORMAL_CHOSEN : 0};
}

/* ---- a plane ---- */

/* The separation of a body, as A, and a plane, as B. */
static abut_separation from_plane(const convex *body, const body_parts *plane) {
    abut_vec3 lowest;
    int32_t vertex = convex_support(body, abut_neg(plane->outward), &lowest);
    abut_separation s = {.normal = plane->outward, .feature_b = {.kind = ABUT_FEATURE_FACE}};
    s.on_a = abut_add_scaled(lowest, -body->radius, plane->outward);
    s.gap = abut_dot(plane->outward, s.on_a) - plane->offset;
    s.on_b = abut_add_scaled(s.on_a, -s.gap, plane->outward);
    s.feature_a = feature_of_shape(body, (abut_feature){.kind = ABUT_FEATURE_VERTEX, .index = vertex});
    return s;
}

/* ---- two bodies of parts ---- */

typedef struct nearest_work {
    body_parts a, b;
    normal_settings settings;
    bool only_apart;      /* stop at the first pair of parts that is not clearly apart */
    bool close;           /* such a pair was found */
    abut_separation best; /* its distance is infinite before the first pair */
} nearest_work;

static void offer(nearest_work *work, abut_separation separation) {
    if (separation.gap < work->best.gap) {
        work->best = separation;
    }
}

static void offer_plane(nearest_work *work) {
    const body_parts *plane = work->a.is_plane ? &work->a : &work->b, *body = work->a.is_plane ? &work->b : &work->a;
    for (int32_t i = 0; i < body->count; ++i) {
        abut_separation s = from_plane(&body->part[i], plane);
        work->close = work->close || s.gap <= separating_doubt_of_plane(&body->part[i], plane);
        offer(work, work->a.is_plane ? separation_swapped(s) : s);
    }
}

static void offer_parts(nearest_work *work, int32_t i, int32_t j) {
    const convex *a = &work->a.part[i], *b = &work->b.part[j];
    double at_least = parts_ball_gap(&work->a.ball[i], &work->b.ball[j]);
    if (at_least >= work->best.gap && at_least > separating_doubt(a, b)) {
        return;
    }
    core_distance d;
    contact_normal normal;
    if (!work->only_apart) {
        normal = separation_normal(a, b, &work->settings);
    } else if (!separation_when_apart(a, b, work->settings.cache, &d, &normal) || !(normal.gap > separating_doubt(a, b))) {
        work->close = true;
        return;
    }
    offer(work, separation_along(a, b, &normal));
}

/* The two parts with the nearest bounding balls come first: they give a good upper bound, which rejects most other pairs. */
static void offer_best_guess(nearest_work *work) {
    int32_t best_i = 0, best_j = 0;
    double least = INFINITY;
    for (int32_t i = 0; i < work->a.count; ++i) {
        for (int32_t j = 0; j < work->b.count; ++j) {
            double gap = parts_ball_gap(&work->a.ball[i], &work->b.ball[j]);
            if (gap < least) {
                least = gap;
                best_i = i;
                best_j = j;
            }
        }
    }
    offer_parts(work, best_i, best_j);
}

static void find_nearest(nearest_work *work, bool only_apart) {
    work->only_apart = only_apart;
    work->close = false;
    work->best = (abut_separation){.gap = INFINITY};
    if (work->a.is_plane || work->b.is_plane) {
        offer_plane(work);
        return;
    }
    if (work->a.count > 1 || work->b.count > 1) {
        offer_best_guess(work);
    }
    for (int32_t i = 0; i < work->a.count && !work->close; ++i) {
        for (int32_t j = 0; j < work->b.count && !work->close; ++j) {
            offer_parts(work, i, j);
        }
    }
}

/* ---- touching or overlapping ---- */

bool separation_deepest(const collide_pair *pair, abut_separation *separation, bool *out_of_memory) {
    contact_list list;
    contact_list_init(&list, pair->order, pair->aside);
    collide_find_generator(pair->a, pair->b)(pair, &list);
    contact_list_finish(&list);
    const abut_contact *deepest = list.items;
    for (int32_t i = 1; i < list.count; ++i) {
        deepest = list.items[i].gap < deepest->gap ? &list.items[i] : deepest;
    }
    bool found = list.count > 0;
    if (found) {
        *separation = (abut_separation){.gap = real_least(deepest->gap, 0.0),
                                        .on_a = deepest->on_a,
                                        .on_b = deepest->on_b,
                                        .normal = deepest->normal,
                                        .feature_a = deepest->feature_a,
                                        .feature_b = deepest->feature_b,
                                        .flags = deepest->flags};
    }
    *out_of_memory = list.out_of_memory;
    contact_list_free(&list);
    return found;
}

static abut_status find_placed(const collide_pair *pair, bool apart, nearest_work *work, abut_separation *separation) {
    find_nearest(work, !apart);
    if (apart || !work->close) {
        *separation = work->best;
        return ABUT_OK;
    }
    bool out_of_memory;
    bool touching = separation_deepest(pair, separation, &out_of_memory);
    if (out_of_memory) {
        return ABUT_ERROR_OUT_OF_MEMORY;
    }
    if (!touching) {
        find_nearest(work, false);
        *separation = work->best;
        separation->gap = real_most(separation->gap, DBL_MIN); /* no contact was found, so rounding error must not make the
                                                                          * distance 0 */
    }
    return ABUT_OK;
}

/* Fast path for two convex bodies that are clearly apart, the most frequent case; it needs no lists of parts. */
static bool convex_are_apart(const collide_pair *pair, abut_separation *separation) {
    static const abut_mat3 aligned = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    static const abut_vec3 origin = {0, 0, 0};
    convex a, b;
    convex_set(&a, pair->a, &aligned, &origin, 0);
    convex_set(&b, pair->b, &pair->rotation_b, &pair->position_b, 0);
    core_distance d;
    contact_normal normal;
    if (!separation_when_apart(&a, &b, pair->normal.cache, &d, &normal) || !(normal.gap > separating_doubt(&a, &b))) {
        return false;
    }
    *separation = separation_along(&a, &b, &normal);
    return true;
}

abut_status separation_find(const collide_pair *pair, bool apart, abut_separation *separation) {
    if (collide_find_generator(pair->a, pair->b) == NULL || pair->a->facets != NULL || pair->b->facets != NULL) {
        return ABUT_ERROR_UNSUPPORTED_PAIR;
    }
    if (pair->a->kind == ABUT_SHAPE_TRIMESH || pair->b->kind == ABUT_SHAPE_TRIMESH) {
        return mesh_distance_find(pair, apart, separation);
    }
    if (!apart && shape_is_convex(pair->a) && shape_is_convex(pair->b) && convex_are_apart(pair, separation)) {
        return ABUT_OK;
    }
    collide_pair touching = *pair;
    touching.normal.margin = 0.0;
    nearest_work work = {.settings = touching.normal};
    bool placed = parts_place(pair->a, abut_mat3_identity(), abut_vec3_make(0, 0, 0), &work.a) &&
                  parts_place(pair->b, pair->rotation_b, pair->position_b, &work.b);
    abut_status status = placed ? find_placed(&touching, apart, &work, separation) : ABUT_ERROR_OUT_OF_MEMORY;
    parts_free(&work.a);
    parts_free(&work.b);
    return status;
}

abut_status abut_distance(const abut_pair *pair, const abut_collide_settings *settings, abut_cache *cache, abut_separation *separation) {
    if (separation == NULL) {
        return ABUT_ERROR_INVALID_ARGUMENT;
    }
    collide_pair placed;
    abut_mat3 rotation;
    abut_status status = collide_place(pair, settings, &placed, &rotation);
    if (status != ABUT_OK) {
        return status;
    }
    placed.normal.cache = shape_is_convex(pair->a) && shape_is_convex(pair->b) ? cache : NULL;
    abut_separation found;
    status = separation_find(&placed, false, &found);
    if (status != ABUT_OK) {
        return status;
    }
    if (placed.normal.cache != NULL && (found.gap > 0.0 || smooth_is(pair->a) || smooth_is(pair->b))) {
        cache->axis = abut_neg(found.normal);
    }
    found.on_a = abut_add(abut_mat3_apply(rotation, found.on_a), pair->pose_a.position);
    found.on_b = abut_add(abut_mat3_apply(rotation, found.on_b), pair->pose_a.position);
    found.normal = abut_unit(abut_mat3_apply(rotation, found.normal));
    *separation = found;
    return ABUT_OK;
}
