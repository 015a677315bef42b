#pragma once

#include "io/record/h5read.h"
#include "io/record/recording.h"

/* The events of a recording that is read. Zero without events. */
typedef struct recorded_events {
    int32_t body_count, joint_count;
    int64_t count;
    int64_t *steps; /* [count] */
    h5_rows rows[LAYOUT_EVENT_FIELDS];
    abut_recorded_event *events; /* [capacity] those that were read last */
    char *cells;                 /* [capacity] cells of the widest field */
    size_t capacity;
} recorded_events;

/* Opens the events and reads their steps. ABUT_OK, also without events; ABUT_ERROR_FORMAT; ABUT_ERROR_OUT_OF_MEMORY. To be closed in every case. */
abut_status recorded_events_open(recorded_events *events, hid_t file, int32_t body_count, int32_t joint_count, int64_t step_count);
abut_status recorded_events_read(recorded_events *events, int64_t first, int32_t count);
/* The first event of a later step. */
int64_t recorded_events_after(const recorded_events *events, int64_t step);
void recorded_events_close(recorded_events *events);
