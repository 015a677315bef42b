#pragma once

#include <stdbool.h>

#include "io/record/h5write.h"
#include "io/scene/simulation.h"

/*
 * The group /deformed of a recording: vertices of bodies whose shape is no longer the one that /shapes has. It is made when the first body deforms.
 *
 * A body whose shape in the world is another one than in the frame before adds a row: the frame, the body, where its vertices begin.
 */
enum { DEFORMED_FRAME, DEFORMED_BODY, DEFORMED_VERTEX_FIRST, DEFORMED_VERTICES, DEFORMED_COLUMNS };

typedef struct recorder_deformed {
    int32_t body_count;
    int compression;
    const abut_shape **last; /* [body_count] of the last frame; references are held */
    bool begun;              /* the group is there: a body has deformed */
    h5_column columns[DEFORMED_COLUMNS];
    int64_t frames, vertex_rows; /* recorded so far */
} recorder_deformed;

/* To be released in any case. Shapes are those of the scene. */
abut_status recorder_deformed_begin(recorder_deformed *deformed, const abut_simulation *simulation, int compression);

/*
 * The present shapes are those of the next frame. ABUT_ERROR_UNSUPPORTED for a body whose shape is not one of the same triangles as that of the scene: only
 * vertices are recorded.
 */
abut_status recorder_deformed_append(recorder_deformed *deformed, hid_t file, const abut_simulation *simulation);

/* The group, if it is not there yet. */
abut_status recorder_deformed_need(recorder_deformed *deformed, hid_t file);

/*
 * The columns have all rows of another recording's beginning, of so many frames, the last of them after so many steps: the next frame adds a row for the bodies
 * that have had another shape since.
 */
void recorder_deformed_continue(recorder_deformed *deformed, const abut_simulation *simulation, int64_t frames, int64_t last_step);
void recorder_deformed_release(recorder_deformed *deformed);
