/* Bodies that deform: amounts in time, fields in closed form and without folds, in a scene and in motion. */
#include "io/scene/deform_field.h"

#include <abut/mesh.h>

#include "io/scene/simulation.h"
#include "support/allocator.h"
#include "support/deforming_scene.h"
#include "support/io_files.h"
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

/* Points keep their order along the direction up to the steepest depth, and lose it slightly beyond. */
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

/* The ball always rests on the body, whose shape is that of the step's end. */
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

/* A removed body no longer deforms, and disturbs nothing. */
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

/* Restores every state in a new simulation, which then gives the same states. */
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
    /* Restores earlier states, as long as no body was removed. */
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

/* A restoration without memory fails, and can be repeated with memory, wherever memory was lacking. */
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

/* A refused state changes nothing: a damaged state, one with other deforming bodies, with fewer, or of a larger scene. */
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
        /* A body's pose is not part of the scene's identity. */
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

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_amounts),       cmocka_unit_test(test_affine_fields),
        cmocka_unit_test(test_press),         cmocka_unit_test(test_press_does_not_fold),
        cmocka_unit_test(test_in_motion),     cmocka_unit_test(test_of_a_removed_body),
        cmocka_unit_test(test_gone_on_with),  cmocka_unit_test(test_since_when_a_shape_is),
        cmocka_unit_test(test_refused_state), cmocka_unit_test(test_restored_without_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
