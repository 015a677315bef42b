#include "support/counting.h"

#include <stdatomic.h>
#include <stdlib.h>

#include <abut/base.h>

static atomic_size_t held;

/* As large as malloc's alignment. */
typedef union head {
    size_t size;
    max_align_t align;
} head;

static void *count_allocate(void *context, size_t size) {
    (void)context;
    head *block = malloc(sizeof *block + size);
    if (block == NULL) {
        return NULL;
    }
    block->size = size;
    held += size;
    return block + 1;
}

static void count_release(void *context, void *memory) {
    (void)context;
    head *block = (head *)memory - 1;
    held -= block->size;
    free(block);
}

void counting_begin(void) {
    const abut_allocator counting = {count_allocate, count_release, NULL};
    (void)abut_set_allocator(&counting);
}

void counting_end(void) { (void)abut_set_allocator(NULL); }

size_t counting_held(void) { return atomic_load(&held); }
