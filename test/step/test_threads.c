/* The world is the same to the last bit, whatever runs its loops: one thread, the library's threads, or threads of the caller that take the
 * pieces backwards; two worlds at once, more threads than processors, a child after fork(). Under the thread sanitizer this is also the test for data races. */
#ifdef __linux__
#define _GNU_SOURCE /* sched_setaffinity */
#endif
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <abut/abut.h>

#include "support/sanitizers.h"
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
        assert_same(hashes, expected, "the library's threads");
    }
    three_threads own = {0};
    run(three_threads_parallel(&own), hashes);
    assert_true(own.calls > 0);
    assert_same(hashes, expected, "the caller's threads");
}

/* A world that a thread of the program steps. */
typedef struct stepping {
    abut_world *world;
    uint64_t hashes[steps];
} stepping;

static void *step_all(void *argument) {
    stepping *own = argument;
    abut_step_report report;
    for (int step = 0; step < steps; step++) {
        own->hashes[step] = abut_world_step(own->world, 1.0 / 60.0, &report) == ABUT_OK ? abut_world_hash(own->world) : 0;
    }
    return NULL;
}

static void test_two_worlds_at_once(void **state) {
    (void)state;
    uint64_t expected[steps];
    run((abut_parallel){.threads = 1}, expected);
    stepping own[2];
    pthread_t threads[2];
    for (int i = 0; i < 2; i++) {
        own[i].world = make_world((abut_parallel){.threads = 3});
        assert_int_equal(pthread_create(&threads[i], NULL, step_all, &own[i]), 0);
    }
    for (int i = 0; i < 2; i++) {
        assert_int_equal(pthread_join(threads[i], NULL), 0);
        assert_same(own[i].hashes, expected, "two worlds at once");
        abut_world_destroy(own[i].world);
    }
}

/* Steps a world that a parent has begun to step, and compares it with what is expected. */
static void step_in_child(stepping *own, const uint64_t expected[steps]) {
    (void)fflush(NULL);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        (void)alarm(300);
        (void)step_all(own);
        _exit(memcmp(own->hashes, expected, sizeof own->hashes) == 0 ? 0 : 1);
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
}

static void test_a_child_goes_on_with_a_world(void **state) {
    (void)state;
    if (SANITIZER_FORBIDS_THREADS_IN_CHILDREN) {
        skip();
    }
    abut_step_report report;
    stepping alone = {make_world((abut_parallel){.threads = 1}), {0}}, own = {make_world((abut_parallel){.threads = 2}), {0}};
    for (int i = 0; i < 3; i++) {
        assert_int_equal(abut_world_step(alone.world, 1.0 / 60.0, &report), ABUT_OK);
        assert_int_equal(abut_world_step(own.world, 1.0 / 60.0, &report), ABUT_OK);
    }
    (void)step_all(&alone);
    step_in_child(&own, alone.hashes);
    (void)step_all(&own);
    assert_same(own.hashes, alone.hashes, "the parent");
    abut_world_destroy(alone.world);
    abut_world_destroy(own.world);
}

#ifdef __linux__
/* As under `taskset -c 0`, for all threads that the library has, and for those that it starts. */
static void test_more_threads_than_processors(void **state) {
    (void)state;
    cpu_set_t before, one;
    assert_int_equal(sched_getaffinity(0, sizeof before, &before), 0);
    CPU_ZERO(&one);
    CPU_SET((size_t)sched_getcpu(), &one);
    assert_int_equal(sched_setaffinity(0, sizeof one, &one), 0);
    uint64_t expected[steps], hashes[steps];
    run((abut_parallel){.threads = 1}, expected);
    const int32_t threads[] = {0, 2, 12};
    for (size_t i = 0; i < sizeof threads / sizeof threads[0]; i++) {
        run((abut_parallel){.threads = threads[i]}, hashes);
        assert_same(hashes, expected, "one processor");
    }
    assert_int_equal(sched_setaffinity(0, sizeof before, &before), 0);
}
#endif

int main(void) {
    const struct CMUnitTest tests[] = {
#ifdef __linux__
        cmocka_unit_test(test_more_threads_than_processors),
#endif
        cmocka_unit_test(test_threads_change_no_bit),
        cmocka_unit_test(test_two_worlds_at_once),
        cmocka_unit_test(test_a_child_goes_on_with_a_world),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
