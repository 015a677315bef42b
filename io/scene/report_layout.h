#pragma once

#include <stddef.h>
#include <stdint.h>

/*
 * The fields of a step report as a table: recordings, exports and pages read and write reports field by field with it.
 */

/* The type of a cell, in the file (little-endian) and in memory (native). */
typedef enum layout_cell { LAYOUT_INT8, LAYOUT_INT32, LAYOUT_UINT32, LAYOUT_INT64, LAYOUT_UINT64, LAYOUT_FLOAT, LAYOUT_DOUBLE } layout_cell;

/* One dataset: `width` cells of a struct at `offset`, or a scalar per row when the width is 1. */
typedef struct layout_field {
    const char *name;
    size_t offset;
    layout_cell cell;
    int width;
} layout_field;

/* The fields after the first LAYOUT_FIRST_STEP_FIELDS are younger than the recording format. Older recordings lack some or all of them, and these count as
 * zero. */
enum { LAYOUT_STEP_FIELDS = 42, LAYOUT_FIRST_STEP_FIELDS = 15 };

extern const layout_field layout_step[LAYOUT_STEP_FIELDS]; /* of abut_step_report */

size_t layout_cell_size(layout_cell cell);
