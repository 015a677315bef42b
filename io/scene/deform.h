#pragma once

#include "io/scene/read.h"

/*
 * Reads "deform" of a body whose shape and kind are in `def`. The deformation is kept in the scene, and its index in reader->deform, -1 for none. The surface
 * is made at each time for which an amount is given, so that a field that folds the surface is refused here.
 */
abut_status scene_read_deform(scene_reader *reader, const scene_place *body, const char *what, const abut_body_def *def);
