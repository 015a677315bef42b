/*
 * Scenes that go on from a recording. The oracle is the recorded frame: every body begins where it was, to the last bit or that of its unit quaternion, and
 * what the recording lacks begins as the scene says.
 */
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
#include <jansson.h>

#include <abut/mesh.h>

#include "io/record/start.h"

#include "io/record/checkpoint.h"
#include "support/deforming_scene.h"
#include "support/demo_scene.h"
#include "support/files.h"

#define FOLDER ABUT_TEST_SCRATCH_DIR "/folder"
#define RESULT FOLDER "/demo.h5"

static int empty_folder(void **state) {
    (void)state;
    files_empty_folder(FOLDER);
    return 0;
}

/* Records a scene, and after `between` steps a checkpoint. */
static void record_run(abut_scene *scene, int32_t every, int64_t between, const char *checkpoint) {
    abut_simulation *simulation = demo_simulation(scene);
    abut_recorder *recorder = NULL;
    abut_recorder_settings settings = abut_recorder_settings_default();
    settings.every = every;
    assert_int_equal(abut_recorder_create(RESULT, simulation, &settings, &recorder, NULL), ABUT_OK);
    while (!abut_simulation_finished(simulation)) {
        abut_step_report report;
        assert_int_equal(abut_simulation_step(simulation, &report, NULL), ABUT_OK);
        assert_int_equal(abut_recorder_frame(recorder, simulation, &report, NULL), ABUT_OK);
        if (abut_simulation_step_index(simulation) == between) {
            assert_int_equal(abut_checkpoint_write(recorder, simulation, checkpoint, &(abut_checkpoint_plan){.wanted = 60}, NULL), ABUT_OK);
        }
    }
    assert_int_equal(abut_recorder_finish(recorder, simulation, true, NULL), ABUT_OK);
    abut_simulation_destroy(simulation);
    abut_scene_destroy(scene);
}

static void record_with(int32_t every, int64_t between, const char *checkpoint) { record_run(demo_scene(), every, between, checkpoint); }

static void record(void) { record_with(3, 0, NULL); }

static json_t *demo_json(void) {
    abut_scene *scene = demo_scene();
    json_t *root = json_loads(abut_scene_text(scene), 0, NULL);
    assert_non_null(root);
    abut_scene_destroy(scene);
    return root;
}

/* The scene of the JSON, which is released, with that "start". */
static abut_scene *scene_with(json_t *root, json_t *start) {
    abut_scene *scene = NULL;
    abut_error error = {ABUT_OK, ""};
    assert_int_equal(json_object_set_new(root, "start", start), 0);
    char *text = json_dumps(root, JSON_REAL_PRECISION(17));
    assert_non_null(text);
    if (abut_scene_parse(text, strlen(text), FOLDER "/next.json", &scene, &error) != ABUT_OK) {
        fail_msg("%s", error.message);
    }
    free(text);
    json_decref(root);
    return scene;
}

static void refused(json_t *root, json_t *start, abut_status expected, const char *what) {
    abut_scene *scene = scene_with(root, start);
    abut_simulation *simulation = NULL;
    abut_error error = {ABUT_OK, ""};
    assert_int_equal(abut_recording_start(scene, &error), expected);
    assert_int_equal(error.status, expected);
    if (!strstr(error.message, what) || strncmp(error.message, FOLDER "/next.json:1:", strlen(FOLDER "/next.json:1:")) != 0) {
        fail_msg("'%s' instead of '%s'", error.message, what);
    }
    assert_int_equal(abut_simulation_create(scene, &simulation, &error), ABUT_ERROR_UNSUPPORTED);
    assert_non_null(strstr(error.message, "was not read"));
    abut_scene_destroy(scene);
}

static abut_simulation *begun(abut_scene *scene) {
    abut_simulation *simulation = NULL;
    abut_error error = {ABUT_OK, ""};
    if (abut_recording_start(scene, &error) != ABUT_OK || abut_simulation_create(scene, &simulation, &error) != ABUT_OK) {
        fail_msg("%s", error.message);
    }
    return simulation;
}

