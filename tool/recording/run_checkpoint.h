#pragma once

#include "io/record/checkpoint.h"

/*
 * When and where a run writes checkpoints.
 */

typedef struct run_checkpoints {
    char *path; /* NULL: none are written */
    abut_checkpoint_plan plan;
    bool there;      /* the file at the path is a checkpoint of this run */
    int64_t at;      /* step of that checkpoint */
    double ended;    /* when the last checkpoint was finished, or the run began [s] */
    double took;     /* time for writing the last checkpoint [s] */
    int64_t written; /* checkpoints of this run */
} run_checkpoints;

/* The endings of recordings, ended by NULL. */
extern const char *const run_recording_endings[];

/* OUT.checkpoint.h5 for OUT.h5, OUT.checkpoint.hdf5 for OUT.hdf5. To be freed; NULL for other names, and when there is no memory. */
char *run_checkpoint_path(const char *recording);

/* The inverse: OUT.h5 for OUT.checkpoint.h5. */
char *run_checkpoint_recording(const char *checkpoint);

/* Removes the temporary files of this recording's checkpoints that killed runs have left. */
void run_checkpoint_tidy(const char *recording);

/* Whether a checkpoint is due after this number of steps. Checkpoints at intervals of time take at most a tenth of the run. */
bool run_checkpoint_is_due(const run_checkpoints *checkpoints, int64_t steps);

/* Writes a checkpoint. Statuses of abut_checkpoint_write(). */
abut_status run_checkpoint_write(run_checkpoints *checkpoints, abut_recorder *recorder, const abut_simulation *simulation,
                                 abut_error *error);
