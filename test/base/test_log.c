/* Messages reach the caller's callback complete and with its context. Without a callback they are dropped. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include <abut/base.h>

#include "base/log.h"
#include "support/allocator.h"

typedef struct heard {
    int count;
    abut_log_level level;
    size_t length;
    char message[4096];
} heard;

static void hear(void *context, abut_log_level level, const char *message) {
    heard *ear = context;
    ear->count++;
    ear->level = level;
    ear->length = strlen(message);
    assert_true(ear->length < sizeof ear->message);
    memcpy(ear->message, message, ear->length + 1);
}

static int be_silent(void **state) {
    (void)state;
    abut_set_log(NULL, NULL);
    counting_allocator_remove();
    return 0;
}

static void test_a_message_is_formatted(void **state) {
    (void)state;
    heard ear = {0};
    abut_set_log(hear, &ear);
    log_message(ABUT_LOG_WARNING, "body %d is %s", 7, "open");
    assert_int_equal(ear.count, 1);
    assert_int_equal(ear.level, ABUT_LOG_WARNING);
    assert_string_equal(ear.message, "body 7 is open");
    log_message(ABUT_LOG_ERROR, "%s", "100%");
    assert_int_equal(ear.count, 2);
    assert_int_equal(ear.level, ABUT_LOG_ERROR);
    assert_string_equal(ear.message, "100%");
}

static void test_without_a_callback_nothing_happens(void **state) {
    (void)state;
    heard ear = {0};
    abut_set_log(hear, &ear);
    abut_set_log(NULL, &ear);
    log_message(ABUT_LOG_INFO, "unheard");
    assert_int_equal(ear.count, 0);
}

static void test_the_latest_callback_hears(void **state) {
    (void)state;
    heard first = {0}, second = {0};
    abut_set_log(hear, &first);
    abut_set_log(hear, &second);
    log_message(ABUT_LOG_INFO, "here");
    assert_int_equal(first.count, 0);
    assert_int_equal(second.count, 1);
}

static void test_messages_of_every_length_are_whole(void **state) {
    (void)state;
    heard ear = {0};
    char text[2000];
    abut_set_log(hear, &ear);
    for (size_t length = 0; length < sizeof text; length++) {
        memset(text, 'x', length);
        text[length] = '\0';
        log_message(ABUT_LOG_INFO, "%s", text);
        assert_string_equal(ear.message, text);
    }
    assert_int_equal(ear.count, sizeof text);
}

static void test_without_memory_a_long_message_is_cut_and_says_so(void **state) {
    (void)state;
    heard ear = {0};
    char text[2000];
    memset(text, 'x', sizeof text - 1);
    text[sizeof text - 1] = '\0';
    counting_allocator memory = {.refuse_at = 0};
    counting_allocator_install(&memory);
    abut_set_log(hear, &ear);
    log_message(ABUT_LOG_INFO, "%s", text);
    assert_true(memory.refused);
    assert_int_equal(ear.count, 1);
    assert_true(ear.length > 100 && ear.length < sizeof text - 1);
    assert_string_equal(ear.message + ear.length - 4, "x...");
}

static void test_long_messages_leak_nothing(void **state) {
    (void)state;
    heard ear = {0};
    counting_allocator memory = {.refuse_at = -1};
    counting_allocator_install(&memory);
    abut_set_log(hear, &ear);
    log_message(ABUT_LOG_INFO, "%01000d", 1);
    assert_int_equal(ear.length, 1000);
    assert_int_equal(memory.requests, 1);
    assert_int_equal(memory.live, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(test_a_message_is_formatted, be_silent),
        cmocka_unit_test_teardown(test_without_a_callback_nothing_happens, be_silent),
        cmocka_unit_test_teardown(test_the_latest_callback_hears, be_silent),
        cmocka_unit_test_teardown(test_messages_of_every_length_are_whole, be_silent),
        cmocka_unit_test_teardown(test_without_memory_a_long_message_is_cut_and_says_so, be_silent),
        cmocka_unit_test_teardown(test_long_messages_leak_nothing, be_silent),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
