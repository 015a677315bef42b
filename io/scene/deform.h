#pragma once

#include "io/scene/read.h"

/*
 * "deform" of a body, whose shape and kind `def` has: kept in the scene, its index in reader->deform, -1 for none. The surface is made at each time at which an
 * amount is given, so that a field that folds it is found here.
 */
abut_status scene_read_deform(scene_reader *reader, const scene_place *body, const char *what, const abut_body_def *def);
