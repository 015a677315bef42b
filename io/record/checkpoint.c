/*
 * Reads a checkpoint and continues from it: a new recording is begun, all rows are copied into its columns chunk by chunk, then the simulation restores the
 * state.
 */
#include "io/record/checkpoint.h"

#include <stdlib.h>
#include <string.h>

#include "io/record/checkpoint_layout.h"
#include "io/record/h5read.h"
#include "io/record/recorder_data.h"

struct abut_checkpoint {
    char *path, *scene_path;
    abut_recording *recording;
    abut_checkpoint_plan plan;
    int32_t every;
    void *state; /* [size] */
    hsize_t size;
};

/* ---- opening ---- */

static abut_status read_group(abut_checkpoint *checkpoint, hid_t group) {
    hid_t file = recording_file(checkpoint->recording);
    const abut_checkpoint_plan *plan = &checkpoint->plan;
    abut_status status = h5_read_text_attribute(group, "scene_path", &checkpoint->scene_path);
    status = status ? status : h5_read_attribute(group, "steps_wanted", LAYOUT_INT64, 1, &checkpoint->plan.wanted);
    status = status ? status : h5_read_attribute(group, "every_seconds", LAYOUT_DOUBLE, 1, &checkpoint->plan.seconds);
    status = status ? status : h5_read_attribute(group, "every_steps", LAYOUT_INT64, 1, &checkpoint->plan.steps);
    status = status ? status : h5_read_attribute(file, "every", LAYOUT_INT32, 1, &checkpoint->every);
    status = status ? status : h5_read_all(group, "state", LAYOUT_INT8, 1, &checkpoint->state, &checkpoint->size);
    bool right = plan->wanted >= 1 && plan->seconds >= 0.0 && plan->steps >= 0 && checkpoint->every >= 1;
    return status || right ? status : ABUT_ERROR_FORMAT;
}

static abut_status read_state(abut_checkpoint *checkpoint, abut_error *error) {
    const char *path = checkpoint->path;
    const char *version = abut_recording_get_info(checkpoint->recording).version;
    hid_t file = recording_file(checkpoint->recording);
    if (H5Lexists(file, CHECKPOINT_GROUP, H5P_DEFAULT) <= 0) {
        return abut_fail(error, ABUT_ERROR_FORMAT, "%s: is a recording, but not a checkpoint: it has no state to continue from", path);
    }
    int32_t format = 0;
    hid_t group = H5Gopen2(file, CHECKPOINT_GROUP, H5P_DEFAULT);
    abut_status status = h5_read_attribute(group, "version", LAYOUT_INT32, 1, &format);
    if (!status && (format != CHECKPOINT_VERSION || strcmp(version, abut_version()) != 0)) {
        H5Gclose(group);
        return abut_fail(error, ABUT_ERROR_UNSUPPORTED,
                         "%s: was written by abut %s; this is abut %s, whose results may differ; continue with abut %s", path, version,
                         abut_version(), version);
    }
    status = status ? status : read_group(checkpoint, group);
    H5Gclose(group);
    if (status) {
        const char *why = status == ABUT_ERROR_OUT_OF_MEMORY ? "no memory to read it" : "the checkpoint is damaged";
        return abut_fail(error, status, "%s: %s", path, why);
    }
    return ABUT_OK;
}

abut_status abut_checkpoint_open(const char *path, abut_checkpoint **checkpoint, abut_error *error) {
    if (!path || !checkpoint) {
        return abut_fail(error, ABUT_ERROR_INVALID_ARGUMENT, "the path of the checkpoint is missing");
    }
    abut_checkpoint *made = calloc(1, sizeof *made);
    if (!made || !(made->path = strdup(path))) {
        free(made);
        return abut_fail(error, ABUT_ERROR_OUT_OF_MEMORY, "%s: no memory to read it", path);
    }
    abut_status status = abut_recording_open(path, &made->recording, error);
    if (!status) {
        QUIETLY(status = read_state(made, error));
    }
    if (status) {
        abut_checkpoint_close(made);
        return status;
    }
    *checkpoint = made;
    return ABUT_OK;
}

void abut_checkpoint_close(abut_checkpoint *checkpoint) {
    if (!checkpoint) {
        return;
    }
    abut_recording_close(checkpoint->recording);
    free(checkpoint->path);
    free(checkpoint->scene_path);
    free(checkpoint->state);
    free(checkpoint);
}

abut_checkpoint_info abut_checkpoint_get_info(const abut_checkpoint *checkpoint) {
    abut_recording_info recording = abut_recording_get_info(checkpoint->recording);
    abut_checkpoint_info info = {recording.scene, checkpoint->scene_path, recording.step_count - 1, checkpoint->every, checkpoint->plan};
    return info;
}

/* ---- going on ---- */

/* Copies all rows of a dataset into a column, which loses its own rows. */
static abut_status take_column(hid_t file, const recorder_column *to) {
    h5_column *column = to->column;
    h5_rows rows = {0};
    abut_status status = h5_rows_open(file, to->path, column->cell, column->rank, column->inner[0], column->inner[1], &rows);
    if (status) {
        return status;
    }
    status = h5_column_empty(column);
    for (hsize_t first = 0; first < rows.count && !status; first += column->capacity) {
        hsize_t left = rows.count - first;
        column->buffered = left < column->capacity ? left : column->capacity;
        status = h5_rows_read(&rows, first, column->buffered, column->rows);
        if (!status && column->buffered == column->capacity) {
            status = h5_column_flush(column);
        }
    }
    h5_rows_close(&rows);
    return status;
}

