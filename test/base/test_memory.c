/* Blocks: zeroed, aligned, checked for overflow, and given back to the allocator that made them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include <abut/base.h>

#include "base/memory.h"
#include "support/allocator.h"

static bool is_zero(const unsigned char *bytes, size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (bytes[i] != 0) {
            return false;
        }
    }
    return true;
}

static int remove_allocator(void **state) {
    (void)state;
    counting_allocator_remove();
    return 0;
}

static void test_blocks_are_zero_and_aligned(void **state) {
    (void)state;
    counting_allocator memory = {.refuse_at = -1};
    counting_allocator_install(&memory);
    for (size_t count = 1; count <= 70; count++) {
        unsigned char *block = memory_allocate(count, 3);
        assert_non_null(block);
        assert_int_equal((uintptr_t)block % _Alignof(max_align_t), 0);
        assert_true(is_zero(block, 3 * count));
        memset(block, 0xff, 3 * count);
        memory_release(block);
    }
    assert_int_equal(memory.requests, 70);
    assert_int_equal(memory.live, 0);
}

static void test_an_empty_block_is_a_block(void **state) {
    (void)state;
    const size_t sizes[][2] = {{0, 8}, {8, 0}, {0, 0}, {SIZE_MAX, 0}, {0, SIZE_MAX}};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        unsigned char *block = memory_allocate(sizes[i][0], sizes[i][1]);
        assert_non_null(block);
        assert_int_equal(block[0], 0);
        block[0] = 1;
        memory_release(block);
    }
}

static void test_a_size_that_overflows_is_refused_before_the_allocator_is_asked(void **state) {
    (void)state;
    counting_allocator memory = {.refuse_at = -1};
    counting_allocator_install(&memory);
    assert_null(memory_allocate(SIZE_MAX, 1));
    assert_null(memory_allocate(1, SIZE_MAX));
    assert_null(memory_allocate(SIZE_MAX / 4, 8));
    assert_null(memory_allocate(SIZE_MAX, SIZE_MAX));
    assert_null(memory_allocate((size_t)1 << (4 * sizeof(size_t)), (size_t)1 << (4 * sizeof(size_t))));
    /* The product fits, but not together with the header. */
    assert_null(memory_allocate((SIZE_MAX - 8) / 8, 8));
    assert_int_equal(memory.requests, 0);
}

static void test_growing_keeps_the_used_part_and_zeroes_the_rest(void **state) {
    (void)state;
    counting_allocator memory = {.refuse_at = -1};
    counting_allocator_install(&memory);
    int32_t *numbers = memory_grow(NULL, 0, 4, sizeof *numbers);
    assert_non_null(numbers);
    assert_true(is_zero((unsigned char *)numbers, 4 * sizeof *numbers));
    for (int32_t i = 0; i < 4; i++) {
        numbers[i] = 10 + i;
    }
    numbers = memory_grow(numbers, 3, 100, sizeof *numbers);
    assert_non_null(numbers);
    for (int32_t i = 0; i < 3; i++) {
        assert_int_equal(numbers[i], 10 + i);
    }
    assert_true(is_zero((unsigned char *)(numbers + 3), 97 * sizeof *numbers));
    assert_int_equal(memory.live, 1);
    memory_release(numbers);
    assert_int_equal(memory.live, 0);
}

static void test_growing_to_less_keeps_the_beginning(void **state) {
    (void)state;
    char *text = memory_allocate(6, 1);
    assert_non_null(text);
    memcpy(text, "corner", 6);
    text = memory_grow(text, 6, 3, 1);
    assert_non_null(text);
    assert_memory_equal(text, "cor", 3);
    memory_release(text);
}

static void test_failing_to_grow_leaves_the_block(void **state) {
    (void)state;
    counting_allocator memory = {.refuse_at = 1};
    counting_allocator_install(&memory);
    char *text = memory_allocate(6, 1);
    assert_non_null(text);
    memcpy(text, "corner", 6);
    assert_null(memory_grow(text, 6, 12, 1));
    assert_true(memory.refused);
    assert_null(memory_grow(text, 6, SIZE_MAX, 2));
    assert_memory_equal(text, "corner", 6);
    assert_int_equal(memory.live, 1);
    memory_release(text);
    assert_int_equal(memory.live, 0);
}

