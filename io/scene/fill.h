#pragma once

#include "io/scene/read.h"

/*
 * Many bodies for one entry of a scene: "fill" says how many and where.
 */

/* One body of a fill. */
typedef struct fill_body {
    const abut_shape *shape; /* a reference is held */
    abut_pose pose;
} fill_body;

/*
 * Read "fill", at `place`, and place its bodies. `def` has the shape and the rotation; `turned` is whether its rotation was given: bodies other than balls
 * are else turned at random. `bodies` receives an array of `count`, to be released.
 */
abut_status fill_read(scene_reader *reader, const scene_place *place, const char *what, const abut_body_def *def, bool turned,
                      fill_body **bodies, int32_t *count);
void fill_release(fill_body *bodies, int32_t count);
