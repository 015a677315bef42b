/* One-line messages. */
#include "io/file/error.h"
#include "support/check.h"

#include <string.h>

static void test_message_and_status(void **state) {
    (void)state;
    abut_error error = {ABUT_OK, "old"};
    assert_int_equal(abut_fail(&error, ABUT_ERROR_FILE, "%s: line %d", "a.json", 7), ABUT_ERROR_FILE);
    assert_int_equal(error.status, ABUT_ERROR_FILE);
    assert_string_equal(error.message, "a.json: line 7");
}

static void test_null_drops_the_message(void **state) {
    (void)state;
    assert_int_equal(abut_fail(NULL, ABUT_ERROR_FORMAT, "lost"), ABUT_ERROR_FORMAT);
}

static void test_controls_become_spaces(void **state) {
    (void)state;
    abut_error error;
    abut_fail(&error, ABUT_ERROR_FORMAT, "a\nb\tc\x1b[31md\x7f é");
    assert_string_equal(error.message, "a b c [31md  é");
}

static void test_old_message_in_the_new_one(void **state) {
    (void)state;
    abut_error error;
    abut_fail(&error, ABUT_ERROR_FORMAT, "inner");
    abut_fail(&error, ABUT_ERROR_FORMAT, "outer: %s", error.message);
    assert_string_equal(error.message, "outer: inner");
}

static void test_long_messages_are_cut_at_a_character(void **state) {
    (void)state;
    /* Two-byte characters after 0 and 1 single bytes: in one case the cut is inside a character. */
    for (size_t lead = 0; lead < 2; lead++) {
        char text[3000] = "x";
        size_t used = lead;
        while (used + 3 < sizeof text) {
            memcpy(text + used, "é", 3);
            used += 2;
        }
        abut_error error;
        abut_fail(&error, ABUT_ERROR_FORMAT, "%s", text);
        size_t length = strlen(error.message);
        assert_true(length >= sizeof error.message - 3 && length < sizeof error.message);
        assert_string_equal(error.message + length - 3, "...");
        assert_int_equal((length - 3 - lead) % 2, 0);
        assert_memory_equal(error.message, text, length - 3);
    }
    abut_error error;
    char exact[sizeof error.message];
    memset(exact, 'y', sizeof exact - 1);
    exact[sizeof exact - 1] = '\0';
    abut_fail(&error, ABUT_ERROR_FORMAT, "%s", exact);
    assert_string_equal(error.message, exact);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_message_and_status),
        cmocka_unit_test(test_null_drops_the_message),
        cmocka_unit_test(test_controls_become_spaces),
        cmocka_unit_test(test_old_message_in_the_new_one),
        cmocka_unit_test(test_long_messages_are_cut_at_a_character),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
