#pragma once

#include <stddef.h>

/*
 * Memory from the caller's allocator (abut_set_allocator). Every block remembers the allocator that made it.
 */

/* count * size bytes, all zero. NULL when there is no memory or the product overflows. A product of 0 gives a block of one byte. */
void *memory_allocate(size_t count, size_t size);

/* Returns a block of `count` elements that starts with the first `used` elements of `block`; the rest is zero. `block` is released. NULL
 * when there is no memory; `block` is then unchanged. block may be NULL when used is 0. */
void *memory_grow(void *block, size_t used, size_t count, size_t size);

/* The same, but the rest is arbitrary. */
void *memory_extend(void *block, size_t used, size_t count, size_t size);

/* Does nothing for NULL. */
void memory_release(void *block);

/* Prefetches bytes, at least one, that are read soon, so that their lines come together and not one after the other. */
static inline void memory_fetch(const void *from, size_t bytes) {
#if defined(__GNUC__) && !defined(__wasm__)
    enum { LINE = 64 };
    const char *at = from, *last = at + bytes - 1;
    for (; at < last; at += LINE) {
        __builtin_prefetch(at);
    }
    __builtin_prefetch(last);
#else
    (void)from;
    (void)bytes;
#endif
}
