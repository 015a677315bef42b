#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <abut/base.h>

/*
 * An allocator that counts its blocks, fills them with rubbish and can refuse. Tests of running out of memory refuse every request in turn:
 *
 *     counting_allocator memory = {.refuse_at = -1};
 *     int64_t refused = 0;
 *     do {
 *         memory = (counting_allocator){.refuse_at = refused++};
 *         counting_allocator_install(&memory);
 *         status = call_under_test();
 *         counting_allocator_remove();
 *         ... while memory.refused, status must be ABUT_ERROR_OUT_OF_MEMORY; always memory.live must be 0 after cleaning up
 *     } while (memory.refused);
 *
 * Not for calls that allocate on several threads.
 */
typedef struct counting_allocator {
    int64_t refuse_at; /* index of the request that is refused, from 0; below 0, none is refused */
    int64_t requests;  /* so far */
    int64_t live;      /* blocks not released yet */
    bool refused;      /* a request was */
} counting_allocator;

/* The library uses this allocator from now on. */
void counting_allocator_install(counting_allocator *allocator);

/* The library uses malloc from now on. Blocks of the counting allocator still go back to it, so it must outlive them. */
void counting_allocator_remove(void);
