#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <abut/base.h>

/*
 * Parts of a long loop that leave a result each, as a sum or a list, so threads can run them side by side. Parts depend on the number of terms
 * alone, and their results are put together in their order. So a sum has the same rounding error for any number of threads.
 */

enum { PARTS_MOST = 64 };

/* Terms of a part; the last one may have fewer. */
static inline int32_t parts_length(int32_t terms) {
    const int32_t worth_a_thread = 256, least = terms / PARTS_MOST + 1;
    return least > worth_a_thread ? least : worth_a_thread;
}

/* At most PARTS_MOST. */
static inline int32_t parts_count(int32_t terms) {
    int32_t length = parts_length(terms);
    return terms / length + (terms % length != 0);
}

/* The end of a part that begins at `first`. */
static inline int32_t parts_end(int32_t terms, int32_t first) {
    return terms - first < parts_length(terms) ? terms : first + parts_length(terms);
}

/* Whether something holds for any of the terms begin <= i < end. Threads ask for several parts at the same time. */
typedef bool parts_test(const void *argument, int32_t begin, int32_t end);

/* Finds the parts in which the test holds. True if there is one. So a rare case costs one look by all threads, and then one thread goes through the parts found
 * only. parallel: NULL for the defaults */
bool parts_find(const abut_parallel *parallel, int32_t terms, parts_test *test, const void *argument, bool found[PARTS_MOST]);
