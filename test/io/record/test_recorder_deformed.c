/* Bodies that deform in recordings: their vertices, and rows of vertices in a run that was interrupted. */
#include "io/record/recorder_deformed.h"

#include "io/record/checkpoint.h"
#include "io/record/h5read.h"
#include "io/record/recording.h"
#include "support/deforming_scene.h"
#include "support/demo_recording.h"
#include "support/demo_scene.h"
#include "support/io_files.h"

static void record(const abut_scene *scene, const char *path, int32_t every) {
    abut_recorder_settings settings = abut_recorder_settings_default();
    settings.every = every;
    record_simulation(path, demo_simulation(scene), &settings, abut_scene_step_count(scene));
}

static void test_recorded(void **state) {
    (void)state;
    for (int32_t every = 1; every <= 5; every += 4) {
        abut_scene *scene = right_scene(lift);
        const char *path = scratch_path("deform.h5");
        record(scene, path, every);
        abut_recording *recording = open_recording(path);
        abut_error error;
        assert_true(abut_recording_deforms(recording, 0));
        assert_false(abut_recording_deforms(recording, 1));
        abut_recording_info info = abut_recording_get_info(recording);
        for (int64_t f = info.frame_count - 1; f >= 0; f--) { /* in any order */
            abut_recorded_frame frame;
            const abut_vec3 *vertices = NULL;
            int32_t count = 0;
            assert_ok(abut_recording_frame(recording, f, &frame, &error));
            assert_ok(abut_recording_vertices(recording, f, 0, &vertices, &count, &error));
            assert_int_equal(count, 8);
            for (int v = 0; v < 8; v++) {
                abut_vec3 corner = {v & 1 ? 1 : -1, v & 2 ? 1 : -1, v & 4 ? height_at(frame.time) : 0};
                assert_vec3_near(vertices[v], corner, 1e-12);
            }
            assert_ok(abut_recording_vertices(recording, f, 1, &vertices, &count, &error));
            assert_int_equal(count, 0);
        }
        const abut_vec3 *vertices;
        int32_t count;
        assert_status(abut_recording_vertices(recording, info.frame_count, 0, &vertices, &count, &error), ABUT_ERROR_INVALID_ARGUMENT);
        assert_status(abut_recording_vertices(recording, 0, 2, &vertices, &count, &error), ABUT_ERROR_INVALID_ARGUMENT);
        assert_status(abut_recording_vertices(recording, 0, 0, NULL, &count, &error), ABUT_ERROR_INVALID_ARGUMENT);
        assert_status(abut_recording_vertices(NULL, 0, 0, &vertices, &count, &error), ABUT_ERROR_INVALID_ARGUMENT);
        abut_recording_close(recording);
        abut_scene_destroy(scene);
    }
}

typedef struct deformed_rows {
    int64_t *frame, *first;
    int32_t *body;
    double *vertices;
    hsize_t count, vertex_count;
} deformed_rows;

static deformed_rows read_deformed(const char *path) {
    abut_recording *recording = open_recording(path);
    deformed_rows rows;
    hid_t file = recording_file(recording);
    assert_ok(h5_read_all(file, "deformed/frame", LAYOUT_INT64, 1, (void **)&rows.frame, &rows.count));
    assert_ok(h5_read_counted(file, "deformed/body", LAYOUT_INT32, 1, rows.count, (void **)&rows.body));
    assert_ok(h5_read_counted(file, "deformed/vertex_first", LAYOUT_INT64, 1, rows.count, (void **)&rows.first));
    assert_ok(h5_read_all(file, "deformed/vertices", LAYOUT_DOUBLE, 3, (void **)&rows.vertices, &rows.vertex_count));
    abut_recording_close(recording);
    return rows;
}

static void free_deformed(deformed_rows *rows) {
    free(rows->frame);
    free(rows->first);
    free(rows->body);
    free(rows->vertices);
}

static void record_until(abut_simulation *simulation, abut_recorder *recorder, int64_t steps) {
    abut_error error;
    abut_step_report report;
    while (abut_simulation_step_index(simulation) < steps) {
        assert_ok(abut_simulation_step(simulation, &report, &error));
        assert_ok(abut_recorder_frame(recorder, simulation, &report, &error));
    }
}

