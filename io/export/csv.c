/*
 * Recordings as tables in CSV.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/export/export.h"
#include "io/record/layout.h"
#include "io/scene/joint/description.h"
#include "io/file/output.h"
#include "io/file/same.h"

/* A table that is being written, cell by cell. */
typedef struct csv {
    output_file *file;
    abut_status status; /* the first failure; later cells do nothing */
    bool begun;         /* the line has a cell already */
    abut_error *error;
} csv;

static void put(csv *table, const char *text, size_t length) {
    if (!table->status) {
        table->status = output_write(table->file, text, length, table->error);
    }
}

static void begin_cell(csv *table) {
    if (table->begun) {
        put(table, ",", 1);
    }
    table->begun = true;
}

static void end_line(csv *table) {
    put(table, "\n", 1);
    table->begun = false;
}

/* Writes text, in quotes when CSV needs them; quotes in it are doubled. */
static void put_text(csv *table, const char *text) {
    begin_cell(table);
    if (!strpbrk(text, ",\"\r\n")) {
        put(table, text, strlen(text));
        return;
    }
    put(table, "\"", 1);
    for (const char *quote; (quote = strchr(text, '"')); text = quote + 1) {
        put(table, text, (size_t)(quote - text) + 1);
        put(table, "\"", 1);
    }
    put(table, text, strlen(text));
    put(table, "\"", 1);
}

static void put_integer(csv *table, int64_t value) {
    char text[32];
    begin_cell(table);
    put(table, text, (size_t)snprintf(text, sizeof text, "%lld", (long long)value));
}

static void put_unsigned(csv *table, uint64_t value) {
    char text[32];
    begin_cell(table);
    put(table, text, (size_t)snprintf(text, sizeof text, "%llu", (unsigned long long)value));
}

/* Writes 15 digits if they give the same number when read, else 17 digits, which always do. */
static void put_real(csv *table, double value) {
    char text[40];
    begin_cell(table);
    int length = snprintf(text, sizeof text, "%.15g", value);
    if (strtod(text, NULL) != value) {
        length = snprintf(text, sizeof text, "%.17g", value);
    }
    put(table, text, (size_t)length);
}

static void put_vec3(csv *table, abut_vec3 v) {
    put_real(table, v.x);
    put_real(table, v.y);
    put_real(table, v.z);
}

static void put_header(csv *table, const char *const *names, size_t count) {
    for (size_t i = 0; i < count; i++) {
        put_text(table, names[i]);
    }
    end_line(table);
}

static void put_field(csv *table, const layout_field *field, const void *record) {
    const char *cell = (const char *)record + field->offset;
    if (field->cell == LAYOUT_DOUBLE) {
        double value;
        memcpy(&value, cell, sizeof value);
        put_real(table, value);
    } else if (field->cell == LAYOUT_INT64) {
        int64_t value;
        memcpy(&value, cell, sizeof value);
        put_integer(table, value);
    } else {
        int32_t value;
        memcpy(&value, cell, sizeof value);
        put_integer(table, value);
    }
}

static void write_steps(abut_recording *recording, int32_t every, csv *table) {
    for (int i = 0; i < LAYOUT_STEP_FIELDS; i++) {
        put_text(table, layout_step[i].name);
    }
    end_line(table);
    abut_recording_info info = abut_recording_get_info(recording);
    for (int64_t row = 0; row < info.step_count && !table->status; row += every) {
        abut_step_report report;
        (void)abut_recording_step(recording, row, &report);
        for (int i = 0; i < LAYOUT_STEP_FIELDS; i++) {
            put_field(table, &layout_step[i], &report);
        }
        end_line(table);
    }
}

static const char *name_of(const abut_recording *recording, int32_t index) {
    abut_recorded_body body;
    return abut_recording_body(recording, index, &body) == ABUT_OK ? body.name : "";
}

static void write_bodies(abut_recording *recording, int32_t every, csv *table) {
    static const char *const names[] = {"step", "time", "body", "awake", "x",  "y",  "z",  "qx", "qy",
                                        "qz",   "qw",   "vx",   "vy",    "vz", "wx", "wy", "wz"};
    put_header(table, names, sizeof names / sizeof *names);
    abut_recording_info info = abut_recording_get_info(recording);
    for (int64_t index = 0; index < info.frame_count && !table->status; index += every) {
        abut_recorded_frame frame;
        table->status = abut_recording_frame(recording, index, &frame, table->error);
        for (int32_t i = 0; i < info.body_count && !table->status; i++) {
            const abut_recorded_state *state = &frame.bodies[i];
            if (state->presence == ABUT_RECORDED_REMOVED) {
                continue;
            }
            put_integer(table, frame.step);
            put_real(table, frame.time);
            put_text(table, name_of(recording, i));
            put_integer(table, state->presence == ABUT_RECORDED_AWAKE);
            put_vec3(table, state->pose.position);
            put_real(table, state->pose.rotation.x);
            put_real(table, state->pose.rotation.y);
            put_real(table, state->pose.rotation.z);
            put_real(table, state->pose.rotation.w);
            put_vec3(table, state->velocity);
            put_vec3(table, state->angular_velocity);
            end_line(table);
        }
    }
}

static const char *feature_name(abut_feature_kind kind) {
    static const char *const names[] = {"none", "face", "edge", "vertex", "smooth"};
    return kind <= ABUT_FEATURE_SMOOTH ? names[kind] : "none";
}

