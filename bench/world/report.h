#pragma once

#include <stdio.h>

#include "world/measure.h"

/* A table for the console, printed row by row as runs end, and JSON. `before` is the run of the same engine, threads and scene with the
 * next smaller number of bodies, or NULL. */
void report_table_head(FILE *out);
void report_table_row(FILE *out, const measurement *row, const measurement *before);
/* JSON up to the end of the last row; the caller closes the list and the object. */
void report_begin(FILE *out, const measurement *rows, int32_t count);

/* The run `before` for rows[at]; NULL for none. */
const measurement *report_smaller_run(const measurement *rows, int32_t at);
