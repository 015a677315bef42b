#define _XOPEN_SOURCE 700

#include "run_checkpoint.h"

#include <stdlib.h>
#include <string.h>

#include "progress.h"

static const char *const ending = ".checkpoint.h5";

static bool ends_with(const char *text, const char *end) {
    size_t length = strlen(text), tail = strlen(end);
    return length > tail && strcmp(text + length - tail, end) == 0;
}

/* The text without its last `less` characters, and an end. */
static char *with_end(const char *text, size_t less, const char *end) {
    size_t length = strlen(text) - less;
    char *made = malloc(length + strlen(end) + 1);
    if (made) {
        memcpy(made, text, length);
        strcpy(made + length, end);
    }
    return made;
}

char *run_checkpoint_path(const char *recording) { return with_end(recording, ends_with(recording, ".h5") ? 3 : 0, ending); }

char *run_checkpoint_recording(const char *checkpoint) {
    return ends_with(checkpoint, ending) ? with_end(checkpoint, strlen(ending), ".h5") : NULL;
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
