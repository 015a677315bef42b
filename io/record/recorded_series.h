#pragma once

#include "io/record/h5read.h"
#include "io/record/recording.h"

/* The time series of a recording that is read. Zero without one. */
typedef struct recorded_series {
    int32_t count; /* columns */
    char *names;   /* [count * stride] */
    size_t stride;
    h5_rows rows;
    double *row; /* [count] the one that was read last */
} recorded_series;

/* Opens the series. ABUT_OK, also without one; ABUT_ERROR_FORMAT; ABUT_ERROR_OUT_OF_MEMORY. To be closed in every case. */
abut_status recorded_series_open(recorded_series *series, hid_t file, int64_t step_count);
abut_status recorded_series_read(recorded_series *series, int64_t row);
void recorded_series_close(recorded_series *series);
