#pragma once

#include <stdatomic.h>
#include <stdint.h>

#include <abut/base.h>

/*
 * A scheduler for abut_parallel, as a caller may provide it: three threads that take pieces in turn, the last piece first, so that no result can depend on the
 * order.
 */
typedef struct three_threads {
    int calls;            /* loops run so far */
    int32_t count, grain; /* of the last loop */
    void *argument;       /* of the last loop */
    int32_t pieces;
    atomic_int next;
    abut_task *task;
} three_threads;

/* A value that runs loops on these threads. `own` must outlive it. */
abut_parallel three_threads_parallel(three_threads *own);
