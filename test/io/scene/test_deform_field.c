/* Bodies that deform: amounts in time, fields in closed form and without folds, in a scene, in motion and in a recording. */
#include "io/scene/deform_field.h"

#include <abut/mesh.h>

#include "io/record/checkpoint.h"
#include "support/io_files.h"
#include "io/record/h5read.h"
#include "io/record/recording.h"
#include "io/scene/simulation.h"
#include "support/allocator.h"
#include "support/random.h"

static deform_key three_keys[] = {{1.0, 0.5}, {2.0, 1.5}, {4.0, -0.5}};

static deform_field affine(abut_mat3 matrix, abut_vec3 about) {
    return (deform_field){.kind = DEFORM_AFFINE, .about = about, .matrix = matrix, .keys = three_keys, .key_count = 3};
}

static void test_amounts(void **state) {
    (void)state;
    deform_field field = affine(abut_mat3_identity(), abut_vec3_make(0, 0, 0));
    const double times[] = {-1.0, 0.0, 1.0, 1.25, 2.0, 3.0, 3.5, 4.0, 99.0}, amounts[] = {0.5, 0.5, 0.5, 0.75, 1.5, 0.5, 0.0, -0.5, -0.5};
    for (int i = 0; i < 9; i++) {
        assert_near(deform_amount(&field, times[i]), amounts[i], 1e-15);
    }
    const deform_program program = {&field, 1};
    assert_true(deform_is_same(&program, 0.0, 1.0));
    assert_true(deform_is_same(&program, 5.0, 4.0));
    assert_false(deform_is_same(&program, 1.0, 1.25));
    /* Many keys are searched in halves. */
    deform_key many[101];
    for (int i = 0; i <= 100; i++) {
        many[i] = (deform_key){i, (double)i * i};
    }
    field.keys = many;
    field.key_count = 101;
    for (int i = 0; i < 100; i++) {
        assert_near(deform_amount(&field, i + 0.5), 0.5 * (i * i + (i + 1) * (i + 1)), 1e-12);
    }
}

static void test_affine_fields(void **state) {
    (void)state;
    const abut_mat3 shear = abut_mat3_make(abut_vec3_make(1, 0, 0), abut_vec3_make(0.5, 1, 0), abut_vec3_make(0, 0, 2)); /* columns */
    const abut_vec3 about = {1, 2, 3}, x = {2, 4, 7};
    deform_field fields[2] = {
        affine(shear, about),
        affine(abut_mat3_make(abut_vec3_make(2, 0, 0), abut_vec3_make(0, 2, 0), abut_vec3_make(0, 0, 2)), abut_vec3_make(0, 0, 0))};
    const deform_program program = {fields, 2};
    const double none[] = {0, 0}, first[] = {1, 0}, half[] = {0.5, 0}, both[] = {1, 1};
    assert_vec3_near(deform_point(&program, none, x), x, 0.0);
    assert_vec3_near(deform_point(&program, first, x), abut_vec3_make(3, 4, 11), 1e-15);
    assert_vec3_near(deform_point(&program, half, x), abut_vec3_make(2.5, 4, 9), 1e-15);
    assert_vec3_near(deform_point(&program, both, x), abut_vec3_make(6, 8, 22), 1e-14); /* the second moves what the first has moved */
}

static deform_field press(double depth) {
    return (deform_field){
        .kind = DEFORM_PRESS, .about = {0, 0, 1}, .way = {0, 0, -depth}, .radius = 2.0, .keys = three_keys, .key_count = 3};
}

static void test_press(void **state) {
    (void)state;
    deform_field field = press(0.5);
    const deform_program program = {&field, 1};
    const double one = 1.0, two = 2.0;
    assert_vec3_near(deform_point(&program, &one, abut_vec3_make(0, 0, 1)), abut_vec3_make(0, 0, 0.5), 1e-15);
    assert_vec3_near(deform_point(&program, &two, abut_vec3_make(0, 0, 1)), abut_vec3_make(0, 0, 0), 1e-15);
    assert_vec3_near(deform_point(&program, &one, abut_vec3_make(2, 0, 1)), abut_vec3_make(2, 0, 1), 0.0);
    assert_vec3_near(deform_point(&program, &one, abut_vec3_make(0, 9, 1)), abut_vec3_make(0, 9, 1), 0.0);
    assert_vec3_near(deform_point(&program, &one, abut_vec3_make(1, 0, 1)), abut_vec3_make(1, 0, 1 - 0.5 * 27.0 / 64.0), 1e-15);
}

