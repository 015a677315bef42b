/*
 * abut_distance: bodies clearly apart have the direction and the distance of their closest points (Gilbert, Johnson and Keerthi); of all
 * others the generator of contacts says whether they touch, and their deepest contact is the answer. So no pair can be apart for one
 * question and in contact for the other.
 */

#include "narrow/query/distance.h"

#include <float.h>

#include "base/argument.h"
#include "base/real.h"
#include "narrow/curved/curved.h"
#include "narrow/facet/apart.h"
#include "narrow/generators.h"
#include "narrow/normal/convex_parts.h"
#include "narrow/normal/feature.h"
#include "narrow/query/mesh_distance.h"
#include "narrow/query/separation.h"
#include "narrow/separating.h"
#include "narrow/solids.h"
#include "shape/smooth.h"

/* ---- a plane ---- */

/* That of a body as A and a plane as B. */
static abut_separation from_plane(const convex *body, const convex_parts *plane) {
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
    convex_parts a, b;
    normal_settings settings;
    bool only_apart;      /* give up at the first pair of parts that is not clearly apart */
    bool close;           /* there was one */
    abut_separation best; /* distance infinite before the first */
} nearest_work;

static void offer(nearest_work *work, abut_separation separation) {
    if (separation.gap < work->best.gap) {
        work->best = separation;
    }
}

static void offer_plane(nearest_work *work) {
    const convex_parts *plane = work->a.is_plane ? &work->a : &work->b, *body = work->a.is_plane ? &work->b : &work->a;
    for (int32_t i = 0; i < body->count; ++i) {
        abut_separation s = from_plane(&body->part[i], plane);
        work->close = work->close || s.gap <= separating_doubt_of_plane(&body->part[i], plane);
        offer(work, work->a.is_plane ? separation_swapped(s) : s);
    }
}

static void offer_parts(nearest_work *work, int32_t i, int32_t j) {
    const convex *a = &work->a.part[i], *b = &work->b.part[j];
    double at_least = convex_parts_ball_gap(&work->a.ball[i], &work->b.ball[j]);
    if (at_least >= work->best.gap && at_least > separating_doubt(a, b)) {
        return;
    }
    gjk_result d;
    contact_normal normal;
    if (!work->only_apart) {
        normal = separation_normal(a, b, &work->settings);
    } else if (!separation_when_apart(a, b, work->settings.cache, &d, &normal) || !(normal.gap > separating_doubt(a, b))) {
        work->close = true;
        return;
    }
    offer(work, separation_along(a, b, &normal));
}