/* The recording up to some step, then a checkpoint, then the rest from there. */
static void record_in_two(const abut_scene *scene, const char *path, int32_t every, int64_t step) {
    abut_simulation *simulation = NULL;
    abut_recorder *recorder = NULL;
    abut_checkpoint *checkpoint = NULL;
    abut_recorder_settings settings = abut_recorder_settings_default();
    const abut_checkpoint_plan plan = {.wanted = PAUSES_STEPS};
    const char *between = scratch_path("deform.checkpoint.h5");
    settings.every = every;
    abut_error error;
    assert_ok(abut_simulation_create(scene, &simulation, &error));
    assert_ok(abut_recorder_create(path, simulation, &settings, &recorder, &error));
    record_until(simulation, recorder, step);
    assert_ok(abut_checkpoint_write(recorder, simulation, between, &plan, &error));
    abut_recorder_abort(recorder);
    abut_simulation_destroy(simulation);
    assert_ok(abut_simulation_create(scene, &simulation, &error));
    assert_ok(abut_checkpoint_open(between, &checkpoint, &error));
    assert_ok(abut_checkpoint_continue(checkpoint, simulation, path, &recorder, &error));
    abut_checkpoint_close(checkpoint);
    record_until(simulation, recorder, PAUSES_STEPS);
    assert_ok(abut_recorder_finish(recorder, simulation, true, &error));
    abut_simulation_destroy(simulation);
}

/* Interrupted after any step: the rows are the same, also those of shapes that changed after the last frame before, and came back. */
static void test_recorded_in_two(void **state) {
    (void)state;
    abut_scene *scene = right_scene(pauses);
    for (int32_t every = 1; every <= 4; every += 3) {
        const char *path = scratch_path("whole.h5");
        record(scene, path, every);
        deformed_rows whole = read_deformed(path);
        for (int64_t step = 0; step <= PAUSES_STEPS; step += every == 1 ? 6 : 1) {
            path = scratch_path("two.h5");
            record_in_two(scene, path, every, step);
            deformed_rows rows = read_deformed(path);
            assert_int_equal(rows.count, whole.count);
            assert_int_equal(rows.vertex_count, whole.vertex_count);
            assert_memory_equal(rows.frame, whole.frame, rows.count * sizeof *rows.frame);
            assert_memory_equal(rows.body, whole.body, rows.count * sizeof *rows.body);
            assert_memory_equal(rows.first, whole.first, rows.count * sizeof *rows.first);
            assert_memory_equal(rows.vertices, whole.vertices, 3 * rows.vertex_count * sizeof *rows.vertices);
            free_deformed(&rows);
        }
        free_deformed(&whole);
    }
    abut_scene_destroy(scene);
}

/* Nothing is recorded of a body that stays as it is. */
static void test_recorded_rigid(void **state) {
    (void)state;
    static const char text[] =
        "{\"abut_scene\": 1, \"duration\": 0.1, \"bodies\": [{\"name\": \"a\", \"kind\": \"static\", \"shape\": " BLOCK "}]}";
    abut_scene *scene = right_scene(text);
    const char *path = scratch_path("rigid.h5");
    record(scene, path, 1);
    abut_recording *recording = open_recording(path);
    abut_error error;
    assert_false(abut_recording_deforms(recording, 0));
    const abut_vec3 *vertices = NULL;
    int32_t count = 0;
    assert_ok(abut_recording_vertices(recording, 2, 0, &vertices, &count, &error));
    assert_int_equal(count, 8);
    assert_vec3_near(vertices[7], abut_vec3_make(1, 1, 1), 0.0);
    abut_recording_close(recording);
    abut_scene_destroy(scene);
}

/* A shape with other triangles cannot be recorded as vertices. */
static void test_other_triangles_are_refused(void **state) {
    (void)state;
    abut_scene *scene =
        right_scene("{\"abut_scene\": 1, \"duration\": 1, \"bodies\": [{\"name\": \"a\", \"shape\": {\"sphere\": {\"radius\": 1}}}]}");
    abut_simulation *simulation = NULL;
    abut_recorder *recorder = NULL;
    abut_error error;
    abut_step_report report;
    const char *path = scratch_path("other.h5");
    assert_ok(abut_simulation_create(scene, &simulation, &error));
    assert_ok(abut_recorder_create(path, simulation, NULL, &recorder, &error));
    abut_shape *other = NULL;
    assert_ok(abut_shape_create_sphere(2.0, &other));
    assert_ok(abut_world_set_body_shape(abut_simulation_world(simulation), abut_simulation_body_id(simulation, 0), other));
    abut_shape_release(other);
    assert_ok(abut_simulation_step(simulation, &report, &error));
    assert_status(abut_recorder_frame(recorder, simulation, &report, &error), ABUT_ERROR_UNSUPPORTED);
    assert_non_null(strstr(error.message, "a body got a shape with other triangles"));
    abut_recorder_abort(recorder);
    abut_simulation_destroy(simulation);
    abut_scene_destroy(scene);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_recorded),
        cmocka_unit_test(test_recorded_in_two),
        cmocka_unit_test(test_recorded_rigid),
        cmocka_unit_test(test_other_triangles_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
