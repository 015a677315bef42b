/* Joints, sensors and events of a recording: they are those of the world at each step, to the last bit, and damaged ones are refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <hdf5.h>

#include "io/scene/event/kinds.h"
#include "io/record/layout.h"
#include "io/record/recording.h"
#include "support/demo_joints.h"
#include "support/files.h"

#define FOLDER ABUT_TEST_SCRATCH_DIR "/folder"
#define RESULT FOLDER "/joints.h5"

enum { STEPS = DEMO_JOINTS_STEPS, JOINTS = DEMO_JOINTS, BODIES = DEMO_JOINTS_BODIES, MOST_EVENTS = 400 };

typedef struct history {
    abut_joint_state joints[STEPS + 1][JOINTS];
    bool gone[STEPS + 1][JOINTS];
    abut_world_event events[MOST_EVENTS];
    int64_t event_step[MOST_EVENTS];
    int32_t event_count;
} history;

static int empty_folder(void **state) {
    (void)state;
    files_empty_folder(FOLDER);
    return 0;
}

static void keep(history *h, const abut_simulation *simulation, int step) {
    const abut_world_event *events;
    int32_t count;
    for (int32_t i = 0; i < JOINTS; i++) {
        abut_joint_id id = abut_simulation_joint_id(simulation, i);
        h->gone[step][i] = abut_world_joint_state(abut_simulation_world(simulation), id, &h->joints[step][i]) != ABUT_OK;
    }
    assert_int_equal(abut_world_events(abut_simulation_world(simulation), &events, &count), ABUT_OK);
    for (int32_t i = 0; i < count; i++) {
        assert_true(h->event_count < MOST_EVENTS);
        h->event_step[h->event_count] = step;
        h->events[h->event_count++] = events[i];
    }
}

static void record(const abut_scene *scene, int32_t every, history *h) {
    abut_simulation *simulation = NULL;
    abut_recorder *recorder = NULL;
    abut_error error = {0};
    abut_recorder_settings settings = abut_recorder_settings_default();
    settings.every = every;
    *h = (history){.event_count = 0};
    assert_int_equal(abut_simulation_create(scene, &simulation, &error), ABUT_OK);
    if (abut_recorder_create(RESULT, simulation, &settings, &recorder, &error)) {
        fail_msg("%s", error.message);
    }
    keep(h, simulation, 0);
    for (int step = 1; step <= STEPS; step++) {
        abut_step_report report;
        assert_int_equal(abut_simulation_step(simulation, &report, &error), ABUT_OK);
        assert_int_equal(abut_recorder_frame(recorder, simulation, &report, &error), ABUT_OK);
        keep(h, simulation, step);
    }
    assert_int_equal(abut_recorder_finish(recorder, simulation, true, &error), ABUT_OK);
    abut_simulation_destroy(simulation);
}

static abut_recording *open_result(void) {
    abut_recording *recording = NULL;
    abut_error error = {0};
    if (abut_recording_open(RESULT, &recording, &error)) {
        fail_msg("%s", error.message);
    }
    return recording;
}

static void compare_joints(abut_recording *recording, const history *h, int64_t frame, int64_t step) {
    const abut_recorded_joint_state *read = NULL;
    assert_int_equal(abut_recording_joints(recording, frame, &read, NULL), ABUT_OK);
    for (int32_t i = 0; i < JOINTS; i++) {
        const abut_joint_state *kept = &h->joints[step][i];
        if (h->gone[step][i]) {
            assert_int_equal(read[i].hold, ABUT_HOLD_GONE);
            assert_true(isnan(read[i].state.coordinate) && isnan(read[i].state.error) && isnan(read[i].state.torque.z));
            continue;
        }
        assert_int_equal(read[i].hold, kept->broken ? ABUT_HOLD_BROKEN : ABUT_HOLD_WHOLE);
        assert_int_equal(read[i].state.broken, kept->broken);
        assert_memory_equal(&read[i].state.coordinate, &kept->coordinate, 4 * sizeof(double));
        assert_memory_equal(&read[i].state.force, &kept->force, 2 * sizeof kept->force);
    }
}

static void compare_event(const abut_recorded_event *read, const abut_world_event *kept) {
    abut_vec3 middle = abut_lerp(kept->contact.on_a, kept->contact.on_b, 0.5);
    assert_int_equal(1 << read->kind, kept->kind);
    assert_int_equal(read->a, kept->user_a);
    assert_int_equal(read->b, kept->b.index ? (int32_t)kept->user_b : -1);
    assert_int_equal(read->joint, (int32_t)kept->joint.index - 1);
    assert_memory_equal(&read->point, &middle, sizeof middle);
    assert_memory_equal(&read->normal, &kept->contact.normal, sizeof middle);
    assert_memory_equal(&read->gap, &kept->contact.gap, sizeof read->gap);
    assert_memory_equal(&read->impulse, &kept->impulse, sizeof read->impulse);
    assert_memory_equal(&read->speed, &kept->speed, sizeof read->speed);
}

/* Frames at every step, and at every seventh: no event is lost between two frames. */
static void test_frames_and_events(void **state) {
    (void)state;
    static history h;
    abut_scene *scene = demo_joints_scene(event_recorded_kinds());
    for (int32_t every = 1; every <= 7; every += 6) {
        record(scene, every, &h);
        abut_recording *recording = open_result();
        abut_recording_info info = abut_recording_get_info(recording);
        assert_int_equal(info.joint_count, JOINTS);
        assert_int_equal(info.event_count, h.event_count);
        int32_t seen = 0, kinds = 0;
        for (int64_t frame = 0; frame < info.frame_count; frame++) {
            int64_t first = -1, step = frame * every < STEPS ? frame * every : STEPS;
            int32_t count = -1;
            const abut_recorded_event *events = NULL;
            compare_joints(recording, &h, frame, step);
            assert_int_equal(abut_recording_frame_events(recording, frame, &first, &count), ABUT_OK);
            assert_int_equal(first, seen);
            assert_int_equal(abut_recording_events(recording, first, count, &events, NULL), ABUT_OK);
            for (int32_t i = 0; i < count; i++) {
                assert_int_equal(events[i].step, h.event_step[seen]);
                assert_true(events[i].step <= step && events[i].step > step - every);
                kinds |= 1 << events[i].kind;
                compare_event(&events[i], &h.events[seen++]);
            }
        }
        assert_int_equal(seen, h.event_count);
        const int wanted = ABUT_EVENT_TOUCH_BEGIN | ABUT_EVENT_HIT | ABUT_EVENT_SENSOR_BEGIN | ABUT_EVENT_JOINT_BROKEN;
        assert_int_equal(kinds & wanted, wanted);
        abut_recording_close(recording);
    }
    abut_scene_destroy(scene);
}

