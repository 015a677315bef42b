#pragma once

#include <abut/math.h>

#include "io/file/error.h"

/*
 * A position in a file of a tetrahedral mesh, for reading numbers and words. The first failure is kept: afterwards all functions return zero. So a reader
 * checks `status` in its loops and at its end, not after every number.
 */
typedef struct tet_cursor {
    const char *path;        /* for messages */
    const char *start, *end; /* all bytes, with a zero byte at the end */
    const char *next;
    int32_t line;      /* line of `next`, from 1; 0 in a binary file, whose messages give the byte */
    bool binary;       /* numbers are bytes, not text */
    bool big;          /* the most significant byte first */
    bool natural;      /* binary whole numbers have no sign */
    bool columns;      /* messages about text give the column too */
    char comment;      /* begins a comment to the end of the line, which counts as a blank; 0: none */
    char separator;    /* ends a number or a word; the reader skips it; 0: none */
    const char *whole; /* what ends, in messages; NULL: "file" */
    const char *word;  /* where the number or word begins that was read last */
    abut_status status;
    abut_error *error;
} tet_cursor;

tet_cursor cursor_make(const char *path, const char *data, size_t length, abut_error *error);

/* Fails with ABUT_ERROR_FORMAT at this position, printf style, unless something failed before. */
#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
void cursor_fail(tet_cursor *cursor, const char *format, ...);
void cursor_no_memory(tet_cursor *cursor);
/* Moves to a place, so that messages name it. */
void cursor_move(tet_cursor *cursor, const char *at, int32_t line);

/* The next whole number, of `size` bytes (1, 2, 4, 8, signed) where numbers are binary. */
int64_t cursor_integer(tet_cursor *cursor, size_t size);
/* The next number, of `size` bytes (4, 8) where numbers are binary. */
double cursor_real(tet_cursor *cursor, size_t size);
/* Three finite numbers. `what` and `tag` name the vertex in messages. */
abut_vec3 cursor_vertex(tet_cursor *cursor, size_t size, const char *what, int64_t tag);
/*
 * Reads a count of things that follow. Each thing takes at least `numbers` numbers in text, or `bytes` bytes in binary files. Fails when the count is negative
 * or larger than the rest of the file can hold. `what` names the things in messages.
 */
int64_t cursor_count(tet_cursor *cursor, size_t size, int64_t numbers, int64_t bytes, const char *what);
/* True when the rest of the file can hold that many things, else fails. */
bool cursor_check_room(tet_cursor *cursor, int64_t count, int64_t numbers, int64_t bytes, const char *what);
/* Skips numbers of `size` bytes. In text it skips words, which may be anything. */
void cursor_skip_numbers(tet_cursor *cursor, int64_t count, size_t size);

/* Reads the next word of text, cut to the size of the buffer. False, and an empty word, when there is none or something failed. */
bool cursor_word(tet_cursor *cursor, char *word, size_t size);
/* Skips to the beginning of the next line. */
void cursor_skip_line(tet_cursor *cursor);
/* Skips to the next line; fails when something else than blanks is left on this line. */
void cursor_end_line(tet_cursor *cursor);

/* Skips blanks; true when this line has more text. */
bool cursor_line_goes_on(tet_cursor *cursor);
/*
 * Text in rows, with '#' before comments: skips to the next row that is not empty; false at the end of the file.
 */
bool cursor_next_row(tet_cursor *cursor);
/* True when this row has more words. */
bool cursor_row_goes_on(tet_cursor *cursor);
