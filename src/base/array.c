/* Arrays that grow by half their size, so that a slowly growing world does not allocate in every step. */
#include "base/array.h"

#include <string.h>

#include "base/memory.h"

/* divisor: grows by this part of its size at least. */
static bool extend(void *array, int32_t *capacity, int32_t used, int32_t needed, size_t size, int32_t divisor) {
    void *block;
    memcpy(&block, array, sizeof block);
    if (block != NULL && needed <= *capacity) {
        return true;
    }
    int32_t least = needed > 16 ? needed : 16;
    int32_t wanted = *capacity < INT32_MAX / 2 && *capacity + *capacity / divisor > least ? *capacity + *capacity / divisor : least;
    block = memory_grow(block, (size_t)used, (size_t)wanted, size);
    if (block == NULL) {
        return false;
    }
    memcpy(array, &block, sizeof block);
    *capacity = wanted;
    return true;
}

bool array_extend(void *array, int32_t *capacity, int32_t used, int32_t needed, size_t size) {
    return extend(array, capacity, used, needed, size, 2);
}

bool array_extend_tightly(void *array, int32_t *capacity, int32_t used, int32_t needed, size_t size) {
    return extend(array, capacity, used, needed, size, 16);
}

bool array_reserve(void *array, int32_t *capacity, int32_t needed, size_t size) { return array_extend(array, capacity, 0, needed, size); }

bool array_double(void *array, const void *few, int32_t *capacity, size_t size) {
    void *block;
    memcpy(&block, array, sizeof block);
    bool first = block == few;
    size_t used = (size_t)*capacity;
    void *grown = *capacity <= INT32_MAX / 2 ? memory_extend(first ? NULL : block, first ? 0 : used, 2 * used, size) : NULL;
    if (grown == NULL) {
        return false;
    }
    if (first) {
        memcpy(grown, few, used * size);
    }
    memcpy(array, &grown, sizeof grown);
    *capacity *= 2;
    return true;
}
