/*
 * Writes the time series.
 */
#include "io/record/recorder_series.h"

#include <stdlib.h>

enum { CHUNK_STEPS = 1024 };

static abut_status write_names(hid_t group, const abut_scene *scene, int32_t count) {
    const char **names = calloc((size_t)count, sizeof *names);
    if (!names) {
        return ABUT_ERROR_OUT_OF_MEMORY;
    }
    for (int32_t i = 0; i < count; i++) {
        names[i] = abut_scene_series_name(scene, i);
    }
    abut_status status = h5_write_names(group, "name", names, (hsize_t)count);
    free(names);
    return status;
}

abut_status recorder_series_begin(recorder_series *series, hid_t file, const abut_simulation *simulation, int compression) {
    const abut_scene *scene = abut_simulation_scene(simulation);
    *series = (recorder_series){.count = abut_scene_series_count(scene)};
    if (series->count == 0) {
        return ABUT_OK;
    }
    const h5_column_def def = {"value", LAYOUT_DOUBLE, 0, 2, {(hsize_t)series->count}, CHUNK_STEPS, compression};
    hid_t group = h5_create_group(file, "series");
    abut_status status = group < 0 ? ABUT_ERROR_FILE : write_names(group, scene, series->count);
    status = status ? status : h5_column_create(group, &def, &series->values);
    H5Gclose(group);
    return status;
}

abut_status recorder_series_append(recorder_series *series, const abut_simulation *simulation) {
    return series->count > 0 ? h5_column_append(&series->values, abut_simulation_series(simulation)) : ABUT_OK;
}

void recorder_series_release(recorder_series *series) { h5_column_release(&series->values); }
