/* Instruction sets: the plain one is everywhere, the best one is here, and nothing that is none. */
#include "base/instruction_set.h"

#include "support/check.h"

static void test_sets(void **state) {
    (void)state;
    assert_true(instruction_set_is_here(INSTRUCTIONS_SCALAR));
    assert_true(instruction_set_is_here(instruction_set_best()));
    for (int set = (int)instruction_set_best() + 1; set < INSTRUCTION_SETS; ++set) {
        assert_false(instruction_set_is_here((instruction_set)set));
    }
    assert_false(instruction_set_is_here(INSTRUCTION_SETS));
    assert_false(instruction_set_is_here((instruction_set)-1));
#if SIMD_HAS_SSE2
    assert_true(instruction_set_is_here(INSTRUCTIONS_SSE2));
#else
    assert_int_equal(instruction_set_best(), INSTRUCTIONS_SCALAR);
#endif
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_sets)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
