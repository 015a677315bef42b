/* Decimal numbers: equal to strtod() in the C locale, which rounds to the nearest; and the limits of the range. */
#include "shape/formula/decimal.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/check.h"
#include "support/random.h"

static void check_number(const char *text, size_t length) {
    errno = 0;
    double value = -1.0, expected = strtod(text, NULL);
    size_t read = 0;
    decimal_state state = decimal_read(text, &read, &value);
    if (read != length) {
        fail_msg("'%s': %zu characters were read", text, read);
    }
    if (errno == ERANGE) {
        assert_int_equal(state, expected > 1.0 ? DECIMAL_TOO_LARGE : DECIMAL_TOO_SMALL);
    } else if (state != DECIMAL_FINE || value != expected) {
        fail_msg("'%s' is %.17g, not %.17g", text, expected, value);
    }
}

static void known_numbers(void **ignored) {
    (void)ignored;
    static const char *const texts[] = {"0",
                                        "1",
                                        "0.1",
                                        ".5",
                                        "5.",
                                        "1e3",
                                        "1E+3",
                                        "1.5e-3",
                                        "00012",
                                        "0.000",
                                        "123456789012345678901234567890",
                                        "9007199254740993",         /* half-way between two doubles: to even */
                                        "9007199254740993.0000001", /* and just above */
                                        "9007199254740992.99999999",
                                        "1.7976931348623157e308",
                                        "2.2250738585072014e-308",
                                        "4.35",
                                        "2.675",
                                        "1e22",
                                        "1e23",
                                        "8.5e-17",
                                        "0.1000000000000000055511151231257827021181583404541015625",
                                        "0.10000000000000000555111512312578270211815834045410156251",
                                        "9007199254740993.00000000000000000000000000000000000000000001"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; ++i) {
        check_number(texts[i], strlen(texts[i]));
    }
}

static void random_numbers(void **ignored) {
    (void)ignored;
    random_state random = random_make(random_seed("random numbers", 7701));
    for (int i = 0; i < 20000; ++i) {
        char text[128];
        int length = 0, whole = random_below(&random, 25), part = random_below(&random, 50);
        for (int k = 0; k < whole; ++k) {
            text[length++] = (char)('0' + random_below(&random, 10));
        }
        if (part > 0 || whole == 0) {
            text[length++] = '.';
            for (int k = 0; k <= part; ++k) {
                text[length++] = (char)('0' + random_below(&random, 10));
            }
        }
        if (random_below(&random, 2) == 0) {
            length += snprintf(text + length, 12, "e%d", (int)(random_below(&random, 700) - 350));
        }
        text[length] = '\0';
        check_number(text, (size_t)length);
    }
}

/* Sums of two neighbouring doubles, halved, with all their digits: the hardest cases. */
static void halfway_numbers(void **ignored) {
    (void)ignored;
    random_state random = random_make(random_seed("halfway numbers", 7702));
    for (int i = 0; i < 2000; ++i) {
        char text[400];
        double below = random_log_range(&random, 1e-5, 1e15);
        long double middle = 0.5L * ((long double)below + (long double)nextafter(below, INFINITY));
        int length = snprintf(text, sizeof text, "%.80Lf", middle);
        check_number(text, (size_t)length);
    }
}

static void ends(void **ignored) {
    (void)ignored;
    static const struct {
        const char *text;
        size_t length;
        decimal_state state;
    } cases[] = {{"", 0, DECIMAL_NONE},
                 {".", 0, DECIMAL_NONE},
                 {"e5", 0, DECIMAL_NONE},
                 {"-1", 0, DECIMAL_NONE},
                 {"x", 0, DECIMAL_NONE},
                 {"1x", 1, DECIMAL_FINE},
                 {"2e", 1, DECIMAL_FINE},
                 {"2e+", 1, DECIMAL_FINE},
                 {"2e+x", 1, DECIMAL_FINE},
                 {"1.2.3", 3, DECIMAL_FINE},
                 {"1..2", 2, DECIMAL_FINE},
                 {"1e400", 5, DECIMAL_TOO_LARGE},
                 {"1e-400", 6, DECIMAL_TOO_SMALL},
                 {"0e-400", 6, DECIMAL_FINE},
                 {"1e99999999999", 13, DECIMAL_TOO_LARGE},
                 {"1e-99999999999", 14, DECIMAL_TOO_SMALL},
                 {"1.8e308", 7, DECIMAL_TOO_LARGE},
                 {"2.2e-308", 8, DECIMAL_TOO_SMALL}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        size_t length = 0;
        double value = 0.0;
        assert_int_equal(decimal_read(cases[i].text, &length, &value), cases[i].state);
        assert_int_equal(length, cases[i].length);
    }
    /* Many zeros cost digits, but not the value. */
    char text[2200];
    size_t length;
    double value;
    memset(text, '0', sizeof text);
    text[1] = '.';
    strcpy(text + 1000, "5e999");
    assert_int_equal(decimal_read(text, &length, &value), DECIMAL_FINE);
    assert_true(value == 5.0);
    memset(text, '0', sizeof text);
    text[0] = '7';
    strcpy(text + 2001, "e-2000");
    assert_int_equal(decimal_read(text, &length, &value), DECIMAL_FINE);
    assert_true(value == 7.0);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(known_numbers), cmocka_unit_test(random_numbers), cmocka_unit_test(halfway_numbers),
                                       cmocka_unit_test(ends)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
