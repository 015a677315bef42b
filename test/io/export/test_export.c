/* Exports: tables give the recording's bits when read, and a failed write damages nothing. test_glb.py tests the contents of .glb files. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/export/export.h"
#include "support/demo_joints.h"
#include "support/demo_recording.h"
#include "support/demo_scene.h"
#include "support/files.h"

#define FOLDER ABUT_TEST_SCRATCH_DIR "/folder"
#define RESULT FOLDER "/out"
#define JOINTS ABUT_TEST_SCRATCH_DIR "/joints.h5"
#define RECORDING ABUT_TEST_SCRATCH_DIR "/demo.h5"

enum { MOST_CELLS = 42 };

static int record_demo(void **state) {
    *state = demo_recording(RECORDING, DEMO_STEPS);
    return 0;
}

static int close_demo(void **state) {
    abut_recording_close(*state);
    return 0;
}

static int empty_folder(void **state) {
    (void)state;
    files_limit(0);
    files_empty_folder(FOLDER);
    return 0;
}

/* A table in memory, read line by line. */
typedef struct reader {
    char *text, *next;
    char *cells[MOST_CELLS];
    int count;
} reader;

static reader export_table(abut_recording *recording, abut_export_table table, int32_t every) {
    abut_error error = {0};
    if (abut_export_csv(recording, RESULT, table, every, &error)) {
        fail_msg("%s", error.message);
    }
    size_t size;
    reader r = {.text = files_read(RESULT, &size)};
    assert_non_null(r.text);
    assert_true(size > 0 && r.text[size - 1] == '\n');
    r.next = r.text;
    return r;
}

/* Splits the next line in place and removes quotes; false at the end. */
static bool read_line(reader *r) {
    r->count = 0;
    if (!*r->next) {
        return false;
    }
    char *in = r->next;
    for (;;) {
        assert_true(r->count < MOST_CELLS);
        char *out = in;
        r->cells[r->count++] = out;
        bool quoted = *in == '"';
        in += quoted;
        while (quoted ? *in != '"' || in[1] == '"' : *in != ',' && *in != '\n') {
            in += quoted && *in == '"';
            *out++ = *in++;
        }
        in += quoted;
        char end = *in++;
        assert_true(end == ',' || end == '\n');
        *out = '\0';
        if (end == '\n') {
            r->next = in;
            return true;
        }
    }
}

static void assert_header(reader *r, const char *expected) {
    char joined[1024] = "";
    assert_true(read_line(r));
    for (int i = 0; i < r->count; i++) {
        strcat(strcat(joined, i > 0 ? "," : ""), r->cells[i]);
    }
    assert_string_equal(joined, expected);
}

static void assert_real(const reader *r, int cell, double expected) {
    double read = strtod(r->cells[cell], NULL);
    assert_memory_equal(&read, &expected, sizeof read);
}

static void assert_vec3(const reader *r, int cell, abut_vec3 expected) {
    assert_real(r, cell, expected.x);
    assert_real(r, cell + 1, expected.y);
    assert_real(r, cell + 2, expected.z);
}

static void assert_integer(const reader *r, int cell, int64_t expected) { assert_true(strtoll(r->cells[cell], NULL, 10) == expected); }

