/*
 * Writes a recording: the steps' table, the frames and their contacts, as columns that grow. The layout is in docs/recording.md.
 */
#include "io/record/recorder_data.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/file/grow.h"
#include "io/record/recorder_deformed.h"
#include "io/record/recorder_scene.h"

/* Longest chunks, in rows. Chunks of long rows have fewer rows. */
enum { CHUNK_STEPS = 1024, CHUNK_FRAMES = 256, CHUNK_CONTACTS = 4096 };

/* Frames with equal contacts share them. Contacts are compared byte by byte, so they must not have padding. */
_Static_assert(sizeof(abut_recorded_contact) == 2 * sizeof(int32_t) + sizeof(abut_contact) + 4 * sizeof(double), "no padding");
_Static_assert(sizeof(abut_contact) == 11 * sizeof(double) + 2 * sizeof(abut_feature) + 2 * sizeof(uint64_t), "no padding");

abut_recorder_settings abut_recorder_settings_default(void) {
    abut_recorder_settings settings = {.every = 1, .compression = 2};
    return settings;
}

static abut_status create_table(const abut_recorder *recorder, const char *name, const layout_field *fields, int count, hsize_t most_rows,
                                h5_column *columns) {
    hid_t group = h5_create_group(recorder->out.file, name);
    abut_status status = group < 0 ? ABUT_ERROR_FILE : ABUT_OK;
    for (int i = 0; i < count && !status; i++) {
        h5_column_def def = {.name = fields[i].name,
                             .cell = fields[i].cell,
                             .rank = fields[i].width > 1 ? 2 : 1,
                             .inner = {(hsize_t)fields[i].width},
                             .most_rows = most_rows,
                             .compression = recorder->settings.compression};
        status = h5_column_create(group, &def, &columns[i]);
    }
    H5Gclose(group);
    return status;
}

static abut_status create_frames(abut_recorder *recorder) {
    static const char *const presences[] = {"removed", "asleep", "awake"};
    hsize_t n = (hsize_t)recorder->body_count;
    hid_t presence = h5_enumeration(presences, ABUT_RECORDED_REMOVED, 3);
    const h5_column_def defs[FRAME_COLUMNS] = {
        [FRAME_STEP] = {"step", LAYOUT_INT64, 0, 1, {0}, CHUNK_STEPS, 0},
        [FRAME_TIME] = {"time", LAYOUT_DOUBLE, 0, 1, {0}, CHUNK_STEPS, 0},
        [FRAME_CONTACT_FIRST] = {"contact_first", LAYOUT_INT64, 0, 1, {0}, CHUNK_STEPS, 0},
        [FRAME_CONTACT_COUNT] = {"contact_count", LAYOUT_INT32, 0, 1, {0}, CHUNK_STEPS, 0},
        [FRAME_POSE] = {"pose", LAYOUT_DOUBLE, 0, 3, {n, LAYOUT_POSE_WIDTH}, CHUNK_FRAMES, 0},
        [FRAME_VELOCITY] = {"velocity", LAYOUT_DOUBLE, 0, 3, {n, LAYOUT_VELOCITY_WIDTH}, CHUNK_FRAMES, 0},
        [FRAME_PRESENCE] = {"presence", LAYOUT_INT8, presence, 2, {n}, CHUNK_FRAMES, 0},
    };
    hid_t group = h5_create_group(recorder->out.file, "frames");
    abut_status status = group < 0 || presence < 0 ? ABUT_ERROR_FILE : ABUT_OK;
    for (int i = 0; i < FRAME_COLUMNS && !status; i++) {
        h5_column_def def = defs[i];
        def.compression = recorder->settings.compression;
        status = h5_column_create(group, &def, &recorder->frames[i]);
    }
    H5Gclose(group);
    H5Tclose(presence);
    return status;
}

/* Maps the world's slots to bodies. The map stays valid while bodies are removed, but not when they come through inlets. A slot belongs to the last of its
 * bodies. Every slot was that of one of them, so there are not more slots than bodies. */
