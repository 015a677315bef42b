#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Arrays that grow.
 */

/* The block itself while it holds `needed` elements, else a larger one in its place, with arbitrary contents. NULL when there is no
 * memory, and the block is then as it was. *capacity is the number of elements there is room for. */
void *array_room(void *block, int32_t *capacity, int32_t needed, size_t size);

/* The same, and the first `used` elements keep their contents. */
void *array_more_room(void *block, int32_t *capacity, int32_t used, int32_t needed, size_t size);

/* The same for an array whose pointer lies at `array`: it is replaced when it has to grow. False when there is no memory. */
bool array_reserve(void *array, int32_t *capacity, int32_t needed, size_t size);

/* The same, and the first `used` elements keep their contents. */
bool array_extend(void *array, int32_t *capacity, int32_t used, int32_t needed, size_t size);

/* Doubles an array that begins as `few` elements on the stack or inside a struct and moves to a block when these are full. The pointer at `array` is `few` or
 * a block, all *capacity elements are in use. False when there is no memory, and then nothing changes. */
bool array_double(void *array, const void *few, int32_t *capacity, size_t size);