static void check_steps(abut_recording *recording, int32_t every) {
    reader r = export_table(recording, ABUT_EXPORT_STEPS, every);
    assert_header(&r,
                  "step,time,bodies,awake,candidates,touching,contacts,max_penetration,kinetic_energy,potential_energy,spring_energy,"
                  "seconds_broad,seconds_narrow,seconds_solve,seconds_total,event_steps,event_rejected,event_evaluations,event_tests,"
                  "event_hits,event_misses,event_discontinuities,event_impulses,dem_steps,dem_lists,dem_critical_step,dem_near,dem_sliding,"
                  "dem_elastic_energy,dem_spring_energy,dem_damping_work,dem_friction_work,dem_residual,"
                  "event_repeats,sunk,engulfed,left,sunk_body,engulfed_body,left_body,dem_bonds,dem_broken");
    for (int64_t row = 0; row <= DEMO_STEPS; row += every) {
        abut_step_report report;
        assert_int_equal(abut_recording_step(recording, row, &report), ABUT_OK);
        assert_true(read_line(&r));
        assert_int_equal(r.count, 42);
        const int64_t integers[] = {report.step, 0, report.bodies, report.awake, report.candidates, report.touching, report.contacts};
        const double reals[] = {report.max_penetration, report.kinetic_energy, report.potential_energy, report.spring_energy,
                                report.seconds_broad,   report.seconds_narrow, report.seconds_solve,    report.seconds_total};
        for (int i = 0; i < 7; i++) {
            if (i != 1) {
                assert_integer(&r, i, integers[i]);
            }
        }
        assert_real(&r, 1, report.time);
        for (int i = 0; i < 8; i++) {
            assert_real(&r, 7 + i, reals[i]);
        }
        const abut_event_report *e = &report.event;
        const int64_t events[] = {e->steps, e->rejected, e->evaluations, e->tests, e->hits, e->misses, e->discontinuities, e->impulses};
        for (int i = 0; i < 8; i++) {
            assert_integer(&r, 15 + i, events[i]);
        }
        const abut_dem_report *d = &report.dem;
        const int64_t dem_integers[] = {d->steps, d->lists, 0, d->near, d->sliding};
        const double dem_reals[] = {d->elastic_energy, d->spring_energy, d->damping_work, d->friction_work, d->residual};
        for (int i = 0; i < 5; i++) {
            if (i != 2) {
                assert_integer(&r, 23 + i, dem_integers[i]);
            }
            assert_real(&r, 28 + i, dem_reals[i]);
        }
        assert_real(&r, 25, d->critical_step);
    }
    assert_false(read_line(&r));
    free(r.text);
}

static void test_steps_read_back(void **state) {
    check_steps(*state, 1);
    check_steps(*state, 7);
    check_steps(*state, 1000);
}

static void test_bodies_read_back(void **state) {
    abut_recording *recording = *state;
    reader r = export_table(recording, ABUT_EXPORT_BODIES, 4);
    assert_header(&r, "step,time,body,awake,x,y,z,qx,qy,qz,qw,vx,vy,vz,wx,wy,wz");
    int removed = 0;
    for (int64_t index = 0; index <= DEMO_STEPS; index += 4) {
        abut_recorded_frame frame;
        assert_int_equal(abut_recording_frame(recording, index, &frame, NULL), ABUT_OK);
        for (int32_t i = 0; i < DEMO_BODIES; i++) {
            const abut_recorded_state *body = &frame.bodies[i];
            abut_recorded_body recorded;
            if (body->presence == ABUT_RECORDED_REMOVED) {
                removed++;
                continue;
            }
            assert_int_equal(abut_recording_body(recording, i, &recorded), ABUT_OK);
            assert_true(read_line(&r));
            assert_int_equal(r.count, 17);
            assert_integer(&r, 0, frame.step);
            assert_real(&r, 1, frame.time);
            assert_string_equal(r.cells[2], recorded.name);
            assert_integer(&r, 3, body->presence == ABUT_RECORDED_AWAKE);
            assert_vec3(&r, 4, body->pose.position);
            assert_vec3(&r, 7, abut_vec3_make(body->pose.rotation.x, body->pose.rotation.y, body->pose.rotation.z));
            assert_real(&r, 10, body->pose.rotation.w);
            assert_vec3(&r, 11, body->velocity);
            assert_vec3(&r, 14, body->angular_velocity);
        }
    }
    assert_false(read_line(&r));
    assert_true(removed > 0);
    free(r.text);
}

static void assert_feature(const reader *r, int cell, abut_feature feature) {
    static const char *const names[] = {"none", "face", "edge", "vertex", "smooth"};
    assert_string_equal(r->cells[cell], names[feature.kind]);
    assert_integer(r, cell + 1, feature.index);
    assert_integer(r, cell + 2, feature.part);
}

