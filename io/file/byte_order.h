#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/*
 * Reads numbers from bytes in the byte order of a file, which may differ from that of the machine.
 */

/* The unsigned number of `size` bytes, at most 8. big: the most significant byte comes first. */
static inline uint64_t bytes_unsigned(const char *bytes, size_t size, bool big) {
    uint64_t bits = 0;
    for (size_t i = 0; i < size; i++) {
        size_t byte = big ? i : size - 1 - i;
        bits = bits << 8 | (unsigned char)bytes[byte];
    }
    return bits;
}

/* As bytes_unsigned(), but signed, in two's complement. */
static inline int64_t bytes_signed(const char *bytes, size_t size, bool big) {
    uint64_t bits = bytes_unsigned(bytes, size, big);
    switch (size) {
    case 1:
        return (int8_t)bits;
    case 2:
        return (int16_t)bits;
    case 4:
        return (int32_t)bits;
    default:
        return (int64_t)bits;
    }
}

/* A floating-point number of single (size 4) or double (size 8) precision. */
static inline double bytes_real(const char *bytes, size_t size, bool big) {
    uint64_t bits = bytes_unsigned(bytes, size, big);
    uint32_t low = (uint32_t)bits;
    float single;
    double real;
    memcpy(&single, &low, sizeof single);
    memcpy(&real, &bits, sizeof real);
    return size == 4 ? (double)single : real;
}