static void test_definitions(void **state) {
    (void)state;
    static history h;
    abut_scene *scene = demo_joints_scene(0);
    record(scene, 1, &h);
    abut_recording *recording = open_result();
    assert_int_equal(abut_recording_get_info(recording).event_count, 0);
    for (int32_t i = 0; i < JOINTS; i++) {
        abut_scene_joint read;
        const abut_scene_joint *kept = abut_scene_get_joint(scene, i);
        assert_int_equal(abut_recording_joint(recording, i, &read), ABUT_OK);
        assert_true(read.a == kept->a && read.b == kept->b && read.def.kind == kept->def.kind &&
                    read.def.motor.mode == kept->def.motor.mode);
        assert_true(read.def.collide == kept->def.collide && read.def.limited == kept->def.limited);
        assert_memory_equal(&read.def.frame_a, &kept->def.frame_a, 2 * sizeof read.def.frame_a);
        assert_memory_equal(&read.def.lower, &kept->def.lower, 2 * sizeof(double));
        assert_memory_equal(&read.def.motor.target, &kept->def.motor.target, 3 * sizeof(double));
        assert_memory_equal(&read.def.stiffness, &kept->def.stiffness, 6 * sizeof(double));
    }
    for (int32_t i = 0; i < BODIES; i++) {
        abut_recorded_body body;
        assert_int_equal(abut_recording_body(recording, i, &body), ABUT_OK);
        assert_int_equal(body.sensor, strcmp(body.name, "gate") == 0);
    }
    abut_recording_close(recording);
    abut_scene_destroy(scene);
}

/* ---- other files ---- */

/* A recording with all frames, to be written again. */
typedef struct original {
    char *bytes;
    size_t size;
} original;

static original record_original(void) {
    static history h;
    original made;
    abut_scene *scene = demo_joints_scene(event_recorded_kinds());
    record(scene, 1, &h);
    abut_scene_destroy(scene);
    made.bytes = files_read(RESULT, &made.size);
    assert_non_null(made.bytes);
    return made;
}

/* Writes it as the result and opens that for changes. */
static hid_t reopened(const original *from) {
    files_write(RESULT, from->bytes, from->size);
    hid_t file = H5Fopen(RESULT, H5F_ACC_RDWR, H5P_DEFAULT);
    assert_true(file >= 0);
    return file;
}

