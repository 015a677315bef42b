#pragma once

#include "io/scene/read.h"

/*
 * Many bodies from one entry of a scene: "fill" gives their number and their region.
 */

/* One body of a fill. */
typedef struct fill_body {
    const abut_shape *shape; /* a reference is held */
    abut_pose pose;
} fill_body;

/*
 * Reads "fill", at `place`, and places its bodies. `def` has the shape and the rotation. turned: the rotation was given; otherwise bodies other than balls get
 * random rotations. `bodies` receives an array of `count` elements, to be released.
 */
abut_status fill_read(scene_reader *reader, const scene_place *place, const char *what, const abut_body_def *def, bool turned,
                      fill_body **bodies, int32_t *count);
void fill_release(fill_body *bodies, int32_t count);
