#pragma once

#include <stdint.h>

/* Index of the lowest bit that is set; bits != 0. */
static inline int bits_lowest(unsigned bits) {
#if defined(__GNUC__)
    return __builtin_ctz(bits);
#else
    int lowest = 0;
    for (; (bits & 1u) == 0u; bits >>= 1) {
        ++lowest;
    }
    return lowest;
#endif
}

/* Index of the highest bit that is set; bits != 0. */
static inline int bits_highest(unsigned bits) {
#if defined(__GNUC__)
    return 31 - __builtin_clz(bits);
#else
    int highest = 0;
    while ((bits >>= 1) != 0u) {
        ++highest;
    }
    return highest;
#endif
}

/* How many bits are set. */
static inline int bits_count(unsigned bits) {
    uint32_t sums = (uint32_t)bits;
    sums -= sums >> 1 & 0x55555555u;
    sums = (sums & 0x33333333u) + (sums >> 2 & 0x33333333u);
    sums = (sums + (sums >> 4)) & 0x0f0f0f0fu;
    return (int)(sums * 0x01010101u >> 24);
}
