#pragma once

#include <stdbool.h>

/*
 * What a pool of threads asks of its process, and what Windows does not have: forks, and signals that arrive in any thread.
 */

#ifdef _WIN32

typedef int process_signals;

static inline bool process_watch_forks(void (*prepare)(void), void (*parent)(void), void (*child)(void)) {
    (void)prepare;
    (void)parent;
    (void)child;
    return true;
}

static inline void process_block_signals(process_signals *before) { *before = 0; }
static inline void process_restore_signals(const process_signals *before) { (void)before; }

#else

#include <pthread.h>
#include <signal.h>
#include <stddef.h>

typedef sigset_t process_signals;

/* False when there is no memory. */
static inline bool process_watch_forks(void (*prepare)(void), void (*parent)(void), void (*child)(void)) {
    return pthread_atfork(prepare, parent, child) == 0;
}

/* Threads that start now leave signals to the program's threads, except those that report a fault of the thread itself. */
static inline void process_block_signals(process_signals *before) {
    const int own[] = {SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSEGV, SIGTRAP, SIGPROF};
    sigset_t blocked;
    (void)sigfillset(&blocked);
    for (size_t i = 0; i < sizeof own / sizeof own[0]; i++) {
        (void)sigdelset(&blocked, own[i]);
    }
    (void)pthread_sigmask(SIG_BLOCK, &blocked, before);
}

static inline void process_restore_signals(const process_signals *before) { (void)pthread_sigmask(SIG_SETMASK, before, NULL); }

#endif
