/* Sine, exponential and their like: places where the value is known, the C library's long double as a referee where that has more digits, and one number that
 * stands for the bits of two million values and must be the same in every build. */
#include "support/check.h"
#include "support/elementary_digest.h"
#include "support/random.h"

#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/elementary.h"
#include "base/real.h"

static uint64_t bits_of(double x) {
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

/* By its bits, so that zeros have signs; NaN is NaN. */
static void check_bits(double actual, double expected, const char *what, int line) {
    if (bits_of(actual) != bits_of(expected) && !(isnan(actual) && isnan(expected))) {
        print_error("%s = %a, not %a\n", what, actual, expected);
        _fail(__FILE__, line);
    }
}

#define assert_same(actual, expected) check_bits((actual), (expected), #actual, __LINE__)

static const double pi = 3.14159265358979323846;

/* ---- values that are known ---- */

static void test_sine_and_cosine_at_known_places(void **state) {
    (void)state;
    assert_same(elementary_sin(0.0), 0.0);
    assert_same(elementary_sin(-0.0), -0.0);
    assert_same(elementary_cos(0.0), 1.0);
    assert_same(elementary_cos(-0.0), 1.0);
    assert_same(elementary_sin(0.5 * pi), 1.0);
    assert_same(elementary_sin(-0.5 * pi), -1.0);
    assert_same(elementary_cos(pi), -1.0);
    assert_same(elementary_sin(5e-324), 5e-324);
    /* What rounding took from pi, and from pi/2: the numbers' next digits. */
    assert_same(elementary_sin(pi), 0x1.1a62633145c07p-53);
    assert_same(elementary_cos(0.5 * pi), 0x1.1a62633145c07p-54);
    assert_same(elementary_sin(pi / 6.0), 0x1.fffffffffffffp-2); /* a number that is less than pi/6 */
    assert_same(elementary_sin(INFINITY), NAN);
    assert_same(elementary_cos(-INFINITY), NAN);
    assert_same(elementary_sin(NAN), NAN);
    assert_same(elementary_cos(NAN), NAN);
    /* By 1100 digits of pi. */
    assert_same(elementary_sin(1e300), -0x1.a2c16b010e385p-1);
    assert_same(elementary_cos(1e300), -0x1.2699022adc4c1p-1);
    assert_same(elementary_sin(DBL_MAX), 0x1.452fc98b34e97p-8);
    /* 6381956970095103 2^797 is nearest of all numbers to a multiple of pi/2. */
    assert_same(elementary_cos(ldexp(6381956970095103.0, 797)), -0x1.14ae72e6ba22fp-61);
}

static void test_angles_of_directions_keep_the_signs_of_zeros(void **state) {
    (void)state;
    const double inf = INFINITY;
    assert_same(elementary_atan2(0.0, 1.0), 0.0);
    assert_same(elementary_atan2(-0.0, 1.0), -0.0);
    assert_same(elementary_atan2(0.0, 0.0), 0.0);
    assert_same(elementary_atan2(-0.0, 0.0), -0.0);
    assert_same(elementary_atan2(0.0, -0.0), pi);
    assert_same(elementary_atan2(-0.0, -0.0), -pi);
    assert_same(elementary_atan2(0.0, -1.0), pi);
    assert_same(elementary_atan2(-0.0, -1.0), -pi);
    assert_same(elementary_atan2(1.0, 0.0), 0.5 * pi);
    assert_same(elementary_atan2(-1.0, -0.0), -0.5 * pi);
    assert_same(elementary_atan2(1.0, 1.0), 0.25 * pi);
    assert_same(elementary_atan2(1.0, -1.0), 0.75 * pi);
    assert_same(elementary_atan2(-1e-310, -1e-310), -0.75 * pi);
    assert_same(elementary_atan2(inf, inf), 0.25 * pi);
    assert_same(elementary_atan2(inf, -inf), 0.75 * pi);
    assert_same(elementary_atan2(-inf, 3.0), -0.5 * pi);
    assert_same(elementary_atan2(3.0, inf), 0.0);
    assert_same(elementary_atan2(-3.0, -inf), -pi);
    assert_same(elementary_atan2(1e-300, 1e300), 0.0);
    assert_same(elementary_atan2(1e-300, -1e300), pi);
    assert_same(elementary_atan2(3e-320, 1e-5), 3e-320 / 1e-5);
    assert_same(elementary_atan2(NAN, 1.0), NAN);
    assert_same(elementary_atan2(1.0, NAN), NAN);
    assert_same(elementary_atan(-inf), -0.5 * pi);
    assert_same(elementary_atan(-0.0), -0.0);
}

static void test_exponential_and_logarithm_at_known_places(void **state) {
    (void)state;
    assert_same(elementary_exp(0.0), 1.0);
    assert_same(elementary_exp(-0.0), 1.0);
    assert_same(elementary_exp(1.0), 2.71828182845904523536);
    assert_same(elementary_exp(INFINITY), INFINITY);
    assert_same(elementary_exp(-INFINITY), 0.0);
    assert_same(elementary_exp(710.0), INFINITY);
    assert_same(elementary_exp(1e300), INFINITY);
    assert_same(elementary_exp(-746.0), 0.0);
    assert_same(elementary_exp(-745.0), 5e-324);
    assert_same(elementary_exp(NAN), NAN);
    assert_same(elementary_log(1.0), 0.0);
    assert_same(elementary_log(2.0), 0.693147180559945309417);
    assert_same(elementary_log(0.0), -INFINITY);
    assert_same(elementary_log(-0.0), -INFINITY);
    assert_same(elementary_log(-1.0), NAN);
    assert_same(elementary_log(INFINITY), INFINITY);
    assert_same(elementary_log(-INFINITY), NAN);
    assert_same(elementary_log(NAN), NAN);
    assert_same(elementary_cosh(0.0), 1.0);
    assert_same(elementary_cosh(-INFINITY), INFINITY);
    assert_same(elementary_cosh(NAN), NAN);
    assert_same(elementary_asinh(0.0), 0.0);
    assert_same(elementary_asinh(-0.0), -0.0);
    assert_same(elementary_asinh(-INFINITY), -INFINITY);
    assert_same(elementary_asinh(NAN), NAN);
    assert_same(elementary_asinh(5e-324), 5e-324);
}

static void test_powers_at_the_ends(void **state) {
    (void)state;
    const double inf = INFINITY;
    assert_same(elementary_pow(NAN, 0.0), 1.0);
    assert_same(elementary_pow(1.0, NAN), 1.0);
    assert_same(elementary_pow(NAN, 1.0), NAN);
    assert_same(elementary_pow(2.0, NAN), NAN);
    assert_same(elementary_pow(0.0, 3.0), 0.0);
    assert_same(elementary_pow(-0.0, 3.0), -0.0);
    assert_same(elementary_pow(-0.0, 2.0), 0.0);
    assert_same(elementary_pow(-0.0, 0.5), 0.0);
    assert_same(elementary_pow(0.0, -1.5), inf);
    assert_same(elementary_pow(-0.0, -3.0), -inf);
    assert_same(elementary_pow(-0.0, -inf), inf);
    assert_same(elementary_pow(-inf, 3.0), -inf);
    assert_same(elementary_pow(-inf, -3.0), -0.0);
    assert_same(elementary_pow(-inf, 0.5), inf);
    assert_same(elementary_pow(-1.0, inf), 1.0);
    assert_same(elementary_pow(0.5, inf), 0.0);
    assert_same(elementary_pow(0.5, -inf), inf);
    assert_same(elementary_pow(-2.0, inf), inf);
    assert_same(elementary_pow(-2.0, 0.5), NAN);
    assert_same(elementary_pow(-2.0, 3.0), -8.0);
    assert_same(elementary_pow(-2.0, -1074.0), 5e-324);
    assert_same(elementary_pow(-1.0, 1e300), 1.0);
    assert_same(elementary_pow(2.0, 1024.0), inf);
    assert_same(elementary_pow(-2.0, 1e300), inf);
    assert_same(elementary_pow(1.0 + DBL_EPSILON, 1e300), inf);
    assert_same(elementary_pow(1.0 - DBL_EPSILON, 1e300), 0.0);
    assert_same(elementary_pow(3.0, 1e-300), 1.0);
    assert_same(elementary_pow(5e-324, 0.5), 0x1p-537);
}

static void test_roots_and_gamma_at_known_places(void **state) {
    (void)state;
    assert_same(elementary_cbrt(-0.0), -0.0);
    assert_same(elementary_cbrt(INFINITY), INFINITY);
    assert_same(elementary_cbrt(NAN), NAN);
    assert_same(elementary_cbrt(0x1p-1074), 0x1p-358);
    assert_same(elementary_hypot(3.0, -4.0), 5.0);
    assert_same(elementary_hypot(0.0, -0.0), 0.0);
    assert_same(elementary_hypot(3e300, 4e300), 5e300);
    assert_same(elementary_hypot(3 * 5e-324, 4 * 5e-324), 5 * 5e-324);
    assert_same(elementary_hypot(DBL_MAX, DBL_MAX), INFINITY);
    assert_same(elementary_hypot(NAN, -INFINITY), INFINITY);
    assert_same(elementary_hypot(NAN, 1.0), NAN);
    assert_same(elementary_hypot(-2.0, 0.0), 2.0);
    assert_same(elementary_gamma(0.5), 1.77245385090551602730);
    assert_same(elementary_gamma(0.0), INFINITY);
    assert_same(elementary_gamma(-1.5), NAN);
    assert_same(elementary_gamma(172.0), INFINITY);
    assert_same(elementary_gamma(NAN), NAN);
    double factorial = 1.0;
    for (int n = 1; n <= 22; n++) { /* 22! has no more than 53 digits, but for zeros */
        assert_same(elementary_gamma(n), factorial);
        factorial *= n;
    }
}

/* Whole numbers of so few digits that the results are numbers. */
static void test_exact_results_are_exact(void **state) {
    (void)state;
    random_state random = random_make(random_seed("exact", 3));
    for (int i = 0; i < 100000; i++) {
        double n = 1 + random_below(&random, 131071), scale = ldexp(1.0, random_below(&random, 100) - 50);
        assert_same(elementary_cbrt(n * n * n * (scale * scale * scale)), n * scale);
        assert_same(elementary_pow(n * scale, 3.0), n * n * n * (scale * scale * scale));
        assert_same(elementary_pow(n * scale * (n * scale), 0.5), n * scale);
        double x = random_range(&random, -1.0, 1.0) * scale;
        assert_same(elementary_pow(x, 1.0), x);
        double p = 1 + random_below(&random, 8000), q = 1 + random_below(&random, 8000); /* a triple of Pythagoras */
        assert_same(elementary_hypot((p * p - q * q) * scale, 2.0 * p * q * scale), (p * p + q * q) * scale);
        assert_same(elementary_pow(2.0, (double)(i % 2098 - 1074)), ldexp(1.0, i % 2098 - 1074));
    }
}

/* ---- a referee ---- */

typedef struct compared_function {
    const char *name;
    double (*own)(double);
    long double (*referee)(long double);
    double lower, upper; /* of the argument's size: by the logarithm where lower > 0, else uniform */
    double limit;        /* [ulp] */
} compared_function;

typedef struct compared_pair {
    const char *name;
    double (*own)(double, double);
    long double (*referee)(long double, long double);
    double lower, upper, second_lower, second_upper;
    bool positive;
    double limit;
} compared_pair;

static double draw(random_state *random, double lower, double upper) {
    double size = lower > 0.0 ? random_log_range(random, lower, upper) : random_range(random, lower, upper);
    return lower > 0.0 && random_below(random, 2) ? -size : size;
}

/* In units of the last place that the result's size has. */
static double error_of(double actual, long double expected) {
    if (isinf((double)expected) || expected == 0.0L) {
        return actual == (double)expected ? 0.0 : INFINITY;
    }
    int exponent;
    (void)frexpl(expected, &exponent);
    return (double)(fabsl((long double)actual - expected) / ldexpl(1.0L, (exponent < -1021 ? -1021 : exponent) - 53));
}

static double positive_log(double x) { return elementary_log(fabs(x)); }
static long double positive_log_referee(long double x) { return logl(fabsl(x)); }
static double log_beside_one(double x) { return elementary_log(1.0 + x); }
static long double log_beside_one_referee(long double x) { return logl((long double)(1.0 + (double)x)); }

static void test_errors_are_as_small_as_promised(void **state) {
    (void)state;
    if (LDBL_MANT_DIG < 64) {
        print_message("skipped: long double has no more digits\n");
        skip();
    }
    static const compared_function ones[] = {
        {"sin", elementary_sin, sinl, 0.0, 0.8, 0.62},
        {"sin", elementary_sin, sinl, 1e-9, 10.0, 0.62},
        {"sin", elementary_sin, sinl, 1.0, 1e18, 0.62},
        {"cos", elementary_cos, cosl, 0.0, 0.8, 0.62},
        {"cos", elementary_cos, cosl, 1e-9, 10.0, 0.62},
        {"cos", elementary_cos, cosl, 1.0, 1e18, 0.62},
        {"atan", elementary_atan, atanl, 1e-3, 1e3, 0.66},
        {"atan", elementary_atan, atanl, 1e-300, 1e300, 0.66},
        {"exp", elementary_exp, expl, -1.0, 1.0, 0.52},
        {"exp", elementary_exp, expl, -708.0, 709.7, 0.52},
        {"exp, tiny", elementary_exp, expl, -745.0, -708.4, 0.8},
        {"cosh", elementary_cosh, coshl, -3.0, 3.0, 0.52},
        {"cosh", elementary_cosh, coshl, -710.0, 710.0, 0.52},
        {"log", positive_log, positive_log_referee, 1e-320, 1e300, 0.52},
        {"log", positive_log, positive_log_referee, 0.5, 2.0, 0.52},
        {"log beside 1", log_beside_one, log_beside_one_referee, 1e-15, 0.1, 0.52},
        {"asinh", elementary_asinh, asinhl, 1e-9, 10.0, 0.52},
        {"asinh", elementary_asinh, asinhl, 1e-300, 1e300, 0.52},
        {"cbrt", elementary_cbrt, cbrtl, 1e-320, 1e300, 0.51},
        {"gamma", elementary_gamma, tgammal, 0.0, 7.0, 0.54},
        {"gamma", elementary_gamma, tgammal, 0.0, 171.0, 0.54},
    };
    static const compared_pair twos[] = {
        {"atan2", elementary_atan2, atan2l, -1.0, 1.0, -1.0, 1.0, false, 0.66},
        {"atan2", elementary_atan2, atan2l, 1e-300, 1e300, 1e-300, 1e300, false, 0.66},
        {"pow", elementary_pow, powl, 0.0, 3.0, -10.0, 10.0, true, 0.52},
        {"pow", elementary_pow, powl, 0.9, 1.1, 1e-3, 7000.0, true, 0.52},
        {"pow", elementary_pow, powl, 1e-100, 1e100, -3.0, 3.0, true, 0.52},
        {"hypot", elementary_hypot, hypotl, -1.0, 1.0, -1.0, 1.0, false, 0.51},
        {"hypot", elementary_hypot, hypotl, 1e-300, 1e300, 1e-300, 1e300, false, 0.51},
    };
    random_state random = random_make(random_seed("errors", 4));
    int32_t samples = random_samples("errors", 2000000);
    bool good = true;
    for (size_t k = 0; k < sizeof ones / sizeof *ones; k++) {
        double worst = 0.0, at = 0.0;
        for (int32_t i = 0; i < samples; i++) {
            double x = draw(&random, ones[k].lower, ones[k].upper), error = error_of(ones[k].own(x), ones[k].referee(x));
            at = error <= worst ? at : x;
            worst = error <= worst ? worst : error;
        }
        print_message("%-14s %.3g ulp at %a\n", ones[k].name, worst, at);
        good = good && worst <= ones[k].limit;
    }
    for (size_t k = 0; k < sizeof twos / sizeof *twos; k++) {
        double worst = 0.0, at = 0.0, second_at = 0.0;
        for (int32_t i = 0; i < samples; i++) {
            double x = draw(&random, twos[k].lower, twos[k].upper), y = draw(&random, twos[k].second_lower, twos[k].second_upper);
            x = twos[k].positive ? fabs(x) : x;
            double error = error_of(twos[k].own(x, y), twos[k].referee(x, y));
            at = error <= worst ? at : x;
            second_at = error <= worst ? second_at : y;
            worst = error <= worst ? worst : error;
        }
        print_message("%-14s %.3g ulp at %a, %a\n", twos[k].name, worst, at, second_at);
        good = good && worst <= twos[k].limit;
    }
    assert_true(good);
}

/* ---- what holds everywhere ---- */

static void test_signs_and_pairs(void **state) {
    (void)state;
    random_state random = random_make(random_seed("signs", 5));
    for (int i = 0; i < 200000; i++) {
        double x = draw(&random, 1e-10, i % 2 ? 10.0 : 1e300), y = draw(&random, 1e-10, 1e10), sine, cosine;
        elementary_sin_cos(x, &sine, &cosine);
        assert_same(sine, elementary_sin(x));
        assert_same(cosine, elementary_cos(x));
        assert_same(elementary_sin(-x), -sine);
        assert_same(elementary_cos(-x), cosine);
        assert_true(fabs(sine * sine + cosine * cosine - 1.0) < 4e-16);
        assert_same(elementary_atan2(-y, x), -elementary_atan2(y, x));
        assert_same(elementary_atan(x), elementary_atan2(x, 1.0));
        assert_same(elementary_hypot(x, y), elementary_hypot(-y, x));
        assert_same(elementary_cbrt(-x), -elementary_cbrt(x));
        assert_same(elementary_asinh(-x), -elementary_asinh(x));
        assert_same(elementary_cosh(-x), elementary_cosh(x));
        assert_same(elementary_atan2(ldexp(y, -30), ldexp(x, -30)), elementary_atan2(y, x));
    }
}

/* From one number to the next, also across the borders of the tables. */
static void test_functions_rise_where_they_should(void **state) {
    (void)state;
    random_state random = random_make(random_seed("rise", 6));
    for (int i = 0; i < 2000; i++) {
        double x = i % 2 ? random_range(&random, 0.01, 1.5) : (1 + random_below(&random, 190)) / 128.0;
        for (int k = 0; k < 20; k++) {
            x = nextafter(x, 0.0);
        }
        for (int k = 0; k < 40; k++) {
            double next = nextafter(x, 2.0);
            assert_true(elementary_sin(x) <= elementary_sin(next));
            assert_true(elementary_cos(x) >= elementary_cos(next));
            assert_true(elementary_atan(x) <= elementary_atan(next));
            assert_true(elementary_exp(x) <= elementary_exp(next));
            assert_true(elementary_log(x) <= elementary_log(next));
            assert_true(elementary_cbrt(x) <= elementary_cbrt(next));
            assert_true(elementary_asinh(x) <= elementary_asinh(next));
            x = next;
        }
    }
}

static void test_rotations_about_an_axis(void **state) {
    (void)state;
    abut_quat q = abut_quat_about(abut_vec3_make(0.0, 0.0, 1.0), 0.6);
    assert_same(q.x, 0.0);
    assert_same(q.z, elementary_sin(0.3));
    assert_same(q.w, elementary_cos(0.3));
    double over, cosine;
    real_turn(0.3 * 0.3, &over, &cosine);
    assert_near(over, elementary_sin(0.3) / 0.3, 1e-15);
    assert_near(cosine, elementary_cos(0.3), 1e-15);
}

/* C leaves open which zero fmin(0, -0) gives. */
static void test_least_and_most_take_the_first_zero_and_no_nan(void **state) {
    (void)state;
    assert_same(real_min_number(0.0, -0.0), 0.0);
    assert_same(real_min_number(-0.0, 0.0), -0.0);
    assert_same(real_max_number(0.0, -0.0), 0.0);
    assert_same(real_max_number(-0.0, 0.0), -0.0);
    assert_same(real_min_number(NAN, 1.0), 1.0);
    assert_same(real_min_number(1.0, NAN), 1.0);
    assert_same(real_max_number(NAN, 1.0), 1.0);
    assert_same(real_max_number(1.0, NAN), 1.0);
    assert_same(real_max_number(NAN, NAN), NAN);
    assert_same(real_min_number(2.0, 1.0), 1.0);
    assert_same(real_max_number(2.0, 1.0), 2.0);
}

/* ---- every build ---- */

/* The same number on x86-64, by gcc and clang, and on WebAssembly. Whoever changes a function changes it, and the results of every simulation. */
static void test_every_build_has_the_same_bits(void **state) {
    (void)state;
    uint64_t digest = elementary_digest();
    print_message("digest %016" PRIx64 "\n", digest);
    assert_true(digest == UINT64_C(0xb1716b117c8dd8af));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sine_and_cosine_at_known_places),
        cmocka_unit_test(test_angles_of_directions_keep_the_signs_of_zeros),
        cmocka_unit_test(test_exponential_and_logarithm_at_known_places),
        cmocka_unit_test(test_powers_at_the_ends),
        cmocka_unit_test(test_roots_and_gamma_at_known_places),
        cmocka_unit_test(test_exact_results_are_exact),
        cmocka_unit_test(test_errors_are_as_small_as_promised),
        cmocka_unit_test(test_signs_and_pairs),
        cmocka_unit_test(test_functions_rise_where_they_should),
        cmocka_unit_test(test_rotations_about_an_axis),
        cmocka_unit_test(test_least_and_most_take_the_first_zero_and_no_nan),
        cmocka_unit_test(test_every_build_has_the_same_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
