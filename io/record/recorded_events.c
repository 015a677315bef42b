/*
 * Reads the events of steps.
 */
#include "io/record/recorded_events.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/file/grow.h"
#include "io/scene/event/kinds.h"

/* The widest field is a vector. */
enum { CELL_BYTES = 3 * sizeof(double) };

abut_status recorded_events_open(recorded_events *events, hid_t file, int32_t body_count, int32_t joint_count, int64_t step_count) {
    hsize_t count = 0;
    if (H5Lexists(file, "events", H5P_DEFAULT) == 0) {
        return ABUT_OK;
    }
    abut_status status = h5_read_all(file, "events/step", LAYOUT_INT64, 1, (void **)&events->steps, &count);
    for (int i = 0; i < LAYOUT_EVENT_FIELDS && !status; i++) {
        const layout_field *field = &layout_event[i];
        char path[64];
        (void)snprintf(path, sizeof path, "events/%s", field->name);
        status = h5_rows_open(file, path, field->cell, field->width > 1 ? 2 : 1, (hsize_t)field->width, 0, &events->rows[i]);
        status = status || events->rows[i].count == count ? status : ABUT_ERROR_FORMAT;
    }
    for (hsize_t i = 0; i < count && !status; i++) {
        bool right = events->steps[i] >= (i > 0 ? events->steps[i - 1] : 0) && events->steps[i] < step_count;
        status = right ? ABUT_OK : ABUT_ERROR_FORMAT;
    }
    events->body_count = body_count;
    events->joint_count = joint_count;
    events->count = status ? 0 : (int64_t)count;
    return status;
}

static bool is_right(const recorded_events *events, const abut_recorded_event *event) {
    return event->kind >= 0 && event->kind < EVENT_KINDS && event->a >= 0 && event->a < events->body_count && event->b >= -1 &&
           event->b < events->body_count && event->joint >= -1 && event->joint < events->joint_count;
}

abut_status recorded_events_read(recorded_events *events, int64_t first, int32_t count) {
    size_t needed = (size_t)count, capacity = events->capacity;
    bool room = grow_array(&events->events, &capacity, needed, INT32_MAX, sizeof *events->events) &&
                grow_array(&events->cells, &events->capacity, needed, INT32_MAX, CELL_BYTES);
    abut_status status = room ? ABUT_OK : ABUT_ERROR_OUT_OF_MEMORY;
    for (int i = 0; i < (count > 0 ? LAYOUT_EVENT_FIELDS : 0) && !status; i++) {
        const layout_field *field = &layout_event[i];
        size_t size = layout_cell_size(field->cell) * (size_t)field->width;
        status = h5_rows_read(&events->rows[i], (hsize_t)first, (hsize_t)count, events->cells);
        for (int32_t k = 0; k < count && !status; k++) {
            memcpy((char *)&events->events[k] + field->offset, events->cells + size * (size_t)k, size);
        }
    }
    for (int32_t k = 0; k < count && !status; k++) {
        status = is_right(events, &events->events[k]) ? ABUT_OK : ABUT_ERROR_FORMAT;
    }
    return status;
}

int64_t recorded_events_after(const recorded_events *events, int64_t step) {
    int64_t begin = 0, end = events->count;
    while (begin < end) {
        int64_t middle = begin + (end - begin) / 2;
        if (events->steps[middle] <= step) {
            begin = middle + 1;
        } else {
            end = middle;
        }
    }
    return begin;
}

void recorded_events_close(recorded_events *events) {
    for (int i = 0; i < LAYOUT_EVENT_FIELDS; i++) {
        h5_rows_close(&events->rows[i]);
    }
    free(events->steps);
    free(events->events);
    free(events->cells);
}
