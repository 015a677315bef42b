#pragma once

#include "io/record/h5file.h"
#include "io/record/h5write.h"
#include "io/record/recorder_deformed.h"
#include "io/record/recorder_events.h"
#include "io/record/recorder_joints.h"
#include "io/record/recorder_series.h"
#include "io/record/recording.h"

/*
 * The members of a recorder, for the files that write recordings: record/recorder.c, record/checkpoint_write.c and record/checkpoint.c.
 */

enum { FRAME_STEP, FRAME_TIME, FRAME_CONTACT_FIRST, FRAME_CONTACT_COUNT, FRAME_POSE, FRAME_VELOCITY, FRAME_PRESENCE, FRAME_COLUMNS };

struct abut_recorder {
    h5_file out;
    abut_recorder_settings settings;
    int32_t body_count;
    abut_body_id *ids;  /* [body_count] */
    int32_t *slot_body; /* [slot_count] the body whose id has the index; -1 for none */
    uint32_t slot_count;
    h5_column steps[LAYOUT_STEP_FIELDS];
    h5_column frames[FRAME_COLUMNS];
    h5_column contacts[LAYOUT_CONTACT_FIELDS];
    double *pose, *velocity; /* [body_count] rows of the frame being gathered */
    int8_t *presence;
    abut_recorded_contact *now, *last; /* [contact_capacity] contacts of this frame and the one before */
    int32_t now_count, last_count;
    size_t contact_capacity;
    int64_t last_first; /* index of the first contact of the last frame in the columns */
    int64_t contact_rows;
    recorder_deformed deformed;
    recorder_joints joints;
    recorder_series series;
    recorder_events events;
};

/* The largest number of columns of a recording, and a column with its path in the file. */
enum {
    RECORDER_COLUMNS =
        LAYOUT_STEP_FIELDS + FRAME_COLUMNS + LAYOUT_CONTACT_FIELDS + DEFORMED_COLUMNS + JOINT_COLUMNS + 1 + LAYOUT_EVENT_FIELDS
};

typedef struct recorder_column {
    h5_column *column;
    char path[64];
} recorder_column;

/* Lists the columns and returns their number. Those of /deformed exist only after a body has deformed, and those of joints, series and events only where
 * there are some. */
int recorder_columns(abut_recorder *recorder, recorder_column columns[RECORDER_COLUMNS]);

/* Makes room for `count` contacts of a frame in `now` and `last`. ABUT_OK; ABUT_ERROR_OUT_OF_MEMORY. */
abut_status recorder_reserve_contacts(abut_recorder *recorder, int32_t count);
