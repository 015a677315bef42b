#pragma once

#include <stdatomic.h>
#include <stdint.h>

#include <abut/base.h>

/*
 * A scheduler of the caller's own for abut_parallel: three threads that take pieces in turn, the last piece first, so that nothing can lean on order. The
 * thread sanitizer sees into it, which it cannot with OpenMP.
 */
typedef struct three_threads {
    int calls;            /* loops run so far */
    int32_t count, grain; /* of the last loop */
    void *argument;       /* of the last loop */
    int32_t pieces;
    atomic_int next;
    abut_task *task;
} three_threads;

/* Loops run on it. It must outlive the value. */
abut_parallel three_threads_parallel(three_threads *own);