/* The order of points along the way is kept up to the steepest depth, and lost a little beyond it. */
static void test_press_does_not_fold(void **state) {
    (void)state;
    const double limit = 2.0 / DEFORM_STEEPEST, one = 1.0;
    for (int beyond = 0; beyond < 2; beyond++) {
        deform_field field = press(limit * (beyond ? 1.02 : 0.9999));
        const deform_program program = {&field, 1};
        bool folds = false;
        for (int i = -2000; i < 2000; i++) {
            double z = 1.0 + 0.001 * i;
            folds = folds || deform_point(&program, &one, abut_vec3_make(0, 0, z + 0.001)).z <=
                                 deform_point(&program, &one, abut_vec3_make(0, 0, z)).z;
        }
        assert_int_equal(folds, beyond);
    }
}

/* ---- in a scene ---- */

/* A block of flat sides, 2 by 2 by 1 from z = 0 up, as tall again after a second, and half as tall again after another. */
#define BLOCK                                                                                                                              \
    "{\"facetmesh\": {\"radius\": \"flat\", \"vertices\": [[-1, -1, 0], [1, -1, 0], [-1, 1, 0], [1, 1, 0], [-1, -1, 1], [1, -1, 1], [-1, " \
    "1, 1], "                                                                                                                              \
    "[1, 1, 1]], \"triangles\": [[0, 2, 3], [0, 3, 1], [4, 5, 7], [4, 7, 6], [0, 1, 5], [0, 5, 4], [2, 6, 7], [2, 7, 3], [0, 4, 6], [0, "  \
    "6, 2], "                                                                                                                              \
    "[1, 3, 7], [1, 7, 5]]}}"

static const char lift[] = "{\"abut_scene\": 1, \"duration\": 3, \"dt\": 0.0625, \"bodies\": [\n"
                           "{\"name\": \"lift\", \"kind\": \"kinematic\", \"shape\": " BLOCK ", \"position\": [0, 0, 5],\n"
                           " \"deform\": [{\"amount\": [[0, 0], [1, 1], [2, 0.5]], \"stretch\": [1, 1, 2]}]},\n"
                           "{\"name\": \"ball\", \"shape\": {\"sphere\": {\"radius\": 0.5}}, \"position\": [0.1, 0.2, 6.5]}]}";

static double height_at(double time) { return time < 1.0 ? 1.0 + time : time < 2.0 ? 2.5 - 0.5 * time : 1.5; }

/* The ball is on it all the time; its shape is that of the step's end. */
static void test_in_motion(void **state) {
    (void)state;
    abut_scene *scene = right_scene(lift);
    abut_simulation *simulation = NULL;
    abut_error error;
    assert_ok(abut_simulation_create(scene, &simulation, &error));
    abut_body_info info;
    abut_body_state ball, block;
    for (int step = 0; step < 48; step++) {
        assert_ok(abut_simulation_step(simulation, NULL, &error));
        assert_ok(abut_world_body_info(abut_simulation_world(simulation), abut_simulation_body_id(simulation, 0), &info));
        double height = height_at(abut_simulation_time(simulation));
        assert_near(abut_shape_bounds(info.shape, abut_pose_identity()).upper.z, height, 1e-12);
        assert_ok(abut_world_body_state(abut_simulation_world(simulation), abut_simulation_body_id(simulation, 1), &ball));
        assert_ok(abut_world_body_state(abut_simulation_world(simulation), abut_simulation_body_id(simulation, 0), &block));
        assert_vec3_near(block.pose.position, abut_vec3_make(0, 0, 5), 1e-12);
        assert_near(ball.pose.position.z, 5.5 + height, 0.2);
    }
    assert_near(ball.pose.position.z, 7.0, 0.01);
    abut_simulation_destroy(simulation);
    abut_scene_destroy(scene);
}

