/* Positions of values in a JSON text. The expected positions are marked in the texts, or found by an independent search. */
#include "io/scene/json_position.h"
#include "support/check.h"
#include "support/random.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char text[] = "\n"
                           "{ \"a\" : [1, 2.5e3,\n"
                           "\t{\"x\\\"]\": null}, [ ], \"}]\"],\n"
                           "  \"\\u00e9\\ud83d\\ude00\\n\\/\": true , \"é\":{\"\":[[[7]]]}, \"last\":-1 }";

static void assert_at(const position_step *step, bool of_key, const char *there) {
    const char *expected = strstr(text, there);
    assert_non_null(expected);
    assert_int_equal(position_of(text, sizeof text - 1, step, of_key), expected - text);
}

static void test_values_and_keys(void **state) {
    (void)state;
    position_step root = {NULL, NULL, 0};
    position_step a = {&root, "a", 0}, a1 = {&a, NULL, 1}, a2 = {&a, NULL, 2}, a2x = {&a2, "x\"]", 0}, a3 = {&a, NULL, 3},
                  a4 = {&a, NULL, 4};
    position_step odd = {&root, "é\xf0\x9f\x98\x80\n/", 0}, accent = {&root, "é", 0}, empty = {&accent, "", 0}, e0 = {&empty, NULL, 0},
                  e00 = {&e0, NULL, 0}, e000 = {&e00, NULL, 0}, last = {&root, "last", 0};
    assert_at(&root, false, "{ \"a\"");
    assert_at(&a, false, "[1,");
    assert_at(&a, true, "\"a\"");
    assert_at(&a1, false, "2.5e3");
    assert_at(&a1, true, "2.5e3");
    assert_at(&a2, false, "{\"x");
    assert_at(&a2x, false, "null");
    assert_at(&a2x, true, "\"x");
    assert_at(&a3, false, "[ ]");
    assert_at(&a4, false, "\"}]\"");
    assert_at(&odd, false, "true");
    assert_at(&odd, true, "\"\\u00e9");
    assert_at(&accent, false, "{\"\"");
    assert_at(&e000, false, "7");
    assert_at(&last, false, "-1 }");
}

static void test_what_is_not_there(void **state) {
    (void)state;
    position_step root = {NULL, NULL, 0};
    position_step a = {&root, "a", 0}, a9 = {&a, NULL, 9}, b = {&root, "b", 0}, deep = {&a9, "x", 0};
    assert_at(&b, false, "{ \"a\"");
    assert_at(&deep, false, "[1,");
}

static void test_lines_and_columns(void **state) {
    (void)state;
    static const char lines[] = "ab\n\t\xc3\xa9x\r\n\n\xf0\x9f\x98\x80z";
    static const struct {
        size_t offset;
        int32_t line, column;
    } cases[] = {{0, 1, 1}, {1, 1, 2}, {2, 1, 3},  {3, 2, 1},  {4, 2, 2},  {6, 2, 3},
                 {8, 2, 5}, {9, 3, 1}, {10, 4, 1}, {14, 4, 2}, {15, 4, 3}, {99, 4, 3}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        int32_t line = 0, column = 0;
        position_line_column(lines, sizeof lines - 1, cases[i].offset, &line, &column);
        assert_int_equal(line, cases[i].line);
        assert_int_equal(column, cases[i].column);
    }
}

/* All numbers of a random tree are different, so that a text search finds their positions. */
static json_t *random_tree(random_state *random, int depth, int *next) {
    int kind = depth == 0 ? 0 : random_below(random, 4);
    if (kind == 0) {
        return json_integer(1000 + (*next)++);
    }
    json_t *made = kind == 1 ? json_array() : json_object();
    int32_t count = random_below(random, 5);
    for (int32_t i = 0; i < count; i++) {
        static const char *const pieces[] = {"a", "\"", "\\", "{", "]", ",", ":", "é", "\n", "\xf0\x9f\x98\x80", " ", "/"};
        char key[64];
        snprintf(key, sizeof key, "%s%s%d", pieces[random_below(random, 12)], pieces[random_below(random, 12)], i);
        json_t *child = random_tree(random, depth - 1, next);
        assert_int_equal(kind == 1 ? json_array_append_new(made, child) : json_object_set_new(made, key, child), 0);
    }
    return made;
}

static void check_tree(const char *dump, const json_t *value, const position_step *step, int *seen) {
    if (json_is_integer(value)) {
        char number[32];
        snprintf(number, sizeof number, "%lld", (long long)json_integer_value(value));
        const char *expected = strstr(dump, number);
        assert_non_null(expected);
        assert_int_equal(position_of(dump, strlen(dump), step, false), expected - dump);
        (*seen)++;
    }
    for (size_t i = 0; i < json_array_size(value); i++) {
        position_step child = {step, NULL, i};
        check_tree(dump, json_array_get(value, i), &child, seen);
    }
    const char *key;
    json_t *member;
    json_object_foreach((json_t *)value, key, member) {
        position_step child = {step, key, 0};
        check_tree(dump, member, &child, seen);
    }
}

static void test_random_trees(void **state) {
    (void)state;
    random_state random = random_make(random_seed("json_position", 3));
    static const size_t flags[] = {0, JSON_COMPACT, JSON_INDENT(3), JSON_ENSURE_ASCII,
                                   JSON_ENSURE_ASCII | JSON_ESCAPE_SLASH | JSON_INDENT(1)};
    int seen = 0;
    for (int sample = 0; sample < 200; sample++) {
        int next = 0;
        json_t *tree = random_tree(&random, 5, &next);
        char *dump = json_dumps(tree, flags[sample % 5] | JSON_ENCODE_ANY);
        assert_non_null(dump);
        position_step root = {NULL, NULL, 0};
        check_tree(dump, tree, &root, &seen);
        free(dump);
        json_decref(tree);
    }
    assert_true(seen > 1000);
}

/* Even a text that jansson refuses is not read beyond its end. */
static void test_cut_off_texts(void **state) {
    (void)state;
    position_step root = {NULL, NULL, 0};
    position_step accent = {&root, "é", 0}, empty = {&accent, "", 0}, odd = {&root, "é\xf0\x9f\x98\x80\n/", 0}, a = {&root, "a", 0},
                  a4 = {&a, NULL, 4};
    const position_step *steps[] = {&empty, &odd, &a4};
    for (size_t length = 0; length < sizeof text; length++) {
        char *exact = malloc(length + 1);
        assert_non_null(exact);
        memcpy(exact, text, length);
        char *fitting = realloc(exact, length > 0 ? length : 1);
        for (size_t i = 0; i < 3; i++) {
            assert_true(position_of(fitting, length, steps[i], i == 1) <= length);
        }
        free(fitting);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_values_and_keys), cmocka_unit_test(test_what_is_not_there), cmocka_unit_test(test_lines_and_columns),
        cmocka_unit_test(test_random_trees),    cmocka_unit_test(test_cut_off_texts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
