/*
 * Writes a checkpoint: copies the part of the recording that is on the disk, then adds to the copy the rows that are still in memory, the flag and the state.
 * The recorder is not disturbed, and each of its chunks is compressed and written once.
 */
#define _XOPEN_SOURCE 700 /* getcwd */

#include "io/record/checkpoint.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "io/file/path.h"
#include "io/record/checkpoint_layout.h"
#include "io/record/recorder_data.h"

/* Writes the buffered rows of the recorder into the copy. The buffers stay unchanged. */
static abut_status add_waiting(abut_recorder *recorder, hid_t copy) {
    recorder_column columns[RECORDER_COLUMNS];
    int count = recorder_columns(recorder, columns);
    abut_status status = ABUT_OK;
    for (int i = 0; i < count && !status; i++) {
        h5_column column = *columns[i].column;
        column.dataset = H5Dopen2(copy, columns[i].path, H5P_DEFAULT);
        status = column.dataset < 0 ? ABUT_ERROR_FILE : h5_column_flush(&column);
        H5Dclose(column.dataset);
    }
    return status;
}

static abut_status add_state(hid_t copy, const void *state, size_t size, const char *scene_path, const abut_checkpoint_plan *plan) {
    const int8_t complete = 0;
    const int32_t version = CHECKPOINT_VERSION;
    hid_t group = h5_create_group(copy, CHECKPOINT_GROUP);
    const abut_status results[] = {
        group < 0 ? ABUT_ERROR_FILE : ABUT_OK,
        h5_write_attribute(copy, "complete", LAYOUT_INT8, 1, &complete),
        h5_write_attribute(group, "version", LAYOUT_INT32, 1, &version),
        h5_write_text_attribute(group, "scene_path", scene_path),
        h5_write_attribute(group, "steps_wanted", LAYOUT_INT64, 1, &plan->wanted),
        h5_write_attribute(group, "every_seconds", LAYOUT_DOUBLE, 1, &plan->seconds),
        h5_write_attribute(group, "every_steps", LAYOUT_INT64, 1, &plan->steps),
        h5_write_bytes(group, "state", (hsize_t)size, state),
    };
    H5Gclose(group);
    abut_status status = ABUT_OK;
    for (size_t i = 0; i < sizeof results / sizeof *results && !status; i++) {
        status = results[i];
    }
    return status;
}

/* Completes the copy. */
static abut_status fill(abut_recorder *recorder, h5_file *out, const char *scene_path, const void *state, size_t size,
                        const abut_checkpoint_plan *plan) {
    out->file = sink_open(&out->target, out->path);
    if (out->file < 0) {
        return ABUT_ERROR_FILE;
    }
    abut_status status = add_waiting(recorder, out->file);
    status = status ? status : add_state(out->file, state, size, scene_path, plan);
    return status ? status : h5_file_close(out);
}

static abut_status write_file(abut_recorder *recorder, const char *path, const char *scene_path, const void *state, size_t size,
                              const abut_checkpoint_plan *plan, abut_error *error) {
    herr_t flushed = 0;
    QUIETLY(flushed = H5Fflush(recorder->out.file, H5F_SCOPE_LOCAL));
    h5_file out;
    abut_status status = h5_file_explain(&recorder->out, flushed < 0 ? ABUT_ERROR_FILE : ABUT_OK, error);
    status = status ? status : h5_file_begin(&out, path, error);
    if (status) {
        return status;
    }
    status = output_copy(out.output, output_descriptor(recorder->out.output), error);
    if (!status) {
        QUIETLY(status = fill(recorder, &out, scene_path, state, size, plan));
        status = h5_file_explain(&out, status, error);
    }
    if (status) {
        h5_file_discard(&out);
        return status;
    }
    return h5_file_commit(&out, error);
}

/* Saves the state into newly allocated memory. */
static abut_status save(const abut_simulation *simulation, void **state, size_t *size) {
    abut_status status = abut_simulation_save(simulation, NULL, 0, size);
    if (status != ABUT_ERROR_CAPACITY) {
        return status ? status : ABUT_ERROR_INTERNAL;
    }
    *state = malloc(*size);
    return *state ? abut_simulation_save(simulation, *state, *size, size) : ABUT_ERROR_OUT_OF_MEMORY;
}

/* The absolute path. Links are not resolved, because mesh files are beside the link. To be freed; NULL when there is no memory. */
static char *absolute(const char *path) {
    char folder[PATH_MAX];
    bool whole = path_is_absolute(path) || !getcwd(folder, sizeof folder);
    size_t size = strlen(path) + (whole ? 0 : strlen(folder) + 1) + 1;
    char *made = malloc(size);
    if (made) {
        snprintf(made, size, "%s%s%s", whole ? "" : folder, whole ? "" : "/", path);
    }
    return made;
}

abut_status abut_checkpoint_write(abut_recorder *recorder, const abut_simulation *simulation, const char *path,
                                  const abut_checkpoint_plan *plan, abut_error *error) {
    if (!recorder || !simulation || !path || !plan) {
        return abut_fail(error, ABUT_ERROR_INVALID_ARGUMENT, "a checkpoint needs a recorder, a simulation, a path and a plan");
    }
    void *state = NULL;
    size_t size = 0;
    char *scene_path = absolute(abut_scene_path(abut_simulation_scene(simulation)));
    abut_status status = scene_path ? save(simulation, &state, &size) : ABUT_ERROR_OUT_OF_MEMORY;
    if (status) {
        abut_fail(error, status, "cannot write '%s': the state of the simulation: %s", path, abut_status_message(status));
    } else {
        status = write_file(recorder, path, scene_path, state, size, plan, error);
    }
    free(scene_path);
    free(state);
    return status;
}