static abut_status take_rows(abut_recorder *recorder, hid_t file) {
    bool deformed = H5Lexists(file, "deformed", H5P_DEFAULT) > 0, events = H5Lexists(file, "events", H5P_DEFAULT) > 0;
    abut_status status = deformed ? recorder_deformed_need(&recorder->deformed, recorder->out.file) : ABUT_OK;
    status = !status && events ? recorder_events_need(&recorder->events, recorder->out.file) : status;
    recorder_column columns[RECORDER_COLUMNS];
    int count = recorder_columns(recorder, columns);
    count -= recorder->events.begun && !events ? LAYOUT_EVENT_FIELDS : 0; /* the last ones: of a checkpoint whose run listed none */
    for (int i = 0; i < count && !status; i++) {
        status = take_column(file, &columns[i]);
    }
    return status;
}

/* Takes the contacts of the last frame, because the next frame may share them. */
static abut_status take_contacts(abut_recorder *recorder, abut_recording *from, abut_error *error) {
    abut_recording_info info = abut_recording_get_info(from);
    const abut_recorded_contact *contacts = NULL;
    int32_t count = 0;
    abut_status status = abut_recording_contacts(from, info.frame_count - 1, &contacts, &count, error);
    if (status) {
        return status;
    }
    if (recorder_reserve_contacts(recorder, count)) {
        return abut_fail(error, ABUT_ERROR_OUT_OF_MEMORY, "cannot write '%s': no memory", recorder->out.path);
    }
    for (int32_t i = 0; i < count; i++) {
        recorder->last[i] = contacts[i];
    }
    recorder->last_count = count;
    recorder->contact_rows = info.contact_count;
    int64_t *first = NULL;
    hsize_t frames = 0;
    QUIETLY(status = h5_read_all(recording_file(from), "frames/contact_first", LAYOUT_INT64, 1, (void **)&first, &frames));
    if (status || frames < 1) {
        free(first);
        return abut_fail(error, status ? status : ABUT_ERROR_FORMAT, "%s: the recording is damaged", info.path);
    }
    recorder->last_first = first[frames - 1];
    free(first);
    return ABUT_OK;
}

static abut_status take_recording(abut_checkpoint *checkpoint, abut_recorder *recorder, abut_error *error) {
    abut_status status = ABUT_OK;
    QUIETLY(status = take_rows(recorder, recording_file(checkpoint->recording)));
    if (recorder->out.target.failure || status == ABUT_ERROR_FILE || status == ABUT_ERROR_OUT_OF_MEMORY) {
        return h5_file_explain(&recorder->out, status, error);
    }
    if (status) {
        return abut_fail(error, status, "%s: the recording is damaged", checkpoint->path);
    }
    return take_contacts(recorder, checkpoint->recording, error);
}

static abut_status take_state(const abut_checkpoint *checkpoint, abut_simulation *simulation, abut_error *error) {
    const char *path = checkpoint->path;
    abut_status status = abut_simulation_restore(simulation, checkpoint->state, (size_t)checkpoint->size);
    switch (status) {
    case ABUT_OK:
        return ABUT_OK;
    case ABUT_ERROR_FOREIGN:
        return abut_fail(
            error, status,
            "%s: the scene now gives other bodies or shapes than when this file was written; restore its mesh files beside '%s'", path,
            checkpoint->scene_path);
    case ABUT_ERROR_FORMAT:
        return abut_fail(error, status, "%s: the checkpoint is damaged", path);
    case ABUT_ERROR_UNSUPPORTED:
        return abut_fail(error, status, "%s: was written by another version of abut; continue with that version", path);
    default:
        return abut_fail(error, status, "%s: %s", path, abut_status_message(status));
    }
}

static abut_status last_frame_step(abut_recording *recording, int64_t *step, abut_error *error) {
    abut_recorded_frame frame;
    abut_status status = abut_recording_frame(recording, abut_recording_get_info(recording).frame_count - 1, &frame, error);
    *step = status ? 0 : frame.step;
    return status;
}

abut_status abut_checkpoint_continue(abut_checkpoint *checkpoint, abut_simulation *simulation, const char *path, abut_recorder **recorder,
                                     abut_error *error) {
    if (!checkpoint || !simulation || !path || !recorder) {
        return abut_fail(error, ABUT_ERROR_INVALID_ARGUMENT,
                         "to continue, a checkpoint, a simulation and the path of a recording are needed");
    }
    abut_recording_info info = abut_recording_get_info(checkpoint->recording);
    if (info.frame_count < 1 || info.step_count < 1 || info.body_count != abut_scene_body_count(abut_simulation_scene(simulation))) {
        return abut_fail(error, ABUT_ERROR_FORMAT, "%s: the checkpoint is damaged", checkpoint->path);
    }
    abut_recorder_settings settings = abut_recorder_settings_default();
    settings.every = checkpoint->every;
    abut_recorder *made = NULL;
    int64_t last_step = 0;
    abut_status status = last_frame_step(checkpoint->recording, &last_step, error);
    status = status ? status : abut_recorder_create(path, simulation, &settings, &made, error);
    status = status ? status : take_recording(checkpoint, made, error);
    status = status ? status : take_state(checkpoint, simulation, error);
    if (!status && recorder_events_continue(&made->events, simulation) != ABUT_OK) {
        status = abut_fail(error, ABUT_ERROR_OUT_OF_MEMORY, "cannot write '%s': no memory", path);
    }
    if (status) {
        abut_recorder_abort(made);
        return status;
    }
    recorder_deformed_continue(&made->deformed, simulation, info.frame_count, last_step);
    *recorder = made;
    return ABUT_OK;
}
