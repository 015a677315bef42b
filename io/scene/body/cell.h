#pragma once

#include "io/scene/read.h"

/* Reads the key "cell" of a body: an elastic cell. Sets reader->cell to its index in scene->cells, or -1 for none. */
abut_status scene_read_cell(scene_reader *reader, const scene_place *body, const char *what, const abut_body_def *def);
