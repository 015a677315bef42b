/* Growing arrays: old contents are kept where requested, and the array is unchanged when there is no memory. */
#include "support/allocator.h"
#include "support/check.h"

#include "base/array.h"
#include "base/memory.h"

static void test_grows_and_keeps(void **state) {
    (void)state;
    int32_t *array = NULL, capacity = 0;
    for (int32_t used = 0; used < 1000; used++) {
        assert_true(array_extend(&array, &capacity, used, used + 1, sizeof *array));
        assert_true(capacity > used);
        array[used] = used;
    }
    for (int32_t i = 0; i < 1000; i++) {
        assert_int_equal(array[i], i);
    }
    int32_t before = capacity, *same = array;
    assert_true(array_reserve(&array, &capacity, 1000, sizeof *array));
    assert_ptr_equal(array, same);
    assert_int_equal(capacity, before);
    memory_release(array);
}

static void test_grows_tightly(void **state) {
    (void)state;
    int32_t *array = NULL, capacity = 0;
    for (int32_t used = 0; used < 1000; used++) {
        assert_true(array_extend_tightly(&array, &capacity, used, used + 1, sizeof *array));
        assert_true(capacity > used && capacity <= 17 + used + used / 16);
        array[used] = used;
    }
    for (int32_t i = 0; i < 1000; i++) {
        assert_int_equal(array[i], i);
    }
    memory_release(array);
}

static void test_nothing_still_gives_an_array(void **state) {
    (void)state;
    int32_t capacity = 0;
    double *array = NULL;
    assert_true(array_reserve(&array, &capacity, 0, sizeof *array));
    assert_non_null(array);
    memory_release(array);
}

static void test_reserve_moves_the_pointer(void **state) {
    (void)state;
    int32_t *array = NULL, capacity = 0;
    assert_true(array_reserve(&array, &capacity, 20, sizeof *array));
    int32_t *before = array;
    assert_true(array_reserve(&array, &capacity, 5, sizeof *array));
    assert_ptr_equal(array, before);
    counting_allocator memory = {.refuse_at = 0};
    counting_allocator_install(&memory);
    assert_false(array_reserve(&array, &capacity, 1000, sizeof *array));
    counting_allocator_remove();
    assert_ptr_equal(array, before);
    memory_release(array);
}

static void test_refused(void **state) {
    (void)state;
    int32_t capacity = 0;
    int32_t *array = NULL;
    assert_true(array_reserve(&array, &capacity, 20, sizeof *array));
    array[19] = 7;
    int32_t before = capacity, *same = array;
    counting_allocator memory = {.refuse_at = 0};
    counting_allocator_install(&memory);
    assert_false(array_extend(&array, &capacity, 20, 10 * before, sizeof *array));
    counting_allocator_remove();
    assert_ptr_equal(array, same);
    assert_int_equal(capacity, before);
    assert_int_equal(array[19], 7);
    memory_release(array);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_grows_and_keeps),
        cmocka_unit_test(test_grows_tightly),
        cmocka_unit_test(test_nothing_still_gives_an_array),
        cmocka_unit_test(test_reserve_moves_the_pointer),
        cmocka_unit_test(test_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
