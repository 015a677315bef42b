#pragma once

#include "io/record/recording.h"

/**
 * @file record/checkpoint.h
 * Checkpoints: one file with the recording so far and the state from which the run can continue.
 *
 * A checkpoint appears whole or not at all and replaces the one before, so one of them exists at every moment. A run that continues from a checkpoint gives the
 * same recording as a run without interruption, bit for bit except for the wall times. The layout is in docs/recording.md.
 */

#ifdef __cplusplus
extern "C" {
#endif

/** Defaults for a run that is continued. Kept in the checkpoint. */
typedef struct abut_checkpoint_plan {
    int64_t wanted; /**< total number of steps, >= 1 */
    double seconds; /**< wall time between checkpoints, >= 0; 0: no checkpoints by time */
    int64_t steps;  /**< steps between checkpoints, >= 0; 0: no checkpoints by steps */
} abut_checkpoint_plan;

/**
 * Writes a checkpoint: a copy of the recording so far, the rows that are not written yet, and the simulation's state.
 *
 * The recorder continues. The file is copied, so a checkpoint takes the time of copying the file.
 *
 * @param recorder    of the simulation, its last step recorded
 * @param path        of the checkpoint; anything there except an ordinary file is refused
 * @return ABUT_OK; ABUT_ERROR_FILE, and then an earlier checkpoint is unchanged. If the recording itself could not be written, the recorder's next call fails
 *         too; ABUT_ERROR_OUT_OF_MEMORY; ABUT_ERROR_UNSUPPORTED as abut_world_save(); ABUT_ERROR_INVALID_ARGUMENT
 */
ABUT_API abut_status abut_checkpoint_write(abut_recorder *recorder, const abut_simulation *simulation, const char *path,
                                           const abut_checkpoint_plan *plan, abut_error *error);

/** An open checkpoint; opaque. */
typedef struct abut_checkpoint abut_checkpoint;

/**
 * Opens a checkpoint.
 * @param checkpoint  receives it, to be freed with abut_checkpoint_close(); untouched on an error
 * @return ABUT_OK; the statuses of abut_recording_open(); ABUT_ERROR_FORMAT for a recording without a state, or with a damaged one; ABUT_ERROR_UNSUPPORTED for
 *         a checkpoint of another version of abut, whose results may differ
 */
ABUT_API abut_status abut_checkpoint_open(const char *path, abut_checkpoint **checkpoint, abut_error *error);

/** Free the checkpoint. NULL does nothing. */
ABUT_API void abut_checkpoint_close(abut_checkpoint *checkpoint);

/** The contents of a checkpoint. The strings belong to it. */
typedef struct abut_checkpoint_info {
    const char *scene;      /**< the scene's JSON text */
    const char *scene_path; /**< absolute path of the scene; mesh files are relative to its folder */
    int64_t step;           /**< steps made so far */
    int32_t every;          /**< abut_recorder_settings.every */
    abut_checkpoint_plan plan;
} abut_checkpoint_info;

/** The contents of a checkpoint. */
ABUT_API abut_checkpoint_info abut_checkpoint_get_info(const abut_checkpoint *checkpoint);

/**
 * Continues from a checkpoint: begins a recording with all rows of the checkpoint, and restores the simulation's state.
 * @param simulation  just made from the checkpoint's scene, before any step
 * @param path        of the recording, as for abut_recorder_create()
 * @param recorder    receives it; untouched on an error
 * @return ABUT_OK; ABUT_ERROR_FOREIGN when the scene now gives other bodies or shapes; ABUT_ERROR_FORMAT when the checkpoint is damaged; ABUT_ERROR_FILE;
 *         ABUT_ERROR_OUT_OF_MEMORY; ABUT_ERROR_INVALID_ARGUMENT. The simulation is unchanged on any error
 */
ABUT_API abut_status abut_checkpoint_continue(abut_checkpoint *checkpoint, abut_simulation *simulation, const char *path,
                                              abut_recorder **recorder, abut_error *error);

#ifdef __cplusplus
}
#endif