static void map_slots(abut_recorder *recorder, const abut_simulation *simulation) {
    for (uint32_t slot = 0; slot < recorder->slot_count; slot++) {
        recorder->slot_body[slot] = -1;
    }
    for (int32_t i = 0; i < recorder->body_count; i++) {
        abut_body_id id = recorder->ids[i] = abut_simulation_body_id(simulation, i);
        int32_t before = id.index < recorder->slot_count ? recorder->slot_body[id.index] : i;
        if (id.index > 0 && (before < 0 || recorder->ids[before].generation < id.generation)) {
            recorder->slot_body[id.index] = i;
        }
    }
}

static int32_t body_of(const abut_recorder *recorder, abut_body_id id) {
    int32_t body = id.index < recorder->slot_count ? recorder->slot_body[id.index] : -1;
    return body >= 0 && recorder->ids[body].generation == id.generation ? body : -1;
}

static abut_status allocate(abut_recorder *recorder, const abut_simulation *simulation) {
    size_t room = (size_t)recorder->body_count + 1;
    recorder->ids = calloc(room, sizeof *recorder->ids);
    recorder->pose = calloc(room, LAYOUT_POSE_WIDTH * sizeof *recorder->pose);
    recorder->velocity = calloc(room, LAYOUT_VELOCITY_WIDTH * sizeof *recorder->velocity);
    recorder->presence = calloc(room, sizeof *recorder->presence);
    recorder->slot_count = (uint32_t)room;
    recorder->slot_body = calloc(room, sizeof *recorder->slot_body);
    if (!recorder->ids || !recorder->pose || !recorder->velocity || !recorder->presence || !recorder->slot_body) {
        return ABUT_ERROR_OUT_OF_MEMORY;
    }
    map_slots(recorder, simulation);
    return ABUT_OK;
}

static void gather_bodies(abut_recorder *recorder, const abut_world *world) {
    for (int32_t i = 0; i < recorder->body_count; i++) {
        double *pose = recorder->pose + LAYOUT_POSE_WIDTH * (size_t)i, *velocity = recorder->velocity + LAYOUT_VELOCITY_WIDTH * (size_t)i;
        abut_body_state s;
        if (abut_world_body_state(world, recorder->ids[i], &s)) {
            recorder->presence[i] = ABUT_RECORDED_REMOVED;
            for (int k = 0; k < LAYOUT_POSE_WIDTH; k++) {
                pose[k] = NAN;
            }
            for (int k = 0; k < LAYOUT_VELOCITY_WIDTH; k++) {
                velocity[k] = NAN;
            }
            continue;
        }
        recorder->presence[i] = s.awake ? ABUT_RECORDED_AWAKE : ABUT_RECORDED_ASLEEP;
        const double pose_now[] = {s.pose.position.x, s.pose.position.y, s.pose.position.z, s.pose.rotation.x,
                                   s.pose.rotation.y, s.pose.rotation.z, s.pose.rotation.w};
        const double velocity_now[] = {s.motion.linear.x,  s.motion.linear.y,  s.motion.linear.z,
                                       s.motion.angular.x, s.motion.angular.y, s.motion.angular.z};
        memcpy(pose, pose_now, sizeof pose_now);
        memcpy(velocity, velocity_now, sizeof velocity_now);
    }
}

abut_status recorder_reserve_contacts(abut_recorder *recorder, int32_t count) {
    size_t needed = (size_t)count, capacity = recorder->contact_capacity;
    bool room = grow_array(&recorder->now, &capacity, needed, INT32_MAX, sizeof *recorder->now) &&
                grow_array(&recorder->last, &recorder->contact_capacity, needed, INT32_MAX, sizeof *recorder->last);
    return room ? ABUT_OK : ABUT_ERROR_OUT_OF_MEMORY;
}

