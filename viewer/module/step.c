/*
 * Time: steps, their reports, and restoring.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/scene/report_layout.h"
#include "state.h"

int32_t module_step(int32_t count, int32_t actions) {
    if (module_need()) {
        return (int32_t)ABUT_ERROR_INVALID_ARGUMENT;
    }
    if (!actions) {
        abut_simulation_leave_out_actions(module.simulation);
    }
    for (int32_t i = 0; i < count; i++) {
        abut_error error;
        int32_t bodies = module.report.bodies;
        if (abut_simulation_step(module.simulation, &module.report, &error)) {
            module_note_removals();
            return module_fail_error(&error);
        }
        if (module.report.bodies != bodies) {
            module_note_removals();
        }
    }
    return (int32_t)ABUT_OK;
}

static double field_value(const layout_field *field) {
    const char *cell = (const char *)&module.report + field->offset;
    int32_t word;
    int64_t wide;
    double real;
    switch (field->cell) {
    case LAYOUT_INT32:
        memcpy(&word, cell, sizeof word);
        return word;
    case LAYOUT_INT64:
        memcpy(&wide, cell, sizeof wide);
        return (double)wide;
    default:
        memcpy(&real, cell, sizeof real);
        return real;
    }
}

const double *module_report(void) {
    static double values[LAYOUT_STEP_FIELDS];
    if (module_need()) {
        return NULL;
    }
    for (int i = 0; i < LAYOUT_STEP_FIELDS; i++) {
        values[i] = field_value(&layout_step[i]);
    }
    return values;
}

const char *module_report_names(void) {
    static char text[1024];
    size_t length = 0;
    for (int i = 0; i < LAYOUT_STEP_FIELDS; i++) {
        int added = snprintf(text + length, sizeof text - length, "%s%s", i > 0 ? "," : "", layout_step[i].name);
        length += (size_t)added < sizeof text - length ? (size_t)added : 0;
    }
    return text;
}

int32_t module_finished(void) { return module.simulation && abut_simulation_finished(module.simulation); }

const char *module_state_hash(void) {
    static char text[20];
    if (module_need()) {
        return NULL;
    }
    snprintf(text, sizeof text, "%016" PRIx64, abut_world_hash(abut_simulation_world(module.simulation)));
    return text;
}

/* ---- saving and restoring ---- */

/* Written before the simulation's own bytes: the number of events and the report. */
typedef struct saved_begin {
    int32_t event_count;
    abut_step_report report;
} saved_begin;

static uint8_t *saved_bytes;
static int32_t saved_size;

const uint8_t *module_save(void) {
    size_t size = 0;
    if (module_need()) {
        return NULL;
    }
    abut_status status = abut_simulation_save(module.simulation, NULL, 0, &size);
    uint8_t *bytes = status == ABUT_ERROR_CAPACITY ? realloc(saved_bytes, sizeof(saved_begin) + size) : NULL;
    if (status != ABUT_ERROR_CAPACITY || !bytes) {
        module_fail(bytes ? status : ABUT_ERROR_OUT_OF_MEMORY, "the state cannot be kept: %s",
                    abut_status_message(status == ABUT_ERROR_CAPACITY ? ABUT_ERROR_OUT_OF_MEMORY : status));
        return NULL;
    }
    saved_bytes = bytes;
    saved_begin begin = {module.event_count, module.report};
    memcpy(bytes, &begin, sizeof begin);
    status = abut_simulation_save(module.simulation, bytes + sizeof begin, size, &size);
    saved_size = (int32_t)(sizeof begin + size);
    if (status) {
        module_fail(status, "the state cannot be kept: %s", abut_status_message(status));
    }
    return status ? NULL : bytes;
}

int32_t module_save_size(void) { return saved_size; }

int32_t module_restore(const uint8_t *saved, int32_t size) {
    if (module_need()) {
        return (int32_t)ABUT_ERROR_INVALID_ARGUMENT;
    }
    saved_begin begin = {.event_count = -1};
    if (size > (int32_t)sizeof begin) {
        memcpy(&begin, saved, sizeof begin);
    }
    if (begin.event_count < 0 || begin.event_count > module.event_count) {
        return module_fail(ABUT_ERROR_FOREIGN, "the state is not one of this simulation's past");
    }
    /* A world accepts a state only if no body was added or removed since. */
    int32_t result = begin.event_count < module.event_count ? module_rebuild(begin.event_count) : (int32_t)ABUT_OK;
    if (result) {
        return result;
    }
    abut_status status = abut_simulation_restore(module.simulation, saved + sizeof begin, (size_t)size - sizeof begin);
    if (status) {
        return module_fail(status, "the state cannot be restored: %s", abut_status_message(status));
    }
    module_forget_springs();
    module.report = begin.report;
    return (int32_t)ABUT_OK;
}
