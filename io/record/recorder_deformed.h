#pragma once

#include <stdbool.h>

#include "io/record/h5write.h"
#include "io/scene/simulation.h"

/*
 * The group /deformed of a recording: vertices of bodies whose shape differs from the one in /shapes. It is made when the first body deforms.
 *
 * A body whose shape differs from that of the frame before adds a row: the frame, the body, and the index of its first vertex.
 */
enum { DEFORMED_FRAME, DEFORMED_BODY, DEFORMED_VERTEX_FIRST, DEFORMED_VERTICES, DEFORMED_COLUMNS };

typedef struct recorder_deformed {
    int32_t body_count;
    int compression;
    const abut_shape **last; /* [body_count] shapes in the last frame; references are held */
    bool begun;              /* the group exists: a body has deformed */
    h5_column columns[DEFORMED_COLUMNS];
    int64_t frames, vertex_rows; /* recorded so far */
} recorder_deformed;

/* Begins with the shapes of the scene. To be released in every case. */
abut_status recorder_deformed_begin(recorder_deformed *deformed, const abut_simulation *simulation, int compression);

/*
 * Records the present shapes as those of the next frame. ABUT_ERROR_UNSUPPORTED when the triangles of a body's shape differ from those of its shape in the
 * scene: only vertices are recorded.
 */
abut_status recorder_deformed_append(recorder_deformed *deformed, hid_t file, const abut_simulation *simulation);

/* Makes the group, if it does not exist yet. */
abut_status recorder_deformed_need(recorder_deformed *deformed, hid_t file);

/*
 * Continues another recording, whose rows are in the columns already: `frames` frames, the last after `last_step` steps. The next frame adds rows for the
 * bodies whose shape has changed since.
 */
void recorder_deformed_continue(recorder_deformed *deformed, const abut_simulation *simulation, int64_t frames, int64_t last_step);
void recorder_deformed_release(recorder_deformed *deformed);