static abut_status gather_contacts(abut_recorder *recorder, const abut_world *world) {
    const abut_world_contact *contacts = NULL;
    int32_t count = 0;
    abut_status status = abut_world_contacts(world, &contacts, &count);
    status = status ? status : recorder_reserve_contacts(recorder, count);
    if (status) {
        return status;
    }
    for (int32_t i = 0; i < count; i++) {
        abut_recorded_contact made = {body_of(recorder, contacts[i].a), body_of(recorder, contacts[i].b), contacts[i].contact,
                                      contacts[i].normal_force, contacts[i].friction_force};
        recorder->now[i] = made;
    }
    recorder->now_count = count;
    return ABUT_OK;
}

static abut_status append_fields(const layout_field *fields, h5_column *columns, int count, const void *record) {
    abut_status status = ABUT_OK;
    for (int i = 0; i < count && !status; i++) {
        status = h5_column_append(&columns[i], (const char *)record + fields[i].offset);
    }
    return status;
}

/* Stores the gathered contacts, unless they equal those of the frame before: then both frames share them. */
static abut_status append_contacts(abut_recorder *recorder) {
    size_t size = sizeof(abut_recorded_contact) * (size_t)recorder->now_count;
    if (recorder->now_count == recorder->last_count && (size == 0 || memcmp(recorder->now, recorder->last, size) == 0)) {
        return ABUT_OK;
    }
    recorder->last_first = recorder->contact_rows;
    abut_status status = ABUT_OK;
    for (int32_t i = 0; i < recorder->now_count && !status; i++) {
        status = append_fields(layout_contact, recorder->contacts, LAYOUT_CONTACT_FIELDS, &recorder->now[i]);
    }
    recorder->contact_rows += recorder->now_count;
    abut_recorded_contact *now = recorder->now;
    recorder->now = recorder->last;
    recorder->last = now;
    recorder->last_count = recorder->now_count;
    return status;
}

/* Whether the step that was just made has a frame. The last step has one in any case: abut_recorder_finish(). */
static bool has_frame(const abut_recorder *recorder, const abut_simulation *simulation) {
    return abut_simulation_step_index(simulation) % recorder->settings.every == 0 || abut_simulation_at_rest(simulation) ||
           abut_simulation_stopped(simulation);
}

static abut_status append_frame(abut_recorder *recorder, const abut_simulation *simulation, const abut_step_report *report) {
    const abut_world *world = abut_simulation_world(simulation);
    gather_bodies(recorder, world);
    abut_status status = gather_contacts(recorder, world);
    status = status ? status : append_contacts(recorder);
    const void *rows[FRAME_COLUMNS] = {
        [FRAME_STEP] = &report->step,
        [FRAME_TIME] = &report->time,
        [FRAME_CONTACT_FIRST] = &recorder->last_first,
        [FRAME_CONTACT_COUNT] = &recorder->last_count,
        [FRAME_POSE] = recorder->pose,
        [FRAME_VELOCITY] = recorder->velocity,
        [FRAME_PRESENCE] = recorder->presence,
    };
    for (int i = 0; i < FRAME_COLUMNS && !status; i++) {
        status = h5_column_append(&recorder->frames[i], rows[i]);
    }
    status = status ? status : recorder_joints_append(&recorder->joints, simulation);
    return status ? status : recorder_deformed_append(&recorder->deformed, recorder->out.file, simulation);
}

/* A body is recorded by its place in the scene, counted from 1. Without inlets that is its slot in the world. */
static void name_body(const abut_recorder *recorder, abut_body_id *id) { id->index = (uint32_t)(body_of(recorder, *id) + 1); }

static abut_status append_step(abut_recorder *recorder, const abut_simulation *simulation, const abut_step_report *report) {
    abut_step_report named = *report;
    if (abut_scene_inlet_count(abut_simulation_scene(simulation)) > 0) {
        map_slots(recorder, simulation);
        name_body(recorder, &named.sunk_body);
        name_body(recorder, &named.engulfed_body);
        name_body(recorder, &named.left_body);
    }
    abut_status status = append_fields(layout_step, recorder->steps, LAYOUT_STEP_FIELDS, &named);
    status = status ? status : recorder_series_append(&recorder->series, simulation);
    status = status ? status : recorder_events_append(&recorder->events, simulation, report->step);
    return !status && has_frame(recorder, simulation) ? append_frame(recorder, simulation, report) : status;
}

