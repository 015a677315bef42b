/* An allocator that counts its blocks, fills them with arbitrary bytes and can refuse requests. */
#include "support/allocator.h"

#include <stdlib.h>
#include <string.h>

static void *counting_allocate(void *context, size_t size) {
    counting_allocator *allocator = context;
    if (allocator->requests++ == allocator->refuse_at) {
        allocator->refused = true;
        return NULL;
    }
    void *memory = malloc(size);
    if (memory != NULL) {
        memset(memory, 0xa5, size);
        allocator->live++;
    }
    return memory;
}

static void counting_release(void *context, void *memory) {
    counting_allocator *allocator = context;
    allocator->live--;
    free(memory);
}

void counting_allocator_install(counting_allocator *allocator) {
    abut_allocator handed = {counting_allocate, counting_release, allocator};
    abut_set_allocator(&handed);
}

void counting_allocator_remove(void) { abut_set_allocator(NULL); }
