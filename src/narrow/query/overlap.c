/*
 * abut_overlap(). It first tries to prove that two bodies are apart or overlap. Without a proof, the contact generator decides. So the
 * answer always agrees with abut_collide(), whatever the rounding error.
 */

#include <abut/query.h>

#include "narrow/normal/gauge.h"
#include "narrow/generators.h"
#include "narrow/normal/convex_parts.h"
#include "narrow/query/gjk_overlap.h"
#include "narrow/separating.h"

/* Two half-spaces are apart only if their planes are parallel, face each other and have a gap. */
static bool half_spaces_meet(const collide_pair *pair) {
    const double parallel = 1e-14, rounding = 1e-14;
    abut_vec3 outward = abut_mat3_apply(pair->rotation_b, pair->b->normal);
    double along = abut_dot(outward, pair->position_b);
    double between = -(pair->a->offset + pair->b->offset + along);
    bool opposite = abut_length(abut_add(pair->a->normal, outward)) <= parallel;
    return !opposite || between <= rounding * (fabs(pair->a->offset) + fabs(pair->b->offset) + fabs(along));
}

static convex_relation relate_to_plane(const convex *body, const body_parts *plane) {
    double height = -(plane->offset + convex_extent(body, abut_neg(plane->outward)) + body->radius);
    double doubt = separating_doubt_of_plane(body, plane);
    return height > doubt ? RELATION_APART : height < -1e-2 * doubt ? RELATION_OVERLAP : RELATION_CLOSE;
}

/* The closer of two relations: overlap before close before apart. */
static convex_relation closer(convex_relation p, convex_relation q) {
    return p == RELATION_OVERLAP || q == RELATION_OVERLAP ? RELATION_OVERLAP : p == RELATION_CLOSE ? p : q;
}

static convex_relation relate_two(const body_parts *a, int32_t i, const body_parts *b, int32_t j, abut_vec3 *axis) {
    if (parts_ball_gap(&a->ball[i], &b->ball[j]) > separating_doubt(&a->part[i], &b->part[j])) {
        *axis = abut_unit(abut_sub(b->ball[j].centre, a->ball[i].centre));
        return RELATION_APART;
    }
    return convex_relate(&a->part[i], &b->part[j], axis);
}

/* axis if the two parts compared last are apart: receives a direction that separates them. It separates the bodies if they have one part
 * each. */
static convex_relation relate_parts(const body_parts *a, const body_parts *b, abut_vec3 *axis) {
    convex_relation relation = RELATION_APART;
    for (int32_t i = 0; i < a->count && relation != RELATION_OVERLAP; ++i) {
        for (int32_t j = 0; j < b->count && relation != RELATION_OVERLAP; ++j) {
            relation = closer(relation, relate_two(a, i, b, j, axis));
        }
    }
    return relation;
}

static convex_relation relate_bodies(const body_parts *a, const body_parts *b, abut_vec3 *axis) {
    if (!a->is_plane && !b->is_plane) {
        return relate_parts(a, b, axis);
    }
    const body_parts *plane = a->is_plane ? a : b, *body = a->is_plane ? b : a;
    convex_relation relation = RELATION_APART;
    for (int32_t i = 0; i < body->count; ++i) {
        relation = closer(relation, relate_to_plane(&body->part[i], plane));
    }
    return relation;
}

static abut_status generator_decides(const collide_pair *pair, bool *overlap) {
    contact_list list;
    contact_list_init(&list, pair->order, pair->aside);
    collide_find_generator(pair->a, pair->b)(pair, &list);
    abut_status status = list.out_of_memory ? ABUT_ERROR_OUT_OF_MEMORY : ABUT_OK;
    if (status == ABUT_OK) {
        *overlap = list.count > 0;
    }
    contact_list_free(&list);
    return status;
}

static abut_status decide(const collide_pair *pair, bool *overlap) {
    body_parts a = {.part = NULL}, b = {.part = NULL};
    bool placed = parts_place(pair->a, abut_mat3_identity(), abut_vec3_make(0, 0, 0), &a) &&
                  parts_place(pair->b, pair->rotation_b, pair->position_b, &b);
    abut_vec3 axis = {0, 0, 0}; /* remains zero for a plane */
    convex_relation relation = placed ? relate_bodies(&a, &b, &axis) : RELATION_CLOSE;
    parts_free(&a);
    parts_free(&b);
    if (!placed) {
        return ABUT_ERROR_OUT_OF_MEMORY;
    }
    if (relation == RELATION_CLOSE) {
        return generator_decides(pair, overlap);
    }
    if (pair->normal.cache != NULL && relation == RELATION_APART) {
        pair->normal.cache->axis = axis;
    }
    *overlap = relation == RELATION_OVERLAP;
    return ABUT_OK;
}

abut_status abut_overlap(const abut_pair *pair, abut_cache *cache, bool *overlap) {
    if (overlap == NULL) {
        return ABUT_ERROR_INVALID_ARGUMENT;
    }
    collide_pair placed;
    abut_mat3 rotation;
    abut_status status = collide_place(pair, NULL, &placed, &rotation);
    if (status != ABUT_OK) {
        return status;
    }
    if (pair->a->kind == ABUT_SHAPE_PLANE && pair->b->kind == ABUT_SHAPE_PLANE) {
        *overlap = half_spaces_meet(&placed);
        return ABUT_OK;
    }
    if (collide_find_generator(pair->a, pair->b) == NULL) {
        return ABUT_ERROR_UNSUPPORTED_PAIR;
    }
    if (pair->a->mesh != NULL || pair->b->mesh != NULL) {
        return generator_decides(&placed, overlap);
    }
    if (cache != NULL && separating_holds(&placed, cache->axis)) {
        *overlap = false;
        return ABUT_OK;
    }
    placed.normal.cache = pair->a->part_count == 0 && pair->b->part_count == 0 ? cache : NULL; /* the cache belongs to one pair of convex shapes */
    return decide(&placed, overlap);
}
