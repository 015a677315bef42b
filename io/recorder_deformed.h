#pragma once

#include <stdbool.h>

#include "h5write.h"
#include "simulation.h"

/*
 * The group /deformed of a recording: vertices of bodies whose shape is no longer the one that /shapes has. It is made when the first body deforms.
 *
 * A body whose shape in the world is another one than in the frame before adds a row: the frame, the body, where its vertices begin.
 */
typedef struct recorder_deformed {
    int32_t body_count;
    int compression;
    const abut_shape **last; /* [body_count] of the last frame; references are held */
    bool begun;              /* the group is there: a body has deformed */
    h5_column frame, body, vertex_first, vertices;
    int64_t frames, vertex_rows; /* recorded so far */
} recorder_deformed;

/* To be released in any case. Shapes are those of the scene. */
abut_status recorder_deformed_begin(recorder_deformed *deformed, const abut_simulation *simulation, int compression);

/*
 * The present shapes are those of the next frame. ABUT_ERROR_UNSUPPORTED for a body whose shape is not one of the same triangles as that of the scene: only
 * vertices are recorded.
 */
abut_status recorder_deformed_append(recorder_deformed *deformed, hid_t file, const abut_simulation *simulation);
abut_status recorder_deformed_flush(recorder_deformed *deformed);
void recorder_deformed_release(recorder_deformed *deformed);