/* A body that has been removed deforms no more, and stops nothing. */
static void test_of_a_removed_body(void **state) {
    (void)state;
    static const char text[] =
        "{\"abut_scene\": 1, \"duration\": 3, \"dt\": 0.5, \"bodies\": [\n"
        "{\"name\": \"a\", \"kind\": \"kinematic\", \"shape\": " BLOCK ",\n"
        " \"deform\": [{\"amount\": [[0, 0], [3, 1]], \"stretch\": [1, 1, 2]}]}], \"actions\": [{\"at\": 1, \"remove\": \"a\"}]}";
    abut_scene *scene = right_scene(text);
    abut_simulation *simulation = NULL;
    abut_error error;
    assert_ok(abut_simulation_create(scene, &simulation, &error));
    while (!abut_simulation_finished(simulation)) {
        assert_ok(abut_simulation_step(simulation, NULL, &error));
    }
    abut_simulation_destroy(simulation);
    abut_scene_destroy(scene);
}

/* ---- from run to run ---- */

/* Amounts that rest, change and come back to where they were between frames; a body that is removed, and one that begins late. */
static const char pauses[] =
    "{\"abut_scene\": 1, \"duration\": 1.5, \"dt\": 0.0625, \"bodies\": [\n"
    "{\"name\": \"lift\", \"kind\": \"kinematic\", \"shape\": " BLOCK ", \"position\": [0, 0, 5],\n"
    " \"deform\": [{\"amount\": [[0.1875, 0.25], [0.25, 0.5], [0.4375, 0.5], [0.5, 0.75], [0.5625, 0.5], [1, 0.5], [1.25, 1]], "
    "\"stretch\": "
    "[1, 1, 2]}]},\n"
    "{\"name\": \"ball\", \"shape\": {\"sphere\": {\"radius\": 0.5}}, \"position\": [0.1, 0.2, 6.8]},\n"
    "{\"name\": \"late\", \"shape\": " BLOCK
    ", \"position\": [9, 0, 0], \"deform\": [{\"amount\": [[1.125, 0], [1.5, 1]], \"matrix\": [[1, "
    "0.5, 0], [0, 1, 0], [0, 0, 1]]}]},\n"
    "{\"name\": \"gone\", \"kind\": \"kinematic\", \"shape\": " BLOCK ", \"position\": [0, 9, 0], \"deform\": [{\"amount\": [[0, 0], [1.5, "
    "1]], \"stretch\": [2, 1, 1]}]}],\n"
    "\"actions\": [{\"at\": 0.625, \"remove\": \"gone\"}]}";
enum { PAUSES_STEPS = 24 };

/* To be freed. */
static unsigned char *saved_state(const abut_simulation *simulation, size_t *size) {
    assert_status(abut_simulation_save(simulation, NULL, 0, size), ABUT_ERROR_CAPACITY);
    unsigned char *saved = malloc(*size);
    assert_non_null(saved);
    assert_ok(abut_simulation_save(simulation, saved, *size, size));
    return saved;
}

static void assert_state(const abut_simulation *simulation, const unsigned char *expected, size_t expected_size) {
    size_t size = 0;
    unsigned char *saved = saved_state(simulation, &size);
    assert_int_equal(size, expected_size);
    assert_memory_equal(saved, expected, size);
    free(saved);
}

/* Every state into a new simulation, which goes on by some steps to the very same states. */
static void test_gone_on_with(void **state) {
    (void)state;
    abut_scene *scene = right_scene(pauses);
    abut_simulation *simulation = NULL, *other = NULL;
    abut_error error;
    unsigned char *states[PAUSES_STEPS + 1];
    size_t sizes[PAUSES_STEPS + 1];
    assert_ok(abut_simulation_create(scene, &simulation, &error));
    for (int k = 0; k <= PAUSES_STEPS; k++) {
        states[k] = saved_state(simulation, &sizes[k]);
        assert_ok(k < PAUSES_STEPS ? abut_simulation_step(simulation, NULL, &error) : ABUT_OK);
    }
    for (int k = 0; k <= PAUSES_STEPS; k++) {
        assert_ok(abut_simulation_create(scene, &other, &error));
        assert_ok(abut_simulation_restore(other, states[k], sizes[k]));
        assert_state(other, states[k], sizes[k]);
        for (int j = k + 1; j <= PAUSES_STEPS && j <= k + 4; j++) {
            assert_ok(abut_simulation_step(other, NULL, &error));
            assert_state(other, states[j], sizes[j]);
        }
        abut_simulation_destroy(other);
    }
    /* And back in time, as long as no body is gone. */
    assert_ok(abut_simulation_create(scene, &other, &error));
    for (int k = 9; k >= 0; k--) {
        assert_ok(abut_simulation_restore(other, states[k], sizes[k]));
        assert_int_equal(abut_simulation_step_index(other), k);
        assert_ok(abut_simulation_step(other, NULL, &error));
        assert_state(other, states[k + 1], sizes[k + 1]);
    }
    abut_simulation_destroy(other);
    for (int k = 0; k <= PAUSES_STEPS; k++) {
        free(states[k]);
    }
    abut_simulation_destroy(simulation);
    abut_scene_destroy(scene);
}

