#pragma once

#include "io/scene/read.h"

/*
 * The key "start": a scene that goes on from a frame of a recording. Reading a scene notes the recording; the frame is read later, by io/record/start.h, which
 * gives it to the scene with abut_scene_set_start().
 */

/* Reads the key, after the bodies. */
abut_status scene_read_start(scene_reader *reader);

void scene_release_start(abut_scene *scene);

/* Fails at the path of the recording, or at the time: "FILE:LINE:COLUMN: message". */
#if defined(__GNUC__)
__attribute__((format(printf, 5, 6)))
#endif
abut_status
scene_start_fail(const abut_scene *scene, abut_status status, bool at_time, abut_error *error, const char *format, ...);

/* Adds a warning at the path of the recording. False when there is no memory. */
bool scene_start_warn(abut_scene *scene, const char *message);

/* The shape that a body has at the beginning of the scene, for bodies that deform the deformed one. *shape: the caller releases it. ABUT_OK; the statuses of
 * abut_shape_create_facetmesh_moved(). */
abut_status scene_start_shape(const abut_scene *scene, int32_t body, const abut_shape **shape);

/* Whether the state of the body of that name is taken from the recording, if both have it. `name` is that of a body, or of an element with ".NUMBER". */
bool scene_start_takes(const abut_scene *scene, const char *name);