static void test_contacts_read_back(void **state) {
    abut_recording *recording = *state;
    reader r = export_table(recording, ABUT_EXPORT_CONTACTS, 1);
    assert_header(&r, "step,time,a,b,on_a_x,on_a_y,on_a_z,on_b_x,on_b_y,on_b_z,normal_x,normal_y,normal_z,gap,area,"
                      "feature_a,index_a,part_a,feature_b,index_b,part_b,id,patch,flags,normal_force,friction_x,friction_y,friction_z");
    int64_t rows = 0;
    for (int64_t index = 0; index <= DEMO_STEPS; index++) {
        const abut_recorded_contact *contacts = NULL;
        int32_t count = 0;
        assert_int_equal(abut_recording_contacts(recording, index, &contacts, &count, NULL), ABUT_OK);
        for (int32_t i = 0; i < count; i++) {
            const abut_recorded_contact *c = &contacts[i];
            abut_recorded_body a, b;
            assert_int_equal(abut_recording_body(recording, c->a, &a), ABUT_OK);
            assert_int_equal(abut_recording_body(recording, c->b, &b), ABUT_OK);
            assert_true(read_line(&r));
            assert_int_equal(r.count, 28);
            assert_integer(&r, 0, index);
            assert_string_equal(r.cells[2], a.name);
            assert_string_equal(r.cells[3], b.name);
            assert_vec3(&r, 4, c->contact.on_a);
            assert_vec3(&r, 7, c->contact.on_b);
            assert_vec3(&r, 10, c->contact.normal);
            assert_real(&r, 13, c->contact.gap);
            assert_real(&r, 14, c->contact.area);
            assert_feature(&r, 15, c->contact.feature_a);
            assert_feature(&r, 18, c->contact.feature_b);
            assert_true(strtoull(r.cells[21], NULL, 10) == c->contact.id);
            assert_integer(&r, 22, c->contact.patch);
            assert_integer(&r, 23, c->contact.flags);
            assert_real(&r, 24, c->normal_force);
            assert_vec3(&r, 25, c->friction_force);
            rows++;
        }
    }
    assert_false(read_line(&r));
    assert_true(rows > 100);
    free(r.text);
}

static void test_joints_read_back(void **state) {
    (void)state;
    abut_scene *scene = demo_joints_scene(0);
    record_simulation(JOINTS, demo_simulation(scene), NULL, DEMO_JOINTS_STEPS);
    abut_scene_destroy(scene);
    abut_recording *recording = open_recording(JOINTS);
    reader r = export_table(recording, ABUT_EXPORT_JOINTS, 1);
    assert_header(&r, "step,time,joint,kind,a,b,holds,coordinate,spin,error,turn_error,force_x,force_y,force_z,torque_x,torque_y,torque_z");
    int rows = 0, broken = 0, gone = 0;
    for (int64_t index = 0; index <= DEMO_JOINTS_STEPS; index++) {
        const abut_recorded_joint_state *joints = NULL;
        assert_int_equal(abut_recording_joints(recording, index, &joints, NULL), ABUT_OK);
        for (int32_t i = 0; i < DEMO_JOINTS; i++) {
            if (joints[i].hold == ABUT_HOLD_GONE) {
                gone++;
                continue;
            }
            abut_scene_joint source;
            abut_recorded_body a, b;
            assert_int_equal(abut_recording_joint(recording, i, &source), ABUT_OK);
            assert_int_equal(abut_recording_body(recording, source.a, &a), ABUT_OK);
            assert_int_equal(abut_recording_body(recording, source.b, &b), ABUT_OK);
            assert_true(read_line(&r));
            assert_int_equal(r.count, 17);
            assert_integer(&r, 0, index);
            assert_integer(&r, 2, i);
            if (source.def.kind == ABUT_JOINT_REVOLUTE) {
                assert_string_equal(r.cells[3], "revolute");
            }
            assert_string_equal(r.cells[4], a.name);
            assert_string_equal(r.cells[5], b.name);
            assert_integer(&r, 6, joints[i].hold == ABUT_HOLD_WHOLE);
            assert_real(&r, 7, joints[i].state.coordinate);
            assert_real(&r, 8, joints[i].state.spin);
            assert_real(&r, 9, joints[i].state.error);
            assert_real(&r, 10, joints[i].state.turn_error);
            assert_vec3(&r, 11, joints[i].state.force);
            assert_vec3(&r, 14, joints[i].state.torque);
            broken += joints[i].hold == ABUT_HOLD_BROKEN ? 1 : 0;
            rows++;
        }
    }
    assert_false(read_line(&r));
    assert_true(rows > 100 && broken > 0 && gone > 0);
    free(r.text);
    abut_recording_close(recording);
}

