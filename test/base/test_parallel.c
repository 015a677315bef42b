/* A parallel loop covers every index exactly once, with the library's threads, a plain loop, or the caller's own threads. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include <abut/base.h>

#include "base/processors.h"
#include "support/threads.h"

enum { most = 3000 };

typedef struct coverage {
    int32_t count, grain;
    atomic_int visits[most];
    atomic_int pieces;
    atomic_int bad_pieces; /* empty, outside the loop, or shorter than the grain without being the last */
} coverage;

static void visit(void *argument, int32_t begin, int32_t end) {
    coverage *seen = argument;
    atomic_fetch_add(&seen->pieces, 1);
    if (begin < 0 || begin >= end || end > seen->count || (end - begin < seen->grain && end != seen->count)) {
        atomic_fetch_add(&seen->bad_pieces, 1);
        return;
    }
    for (int32_t i = begin; i < end; i++) {
        atomic_fetch_add(&seen->visits[i], 1);
    }
}

static void assert_covered(const coverage *seen) {
    assert_int_equal(atomic_load(&seen->bad_pieces), 0);
    for (int32_t i = 0; i < most; i++) {
        int visits = atomic_load(&seen->visits[i]), expected = i < seen->count ? 1 : 0;
        if (visits != expected) {
            fail_msg("count %d grain %d: index %d visited %d times", (int)seen->count, (int)seen->grain, (int)i, visits);
        }
    }
}

static const int32_t counts[] = {INT32_MIN, -1, 0, 1, 2, 7, 64, 1000, most};
static const int32_t grains[] = {INT32_MIN, -1, 0, 1, 3, 64, 999, 1000, INT32_MAX};

static void cover_all(const abut_parallel *parallel) {
    coverage *seen = malloc(sizeof *seen);
    assert_non_null(seen);
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
        for (size_t j = 0; j < sizeof grains / sizeof grains[0]; j++) {
            memset(seen, 0, sizeof *seen);
            seen->count = counts[i];
            seen->grain = grains[j] > 1 ? grains[j] : 1;
            abut_parallel_for(parallel, counts[i], grains[j], visit, seen);
            assert_covered(seen);
            assert_int_equal(atomic_load(&seen->pieces) > 0, counts[i] > 0);
        }
    }
    free(seen);
}

static void test_default_loop_covers_once(void **state) {
    (void)state;
    cover_all(NULL);
}

static void test_any_number_of_threads_covers_once(void **state) {
    (void)state;
    const int32_t threads[] = {INT32_MIN, -1, 0, 1, 2, 3, 16, INT32_MAX};
    for (size_t i = 0; i < sizeof threads / sizeof threads[0]; i++) {
        abut_parallel parallel = {.threads = threads[i]};
        cover_all(&parallel);
    }
}

typedef struct caller {
    pthread_t thread;
    int calls;
    bool same_thread;
} caller;

static void note_thread(void *argument, int32_t begin, int32_t end) {
    caller *noted = argument;
    noted->calls += begin == 0 && end == 500 ? 1 : 100;
    noted->same_thread = pthread_equal(noted->thread, pthread_self());
}

static void test_one_thread_is_a_plain_loop(void **state) {
    (void)state;
    caller noted = {.thread = pthread_self()};
    abut_parallel parallel = {.threads = 1};
    abut_parallel_for(&parallel, 500, 1, note_thread, &noted);
    assert_int_equal(noted.calls, 1);
    assert_true(noted.same_thread);
}

typedef struct meeting {
    atomic_int arrived;
    atomic_int met;
} meeting;

/* Waits for a while until the other piece runs too. */
static void meet(void *argument, int32_t begin, int32_t end) {
    meeting *here = argument;
    (void)begin;
    (void)end;
    atomic_fetch_add(&here->arrived, 1);
    for (int turn = 0; turn < 1000 && atomic_load(&here->arrived) < 2; turn++) {
        sched_yield();
    }
    if (atomic_load(&here->arrived) >= 2) {
        atomic_fetch_add(&here->met, 1);
    }
}

static bool can_share_loops(void) {
#if ABUT_TEST_HAS_THREADS
    return processors_available() > 1;
#else
    return false;
#endif
}

/* On a busy machine a loop often runs alone, so this takes several attempts. */
static void test_pieces_run_at_the_same_time(void **state) {
    (void)state;
    if (!can_share_loops()) {
        skip();
    }
    bool met = false;
    for (int attempt = 0; attempt < 10000 && !met; attempt++) {
        meeting here = {0};
        abut_parallel parallel = {.threads = 2};
        abut_parallel_for(&parallel, 2, 1, meet, &here);
        met = atomic_load(&here.met) == 2;
    }
    assert_true(met);
}

typedef struct span {
    atomic_llong indices;
    atomic_int bad;
} span;

static void add_span(void *argument, int32_t begin, int32_t end) {
    span *sum = argument;
    if (begin < 0 || end <= begin) {
        atomic_fetch_add(&sum->bad, 1);
    }
    atomic_fetch_add(&sum->indices, (long long)end - begin);
}

static void test_the_longest_loop_does_not_overflow(void **state) {
    (void)state;
    const int32_t long_grains[] = {1 << 20, (1 << 30) - 1, 1 << 30, INT32_MAX - 1, INT32_MAX};
    for (size_t i = 0; i < sizeof long_grains / sizeof long_grains[0]; i++) {
        for (int32_t threads = 0; threads < 4; threads++) {
            span sum = {0};
            abut_parallel parallel = {.threads = threads};
            abut_parallel_for(&parallel, INT32_MAX, long_grains[i], add_span, &sum);
            assert_int_equal(atomic_load(&sum.bad), 0);
            assert_true(atomic_load(&sum.indices) == INT32_MAX);
        }
    }
}

static void test_the_callers_scheduler_is_used(void **state) {
    (void)state;
    three_threads own = {0};
    abut_parallel parallel = three_threads_parallel(&own);
    cover_all(&parallel);
    int loops = 0;
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
        loops += counts[i] > 0 ? (int)(sizeof grains / sizeof grains[0]) : 0;
    }
    assert_int_equal(own.calls, loops);
    span sum = {0};
    abut_parallel_for(&parallel, 10, -5, add_span, &sum);
    assert_int_equal(own.count, 10);
    assert_int_equal(own.grain, 1);
    assert_ptr_equal(own.argument, &sum);
}

static void test_no_task_does_nothing(void **state) {
    (void)state;
    three_threads own = {0};
    abut_parallel parallel = three_threads_parallel(&own);
    abut_parallel_for(&parallel, 10, 1, NULL, NULL);
    abut_parallel_for(NULL, 10, 1, NULL, NULL);
    assert_int_equal(own.calls, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_default_loop_covers_once),
        cmocka_unit_test(test_any_number_of_threads_covers_once),
        cmocka_unit_test(test_one_thread_is_a_plain_loop),
        cmocka_unit_test(test_pieces_run_at_the_same_time),
        cmocka_unit_test(test_the_longest_loop_does_not_overflow),
        cmocka_unit_test(test_the_callers_scheduler_is_used),
        cmocka_unit_test(test_no_task_does_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