static abut_status begin(abut_recorder *recorder, const abut_simulation *simulation) {
    abut_status status = allocate(recorder, simulation);
    if (status) {
        return status;
    }
    recorder->out.file = sink_create(&recorder->out.target, recorder->out.path);
    if (recorder->out.file < 0) {
        return ABUT_ERROR_FILE;
    }
    status = recorder_write_scene(recorder->out.file, simulation);
    status = status ? status : h5_write_attribute(recorder->out.file, "every", LAYOUT_INT32, 1, &recorder->settings.every);
    status = status ? status : create_table(recorder, "steps", layout_step, LAYOUT_STEP_FIELDS, CHUNK_STEPS, recorder->steps);
    status =
        status ? status : create_table(recorder, "contacts", layout_contact, LAYOUT_CONTACT_FIELDS, CHUNK_CONTACTS, recorder->contacts);
    status = status ? status : create_frames(recorder);
    status = status ? status : recorder_joints_begin(&recorder->joints, recorder->out.file, simulation, recorder->settings.compression);
    status = status ? status : recorder_series_begin(&recorder->series, recorder->out.file, simulation, recorder->settings.compression);
    status = status ? status : recorder_events_begin(&recorder->events, recorder->out.file, simulation, recorder->settings.compression);
    status = status ? status : recorder_deformed_begin(&recorder->deformed, simulation, recorder->settings.compression);
    if (status) {
        return status;
    }
    abut_step_report report;
    status = abut_simulation_first_report(simulation, &report);
    status = status ? status : append_fields(layout_step, recorder->steps, LAYOUT_STEP_FIELDS, &report);
    status = status ? status : recorder_series_append(&recorder->series, simulation);
    return status ? status : append_frame(recorder, simulation, &report);
}

static void release(abut_recorder *recorder) {
    for (int i = 0; i < LAYOUT_STEP_FIELDS; i++) {
        h5_column_release(&recorder->steps[i]);
    }
    for (int i = 0; i < FRAME_COLUMNS; i++) {
        h5_column_release(&recorder->frames[i]);
    }
    for (int i = 0; i < LAYOUT_CONTACT_FIELDS; i++) {
        h5_column_release(&recorder->contacts[i]);
    }
    recorder_deformed_release(&recorder->deformed);
    recorder_joints_release(&recorder->joints);
    recorder_series_release(&recorder->series);
    recorder_events_release(&recorder->events);
    free(recorder->ids);
    free(recorder->slot_body);
    free(recorder->pose);
    free(recorder->velocity);
    free(recorder->presence);
    free(recorder->now);
    free(recorder->last);
    free(recorder);
}

abut_status abut_recorder_create(const char *path, const abut_simulation *simulation, const abut_recorder_settings *settings,
                                 abut_recorder **recorder, abut_error *error) {
    abut_recorder_settings chosen = settings ? *settings : abut_recorder_settings_default();
    if (!path || !simulation || !recorder || chosen.every < 1 || chosen.compression < 0 || chosen.compression > 9) {
        return abut_fail(error, ABUT_ERROR_INVALID_ARGUMENT, "a recording needs a path, a simulation and settings within their ranges");
    }
    abut_recorder *made = calloc(1, sizeof *made);
    if (!made) {
        return abut_fail(error, ABUT_ERROR_OUT_OF_MEMORY, "cannot write '%s': no memory", path);
    }
    made->settings = chosen;
    made->body_count = abut_scene_body_count(abut_simulation_scene(simulation));
    abut_status status = h5_file_begin(&made->out, path, error);
    if (!status) {
        QUIETLY(status = begin(made, simulation));
        status = h5_file_explain(&made->out, status, error);
    }
    if (status) {
        abut_recorder_abort(made);
        return status;
    }
    *recorder = made;
    return ABUT_OK;
}