/* Files from before joints, sensors and events were recorded. */
static void test_older_recordings(void **state) {
    (void)state;
    original whole = record_original();
    hid_t file = reopened(&whole);
    static const char *const paths[] = {
        "joints", "events", "bodies/sensor", "frames/joint_state", "frames/joint_coordinate", "frames/joint_error", "frames/joint_load"};
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
        assert_true(H5Ldelete(file, paths[i], H5P_DEFAULT) >= 0);
    }
    H5Fclose(file);
    abut_recording *recording = open_result();
    abut_recording_info info = abut_recording_get_info(recording);
    assert_true(info.joint_count == 0 && info.event_count == 0);
    const abut_recorded_joint_state *joints = NULL;
    abut_recorded_body body;
    int64_t first = -1;
    int32_t count = -1;
    assert_int_equal(abut_recording_joints(recording, 5, &joints, NULL), ABUT_OK);
    assert_int_equal(abut_recording_frame_events(recording, 5, &first, &count), ABUT_OK);
    assert_true(first == 0 && count == 0);
    assert_int_equal(abut_recording_body(recording, 6, &body), ABUT_OK);
    assert_false(body.sensor);
    abut_recording_close(recording);
    free(whole.bytes);
}

static void overwrite(hid_t file, const char *path, hsize_t row, int64_t value, double real) {
    hid_t dataset = H5Dopen2(file, path, H5P_DEFAULT), space = H5Dget_space(dataset), type = H5Dget_type(dataset);
    hsize_t start[3] = {row, 0, 0}, count[3] = {1, 1, 1};
    hid_t memory = H5Screate_simple(1, count, NULL);
    int8_t byte = (int8_t)value;
    bool small = H5Tget_size(type) == 1, floating = H5Tget_class(type) == H5T_FLOAT;
    H5Sselect_hyperslab(space, H5S_SELECT_SET, start, NULL, count, NULL);
    const void *from = small ? (const void *)&byte : floating ? (const void *)&real : (const void *)&value;
    hid_t memory_type = small ? type : floating ? H5T_NATIVE_DOUBLE : H5T_NATIVE_INT64;
    assert_true(H5Dwrite(dataset, memory_type, memory, space, H5P_DEFAULT, from) >= 0);
    H5Sclose(memory);
    H5Tclose(type);
    H5Sclose(space);
    H5Dclose(dataset);
}

/* Numbers that no recording has: some are found when it is opened, others when the frame or the event is read. */
static void test_damage(void **state) {
    (void)state;
    static const struct {
        const char *path;
        int64_t value;
        double real;
        bool at_opening;
    } cases[] = {{"joints/kind", 8, 0, true},    {"joints/motor", 3, 0, true},        {"joints/a", BODIES, 0, true},
                 {"joints/b", -1, 0, true},      {"joints/frame_a", 0, NAN, true},    {"events/step", STEPS + 1, 0, true},
                 {"events/step", -1, 0, true},   {"frames/joint_state", 3, 0, false}, {"events/kind", EVENT_KINDS, 0, false},
                 {"events/a", BODIES, 0, false}, {"events/b", -2, 0, false},          {"events/joint", JOINTS, 0, false}};
    original whole = record_original();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        hid_t file = reopened(&whole);
        overwrite(file, cases[i].path, 0, cases[i].value, cases[i].real);
        H5Fclose(file);
        abut_recording *recording = NULL;
        abut_error error = {0};
        const abut_recorded_joint_state *joints = NULL;
        const abut_recorded_event *events = NULL;
        abut_status status = abut_recording_open(RESULT, &recording, &error);
        assert_int_equal(status, cases[i].at_opening ? ABUT_ERROR_FORMAT : ABUT_OK);
        if (!status) {
            bool of_events = strncmp(cases[i].path, "events", 6) == 0;
            status =
                of_events ? abut_recording_events(recording, 0, 1, &events, &error) : abut_recording_joints(recording, 0, &joints, &error);
            assert_int_equal(status, ABUT_ERROR_FORMAT);
            assert_true(joints == NULL && events == NULL);
        }
        assert_non_null(strstr(error.message, "damaged"));
        abut_recording_close(recording);
    }
    free(whole.bytes);
}