static void test_since_when_a_shape_is(void **state) {
    (void)state;
    abut_scene *scene = right_scene(pauses);
    abut_simulation *simulation = NULL;
    abut_error error;
    static const int since[PAUSES_STEPS + 1] = {0, 0, 0, 0, 4, 4, 4, 4, 8, 9, 9, 9, 9, 9, 9, 9, 9, 17, 18, 19, 20, 20, 20, 20, 20};
    assert_ok(abut_simulation_create(scene, &simulation, &error));
    for (int k = 0; k <= PAUSES_STEPS; k++) {
        assert_int_equal(abut_simulation_shape_step(simulation, 0), since[k]);
        assert_int_equal(abut_simulation_shape_step(simulation, 1), 0);
        assert_int_equal(abut_simulation_shape_step(simulation, 2), k > 18 ? k : 0);
        assert_int_equal(abut_simulation_shape_step(simulation, -1), 0);
        assert_int_equal(abut_simulation_shape_step(simulation, 4), 0);
        assert_ok(abut_simulation_step(simulation, NULL, &error));
    }
    abut_simulation_destroy(simulation);
    abut_scene_destroy(scene);
}

/* Without memory nothing is restored; with it the same simulation is, wherever memory was lacking before. */
static void test_restored_without_memory(void **state) {
    (void)state;
    abut_scene *scene = right_scene(pauses);
    abut_simulation *simulation = NULL, *other = NULL;
    abut_error error;
    assert_ok(abut_simulation_create(scene, &simulation, &error));
    for (int k = 0; k < 9; k++) {
        assert_ok(abut_simulation_step(simulation, NULL, &error));
    }
    size_t size = 0;
    unsigned char *saved = saved_state(simulation, &size);
    counting_allocator memory = {.refuse_at = -1};
    int64_t refused = 0;
    do {
        memory = (counting_allocator){.refuse_at = refused++};
        assert_ok(abut_simulation_create(scene, &other, &error));
        counting_allocator_install(&memory);
        abut_status status = abut_simulation_restore(other, saved, size);
        counting_allocator_remove();
        assert_status(status, memory.refused ? ABUT_ERROR_OUT_OF_MEMORY : ABUT_OK);
        assert_int_equal(abut_simulation_step_index(other), memory.refused ? 0 : 9);
        assert_ok(abut_simulation_restore(other, saved, size));
        assert_state(other, saved, size);
        abut_simulation_destroy(other);
        assert_int_equal(memory.live, 0);
    } while (memory.refused);
    assert_true(refused > 10);
    free(saved);
    abut_simulation_destroy(simulation);
    abut_scene_destroy(scene);
}

