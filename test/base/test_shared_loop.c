/* Loops that several threads run together. The helpers of this test join whatever the processor, so they also take part where all threads share one
 * processor. Under the thread sanitizer this is the test of the protocol between owners and helpers. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/shared_loop.h"

#if ABUT_TEST_HAS_THREADS

#include <fenv.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <string.h>

enum { most = 500, helper_count = 3, owner_count = 12 };

static atomic_bool over;
static atomic_int joined;

static void *help(void *number) {
    while (!atomic_load(&over)) {
        bool crowded = true;
        shared_loop *loop = shared_loop_join(-1, &crowded);
        if (loop == NULL) {
            sched_yield();
            continue;
        }
        atomic_fetch_add(&joined, 1);
        shared_loop_run(loop, (int32_t)(intptr_t)number);
        (void)shared_loop_leave(loop);
    }
    return NULL;
}

static void start(pthread_t *threads, int count, void *(*run)(void *)) {
    for (int i = 0; i < count; i++) {
        assert_int_equal(pthread_create(&threads[i], NULL, run, (void *)(intptr_t)(i + 1)), 0);
    }
}

static void join(const pthread_t *threads, int count) {
    for (int i = 0; i < count; i++) {
        assert_int_equal(pthread_join(threads[i], NULL), 0);
    }
}

typedef struct visits {
    int32_t count;
    unsigned char of[most]; /* not atomic: the sanitizer sees when two threads have the same index, or the owner does not wait */
} visits;

static void visit(void *argument, int32_t begin, int32_t end) {
    visits *seen = argument;
    for (int32_t i = begin; i < end; i++) {
        seen->of[i]++;
    }
}

/* Runs loops of many lengths, grains and numbers of helpers. Returns the number of faults. */
static intptr_t run_loops(int32_t seed) {
    intptr_t faults = 0;
    visits seen;
    for (int32_t round = 0; round < 400; round++) {
        seen.count = 1 + (seed * 7919 + round * 104729) % most;
        memset(seen.of, 0, sizeof seen.of);
        loop_work work = {visit, &seen, seen.count, 1 + round % 5};
        shared_loop *loop = shared_loop_open(&work, 1 + round % 9);
        if (loop == NULL) {
            visit(&seen, 0, seen.count);
        } else {
            if (round % 3 == 0) {
                sched_yield();
            }
            shared_loop_run(loop, 0);
            while (shared_loop_is_helped(loop)) {
                sched_yield();
            }
            shared_loop_end(loop);
        }
        for (int32_t i = 0; i < most; i++) {
            faults += seen.of[i] != (i < seen.count);
        }
    }
    return faults;
}

static void *own(void *number) { return (void *)run_loops((int32_t)(intptr_t)number); }

/* More owners than there are places for open loops: some loops stay with their owners. */
static void test_every_index_is_run_once(void **state) {
    (void)state;
    pthread_t helpers[helper_count], owners[owner_count];
    atomic_store(&over, false);
    atomic_store(&joined, 0);
    start(helpers, helper_count, help);
    start(owners, owner_count, own);
    intptr_t faults = run_loops(0);
    for (int i = 0; i < owner_count; i++) {
        void *found;
        assert_int_equal(pthread_join(owners[i], &found), 0);
        faults += (intptr_t)found;
    }
    for (int more = 0; more < 10000 && atomic_load(&joined) == 0; more++) {
        faults += run_loops(more);
    }
    atomic_store(&over, true);
    join(helpers, helper_count);
    assert_int_equal(faults, 0);
    assert_true(atomic_load(&joined) > 0);
    assert_false(shared_loop_is_any_open());
}

static void nothing(void *argument, int32_t begin, int32_t end) {
    (void)argument;
    (void)begin;
    (void)end;
}

static void test_seats_are_limited(void **state) {
    (void)state;
    bool crowded;
    loop_work work = {nothing, NULL, 100, 1};
    shared_loop *loop = shared_loop_open(&work, 2);
    assert_non_null(loop);
    assert_true(shared_loop_is_any_open());
    assert_ptr_equal(shared_loop_join(-1, &crowded), loop);
    assert_true(shared_loop_is_any_open());
    assert_ptr_equal(shared_loop_join(-1, &crowded), loop);
    assert_false(shared_loop_is_any_open());
    assert_null(shared_loop_join(-1, &crowded));
    assert_false(crowded);
    assert_false(shared_loop_leave(loop));
    assert_true(shared_loop_is_helped(loop));
    assert_false(shared_loop_is_awaited(loop));
    assert_true(shared_loop_await(loop));
    assert_true(shared_loop_is_awaited(loop));
    assert_true(shared_loop_leave(loop));
    assert_false(shared_loop_is_helped(loop));
    assert_false(shared_loop_await(loop));
    shared_loop_end(loop);
}

static void test_nobody_joins_a_loop_without_pieces(void **state) {
    (void)state;
    bool crowded;
    loop_work work = {nothing, NULL, 100, 1};
    shared_loop *loop = shared_loop_open(&work, 5);
    assert_non_null(loop);
    shared_loop_run(loop, 0);
    assert_false(shared_loop_is_any_open());
    assert_null(shared_loop_join(-1, &crowded));
    shared_loop_end(loop);
}

static void test_places_are_limited_and_come_back(void **state) {
    (void)state;
    shared_loop *loops[100];
    loop_work work = {nothing, NULL, 100, 1};
    int first = 0;
    for (int round = 0; round < 3; round++) {
        int open = 0;
        while (open < 100 && (loops[open] = shared_loop_open(&work, 1)) != NULL) {
            open++;
        }
        assert_in_range(open, 2, 99);
        first = round == 0 ? open : first;
        assert_int_equal(open, first);
        for (int i = 0; i < open; i++) {
            shared_loop_run(loops[i], 0);
            shared_loop_end(loops[i]);
        }
    }
}

#ifdef FE_UPWARD
static void divide(void *argument, int32_t begin, int32_t end) {
    for (int32_t i = begin; i < end; i++) {
        volatile double one = 1.0, three = 3.0;
        ((double *)argument)[i] = one / three;
    }
}

/* The helper began with another rounding mode. It runs all of the loop. */
static void test_a_helper_rounds_as_the_owner_does(void **state) {
    (void)state;
    pthread_t helper;
    double values[100] = {0.0};
    atomic_store(&over, false);
    start(&helper, 1, help);
    assert_int_equal(fesetround(FE_UPWARD), 0);
    volatile double one = 1.0, three = 3.0;
    double expected = one / three;
    loop_work work = {divide, values, 100, 1};
    shared_loop *loop = shared_loop_open(&work, 1);
    while (loop != NULL && (shared_loop_is_any_open() || shared_loop_is_helped(loop))) {
        sched_yield();
    }
    assert_int_equal(fesetround(FE_TONEAREST), 0);
    atomic_store(&over, true);
    join(&helper, 1);
    assert_non_null(loop);
    shared_loop_end(loop);
    assert_true(expected > one / three);
    for (int i = 0; i < 100; i++) {
        assert_true(values[i] == expected);
    }
}
#endif

int main(void) {
    const struct CMUnitTest tests[] = {
#ifdef FE_UPWARD
        cmocka_unit_test(test_a_helper_rounds_as_the_owner_does),
#endif
        cmocka_unit_test(test_every_index_is_run_once),
        cmocka_unit_test(test_seats_are_limited),
        cmocka_unit_test(test_nobody_joins_a_loop_without_pieces),
        cmocka_unit_test(test_places_are_limited_and_come_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#else

int main(void) { return 77; }

#endif
