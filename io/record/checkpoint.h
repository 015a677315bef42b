#pragma once

#include "io/record/recording.h"

/**
 * @file record/checkpoint.h
 * Checkpoints: a recording of everything so far, with the state from which the run goes on, in one file.
 *
 * A checkpoint appears whole or not at all, over the one before: at every moment one of them is there. A run that goes on from it records what it would have
 * recorded without an interruption, to the last bit but for the wall times. The layout is in docs/formats/recording.md.
 */

#ifdef __cplusplus
extern "C" {
#endif

/** How a run is to go on that is continued without other wishes. Kept in the checkpoint. */
typedef struct abut_checkpoint_plan {
    int64_t wanted; /**< steps in all, >= 1 */
    double seconds; /**< wall time between checkpoints, >= 0; 0: none for that reason */
    int64_t steps;  /**< steps between checkpoints, >= 0; 0: none for that reason */
} abut_checkpoint_plan;

/**
 * Write a checkpoint: a copy of the recording as it has grown, the rows that are not written yet, and the simulation's state.
 *
 * The recording goes on; it is copied as it is, so that a checkpoint takes as long as copying the file does.
 *
 * @param recorder    of the simulation, its last step recorded
 * @param path        of the checkpoint; anything there that is not an ordinary file is refused
 * @return ABUT_OK; ABUT_ERROR_FILE, and then an earlier checkpoint is as it was; if the recording itself could not be written, the recorder's next call says
 *         so, too; ABUT_ERROR_OUT_OF_MEMORY; ABUT_ERROR_UNSUPPORTED as of abut_world_save(); ABUT_ERROR_INVALID_ARGUMENT
 */
ABUT_API abut_status abut_checkpoint_write(abut_recorder *recorder, const abut_simulation *simulation, const char *path,
                                           const abut_checkpoint_plan *plan, abut_error *error);

/** A checkpoint that was read; opaque. */
typedef struct abut_checkpoint abut_checkpoint;

/**
 * Open a checkpoint.
 * @param checkpoint  receives it, to be freed with abut_checkpoint_close(); untouched on an error
 * @return ABUT_OK; what abut_recording_open() returns; ABUT_ERROR_FORMAT for a recording without a state, or with a damaged one; ABUT_ERROR_UNSUPPORTED for one of
 *         another version of abut, whose results may differ
 */
ABUT_API abut_status abut_checkpoint_open(const char *path, abut_checkpoint **checkpoint, abut_error *error);

/** Free the checkpoint. NULL does nothing. */
ABUT_API void abut_checkpoint_close(abut_checkpoint *checkpoint);

/** What a checkpoint is of. The strings belong to it. */
typedef struct abut_checkpoint_info {
    const char *scene;      /**< the scene's JSON text */
    const char *scene_path; /**< where the scene was, with its folder: mesh files are looked for beside it */
    int64_t step;           /**< steps made so far */
    int32_t every;          /**< abut_recorder_settings.every */
    abut_checkpoint_plan plan;
} abut_checkpoint_info;

/** What a checkpoint is of. */
ABUT_API abut_checkpoint_info abut_checkpoint_get_info(const abut_checkpoint *checkpoint);

/**
 * Go on from a checkpoint: begin a recording with all that it holds, and put the simulation into its state.
 * @param simulation  just made from the checkpoint's scene, no step done
 * @param path        of the recording, as for abut_recorder_create()
 * @param recorder    receives it; untouched on an error
 * @return ABUT_OK; ABUT_ERROR_FOREIGN when the scene makes other bodies or shapes now; ABUT_ERROR_FORMAT when the checkpoint is damaged;
 *         ABUT_ERROR_FILE; ABUT_ERROR_OUT_OF_MEMORY; ABUT_ERROR_INVALID_ARGUMENT. The simulation is unchanged on any error
 */
ABUT_API abut_status abut_checkpoint_continue(abut_checkpoint *checkpoint, abut_simulation *simulation, const char *path,
                                              abut_recorder **recorder, abut_error *error);

#ifdef __cplusplus
}
#endif
