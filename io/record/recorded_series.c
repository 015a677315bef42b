/*
 * Reads the time series.
 */
#include "io/record/recorded_series.h"

#include <stdlib.h>

abut_status recorded_series_open(recorded_series *series, hid_t file, int64_t step_count) {
    hsize_t count = 0;
    if (H5Lexists(file, "series", H5P_DEFAULT) == 0) {
        return ABUT_OK;
    }
    abut_status status = h5_read_names(file, "series/name", &series->names, &series->stride, &count);
    if (status || count < 1 || count > INT32_MAX) {
        return status ? status : ABUT_ERROR_FORMAT;
    }
    status = h5_rows_open(file, "series/value", LAYOUT_DOUBLE, 2, count, 0, &series->rows);
    if (status || series->rows.count != (hsize_t)step_count) {
        return status ? status : ABUT_ERROR_FORMAT;
    }
    series->row = calloc((size_t)count, sizeof *series->row);
    series->count = series->row ? (int32_t)count : 0;
    return series->row ? ABUT_OK : ABUT_ERROR_OUT_OF_MEMORY;
}

abut_status recorded_series_read(recorded_series *series, int64_t row) { return h5_rows_read(&series->rows, (hsize_t)row, 1, series->row); }

void recorded_series_close(recorded_series *series) {
    h5_rows_close(&series->rows);
    free(series->names);
    free(series->row);
}
