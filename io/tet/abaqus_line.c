/*
 * Takes the lines of Abaqus input files apart. Format: Abaqus documentation, "Input Syntax Rules".
 */
#include "io/tet/abaqus_line.h"

#include <ctype.h>
#include <string.h>

/* What a line is, by its first characters. The cursor is at its first character that is no blank. */
static bool is_comment(const tet_cursor *cursor) { return cursor->next[0] == '*' && cursor->next[1] == '*'; }

/* Skips empty lines and comments. False at the end of the file. */
static bool find_line(tet_cursor *cursor) {
    while (cursor->status == ABUT_OK && cursor->next < cursor->end) {
        if (cursor_line_goes_on(cursor) && !is_comment(cursor)) {
            return true;
        }
        cursor_skip_line(cursor);
    }
    return false;
}

bool abaqus_next_data(tet_cursor *cursor) { return find_line(cursor) && *cursor->next != '*'; }

void abaqus_skip_data(tet_cursor *cursor) {
    while (abaqus_next_data(cursor)) {
        cursor_skip_line(cursor);
    }
}

/* Where the text of this line ends, without blanks. */
static const char *end_of_line(const tet_cursor *cursor) {
    const char *end = memchr(cursor->next, '\n', (size_t)(cursor->end - cursor->next));
    end = end ? end : cursor->end;
    while (end > cursor->next && isspace((unsigned char)end[-1])) {
        end--;
    }
    return end;
}

bool abaqus_line_goes_on(const tet_cursor *cursor) {
    const char *end = end_of_line(cursor);
    return end > cursor->next && end[-1] == ',';
}

bool abaqus_next_keyword(tet_cursor *cursor, abaqus_keyword *keyword) {
    cursor->word = NULL;
    if (!find_line(cursor)) {
        return false;
    }
    if (*cursor->next != '*') {
        cursor_fail(cursor, "a keyword is expected here, '*NODE' for example");
        return false;
    }
    keyword->at = cursor->next;
    keyword->line = cursor->line;
    size_t used = 0;
    cursor->next++;
    bool more = true;
    while (more) {
        size_t length = (size_t)(end_of_line(cursor) - cursor->next);
        if (used + length >= sizeof keyword->text) {
            cursor_move(cursor, keyword->at, keyword->line);
            cursor_fail(cursor, "a keyword line has more than %d characters", ABAQUS_LINE_SIZE - 1);
            return false;
        }
        memcpy(keyword->text + used, cursor->next, length);
        used += length;
        more = length > 0 && keyword->text[used - 1] == ',';
        cursor_skip_line(cursor);
        more = more && abaqus_next_data(cursor);
    }
    keyword->text[used] = '\0';
    return true;
}

/* Where a part of a keyword line ends: at a comma outside of quotes, or at the end. */
static const char *end_of_part(const char *text) {
    for (bool quoted = false; *text != '\0' && (quoted || *text != ','); text++) {
        quoted = quoted != (*text == '"');
    }
    return text;
}

/* Compares text up to `end` with a name in capitals. Case and blanks around do not count; inside, any blanks count as one. */
static bool is_name(const char *text, const char *end, const char *name) {
    while (text < end && isspace((unsigned char)*text)) {
        text++;
    }
    while (end > text && isspace((unsigned char)end[-1])) {
        end--;
    }
    for (; text < end; name++) {
        bool blank = isspace((unsigned char)*text);
        if (*name != (blank ? ' ' : toupper((unsigned char)*text))) {
            return false;
        }
        for (text++; blank && isspace((unsigned char)*text); text++) {
        }
    }
    return *name == '\0';
}

bool abaqus_is(const abaqus_keyword *keyword, const char *name) { return is_name(keyword->text, end_of_part(keyword->text), name); }

static void copy_value(const char *text, const char *end, char *value, size_t size) {
    size_t length = 0;
    while (text < end && isspace((unsigned char)*text)) {
        text++;
    }
    for (; text < end && length + 1 < size; text++) {
        if (*text != '"') {
            value[length++] = *text;
        }
    }
    while (length > 0 && isspace((unsigned char)value[length - 1])) {
        length--;
    }
    value[length] = '\0';
}

bool abaqus_parameter(const abaqus_keyword *keyword, const char *name, char *value, size_t size) {
    value[0] = '\0';
    for (const char *part = end_of_part(keyword->text); *part == ',';) {
        const char *begin = part + 1, *end = end_of_part(begin), *equals = memchr(begin, '=', (size_t)(end - begin));
        if (is_name(begin, equals ? equals : end, name)) {
            copy_value(equals ? equals + 1 : end, end, value, size);
            return true;
        }
        part = end;
    }
    return false;
}

/* Takes the comma between two fields; false at the end of the line. */
static bool take_comma(tet_cursor *cursor) {
    if (cursor->status != ABUT_OK || !cursor_line_goes_on(cursor)) {
        return false;
    }
    if (*cursor->next != ',') {
        cursor->word = cursor->next;
        cursor_fail(cursor, "a comma is expected here");
        return false;
    }
    cursor->next++;
    return true;
}

bool abaqus_next_field(tet_cursor *cursor) { return take_comma(cursor) && cursor_line_goes_on(cursor); }

bool abaqus_next_field_or_line(tet_cursor *cursor) {
    if (!take_comma(cursor)) {
        return false;
    }
    if (cursor_line_goes_on(cursor)) {
        return true;
    }
    cursor_skip_line(cursor);
    return abaqus_next_data(cursor);
}