/* A state that is refused leaves everything as it was: a damaged one, one of bodies that deform otherwise, of fewer, of a larger one. */
static void test_refused_state(void **state) {
    (void)state;
    static const char *const changes[][2] = {
        {"[0.25, 0.5]", "[0.25, 0.6]"}, {"[0.1, 0.2, 6.8]", "[0.1, 0.2, 6.9]"}, {"\"radius\": 0.5", "\"radius\": 0.6"}};
    abut_scene *scene = right_scene(pauses);
    abut_simulation *simulation = NULL, *other = NULL;
    abut_error error;
    assert_ok(abut_simulation_create(scene, &simulation, &error));
    for (int k = 0; k < 4; k++) {
        assert_ok(abut_simulation_step(simulation, NULL, &error));
    }
    size_t size = 0, before_size = 0;
    unsigned char *saved = saved_state(simulation, &size);
    for (int i = 0; i < 3; i++) {
        char text[sizeof pauses + 16];
        const char *at = strstr(pauses, changes[i][0]);
        snprintf(text, sizeof text, "%.*s%s%s", (int)(at - pauses), pauses, changes[i][1], at + strlen(changes[i][0]));
        abut_scene *changed = right_scene(text);
        assert_ok(abut_simulation_create(changed, &other, &error));
        for (int k = 0; k < 2; k++) {
            assert_ok(abut_simulation_step(other, NULL, &error));
        }
        unsigned char *before = saved_state(other, &before_size);
        /* What a body has of its place is no part of the scene's identity. */
        assert_status(abut_simulation_restore(other, saved, size), i == 1 ? ABUT_OK : ABUT_ERROR_FOREIGN);
        assert_state(other, i == 1 ? saved : before, i == 1 ? size : before_size);
        free(before);
        abut_simulation_destroy(other);
        abut_scene_destroy(changed);
    }
    assert_ok(abut_simulation_create(scene, &other, &error));
    unsigned char *before = saved_state(other, &before_size);
    for (size_t i = 0; i < size; i += i < 200 ? 1 : 41) {
        saved[i] ^= 0x10;
        abut_status status = abut_simulation_restore(other, saved, size);
        assert_true(status == ABUT_ERROR_FORMAT || status == ABUT_ERROR_UNSUPPORTED);
        assert_status(abut_simulation_restore(other, saved, i), ABUT_ERROR_FORMAT);
        saved[i] ^= 0x10;
        assert_state(other, before, before_size);
    }
    abut_scene *rigid = right_scene(lift);
    abut_simulation *few = NULL;
    assert_ok(abut_simulation_create(rigid, &few, &error));
    assert_status(abut_simulation_restore(few, saved, size), ABUT_ERROR_FOREIGN);
    abut_simulation_destroy(few);
    abut_scene_destroy(rigid);
    free(before);
    free(saved);
    abut_simulation_destroy(other);
    abut_simulation_destroy(simulation);
    abut_scene_destroy(scene);
}

/* ---- in a recording ---- */

static void record(const abut_scene *scene, const char *path, int32_t every) {
    abut_simulation *simulation = NULL;
    abut_recorder *recorder = NULL;
    abut_recorder_settings settings = abut_recorder_settings_default();
    settings.every = every;
    abut_error error;
    abut_step_report report;
    assert_ok(abut_simulation_create(scene, &simulation, &error));
    assert_ok(abut_recorder_create(path, simulation, &settings, &recorder, &error));
    while (!abut_simulation_finished(simulation)) {
        assert_ok(abut_simulation_step(simulation, &report, &error));
        assert_ok(abut_recorder_frame(recorder, simulation, &report, &error));
    }
    assert_ok(abut_recorder_finish(recorder, true, &error));
    abut_simulation_destroy(simulation);
}

static void test_recorded(void **state) {
    (void)state;
    for (int32_t every = 1; every <= 5; every += 4) {
        abut_scene *scene = right_scene(lift);
        const char *path = scratch_path("deform.h5");
        record(scene, path, every);
        abut_recording *recording = NULL;
        abut_error error;
        assert_ok(abut_recording_open(path, &recording, &error));
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
    abut_recording *recording = NULL;
    abut_error error;
    deformed_rows rows;
    assert_ok(abut_recording_open(path, &recording, &error));
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
    assert_ok(abut_recorder_finish(recorder, true, &error));
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
    abut_recording *recording = NULL;
    abut_error error;
    assert_ok(abut_recording_open(path, &recording, &error));
    assert_false(abut_recording_deforms(recording, 0));
    const abut_vec3 *vertices = NULL;
    int32_t count = 0;
    assert_ok(abut_recording_vertices(recording, 2, 0, &vertices, &count, &error));
    assert_int_equal(count, 8);
    assert_vec3_near(vertices[7], abut_vec3_make(1, 1, 1), 0.0);
    abut_recording_close(recording);
    abut_scene_destroy(scene);
}

/* A shape of other triangles cannot be told by vertices. */
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
    assert_non_null(strstr(error.message, "a body was given a shape of other triangles"));
    abut_recorder_abort(recorder);
    abut_simulation_destroy(simulation);
    abut_scene_destroy(scene);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_amounts),        cmocka_unit_test(test_affine_fields),
        cmocka_unit_test(test_press),          cmocka_unit_test(test_press_does_not_fold),
        cmocka_unit_test(test_in_motion),      cmocka_unit_test(test_of_a_removed_body),
        cmocka_unit_test(test_gone_on_with),   cmocka_unit_test(test_since_when_a_shape_is),
        cmocka_unit_test(test_refused_state),  cmocka_unit_test(test_restored_without_memory),
        cmocka_unit_test(test_recorded),       cmocka_unit_test(test_recorded_in_two),
        cmocka_unit_test(test_recorded_rigid), cmocka_unit_test(test_other_triangles_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
