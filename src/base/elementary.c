/*
 * Elementary functions. Each takes the same three steps. It splits the argument exactly into an entry of a table and a small rest; it
 * evaluates the function of the rest by a Taylor series; it combines both so that only the last sum has a rounding error that matters.
 * Where one number is not precise enough, parts are pairs of numbers (base/twin.h).
 */
#include "base/elementary.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "base/elementary_tables.h"
#include "base/real.h"
#include "base/twin.h"

/* ---- bits ---- */

static uint64_t bits_of(double x) {
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static double from_bits(uint64_t bits) {
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

/* 2^n, -1022 <= n <= 1023 */
static double power_of_two(int32_t n) { return from_bits((uint64_t)(n + 1023) << 52); }

/* The exponent of a normal number, from its bits. */
static int32_t exponent_of(double x) { return (int32_t)(bits_of(x) >> 52 & 0x7ff) - 1023; }

/* x 2^n for 1/2 <= |x| <= 2 and any n that occurs below. Infinity or zero when the result is out of range. */
static double scaled(double x, int32_t n) {
    if (n >= -1021 && n <= 1022) {
        return x * power_of_two(n);
    }
    return n > 0 ? x * power_of_two(n - 600) * 0x1p600 : x * power_of_two(n + 600) * 0x1p-600;
}

/* a + b exactly, if |a| >= |b| or a = 0 */
static twin ordered_sum(double a, double b) {
    double sum = a + b;
    return (twin){sum, b - (sum - a)};
}

/* The upper half of the digits. */
static double first_half(double x) { return from_bits(bits_of(x) & ~UINT64_C(0x7ffffff)); }

/* x^2 = high + low. low is right to half the last digit of high. This is cheaper than twin_product(), but high is not the nearest number to
 * x^2. */
static twin square_of(double x) {
    double half = first_half(x);
    return (twin){half * half, (x + half) * (x - half)};
}

/* Adding and subtracting this number rounds to the nearest whole number. The lowest bits of the sum are that number. */
static const double whole = 0x1.8p52;

static int32_t whole_of(double shifted) { return (int32_t)(uint32_t)bits_of(shifted); }

/* ---- sine and cosine ---- */

/* An angle minus a multiple of pi/2. Of the multiple we keep only the quarter of the circle. */
typedef struct reduced_angle {
    twin rest; /* at most pi/4, apart from rounding */
    int32_t quarter;
} reduced_angle;

/* a b = high 2^64 + low */
static uint64_t product_words(uint64_t a, uint64_t b, uint64_t *low) {
    uint64_t a0 = a & 0xffffffff, a1 = a >> 32, b0 = b & 0xffffffff, b1 = b >> 32;
    uint64_t first = a0 * b0, cross = a1 * b0 + (first >> 32), other = a0 * b1 + (cross & 0xffffffff);
    *low = other << 32 | (first & 0xffffffff);
    return a1 * b1 + (cross >> 32) + (other >> 32);
}

/*
 * Reduces |angle| = m 2^e, m a whole number, in integer arithmetic (M. H. Payne, R. N. Hanek, "Radian reduction for trigonometric
 * functions", 1983). Digits of 2/pi that give multiples of 4 are skipped. The next 192 digits give m 2^e 2/pi modulo 4 to 2^-137. No double
 * is nearer than 2^-62 to a multiple of pi/2.
 */
static reduced_angle reduce_exactly(double angle) {
    uint64_t bits = bits_of(angle), m = (bits & UINT64_C(0xfffffffffffff)) | UINT64_C(0x10000000000000);
    int32_t e = exponent_of(angle) - 52, at = e - 2 + 64, word = at / 64, shift = at % 64;
    uint64_t digits[3];
    for (int i = 0; i < 3; ++i) {
        const uint64_t *from = &two_over_pi_digits[word + i];
        digits[i] = shift == 0 ? from[0] : from[0] << shift | from[1] >> (64 - shift);
    }
    uint64_t low, middle, high, carried;
    carried = product_words(m, digits[2], &low);
    high = product_words(m, digits[1], &middle) + m * digits[0];
    middle += carried;
    high += middle < carried;
    int32_t quarter = (int32_t)(high >> 62);
    high = high << 2 | middle >> 62;
    middle = middle << 2 | low >> 62;
    low <<= 2;
    bool over = high >> 63 != 0; /* more than half a quarter: take the negative distance from the next one */
    if (over) {
        low = ~low + 1;
        middle = ~middle + (low == 0);
        high = ~high + (low == 0 && middle == 0);
        ++quarter;
    }
    int32_t zeros = 0;
    for (; high >> 63 == 0 && zeros < 128; ++zeros) {
        high = high << 1 | middle >> 63;
        middle = middle << 1 | low >> 63;
        low <<= 1;
    }
    double unit = power_of_two(-zeros - 53);
    twin part = {(double)(int64_t)(high >> 11) * unit, (double)(int64_t)((high & 0x7ff) << 42 | middle >> 22) * unit * 0x1p-53};
    twin rest = twin_product(part.high, half_pi_high);
    rest = ordered_sum(rest.high, rest.low + (part.high * half_pi_low + part.low * half_pi_high));
    if (over != (angle < 0.0)) {
        rest = (twin){-rest.high, -rest.low};
    }
    return (reduced_angle){rest, angle < 0.0 ? -quarter : quarter};
}

/* Up to 2^19, the products with the first two parts of pi/2 are exact, and the sum of all three is right to 2^-98. */
static reduced_angle reduce(double angle) {
    double size = fabs(angle);
    if (size <= 0.25 * REAL_PI) {
        return (reduced_angle){{angle, 0.0}, 0};
    }
    if (size < 0x1p19) {
        double shifted = angle * two_over_pi + whole, n = shifted - whole;
        twin rest = twin_sum(angle - n * half_pi_first, -(n * half_pi_second));
        rest = ordered_sum(rest.high, rest.low - n * half_pi_third);
        if (fabs(rest.high) > 0x1p-20) {
            return (reduced_angle){rest, whole_of(shifted)};
        }
    }
    return reduce_exactly(angle);
}

/* Sine and cosine next to an entry of the table: sin b - b and cos b - 1, |b| <= 1/64. */
static double sine_rest(double b, double square) { return b * square * (-1.0 / 6.0 + square * (1.0 / 120.0 - square * (1.0 / 5040.0))); }
static double cosine_rest(double square) { return square * (-0.5 + square * (1.0 / 24.0 - square * (1.0 / 720.0))); }

/* Below this angle the series of the sine is the most precise. */
static const double series_end = 0.125;

static double sine_series(double h, double low) {
    double z = h * h, q = z * z;
    double series = (-1.0 / 6.0 + z * (1.0 / 120.0)) + q * ((-1.0 / 5040.0 + z * (1.0 / 362880.0)) - q * (1.0 / 39916800.0));
    return h + (h * z * series + low * (1.0 - 0.5 * z));
}

/* The sine after this number of quarters of a circle. One formula serves sin(a + b) = sin a cos b + cos a sin b and cos(a + b) = cos a cos
 * b - sin a sin b, so the processor does not have to predict a branch. */
static double of_quarter(twin rest, int32_t quarter) {
    uint32_t turns = (uint32_t)quarter, across = turns & 1;
    double h = fabs(rest.high), low = rest.low * copysign(1.0, rest.high), value;
    if (across == 0 && h < series_end) {
        value = sine_series(h, low);
    } else {
        int32_t i = (int32_t)(h * 32.0 + 0.5);
        const elementary_pair *row = turn_rows[i];
        double sign = 1.0 - 2.0 * across, b = ((h - (double)i * (1.0 / 32.0)) + low), square = b * b, turned = sign * b;
        elementary_pair own = row[across], other = row[across ^ 1];
        double small = own.low + own.high * cosine_rest(square) + (other.high * sine_rest(turned, square) + other.low * turned);
        value = own.high + (other.high * turned + small);
    }
    uint64_t flip = (turns >> 1 & 1) ^ (~(uint64_t)across & bits_of(rest.high) >> 63);
    return from_bits(bits_of(value) ^ flip << 63);
}

double elementary_sin(double angle) {
    double size = fabs(angle);
    if (!(size >= 0x1p-27 && size < INFINITY)) {
        return size < 1.0 ? angle : NAN;
    }
    reduced_angle a = reduce(angle);
    return of_quarter(a.rest, a.quarter);
}

double elementary_cos(double angle) {
    double size = fabs(angle);
    if (!(size >= 0x1p-27 && size < INFINITY)) {
        return size < 1.0 ? 1.0 : NAN;
    }
    reduced_angle a = reduce(angle);
    return of_quarter(a.rest, a.quarter + 1);
}

void elementary_sin_cos(double angle, double *sine, double *cosine) {
    double size = fabs(angle);
    if (!(size >= 0x1p-27 && size < INFINITY)) {
        *sine = size < 1.0 ? angle : NAN;
        *cosine = size < 1.0 ? 1.0 : NAN;
        return;
    }
    reduced_angle a = reduce(angle);
    *sine = of_quarter(a.rest, a.quarter);
    *cosine = of_quarter(a.rest, a.quarter + 1);
}

/* ---- angles of directions ---- */

/* base + sign atan(y/x), for 0 < y <= x, y and x within 2^61 of each other and far from the limits of the range. base is zero or larger
 * than the angle. */
static double angle_of(double y, double x, twin base, double sign) {
    double inverse = 1.0 / x, q = y * inverse;
    int32_t i = (int32_t)(q * 64.0 + 0.5);
    twin angle;
    if (i < 8) {
        twin back = twin_product(q, x);
        double low = ((y - back.high) - back.low) * inverse, z = q * q, zz = z * z;
        double series = ((-1.0 / 3.0 + z * (1.0 / 5.0)) + zz * (-1.0 / 7.0 + z * (1.0 / 9.0))) +
                        zz * zz * ((-1.0 / 11.0 + z * (1.0 / 13.0)) + zz * (-1.0 / 15.0 + z * (1.0 / 17.0)));
        angle = (twin){q, q * z * series + low * (1.0 - z)};
    } else {
        /* tan(a - b) = (tan a - tan b) / (1 + tan a tan b). The numerator y - x tan b has one rounding, the last. */
        double tangent = (double)i * (1.0 / 64.0), x_high = first_half(x);
        double u = ((y - tangent * x_high) - tangent * (x - x_high)) / (x + tangent * y), z = u * u;
        angle = (twin){arc_rows[i].high, arc_rows[i].low + (u + u * z * (-1.0 / 3.0 + z * (1.0 / 5.0 - z * (1.0 / 7.0))))};
    }
    if (base.high == 0.0) {
        return angle.high + angle.low;
    }
    twin sum = ordered_sum(base.high, sign * angle.high);
    return sum.high + (sum.low + (base.low + sign * angle.low));
}

/* The angle of (x, y), or of (-x, y) when `left`; x, y >= 0, not both zero, neither NaN. */
static double upper_angle(double y, double x, bool left) {
    bool steep = y > x;
    twin base = steep ? (twin){half_pi_high, half_pi_low} : left ? (twin){whole_pi_high, whole_pi_low} : (twin){0.0, 0.0};
    double sign = steep == left ? 1.0 : -1.0, greater = steep ? y : x, lesser = steep ? x : y;
    if (greater == INFINITY) {
        return lesser < INFINITY ? base.high : left ? 0.75 * REAL_PI : 0.25 * REAL_PI;
    }
    if (lesser < greater * 0x1p-60) {
        return base.high == 0.0 ? lesser / greater : base.high;
    }
    double unit = greater > 0x1p500 ? 0x1p-600 : greater < 0x1p-400 ? 0x1p600 : 1.0;
    return angle_of(lesser * unit, greater * unit, base, sign);
}

double elementary_atan2(double y, double x) {
    if (isnan(x) || isnan(y)) {
        return NAN;
    }
    bool left = signbit(x) != 0;
    double angle = x == 0.0 && y == 0.0 ? (left ? whole_pi_high : 0.0) : upper_angle(fabs(y), fabs(x), left);
    return copysign(angle, y);
}

double elementary_atan(double x) { return elementary_atan2(x, 1.0); }

/* ---- exponential ---- */

/* e^(x.high + x.low) = (high + low) 2^n, |x.high| < 1000. */
typedef struct power_of_e {
    twin value;
    int32_t n;
} power_of_e;

static power_of_e exponential(twin x) {
    double shifted = x.high * steps_per_e + whole, steps = shifted - whole;
    int32_t k = whole_of(shifted), part = k & 127;
    double r = ((x.high - steps * step_high) - steps * step_low) + x.low, square = r * r;
    double rest = r + square * ((0.5 + r * (1.0 / 6.0)) + square * (1.0 / 24.0 + r * (1.0 / 120.0)));
    const elementary_pair *row = &exp_rows[part];
    return (power_of_e){{row->high, row->low + row->high * rest}, (k - part) / 128};
}

double elementary_exp(double x) {
    if (!(fabs(x) < 800.0)) {
        return x > 0.0 ? INFINITY : x < 0.0 ? 0.0 : NAN;
    }
    power_of_e e = exponential((twin){x, 0.0});
    return scaled(e.value.high + e.value.low, e.n);
}

double elementary_cosh(double x) {
    double size = fabs(x);
    if (!(size < 800.0)) {
        return isnan(x) ? NAN : INFINITY;
    }
    power_of_e e = exponential((twin){size, 0.0});
    if (e.n >= 100) {
        return scaled(e.value.high + e.value.low, e.n - 1);
    }
    /* and e^-x, as the sum of its two parts */
    twin value = ordered_sum(e.value.high, e.value.low);
    double inverse = 1.0 / value.high;
    twin back = twin_product(inverse, value.high);
    double inverse_low = ((1.0 - back.high) - back.low - inverse * value.low) * inverse, unit = power_of_two(-2 * e.n);
    twin sum = twin_sum(value.high, inverse * unit);
    return scaled(sum.high + (sum.low + (value.low + inverse_low * unit)), e.n - 1);
}

/* ---- logarithm ---- */

/* ln x = known + ln(1 + r). `whole` is the short part of what is known; it has free digits, so sums with it are exact. */
typedef struct reduced_log {
    double whole, rest, r, r_low;
} reduced_log;

/* 0 < x < infinity */
static reduced_log reduce_log(double x) {
    int32_t n = 0;
    if (x < 0x1p-1022) {
        x *= 0x1p54;
        n = -54;
    }
    /* x = m 2^n, 11/16 <= m < 22/16; `row` is the part of 128 that contains m. */
    const uint64_t origin = UINT64_C(0x3fe6000000000000);
    uint64_t from = bits_of(x) - origin + (UINT64_C(1024) << 52);
    int32_t exponent = (int32_t)(from >> 52) - 1024;
    double m = from_bits((from & UINT64_C(0xfffffffffffff)) + origin);
    n += exponent;
    const elementary_log_row *row = &log_rows[from >> 45 & 127];
    double m_high = first_half(m);
    double r_first = m_high * row->near - 1.0, r_second = (m - m_high) * row->near; /* both exact */
    double r = r_first + r_second;
    return (reduced_log){n * log_two_high + row->high, n * log_two_low + row->low, r, (r_first - r) + r_second};
}

/* (ln(1 + r) - r + r^2/2) / r^3, |r| <= 2^-7 */
static double log_series(double r, double square) {
    return (1.0 / 3.0 - r * (1.0 / 4.0)) +
           square * ((1.0 / 5.0 - r * (1.0 / 6.0)) + square * ((1.0 / 7.0 - r * (1.0 / 8.0)) + square * (1.0 / 9.0)));
}

double elementary_log(double x) {
    if (!(x > 0.0 && x < INFINITY)) {
        return x > 0.0 ? x : x == 0.0 ? -INFINITY : NAN;
    }
    reduced_log a = reduce_log(x);
    double square = a.r * a.r;
    twin sum = ordered_sum(a.whole, a.r);
    return sum.high + (sum.low + (a.rest + a.r_low) + square * (-0.5 + a.r * log_series(a.r, square)));
}

/* ln x with relative error 2^-67; 0 < x < infinity. */
static twin log_twin(double x) {
    reduced_log a = reduce_log(x);
    twin square = square_of(a.r);
    twin sum = ordered_sum(a.whole, a.r), next = ordered_sum(sum.high, -0.5 * square.high);
    double whole_square = a.r * a.r;
    double low = (sum.low + next.low) + (a.rest + (a.r_low - (a.r * a.r_low + 0.5 * square.low)));
    return ordered_sum(next.high, low + a.r * whole_square * log_series(a.r, whole_square));
}

/* ---- powers ---- */

/* For whole numbers. Twice a whole number is even; odd numbers are below 2^53. */
static bool is_odd(double y) { return fabs(y) < 0x1p53 && fmod(y, 2.0) != 0.0; }

/* Powers for x < 0, for x zero or infinite, and for y infinite. Neither is NaN. */
static double power_at_the_ends(double x, double y) {
    double size = fabs(x);
    if (isinf(y)) {
        return size == 1.0 ? 1.0 : (size > 1.0) == (y > 0.0) ? INFINITY : 0.0;
    }
    bool is_whole = floor(y) == y;
    double sign = signbit(x) && is_whole && is_odd(y) ? -1.0 : 1.0;
    if (size == 0.0 || size == INFINITY) {
        return sign * ((size == 0.0) == (y < 0.0) ? INFINITY : 0.0);
    }
    return is_whole ? sign * elementary_pow(size, y) : NAN;
}

double elementary_pow(double x, double y) {
    if (x == 1.0 || y == 0.0) {
        return 1.0;
    }
    if (!(x > 0.0 && x < INFINITY && fabs(y) < INFINITY)) {
        return isnan(x) || isnan(y) ? NAN : power_at_the_ends(x, y);
    }
    double exponent = fabs(y) < 1e20 ? y : copysign(1e20, y); /* enough for any x except 1 */
    if (fabs(y) < 0x1p-70) {
        return 1.0;
    }
    twin log = log_twin(x);
    double y_half = first_half(exponent), log_half = first_half(log.high);
    twin power = {y_half * log_half, (y_half * (log.high - log_half) + (exponent - y_half) * log.high) + exponent * log.low};
    if (!(fabs(power.high) < 800.0)) {
        return power.high > 0.0 ? INFINITY : 0.0;
    }
    power_of_e e = exponential(power);
    return scaled(e.value.high + e.value.low, e.n);
}

double elementary_asinh(double x) {
    double s = fabs(x);
    if (!(s >= 0x1p-26 && s < INFINITY)) {
        return s < 1.0 ? copysign(s - s * (s * s * (1.0 / 6.0)), x) : x;
    }
    twin log;
    if (s > 0x1p100) {
        log = log_twin(s);
        twin sum = twin_sum(log.high, log_two_high);
        log = (twin){sum.high, sum.low + (log.low + log_two_low)};
    } else {
        /* w = s + sqrt(1 + s^2), as two numbers */
        twin square = twin_product(s, s), under = twin_sum(1.0, square.high);
        double root = sqrt(under.high);
        twin back = twin_product(root, root);
        double root_low = (((under.high - back.high) - back.low) + (under.low + square.low)) / (2.0 * root);
        twin w = twin_sum(root, s);
        w = ordered_sum(w.high, w.low + root_low);
        log = log_twin(w.high);
        log.low += w.low / w.high;
    }
    return copysign(log.high + log.low, x);
}

/* ---- roots ---- */

double elementary_cbrt(double x) {
    double size = fabs(x);
    if (!(size > 0.0 && size < INFINITY)) {
        return x;
    }
    int32_t n = 0;
    if (size < 0x1p-1022) {
        size *= 0x1p54;
        n = -18;
    }
    int32_t thirds = (exponent_of(size) + 1023) / 3 - 341; /* size = m 8^thirds, 1 <= m < 8 */
    double m = from_bits(bits_of(size) - ((uint64_t)(int64_t)(3 * thirds) << 52));
    /* m^(-1/3) = w (1 - e)^(-1/3), e = 1 - m w^3, by four terms of the series in e. Each iteration multiplies the number of right digits by
     * four. */
    double w = 1.0767 + m * (-0.1484 + m * 0.0097);
    for (int i = 0; i < 2; ++i) {
        double e = 1.0 - m * (w * w * w);
        w += w * e * (1.0 / 3.0 + e * (2.0 / 9.0 + e * (14.0 / 81.0)));
    }
    double y = m * (w * w);
    twin square = twin_product(y, y), cube = twin_product(square.high, y);
    y += ((m - cube.high) - (cube.low + square.low * y)) * (w * w) * (1.0 / 3.0);
    return copysign(y * power_of_two(thirds + n), x);
}

double elementary_hypot(double x, double y) {
    double a = fabs(x), b = fabs(y);
    if (isinf(a) || isinf(b)) {
        return INFINITY;
    }
    if (isnan(a) || isnan(b)) {
        return NAN;
    }
    double greater = a > b ? a : b, lesser = a > b ? b : a;
    if (lesser <= greater * 0x1p-60) {
        return greater + lesser;
    }
    double unit = greater > 0x1p500    ? 0x1p-600
                  : greater < 0x1p-400 ? 0x1p600
                                       : 1.0,
           back = greater > 0x1p500    ? 0x1p600
                  : greater < 0x1p-400 ? 0x1p-600
                                       : 1.0;
    twin p = square_of(greater * unit), q = square_of(lesser * unit), sum = ordered_sum(p.high, q.high);
    sum = ordered_sum(sum.high, sum.low + (p.low + q.low));
    double root = sqrt(sum.high);
    twin square = square_of(root);
    double rest = ((sum.high - square.high) - square.low) + sum.low;
    return (root + rest / (2.0 * root)) * back;
}

/* ---- gamma function ---- */

/* Stirling's series from 16 on, where eight terms suffice. Below 16: Gamma(x) = Gamma(x + n) / (x (x + 1) ... (x + n - 1)). */
double elementary_gamma(double x) {
    if (!(x > 0.0 && x < 172.0)) {
        return x > 0.0 ? INFINITY : x == 0.0 ? copysign(INFINITY, x) : NAN;
    }
    if (x < 0x1p-60) {
        return 1.0 / x;
    }
    twin z = {x, 0.0}, divisor = {1.0, 0.0};
    while (z.high < 16.0) {
        twin p = twin_product(divisor.high, z.high);
        divisor = ordered_sum(p.high, p.low + (divisor.high * z.low + divisor.low * z.high));
        twin next = twin_sum(z.high, 1.0);
        z = ordered_sum(next.high, next.low + z.low);
    }
    /* (z - 1/2) ln z - z + ln(2 pi)/2 + 1/(12 z) - ... */
    double inverse = 1.0 / z.high, w = inverse * inverse;
    double series =
        inverse *
        (1.0 / 12.0 -
         w * (1.0 / 360.0 -
              w * (1.0 / 1260.0 -
                   w * (1.0 / 1680.0 - w * (1.0 / 1188.0 - w * (691.0 / 360360.0 - w * (1.0 / 156.0 - w * (3617.0 / 122400.0))))))));
    twin log = log_twin(z.high);
    twin product = twin_product(z.high - 0.5, log.high), less = twin_sum(product.high, -z.high),
         more = twin_sum(less.high, half_log_tau_high);
    double low = product.low + (z.high - 0.5) * log.low + z.low * (log.high - 0.5 * inverse);
    low += less.low + more.low + half_log_tau_low;
    twin exponent = twin_sum(more.high, series);
    power_of_e e = exponential((twin){exponent.high, exponent.low + low});
    /* Divides by the divisor as a pair of numbers. */
    double quotient = e.value.high / divisor.high;
    twin back = twin_product(quotient, divisor.high);
    double rest = ((e.value.high - back.high) - back.low + (e.value.low - quotient * divisor.low)) / divisor.high;
    return scaled(quotient + rest, e.n);
}
