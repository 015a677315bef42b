/*
 * abut_overlap(). It first tries to prove that two bodies are apart or overlap. Without a proof, the contact generator decides. So the
 * answer always agrees with abut_collide(), whatever the rounding error.
 */

#include <abut/query.h>

#include "base/argument.h"
#include "narrow/curved/curved.h"
#include "narrow/generators.h"
#include "narrow/normal/convex_parts.h"
#include "narrow/normal/gauge.h"
#include "narrow/query/gjk_overlap.h"
#include "narrow/separating.h"
#include "narrow/solids.h"

/* Two half-spaces are apart only if their planes are parallel, face each other and have a gap. */
static bool half_spaces_meet(const collide_pair *pair) {
    const double parallel = 1e-14, rounding = 1e-14;
    abut_vec3 outward = abut_mat3_apply(pair->rotation_b, pair->b->normal);
    double along = abut_dot(outward, pair->position_b);
    double between = -(pair->a->offset + pair->b->offset + along);
    bool opposite = abut_length(abut_add(pair->a->normal, outward)) <= parallel;
    return !opposite || between <= rounding * (fabs(pair->a->offset) + fabs(pair->b->offset) + fabs(along));
}

static gjk_verdict overlap_with_plane(const convex *body, const convex_parts *plane) {
    double height = -(plane->offset + convex_extent(body, abut_neg(plane->outward)) + body->radius);
    double doubt = separating_doubt_of_plane(body, plane);
    return height > doubt ? GJK_APART : height < -1e-2 * doubt ? GJK_OVERLAP : GJK_UNDECIDED;
}

/* The closer of two relations: overlap before close before apart. */
static gjk_verdict closer(gjk_verdict p, gjk_verdict q) {
    return p == GJK_OVERLAP || q == GJK_OVERLAP ? GJK_OVERLAP : p == GJK_UNDECIDED ? p : q;
}

static gjk_verdict overlap_of_two(const convex_parts *a, int32_t i, const convex_parts *b, int32_t j, abut_vec3 *axis) {
    if (convex_parts_ball_gap(&a->ball[i], &b->ball[j]) > separating_doubt(&a->part[i], &b->part[j])) {
        *axis = abut_unit(abut_sub(b->ball[j].centre, a->ball[i].centre));
        return GJK_APART;
    }
    return gjk_overlap(&a->part[i], &b->part[j], axis);
}

/* axis if the two parts compared last are apart: receives a direction that separates them. It separates the bodies if they have one part
 * each. */
static gjk_verdict overlap_of_parts(const convex_parts *a, const convex_parts *b, abut_vec3 *axis) {
    gjk_verdict verdict = GJK_APART;
    for (int32_t i = 0; i < a->count && verdict != GJK_OVERLAP; ++i) {
        for (int32_t j = 0; j < b->count && verdict != GJK_OVERLAP; ++j) {
            verdict = closer(verdict, overlap_of_two(a, i, b, j, axis));
        }
    }
    return verdict;
}

static gjk_verdict overlap_of_bodies(const convex_parts *a, const convex_parts *b, abut_vec3 *axis) {
    if (!a->is_plane && !b->is_plane) {
        return overlap_of_parts(a, b, axis);
    }
    const convex_parts *plane = a->is_plane ? a : b, *body = a->is_plane ? b : a;
    gjk_verdict verdict = GJK_APART;
    for (int32_t i = 0; i < body->count; ++i) {
        verdict = closer(verdict, overlap_with_plane(&body->part[i], plane));
    }
    return verdict;
}

static abut_status generator_decides(const collide_pair *pair, bool *overlap) {
    contact_list list;
    contact_list_init(&list, pair->order, pair->aside);
    collide_generate(pair, &list);
    abut_status status = list.out_of_memory ? ABUT_ERROR_OUT_OF_MEMORY : ABUT_OK;
    if (status == ABUT_OK) {
        *overlap = list.count > 0;
    }
    contact_list_free(&list);
    return status;
}

static abut_status decide(const collide_pair *pair, bool *overlap) {
    convex_parts a = {.part = NULL}, b = {.part = NULL};
    bool placed = convex_parts_place(pair->a, abut_mat3_identity(), abut_vec3_make(0, 0, 0), &a) &&
                  convex_parts_place(pair->b, pair->rotation_b, pair->position_b, &b);
    abut_vec3 axis = {0, 0, 0}; /* remains zero for a plane */
    gjk_verdict verdict = placed ? overlap_of_bodies(&a, &b, &axis) : GJK_UNDECIDED;
    convex_parts_free(&a);
    convex_parts_free(&b);
    if (!placed) {
        return ABUT_ERROR_OUT_OF_MEMORY;
    }
    if (verdict == GJK_UNDECIDED) {
        return generator_decides(pair, overlap);
    }
    if (pair->normal.cache != NULL && verdict == GJK_APART) {
        pair->normal.cache->axis = axis;
    }
    *overlap = verdict == GJK_OVERLAP;
    return ABUT_OK;
}

static abut_status find_between(const abut_placed *a, const abut_placed *b, abut_cache *cache, bool *overlap) {
    collide_pair placed;
    abut_status status = solids_place_bodies(a, b, NULL, &placed);
    if (status != ABUT_OK) {
        return status;
    }
    if (a->shape->kind == ABUT_SHAPE_PLANE && b->shape->kind == ABUT_SHAPE_PLANE) {
        *overlap = half_spaces_meet(&placed);
        return ABUT_OK;
    }
    if (!collide_is_supported(a->shape, b->shape)) {
        return ABUT_ERROR_UNSUPPORTED_PAIR;
    }
    if (placed.a->mesh != NULL || placed.b->mesh != NULL || curved_any(placed.a, placed.b)) {
        return generator_decides(&placed, overlap);
    }
    if (cache != NULL && separating_holds(&placed, cache->axis)) {
        *overlap = false;
        return ABUT_OK;
    }
    placed.normal.cache =
        placed.a->part_count == 0 && placed.b->part_count == 0 ? cache : NULL; /* the cache belongs to one pair of convex shapes */
    return decide(&placed, overlap);
}

abut_status abut_overlap(const abut_pair *pair, abut_cache *cache, bool *overlap) {
    if (argument_is_null(CALL_NAME, "overlap", overlap)) {
        return ABUT_ERROR_INVALID_ARGUMENT;
    }
    abut_placed a, b;
    abut_status status = collide_place_both(pair, &a, &b) ? find_between(&a, &b, cache, overlap) : ABUT_ERROR_INVALID_ARGUMENT;
    return status == ABUT_OK ? ABUT_OK : collide_refuse(status, CALL_NAME, -1, pair, NULL);
}

abut_status abut_overlap_placed(const abut_placed *a, const abut_placed *b, abut_cache *cache, bool *overlap) {
    if (argument_is_null(CALL_NAME, "overlap", overlap)) {
        return ABUT_ERROR_INVALID_ARGUMENT;
    }
    abut_status status = collide_are_placed(a, b) ? find_between(a, b, cache, overlap) : ABUT_ERROR_INVALID_ARGUMENT;
    return status == ABUT_OK ? ABUT_OK : collide_refuse_placed(status, CALL_NAME, -1, a, b, NULL);
}
