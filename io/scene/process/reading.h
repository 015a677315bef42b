#pragma once

#include "io/scene/read.h"

/* Reads "outlets" and "measures", and names the columns of the time series. Bodies must have been read. */
abut_status scene_read_process(scene_reader *reader);

void scene_release_process(abut_scene *scene);
