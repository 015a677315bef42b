/* The library's threads and the process around them: fork, signals, rounding modes, threads that the system refuses, the exit. */
#ifdef __linux__
#define _GNU_SOURCE /* sched_setaffinity */
#endif
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#if ABUT_TEST_HAS_THREADS

#include <fenv.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <abut/base.h>

#include "base/processors.h"
#include "support/sanitizers.h"

enum { length = 2000 };

static void add_one(void *argument, int32_t begin, int32_t end) {
    int *values = argument;
    for (int32_t i = begin; i < end; i++) {
        values[i]++;
    }
}

/* Runs a loop on this number of threads; true if every index was visited once. */
static bool loop_is_right(int32_t threads) {
    int values[length] = {0};
    abut_parallel parallel = {.threads = threads};
    abut_parallel_for(&parallel, length, 1, add_one, values);
    int wrong = 0;
    for (int i = 0; i < length; i++) {
        wrong += values[i] != 1;
    }
    return wrong == 0;
}

static bool loops_are_right(int rounds, int32_t threads) {
    bool right = true;
    for (int i = 0; i < rounds; i++) {
        right = right && loop_is_right(threads);
    }
    return right;
}

/* Runs a function in a child. A child that hangs is killed by its alarm. */
static void assert_right_in_child(bool (*run)(void)) {
    (void)fflush(NULL);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        (void)alarm(120);
        bool right = run();
        /* exit() ends the threads of the child. */
        exit(right ? 0 : 1);
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
        fail_msg("the child ended with %s %d", WIFEXITED(status) ? "status" : "signal",
                 WIFEXITED(status) ? WEXITSTATUS(status) : WTERMSIG(status));
    }
}

static bool four_threads(void) { return loops_are_right(200, 4); }

static bool grandchild(void) {
    if (!four_threads()) {
        return false;
    }
    pid_t child = fork();
    if (child == 0) {
        exit(four_threads() ? 0 : 1);
    }
    int status = 1;
    return child > 0 && waitpid(child, &status, 0) == child && status == 0 && four_threads();
}

static void test_a_child_has_threads_of_its_own(void **state) {
    (void)state;
    if (SANITIZER_FORBIDS_THREADS_IN_CHILDREN) {
        skip();
    }
    assert_true(four_threads());
    for (int i = 0; i < 5; i++) {
        assert_right_in_child(four_threads);
        assert_true(four_threads());
    }
    assert_right_in_child(grandchild);
}

static void *loops_until(void *over) {
    intptr_t wrong = 0;
    while (!atomic_load((atomic_bool *)over)) {
        wrong += !loop_is_right(3);
    }
    return (void *)wrong;
}

/* A thread forks while another is in the middle of its loops. */
static void test_a_fork_beside_loops(void **state) {
    (void)state;
    if (SANITIZER_FORBIDS_THREADS_IN_CHILDREN) {
        skip();
    }
    atomic_bool over = false;
    pthread_t other;
    assert_int_equal(pthread_create(&other, NULL, loops_until, &over), 0);
    for (int i = 0; i < 20; i++) {
        assert_right_in_child(four_threads);
    }
    atomic_store(&over, true);
    void *wrong;
    assert_int_equal(pthread_join(other, &wrong), 0);
    assert_null(wrong);
}

static void test_threads_of_the_program_have_loops_at_once(void **state) {
    (void)state;
    atomic_bool over = false;
    pthread_t others[10];
    for (int i = 0; i < 10; i++) {
        assert_int_equal(pthread_create(&others[i], NULL, loops_until, &over), 0);
    }
    assert_true(loops_are_right(200, 4));
    atomic_store(&over, true);
    for (int i = 0; i < 10; i++) {
        void *wrong;
        assert_int_equal(pthread_join(others[i], &wrong), 0);
        assert_null(wrong);
    }
}

static void run_inner_loop(void *argument, int32_t begin, int32_t end) {
    for (int32_t i = begin; i < end; i++) {
        if (!loop_is_right(3)) {
            atomic_fetch_add((atomic_int *)argument, 1);
        }
    }
}

static void test_loops_inside_loops(void **state) {
    (void)state;
    atomic_int wrong = 0;
    abut_parallel parallel = {.threads = 4};
    abut_parallel_for(&parallel, 50, 1, run_inner_loop, &wrong);
    assert_int_equal(atomic_load(&wrong), 0);
}

#ifdef FE_UPWARD
static void divide(void *argument, int32_t begin, int32_t end) {
    double *values = argument;
    for (int32_t i = begin; i < end; i++) {
        volatile double one = 1.0, three = 3.0;
        values[i] = one / three;
        if (i % 100 == 0) {
            sched_yield();
        }
    }
}

