#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Maps the numbers that a file gives to vertices or entities to their indices. Numbers may have gaps of any size: memory follows the count, not the largest
 * number.
 */

typedef struct tag_entry {
    int64_t tag;
    int32_t index;
} tag_entry;

typedef struct tag_map {
    tag_entry *entries; /* [count] ascending; NULL: tag `first` is index 0, and so on without a gap */
    int64_t first;
    int32_t count;
} tag_map;

/*
 * The map of `count` tags, each the first number of a record of `stride` bytes. To be released; false when there is no memory.
 */
bool tag_map_make(const void *tags, int32_t count, size_t stride, tag_map *map);
/* Index of a tag; -1 when there is none; the first index when two have the tag. */
int32_t tag_map_find(const tag_map *map, int64_t tag);
/* Finds a tag that two entries have; false when there is none. */
bool tag_map_find_twice(const tag_map *map, int64_t *tag);
void tag_map_release(tag_map *map);
