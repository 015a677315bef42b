/* A log that keeps the last message. */
#include "support/refusal.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

static int heard_count;
static abut_log_level heard_level;
static char heard[512];

static void hear(void *context, abut_log_level level, const char *message) {
    (void)context;
    heard_count++;
    heard_level = level;
    (void)snprintf(heard, sizeof heard, "%s", message);
}

void refusal_listen(void) {
    refusal_clear();
    abut_set_log(hear, NULL);
}

void refusal_silence(void) { abut_set_log(NULL, NULL); }

void refusal_clear(void) {
    heard_count = 0;
    heard[0] = '\0';
}

int refusal_count(void) { return heard_count; }

const char *refusal_message(void) { return heard; }

static void fail_at(const char *file, int line, const char *call, const char *what, const char *detail) {
    print_error("%s:%d: %s: %s %s\n", file, line, call, what, detail);
    fail();
}

void refusal_check(abut_status found, abut_status wanted, const char *call, const char *words, const char *file, int line) {
    char begin[256];
    if (found != wanted) {
        fail_at(file, line, call, "the status is", abut_status_name(found));
    }
    if (words == NULL) {
        if (heard_count != 0) {
            fail_at(file, line, call, "the log is told", heard);
        }
        return;
    }
    (void)snprintf(begin, sizeof begin, "%.*s: %s", (int)strcspn(call, "("), call, words);
    if (heard_count != 1 || heard_level != ABUT_LOG_ERROR) {
        fail_at(file, line, call,
                heard_count == 0 ? "the log is told nothing" : "the log is told more than once, or no error; last:", heard);
    }
    if (strncmp(heard, begin, strlen(begin)) != 0) {
        fail_at(file, line, call, "the log is told", heard);
    }
}
