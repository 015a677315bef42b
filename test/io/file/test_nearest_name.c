/* "Did you mean ...?" */
#include "io/file/nearest_name.h"
#include "support/check.h"
#include "support/random.h"

#include <string.h>

static int least(int a, int b) { return a < b ? a : b; }

/* The definition, by recursion over the possible changes of the last letters. */
static int distance_by_definition(const char *a, size_t i, const char *b, size_t j) {
    if (i == 0 || j == 0) {
        return (int)(i + j);
    }
    int distance = least(distance_by_definition(a, i - 1, b, j), distance_by_definition(a, i, b, j - 1)) + 1;
    distance = least(distance, distance_by_definition(a, i - 1, b, j - 1) + (a[i - 1] != b[j - 1]));
    if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        distance = least(distance, distance_by_definition(a, i - 2, b, j - 2) + 1);
    }
    return distance;
}

static void test_random_words_against_the_definition(void **state) {
    (void)state;
    random_state random = random_make(random_seed("nearest", 7));
    for (int sample = 0; sample < 300; sample++) {
        char words[2][8] = {"", ""};
        for (int w = 0; w < 2; w++) {
            int32_t length = random_below(&random, 7);
            for (int32_t i = 0; i < length; i++) {
                words[w][i] = (char)('a' + random_below(&random, 3));
            }
        }
        int expected = distance_by_definition(words[0], strlen(words[0]), words[1], strlen(words[1]));
        for (int limit = 0; limit < 9; limit++) {
            assert_int_equal(nearest_distance(words[0], words[1], limit), least(expected, limit + 1));
        }
    }
}

static void test_known_distances(void **state) {
    (void)state;
    assert_int_equal(nearest_distance("desnity", "density", 9), 1);
    assert_int_equal(nearest_distance("kitten", "sitting", 9), 3);
    assert_int_equal(nearest_distance("Gravity", "gravity", 9), 0);
    assert_int_equal(nearest_distance("", "abc", 9), 3);
    char many[66];
    memset(many, 'a', 65);
    many[65] = '\0';
    assert_int_equal(nearest_distance(many, many, 9), 10); /* longer than the limit of names */
    assert_int_equal(nearest_distance(many + 1, many + 1, 9), 0);
}

static const char *hint(const char *mistyped, const char *const *names, char *buffer, size_t size) {
    nearest_name nearest = {.mistyped = mistyped};
    for (; *names; names++) {
        nearest_offer(&nearest, *names);
    }
    return nearest_hint(&nearest, buffer, size);
}

static void test_hints(void **state) {
    (void)state;
    static const char *const names[] = {"friction", "density", "destiny", "x", NULL};
    char buffer[128];
    assert_string_equal(hint("desnity", names, buffer, sizeof buffer), "; did you mean 'density'?");
    assert_string_equal(hint("destinz", names, buffer, sizeof buffer), "; did you mean 'destiny'?");
    assert_string_equal(hint("DENSITY", names, buffer, sizeof buffer), "; did you mean 'density'?");
    assert_string_equal(hint("colour", names, buffer, sizeof buffer), "");
    assert_string_equal(hint("y", names, buffer, sizeof buffer), "");
    assert_string_equal(hint("", names, buffer, sizeof buffer), "");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_words_against_the_definition),
        cmocka_unit_test(test_known_distances),
        cmocka_unit_test(test_hints),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
