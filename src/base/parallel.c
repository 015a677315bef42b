/* Parallel loops by the caller's scheduler, else by OpenMP, else a plain loop. The order of pieces and their threads are unspecified, so a
 * task may depend on its indices only. */
#include <abut/base.h>

#ifdef ABUT_WITH_OPENMP
#include <omp.h>

/* Number of threads for a loop of this number of pieces. It is limited to a few per processor: more threads only cost memory, and an OpenMP
 * runtime ends the process when the system refuses a thread. */
static int32_t thread_count(int32_t wanted, int32_t pieces) {
    int32_t most = 8 * omp_get_num_procs();
    int32_t threads = wanted > 0 ? wanted : omp_get_max_threads();
    threads = threads < most ? threads : most;
    return threads < pieces ? threads : pieces;
}

static void run_by_openmp(int32_t wanted, int32_t count, int32_t grain, abut_task *task, void *argument) {
    int32_t pieces = count / grain + (count % grain != 0);
    int32_t threads = thread_count(wanted, pieces);
    if (threads <= 1) {
        task(argument, 0, count);
        return;
    }
    /* Each thread gets the same pieces every time, so data that one loop wrote is mostly in the cache of the processor that reads it in the
     * next loop. Threads take short runs of neighbouring pieces in turn, so that no thread gets all the hard ones. */
    int32_t most = 4, share = pieces / threads, together = share < most ? share : most;
#pragma omp parallel for schedule(static, together) num_threads(threads)
    for (int32_t piece = 0; piece < pieces; piece++) {
        int32_t begin = piece * grain;
        int32_t end = count - begin > grain ? begin + grain : count;
        task(argument, begin, end);
    }
}
#endif

void abut_parallel_for(const abut_parallel *parallel, int32_t count, int32_t grain, abut_task *task, void *argument) {
    if (count <= 0 || task == NULL) {
        return;
    }
    grain = grain < 1 ? 1 : grain;
    if (parallel != NULL && parallel->run != NULL) {
        parallel->run(parallel->context, count, grain, task, argument);
        return;
    }
#ifdef ABUT_WITH_OPENMP
    int32_t wanted = parallel != NULL ? parallel->threads : 0;
    if (wanted != 1) {
        run_by_openmp(wanted, count, grain, task, argument);
        return;
    }
#endif
    task(argument, 0, count);
}
