/* Arrays that grow: contents stay, limits hold. */
#include "io/file/grow.h"

#include <stdint.h>
#include <stdlib.h>

#include "support/check.h"

static void test_contents_stay(void **state) {
    (void)state;
    int32_t *array = NULL;
    size_t capacity = 0;
    for (int32_t i = 0; i < 10000; i++) {
        assert_true(grow_array(&array, &capacity, (size_t)i + 1, SIZE_MAX, sizeof *array));
        assert_true(capacity > (size_t)i);
        array[i] = i;
    }
    for (int32_t i = 0; i < 10000; i++) {
        assert_int_equal(array[i], i);
    }
    free(array);
}

static void test_it_doubles_or_grows_to_what_is_needed(void **state) {
    (void)state;
    char *array = NULL;
    size_t capacity = 0;
    assert_true(grow_array(&array, &capacity, 0, SIZE_MAX, 1));
    assert_null(array);
    assert_true(grow_array(&array, &capacity, 1000, SIZE_MAX, 1));
    assert_true(capacity == 1000);
    assert_true(grow_array(&array, &capacity, 1001, SIZE_MAX, 1));
    assert_true(capacity == 2000);
    const char *before = array;
    assert_true(grow_array(&array, &capacity, 2000, SIZE_MAX, 1));
    assert_ptr_equal(array, before);
    free(array);
}

static void test_limits(void **state) {
    (void)state;
    double *array = NULL;
    size_t capacity = 0;
    assert_true(grow_array(&array, &capacity, 5, 7, sizeof *array));
    assert_true(capacity >= 5 && capacity <= 7);
    assert_true(grow_array(&array, &capacity, 7, 7, sizeof *array));
    assert_true(capacity == 7);
    double *before = array;
    assert_false(grow_array(&array, &capacity, 8, 7, sizeof *array));
    assert_false(grow_array(&array, &capacity, SIZE_MAX, SIZE_MAX, sizeof *array)); /* its size in bytes overflows */
    assert_ptr_equal(array, before);
    assert_true(capacity == 7);
    free(array);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_contents_stay),
        cmocka_unit_test(test_it_doubles_or_grows_to_what_is_needed),
        cmocka_unit_test(test_limits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
