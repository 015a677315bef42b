/*
 * Writes the events of the steps.
 */
#include "io/record/recorder_events.h"

#include "io/scene/event/kinds.h"

enum { CHUNK_EVENTS = 4096 };

abut_status recorder_events_begin(recorder_events *events, hid_t file, const abut_simulation *simulation, int compression) {
    *events = (recorder_events){.compression = compression};
    abut_status status = bond_watch_look(&events->bonds, abut_simulation_world(simulation));
    return status ? status : abut_scene_world_def(abut_simulation_scene(simulation))->events ? recorder_events_need(events, file) : ABUT_OK;
}

abut_status recorder_events_need(recorder_events *events, hid_t file) {
    if (events->begun) {
        return ABUT_OK;
    }
    hid_t group = h5_create_group(file, "events");
    hid_t kind = h5_enumeration(event_names, 0, EVENT_KINDS);
    abut_status status = group < 0 || kind < 0 ? ABUT_ERROR_FILE : ABUT_OK;
    for (int i = 0; i < LAYOUT_EVENT_FIELDS && !status; i++) {
        const layout_field *field = &layout_event[i];
        h5_column_def def = {.name = field->name,
                             .cell = field->cell,
                             .file_type = field->cell == LAYOUT_INT8 ? kind : 0,
                             .rank = field->width > 1 ? 2 : 1,
                             .inner = {(hsize_t)field->width},
                             .most_rows = CHUNK_EVENTS,
                             .compression = events->compression};
        status = h5_column_create(group, &def, &events->columns[i]);
    }
    H5Gclose(group);
    H5Tclose(kind);
    events->begun = status == ABUT_OK;
    return status;
}

/* The value of abut_body_def.user is the index of the body in the scene. A scene's joints are the first of its world. */
static abut_recorded_event record_of(const abut_world_event *event, int64_t step) {
    return (abut_recorded_event){.step = step,
                                 .kind = (int8_t)event_index(event->kind),
                                 .a = (int32_t)event->user_a,
                                 .b = event->b.index ? (int32_t)event->user_b : -1,
                                 .joint = (int32_t)event->joint.index - 1,
                                 .point = abut_lerp(event->contact.on_a, event->contact.on_b, 0.5),
                                 .normal = event->contact.normal,
                                 .gap = event->contact.gap,
                                 .impulse = event->impulse,
                                 .speed = event->speed};
}

static abut_status append(recorder_events *events, const abut_recorded_event *row) {
    abut_status status = ABUT_OK;
    for (int k = 0; k < LAYOUT_EVENT_FIELDS && !status; k++) {
        status = h5_column_append(&events->columns[k], (const char *)row + layout_event[k].offset);
    }
    return status;
}

abut_status recorder_events_append(recorder_events *events, const abut_simulation *simulation, int64_t step) {
    const abut_world_event *list = NULL;
    int32_t count = 0;
    abut_status status = events->begun ? abut_world_events(abut_simulation_world(simulation), &list, &count) : ABUT_OK;
    for (int32_t i = 0; i < count && !status; i++) {
        abut_recorded_event row = record_of(&list[i], step);
        status = append(events, &row);
    }
    status = !status && events->begun ? bond_watch_look(&events->bonds, abut_simulation_world(simulation)) : status;
    for (int32_t i = 0; i < events->bonds.news_count && events->begun && !status; i++) {
        const broken_bond *bond = &events->bonds.news[i];
        abut_recorded_event row = {.step = step, .kind = EVENT_BOND_BREAKS, .a = bond->a, .b = bond->b, .joint = -1};
        status = append(events, &row);
    }
    return status;
}

abut_status recorder_events_continue(recorder_events *events, const abut_simulation *simulation) {
    return bond_watch_look(&events->bonds, abut_simulation_world(simulation));
}

void recorder_events_release(recorder_events *events) {
    for (int i = 0; i < LAYOUT_EVENT_FIELDS; i++) {
        h5_column_release(&events->columns[i]);
    }
    bond_watch_release(&events->bonds);
}