/* A recording without joints has a table without rows. */
static void test_without_joints_there_are_no_rows(void **state) {
    reader r = export_table(*state, ABUT_EXPORT_JOINTS, 1);
    assert_true(read_line(&r));
    assert_int_equal(r.count, 17);
    assert_false(read_line(&r));
    free(r.text);
}

static abut_status export_as(abut_recording *recording, const char *path, int what, abut_error *error) {
    return what < 3 ? abut_export_csv(recording, path, (abut_export_table)what, 1, error) : abut_export_glb(recording, path, 1, error);
}

static void test_a_full_disk_is_one_error_and_leaves_the_old_file(void **state) {
    for (int what = 0; what < 4; what++) {
        files_write(RESULT, "old", 3);
        abut_error error = {0};
        files_limit(2000);
        assert_int_equal(export_as(*state, RESULT, what, &error), ABUT_ERROR_FILE);
        files_limit(0);
        assert_non_null(strstr(error.message, RESULT));
        size_t size;
        char *bytes = files_read(RESULT, &size);
        assert_int_equal(size, 3);
        assert_memory_equal(bytes, "old", 3);
        free(bytes);
        assert_int_equal(files_count(FOLDER), 1);
        assert_int_equal(export_as(*state, "/dev/full", what, &error), ABUT_ERROR_FILE);
        assert_int_equal(export_as(*state, FOLDER "/missing/out", what, &error), ABUT_ERROR_FILE);
        assert_int_equal(export_as(*state, FOLDER, what, &error), ABUT_ERROR_FILE);
    }
}

static void test_arguments_out_of_range_are_refused(void **state) {
    assert_int_equal(abut_export_csv(NULL, RESULT, ABUT_EXPORT_STEPS, 1, NULL), ABUT_ERROR_INVALID_ARGUMENT);
    assert_int_equal(abut_export_csv(*state, NULL, ABUT_EXPORT_STEPS, 1, NULL), ABUT_ERROR_INVALID_ARGUMENT);
    assert_int_equal(abut_export_csv(*state, RESULT, ABUT_EXPORT_STEPS, 0, NULL), ABUT_ERROR_INVALID_ARGUMENT);
    assert_int_equal(abut_export_csv(*state, RESULT, (abut_export_table)(ABUT_EXPORT_SERIES + 1), 1, NULL), ABUT_ERROR_INVALID_ARGUMENT);
    assert_int_equal(abut_export_glb(NULL, RESULT, 1, NULL), ABUT_ERROR_INVALID_ARGUMENT);
    assert_int_equal(abut_export_glb(*state, NULL, 1, NULL), ABUT_ERROR_INVALID_ARGUMENT);
    assert_int_equal(abut_export_glb(*state, RESULT, -1, NULL), ABUT_ERROR_INVALID_ARGUMENT);
    assert_int_equal(files_count(FOLDER), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_steps_read_back, empty_folder),
        cmocka_unit_test_setup(test_bodies_read_back, empty_folder),
        cmocka_unit_test_setup(test_contacts_read_back, empty_folder),
        cmocka_unit_test_setup(test_joints_read_back, empty_folder),
        cmocka_unit_test_setup(test_without_joints_there_are_no_rows, empty_folder),
        cmocka_unit_test_setup(test_a_full_disk_is_one_error_and_leaves_the_old_file, empty_folder),
        cmocka_unit_test_setup(test_arguments_out_of_range_are_refused, empty_folder),
    };
    return cmocka_run_group_tests(tests, record_demo, close_demo);
}
