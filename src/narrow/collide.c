/*
 * abut_collide: brings the pair into its own frame, calls the generator, and brings the contacts back to the world.
 */

#include <abut/collide.h>

#include "base/argument.h"
#include "narrow/box/collide.h"
#include "narrow/curved/curved.h"
#include "narrow/generators.h"
#include "narrow/round/collide.h"
#include "narrow/seam/mend.h"
#include "narrow/separating.h"
#include "narrow/solids.h"
#include "shape/smooth.h"

abut_collide_settings abut_collide_settings_default(void) { return (abut_collide_settings)COLLIDE_DEFAULTS; }

/* False when the general path has to find the contacts, or to tell which argument is wrong. */
static bool collide_two_rounds(const round_body *a, const round_body *b, const abut_collide_settings *settings, abut_cache *cache,
                               abut_contact *contacts, int32_t capacity, int32_t *count) {
    static const abut_collide_settings defaults = COLLIDE_DEFAULTS;
    const abut_collide_settings *s = settings != NULL ? settings : &defaults;
    round_answer answer = {cache, contacts, capacity, 0};
    if ((settings != NULL && collide_check_settings(s) != ABUT_OK) || !round_collide(a, b, s, &answer)) {
        return false;
    }
    *count = answer.count;
    return true;
}

static inline bool are_boxes(const abut_shape *a, const abut_shape *b) { return a->kind == ABUT_SHAPE_BOX && b->kind == ABUT_SHAPE_BOX; }

/* Two boxes in vector lanes. False when the general path has to find the contacts, or to tell which argument is wrong. */
static inline bool collide_two_boxes(const abut_placed *a, const abut_placed *b, const abut_collide_settings *settings, abut_cache *cache,
                                     abut_contact *contacts, int32_t capacity, int32_t *count) {
    if (!a->is_valid || !b->is_valid) {
        return false;
    }
    if (settings != NULL && (!box_tasks_are_fit(a->shape, b->shape, settings->normal == ABUT_NORMAL_MINIMUM, settings->refine_normal) ||
                             collide_check_settings(settings) != ABUT_OK)) {
        return false;
    }
    return box_collide(a, b, settings, cache, contacts, capacity, count);
}

abut_status collide_make(const abut_pair *pair, const abut_collide_settings *settings, abut_cache *cache, abut_contact *contacts,
                         int32_t capacity, int32_t *count) {
    if (pair == NULL || pair->a == NULL || pair->b == NULL) {
        *count = 0;
        return ABUT_ERROR_INVALID_ARGUMENT;
    }
    bool boxes = are_boxes(pair->a, pair->b);
    if (!boxes && round_is_fit(pair->a, pair->b) && abut_pose_is_valid(pair->pose_a) && abut_pose_is_valid(pair->pose_b)) {
        const round_body a = {pair->a, &pair->pose_a, NULL}, b = {pair->b, &pair->pose_b, NULL};
        if (collide_two_rounds(&a, &b, settings, cache, contacts, capacity, count)) {
            return *count > capacity ? ABUT_ERROR_CAPACITY : ABUT_OK;
        }
    }
    const abut_placed a = collide_place_body(pair->a, &pair->pose_a), b = collide_place_body(pair->b, &pair->pose_b);
    if (boxes && collide_two_boxes(&a, &b, settings, cache, contacts, capacity, count)) {
        return *count > capacity ? ABUT_ERROR_CAPACITY : ABUT_OK;
    }
    return collide_generally(&a, &b, NULL, false, settings, cache, contacts, capacity, count);
}

/* Bodies whose contacts begin with a look along a cached direction, or with fifteen axes or the distance of two axes, which take no longer than that look. */
static bool looks_itself(const collide_pair *pair) {
    bool box_a = pair->a->kind == ABUT_SHAPE_BOX, box_b = pair->b->kind == ABUT_SHAPE_BOX;
    return smooth_is(pair->a) || smooth_is(pair->b) || (box_a && box_b) || (!box_a && !box_b && round_is_fit(pair->a, pair->b));
}