/* The two parts whose balls are nearest are a good guess, and spare most of the others. */
static void offer_best_guess(nearest_work *work) {
    int32_t best_i = 0, best_j = 0;
    double least = INFINITY;
    for (int32_t i = 0; i < work->a.count; ++i) {
        for (int32_t j = 0; j < work->b.count; ++j) {
            double gap = convex_parts_ball_gap(&work->a.ball[i], &work->b.ball[j]);
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

/* ---- any pair ---- */

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
        separation->gap = real_max_number(separation->gap, DBL_MIN); /* rounding does not bring them into contact */
    }
    return ABUT_OK;
}

/* Two convex bodies clearly apart, as most are that somebody asks about: without making parts of them. */
static bool convex_are_apart(const collide_pair *pair, abut_separation *separation) {
    convex a, b;
    collide_place_convex(pair, &a, &b);
    gjk_result d;
    contact_normal normal;
    if (!separation_when_apart(&a, &b, pair->normal.cache, &d, &normal) || !(normal.gap > separating_doubt(&a, &b))) {
        return false;
    }
    *separation = separation_along(&a, &b, &normal);
    return true;
}

static abut_status find(const collide_pair *pair, bool apart, abut_separation *separation);

/* ---- smooth bodies that are not convex ---- */

/* Their stand-ins are nearest at one place, the surfaces possibly at another one that is farther by no more than the triangles are wrong. So all contacts as
 * near as that are settled. */
static abut_status find_curved_apart(collide_pair *pair, abut_separation *separation) {
    collide_pair seen;
    (void)curved_pair(pair, &seen);
    double error = seen.normal.margin;
    seen.normal.margin = 0.0;
    abut_status status = find(&seen, true, separation);
    if (status != ABUT_OK) {
        return status;
    }
    separation->flags |= ABUT_CONTACT_WITNESS;
    separation->gap = real_max(separation->gap, DBL_MIN); /* the surfaces do not touch */
    pair->normal.margin = separation->gap + 2.0 * error;
    bool out_of_memory;
    abut_separation nearest;
    if (separation_deepest(pair, &nearest, &out_of_memory)) {
        *separation = nearest;
    }
    return out_of_memory ? ABUT_ERROR_OUT_OF_MEMORY : ABUT_OK;
}

static abut_status find_curved(const collide_pair *pair, abut_separation *separation) {
    collide_pair own = *pair;
    own.normal.margin = 0.0;
    bool out_of_memory;
    bool touching = separation_deepest(&own, separation, &out_of_memory);
    return out_of_memory ? ABUT_ERROR_OUT_OF_MEMORY : touching ? ABUT_OK : find_curved_apart(&own, separation);
}

/* ---- bodies of rounded triangles ---- */

static bool any_facets(const abut_shape *a, const abut_shape *b) { return a->facets != NULL || b->facets != NULL; }

static abut_status find_facets(const collide_pair *pair, bool apart, abut_separation *separation) {
    collide_pair touching = *pair;
    touching.normal.margin = 0.0;
    bool out_of_memory = false;
    if (!apart && separation_deepest(&touching, separation, &out_of_memory)) {
        return out_of_memory ? ABUT_ERROR_OUT_OF_MEMORY : ABUT_OK;
    }
    abut_status status = out_of_memory ? ABUT_ERROR_OUT_OF_MEMORY : facet_apart_find(pair, separation);
    if (status == ABUT_OK) {
        separation->gap = real_max(separation->gap, DBL_MIN); /* without a contact they do not touch */
    }
    return status;
}

static abut_status find(const collide_pair *pair, bool apart, abut_separation *separation) {
    if (!collide_is_supported(pair->a, pair->b)) {
        return ABUT_ERROR_UNSUPPORTED_PAIR;
    }
    if (any_facets(pair->a, pair->b)) {
        return find_facets(pair, apart, separation);
    }
    if (curved_any(pair->a, pair->b)) {
        return find_curved(pair, separation);
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
    bool placed = convex_parts_place(pair->a, abut_mat3_identity(), abut_vec3_make(0, 0, 0), &work.a) &&
                  convex_parts_place(pair->b, pair->rotation_b, pair->position_b, &work.b);
    abut_status status = placed ? find_placed(&touching, apart, &work, separation) : ABUT_ERROR_OUT_OF_MEMORY;
    convex_parts_free(&work.a);
    convex_parts_free(&work.b);
    return status;
}

abut_status distance_find(const collide_pair *pair, bool apart, abut_separation *separation) {
    abut_status status = find(pair, apart, separation);
    if (status == ABUT_OK) {
        solids_name_separation(pair, separation);
    }
    return status;
}

static abut_status find_between(const abut_placed *a, const abut_placed *b, const abut_collide_settings *settings, abut_cache *cache,
                                abut_separation *separation) {
    collide_pair placed;
    abut_status status = solids_place_bodies(a, b, settings, &placed);
    if (status != ABUT_OK) {
        return status;
    }
    placed.normal.cache = shape_is_convex(placed.a) && shape_is_convex(placed.b) ? cache : NULL;
    abut_separation found;
    status = distance_find(&placed, false, &found);
    if (status != ABUT_OK) {
        return status;
    }
    if (placed.normal.cache != NULL && (found.gap > 0.0 || smooth_is(a->shape) || smooth_is(b->shape))) {
        cache->axis = abut_neg(found.normal);
    }
    found.on_a = abut_add(abut_mat3_apply(a->rotation, found.on_a), a->pose.position);
    found.on_b = abut_add(abut_mat3_apply(a->rotation, found.on_b), a->pose.position);
    found.normal = abut_unit(abut_mat3_apply(a->rotation, found.normal));
    *separation = found;
    return ABUT_OK;
}

abut_status distance_ask(const char *call, const abut_pair *pair, const abut_collide_settings *settings, abut_cache *cache,
                         abut_separation *separation) {
    if (argument_is_null(call, "separation", separation)) {
        return ABUT_ERROR_INVALID_ARGUMENT;
    }
    abut_placed a, b;
    abut_status status = collide_place_both(pair, &a, &b) ? find_between(&a, &b, settings, cache, separation) : ABUT_ERROR_INVALID_ARGUMENT;
    return status == ABUT_OK ? ABUT_OK : collide_refuse(status, call, -1, pair, settings);
}

abut_status abut_distance(const abut_pair *pair, const abut_collide_settings *settings, abut_cache *cache, abut_separation *separation) {
    return distance_ask(CALL_NAME, pair, settings, cache, separation);
}

abut_status abut_distance_placed(const abut_placed *a, const abut_placed *b, const abut_collide_settings *settings, abut_cache *cache,
                                 abut_separation *separation) {
    if (argument_is_null(CALL_NAME, "separation", separation)) {
        return ABUT_ERROR_INVALID_ARGUMENT;
    }
    abut_status status = collide_are_placed(a, b) ? find_between(a, b, settings, cache, separation) : ABUT_ERROR_INVALID_ARGUMENT;
    return status == ABUT_OK ? ABUT_OK : collide_refuse_placed(status, CALL_NAME, -1, a, b, settings);
}
