#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Growing arrays. `array` is the address of the pointer to the first element, which is NULL at first; the functions replace the pointer
 * when the array grows. *capacity is the number of elements that the array has room for. `size` is that of an element.
 */

/* Makes room for `needed` elements. The contents of a replaced array are arbitrary. False when there is no memory; the array is then
 * unchanged. */
bool array_reserve(void *array, int32_t *capacity, int32_t needed, size_t size);

/* The same, but the first `used` elements keep their contents. */
bool array_extend(void *array, int32_t *capacity, int32_t used, int32_t needed, size_t size);

/* The same, but grows by a sixteenth only: for large arrays whose length seldom changes much. */
bool array_extend_tightly(void *array, int32_t *capacity, int32_t used, int32_t needed, size_t size);

/* Doubles an array that starts as `few`, elements on the stack or inside a struct, and moves to a block when they are full. The pointer at
 * `array` is `few` or a block, and all *capacity elements are in use. The new elements are arbitrary. False when there is no memory; nothing changes then. */
bool array_double(void *array, const void *few, int32_t *capacity, size_t size);
