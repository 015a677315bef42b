/* Memory from the caller's allocator. A header in front of each block holds a copy of the allocator that made the block, so the allocator
 * may change while blocks are alive. The size of the header is a multiple of the maximal alignment, so blocks are as aligned as the
 * allocator's memory. */
#include "base/memory.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <abut/base.h>

#include "base/argument.h"

typedef union memory_header {
    abut_allocator allocator;
    max_align_t alignment;
} memory_header;

static void *standard_allocate(void *context, size_t size) {
    (void)context;
    return malloc(size);
}

static void standard_release(void *context, void *memory) {
    (void)context;
    free(memory);
}

static const abut_allocator standard_allocator = {standard_allocate, standard_release, NULL};
static abut_allocator current_allocator = {standard_allocate, standard_release, NULL};

abut_status abut_set_allocator(const abut_allocator *allocator) {
    if (allocator == NULL) {
        current_allocator = standard_allocator;
        return ABUT_OK;
    }
    if (allocator->allocate == NULL || allocator->release == NULL) {
        return refuse(ABUT_ERROR_INVALID_ARGUMENT, CALL_NAME, "allocator->%s is NULL",
                      allocator->allocate == NULL ? "allocate" : "release");
    }
    current_allocator = *allocator;
    return ABUT_OK;
}

static bool is_too_much(size_t count, size_t size) { return size > 0 && count > (SIZE_MAX - sizeof(memory_header)) / size; }

static size_t bytes_of(size_t count, size_t size) { return count * size > 0 ? count * size : 1; }

static bool is_standard(const abut_allocator *allocator) { return allocator->allocate == standard_allocate; }

/* Memory with arbitrary contents. */
static void *take(size_t count, size_t size) {
    if (is_too_much(count, size)) {
        return NULL;
    }
    abut_allocator allocator = current_allocator;
    memory_header *header = allocator.allocate(allocator.context, sizeof(memory_header) + bytes_of(count, size));
    if (header == NULL) {
        return NULL;
    }
    header->allocator = allocator;
    return header + 1;
}

/* A large zeroed block of the C library consists of pages that are touched only when they are used. */
static void *take_zeroed_pages(size_t count, size_t size) {
    memory_header *header = is_too_much(count, size) ? NULL : calloc(1, sizeof(memory_header) + bytes_of(count, size));
    if (header == NULL) {
        return NULL;
    }
    header->allocator = standard_allocator;
    return header + 1;
}

void *memory_allocate(size_t count, size_t size) {
    if (is_standard(&current_allocator)) {
        return take_zeroed_pages(count, size);
    }
    void *block = take(count, size);
    return block != NULL ? memset(block, 0, bytes_of(count, size)) : NULL;
}

static size_t kept_of(const void *block, size_t used, size_t count) { return block == NULL ? 0 : used < count ? used : count; }

/* Large blocks of the C library grow without a copy. */
static void *extend_in_place(void *block, size_t count, size_t size) {
    memory_header *header =
        is_too_much(count, size) ? NULL : realloc((memory_header *)block - 1, sizeof(memory_header) + bytes_of(count, size));
    return header != NULL ? header + 1 : NULL;
}

void *memory_extend(void *block, size_t used, size_t count, size_t size) {
    if (block != NULL && is_standard(&current_allocator) && is_standard(&((memory_header *)block - 1)->allocator)) {
        return extend_in_place(block, count, size);
    }
    char *grown = take(count, size);
    size_t kept = kept_of(block, used, count);
    if (grown != NULL) {
        if (kept > 0) {
            memcpy(grown, block, kept * size);
        }
        memory_release(block);
    }
    return grown;
}

void *memory_grow(void *block, size_t used, size_t count, size_t size) {
    size_t kept = kept_of(block, used, count);
    char *grown = memory_extend(block, used, count, size);
    if (grown != NULL) {
        memset(grown + kept * size, 0, (count - kept) * size);
    }
    return grown;
}

void memory_release(void *block) {
    if (block == NULL) {
        return;
    }
    memory_header *header = (memory_header *)block - 1;
    abut_allocator allocator = header->allocator;
    allocator.release(allocator.context, header);
}