/* Workers that were started with one rounding mode take over the mode of a caller. */
static void test_workers_round_as_the_caller_does(void **state) {
    (void)state;
    const int modes[] = {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TONEAREST};
    abut_parallel parallel = {.threads = 4};
    for (size_t m = 0; m < sizeof modes / sizeof modes[0]; m++) {
        double values[length];
        assert_int_equal(fesetround(modes[m]), 0);
        volatile double one = 1.0, three = 3.0;
        double expected = one / three;
        int wrong = 0;
        for (int round = 0; round < 100; round++) {
            abut_parallel_for(&parallel, length, 1, divide, values);
            for (int i = 0; i < length; i++) {
                wrong += values[i] != expected;
            }
        }
        assert_int_equal(fesetround(FE_TONEAREST), 0);
        assert_int_equal(wrong, 0);
    }
}
#endif

static pthread_t signalled;
static volatile sig_atomic_t signal_count;

static void note_signal(int number) {
    (void)number;
    signalled = pthread_self();
    signal_count++;
}

static void test_signals_reach_the_programs_own_threads(void **state) {
    (void)state;
    struct sigaction action = {.sa_handler = note_signal};
    assert_int_equal(sigaction(SIGUSR1, &action, NULL), 0);
    for (int i = 1; i <= 50; i++) {
        assert_true(loop_is_right(4));
        assert_int_equal(kill(getpid(), SIGUSR1), 0);
        while (signal_count < i) {
            sched_yield();
        }
        assert_true(pthread_equal(signalled, pthread_self()));
    }
}

#ifdef __linux__
/* No room for the stack of a thread. */
static bool refused(void) {
    long pages = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    bool fine = file != NULL && fscanf(file, "%ld", &pages) == 1;
    if (file != NULL) {
        (void)fclose(file);
    }
    rlim_t bytes = (rlim_t)(pages * sysconf(_SC_PAGESIZE) + (1 << 20));
    struct rlimit limit = {bytes, bytes};
    return fine && setrlimit(RLIMIT_AS, &limit) == 0 && loops_are_right(50, 4);
}

static void test_threads_that_the_system_refuses_are_not_needed(void **state) {
    (void)state;
    if (SANITIZES_ADDRESSES || SANITIZES_THREADS) {
        skip(); /* Sanitizers need much address space. */
    }
    assert_right_in_child(refused);
}

/* As under `taskset -c 0`. A child of one processor, which counts its processors again. */
static bool one_processor(void) {
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET((size_t)sched_getcpu(), &one);
    if (sched_setaffinity(0, sizeof one, &one) != 0) {
        return false;
    }
    return processors_available() == 1 && loops_are_right(100, 0) && loops_are_right(100, 2) && loops_are_right(100, 8);
}

static void test_more_threads_than_processors(void **state) {
    (void)state;
    if (SANITIZER_FORBIDS_THREADS_IN_CHILDREN) {
        skip();
    }
    assert_right_in_child(one_processor);
}
#endif

static void leave(void *argument, int32_t begin, int32_t end) {
    (void)begin;
    (void)end;
    static atomic_flag leaving = ATOMIC_FLAG_INIT;
    const pthread_t *owner = argument;
    /* On a worker, if one joins. */
    for (int turn = 0; turn < 100 && pthread_equal(*owner, pthread_self()); turn++) {
        sched_yield();
    }
    if (!pthread_equal(*owner, pthread_self()) && !atomic_flag_test_and_set(&leaving)) {
        exit(0);
    }
}

static bool exit_in_a_task(void) {
    pthread_t owner = pthread_self();
    abut_parallel parallel = {.threads = 4};
    for (int i = 0; i < 50; i++) {
        abut_parallel_for(&parallel, 40, 1, leave, &owner);
    }
    return true;
}

static void test_a_task_may_exit(void **state) {
    (void)state;
    if (SANITIZES_ADDRESSES || SANITIZES_THREADS) {
        skip(); /* The search for leaks cannot stop the threads in time. */
    }
    assert_right_in_child(exit_in_a_task);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_child_has_threads_of_its_own),
        cmocka_unit_test(test_a_fork_beside_loops),
        cmocka_unit_test(test_threads_of_the_program_have_loops_at_once),
        cmocka_unit_test(test_loops_inside_loops),
#ifdef FE_UPWARD
        cmocka_unit_test(test_workers_round_as_the_caller_does),
#endif
        cmocka_unit_test(test_signals_reach_the_programs_own_threads),
#ifdef __linux__
        cmocka_unit_test(test_threads_that_the_system_refuses_are_not_needed),
        cmocka_unit_test(test_more_threads_than_processors),
#endif
        cmocka_unit_test(test_a_task_may_exit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#else

int main(void) { return 77; }

#endif
