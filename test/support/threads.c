/* A scheduler as a caller may provide it: three threads that take pieces in turn, the last piece first. */
#include "support/threads.h"

#include <pthread.h>
#include <stdlib.h>

static void *work(void *context) {
    three_threads *own = context;
    for (;;) {
        int32_t piece = own->pieces - 1 - atomic_fetch_add(&own->next, 1);
        if (piece < 0) {
            return NULL;
        }
        int32_t begin = piece * own->grain;
        own->task(own->argument, begin, own->count - begin > own->grain ? begin + own->grain : own->count);
    }
}

static void run_on_three_threads(void *context, int32_t count, int32_t grain, abut_task *task, void *argument) {
    three_threads *own = context;
    own->calls++;
    own->count = count;
    own->grain = grain;
    own->pieces = count / grain + (count % grain != 0);
    atomic_store(&own->next, 0);
    own->task = task;
    own->argument = argument;
    pthread_t threads[3];
    for (int i = 0; i < 3; i++) {
        if (pthread_create(&threads[i], NULL, work, own) != 0) {
            abort();
        }
    }
    for (int i = 0; i < 3; i++) {
        pthread_join(threads[i], NULL);
    }
}

abut_parallel three_threads_parallel(three_threads *own) {
    return (abut_parallel){.threads = 1, .run = run_on_three_threads, .context = own};
}