static void test_a_refusal_gives_null(void **state) {
    (void)state;
    counting_allocator memory = {.refuse_at = 0};
    counting_allocator_install(&memory);
    assert_null(memory_allocate(1, 1));
    assert_true(memory.refused);
    void *block = memory_allocate(1, 1);
    assert_non_null(block);
    memory_release(block);
    assert_int_equal(memory.live, 0);
}

static void test_blocks_return_to_the_allocator_that_made_them(void **state) {
    (void)state;
    counting_allocator first = {.refuse_at = -1}, second = {.refuse_at = -1};
    void *standard = memory_allocate(1, 16);
    counting_allocator_install(&first);
    void *of_first = memory_allocate(1, 16);
    counting_allocator_install(&second);
    void *of_second = memory_allocate(1, 16);
    assert_non_null(standard);
    assert_non_null(of_first);
    assert_non_null(of_second);
    /* A growing block moves to the current allocator. */
    of_first = memory_grow(of_first, 1, 2, 16);
    assert_int_equal(first.live, 0);
    assert_int_equal(second.live, 2);
    memory_release(standard);
    assert_int_equal(second.live, 2);
    counting_allocator_remove();
    memory_release(of_first);
    memory_release(of_second);
    assert_int_equal(second.live, 0);
    assert_int_equal(first.requests, 1);
}

static void test_releasing_nothing(void **state) {
    (void)state;
    counting_allocator memory = {.refuse_at = -1};
    counting_allocator_install(&memory);
    memory_release(NULL);
    assert_int_equal(memory.live, 0);
    assert_int_equal(memory.requests, 0);
}

static void *some_allocate(void *context, size_t size) {
    (void)context;
    return malloc(size);
}

static void some_release(void *context, void *memory) {
    (void)context;
    free(memory);
}

static void test_half_an_allocator_is_refused_and_changes_nothing(void **state) {
    (void)state;
    counting_allocator memory = {.refuse_at = -1};
    counting_allocator_install(&memory);
    abut_allocator no_release = {some_allocate, NULL, NULL}, no_allocate = {NULL, some_release, NULL};
    assert_int_equal(abut_set_allocator(&no_release), ABUT_ERROR_INVALID_ARGUMENT);
    assert_int_equal(abut_set_allocator(&no_allocate), ABUT_ERROR_INVALID_ARGUMENT);
    void *block = memory_allocate(1, 1);
    assert_int_equal(memory.live, 1);
    memory_release(block);
    assert_int_equal(abut_set_allocator(NULL), ABUT_OK);
    block = memory_allocate(1, 1);
    assert_int_equal(memory.requests, 1);
    memory_release(block);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(test_blocks_are_zero_and_aligned, remove_allocator),
        cmocka_unit_test_teardown(test_an_empty_block_is_a_block, remove_allocator),
        cmocka_unit_test_teardown(test_a_size_that_overflows_is_refused_before_the_allocator_is_asked, remove_allocator),
        cmocka_unit_test_teardown(test_growing_keeps_the_used_part_and_zeroes_the_rest, remove_allocator),
        cmocka_unit_test_teardown(test_growing_to_less_keeps_the_beginning, remove_allocator),
        cmocka_unit_test_teardown(test_failing_to_grow_leaves_the_block, remove_allocator),
        cmocka_unit_test_teardown(test_a_refusal_gives_null, remove_allocator),
        cmocka_unit_test_teardown(test_blocks_return_to_the_allocator_that_made_them, remove_allocator),
        cmocka_unit_test_teardown(test_releasing_nothing, remove_allocator),
        cmocka_unit_test_teardown(test_half_an_allocator_is_refused_and_changes_nothing, remove_allocator),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
