#pragma once

#include "io/record/h5write.h"
#include "io/record/recording.h"

/*
 * The time series of a recording: the group /series, with a row for each step. Only scenes with inlets, outlets, servos or measures have it.
 */
typedef struct recorder_series {
    int32_t count; /* columns */
    h5_column values;
} recorder_series;

/* Writes the names, and begins the values. To be released in every case. */
abut_status recorder_series_begin(recorder_series *series, hid_t file, const abut_simulation *simulation, int compression);

/* Records the row of the present state. */
abut_status recorder_series_append(recorder_series *series, const abut_simulation *simulation);
void recorder_series_release(recorder_series *series);