static void put_contact(csv *table, const abut_recording *recording, const abut_recorded_contact *c) {
    put_text(table, name_of(recording, c->a));
    put_text(table, name_of(recording, c->b));
    put_vec3(table, c->contact.on_a);
    put_vec3(table, c->contact.on_b);
    put_vec3(table, c->contact.normal);
    put_real(table, c->contact.gap);
    put_real(table, c->contact.area);
    const abut_feature features[] = {c->contact.feature_a, c->contact.feature_b};
    for (int i = 0; i < 2; i++) {
        put_text(table, feature_name(features[i].kind));
        put_integer(table, features[i].index);
        put_integer(table, features[i].part);
    }
    put_unsigned(table, c->contact.id);
    put_integer(table, c->contact.patch);
    put_unsigned(table, c->contact.flags);
    put_real(table, c->normal_force);
    put_vec3(table, c->friction_force);
    end_line(table);
}

static void write_contacts(abut_recording *recording, int32_t every, csv *table) {
    static const char *const names[] = {
        "step",     "time",     "a",        "b",     "on_a_x",       "on_a_y",     "on_a_z",     "on_b_x",    "on_b_y",    "on_b_z",
        "normal_x", "normal_y", "normal_z", "gap",   "area",         "feature_a",  "index_a",    "part_a",    "feature_b", "index_b",
        "part_b",   "id",       "patch",    "flags", "normal_force", "friction_x", "friction_y", "friction_z"};
    put_header(table, names, sizeof names / sizeof *names);
    abut_recording_info info = abut_recording_get_info(recording);
    for (int64_t index = 0; index < info.frame_count && !table->status; index += every) {
        abut_recorded_frame frame;
        const abut_recorded_contact *contacts = NULL;
        int32_t count = 0;
        table->status = abut_recording_frame(recording, index, &frame, table->error);
        if (!table->status) {
            table->status = abut_recording_contacts(recording, index, &contacts, &count, table->error);
        }
        for (int32_t i = 0; i < count && !table->status; i++) {
            put_integer(table, frame.step);
            put_real(table, frame.time);
            put_contact(table, recording, &contacts[i]);
        }
    }
}

static void put_joint(csv *table, const abut_recording *recording, int32_t index, const abut_recorded_joint_state *joint) {
    abut_scene_joint source;
    if (abut_recording_joint(recording, index, &source) != ABUT_OK) {
        return;
    }
    put_integer(table, index);
    put_text(table, joint_kind_names[source.def.kind]);
    put_text(table, name_of(recording, source.a));
    put_text(table, name_of(recording, source.b));
    put_integer(table, joint->hold == ABUT_HOLD_WHOLE);
    put_real(table, joint->state.coordinate);
    put_real(table, joint->state.spin);
    put_real(table, joint->state.error);
    put_real(table, joint->state.turn_error);
    put_vec3(table, joint->state.force);
    put_vec3(table, joint->state.torque);
    end_line(table);
}

static void write_joints(abut_recording *recording, int32_t every, csv *table) {
    static const char *const names[] = {"step",    "time",       "joint",    "kind",     "a",          "b",
                                        "holds",   "coordinate", "spin",     "error",    "turn_error", "force_x",
                                        "force_y", "force_z",    "torque_x", "torque_y", "torque_z"};
    put_header(table, names, sizeof names / sizeof *names);
    abut_recording_info info = abut_recording_get_info(recording);
    for (int64_t index = 0; index < info.frame_count && info.joint_count > 0 && !table->status; index += every) {
        abut_recorded_frame frame;
        const abut_recorded_joint_state *joints = NULL;
        table->status = abut_recording_frame(recording, index, &frame, table->error);
        if (!table->status) {
            table->status = abut_recording_joints(recording, index, &joints, table->error);
        }
        for (int32_t i = 0; i < info.joint_count && !table->status; i++) {
            if (joints[i].hold != ABUT_HOLD_GONE) {
                put_integer(table, frame.step);
                put_real(table, frame.time);
                put_joint(table, recording, i, &joints[i]);
            }
        }
    }
}

/* Without series there are only the numbers and times of steps. */
static void write_series(abut_recording *recording, int32_t every, csv *table) {
    abut_recording_info info = abut_recording_get_info(recording);
    put_text(table, "step");
    put_text(table, "time");
    for (int32_t i = 0; i < info.series_count; i++) {
        put_text(table, abut_recording_series_name(recording, i));
    }
    end_line(table);
    for (int64_t row = 0; row < info.step_count && !table->status; row += every) {
        abut_step_report report;
        const double *values = NULL;
        (void)abut_recording_step(recording, row, &report);
        table->status = info.series_count > 0 ? abut_recording_series(recording, row, &values, table->error) : ABUT_OK;
        put_integer(table, report.step);
        put_real(table, report.time);
        for (int32_t i = 0; i < info.series_count && !table->status; i++) {
            put_real(table, values[i]);
        }
        end_line(table);
    }
}

abut_status abut_export_csv(abut_recording *recording, const char *path, abut_export_table table, int32_t every, abut_error *error) {
    static void (*const writers[])(abut_recording *, int32_t, csv *) = {write_steps, write_bodies, write_contacts, write_joints,
                                                                        write_series};
    if (!recording || !path || every < 1 || (unsigned)table > ABUT_EXPORT_SERIES) {
        return abut_fail(error, ABUT_ERROR_INVALID_ARGUMENT, "an export needs a recording, a path and a valid table");
    }
    if (file_is_same(abut_recording_get_info(recording).path, path)) {
        return abut_fail(error, ABUT_ERROR_INVALID_ARGUMENT, "cannot write '%s': it is the recording itself; write elsewhere", path);
    }
    csv made = {.error = error};
    abut_status status = output_open(path, OUTPUT_STREAM, &made.file, error);
    if (status) {
        return status;
    }
    writers[table](recording, every, &made);
    if (made.status) {
        output_discard(made.file);
        return made.status;
    }
    return output_commit(made.file, error);
}
