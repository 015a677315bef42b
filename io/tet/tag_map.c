/*
 * A sorted array, or no array when the numbers are consecutive, as in most files.
 */
#include "io/tet/tag_map.h"

#include <stdlib.h>
#include <string.h>

static int64_t tag_at(const void *tags, int32_t i, size_t stride) {
    int64_t tag;
    memcpy(&tag, (const char *)tags + (size_t)i * stride, sizeof tag);
    return tag;
}

/* By tag, then by index, so that the order does not depend on the sorting algorithm. */
static int compare(const void *left, const void *right) {
    const tag_entry *a = left, *b = right;
    if (a->tag != b->tag) {
        return a->tag < b->tag ? -1 : 1;
    }
    return (a->index > b->index) - (a->index < b->index);
}

static bool follows_without_gap(const void *tags, int32_t count, size_t stride, int64_t first) {
    for (int32_t i = 1; i < count; i++) {
        int64_t tag = tag_at(tags, i, stride);
        if (tag < first || (uint64_t)tag - (uint64_t)first != (uint64_t)i) {
            return false;
        }
    }
    return true;
}

bool tag_map_make(const void *tags, int32_t count, size_t stride, tag_map *map) {
    tag_map made = {.count = count, .first = count > 0 ? tag_at(tags, 0, stride) : 0};
    if (!follows_without_gap(tags, count, stride, made.first)) {
        made.entries = malloc((size_t)count * sizeof *made.entries);
        if (!made.entries) {
            return false;
        }
        for (int32_t i = 0; i < count; i++) {
            made.entries[i] = (tag_entry){tag_at(tags, i, stride), i};
        }
        qsort(made.entries, (size_t)count, sizeof *made.entries, compare);
    }
    *map = made;
    return true;
}

int32_t tag_map_find(const tag_map *map, int64_t tag) {
    if (!map->entries) {
        uint64_t index = (uint64_t)tag - (uint64_t)map->first;
        return tag >= map->first && index < (uint64_t)map->count ? (int32_t)index : -1;
    }
    int32_t low = 0, high = map->count;
    while (low < high) {
        int32_t middle = low + (high - low) / 2;
        if (map->entries[middle].tag < tag) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low < map->count && map->entries[low].tag == tag ? map->entries[low].index : -1;
}

bool tag_map_find_twice(const tag_map *map, int64_t *tag) {
    for (int32_t i = 1; map->entries && i < map->count; i++) {
        if (map->entries[i].tag == map->entries[i - 1].tag) {
            *tag = map->entries[i].tag;
            return true;
        }
    }
    return false;
}

void tag_map_release(tag_map *map) {
    free(map->entries);
    *map = (tag_map){0};
}