static double apart(abut_vec3 a, abut_vec3 b) { return abut_length(abut_sub(a, b)); }

/* Every body at the beginning of the simulation beside the frame. */
static void compare(const abut_simulation *simulation, int64_t index) {
    abut_recording *recording = NULL;
    abut_recorded_frame frame;
    const abut_scene *scene = abut_simulation_scene(simulation);
    assert_int_equal(abut_recording_open(RESULT, &recording, NULL), ABUT_OK);
    index = index < 0 ? abut_recording_get_info(recording).frame_count - 1 : index;
    assert_int_equal(abut_recording_frame(recording, index, &frame, NULL), ABUT_OK);
    for (int32_t i = 0; i < DEMO_BODIES; i++) {
        const abut_recorded_state *old = &frame.bodies[i];
        const abut_body_def *def = abut_scene_body_def(scene, i);
        abut_body_state state;
        abut_status status = abut_world_body_state(abut_simulation_world(simulation), abut_simulation_body_id(simulation, i), &state);
        assert_int_equal(status, old->presence == ABUT_RECORDED_REMOVED ? ABUT_ERROR_STALE_ID : ABUT_OK);
        if (status != ABUT_OK) {
            continue;
        }
        assert_true(apart(state.pose.position, old->pose.position) == 0.0);
        assert_true(fabs(state.pose.rotation.x - old->pose.rotation.x) + fabs(state.pose.rotation.y - old->pose.rotation.y) < 1e-15);
        assert_true(fabs(state.pose.rotation.z - old->pose.rotation.z) + fabs(state.pose.rotation.w - old->pose.rotation.w) < 1e-15);
        assert_true(apart(state.motion.linear, def->kind == ABUT_BODY_DYNAMIC ? old->velocity : def->motion.linear) == 0.0);
        assert_true(apart(state.motion.angular, def->kind == ABUT_BODY_DYNAMIC ? old->angular_velocity : def->motion.angular) == 0.0);
    }
    assert_true(abut_simulation_time(simulation) == 0.0);
    abut_recording_close(recording);
}

/* Every kind of shape, a kinematic body and one that is gone. */
static void test_bodies_are_where_they_were(void **state) {
    (void)state;
    record();
    static const struct {
        double time;
        int64_t frame;
    } cases[] = {{-1.0, -1}, {0.0, 0}, {0.04, 0}, {0.05, 1}, {0.5, 10}, {0.52, 10}, {0.55, 11}, {1.0, 20}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        json_t *start = json_pack("{s:s}", "recording", "demo.h5");
        if (cases[i].time >= 0.0) {
            json_object_set_new(start, "time", json_real(cases[i].time));
        }
        abut_scene *scene = scene_with(demo_json(), start);
        abut_scene_start asked;
        assert_true(abut_scene_get_start(scene, &asked) && strcmp(asked.recording, RESULT) == 0);
        abut_simulation *simulation = begun(scene);
        assert_int_equal(abut_scene_warning_count(scene), 0);
        compare(simulation, cases[i].frame);
        abut_error again = {ABUT_OK, ""};
        assert_int_equal(abut_recording_start(scene, &again), ABUT_ERROR_INVALID_ARGUMENT);
        assert_non_null(strstr(again.message, "is set already"));
        abut_simulation_destroy(simulation);
        abut_scene_destroy(scene);
    }
}

