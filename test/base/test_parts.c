/* Parts cover all terms once, and the parts in which a test holds are found. */
#include "base/parts.h"

#include "support/check.h"
#include "support/random.h"

static void test_parts_cover_all_terms(void **state) {
    (void)state;
    random_state random = random_make(random_seed("parts", 3));
    for (int round = 0; round < 2000; round++) {
        int32_t terms = random_below(&random, round % 2 == 0 ? 1000 : INT32_MAX), end = 0;
        assert_in_range(parts_count(terms), terms > 0, PARTS_MOST);
        for (int32_t part = 0; part < parts_count(terms); part++) {
            assert_int_equal(part * parts_length(terms), end);
            end = parts_end(terms, end);
        }
        assert_int_equal(end, terms);
    }
}

static bool is_any_set(const void *argument, int32_t begin, int32_t end) {
    const bool *set = argument;
    for (int32_t i = begin; i < end; i++) {
        if (set[i]) {
            return true;
        }
    }
    return false;
}

static void test_finds_the_parts(void **state) {
    (void)state;
    enum { TERMS = 40000 };
    static bool set[TERMS];
    random_state random = random_make(random_seed("parts", 4));
    for (int round = 0; round < 200; round++) {
        int32_t terms = random_below(&random, TERMS), count = random_below(&random, 4), number = 0;
        bool found[PARTS_MOST], expected[PARTS_MOST] = {false};
        for (int32_t i = 0; i < terms; i++) {
            set[i] = false;
        }
        for (int32_t i = 0; i < count && terms > 0; i++) {
            int32_t term = random_below(&random, terms);
            set[term] = expected[term / parts_length(terms)] = true;
            number++;
        }
        assert_int_equal(parts_find(NULL, terms, is_any_set, set, found), number > 0);
        for (int32_t part = 0; part < parts_count(terms); part++) {
            assert_int_equal(found[part], expected[part]);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_parts_cover_all_terms),
        cmocka_unit_test(test_finds_the_parts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
