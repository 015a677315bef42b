#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "io/file/error.h"

/*
 * Rows and cells of tables of numbers in text. Blanks around cells do not count, empty lines are skipped, and '#' begins a comment. To be read in the "C"
 * locale (c_locale.h).
 */

/* A part of the text, without a zero at its end. */
typedef struct csv_text {
    const char *begin, *end;
} csv_text;

typedef struct csv_rows {
    const char *path; /* for messages */
    csv_text rest;    /* a zero stands at its end */
    int32_t line;     /* of the row taken last, from 1 */
    char separator;
} csv_rows;

/* Skips the mark of UTF-8 that some programs write first. */
csv_rows csv_make(const char *path, const char *data, size_t length, char separator);

/* The next row that is not empty; false at the end. */
bool csv_next_row(csv_rows *rows, csv_text *row);

int csv_count_cells(const csv_rows *rows, csv_text row);

/* The next cell of the row, which begins behind it afterwards. */
csv_text csv_next_cell(const csv_rows *rows, csv_text *row);

/* True when the whole cell is a number. */
bool csv_read_integer(csv_text cell, int64_t *number);
bool csv_read_real(csv_text cell, double *number);

/* A row of names: its first cell is not a number. */
bool csv_is_header(const csv_rows *rows, csv_text row);

/* ABUT_ERROR_FORMAT: the cell of the row taken last is not `what`. Columns count from 1. */
abut_status csv_fail_cell(const csv_rows *rows, int column, csv_text cell, const char *what, abut_error *error);
