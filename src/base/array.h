#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Growing arrays. *capacity is the number of elements that the array has room for.
 */

/* Returns the block itself if it has room for `needed` elements, else a larger block in its place. The contents of a new block are
 * arbitrary. Returns NULL when there is no memory; the old block is then unchanged. */
void *array_room(void *block, int32_t *capacity, int32_t needed, size_t size);

/* The same, but the first `used` elements keep their contents. */
void *array_more_room(void *block, int32_t *capacity, int32_t used, int32_t needed, size_t size);

/* As array_room(), but `array` is the address of the pointer, which is replaced when the array grows. False when there is no memory. */
bool array_reserve(void *array, int32_t *capacity, int32_t needed, size_t size);

/* The same, but the first `used` elements keep their contents. */
bool array_extend(void *array, int32_t *capacity, int32_t used, int32_t needed, size_t size);

/* Doubles an array that begins as `few` elements on the stack or inside a struct and moves to a block when these are full. The pointer at `array` is `few` or
 * a block, all *capacity elements are in use. False when there is no memory, and then nothing changes. */
bool array_double(void *array, const void *few, int32_t *capacity, size_t size);