/* The actions of the scene are those of its own time; one on a body that is gone does nothing. A saved state of it goes on. */
static void test_it_runs_and_is_saved(void **state) {
    (void)state;
    record();
    abut_scene *scene = scene_with(demo_json(), json_pack("{s:s}", "recording", "demo.h5"));
    abut_simulation *whole = begun(scene), *resumed = NULL;
    assert_int_equal(abut_simulation_create(scene, &resumed, NULL), ABUT_OK);
    void *saved = NULL;
    size_t size = 0;
    for (int step = 0; step < 40; step++) {
        assert_int_equal(abut_simulation_step(whole, NULL, NULL), ABUT_OK);
        if (step == 9) {
            assert_int_equal(abut_simulation_save(whole, NULL, 0, &size), ABUT_ERROR_CAPACITY);
            saved = malloc(size);
            assert_non_null(saved);
            assert_int_equal(abut_simulation_save(whole, saved, size, &size), ABUT_OK);
        }
    }
    assert_int_equal(abut_simulation_restore(resumed, saved, size), ABUT_OK);
    while (abut_simulation_step_index(resumed) < 40) {
        assert_int_equal(abut_simulation_step(resumed, NULL, NULL), ABUT_OK);
    }
    assert_true(abut_world_hash(abut_simulation_world(whole)) == abut_world_hash(abut_simulation_world(resumed)));
    free(saved);
    abut_simulation_destroy(whole);
    abut_simulation_destroy(resumed);
    abut_scene_destroy(scene);
}

/* The others begin as the scene says: the one that was gone is there again. */
static void test_only_some_bodies(void **state) {
    (void)state;
    record();
    abut_scene *scene = scene_with(demo_json(), json_pack("{s:s, s:[s, s]}", "recording", "demo.h5", "bodies", "capsule", "hull"));
    abut_scene *plain = demo_scene();
    abut_simulation *simulation = begun(scene);
    abut_recording *recording = NULL;
    abut_recorded_frame frame;
    assert_int_equal(abut_recording_open(RESULT, &recording, NULL), ABUT_OK);
    assert_int_equal(abut_recording_frame(recording, 20, &frame, NULL), ABUT_OK);
    for (int32_t i = 0; i < DEMO_BODIES; i++) {
        bool taken = i == DEMO_CAPSULE || i == DEMO_HULL;
        abut_body_state now;
        assert_int_equal(abut_world_body_state(abut_simulation_world(simulation), abut_simulation_body_id(simulation, i), &now), ABUT_OK);
        abut_vec3 expected = taken ? frame.bodies[i].pose.position : abut_scene_body_def(plain, i)->pose.position;
        assert_true(apart(now.pose.position, expected) == 0.0);
    }
    abut_recording_close(recording);
    abut_simulation_destroy(simulation);
    abut_scene_destroy(scene);
    abut_scene_destroy(plain);
}

/* A new body in the place of an old one is told; bodies that lay in each other in the recording are not. */
static void test_overlaps_with_new_bodies_are_told(void **state) {
    (void)state;
    record();
    json_t *root = demo_json();
    json_array_append_new(json_object_get(root, "bodies"),
                          json_pack("{s:s, s:s, s:{s:{s:f}}, s:[f, f, f]}", "name", "post", "kind", "static", "shape", "sphere", "radius",
                                    0.4, "position", 0.0, 0.0, 0.3));
    abut_scene *scene = scene_with(root, json_pack("{s:s}", "recording", "demo.h5"));
    abut_simulation_destroy(begun(scene));
    assert_int_equal(abut_scene_warning_count(scene), 1);
    assert_non_null(strstr(abut_scene_warning(scene, 0), "plain' and 'post' begin inside each other"));
    abut_scene_destroy(scene);
}

static json_t *body_of(json_t *root, int32_t index) { return json_array_get(json_object_get(root, "bodies"), (size_t)index); }

