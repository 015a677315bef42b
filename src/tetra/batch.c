/* Many pairs over threads; each is computed as in a single call. */
#include <stddef.h>

#include "tetra/answer.h"

typedef struct batch {
    const abut_simplex *a, *b;
    abut_depth_settings settings;
    abut_depth *depths;
} batch;

static void run(void *argument, int32_t begin, int32_t end) {
    const batch *job = argument;
    for (int32_t i = begin; i < end; ++i) {
        abut_status status = abut_simplex_depth(&job->a[i], &job->b[i], &job->settings, &job->depths[i]);
        if (status != ABUT_OK) {
            job->depths[i] = (abut_depth){.status = status};
        }
    }
}

abut_status abut_simplex_depth_batch(const abut_simplex *a, const abut_simplex *b, int32_t count, const abut_depth_settings *settings,
                                     const abut_parallel *parallel, abut_depth *depths) {
    enum { GRAIN = 64 };
    if (count < 0 || (count > 0 && (a == NULL || b == NULL || depths == NULL))) {
        return ABUT_ERROR_INVALID_ARGUMENT;
    }
    abut_status status = pair_check_settings(settings);
    if (status != ABUT_OK) {
        return status;
    }
    batch job = {a, b, settings != NULL ? *settings : abut_depth_settings_default(), depths};
    abut_parallel_for(parallel, count, GRAIN, run, &job);
    return ABUT_OK;
}
