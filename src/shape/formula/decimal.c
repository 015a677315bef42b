/*
 * A decimal number is M 10^e with a whole number M. Whole numbers of many words compute it exactly, up to 54 bits and the knowledge whether others follow.
 */
#include "shape/formula/decimal.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>

/* A number half-way between two doubles has at most 768 digits. Of digits after MOST_DIGITS it only counts whether one is not 0. */
enum {
    MOST_DIGITS = 800,
    SHIFT = 48, /* words: 2^(32 SHIFT) times the least double has more than 54 bits before the point */
    WORDS = 136 /* for 10^MOST_DIGITS times 2^(32 SHIFT) */
};

typedef struct whole {
    uint32_t word[WORDS]; /* lowest first */
    int count;
} whole;

static void multiply_add(whole *w, uint32_t factor, uint32_t carry) {
    for (int i = 0; i < w->count; ++i) {
        uint64_t t = (uint64_t)w->word[i] * factor + carry;
        w->word[i] = (uint32_t)t;
        carry = (uint32_t)(t >> 32);
    }
    if (carry != 0) {
        w->word[w->count++] = carry;
    }
}

/* Returns the remainder. */
static uint32_t divide(whole *w, uint32_t by) {
    uint64_t rest = 0;
    for (int i = w->count - 1; i >= 0; --i) {
        uint64_t t = rest << 32 | w->word[i];
        w->word[i] = (uint32_t)(t / by);
        rest = t % by;
    }
    while (w->count > 0 && w->word[w->count - 1] == 0) {
        w->count--;
    }
    return (uint32_t)rest;
}

static void shift_words(whole *w) {
    for (int i = w->count - 1; i >= 0; --i) {
        w->word[i + SHIFT] = w->word[i];
    }
    for (int i = 0; i < SHIFT; ++i) {
        w->word[i] = 0;
    }
    w->count += SHIFT;
}

static bool bit_of(const whole *w, int i) { return (w->word[i / 32] >> i % 32 & 1u) != 0; }

/* The number times 2^exponent; more: a part below the lowest bit is not zero. */
static double rounded(const whole *w, int exponent, bool more) {
    int length = 32 * w->count;
    while (!bit_of(w, length - 1)) {
        length--;
    }
    int drop = length > DBL_MANT_DIG ? length - DBL_MANT_DIG : 0;
    uint64_t mantissa = 0;
    for (int i = length - 1; i >= drop; --i) {
        mantissa = mantissa << 1 | bit_of(w, i);
    }
    if (drop > 0 && bit_of(w, drop - 1)) {
        for (int i = 0; i < drop - 1 && !more; ++i) {
            more = bit_of(w, i);
        }
        mantissa += more || (mantissa & 1u) != 0;
    }
    return ldexp((double)mantissa, drop + exponent);
}

static double scaled(whole *w, int exponent, bool more) {
    for (int i = 0; i < exponent; ++i) {
        multiply_add(w, 10, 0);
    }
    if (exponent >= 0) {
        return rounded(w, 0, more);
    }
    shift_words(w);
    for (int i = 0; i > exponent; --i) {
        more = divide(w, 10) != 0 || more;
    }
    return rounded(w, -32 * SHIFT, more);
}

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

/* The digits and the point; the exponent that the point and dropped digits give. */
static const char *read_digits(const char *t, whole *w, int *digits, int *exponent, bool *more, bool *any) {
    bool point = false;
    for (; is_digit(*t) || (*t == '.' && !point); ++t) {
        if (*t == '.') {
            point = true;
            continue;
        }
        *any = true;
        uint32_t digit = (uint32_t)(*t - '0');
        if (*digits < MOST_DIGITS) {
            multiply_add(w, 10, digit);
            *digits += w->count > 0;
            *exponent -= point;
        } else {
            *more = *more || digit != 0;
            *exponent += !point;
        }
    }
    return t;
}

static const char *read_exponent(const char *t, int *exponent) {
    const char *digit = t + 1;
    if ((*t != 'e' && *t != 'E') || !(is_digit(*digit) || ((*digit == '+' || *digit == '-') && is_digit(digit[1])))) {
        return t;
    }
    int sign = *digit == '-' ? -1 : 1, size = 0;
    for (digit += !is_digit(*digit); is_digit(*digit); ++digit) {
        size = size < 1000000 ? 10 * size + (*digit - '0') : size;
    }
    *exponent += sign * size;
    return digit;
}

decimal_state decimal_read(const char *text, size_t *length, double *value) {
    whole w = {.count = 0};
    int exponent = 0, digits = 0;
    bool more = false, any = false;
    const char *end = read_digits(text, &w, &digits, &exponent, &more, &any);
    if (!any) {
        return DECIMAL_NONE;
    }
    end = read_exponent(end, &exponent);
    *length = (size_t)(end - text);
    int size = digits + exponent; /* the number lies from 10^(size - 1) to 10^size */
    if (w.count == 0 || size - 1 > DBL_MAX_10_EXP || size < DBL_MIN_10_EXP) {
        *value = 0.0;
        return w.count == 0 ? DECIMAL_FINE : size > 0 ? DECIMAL_TOO_LARGE : DECIMAL_TOO_SMALL;
    }
    *value = scaled(&w, exponent, more);
    return !(*value <= DBL_MAX) ? DECIMAL_TOO_LARGE : *value < DBL_MIN ? DECIMAL_TOO_SMALL : DECIMAL_FINE;
}
