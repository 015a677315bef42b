/* Pairs that never touch, as a sorted list of keys. */
#include "step/world/meet/excluded.h"

#include <string.h>

#include "base/argument.h"
#include "base/array.h"

enum { KEY_BYTES = 8 };

static uint64_t key_of(int32_t a, int32_t b) { return a < b ? (uint64_t)a << 32 | (uint64_t)b : (uint64_t)b << 32 | (uint64_t)a; }

/* The place of the first key that is not below this one. */
static int32_t place_of(const excluded_pairs *list, uint64_t key) {
    int32_t low = 0, high = list->count;
    while (low < high) {
        int32_t middle = low + (high - low) / 2;
        if (list->keys[middle] < key) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

static bool has(const excluded_pairs *list, uint64_t key) {
    int32_t at = place_of(list, key);
    return at < list->count && list->keys[at] == key;
}

static bool asks_to_touch(const abut_world *world, int32_t a, int32_t b) {
    const abut_pair_filter *filter = &world->def.filter;
    int32_t low = a < b ? a : b, high = a < b ? b : a;
    const abut_body_pair pair = world_body_pair(world, low, high);
    return filter->lets_touch == NULL || filter->lets_touch(filter->context, &pair);
}

bool excluded_lets_touch(const abut_world *world, int32_t a, int32_t b) {
    return !has(&world->excluded, key_of(a, b)) && asks_to_touch(world, a, b);
}

void excluded_drop_of(abut_world *world, int32_t slot) {
    excluded_pairs *list = &world->excluded;
    int32_t kept = 0;
    for (int32_t i = 0; i < list->count; i++) {
        uint64_t key = list->keys[i];
        if (key >> 32 != (uint64_t)slot && (key & UINT32_MAX) != (uint64_t)slot) {
            list->keys[kept++] = key;
        }
    }
    list->count = kept;
}

/* ---- calls ---- */

static abut_status find_both(const char *call, const abut_world *world, abut_body_id a, abut_body_id b, int32_t *slot_a, int32_t *slot_b) {
    *slot_a = body_find(world, a);
    *slot_b = body_find(world, b);
    if (*slot_a < 0 || *slot_b < 0) {
        return world_lacks_id(call, world);
    }
    return *slot_a != *slot_b ? ABUT_OK : refuse(ABUT_ERROR_INVALID_ARGUMENT, call, "a and b are one body");
}

static void wake_both(abut_world *world, int32_t a, int32_t b) {
    body_wake(world, a);
    body_wake(world, b);
}

abut_status abut_world_exclude_pair(abut_world *world, abut_body_id a, abut_body_id b) {
    int32_t slot_a, slot_b;
    abut_status status = find_both(CALL_NAME, world, a, b, &slot_a, &slot_b);
    if (status != ABUT_OK) {
        return status;
    }
    excluded_pairs *list = &world->excluded;
    uint64_t key = key_of(slot_a, slot_b);
    if (has(list, key)) {
        return ABUT_OK;
    }
    if (list->count == INT32_MAX || !array_extend(&list->keys, &list->capacity, list->count, list->count + 1, sizeof *list->keys)) {
        return ABUT_ERROR_OUT_OF_MEMORY;
    }
    int32_t at = place_of(list, key);
    memmove(list->keys + at + 1, list->keys + at, (size_t)(list->count++ - at) * sizeof *list->keys);
    list->keys[at] = key;
    world->permissions++;
    wake_both(world, slot_a, slot_b);
    return ABUT_OK;
}

abut_status abut_world_include_pair(abut_world *world, abut_body_id a, abut_body_id b) {
    int32_t slot_a, slot_b;
    abut_status status = find_both(CALL_NAME, world, a, b, &slot_a, &slot_b);
    if (status != ABUT_OK) {
        return status;
    }
    excluded_pairs *list = &world->excluded;
    uint64_t key = key_of(slot_a, slot_b);
    if (has(list, key)) {
        int32_t at = place_of(list, key);
        memmove(list->keys + at, list->keys + at + 1, (size_t)(--list->count - at) * sizeof *list->keys);
        world->permissions++;
        wake_both(world, slot_a, slot_b);
    }
    return ABUT_OK;
}

abut_status abut_world_is_pair_excluded(const abut_world *world, abut_body_id a, abut_body_id b, bool *excluded) {
    int32_t slot_a, slot_b;
    if (argument_is_null(CALL_NAME, "excluded", excluded)) {
        return ABUT_ERROR_INVALID_ARGUMENT;
    }
    abut_status status = find_both(CALL_NAME, world, a, b, &slot_a, &slot_b);
    if (status == ABUT_OK) {
        *excluded = has(&world->excluded, key_of(slot_a, slot_b));
    }
    return status;
}

/* ---- saved states ---- */

void excluded_save(saved_stream *s, const abut_world *world) {
    int32_t count = world->excluded.count;
    saved_int32(s, &count);
    for (int32_t i = 0; i < count; i++) {
        uint64_t key = world->excluded.keys[i];
        saved_uint64(s, &key);
    }
}

abut_status excluded_read(saved_stream *s, const body *bodies, int32_t body_used, excluded_pairs *list) {
    if (!saved_count(s, &list->count, KEY_BYTES)) {
        list->count = 0;
        return ABUT_ERROR_FORMAT;
    }
    list->keys = saved_room(list->count, sizeof *list->keys);
    if (list->keys == NULL) {
        return ABUT_ERROR_OUT_OF_MEMORY;
    }
    list->capacity = list->count > 0 ? list->count : 1;
    for (int32_t i = 0; i < list->count && !s->broken; i++) {
        saved_uint64(s, &list->keys[i]);
        uint64_t low = list->keys[i] >> 32, high = list->keys[i] & UINT32_MAX;
        bool named = low < high && high < (uint64_t)body_used && bodies[low].used && bodies[high].used;
        s->broken = s->broken || !named || (i > 0 && list->keys[i] <= list->keys[i - 1]);
    }
    return s->broken ? ABUT_ERROR_FORMAT : ABUT_OK;
}
