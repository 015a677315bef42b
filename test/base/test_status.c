/* The status table: every number occurs once, in order, with its own name and message. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include <abut/base.h>

typedef struct status_row {
    abut_status status;
    int number;
    const char *name;
    const char *message;
} status_row;

static const status_row rows[] = {
#define STATUS_ROW(name, number, message) {name, number, #name, message},
    ABUT_STATUS_TABLE(STATUS_ROW)
#undef STATUS_ROW
};
static const int row_count = (int)(sizeof rows / sizeof rows[0]);

static void test_numbers_count_from_zero(void **state) {
    (void)state;
    for (int i = 0; i < row_count; i++) {
        assert_int_equal(rows[i].number, i);
        assert_int_equal(rows[i].status, i);
    }
    assert_int_equal(ABUT_OK, 0);
}

static void test_names_and_messages_come_from_the_table(void **state) {
    (void)state;
    for (int i = 0; i < row_count; i++) {
        assert_string_equal(abut_status_name(rows[i].status), rows[i].name);
        assert_string_equal(abut_status_message(rows[i].status), rows[i].message);
    }
    assert_string_equal(abut_status_name(ABUT_ERROR_STALE_ID), "ABUT_ERROR_STALE_ID");
    assert_string_equal(abut_status_message(ABUT_OK), "success");
}

static void test_each_is_told_from_the_others(void **state) {
    (void)state;
    for (int i = 0; i < row_count; i++) {
        for (int j = 0; j < i; j++) {
            assert_string_not_equal(rows[i].name, rows[j].name);
            assert_string_not_equal(rows[i].message, rows[j].message);
        }
    }
}

static void test_names_and_messages_are_well_formed(void **state) {
    (void)state;
    for (int i = 0; i < row_count; i++) {
        const char *message = rows[i].message;
        size_t length = strlen(message);
        assert_true(length > 0);
        assert_true(message[length - 1] != '.' && message[length - 1] != ' ');
        assert_int_equal(strncmp(rows[i].name, i == 0 ? "ABUT_OK" : "ABUT_ERROR_", i == 0 ? 8 : 11), 0);
    }
}

static void test_numbers_outside_the_table(void **state) {
    (void)state;
    const int outside[] = {-1, row_count, 1000, INT32_MAX, INT32_MIN};
    for (size_t i = 0; i < sizeof outside / sizeof outside[0]; i++) {
        abut_status status;
        memcpy(&status, &outside[i], sizeof status);
        assert_string_equal(abut_status_name(status), "ABUT_STATUS_UNKNOWN");
        assert_string_equal(abut_status_message(status), "unknown status");
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_numbers_count_from_zero),      cmocka_unit_test(test_names_and_messages_come_from_the_table),
        cmocka_unit_test(test_each_is_told_from_the_others), cmocka_unit_test(test_names_and_messages_are_well_formed),
        cmocka_unit_test(test_numbers_outside_the_table),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
