/*
 * Scans an XML file from tag to tag. Format: W3C, "Extensible Markup Language (XML) 1.0".
 */
#include "io/tet/xml_tag.h"

#include <string.h>

static bool is_space(char c) { return c == ' ' || c == '\n' || c == '\r' || c == '\t'; }

/* Moves forward to a place and counts the lines between. */
static void move_forward(tet_cursor *cursor, const char *to) {
    for (; cursor->next < to; cursor->next++) {
        cursor->line += *cursor->next == '\n';
    }
    cursor->word = NULL;
}

static bool begins(const tet_cursor *cursor, const char *text) {
    size_t length = strlen(text);
    return (size_t)(cursor->end - cursor->next) >= length && memcmp(cursor->next, text, length) == 0;
}

/* Moves behind the next occurrence of a text; fails when there is none. */
static bool skip_past(tet_cursor *cursor, const char *text) {
    size_t length = strlen(text);
    for (const char *at = cursor->next; at && (size_t)(cursor->end - at) >= length;) {
        if (memcmp(at, text, length) == 0) {
            move_forward(cursor, at + length);
            return true;
        }
        at = memchr(at + 1, text[0], (size_t)(cursor->end - at - 1));
    }
    cursor_fail(cursor, "the file ends before the '%s' of this tag", text);
    return false;
}

/* Skips what begins with '<' and is no tag: true when there was something. */
static bool skip_other(tet_cursor *cursor) {
    static const struct { const char *begin, *end; } others[] = {{"<!--", "-->"}, {"<![CDATA[", "]]>"}, {"<?", "?>"}, {"<!", ">"}};
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        if (begins(cursor, others[i].begin)) {
            return skip_past(cursor, others[i].end);
        }
    }
    return false;
}

/* The '>' that ends a tag, which quotes may hide; NULL when there is none. */
static const char *end_of_tag(const tet_cursor *cursor) {
    char quote = '\0';
    for (const char *at = cursor->next; at < cursor->end; at++) {
        if (quote == '\0' && *at == '>') {
            return at;
        }
        quote = quote != '\0' ? (*at == quote ? '\0' : quote) : *at == '"' || *at == '\'' ? *at : '\0';
    }
    return NULL;
}

static bool read_tag(tet_cursor *cursor, xml_tag *tag) {
    const char *end = end_of_tag(cursor);
    if (!end) {
        cursor_fail(cursor, "the file ends before the '>' of this tag");
        return false;
    }
    *tag = (xml_tag){.at = cursor->next, .line = cursor->line};
    tag->closes = cursor->next[1] == '/';
    tag->empty = !tag->closes && end[-1] == '/';
    tag->name = cursor->next + 1 + tag->closes;
    tag->end = end - tag->empty;
    tag->attributes = tag->name;
    while (tag->attributes < tag->end && !is_space(*tag->attributes)) {
        tag->attributes++;
    }
    move_forward(cursor, end + 1);
    return true;
}

bool xml_next_tag(tet_cursor *cursor, xml_tag *tag) {
    while (cursor->status == ABUT_OK) {
        const char *at = memchr(cursor->next, '<', (size_t)(cursor->end - cursor->next));
        move_forward(cursor, at ? at : cursor->end);
        if (!at) {
            return false;
        }
        if (!skip_other(cursor) && cursor->status == ABUT_OK) {
            return read_tag(cursor, tag);
        }
    }
    return false;
}

static bool is_text(const char *begin, const char *end, const char *text) {
    return (size_t)(end - begin) == strlen(text) && memcmp(begin, text, (size_t)(end - begin)) == 0;
}

bool xml_is(const xml_tag *tag, const char *name) { return is_text(tag->name, tag->attributes, name); }

/* Takes the next NAME="VALUE" from *at on; false when there is none. */
static bool next_attribute(const char **at, const char *end, const char *name[2], const char *value[2]) {
    const char *c = *at;
    while (c < end && is_space(*c)) {
        c++;
    }
    for (name[0] = c; c < end && *c != '=' && !is_space(*c); c++) {
    }
    for (name[1] = c; c < end && (is_space(*c) || *c == '='); c++) {
    }
    if (c >= end || (*c != '"' && *c != '\'')) {
        return false;
    }
    const char *close = memchr(c + 1, *c, (size_t)(end - c - 1));
    value[0] = c + 1;
    value[1] = close;
    *at = close ? close + 1 : end;
    return close != NULL;
}

bool xml_attribute(const xml_tag *tag, const char *name, char *value, size_t size) {
    const char *at = tag->attributes, *names[2], *values[2];
    value[0] = '\0';
    while (next_attribute(&at, tag->end, names, values)) {
        if (is_text(names[0], names[1], name)) {
            size_t length = (size_t)(values[1] - values[0]);
            length = length < size ? length : size - 1;
            memcpy(value, values[0], length);
            value[length] = '\0';
            return true;
        }
    }
    return false;
}
