#pragma once

#include <stddef.h>
#include <stdint.h>

/*
 * The tables of a recording: which field of which struct is which dataset. Writer and reader work from the same rows, so they cannot
 * disagree; the meaning of each dataset is in docs/formats/recording.md.
 */

#define LAYOUT_FORMAT "abut recording"
#define LAYOUT_VERSION 1

/* What a cell holds, in the file (little-endian) and in memory (native) alike. */
typedef enum layout_cell { LAYOUT_INT8, LAYOUT_INT32, LAYOUT_UINT32, LAYOUT_INT64, LAYOUT_UINT64, LAYOUT_FLOAT, LAYOUT_DOUBLE } layout_cell;

/* One dataset: `width` cells of a struct at `offset`, or a scalar per row when the width is 1. */
typedef struct layout_field {
    const char *name;
    size_t offset;
    layout_cell cell;
    int width;
} layout_field;

/* The last of the step's fields are younger than the format: recordings made before lack some or all of them, and these count as zero. */
enum { LAYOUT_STEP_FIELDS = 33, LAYOUT_FIRST_STEP_FIELDS = 15, LAYOUT_CONTACT_FIELDS = 14 };

extern const layout_field layout_step[LAYOUT_STEP_FIELDS];       /* of abut_step_report */
extern const layout_field layout_contact[LAYOUT_CONTACT_FIELDS]; /* of abut_recorded_contact */

/* The cells of one body's state in a frame: position and quaternion; velocity and angular velocity. */
enum { LAYOUT_POSE_WIDTH = 7, LAYOUT_VELOCITY_WIDTH = 6, LAYOUT_PARAMETERS = 4, LAYOUT_EXPONENTS = 2 };

size_t layout_cell_size(layout_cell cell);