abut_status collide_generally(const abut_placed *a, const abut_placed *b, const still_bodies *others, bool still_is_a,
                              const abut_collide_settings *settings, abut_cache *cache, abut_contact *contacts, int32_t capacity,
                              int32_t *count) {
    *count = 0;
    collide_pair placed;
    abut_status status = solids_place_bodies(a, b, settings, &placed);
    if (status != ABUT_OK) {
        return status;
    }
    const bool curved = curved_any(placed.a, placed.b);
    collide_pair stand_ins;
    const collide_pair *seen = curved && curved_pair(&placed, &stand_ins) ? &stand_ins : &placed;
    collide_generator *generate = collide_find_generator(seen->a, seen->b);
    if (generate == NULL) {
        return ABUT_ERROR_UNSUPPORTED_PAIR;
    }
    generate = generate == collide_boxes && others == NULL ? collide_boxes_generally : generate;
    if (solids_are_apart(&placed)) {
        return ABUT_OK;
    }
    if (cache != NULL && !looks_itself(&placed) && separating_holds(&placed, cache->axis)) {
        return ABUT_OK;
    }
    placed.normal.cache = shape_is_convex(placed.a) && shape_is_convex(placed.b) ? cache : NULL;
    contact_list list;
    contact_list_init(&list, placed.order, placed.aside);
    generate(seen, &list);
    if (generate != collide_facetmesh) { /* its forces are shares of discs and polygons, which tile; none may be left out */
        seam_mend_pair(seen, others, still_is_a, &list);
    }
    if (curved) {
        curved_settle(&placed, &list);
    }
    solids_name_contacts(&placed, &list);
    contact_list_finish(&list, &a->rotation);
    if (list.out_of_memory) {
        contact_list_free(&list);
        return ABUT_ERROR_OUT_OF_MEMORY;
    }
    contact_list_write(&list, &a->rotation, &a->pose.position, contacts, capacity);
    *count = list.count;
    contact_list_free(&list);
    return *count > capacity ? ABUT_ERROR_CAPACITY : ABUT_OK;
}

abut_status collide_beside(const abut_placed *a, const abut_placed *b, const still_bodies *others, bool still_is_a,
                           const abut_collide_settings *settings, abut_cache *cache, abut_contact *contacts, int32_t capacity,
                           int32_t *count) {
    const bool boxes = are_boxes(a->shape, b->shape);
    if (others == NULL && !boxes && round_is_fit(a->shape, b->shape) && a->is_valid && b->is_valid) {
        const round_body round_a = {a->shape, &a->pose, &a->rotation}, round_b = {b->shape, &b->pose, &b->rotation};
        if (collide_two_rounds(&round_a, &round_b, settings, cache, contacts, capacity, count)) {
            return *count > capacity ? ABUT_ERROR_CAPACITY : ABUT_OK;
        }
    }
    if (others == NULL && boxes && collide_two_boxes(a, b, settings, cache, contacts, capacity, count)) {
        return *count > capacity ? ABUT_ERROR_CAPACITY : ABUT_OK;
    }
    return collide_generally(a, b, others, still_is_a, settings, cache, contacts, capacity, count);
}

/* What abut_collide() and its forms check before they look at the bodies. */
static inline bool has_room(const abut_contact *contacts, int32_t capacity, const int32_t *count) {
    return count != NULL && capacity >= 0 && (contacts != NULL || capacity == 0);
}

/* The same with the words. */
static bool is_without_room(const char *call, const abut_contact *contacts, int32_t capacity, int32_t *count) {
    if (has_room(contacts, capacity, count)) {
        *count = 0;
        return false;
    }
    if (argument_is_null(call, "count", count)) {
        return true;
    }
    *count = 0;
    return argument_is_no_buffer(call, "contacts", contacts, capacity);
}

abut_status abut_collide(const abut_pair *pair, const abut_collide_settings *settings, abut_cache *cache, abut_contact *contacts,
                         int32_t capacity, int32_t *count) {
    if (is_without_room(CALL_NAME, contacts, capacity, count)) {
        return ABUT_ERROR_INVALID_ARGUMENT;
    }
    abut_status status = collide_make(pair, settings, cache, contacts, capacity, count);
    return status == ABUT_OK ? ABUT_OK : collide_refuse(status, CALL_NAME, -1, pair, settings);
}

abut_status abut_collide_placed(const abut_placed *a, const abut_placed *b, const abut_collide_settings *settings, abut_cache *cache,
                                abut_contact *contacts, int32_t capacity, int32_t *count) {
    /* Two boxes take hardly longer than the checks that other pairs pass. */
    const bool placed = collide_are_placed(a, b), boxes = placed && has_room(contacts, capacity, count) && are_boxes(a->shape, b->shape);
    if (boxes && collide_two_boxes(a, b, settings, cache, contacts, capacity, count)) {
        return *count > capacity ? ABUT_ERROR_CAPACITY : ABUT_OK;
    }
    if (is_without_room(CALL_NAME, contacts, capacity, count)) {
        return ABUT_ERROR_INVALID_ARGUMENT;
    }
    abut_status status = ABUT_ERROR_INVALID_ARGUMENT;
    if (placed) {
        status = boxes ? collide_generally(a, b, NULL, false, settings, cache, contacts, capacity, count)
                       : collide_beside(a, b, NULL, false, settings, cache, contacts, capacity, count);
    }
    return status == ABUT_OK ? ABUT_OK : collide_refuse_placed(status, CALL_NAME, -1, a, b, settings);
}
