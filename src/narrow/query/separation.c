/*
 * The direction in which two convex bodies are apart, and what is reported of it.
 */

#include "narrow/query/separation.h"

#include "base/real.h"
#include "narrow/curved/curved.h"
#include "narrow/generators.h"
#include "narrow/normal/distance_normal.h"
#include "narrow/normal/extremal/normal.h"
#include "narrow/normal/feature.h"
#include "narrow/normal/frustum/normal.h"
#include "narrow/normal/gjk.h"
#include "narrow/normal/normal.h"
#include "narrow/normal/box_sat.h"
#include "narrow/normal/round.h"
#include "narrow/query/witness.h"
#include "narrow/seam/mend.h"

/* ---- two convex bodies ---- */

static bool are_round(const convex *a, const convex *b) { return a->core != CORE_POLYTOPE && b->core != CORE_POLYTOPE; }

/* Two boxes begin with the features of the axis that separates them most. */
static void find_closest(const convex *a, const convex *b, abut_cache *cache, gjk_result *d) {
    abut_feature guess_a = {.kind = ABUT_FEATURE_NONE}, guess_b = guess_a;
    if (a->aligned && a->shape->kind == ABUT_SHAPE_BOX && b->shape->kind == ABUT_SHAPE_BOX) {
        abut_vec3 apart = abut_sub(b->position, a->position);
        const box_placement where = {&a->shape->half, &b->shape->half, &b->rotation, &apart};
        box_sat_guess(&where, a->size + b->size, &guess_a, &guess_b);
    }
    gjk_find_from(a, b, guess_a, guess_b, cache, d);
}

/* The closest points bound the distance from above, and the gap along any direction bounds it from below. The bodies are apart if both
 * bounds agree. */
bool separation_when_apart(const convex *a, const convex *b, abut_cache *cache, gjk_result *d, contact_normal *normal) {
    if (convex_any_smooth(a, b)) {
        const normal_settings settings = {.aside = {0.31, 0.47, 0.83}, .cache = cache}; /* for bodies with the same middle */
        return normal_of_smooth_apart(a, b, &settings, normal);
    }
    if (convex_any_frustum(a, b)) {
        return normal_of_frustum_apart(a, b, normal);
    }
    if (are_round(a, b)) {
        *normal = normal_of_round(a, b, abut_vec3_make(0, 0, 0));
        return normal->gap > 0.0;
    }
    find_closest(a, b, cache, d);
    if (!(abut_length_squared(d->direction) > 0.5)) {
        return false;
    }
    *normal = normal_of_distance(a, b, d);
    double missing = d->distance - a->radius - b->radius - normal->gap;
    return normal->gap > 0.0 && missing <= 10.0 * CONTACT_ROUNDING * (a->size + b->size + d->distance);
}

/* For all other bodies. The direction is that of the closest points, or the contact normal if its gap is larger and hence nearer to the
 * distance. The closest points are valid in both cases: if bodies just touch, every common point lies in their plane of contact. */
static contact_normal normal_when_close(const convex *a, const convex *b, const normal_settings *settings, const gjk_result *d) {
    normal_settings any = *settings;
    any.margin = INFINITY;
    contact_normal normal;
    contact_normal_find(a, b, &any, &normal);
    if (are_round(a, b) || convex_any_smooth(a, b) || convex_any_frustum(a, b)) {
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
    gjk_result d;
    contact_normal normal;
    return separation_when_apart(a, b, settings->cache, &d, &normal) ? normal : normal_when_close(a, b, settings, &d);
}

static abut_feature feature_on(const convex *body, abut_feature found, abut_vec3 outward) {
    const double exact_sine = 1e-7; /* the same angle as for contacts */
    return feature_of_shape(body, found.kind != ABUT_FEATURE_NONE ? found : feature_pick(body, outward, exact_sine));
}

abut_separation separation_along(const convex *a, const convex *b, contact_normal *normal) {
    witness_settle(a, b, normal);
    abut_vec3 towards_a = abut_neg(normal->direction);
    return (abut_separation){.gap = normal->gap,
                             .on_a = abut_add_scaled(normal->on_a, a->radius, normal->direction),
                             .on_b = abut_add_scaled(normal->on_b, -b->radius, normal->direction),
                             .normal = towards_a,
                             .feature_a = feature_on(a, normal->feature_a, normal->direction),
                             .feature_b = feature_on(b, normal->feature_b, towards_a),
                             .flags = normal->chosen ? ABUT_CONTACT_NORMAL_CHOSEN : 0};
}

/* ---- touching and overlapping ---- */

bool separation_deepest(const collide_pair *pair, abut_separation *separation, bool *out_of_memory) {
    contact_list list;
    contact_list_init(&list, pair->order, pair->aside);
    collide_generate(pair, &list);
    bool facets = pair->a->facets != NULL || pair->b->facets != NULL; /* abut_collide() mends none of theirs */
    if (!facets && !curved_any(pair->a, pair->b)) {                   /* those are mended before they are settled */
        seam_mend_pair(pair, NULL, false, &list);
    }
    const abut_contact *deepest = list.items;
    const double touching = pair->normal.margin > 0.0 ? CONTACT_ROUNDING * (pair->a->size + pair->b->size) : INFINITY;
    for (int32_t i = 1; i < list.count; ++i) {
        deepest = list.items[i].gap < deepest->gap ? &list.items[i] : deepest;
    }
    bool found = list.count > 0;
    if (found) {
        *separation = (abut_separation){.gap = deepest->gap > touching ? deepest->gap : real_min_number(deepest->gap, 0.0),
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
