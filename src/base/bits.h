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
