/*
 * Follows a path through a JSON text that is well formed: at each level it skips the members or elements before the wanted one. Functions take and return
 * offsets and never read beyond the text, so that even a malformed text does no harm.
 */
#include "io/scene/json_position.h"

#include <string.h>

typedef struct json_text {
    const char *bytes;
    size_t length;
} json_text;

/* The byte at the offset, or 0 after the end. */
static char at(json_text text, size_t offset) { return offset < text.length ? text.bytes[offset] : '\0'; }

static bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

static size_t skip_space(json_text text, size_t offset) {
    while (is_space(at(text, offset))) {
        offset++;
    }
    return offset;
}

/* From an opening quote to after the closing quote. */
static size_t skip_string(json_text text, size_t offset) {
    offset++;
    while (offset < text.length && text.bytes[offset] != '"') {
        offset += text.bytes[offset] == '\\' ? 2 : 1;
    }
    return offset < text.length ? offset + 1 : text.length;
}

/* From the first byte of a value to after its last byte. */
static size_t skip_value(json_text text, size_t offset) {
    int64_t depth = 0;
    do {
        char c = at(text, offset);
        if (c == '"') {
            offset = skip_string(text, offset);
        } else if (c == '{' || c == '[') {
            depth++;
            offset++;
        } else if (c == '}' || c == ']') {
            depth--;
            offset++;
        } else if (is_space(c) || c == ',' || c == ':') {
            offset++;
        } else {
            while (offset < text.length && !is_space(text.bytes[offset]) && !strchr(",:{}[]\"", text.bytes[offset])) {
                offset++;
            }
        }
    } while (depth > 0 && offset < text.length);
    return offset;
}

static unsigned hex_digits(json_text text, size_t offset) {
    unsigned value = 0;
    for (size_t i = 0; i < 4; i++) {
        char c = at(text, offset + i);
        unsigned digit = c >= '0' && c <= '9'   ? (unsigned)(c - '0')
                         : c >= 'a' && c <= 'f' ? (unsigned)(c - 'a') + 10
                                                : (unsigned)(c - 'A') + 10;
        value = value * 16 + (digit & 15);
    }
    return value;
}

static size_t write_utf8(unsigned code, char bytes[4]) {
    if (code < 0x80) {
        bytes[0] = (char)code;
        return 1;
    }
    if (code < 0x800) {
        bytes[0] = (char)(0xc0 | code >> 6);
        bytes[1] = (char)(0x80 | (code & 0x3f));
        return 2;
    }
    if (code < 0x10000) {
        bytes[0] = (char)(0xe0 | code >> 12);
        bytes[1] = (char)(0x80 | (code >> 6 & 0x3f));
        bytes[2] = (char)(0x80 | (code & 0x3f));
        return 3;
    }
    bytes[0] = (char)(0xf0 | code >> 18);
    bytes[1] = (char)(0x80 | (code >> 12 & 0x3f));
    bytes[2] = (char)(0x80 | (code >> 6 & 0x3f));
    bytes[3] = (char)(0x80 | (code & 0x3f));
    return 4;
}

/* Decodes one character of a string, which may be an escape, into bytes, and moves `offset` after it. Returns the number of bytes. */
static size_t next_character(json_text text, size_t *offset, char bytes[4]) {
    char c = at(text, (*offset)++);
    if (c != '\\') {
        bytes[0] = c;
        return 1;
    }
    static const char escapes[] = "bfnrt", meanings[] = "\b\f\n\r\t";
    c = at(text, (*offset)++);
    const char *escape = c != '\0' ? strchr(escapes, c) : NULL;
    if (c != 'u') {
        bytes[0] = escape ? meanings[escape - escapes] : c;
        return 1;
    }
    unsigned code = hex_digits(text, *offset);
    *offset += 4;
    if (code >= 0xd800 && code < 0xdc00) {
        /* The first of a surrogate pair; "\u" and the second follow. */
        code = 0x10000 + ((code - 0xd800) << 10) + ((hex_digits(text, *offset + 2) - 0xdc00) & 0x3ff);
        *offset += 6;
    }
    return write_utf8(code, bytes);
}

/* True when the string whose opening quote is at the offset equals `key`. */
static bool string_is(json_text text, size_t offset, const char *key) {
    size_t length = strlen(key), used = 0;
    offset++;
    while (offset < text.length && text.bytes[offset] != '"') {
        char bytes[4];
        size_t count = next_character(text, &offset, bytes);
        if (count > length - used || memcmp(key + used, bytes, count) != 0) {
            return false;
        }
        used += count;
    }
    return used == length;
}

/* Finds a member of the object at the offset: the offsets of its key and value. False when there is none. */
static bool find_member(json_text text, size_t offset, const char *name, size_t *key, size_t *value) {
    if (at(text, offset) != '{') {
        return false;
    }
    offset = skip_space(text, offset + 1);
    while (at(text, offset) == '"') {
        size_t start = skip_space(text, skip_string(text, offset));
        start = skip_space(text, at(text, start) == ':' ? start + 1 : start);
        if (string_is(text, offset, name)) {
            *key = offset;
            *value = start;
            return true;
        }
        offset = skip_space(text, skip_value(text, start));
        offset = skip_space(text, at(text, offset) == ',' ? offset + 1 : offset);
    }
    return false;
}

/* Finds an element of the array at the offset. False when the array is too short. */
static bool find_element(json_text text, size_t offset, size_t index, size_t *value) {
    if (at(text, offset) != '[') {
        return false;
    }
    offset = skip_space(text, offset + 1);
    for (size_t i = 0; i < index; i++) {
        offset = skip_space(text, skip_value(text, offset));
        if (at(text, offset) != ',') {
            return false;
        }
        offset = skip_space(text, offset + 1);
    }
    *value = offset;
    return offset < text.length && text.bytes[offset] != ']';
}

/* The path has as many steps as the JSON has levels, which jansson limits to 2048, so recursion is bounded. */
static bool follow(json_text text, const position_step *step, size_t *key, size_t *value) {
    if (!step || !step->parent) {
        *key = *value = skip_space(text, 0);
        return true;
    }
    if (!follow(text, step->parent, key, value)) {
        return false;
    }
    if (step->key) {
        return find_member(text, *value, step->key, key, value);
    }
    bool found = find_element(text, *value, step->index, value);
    *key = *value;
    return found;
}

size_t position_of(const char *text, size_t length, const position_step *step, bool of_key) {
    json_text json = {text, length};
    size_t key = 0, value = 0;
    follow(json, step, &key, &value);
    return of_key ? key : value;
}

void position_line_column(const char *text, size_t length, size_t offset, int32_t *line, int32_t *column) {
    *line = 1;
    *column = 1;
    for (size_t i = 0; i < offset && i < length; i++) {
        if (text[i] == '\n') {
            (*line)++;
            *column = 1;
        } else if (((unsigned char)text[i] & 0xc0) != 0x80) {
            (*column)++;
        }
    }
}
