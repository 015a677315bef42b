/* Many pairs over threads; each is computed as in a single call. */
#include <stddef.h>

#include "base/argument.h"
#include "tetra/answer.h"

typedef struct batch {
    const abut_simplex *a, *b;
    abut_depth_settings settings;
    abut_depth *depths;
} batch;

static void run(void *argument, int32_t begin, int32_t end) {
    const batch *job = argument;
    for (int32_t i = begin; i < end; ++i) {
        abut_status status = answer_simplices(&job->a[i], &job->b[i], &job->settings, &job->depths[i]);
        if (status != ABUT_OK) {
            (void)pair_refuse(status, "abut_simplex_depth_batch", i, &job->a[i], &job->b[i]);
            job->depths[i] = (abut_depth){.status = status};
        }
    }
}

abut_status abut_simplex_depth_batch(const abut_simplex *a, const abut_simplex *b, int32_t count, const abut_depth_settings *settings,
                                     const abut_parallel *parallel, abut_depth *depths) {
    enum { GRAIN = 64 };
    if (argument_is_below(CALL_NAME, "count", count, 0)) {
        return ABUT_ERROR_INVALID_ARGUMENT;
    }
    if (count > 0 &&
        (argument_is_null(CALL_NAME, "a", a) || argument_is_null(CALL_NAME, "b", b) || argument_is_null(CALL_NAME, "depths", depths))) {
        return ABUT_ERROR_INVALID_ARGUMENT;
    }
    if (pair_check_settings(settings) != ABUT_OK) {
        return pair_refuse_settings(CALL_NAME, settings);
    }
    batch job = {a, b, settings != NULL ? *settings : abut_depth_settings_default(), depths};
    abut_parallel_for(parallel, count, GRAIN, run, &job);
    return ABUT_OK;
}