abut_status abut_recorder_frame(abut_recorder *recorder, const abut_simulation *simulation, const abut_step_report *report,
                                abut_error *error) {
    if (!recorder || !simulation || !report) {
        return abut_fail(error, ABUT_ERROR_INVALID_ARGUMENT, "a frame needs a recorder, a simulation and a report");
    }
    abut_status status = ABUT_OK;
    if (!recorder->out.target.failure) {
        QUIETLY(status = append_step(recorder, simulation, report));
    }
    return h5_file_explain(&recorder->out, status, error);
}

int recorder_columns(abut_recorder *recorder, recorder_column columns[RECORDER_COLUMNS]) {
    const struct {
        const char *group;
        h5_column *columns;
        int count;
    } tables[] = {{"steps", recorder->steps, LAYOUT_STEP_FIELDS},
                  {"frames", recorder->frames, FRAME_COLUMNS},
                  {"contacts", recorder->contacts, LAYOUT_CONTACT_FIELDS},
                  {"deformed", recorder->deformed.columns, recorder->deformed.begun ? DEFORMED_COLUMNS : 0},
                  {"frames", recorder->joints.columns, recorder->joints.count > 0 ? JOINT_COLUMNS : 0},
                  {"series", &recorder->series.values, recorder->series.count > 0 ? 1 : 0},
                  {"events", recorder->events.columns, recorder->events.begun ? LAYOUT_EVENT_FIELDS : 0}};
    int count = 0;
    for (size_t t = 0; t < sizeof tables / sizeof *tables; t++) {
        for (int i = 0; i < tables[t].count; i++) {
            recorder_column *made = &columns[count++];
            made->column = &tables[t].columns[i];
            snprintf(made->path, sizeof made->path, "%s/%s", tables[t].group, made->column->name);
        }
    }
    return count;
}

static abut_status flush(abut_recorder *recorder, bool complete) {
    const int8_t flag = complete ? 1 : 0;
    abut_status status = h5_write_attribute(recorder->out.file, "complete", LAYOUT_INT8, 1, &flag);
    recorder_column columns[RECORDER_COLUMNS];
    int count = recorder_columns(recorder, columns);
    for (int i = 0; i < count && !status; i++) {
        status = h5_column_flush(columns[i].column);
    }
    return status;
}

/* Ends with a frame of the last step. */
static abut_status end_frames(abut_recorder *recorder, const abut_simulation *simulation, bool complete) {
    abut_status status = ABUT_OK;
    if (!has_frame(recorder, simulation)) {
        abut_step_report last;
        status = abut_world_report(abut_simulation_world(simulation), &last);
        status = status ? status : append_frame(recorder, simulation, &last);
    }
    return status ? status : flush(recorder, complete);
}

abut_status abut_recorder_finish(abut_recorder *recorder, const abut_simulation *simulation, bool complete, abut_error *error) {
    if (!recorder || !simulation) {
        return abut_fail(error, ABUT_ERROR_INVALID_ARGUMENT, "the recorder to finish or its simulation is NULL");
    }
    abut_status status = ABUT_OK;
    if (!recorder->out.target.failure) {
        QUIETLY(status = end_frames(recorder, simulation, complete));
    }
    if (!status && !recorder->out.target.failure) {
        status = h5_file_close(&recorder->out);
    }
    status = h5_file_explain(&recorder->out, status, error);
    if (status) {
        abut_recorder_abort(recorder);
        return status;
    }
    status = h5_file_commit(&recorder->out, error);
    release(recorder);
    return status;
}

void abut_recorder_abort(abut_recorder *recorder) {
    if (!recorder) {
        return;
    }
    h5_file_discard(&recorder->out);
    release(recorder);
}
