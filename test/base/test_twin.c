/* Sums and products with twice the digits, for known results. */
#include "support/check.h"
#include "support/random.h"

#include <math.h>

#include "base/twin.h"

static void test_sum_keeps_what_is_rounded_away(void **state) {
    (void)state;
    twin s = twin_sum(1.0, ldexp(1.0, -70));
    assert_near(s.high, 1.0, 0.0);
    assert_near(s.low, ldexp(1.0, -70), 0.0);
    s = twin_sum(ldexp(1.0, -70), -1.0);
    assert_near(s.high, -1.0, 0.0);
    assert_near(s.low, ldexp(1.0, -70), 0.0);
}

/* (2^27 + a)(2^27 + b) = 2^54 + 2^27 (a + b) + a b, with small whole numbers: all parts are known. */
static void test_product_is_exact(void **state) {
    (void)state;
    random_state random = random_make(random_seed("product", 1));
    for (int i = 0; i < 1000; i++) {
        int64_t a = random_below(&random, 1000) - 500, b = random_below(&random, 1000) - 500;
        double x = ldexp(1.0, 27) + (double)a, y = ldexp(1.0, 27) + (double)b;
        twin p = twin_product(x, y);
        int64_t exact = ((int64_t)1 << 54) + ((a + b) * ((int64_t)1 << 27)) + a * b;
        assert_near(p.high, (double)exact, 0.0);
        assert_int_equal((int64_t)p.high + (int64_t)p.low, exact);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_sum_keeps_what_is_rounded_away), cmocka_unit_test(test_product_is_exact)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
