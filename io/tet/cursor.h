#pragma once

#include <abut/math.h>

#include "io/file/error.h"

/*
 * A place in a file of a tetrahedral mesh, which numbers and words are taken from. The first failure stays: from then on everything taken
 * is zero, so that a reader looks at `status` where it loops or is done, and not after every number.
 */
typedef struct tet_cursor {
    const char *path;        /* for messages */
    const char *start, *end; /* all bytes; a zero stands at the end */
    const char *next;
    int32_t line; /* of `next`, from 1; 0 in a binary file, whose messages count bytes */
    bool binary;  /* numbers are bytes, not text */
    bool big;     /* the most significant byte first */
    abut_status status;
    abut_error *error;
} tet_cursor;

tet_cursor cursor_make(const char *path, const char *data, size_t length, abut_error *error);

/* ABUT_ERROR_FORMAT at this place, printf style, unless something failed before. */
#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
void cursor_fail(tet_cursor *cursor, const char *format, ...);
void cursor_no_memory(tet_cursor *cursor);

/* The next whole number, of `size` bytes (1, 2, 4, 8, signed) where numbers are binary. */
int64_t cursor_integer(tet_cursor *cursor, size_t size);
/* The next number, of `size` bytes (4, 8) where numbers are binary. */
double cursor_real(tet_cursor *cursor, size_t size);
/* Three of them, finite; `what` and `tag` name the vertex in the message. */
abut_vec3 cursor_vertex(tet_cursor *cursor, size_t size, const char *what, int64_t tag);
/*
 * The next whole number, which says how many things follow, each of at least `numbers` numbers in text, `bytes` bytes where numbers are
 * binary. Fails when it is negative or the rest of the file cannot hold as many; `what` names the things.
 */
int64_t cursor_count(tet_cursor *cursor, size_t size, int64_t numbers, int64_t bytes, const char *what);
/* Could the rest of the file hold as many? Else fails. */
bool cursor_check_room(tet_cursor *cursor, int64_t count, int64_t numbers, int64_t bytes, const char *what);
/* Passes over numbers of `size` bytes. Text is passed over word by word, and may be anything. */
void cursor_skip_numbers(tet_cursor *cursor, int64_t count, size_t size);

/* The next word of text, cut to the buffer's size; false, and an empty word, when there is none or something failed. */
bool cursor_word(tet_cursor *cursor, char *word, size_t size);
/* To the beginning of the next line. */
void cursor_skip_line(tet_cursor *cursor);
/* The same; fails when there is more than blanks before it. */
void cursor_end_line(tet_cursor *cursor);

/*
 * Text in rows, with '#' before comments: to the next row that has something in it; false at the end of the file.
 */
bool cursor_next_row(tet_cursor *cursor);
/* Is there more in this row? */
bool cursor_row_goes_on(tet_cursor *cursor);
