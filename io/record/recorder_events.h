#pragma once

#include <stdbool.h>

#include "io/record/h5write.h"
#include "io/record/recording.h"
#include "io/scene/event/bonds.h"

/*
 * The group /events of a recording: a row for each event of each step, also for each bond that breaks. It exists when the world lists events.
 */
typedef struct recorder_events {
    bool begun; /* the group exists */
    int compression;
    h5_column columns[LAYOUT_EVENT_FIELDS];
    bond_watch bonds;
} recorder_events;

/* Begins, with the group when the scene's worlds list events. To be released in every case. */
abut_status recorder_events_begin(recorder_events *events, hid_t file, const abut_simulation *simulation, int compression);

/* Makes the group, if it does not exist yet. */
abut_status recorder_events_need(recorder_events *events, hid_t file);

/* Records the events of the last step. ABUT_OK; ABUT_ERROR_FILE; ABUT_ERROR_OUT_OF_MEMORY. */
abut_status recorder_events_append(recorder_events *events, const abut_simulation *simulation, int64_t step);

/* To be called when the simulation was restored: bonds that are broken broke before. ABUT_OK; ABUT_ERROR_OUT_OF_MEMORY. */
abut_status recorder_events_continue(recorder_events *events, const abut_simulation *simulation);
void recorder_events_release(recorder_events *events);
