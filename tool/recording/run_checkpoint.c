#define _XOPEN_SOURCE 700

#include "tool/recording/run_checkpoint.h"

#include <stdlib.h>
#include <string.h>

#include "io/file/output.h"
#include "tool/paths.h"
#include "tool/progress.h"

const char *const run_recording_endings[] = {".h5", ".hdf5", NULL};

/* The endings of checkpoints, in the order of those of recordings. */
static const char *const endings[] = {".checkpoint.h5", ".checkpoint.hdf5"};

/* PATH with one of `from` at its end replaced by its counterpart in `to`; NULL when it ends in none of them, or without memory. */
static char *change_ending(const char *path, const char *const from[2], const char *const to[2]) {
    for (int i = 0; i < 2; i++) {
        if (path_ends_in(path, from[i])) {
            return path_with_end(path, strlen(from[i]), to[i]);
        }
    }
    return NULL;
}

char *run_checkpoint_path(const char *recording) { return change_ending(recording, run_recording_endings, endings); }

char *run_checkpoint_recording(const char *checkpoint) { return change_ending(checkpoint, endings, run_recording_endings); }

void run_checkpoint_tidy(const char *recording) {
    char *path = run_checkpoint_path(recording);
    if (path) {
        output_tidy(path);
    }
    free(path);
}

bool run_checkpoint_is_due(const run_checkpoints *checkpoints, int64_t steps) {
    const abut_checkpoint_plan *plan = &checkpoints->plan;
    if (!checkpoints->path) {
        return false;
    }
    if (plan->steps > 0 && steps % plan->steps == 0) {
        return true;
    }
    double since = plan->seconds > 0.0 ? clock_seconds() - checkpoints->ended : 0.0;
    return plan->seconds > 0.0 && since >= plan->seconds && since >= 10.0 * checkpoints->took;
}

abut_status run_checkpoint_write(run_checkpoints *checkpoints, abut_recorder *recorder, const abut_simulation *simulation,
                                 abut_error *error) {
    double begun = clock_seconds();
    abut_status status = abut_checkpoint_write(recorder, simulation, checkpoints->path, &checkpoints->plan, error);
    if (!status) {
        checkpoints->ended = clock_seconds();
        checkpoints->took = checkpoints->ended - begun;
        checkpoints->there = true;
        checkpoints->at = abut_simulation_step_index(simulation);
        checkpoints->written++;
    }
    return status;
}
