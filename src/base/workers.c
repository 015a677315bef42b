/* Workers do no harm on a busy machine. A loop never waits for a worker that has not begun. A worker that shares the processor with the
 * owner of the loop does not join. A worker that had to wait for its processor, while the owner waited for the worker, stays away for many
 * times as long, so such waits are a small part of the time. Which thread runs a piece changes no result. */
#include "base/workers.h"

#ifdef ABUT_WITH_THREADS

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>

#include "base/process.h"
#include "base/processors.h"

enum {
    SPIN = 20000,         /* ns that a worker looks for loops before it sleeps, and that an owner waits for a helper before it sleeps */
    CROWDED = 1000000,    /* ns that a worker stays away after it met the owner on its own processor */
    REMEMBERED = 1000000, /* ns for which a worker remembers that it was without a processor */
    AWAY_FACTOR = 16,     /* a worker that waited for its processor stays away for so many times as long */
    AWAY_MOST = 200000000,
    CALLED_AT_ONCE = 2, /* each participant wakes at most this number of workers, so that many wake each other */
    PER_PROCESSOR = 8   /* threads in a loop: more cost memory and gain nothing */
};

/* The workers of the process. The rest is guarded by the lock; atomic members are written with the lock held and read without. */
static struct {
    pthread_mutex_t lock;
    pthread_cond_t called, left, ended;
    pthread_t threads[SHARED_LOOP_HELPERS];
    atomic_int count;    /* started */
    atomic_int most;     /* fewer after the system refused a thread */
    atomic_int sleeping; /* workers that wait for a call */
    int32_t calls;       /* calls that no worker has heard yet */
    bool prepared;       /* for fork and for the end of the process */
    atomic_bool ended_now;
} pool = {.lock = PTHREAD_MUTEX_INITIALIZER,
          .called = PTHREAD_COND_INITIALIZER,
          .left = PTHREAD_COND_INITIALIZER,
          .ended = PTHREAD_COND_INITIALIZER,
          .most = SHARED_LOOP_HELPERS};

static void lock(void) { (void)pthread_mutex_lock(&pool.lock); }
static void unlock(void) { (void)pthread_mutex_unlock(&pool.lock); }

