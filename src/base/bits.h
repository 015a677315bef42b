#pragma once

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
    int count = 0;
    for (; bits != 0u; bits &= bits - 1u) {
        ++count;
    }
    return count;
}
