/* Equal calls make equal worlds to the last bit: in every run, whatever the memory held before, on one thread, on two, or with the caller's
 * own scheduler (test_threads.c has more of these for a shorter time). The pile has all kinds of shapes, bodies that are added and removed,
 * and springs. */
#include "support/allocator.h"
#include "support/random.h"
#include "support/staging.h"
#include "support/threads.h"

static const double step = 1.0 / 60.0;

enum { BODIES = 60, STEPS = 200, SHORT = 60, SHAPES = 7 };

static void make_shapes(staging *stage, const abut_shape *shapes[SHAPES]) {
    abut_shape *capsule = NULL, *cylinder = NULL, *cone = NULL, *tetrahedron = NULL, *compound = NULL;
    shapes[0] = staging_box(stage, 0.3, 0.2, 0.25);
    shapes[1] = staging_sphere(stage, 0.25);
    assert_ok(abut_shape_create_capsule(0.15, 0.2, &capsule));
    assert_ok(abut_shape_create_prism(0.25, 0.2, 16, &cylinder));
    assert_ok(abut_shape_create_pyramid(0.3, 0.5, 12, &cone));
    const abut_vec3 corners[] = {{0.3, 0.3, 0.3}, {-0.3, -0.3, 0.3}, {-0.3, 0.3, -0.3}, {0.3, -0.3, -0.3}};
    const int32_t sizes[] = {3, 3, 3, 3}, faces[] = {0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3};
    abut_polytope_def def = {.vertices = corners, .vertex_count = 4, .face_sizes = sizes, .face_count = 4, .face_vertices = faces};
    assert_ok(abut_shape_create_polytope(&def, NULL, &tetrahedron));
    const abut_part parts[] = {{shapes[0], {{0.2, 0, 0}, {0, 0, 0, 1}}}, {shapes[1], {{-0.3, 0, 0}, {0, 0, 0, 1}}}};
    assert_ok(abut_shape_create_compound(parts, 2, &compound));
    shapes[2] = staging_keep(stage, capsule);
    shapes[3] = staging_keep(stage, cylinder);
    shapes[4] = staging_keep(stage, cone);
    shapes[5] = staging_keep(stage, tetrahedron);
    shapes[6] = staging_keep(stage, compound);
}

static abut_body_def random_body(const abut_shape *const shapes[SHAPES], random_state *random, int32_t i) {
    abut_body_def def = staging_body(ABUT_BODY_DYNAMIC, shapes[i % SHAPES], random_vec3(random, -0.8, 0.8));
    def.pose.position.z = 0.4 + 0.15 * i;
    def.pose.rotation = random_rotation(random);
    def.motion.linear = abut_vec3_make(0, 0, -2);
    def.restitution = i % 5 == 0 ? 0.4 : 0.0;
    def.friction = random_range(random, 0.2, 0.8);
    return def;
}

/* The hash after every step. */
static void run(abut_parallel parallel, abut_contact_method method, uint64_t seed, int32_t steps, uint64_t *hashes) {
    abut_world_def world = abut_world_def_default();
    world.parallel = parallel;
    world.method = method;
    staging stage = staging_open(&world);
    const abut_shape *shapes[SHAPES];
    random_state random = random_make(seed);
    make_shapes(&stage, shapes);
    staging_ground(&stage, 0.5);
    abut_body_id ids[BODIES];
    for (int32_t i = 0; i < BODIES; i++) {
        abut_body_def def = random_body(shapes, &random, i);
        ids[i] = staging_put(&stage, &def);
    }
    abut_spring_def spring = abut_spring_def_default();
    spring.body = ids[3];
    spring.target = abut_vec3_make(1, 1, 2);
    assert_ok(abut_world_add_spring(stage.world, &spring, NULL));
    abut_step_report report = {.step = 0};
    for (int32_t i = 0; i < steps; i++) {
        if (i % 20 == 10) {
            int32_t k = i / 20;
            assert_ok(abut_world_remove_body(stage.world, ids[5 * k]));
            abut_body_def def = random_body(shapes, &random, k);
            def.pose.position.z = 3.0;
            ids[5 * k] = staging_put(&stage, &def);
        }
        report = staging_run(&stage, step, 1);
        hashes[i] = abut_world_hash(stage.world);
    }
    assert_true(report.touching > BODIES / 2);
    staging_close(&stage);
}

static void assert_same(const uint64_t *hashes, const uint64_t *expected, int32_t steps, const char *what) {
    for (int32_t i = 0; i < steps; i++) {
        if (hashes[i] != expected[i]) {
            fail_msg("%s: another world from step %d on", what, (int)i);
        }
    }
}

static void test_equal_runs(void **state) {
    (void)state;
    uint64_t seed = random_seed("test_equal_runs", 71);
    static uint64_t expected[STEPS], hashes[STEPS];
    counting_allocator memory = {.refuse_at = -1};
    counting_allocator_install(&memory);
    run((abut_parallel){.threads = 1}, ABUT_METHOD_PATCH, seed, STEPS, expected);
    counting_allocator_remove();
    assert_int_equal(memory.live, 0);
    run((abut_parallel){.threads = 2}, ABUT_METHOD_PATCH, seed, STEPS, hashes);
    assert_same(hashes, expected, STEPS, "two threads, other memory");
    three_threads own = {0};
    run(three_threads_parallel(&own), ABUT_METHOD_PATCH, seed, STEPS, hashes);
    assert_true(own.calls > 0);
    assert_same(hashes, expected, STEPS, "the caller's own threads");
    run((abut_parallel){.threads = 1}, ABUT_METHOD_PATCH, seed, SHORT, hashes);
    assert_same(hashes, expected, SHORT, "the same again");
    /* Shows that the test can fail: another seed makes another world. */
    run((abut_parallel){.threads = 1}, ABUT_METHOD_PATCH, seed + 1, 20, hashes);
    assert_true(hashes[19] != expected[19]);
}

static void test_equal_runs_of_the_tracking_method(void **state) {
    (void)state;
    uint64_t seed = random_seed("test_equal_runs_of_the_tracking_method", 72);
    static uint64_t expected[SHORT], hashes[SHORT];
    run((abut_parallel){.threads = 1}, ABUT_METHOD_TRACKING, seed, SHORT, expected);
    run((abut_parallel){.threads = 2}, ABUT_METHOD_TRACKING, seed, SHORT, hashes);
    assert_same(hashes, expected, SHORT, "two threads");
    counting_allocator memory = {.refuse_at = -1};
    counting_allocator_install(&memory);
    run((abut_parallel){.threads = 1}, ABUT_METHOD_TRACKING, seed, SHORT, hashes);
    counting_allocator_remove();
    assert_same(hashes, expected, SHORT, "the same again");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_equal_runs),
        cmocka_unit_test(test_equal_runs_of_the_tracking_method),
    };
    return cmocka_run_group_tests_name("step/determinism", tests, NULL, NULL);
}
