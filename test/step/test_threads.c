/* The world is the same to the last bit, whatever runs its loops: one thread, OpenMP, or threads of the caller that take the pieces
 * backwards. Under the thread sanitizer this is also the test for data races. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>

#include <abut/abut.h>

#include "support/threads.h"

enum { columns = 5, floors = 3, steps = 40 };

/* Piles of boxes, balls and cylinders that lean on each other and fall over, on a plane. */
static abut_world *make_world(abut_parallel parallel) {
    abut_world_def def = abut_world_def_default();
    def.parallel = parallel;
    abut_world *world = NULL;
    assert_int_equal(abut_world_create(&def, &world), ABUT_OK);
    abut_shape *shapes[4] = {NULL, NULL, NULL, NULL};
    assert_int_equal(abut_shape_create_plane(abut_vec3_make(0, 0, 1), 0, &shapes[0]), ABUT_OK);
    assert_int_equal(abut_shape_create_box(abut_vec3_make(0.5, 0.4, 0.3), &shapes[1]), ABUT_OK);
    assert_int_equal(abut_shape_create_sphere(0.4, &shapes[2]), ABUT_OK);
    assert_int_equal(abut_shape_create_prism(0.4, 0.4, 12, &shapes[3]), ABUT_OK);
    abut_body_def body = abut_body_def_default();
    body.kind = ABUT_BODY_STATIC;
    body.shape = shapes[0];
    assert_int_equal(abut_world_add_body(world, &body, NULL), ABUT_OK);
    body.kind = ABUT_BODY_DYNAMIC;
    for (int i = 0; i < columns * columns * floors; i++) {
        int x = i % columns, y = i / columns % columns, z = i / (columns * columns);
        body.shape = shapes[1 + (x + 2 * y + z) % 3];
        body.pose.position = abut_vec3_make(0.9 * x + 0.1 * z, 0.85 * y, 0.5 + 0.8 * z);
        body.pose.rotation = abut_quat_about(abut_vec3_make(0, 0, 1), 0.1 * i);
        assert_int_equal(abut_world_add_body(world, &body, NULL), ABUT_OK);
    }
    for (int i = 0; i < 4; i++) {
        abut_shape_release(shapes[i]);
    }
    return world;
}

static void run(abut_parallel parallel, uint64_t hashes[steps]) {
    abut_world *world = make_world(parallel);
    abut_step_report report;
    for (int step = 0; step < steps; step++) {
        assert_int_equal(abut_world_step(world, 1.0 / 60.0, &report), ABUT_OK);
        hashes[step] = abut_world_hash(world);
    }
    assert_true(report.touching > columns * columns);
    abut_world_destroy(world);
}

static void assert_same(const uint64_t hashes[steps], const uint64_t expected[steps], const char *what) {
    for (int step = 0; step < steps; step++) {
        if (hashes[step] != expected[step]) {
            fail_msg("%s: another world from step %d on", what, step);
        }
    }
}

static void test_threads_change_no_bit(void **state) {
    (void)state;
    uint64_t expected[steps], hashes[steps];
    run((abut_parallel){.threads = 1}, expected);
    assert_int_not_equal(expected[0], expected[steps - 1]);
    const int32_t threads[] = {0, 2, 5};
    for (size_t i = 0; i < sizeof threads / sizeof threads[0]; i++) {
        run((abut_parallel){.threads = threads[i]}, hashes);
        assert_same(hashes, expected, "OpenMP");
    }
    three_threads own = {0};
    run(three_threads_parallel(&own), hashes);
    assert_true(own.calls > 0);
    assert_same(hashes, expected, "the caller's threads");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_threads_change_no_bit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
