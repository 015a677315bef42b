#include "support/elementary_digest.h"

#include <math.h>

#include "base/digest.h"
#include "base/elementary.h"

enum { VALUES = 100000 };

/* splitmix64: integers only, so it is the same everywhere. */
static uint64_t next_word(uint64_t *state) {
    uint64_t word = *state += UINT64_C(0x9e3779b97f4a7c15);
    word = (word ^ word >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    word = (word ^ word >> 27) * UINT64_C(0x94d049bb133111eb);
    return word ^ word >> 31;
}

/* Either sign, magnitude from 2^lower to 2^upper. */
static double next_number(uint64_t *state, int32_t lower, int32_t upper) {
    uint64_t word = next_word(state), size = next_word(state) % (uint64_t)(upper - lower);
    double x = ldexp(1.0 + (double)(word >> 12) * 0x1p-52, lower + (int32_t)size);
    return word & 1 ? -x : x;
}

static double any_sine(double x) {
    double sine, cosine;
    elementary_sin_cos(x, &sine, &cosine);
    return sine + 2.0 * cosine;
}

static double ends_pow(double x, double y) { return elementary_pow(fabs(x), y); }

typedef struct one_number {
    double (*function)(double);
    int32_t lower, upper;
    int positive;
} one_number;

typedef struct two_numbers {
    double (*function)(double, double);
    int32_t lower, upper, second_lower, second_upper;
} two_numbers;

uint64_t elementary_digest(void) {
    static const one_number ones[] = {
        {elementary_sin, -30, 4, 0},   {elementary_sin, 10, 1023, 0},    {elementary_cos, -30, 4, 0},
        {elementary_cos, 10, 1023, 0}, {any_sine, -10, 30, 0},           {elementary_atan, -40, 60, 0},
        {elementary_exp, -60, 10, 0},  {elementary_cosh, -30, 10, 0},    {elementary_log, -1074, 1023, 1},
        {elementary_log, -1, 1, 1},    {elementary_asinh, -60, 1023, 0}, {elementary_cbrt, -1074, 1023, 0},
        {elementary_gamma, -10, 8, 1},
    };
    static const two_numbers twos[] = {
        {elementary_atan2, -3, 3, -3, 3}, {elementary_atan2, -1074, 1023, -1074, 1023},
        {ends_pow, -2, 2, -3, 6},         {ends_pow, -1074, 1023, -20, 10},
        {elementary_hypot, -3, 3, -3, 3}, {elementary_hypot, -1074, 1023, -1074, 1023},
    };
    uint64_t digest = digest_begin(), state = 1;
    for (size_t k = 0; k < sizeof ones / sizeof *ones; ++k) {
        for (int32_t i = 0; i < VALUES; ++i) {
            double x = next_number(&state, ones[k].lower, ones[k].upper);
            digest = digest_real(digest, ones[k].function(ones[k].positive ? fabs(x) : x));
        }
    }
    for (size_t k = 0; k < sizeof twos / sizeof *twos; ++k) {
        for (int32_t i = 0; i < VALUES; ++i) {
            double x = next_number(&state, twos[k].lower, twos[k].upper),
                   y = next_number(&state, twos[k].second_lower, twos[k].second_upper);
            digest = digest_real(digest, twos[k].function(x, y));
        }
    }
    return digest;
}
