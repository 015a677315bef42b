/*
 * Reads numbers and words from the bytes of a file, text or binary, and never reads beyond its end.
 */
#include "io/tet/cursor.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/file/byte_order.h"

tet_cursor cursor_make(const char *path, const char *data, size_t length, abut_error *error) {
    return (tet_cursor){.path = path, .start = data, .end = data + length, .next = data, .line = 1, .error = error};
}

/* The column of the number or word that was read last, from 1 [bytes]. If a line ended after it: that of `next`. */
static int column(const tet_cursor *cursor) {
    bool same = cursor->word && !memchr(cursor->word, '\n', (size_t)(cursor->next - cursor->word));
    const char *at = same ? cursor->word : cursor->next, *begin = at;
    while (begin > cursor->start && begin[-1] != '\n') {
        begin--;
    }
    return (int)(at - begin) + 1;
}

void cursor_fail(tet_cursor *cursor, const char *format, ...) {
    if (cursor->status != ABUT_OK) {
        return;
    }
    char what[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    if (cursor->line > 0 && cursor->columns) {
        cursor->status = abut_fail(cursor->error, ABUT_ERROR_FORMAT, "%s:%d:%d: %s", cursor->path, (int)cursor->line, column(cursor), what);
    } else if (cursor->line > 0) {
        cursor->status = abut_fail(cursor->error, ABUT_ERROR_FORMAT, "%s:%d: %s", cursor->path, cursor->line, what);
    } else {
        size_t byte = (size_t)(cursor->next - cursor->start);
        cursor->status = abut_fail(cursor->error, ABUT_ERROR_FORMAT, "%s: byte %zu: %s", cursor->path, byte, what);
    }
}

void cursor_no_memory(tet_cursor *cursor) {
    if (cursor->status == ABUT_OK) {
        cursor->status = abut_fail(cursor->error, ABUT_ERROR_OUT_OF_MEMORY, "%s: no memory for its contents", cursor->path);
    }
}

void cursor_move(tet_cursor *cursor, const char *at, int32_t line) {
    cursor->next = at;
    cursor->word = NULL;
    cursor->line = line;
}

static const char *name_of_whole(const tet_cursor *cursor) { return cursor->whole ? cursor->whole : "file"; }

/* isspace() depends on the locale. */
static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f'; }

static bool ends_word(const tet_cursor *cursor, const char *at) {
    return at >= cursor->end || is_blank(*at) || *at == '\n' || *at == '\0' || *at == cursor->separator || *at == cursor->comment;
}

/* Skips blanks, ends of lines and comments to the next number or word. */
static void skip_space(tet_cursor *cursor) {
    bool in_comment = false;
    for (;; cursor->next++) {
        bool newline = *cursor->next == '\n';
        in_comment = !newline && (in_comment || (cursor->comment && *cursor->next == cursor->comment));
        if (cursor->next >= cursor->end || !(newline || in_comment || is_blank(*cursor->next))) {
            break;
        }
        cursor->line += cursor->line > 0 && newline;
    }
    cursor->word = cursor->next;
}

static size_t bytes_left(const tet_cursor *cursor) { return (size_t)(cursor->end - cursor->next); }

/* Fails: `what` is missing here, or the file has ended. */
static void fail_expecting(tet_cursor *cursor, const char *what) {
    if (cursor->next >= cursor->end) {
        cursor_fail(cursor, "the %s ends where %s is expected", name_of_whole(cursor), what);
    } else {
        cursor_fail(cursor, "%s is expected here", what);
    }
}

static int64_t text_integer(tet_cursor *cursor) {
    skip_space(cursor);
    const char *at = cursor->next;
    bool negative = *at == '-';
    at += *at == '-' || *at == '+';
    const char *digits = at;
    int64_t value = 0;
    while (*at >= '0' && *at <= '9') {
        int digit = *at++ - '0';
        if (value > (INT64_MAX - digit) / 10) {
            cursor_fail(cursor, "a whole number does not fit into 64 bits");
            return 0;
        }
        value = 10 * value + digit;
    }
    if (at == digits || !(ends_word(cursor, at) || *at == '#')) {
        fail_expecting(cursor, "a whole number");
        return 0;
    }
    cursor->next = at;
    return negative ? -value : value;
}

static double text_real(tet_cursor *cursor) {
    skip_space(cursor);
    char *end;
    double value = strtod(cursor->next, &end);
    if (end == cursor->next || !(ends_word(cursor, end) || *end == '#')) {
        fail_expecting(cursor, "a number");
        return 0.0;
    }
    cursor->next = end;
    return value;
}

/* Takes the next bytes; NULL when fewer are left. */
static const char *take_bytes(tet_cursor *cursor, size_t size) {
    if (bytes_left(cursor) < size) {
        cursor->next = cursor->end;
        cursor_fail(cursor, "the %s ends in the middle of a number", name_of_whole(cursor));
        return NULL;
    }
    const char *bytes = cursor->next;
    cursor->next += size;
    return bytes;
}

int64_t cursor_integer(tet_cursor *cursor, size_t size) {
    if (cursor->status != ABUT_OK) {
        return 0;
    }
    if (!cursor->binary) {
        return text_integer(cursor);
    }
    const char *bytes = take_bytes(cursor, size);
    if (!bytes) {
        return 0;
    }
    return cursor->natural ? (int64_t)bytes_unsigned(bytes, size, cursor->big) : bytes_signed(bytes, size, cursor->big);
}

double cursor_real(tet_cursor *cursor, size_t size) {
    if (cursor->status != ABUT_OK) {
        return 0.0;
    }
    if (!cursor->binary) {
        return text_real(cursor);
    }
    const char *bytes = take_bytes(cursor, size);
    return bytes ? bytes_real(bytes, size, cursor->big) : 0.0;
}

abut_vec3 cursor_vertex(tet_cursor *cursor, size_t size, const char *what, int64_t tag) {
    abut_vec3 vertex;
    vertex.x = cursor_real(cursor, size);
    vertex.y = cursor_real(cursor, size);
    vertex.z = cursor_real(cursor, size);
    if (!abut_vec3_is_finite(vertex)) {
        cursor_fail(cursor, "%s %lld is not finite", what, (long long)tag);
    }
    return vertex;
}

bool cursor_check_room(tet_cursor *cursor, int64_t count, int64_t numbers, int64_t bytes, const char *what) {
    if (cursor->status != ABUT_OK) {
        return false;
    }
    /* A number in text takes a digit and a blank. The last number may lack the blank. */
    int64_t least = cursor->binary ? bytes : 2 * numbers;
    int64_t room = (int64_t)bytes_left(cursor) + (cursor->binary ? 0 : 1);
    if (count < 0) {
        cursor_fail(cursor, "a count of %lld %s", (long long)count, what);
    } else if (count > room / least) {
        cursor_fail(cursor, "a count of %lld %s is more than the rest of the %s can hold", (long long)count, what, name_of_whole(cursor));
    }
    return cursor->status == ABUT_OK;
}

int64_t cursor_count(tet_cursor *cursor, size_t size, int64_t numbers, int64_t bytes, const char *what) {
    int64_t count = cursor_integer(cursor, size);
    return cursor_check_room(cursor, count, numbers, bytes, what) ? count : 0;
}

void cursor_skip_numbers(tet_cursor *cursor, int64_t count, size_t size) {
    if (!cursor_check_room(cursor, count, 1, (int64_t)size, "numbers")) {
        return;
    }
    if (cursor->binary) {
        cursor->next += (size_t)count * size;
        return;
    }
    char word[4];
    for (int64_t i = 0; i < count && cursor->status == ABUT_OK; i++) {
        if (!cursor_word(cursor, word, sizeof word)) {
            fail_expecting(cursor, "a number");
        }
    }
}

bool cursor_word(tet_cursor *cursor, char *word, size_t size) {
    word[0] = '\0';
    if (cursor->status != ABUT_OK) {
        return false;
    }
    skip_space(cursor);
    size_t length = 0;
    for (; !ends_word(cursor, cursor->next); cursor->next++) {
        if (length + 1 < size) {
            word[length++] = *cursor->next;
        }
    }
    word[length] = '\0';
    return length > 0;
}

void cursor_skip_line(tet_cursor *cursor) {
    const char *newline = memchr(cursor->next, '\n', bytes_left(cursor));
    cursor->next = newline ? newline + 1 : cursor->end;
    cursor->line += cursor->line > 0 && newline;
}

void cursor_end_line(tet_cursor *cursor) {
    while (is_blank(*cursor->next)) {
        cursor->next++;
    }
    if (*cursor->next != '\n') {
        fail_expecting(cursor, "the end of the line");
        return;
    }
    cursor_skip_line(cursor);
}

bool cursor_line_goes_on(tet_cursor *cursor) {
    while (is_blank(*cursor->next)) {
        cursor->next++;
    }
    return cursor->next < cursor->end && *cursor->next != '\n';
}

bool cursor_row_goes_on(tet_cursor *cursor) { return cursor_line_goes_on(cursor) && *cursor->next != '#'; }

bool cursor_next_row(tet_cursor *cursor) {
    while (cursor->status == ABUT_OK && cursor->next < cursor->end) {
        if (cursor_row_goes_on(cursor)) {
            return true;
        }
        cursor_skip_line(cursor);
    }
    return false;
}
