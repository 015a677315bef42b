/* Maps from numbers to indices. */
#include <stdlib.h>

#include "io/tet/tag_map.h"
#include "support/check.h"
#include "support/random.h"

static void assert_found(const int64_t *tags, int32_t count, bool sorted) {
    tag_map map;
    int64_t twice;
    assert_true(tag_map_make(tags, count, sizeof *tags, &map));
    assert_true((map.entries != NULL) == sorted);
    assert_false(tag_map_find_twice(&map, &twice));
    for (int32_t i = 0; i < count; i++) {
        assert_int_equal(tag_map_find(&map, tags[i]), i);
    }
    tag_map_release(&map);
}

static void test_without_gaps(void **state) {
    (void)state;
    assert_found((int64_t[]){0, 1, 2}, 3, false);
    assert_found((int64_t[]){-1, 0, 1, 2}, 4, false);
    assert_found((int64_t[]){INT64_MAX - 1, INT64_MAX}, 2, false);
    assert_found((int64_t[]){5}, 1, false);
    assert_found(NULL, 0, false);
    tag_map map;
    assert_true(tag_map_make((int64_t[]){7, 8, 9}, 3, sizeof(int64_t), &map));
    assert_int_equal(tag_map_find(&map, 6), -1);
    assert_int_equal(tag_map_find(&map, 10), -1);
    assert_int_equal(tag_map_find(&map, INT64_MIN), -1);
    assert_int_equal(tag_map_find(&map, INT64_MAX), -1);
    tag_map_release(&map);
}

static void test_with_gaps(void **state) {
    (void)state;
    assert_found((int64_t[]){0, 2, 1}, 3, true);
    assert_found((int64_t[]){INT64_MAX, INT64_MIN}, 2, true);
    assert_found((int64_t[]){INT64_MIN, INT64_MAX, 0, -1, 1}, 5, true);
    tag_map map;
    assert_true(tag_map_make((int64_t[]){9, 3, 5}, 3, sizeof(int64_t), &map));
    for (int64_t tag = 2; tag <= 10; tag++) {
        assert_int_equal(tag_map_find(&map, tag), tag == 9 ? 0 : tag == 3 ? 1 : tag == 5 ? 2 : -1);
    }
    tag_map_release(&map);
}

static void test_twice(void **state) {
    (void)state;
    tag_map map;
    int64_t twice = 0;
    assert_true(tag_map_make((int64_t[]){4, 9, -2, 9}, 4, sizeof(int64_t), &map));
    assert_true(tag_map_find_twice(&map, &twice));
    assert_int_equal(twice, 9);
    assert_int_equal(tag_map_find(&map, 9), 1);
    tag_map_release(&map);
}

/* Compared with a linear search. */
static void test_random_numbers(void **state) {
    (void)state;
    enum { COUNT = 300 };
    random_state random = random_make(random_seed("tag_map", 3));
    for (int sample = 0; sample < 50; sample++) {
        int64_t tags[COUNT];
        int32_t range = 1 + random_below(&random, 1000);
        for (int32_t i = 0; i < COUNT; i++) {
            tags[i] = random_below(&random, range);
        }
        tag_map map;
        assert_true(tag_map_make(tags, COUNT, sizeof *tags, &map));
        for (int64_t tag = -1; tag <= range; tag++) {
            int32_t first = 0;
            while (first < COUNT && tags[first] != tag) {
                first++;
            }
            assert_int_equal(tag_map_find(&map, tag), first < COUNT ? first : -1);
        }
        tag_map_release(&map);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_without_gaps),
        cmocka_unit_test(test_with_gaps),
        cmocka_unit_test(test_twice),
        cmocka_unit_test(test_random_numbers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
