#pragma once

#include <stdbool.h>
#include <stddef.h>

/*
 * Makes room for `needed` elements of `size` bytes in the array whose pointer lies at `array`. *capacity is the number of elements that the array has room
 * for; a larger array at least doubles it. False when there is no memory or `needed` is above `most`; array and capacity are then as they were.
 */
bool grow_array(void *array, size_t *capacity, size_t needed, size_t most, size_t size);
