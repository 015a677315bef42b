#pragma once

#include "io/record/recording.h"

/**
 * @file record/start.h
 * Scenes that go on from a frame of a recording.
 */

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Reads where the bodies of a scene are that goes on from a recording, and sets its beginning. Other scenes stay as they are.
 *
 * Dynamic bodies get the poses and velocities of the bodies of the same names, kinematic ones their poses. Static bodies, and those that the recording lacks,
 * begin as the scene says. Bodies that are not there in the frame are not there at the beginning. Vertices of elastic cells are where they were, with the
 * velocities of a rigid body.
 *
 * @param scene  just loaded
 * @return ABUT_OK; ABUT_ERROR_FILE when the recording is missing or unreadable; ABUT_ERROR_FORMAT when it is not a recording, damaged, ends before the wanted
 *         time, lacks all bodies that the scene names, has a dynamic body that the scene lacks, or one of another shape, or deformed in another way;
 *         ABUT_ERROR_OUT_OF_MEMORY; ABUT_ERROR_INVALID_ARGUMENT for NULL, or a scene whose beginning is set. The message begins with the line and the column of
 *         the scene. After an error the scene cannot be simulated
 */
ABUT_API abut_status abut_recording_start(abut_scene *scene, abut_error *error);

#ifdef __cplusplus
}
#endif
