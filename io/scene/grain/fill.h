#pragma once

#include "io/scene/grain/grains.h"

/*
 * Reads "fill", at `place`, and places its bodies. `def` has the shape and the rotation. turned: the rotation was given; otherwise bodies other than balls get
 * random rotations. `bodies` receives an array of `count` elements, to be released with grains_release().
 */
abut_status fill_read(scene_reader *reader, const scene_place *place, const char *what, const abut_body_def *def, bool turned,
                      grain_body **bodies, int32_t *count);
