/* Parallel loops by the caller's scheduler, else by the library's threads, else a plain loop. The order of pieces and their threads are
 * unspecified, so a task may depend on its indices only. */
#include <abut/base.h>

#include "base/workers.h"

void abut_parallel_for(const abut_parallel *parallel, int32_t count, int32_t grain, abut_task *task, void *argument) {
    if (count <= 0 || task == NULL) {
        return;
    }
    grain = grain < 1 ? 1 : grain;
    if (parallel != NULL && parallel->run != NULL) {
        parallel->run(parallel->context, count, grain, task, argument);
        return;
    }
    int32_t threads = parallel != NULL ? parallel->threads : 0;
    const loop_work work = {task, argument, count, grain};
    if (threads == 1 || count <= grain || !workers_run(&work, threads)) {
        task(argument, 0, count);
    }
}