/* The shape of each body that moves, changed by a millionth in one number. */
static void test_other_shapes_are_refused(void **state) {
    (void)state;
    record();
    static const struct {
        int32_t body;
        const char *shape, *name;
    } cases[] = {{DEMO_BOX, "{\"box\": {\"half\": [0.5, 0.4, 0.3000003]}}", "'a \"box\", plain'"},
                 {DEMO_BOX, "{\"sphere\": {\"radius\": 0.3}}", "'a \"box\", plain'"},
                 {DEMO_BALL, "{\"sphere\": {\"radius\": 0.2000002}}", "'ball'"},
                 {DEMO_CAPSULE, "{\"capsule\": {\"radius\": 0.2, \"half_length\": 0.3000003}}", "'capsule'"},
                 {DEMO_DUMBBELL,
                  "{\"compound\": [{\"shape\": {\"box\": {\"half\": [0.2, 0.2, 0.2]}}, \"position\": [-0.4, 0, 0]}, {\"shape\": "
                  "{\"sphere\": {\"radius\": 0.25}}, \"position\": [0.4, 0, 1e-7]}]}",
                  "'dumbbell'"},
                 {DEMO_DUMBBELL,
                  "{\"compound\": [{\"shape\": {\"box\": {\"half\": [0.2, 0.2, 0.2]}}, \"position\": [-0.4, 0, 0]}, {\"shape\": "
                  "{\"sphere\": {\"radius\": 0.2500001}}, \"position\": [0.4, 0, 0]}]}",
                  "'dumbbell'"},
                 {DEMO_HULL, "{\"sphere\": {\"radius\": 0.3}}", "'hull'"},
                 {DEMO_LIFT, "{\"prism\": {\"radius\": 0.5, \"half_height\": 0.1, \"sides\": 7}}", "'lift'"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        json_t *root = demo_json();
        json_t *shape = json_loads(cases[i].shape, 0, NULL);
        assert_non_null(shape);
        json_object_set_new(body_of(root, cases[i].body), "shape", shape);
        refused(root, json_pack("{s:s}", "recording", "demo.h5"), ABUT_ERROR_FORMAT, cases[i].name);
    }
    /* Static bodies are where the scene says, whatever they are. */
    json_t *root = demo_json();
    json_object_set_new(body_of(root, DEMO_FLOOR), "shape", json_loads("{\"box\": {\"half\": [9, 9, 0.01]}}", 0, NULL));
    abut_scene *scene = scene_with(root, json_pack("{s:s}", "recording", "demo.h5"));
    abut_simulation_destroy(begun(scene));
    abut_scene_destroy(scene);
}

static void damage(const char *dataset, hsize_t row, hsize_t column, double value) {
    hid_t file = H5Fopen(RESULT, H5F_ACC_RDWR, H5P_DEFAULT), set = H5Dopen2(file, dataset, H5P_DEFAULT), space = H5Dget_space(set);
    hsize_t first[3] = {row, DEMO_BOX, column}, count[3] = {1, 1, 1};
    hid_t one = H5Screate_simple(3, count, NULL);
    assert_true(H5Sselect_hyperslab(space, H5S_SELECT_SET, first, NULL, count, NULL) >= 0);
    assert_true(H5Dwrite(set, H5T_NATIVE_DOUBLE, one, space, H5P_DEFAULT, &value) >= 0);
    H5Sclose(one);
    H5Sclose(space);
    H5Dclose(set);
    H5Fclose(file);
}

/* Frames of every seventh step, and of the last one, which is 4 steps later. */
static void test_a_recording_of_few_frames_has_its_end(void **state) {
    (void)state;
    record_with(7, 0, NULL);
    abut_scene *scene = scene_with(demo_json(), json_pack("{s:s}", "recording", "demo.h5"));
    abut_simulation *simulation = begun(scene);
    assert_int_equal(abut_scene_warning_count(scene), 0);
    compare(simulation, 9);
    abut_simulation_destroy(simulation);
    abut_scene_destroy(scene);
}

/* A checkpoint after 40 steps has the frame of step 35. */
static void test_a_checkpoint_of_few_frames_lacks_its_end(void **state) {
    (void)state;
    record_with(7, 40, FOLDER "/demo.checkpoint.h5");
    abut_scene *scene = scene_with(demo_json(), json_pack("{s:s}", "recording", "demo.checkpoint.h5"));
    abut_simulation_destroy(begun(scene));
    assert_int_equal(abut_scene_warning_count(scene), 1);
    assert_non_null(strstr(abut_scene_warning(scene, 0), "is at 0.583333, before its end at 0.666667: end the run first"));
    abut_scene_destroy(scene);
    scene = scene_with(demo_json(), json_pack("{s:s, s:f}", "recording", "demo.checkpoint.h5", "time", 0.6));
    abut_simulation_destroy(begun(scene));
    assert_int_equal(abut_scene_warning_count(scene), 0);
    abut_scene_destroy(scene);
}

static void test_recordings_that_do_not_fit(void **state) {
    (void)state;
    record();
    refused(demo_json(), json_pack("{s:s, s:f}", "recording", "demo.h5", "time", 1.01), ABUT_ERROR_FORMAT, "'time' 1.01 is after the end");
    refused(demo_json(), json_pack("{s:s}", "recording", "none.h5"), ABUT_ERROR_FILE, "none.h5: No such file");
    refused(demo_json(), json_pack("{s:s}", "recording", "."), ABUT_ERROR_FILE, "");
    FILE *file = fopen(FOLDER "/text.h5", "w");
    assert_true(file && fputs("not a recording", file) >= 0 && fclose(file) == 0);
    refused(demo_json(), json_pack("{s:s}", "recording", "text.h5"), ABUT_ERROR_FORMAT, "is not a recording");

    /* A dynamic body that the scene lacks; one that had gone is none, nor is a kinematic one. */
    json_t *root = demo_json();
    json_array_remove(json_object_get(root, "bodies"), DEMO_HULL);
    refused(root, json_pack("{s:s}", "recording", "demo.h5"), ABUT_ERROR_FORMAT, "the dynamic body 'hull', which the scene lacks");
    root = demo_json();
    json_array_remove(json_object_get(root, "bodies"), DEMO_LIFT);
    json_array_remove(json_object_get(root, "bodies"), DEMO_BALL);
    json_object_del(root, "actions");
    abut_scene *scene = scene_with(root, json_pack("{s:s}", "recording", "demo.h5"));
    abut_simulation_destroy(begun(scene));
    abut_scene_destroy(scene);
    root = json_loads("{\"abut_scene\": 1, \"duration\": 1, \"bodies\": [{\"name\": \"x\", \"shape\": {\"sphere\": {\"radius\": 1}}}]}", 0,
                      NULL);
    refused(root, json_pack("{s:s, s:[s]}", "recording", "demo.h5", "bodies", "x"), ABUT_ERROR_FORMAT, "has no body of the scene");

    static const double wrong[] = {NAN, INFINITY, 1e300};
    for (size_t i = 0; i < 3; i++) {
        record();
        damage(i < 2 ? "frames/velocity" : "frames/pose", 20, i < 2 ? 4 : 5, wrong[i]);
        refused(demo_json(), json_pack("{s:s}", "recording", "demo.h5"), ABUT_ERROR_FORMAT, "is damaged: the state of body 'a \"box\"");
    }
}

/* The scene with other amounts of the first body's field; NULL: without a field. */
static json_t *pausing(const char *amounts) {
    json_t *root = json_loads(pauses, 0, NULL), *lifted = body_of(root, 0), *late = body_of(root, 2);
    assert_non_null(root);
    json_object_set_new(root, "duration", json_real(0.5));
    json_object_del(root, "actions");
    json_object_del(late, "deform");
    if (amounts) {
        json_object_set_new(json_array_get(json_object_get(lifted, "deform"), 0), "amount", json_loads(amounts, 0, NULL));
    } else {
        json_object_del(lifted, "deform");
    }
    return root;
}

/* Bodies that deform begin as they were, when the scene's amounts at its beginning are those of the frame. */
static void test_bodies_that_deform(void **state) {
    (void)state;
    abut_scene *scene = NULL;
    assert_int_equal(abut_scene_parse(pauses, strlen(pauses), FOLDER "/pauses.json", &scene, NULL), ABUT_OK);
    record_run(scene, 1, 0, NULL);
    static const struct {
        double time;
        const char *amounts;
        bool right;
    } cases[] = {{0.75, "[[0, 0.5], [0.25, 1]]", true},   {0.75, "[[0, 0.5]]", true}, {1.0625, "[[0, 0.625], [0.1875, 1]]", true},
                 {0.75, "[[0, 0.4], [0.5, 0.5]]", false}, {0.75, NULL, false},        {0.75, "[[0, 0.50001]]", false}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        json_t *start = json_pack("{s:s, s:f}", "recording", "demo.h5", "time", cases[i].time);
        if (!cases[i].right) {
            refused(pausing(cases[i].amounts), start, ABUT_ERROR_FORMAT, "body 'lift' is deformed in another way at the beginning");
            continue;
        }
        scene = scene_with(pausing(cases[i].amounts), start);
        abut_simulation *simulation = begun(scene);
        abut_recording *recording = NULL;
        abut_recorded_frame frame;
        const abut_vec3 *vertices = NULL;
        int32_t count = 0;
        assert_int_equal(abut_recording_open(RESULT, &recording, NULL), ABUT_OK);
        int64_t index = (int64_t)(16.0 * cases[i].time);
        assert_int_equal(abut_recording_frame(recording, index, &frame, NULL), ABUT_OK);
        assert_true(fabs(frame.time - cases[i].time) < 1e-12);
        assert_int_equal(abut_recording_vertices(recording, index, 0, &vertices, &count, NULL), ABUT_OK);
        abut_body_info info;
        abut_body_state now;
        assert_int_equal(abut_world_body_info(abut_simulation_world(simulation), abut_simulation_body_id(simulation, 0), &info), ABUT_OK);
        for (int32_t t = 0; t < abut_shape_triangle_count(info.shape); t++) {
            abut_triangle triangle;
            assert_int_equal(abut_shape_triangle(info.shape, t, &triangle), ABUT_OK);
            for (int k = 0; k < 3; k++) {
                assert_true(apart(triangle.corner[k], vertices[triangle.vertex[k]]) < 1e-12);
            }
        }
        for (int32_t k = 0; k < 3; k++) {
            assert_int_equal(abut_world_body_state(abut_simulation_world(simulation), abut_simulation_body_id(simulation, k), &now),
                             ABUT_OK);
            assert_true(apart(now.pose.position, frame.bodies[k].pose.position) < 1e-15);
        }
        assert_int_equal(abut_world_body_state(abut_simulation_world(simulation), abut_simulation_body_id(simulation, 3), &now),
                         ABUT_ERROR_STALE_ID); /* it had gone */
        assert_int_equal(abut_simulation_step(simulation, NULL, NULL), ABUT_OK);
        abut_recording_close(recording);
        abut_simulation_destroy(simulation);
        abut_scene_destroy(scene);
    }
}

#define CELL                                                                                                    \
    "{\"abut_scene\": 1, \"duration\": %g, \"dt\": 0.01, \"stepper\": {\"kind\": \"dem\"}, \"bodies\": [\n"     \
    "{\"name\": \"floor\", \"kind\": \"static\", \"shape\": {\"plane\": {\"normal\": [0, 0, 1]}}},\n"           \
    "{\"name\": \"soft\", \"shape\": " BLOCK ", \"position\": [0, 0, 0.02], \"angular_velocity\": [0, 0, 1],\n" \
    " \"cell\": {\"stiffness\": 3e6, \"damping\": 2e4, \"rest_ratio\": 0.9, \"bulk_modulus\": 1e6}}]}"

/* A cell has the vertices, the centre of mass and the motion that it had, and goes on from there about as the first run did. */
static void test_an_elastic_cell(void **state) {
    (void)state;
    char text[2048];
    snprintf(text, sizeof text, CELL, 0.4);
    abut_scene *scene = NULL;
    assert_int_equal(abut_scene_parse(text, strlen(text), FOLDER "/cell.json", &scene, NULL), ABUT_OK);
    record_run(scene, 1, 0, NULL);
    snprintf(text, sizeof text, CELL, 0.2);
    scene = scene_with(json_loads(text, 0, NULL), json_pack("{s:s, s:f}", "recording", "demo.h5", "time", 0.3));
    abut_simulation *simulation = begun(scene);
    abut_recording *recording = NULL;
    assert_int_equal(abut_recording_open(RESULT, &recording, NULL), ABUT_OK);
    double off[2] = {0.0, 0.0};
    for (int later = 0; later < 2; later++) {
        abut_recorded_frame frame;
        const abut_vec3 *vertices = NULL;
        int32_t count = 0, found = 0;
        abut_cell_node nodes[8];
        const int64_t index = later == 0 ? 30 : 36;
        assert_int_equal(abut_recording_frame(recording, index, &frame, NULL), ABUT_OK);
        assert_int_equal(abut_recording_vertices(recording, index, 1, &vertices, &count, NULL), ABUT_OK);
        abut_world *world = abut_simulation_world(simulation);
        abut_body_id id = abut_simulation_body_id(simulation, 1);
        assert_int_equal(abut_world_cell_nodes(world, id, nodes, 8, &found), ABUT_OK);
        assert_int_equal(found, count);
        for (int32_t i = 0; i < count; i++) {
            off[later] = fmax(off[later], apart(nodes[i].position, abut_pose_apply(frame.bodies[1].pose, vertices[i])));
        }
        abut_body_state now;
        assert_int_equal(abut_world_body_state(world, id, &now), ABUT_OK);
        if (later == 0) {
            assert_true(apart(now.pose.position, frame.bodies[1].pose.position) < 1e-12);
            assert_true(apart(now.motion.linear, frame.bodies[1].velocity) < 1e-12);
            assert_true(apart(now.motion.angular, frame.bodies[1].angular_velocity) < 1e-12);
            for (int k = 0; k < 6; k++) {
                assert_int_equal(abut_simulation_step(simulation, NULL, NULL), ABUT_OK);
            }
        }
    }
    assert_true(off[0] < 1e-12 && off[1] < 0.02);
    abut_recording_close(recording);
    abut_simulation_destroy(simulation);
    abut_scene_destroy(scene);
}

static void test_arguments(void **state) {
    (void)state;
    abut_scene *scene = demo_scene();
    abut_scene_place places[DEMO_BODIES] = {{.taken = false}};
    assert_int_equal(abut_recording_start(NULL, NULL), ABUT_ERROR_INVALID_ARGUMENT);
    assert_int_equal(abut_recording_start(scene, NULL), ABUT_OK); /* it begins by itself */
    assert_int_equal(abut_scene_set_start(scene, places, NULL, 0.0), ABUT_ERROR_INVALID_ARGUMENT);
    assert_int_equal(abut_scene_set_start(NULL, places, NULL, 0.0), ABUT_ERROR_INVALID_ARGUMENT);
    assert_false(abut_scene_get_start(scene, NULL) || abut_scene_get_start(NULL, NULL));
    assert_false(abut_scene_body_deforms(scene, 0) || abut_scene_body_deforms(scene, -1) || abut_scene_body_deforms(scene, 99));
    abut_scene_destroy(scene);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test_setup(test_bodies_are_where_they_were, empty_folder),
                                       cmocka_unit_test_setup(test_it_runs_and_is_saved, empty_folder),
                                       cmocka_unit_test_setup(test_only_some_bodies, empty_folder),
                                       cmocka_unit_test_setup(test_overlaps_with_new_bodies_are_told, empty_folder),
                                       cmocka_unit_test_setup(test_other_shapes_are_refused, empty_folder),
                                       cmocka_unit_test_setup(test_a_recording_of_few_frames_has_its_end, empty_folder),
                                       cmocka_unit_test_setup(test_a_checkpoint_of_few_frames_lacks_its_end, empty_folder),
                                       cmocka_unit_test_setup(test_recordings_that_do_not_fit, empty_folder),
                                       cmocka_unit_test_setup(test_bodies_that_deform, empty_folder),
                                       cmocka_unit_test_setup(test_an_elastic_cell, empty_folder),
                                       cmocka_unit_test(test_arguments)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
