/*
 * Arrays of VTK XML files. Format: "VTK XML Format Details", VTK documentation. The numbers of an array are text in its tag, base64 in its tag, or bytes at an
 * offset behind all tags, as they are or in base64. Before the bytes is their count, or the counts of compressed blocks.
 */
#include "io/tet/vtu_array.h"

#include <stdlib.h>
#include <string.h>

#include "io/tet/read.h"
#include "io/tet/vtu_bytes.h"

enum { VALUE_SIZE = 64 };

/* The cursor names the tag in messages. */
static void go_to(const vtu_storage *storage, const vtu_array *array) { cursor_move(storage->cursor, array->at, array->line); }

static void read_type(const vtu_storage *storage, const xml_tag *tag, vtu_array *array) {
    static const struct {
        const char *name;
        size_t size;
        bool real, natural;
    } types[] = {{"Float64", 8, true, false}, {"Float32", 4, true, false}, {"Int64", 8, false, false}, {"Int32", 4, false, false},
                 {"UInt8", 1, false, true},   {"Int8", 1, false, false},   {"UInt64", 8, false, true}, {"UInt32", 4, false, true},
                 {"Int16", 2, false, false},  {"UInt16", 2, false, true}};
    char name[VALUE_SIZE];
    (void)xml_attribute(tag, "type", name, sizeof name);
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++) {
        if (strcmp(name, types[i].name) == 0) {
            array->size = types[i].size;
            array->real = types[i].real;
            array->natural = types[i].natural;
            return;
        }
    }
    go_to(storage, array);
    cursor_fail(storage->cursor, "an array of the type '%s' is not supported", name);
}

static void read_format(const vtu_storage *storage, const xml_tag *tag, vtu_array *array) {
    char format[VALUE_SIZE], offset[VALUE_SIZE], *end;
    (void)xml_attribute(tag, "format", format, sizeof format);
    array->format = strcmp(format, "appended") == 0 ? VTU_APPENDED : strcmp(format, "binary") == 0 ? VTU_BINARY : VTU_ASCII;
    go_to(storage, array);
    if (array->format == VTU_ASCII && format[0] != '\0' && strcmp(format, "ascii") != 0) {
        cursor_fail(storage->cursor, "the format '%s' of an array is not known; use ascii, binary or appended", format);
    }
    if (array->format != VTU_APPENDED) {
        return;
    }
    (void)xml_attribute(tag, "offset", offset, sizeof offset);
    array->offset = strtoull(offset, &end, 10);
    if (offset[0] < '0' || offset[0] > '9' || *end != '\0') {
        cursor_fail(storage->cursor, "the array needs an offset");
    }
}

/* Takes a text as the array's when it is the first that is not blank. */
static void take_text(vtu_array *array, const char *begin, const char *end, int32_t line) {
    size_t blanks = strspn(begin, " \t\r\n");
    if (!array->begin && begin + blanks < end) {
        array->begin = begin;
        array->end = end;
        array->text_line = line;
    }
}

/* Reads up to the closing tag. VTK puts tags with information into arrays, before or behind the text. */
static void read_text(const vtu_storage *storage, vtu_array *array) {
    tet_cursor *cursor = storage->cursor;
    xml_tag tag;
    for (int depth = 0; depth >= 0;) {
        const char *begin = cursor->next;
        int32_t line = cursor->line;
        if (!xml_next_tag(cursor, &tag)) {
            cursor_fail(cursor, "the file ends before '</DataArray>'");
            return;
        }
        if (depth == 0) {
            take_text(array, begin, tag.at, line);
        }
        depth += tag.closes ? -1 : tag.empty ? 0 : 1;
    }
    if (!xml_is(&tag, "DataArray")) {
        cursor_move(cursor, tag.at, tag.line);
        cursor_fail(cursor, "'</DataArray>' is expected here");
    }
}

vtu_array vtu_declare(const vtu_storage *storage, const xml_tag *tag) {
    vtu_array array = {.declared = true, .at = tag->at, .line = tag->line};
    tet_cursor *cursor = storage->cursor, behind = *cursor;
    read_type(storage, tag, &array);
    read_format(storage, tag, &array);
    if (cursor->status == ABUT_OK) {
        *cursor = behind;
        if (!tag->empty) {
            read_text(storage, &array);
        }
    }
    return array;
}

