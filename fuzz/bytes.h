#pragma once

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/*
 * Turns the input of a fuzz target into choices and numbers: ordinary numbers and numbers that often break programs. Every sequence of bytes is valid; after
 * its end, zeros follow. One byte decides little, so a small change of the input makes a small change of the decoded values.
 */

enum { BYTES_RECENT = 8 };

typedef struct bytes {
    const uint8_t *next, *end;
    bool wild;                   /* any double at all; otherwise numbers from -16 to 16, most of them on a grid */
    double recent[BYTES_RECENT]; /* a ring buffer of recent numbers: equal and nearly equal numbers often break geometry */
    uint32_t count;
} bytes;

static inline bytes bytes_make(const uint8_t *data, size_t size) {
    bytes in = {.next = data, .end = data + size};
    return in;
}

static inline uint8_t bytes_byte(bytes *in) { return in->next < in->end ? *in->next++ : 0; }

static inline size_t bytes_left(const bytes *in) { return (size_t)(in->end - in->next); }

/* 0 to count - 1; count at most 256. */
static inline int32_t bytes_below(bytes *in, int32_t count) { return bytes_byte(in) % count; }

/* Copies the next `size` bytes. Zeros follow the end of the input. */
static inline void bytes_raw(bytes *in, void *out, size_t size) {
    size_t given = bytes_left(in) < size ? bytes_left(in) : size;
    memset(out, 0, size);
    if (given > 0) {
        memcpy(out, in->next, given);
    }
    in->next += given;
}

static inline double bytes_special(bytes *in) {
    static const double special[] = {0.0,
                                     -0.0,
                                     1.0,
                                     -1.0,
                                     0.5,
                                     2.0,
                                     NAN,
                                     INFINITY,
                                     -INFINITY,
                                     5e-324,
                                     -5e-324,
                                     2.2250738585072014e-308,
                                     1e308,
                                     -1e308,
                                     1e154,
                                     -1e77,
                                     1e60,
                                     1e-60,
                                     1e-154,
                                     1e20,
                                     1e16,
                                     1e-16,
                                     1e-12,
                                     1e-9,
                                     1e-6,
                                     1e-3,
                                     0.1,
                                     1e3,
                                     1e6,
                                     1e9,
                                     1e100,
                                     1e-100,
                                     1.0 / 3,
                                     0.25,
                                     0.70710678118654752,
                                     0.78539816339744831,
                                     3.14159265358979323846,
                                     0.034906585039886591};
    return special[bytes_byte(in) % (sizeof special / sizeof *special)];
}

/* A recent number, either unchanged or changed by a rounding, a small step or a reflection. */
static inline double bytes_again(bytes *in) {
    uint8_t choice = bytes_byte(in);
    double x = in->recent[choice % BYTES_RECENT];
    switch (choice / BYTES_RECENT % 8) {
    case 0:
    case 1:
        return x;
    case 2:
        return -x;
    case 3:
        return nextafter(x, INFINITY);
    case 4:
        return nextafter(x, -INFINITY);
    case 5:
        return x * (1.0 + pow(10.0, -bytes_below(in, 17)));
    case 6:
        return x + pow(10.0, -bytes_below(in, 17));
    default:
        return 0.5 * x;
    }
}

/* A number of any size, or any eight bytes. */
static inline double bytes_boundless(bytes *in, uint8_t kind) {
    if (kind < 216) {
        return bytes_special(in);
    }
    if (kind < 236) {
        int16_t exponent;
        bytes_raw(in, &exponent, sizeof exponent);
        return ldexp(1.0 + bytes_byte(in) / 256.0, exponent % 1080) * (exponent & 1 ? -1.0 : 1.0);
    }
    double x;
    bytes_raw(in, &x, sizeof x);
    return x;
}

static inline double bytes_number(bytes *in) {
    uint8_t kind = bytes_byte(in);
    double x;
    if (!in->wild) {
        kind %= 176;
    }
    if (kind < 96) {
        x = (int8_t)bytes_byte(in) / 8.0;
    } else if (kind < 136) {
        int32_t fine;
        bytes_raw(in, &fine, sizeof fine);
        x = ldexp(fine, -30);
    } else if (kind < 176) {
        x = bytes_again(in);
    } else {
        x = bytes_boundless(in, kind);
    }
    in->recent[in->count++ % BYTES_RECENT] = x;
    return x;
}

/* A number times a power of ten from 1 down to 1e-17. (One call per statement: C does not fix the order in which the operands of * are evaluated.) */
static inline double bytes_small(bytes *in) {
    double x = bytes_number(in);
    return x * pow(10.0, -bytes_below(in, 18));
}