static int64_t nanoseconds(clockid_t clock) {
    struct timespec now = {0, 0};
    (void)clock_gettime(clock, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

/* Lets the other thread of a core run, and saves power. */
static void pause_spinning(void) {
    for (int i = 0; i < 8; i++) {
#if defined(__x86_64__) || defined(__i386__)
        __builtin_ia32_pause();
#elif defined(__aarch64__)
        __asm__ volatile("isb");
#endif
    }
}

/* ---- workers ---- */

typedef struct worker {
    int32_t number;           /* from 1 on */
    int64_t clock, processor; /* the times [ns] when the worker was last known to run */
} worker;

/* How long [ns] the worker was without a processor since the last call. */
static int64_t time_missed(worker *self) {
    int64_t clock = nanoseconds(CLOCK_MONOTONIC), processor = nanoseconds(CLOCK_THREAD_CPUTIME_ID);
    int64_t missed = clock - self->clock - (processor - self->processor);
    self->clock = clock;
    self->processor = processor;
    return missed;
}

/* Sleeps for a time, or until the workers end. Calls do not wake it. */
static void stay_away(worker *self, int64_t duration) {
    struct timespec until = {0, 0};
    (void)clock_gettime(CLOCK_REALTIME, &until);
    int64_t nanosecond = until.tv_nsec + (duration < AWAY_MOST ? duration : AWAY_MOST);
    until.tv_sec += (time_t)(nanosecond / 1000000000);
    until.tv_nsec = (long)(nanosecond % 1000000000);
    lock();
    while (!atomic_load(&pool.ended_now) && pthread_cond_timedwait(&pool.ended, &pool.lock, &until) == 0) {
    }
    unlock();
    (void)time_missed(self);
}

/* Wakes workers that sleep. If somebody else holds the lock, nobody is called: no loop needs a worker. */
static void call_workers(int32_t wanted) {
    if (wanted <= 0 || atomic_load(&pool.sleeping) == 0 || pthread_mutex_trylock(&pool.lock) != 0) {
        return;
    }
    int32_t sleeping = atomic_load(&pool.sleeping), called = wanted < sleeping ? wanted : sleeping;
    atomic_fetch_sub(&pool.sleeping, called);
    pool.calls += called;
    unlock();
    for (int32_t i = 0; i < called; i++) {
        (void)pthread_cond_signal(&pool.called);
    }
}

/* Sleeps until a loop wants helpers. */
static void sleep_until_called(worker *self) {
    lock();
    atomic_fetch_add(&pool.sleeping, 1);
    while (!atomic_load(&pool.ended_now) && pool.calls == 0 && !shared_loop_is_any_open()) {
        (void)pthread_cond_wait(&pool.called, &pool.lock);
    }
    if (pool.calls > 0) {
        pool.calls--;
    } else {
        atomic_fetch_sub(&pool.sleeping, 1);
    }
    unlock();
    (void)time_missed(self);
}

static void help(worker *self, shared_loop *loop) {
    if (nanoseconds(CLOCK_MONOTONIC) - self->clock > REMEMBERED) {
        (void)time_missed(self);
    }
    if (shared_loop_is_any_open()) {
        call_workers(CALLED_AT_ONCE);
    }
    shared_loop_run(loop, self->number);
    int64_t missed = shared_loop_is_awaited(loop) ? time_missed(self) : 0;
    if (shared_loop_leave(loop)) {
        lock();
        (void)pthread_cond_broadcast(&pool.left);
        unlock();
    }
    if (missed > SPIN) {
        stay_away(self, AWAY_FACTOR * missed);
    }
}

/* Looks for a loop for a while. NULL if there is none. */
static shared_loop *find_loop(worker *self) {
    int64_t spin = processors_available() > 1 ? SPIN : 0, end = nanoseconds(CLOCK_MONOTONIC) + spin;
    do {
        bool crowded = false;
        shared_loop *loop = shared_loop_is_any_open() ? shared_loop_join(processors_current(), &crowded) : NULL;
        if (loop != NULL) {
            return loop;
        }
        if (crowded) {
            stay_away(self, CROWDED);
            return NULL;
        }
        pause_spinning();
    } while (nanoseconds(CLOCK_MONOTONIC) < end);
    return NULL;
}

static void *serve(void *number) {
    worker self = {.number = (int32_t)(intptr_t)number};
    (void)time_missed(&self);
    while (!atomic_load(&pool.ended_now)) {
        shared_loop *loop = find_loop(&self);
        if (loop != NULL) {
            help(&self, loop);
        } else {
            sleep_until_called(&self);
        }
    }
    return NULL;
}

/* ---- starting and ending ---- */

static void prepare_fork(void) { lock(); }
static void go_on_in_parent(void) { unlock(); }

/* A child has only the thread that forked. It starts workers of its own when it needs them. */
static void begin_in_child(void) {
    pool.lock = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
    pool.called = (pthread_cond_t)PTHREAD_COND_INITIALIZER;
    pool.left = (pthread_cond_t)PTHREAD_COND_INITIALIZER;
    pool.ended = (pthread_cond_t)PTHREAD_COND_INITIALIZER;
    atomic_store(&pool.count, 0);
    atomic_store(&pool.most, atomic_load(&pool.ended_now) ? 0 : SHARED_LOOP_HELPERS);
    atomic_store(&pool.sleeping, 0);
    pool.calls = 0;
    shared_loop_forget_all();
    processors_forget();
}

/* Ends all workers, when the process exits or unloads the library. Loops after that run on one thread. */
__attribute__((destructor)) static void end_workers(void) {
    lock();
    atomic_store(&pool.ended_now, true);
    (void)pthread_cond_broadcast(&pool.called);
    (void)pthread_cond_broadcast(&pool.ended);
    int32_t count = atomic_exchange(&pool.count, 0);
    atomic_store(&pool.most, 0);
    unlock();
    for (int32_t i = 0; i < count; i++) {
        /* A task may have called exit() on a worker. */
        if (!pthread_equal(pool.threads[i], pthread_self())) {
            (void)pthread_join(pool.threads[i], NULL);
        }
    }
}

static void start_workers(int32_t wanted) {
    lock();
    pool.prepared = pool.prepared || process_watch_forks(prepare_fork, go_on_in_parent, begin_in_child);
    int32_t most = pool.prepared ? atomic_load(&pool.most) : 0, count = atomic_load(&pool.count);
    process_signals before;
    process_block_signals(&before);
    while (count < wanted && count < most) {
        if (pthread_create(&pool.threads[count], NULL, serve, (void *)(intptr_t)(count + 1)) != 0) {
            atomic_store(&pool.most, count);
            break;
        }
        count++;
    }
    process_restore_signals(&before);
    atomic_store(&pool.count, count);
    unlock();
}

/* ---- owners of loops ---- */

/* The number of helpers for a loop on this number of threads. */
static int32_t helpers_for(const loop_work *work, int32_t threads) {
    int32_t processors = processors_available(), most = PER_PROCESSOR * processors;
    int32_t pieces = work->count / work->grain + (work->count % work->grain != 0);
    threads = threads > 0 ? threads : processors;
    threads = threads < most ? threads : most;
    threads = threads < pieces ? threads : pieces;
    int32_t wanted = threads - 1 < SHARED_LOOP_HELPERS ? threads - 1 : SHARED_LOOP_HELPERS;
    if (atomic_load(&pool.count) < wanted && atomic_load(&pool.count) < atomic_load(&pool.most)) {
        start_workers(wanted);
    }
    int32_t count = atomic_load(&pool.count);
    return wanted < count ? wanted : count;
}

/* Waits for the helpers that are inside. Most leave within microseconds. One that lost its processor may take much longer. */
static void wait_for_helpers(shared_loop *loop) {
    for (int64_t end = nanoseconds(CLOCK_MONOTONIC) + SPIN; nanoseconds(CLOCK_MONOTONIC) < end;) {
        pause_spinning();
        if (!shared_loop_is_helped(loop)) {
            return;
        }
    }
    lock();
    if (shared_loop_await(loop)) {
        while (shared_loop_is_helped(loop)) {
            (void)pthread_cond_wait(&pool.left, &pool.lock);
        }
    }
    unlock();
}

bool workers_run(const loop_work *work, int32_t threads) {
    int32_t helpers = helpers_for(work, threads);
    shared_loop *loop = helpers > 0 ? shared_loop_open(work, helpers) : NULL;
    if (loop == NULL) {
        return false;
    }
    call_workers(helpers < CALLED_AT_ONCE ? helpers : CALLED_AT_ONCE);
    shared_loop_run(loop, 0);
    if (shared_loop_is_helped(loop)) {
        wait_for_helpers(loop);
    }
    shared_loop_end(loop);
    return true;
}

#else

bool workers_run(const loop_work *work, int32_t threads) {
    (void)work;
    (void)threads;
    return false;
}

#endif