/* Where the bytes of an array begin. */
static bool find_bytes(const vtu_storage *storage, const vtu_array *array, vtu_bytes *bytes) {
    if (array->format == VTU_BINARY) {
        *bytes = vtu_bytes_make(array->begin, array->end, true);
        return true;
    }
    if (!storage->appended || array->offset > (uint64_t)(storage->appended_end - storage->appended)) {
        cursor_fail(storage->cursor, "the offset %llu of the array is beyond the appended data", (unsigned long long)array->offset);
        return false;
    }
    *bytes = vtu_bytes_make(storage->appended + array->offset, storage->appended_end, storage->encoded);
    return true;
}

/* Takes bytes that are not compressed. Those that are not encoded stay where they are. */
static bool take_plain(const vtu_storage *storage, vtu_bytes *bytes, const char **begin, vtu_numbers *numbers, size_t *size) {
    uint64_t count;
    if (!vtu_take_count(storage, bytes, &count) || count > vtu_bytes_left(bytes)) {
        cursor_fail(storage->cursor, "the data end before the bytes of the array");
        return false;
    }
    *size = (size_t)count;
    *begin = bytes->next;
    if (!bytes->encoded) {
        return true;
    }
    numbers->owned = malloc((size_t)count + 1);
    if (!numbers->owned) {
        cursor_no_memory(storage->cursor);
        return false;
    }
    if (!vtu_take(bytes, numbers->owned, (size_t)count)) {
        cursor_fail(storage->cursor, "the data end before the bytes of the array, or are not base64");
        return false;
    }
    *begin = (const char *)numbers->owned;
    return true;
}

static void open_bytes(vtu_storage *storage, const vtu_array *array, vtu_numbers *numbers) {
    vtu_bytes bytes;
    const char *begin = NULL;
    size_t size = 0;
    bool taken = find_bytes(storage, array, &bytes);
    if (taken && storage->compressed) {
        taken = vtu_inflate(storage, &bytes, &numbers->owned, &size);
        begin = (const char *)numbers->owned;
    } else {
        taken = taken && take_plain(storage, &bytes, &begin, numbers, &size);
    }
    numbers->cursor.binary = true;
    numbers->cursor.columns = false;
    if (taken && size > storage->budget) {
        cursor_fail(storage->cursor, "the arrays have more bytes than the file, or than %d MiB", ABUT_TETFILE_MAX_BYTES >> 20);
    } else if (taken) {
        storage->budget -= size;
        numbers->cursor.start = numbers->owned ? begin : numbers->cursor.start;
        numbers->cursor.line = numbers->owned ? array->line : 0;
        numbers->cursor.next = begin;
        numbers->cursor.end = begin + size;
    }
}

vtu_numbers vtu_open(vtu_storage *storage, const vtu_array *array, const char *what) {
    tet_cursor *cursor = storage->cursor;
    vtu_numbers numbers = {.size = array->size, .real = array->real};
    if (array->declared) {
        go_to(storage, array);
    } else {
        cursor_fail(cursor, "the piece has no array with the %s", what);
    }
    numbers.cursor = *cursor;
    numbers.cursor.whole = "array";
    numbers.cursor.big = storage->big;
    numbers.cursor.natural = array->natural;
    if (cursor->status == ABUT_OK && array->format != VTU_ASCII) {
        open_bytes(storage, array, &numbers);
    } else if (cursor->status == ABUT_OK) {
        cursor_move(&numbers.cursor, array->begin ? array->begin : array->at, array->begin ? array->text_line : array->line);
        numbers.cursor.end = array->begin ? array->end : array->at;
    }
    numbers.cursor.status = cursor->status;
    return numbers;
}

/* Fails when numbers are left. */
static void check_end(tet_cursor *cursor) {
    if (!cursor->binary) {
        char word[2];
        (void)cursor_word(cursor, word, sizeof word);
        cursor->next = cursor->word;
    }
    if (cursor->next < cursor->end) {
        cursor_fail(cursor, "the array has more numbers than the piece needs");
    }
}

void vtu_close(const vtu_storage *storage, vtu_numbers *numbers) {
    if (storage->cursor->status == ABUT_OK && numbers->cursor.status == ABUT_OK) {
        check_end(&numbers->cursor);
    }
    if (storage->cursor->status == ABUT_OK) {
        storage->cursor->status = numbers->cursor.status;
    }
    free(numbers->owned);
    numbers->owned = NULL;
}