/* A recording with some of the datasets is damaged. */
static void test_missing_datasets(void **state) {
    (void)state;
    static const char *const joints[] = {"kind", "motor", "limited", "collide"};
    static const char *const frames[] = {"joint_state", "joint_coordinate", "joint_error", "joint_load"};
    original whole = record_original();
    for (int i = 0; i < 8 + LAYOUT_JOINT_FIELDS + LAYOUT_EVENT_FIELDS; i++) {
        char path[64];
        bool joint = i >= 8 && i < 8 + LAYOUT_JOINT_FIELDS;
        const char *group = i < 4 || joint ? "joints" : i < 8 ? "frames" : "events";
        const char *name = i < 4   ? joints[i]
                           : i < 8 ? frames[i - 4]
                           : joint ? layout_joint[i - 8].name
                                   : layout_event[i - 8 - LAYOUT_JOINT_FIELDS].name;
        snprintf(path, sizeof path, "%s/%s", group, name);
        hid_t file = reopened(&whole);
        assert_true(H5Ldelete(file, path, H5P_DEFAULT) >= 0);
        H5Fclose(file);
        abut_recording *recording = NULL;
        abut_error error = {0};
        assert_int_equal(abut_recording_open(RESULT, &recording, &error), ABUT_ERROR_FORMAT);
        assert_non_null(strstr(error.message, "damaged"));
    }
    free(whole.bytes);
}

static void test_arguments_out_of_range(void **state) {
    (void)state;
    static history h;
    abut_scene *scene = demo_joints_scene(event_recorded_kinds());
    record(scene, 1, &h);
    abut_recording *recording = open_result();
    abut_scene_joint joint;
    const abut_recorded_joint_state *joints = NULL;
    const abut_recorded_event *events = NULL;
    int64_t first;
    int32_t count;
    assert_int_equal(abut_recording_joint(NULL, 0, &joint), ABUT_ERROR_INVALID_ARGUMENT);
    assert_int_equal(abut_recording_joint(recording, -1, &joint), ABUT_ERROR_INVALID_ARGUMENT);
    assert_int_equal(abut_recording_joint(recording, JOINTS, &joint), ABUT_ERROR_INVALID_ARGUMENT);
    assert_int_equal(abut_recording_joint(recording, 0, NULL), ABUT_ERROR_INVALID_ARGUMENT);
    assert_int_equal(abut_recording_joints(NULL, 0, &joints, NULL), ABUT_ERROR_INVALID_ARGUMENT);
    assert_int_equal(abut_recording_joints(recording, -1, &joints, NULL), ABUT_ERROR_INVALID_ARGUMENT);
    assert_int_equal(abut_recording_joints(recording, STEPS + 1, &joints, NULL), ABUT_ERROR_INVALID_ARGUMENT);
    assert_int_equal(abut_recording_joints(recording, 0, NULL, NULL), ABUT_ERROR_INVALID_ARGUMENT);
    assert_int_equal(abut_recording_events(NULL, 0, 1, &events, NULL), ABUT_ERROR_INVALID_ARGUMENT);
    assert_int_equal(abut_recording_events(recording, -1, 1, &events, NULL), ABUT_ERROR_INVALID_ARGUMENT);
    assert_int_equal(abut_recording_events(recording, h.event_count, 1, &events, NULL), ABUT_ERROR_INVALID_ARGUMENT);
    assert_int_equal(abut_recording_events(recording, 0, h.event_count + 1, &events, NULL), ABUT_ERROR_INVALID_ARGUMENT);
    assert_int_equal(abut_recording_events(recording, 0, -1, &events, NULL), ABUT_ERROR_INVALID_ARGUMENT);
    assert_int_equal(abut_recording_events(recording, h.event_count, 0, &events, NULL), ABUT_OK);
    assert_int_equal(abut_recording_frame_events(NULL, 0, &first, &count), ABUT_ERROR_INVALID_ARGUMENT);
    assert_int_equal(abut_recording_frame_events(recording, STEPS + 1, &first, &count), ABUT_ERROR_INVALID_ARGUMENT);
    assert_int_equal(abut_recording_frame_events(recording, 0, NULL, &count), ABUT_ERROR_INVALID_ARGUMENT);
    assert_int_equal(abut_recording_frame_events(recording, 0, &first, NULL), ABUT_ERROR_INVALID_ARGUMENT);
    abut_recording_close(recording);
    abut_scene_destroy(scene);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_frames_and_events), cmocka_unit_test(test_definitions),
        cmocka_unit_test(test_older_recordings),  cmocka_unit_test(test_damage),
        cmocka_unit_test(test_missing_datasets),  cmocka_unit_test(test_arguments_out_of_range),
    };
    return cmocka_run_group_tests(tests, empty_folder, NULL);
}
