/*
 * Arrays that grow.
 */
#include "io/file/grow.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { LEAST_CAPACITY = 16 };

bool grow_array(void *array, size_t *capacity, size_t needed, size_t most, size_t size) {
    size_t limit = most < SIZE_MAX / size ? most : SIZE_MAX / size;
    if (needed <= *capacity) {
        return true;
    }
    if (needed > limit) {
        return false;
    }
    size_t wanted = *capacity < limit / 2 ? 2 * *capacity : limit;
    wanted = wanted < LEAST_CAPACITY && LEAST_CAPACITY < limit ? LEAST_CAPACITY : wanted;
    wanted = wanted < needed ? needed : wanted;
    void *block; /* the pointer is copied, because `array` may point to a pointer of any type */
    memcpy(&block, array, sizeof block);
    void *grown = realloc(block, wanted * size);
    if (!grown) {
        return false;
    }
    memcpy(array, &grown, sizeof grown);
    *capacity = wanted;
    return true;
}
