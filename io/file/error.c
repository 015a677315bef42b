/*
 * Formats messages of one line. Control characters are replaced, because names in files may hold anything, such as escape codes of a terminal. Messages that
 * are too long are cut at a whole character.
 */
#include "io/file/error.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static void replace_controls(char *text) {
    for (char *c = text; *c != '\0'; c++) {
        unsigned char byte = (unsigned char)*c;
        if (byte < 0x20 || byte == 0x7f) {
            *c = ' ';
        }
    }
}

/* The text fills its buffer: makes it end in "...", at the boundary of a UTF-8 character. */
static void mark_as_cut(char *text, size_t size) {
    size_t end = size - 4;
    while (end > 0 && ((unsigned char)text[end] & 0xc0) == 0x80) {
        end--;
    }
    memcpy(text + end, "...", 4);
}

abut_status abut_fail(abut_error *error, abut_status status, const char *format, ...) {
    if (!error) {
        return status;
    }
    /* A separate buffer: the old message may be an argument of the new one. */
    char message[sizeof error->message];
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    if (length < 0) {
        snprintf(message, sizeof message, "%s", abut_status_message(status));
    } else if ((size_t)length >= sizeof message) {
        mark_as_cut(message, sizeof message);
    }
    replace_controls(message);
    error->status = status;
    memcpy(error->message, message, sizeof message);
    return status;
}
